public import Holdfast

/// Why a configuration of pins cannot be read or written, with the file, the line and the key.
public struct ConfigurationError: Error, Sendable, Hashable {
  /// The name of the file, if the caller gave one.
  public var file: String?

  /// The line, from 1, if the format has lines.
  public var line: Int?

  /// The path of keys or elements to the place: `TSKPinnedDomains.good.com.TSKPublicKeyHashes`.
  public var key: String

  /// What is wrong.
  public let problem: Problem

  init(_ problem: Problem, key: String = "", line: Int? = nil) {
    self.problem = problem
    self.key = key
    self.line = line
  }

  /// What is wrong with a configuration.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// The file cannot be read; with the system's message.
    case unreadable(String)
    /// It is larger than the limit.
    case tooLarge(limit: Int)
    /// The format is not known.
    case unknownFormat
    /// It violates the grammar of its format.
    case malformed(String)
    /// The format has no such key; the nearest known one is given.
    case unknownKey(String, nearest: String?)
    /// A key occurs twice.
    case duplicateKey(String)
    /// A required key is missing.
    case missing(String)
    /// A value has the wrong kind.
    case wrongKind(found: String, expected: String)
    /// A value is not valid here.
    case badValue(found: String, expected: String)
    /// A value is not a pin.
    case badPin(String, PinError)
    /// The pins are not a valid set.
    case badPins(PinSetError)
    /// A value is not a host or a host pattern.
    case badHost(HostPatternError)
    /// The entries are not a valid table.
    case badTable(PinTableError)
    /// The configuration pins nothing.
    case nothingPinned
    /// Something is understood but not supported.
    case unsupported(String)
    /// The format cannot express something.
    case cannotExpress(String)
  }
}

extension ConfigurationError: HoldfastError {
  /// The stable identifier of what is wrong.
  public var code: String {
    switch problem {
    case .badPin(_, let error): error.code
    case .badPins(let error): error.code
    case .badHost(let error): error.code
    case .badTable(let error): error.code
    case .unreadable: ErrorCode.unreadableFile.rawValue
    case .tooLarge: ErrorCode.tooLarge.rawValue
    case .nothingPinned: ErrorCode.nothingPinned.rawValue
    case .cannotExpress: ErrorCode.cannotExpress.rawValue
    case .unknownFormat, .malformed, .unknownKey, .duplicateKey, .missing, .wrongKind, .badValue,
      .unsupported:
      ErrorCode.invalidConfiguration.rawValue
    }
  }

  /// What is wrong, in one plain sentence.
  public var summary: String {
    let name = file.map { " \($0)" } ?? ""
    return switch problem {
    case .unreadable: "The configuration\(name) of pins cannot be read."
    case .tooLarge: "The configuration\(name) of pins is too large."
    case .unknownFormat: "The format of the configuration\(name) is not known."
    case .nothingPinned: "The configuration\(name) pins nothing."
    case .cannotExpress: "The pins cannot be written in this format."
    case .malformed, .unknownKey, .duplicateKey, .missing, .wrongKind, .badValue, .badPin,
      .badPins, .badHost, .badTable, .unsupported:
      "The configuration\(name) of pins has a mistake."
    }
  }

  /// `pins.plist, line 12: TSKPinnedDomains.good.com: unknown key "TSKEnforcePining"; …`.
  public var description: String {
    let location = [file, line.map { "line \($0)" }].compactMap { $0 }.joined(separator: ", ")
    return [location, key, "\(problem)"].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}

extension ConfigurationError.Problem: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .unreadable(let message): message
    case .tooLarge(let limit): "larger than \(limit) bytes"
    case .unknownFormat: "unknown pin format"
    case .malformed(let message): message
    case .unknownKey(let name, let nearest):
      "unknown key \"\(name)\"" + (nearest.map { "; did you mean \"\($0)\"?" } ?? "")
    case .duplicateKey(let name): "duplicate key \"\(name)\""
    case .missing(let name): "\(name) is missing"
    case .wrongKind(let found, let expected): "found \(found), expected \(expected)"
    case .badValue(let found, let expected): "\"\(found)\": expected \(expected)"
    case .badPin(let text, let error): "the pin \"\(text)\": \(error)"
    // A file cannot waive it as a program can.
    case .badPins(.noBackup(let pin)):
      "\(pin) is the only pin: add one of a key that is kept elsewhere"
    case .badPins(let error): "\(error)"
    case .badHost(let error): "\(error)"
    case .badTable(let error): "\(error)"
    case .nothingPinned: "the configuration pins nothing"
    case .unsupported(let message): "not supported: \(message)"
    case .cannotExpress(let message): message
    }
  }
}
