/// Why text is not a pin, and where in its UTF-8.
public struct PinError: Error, Sendable, Hashable {
  /// What is wrong.
  public let problem: Problem

  /// The offset in the UTF-8 of the text.
  public let offset: Int

  package init(_ problem: Problem, at offset: Int) {
    self.problem = problem
    self.offset = offset
  }

  /// What is wrong with the text.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// The text is empty, or nothing follows the function's name.
    case empty
    /// The text is much longer than any pin.
    case tooLong
    /// A hash function that is not used for pins, such as SHA-1.
    case unknownFunction(String)
    /// A character that is not allowed in a pin, such as a space or a line break.
    case badCharacter(UInt8)
    /// The URL-safe alphabet of base64 instead of the standard one. RFC 4648 §5.
    case urlAlphabet
    /// Base64 whose number of characters is not a multiple of four.
    case badPadding(characters: Int)
    /// Not canonical base64: misplaced padding, or unused bits that are not zero. RFC 4648 §3.5.
    case notBase64
    /// The length of the digest is not the function's.
    case badLength(bytes: Int, expected: Int)
    /// One byte repeated, such as `AAAA…` of examples: a placeholder, which no key has as its digest.
    case placeholder
    /// The base64 of hexadecimal digits instead of the digest itself.
    case encodedTwice
    /// `pin-sha256=` without quotation marks. RFC 7469 §2.1.
    case missingQuote
    /// A certificate or a key in PEM instead of its pin.
    case certificateText
  }
}

extension PinError: HoldfastError {
  /// The stable identifier of what is wrong.
  public var code: String { ErrorCode.invalidPin.rawValue }

  /// What is wrong, in one plain sentence.
  public var summary: String { "The text is not a valid pin." }

  /// What is wrong, and where.
  public var description: String {
    switch problem {
    case .empty: "the pin is empty"
    case .tooLong: "too long for a pin"
    case .unknownFunction(let name):
      "\"\(name)\" is not a hash function for pins: use sha256, sha384 or sha512"
    case .badCharacter(let byte): "character \(offset) (code \(byte)) is not allowed in a pin"
    case .urlAlphabet:
      "character \(offset) is URL-safe base64: write \"+\" for \"-\" and \"/\" for \"_\""
    case .badPadding(let count):
      "base64 of \(count) characters, not a multiple of 4: a pin is such as sha256/ and 44 "
        + "characters, of which the last is \"=\""
    case .notBase64: "not valid base64 (RFC 4648 §4)"
    case .badLength(let bytes, let expected):
      "a digest of \(bytes) \(bytes == 1 ? "byte" : "bytes") instead of \(expected): a pin is the "
        + "digest of a SubjectPublicKeyInfo, such as sha256/ and 44 characters of base64"
    case .placeholder:
      "a placeholder, one byte repeated, and no digest of a key: `holdfast pin FILE` prints the pin"
    case .encodedTwice:
      "base64 of hexadecimal digits: encode the digest itself"
    case .missingQuote: "the value of a pin directive must be in quotation marks"
    case .certificateText: "a certificate or a key, not its pin: `holdfast pin FILE` prints the pin"
    }
  }
}

/// Why a manager cannot be created from text.
@nonexhaustive
public enum TrustManagerError: Error, Sendable, Hashable {
  /// A host or a pin is not valid.
  case badPins(PinTableError)
  /// The system has no anchors.
  case noAnchors(SystemAnchorsError)
}

extension TrustManagerError: HoldfastError {
  /// What the error of the pins or of the anchors says.
  private var words: (code: String, summary: String, description: String) {
    switch self {
    case .badPins(let error): (error.code, error.summary, "\(error)")
    case .noAnchors(let error): (error.code, error.summary, "\(error)")
    }
  }

  /// The stable identifier of what is wrong.
  public var code: String { words.code }

  /// What is wrong, in one plain sentence.
  public var summary: String { words.summary }

  /// What is wrong.
  public var description: String { words.description }
}
