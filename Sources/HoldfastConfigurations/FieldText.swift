internal import Holdfast

/// Functions that several readers share.
enum FieldText {
  /// Reads a pin in base64 alone, as in property lists.
  static func pin(base64 text: String, key: String, line: Int?) throws(ConfigurationError) -> Pin {
    do throws(PinError) {
      return try Pin(base64: text)
    } catch {
      throw ConfigurationError(.badPin(text, error), key: key, line: line)
    }
  }

  /// Reads the host of an entry, without a wildcard.
  static func pattern(
    _ text: String, _ reach: HostPattern.Reach, key: String, line: Int?
  ) throws(ConfigurationError) -> HostPattern {
    do throws(HostPatternError) {
      guard !text.hasPrefix("*") else { throw HostPatternError.misplacedWildcard(text) }
      return try HostPattern(try HostPattern(text).host, reach)
    } catch {
      throw ConfigurationError(.badHost(error), key: key, line: line)
    }
  }

  /// Reads a date without a time: `yyyy-MM-dd`.
  static func date(_ text: String, key: String, line: Int?) throws(ConfigurationError) -> Timestamp
  {
    guard text.utf8.count == 10, let date = Timestamp(text) else {
      throw ConfigurationError(
        .badValue(found: text, expected: "a date like 2027-01-31"), key: key, line: line)
    }
    return date
  }

  /// Makes a set of pins, or throws its error with the place.
  static func set(
    key: String, line: Int?, _ make: () throws(PinSetError) -> PinSet
  ) throws(ConfigurationError) -> PinSet {
    do throws(PinSetError) {
      return try make()
    } catch {
      throw ConfigurationError(.badPins(error), key: key, line: line)
    }
  }

  /// Returns the first range of a word in a text. `firstRange(of:)` does the same, but links the
  /// regular expression library, a tenth of the tool.
  static func range(of word: String, in text: Substring) -> Range<String.Index>? {
    for start in text.utf8.indices where text.utf8[start...].starts(with: word.utf8) {
      return start..<text.utf8.index(start, offsetBy: word.utf8.count)
    }
    return nil
  }
}

/// The remarks of a reader or a writer, in order.
struct Remarks {
  private(set) var all: [PinConfiguration.Remark] = []

  mutating func add(_ subject: String, _ line: Int?, _ message: String) {
    all.append(PinConfiguration.Remark(line: line, subject: subject, message: message))
  }

  /// The direction in which the system that is written for differs.
  enum Direction: String {
    case weaker, stricter, different
  }

  /// Adds what is lost in writing.
  mutating func lose(_ subject: String, _ direction: Direction, _ message: String) {
    add(subject, nil, "\(direction.rawValue): \(message)")
  }

  /// Adds a remark if there is only a single key, which the file's format permits.
  mutating func addLoneKey(_ set: PinSet, _ subject: String, _ line: Int?) {
    guard let first = set.pins.first, set.pins.allSatisfy({ $0.pin == first.pin }) else { return }
    add(subject, line, "no backup pin: if this key is lost, every connection is rejected")
  }
}
