/// Why entries are not a valid table.
@nonexhaustive
public enum PinTableError: Error, Sendable, Hashable {
  /// Two entries have the same pattern.
  case duplicate(HostPattern)
  /// An entry excludes hosts that no other entry pins.
  case nothingToExclude(HostPattern)
  /// Text is not a host pattern.
  case badPattern(HostPatternError)
  /// The text of the pin for this pattern at this index is not a pin.
  case badPin(String, index: Int, PinError)
  /// The pins for this pattern are not a valid set.
  case badPins(String, PinSetError)
}

extension PinTableError: HoldfastError {
  /// The stable identifier of what is wrong.
  public var code: String {
    switch self {
    case .duplicate: ErrorCode.duplicateEntry.rawValue
    case .nothingToExclude: ErrorCode.nothingToExclude.rawValue
    case .badPattern(let error): error.code
    case .badPin(_, _, let error): error.code
    case .badPins(_, let error): error.code
    }
  }

  /// What is wrong, in one plain sentence.
  public var summary: String { "The list of pinned hosts has a mistake." }

  /// What is wrong.
  public var description: String {
    switch self {
    case .duplicate(let pattern): "there are two entries for \(pattern)"
    case .nothingToExclude(let pattern):
      "\(pattern) is excluded, but no wider entry would pin it"
    case .badPattern(let error): "\(error)"
    case .badPin(let pattern, let index, let error): "\(pattern), pin \(index + 1): \(error)"
    case .badPins(let pattern, let error): "\(pattern): \(error)"
    }
  }
}
