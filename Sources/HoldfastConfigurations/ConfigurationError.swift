public import Holdfast

/// Why a configuration of pins cannot be read or written: the file, the line, the key, and what is
/// wrong there.
public struct ConfigurationError: Error, Sendable, Hashable {
  /// The name of the file, if the caller gave one.
  public var file: String?

  /// The line, from 1, if the format has lines.
  public var line: Int?

  /// The keys or elements that lead there: `TSKPinnedDomains.good.com.TSKPublicKeyHashes`.
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
    /// It is larger than is read.
    case tooLarge(limit: Int)
    /// The format is not known.
    case unknownFormat
    /// It breaks the grammar of its format.
    case malformed(String)
    /// There is no such key in the format; perhaps another is meant.
    case unknownKey(String, nearest: String?)
    /// A key is there twice.
    case duplicateKey(String)
    /// A key that must be there is missing.
    case missing(String)
    /// A value of another kind.
    case wrongKind(found: String, expected: String)
    /// A value that makes no sense here.
    case badValue(found: String, expected: String)
    /// Not a pin.
    case badPin(String, PinError)
    /// Pins that make no set.
    case badPins(PinSetError)
    /// Not a host, or not a pattern of hosts.
    case badHost(HostPatternError)
    /// Entries that make no table.
    case badTable(PinTableError)
    /// Nothing is pinned by it, though it is a configuration of pins.
    case nothingPinned
    /// Something that is understood and not supported.
    case unsupported(String)
    /// The format has no way to say this.
    case cannotExpress(String)
  }
}

extension ConfigurationError: CustomStringConvertible {
  /// `pins.plist, line 12: TSKPinnedDomains.good.com: there is no key "TSKEnforcePining"; …`.
  public var description: String {
    let place = [file, line.map { "line \($0)" }].compactMap(\.self).joined(separator: ", ")
    return [place, key, "\(problem)"].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}

extension ConfigurationError.Problem: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .tooLarge(let limit): "larger than \(limit) bytes"
    case .unknownFormat: "unknown pin format"
    case .malformed(let words): words
    case .unknownKey(let name, let nearest):
      "unknown key \"\(name)\"" + (nearest.map { "; did you mean \"\($0)\"?" } ?? "")
    case .duplicateKey(let name): "duplicate key \"\(name)\""
    case .missing(let name): "\(name) is missing"
    case .wrongKind(let found, let expected): "found \(found), expected \(expected)"
    case .badValue(let found, let expected): "\"\(found)\": expected \(expected)"
    case .badPin(let text, let error): "the pin \"\(text)\": \(error)"
    case .badPins(let error): "\(error)"
    case .badHost(let error): "\(error)"
    case .badTable(let error): "\(error)"
    case .nothingPinned: "the configuration pins nothing"
    case .unsupported(let words): "not supported: \(words)"
    case .cannotExpress(let words): words
    }
  }
}

/// The name that is nearest to a misspelt one, if one is near.
func nearestName(to name: String, among known: [String]) -> String? {
  guard name.utf8.count <= 64 else { return nil }
  let ranked = known.map {
    (Array($0.lowercased()).difference(from: Array(name.lowercased())).count, $0)
  }
  guard let best = ranked.min(by: { $0.0 < $1.0 }), best.0 <= 6, best.0 < name.count else {
    return nil
  }
  return best.1
}
