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
  public var code: String { row.code }

  /// What is wrong, in one plain sentence.
  public var summary: String { "The list of pinned hosts has a mistake." }

  /// What is wrong.
  public var description: String { row.message }

  private var row: (code: String, message: String) {
    switch self {
    case .duplicate(let pattern):
      (ErrorCode.duplicateEntry.rawValue, "there are two entries for \(pattern)")
    case .nothingToExclude(let pattern):
      (
        ErrorCode.nothingToExclude.rawValue,
        "\(pattern) is excluded, but no wider entry would pin it"
      )
    case .badPattern(let error): (error.code, "\(error)")
    case .badPin(let pattern, let index, let error):
      (error.code, "\(pattern), pin \(index + 1): \(error)")
    case .badPins(let pattern, let error): (error.code, "\(pattern): \(error)")
    }
  }
}
