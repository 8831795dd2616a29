public import HoldfastDER

/// Why text is not a SPIFFE ID or the name of a trust domain, and where in its UTF-8.
public struct SPIFFEIDError: Error, Sendable, Hashable {
  /// What is wrong.
  public let problem: Problem

  /// The offset in the UTF-8 of the text.
  public let offset: Int

  init(_ problem: Problem, at offset: Int) {
    self.problem = problem
    self.offset = offset
  }

  /// Creates the error for a byte that is not allowed: what it would begin in another URI, if that is
  /// known.
  init(byte: UInt8, isInPath: Bool, at offset: Int) {
    let problem: Problem =
      switch byte {
      case 0x25: .percentEncoding
      case 0x3F: .query
      case 0x23: .fragment
      case 0x40 where !isInPath: .userInformation
      case 0x3A where !isInPath: .port
      default: isInPath ? .badPathCharacter(byte) : .badTrustDomainCharacter(byte)
      }
    self.init(problem, at: offset)
  }

  /// What is wrong with the text.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// The text is empty.
    case empty
    /// More than 2,048 bytes. SPIFFE-ID §2.3.
    case tooLong
    /// The text does not begin with `spiffe://`, in lower case.
    case scheme
    /// There is no trust domain.
    case noTrustDomain
    /// A trust domain of more than 255 bytes. SPIFFE-ID §2.3.
    case trustDomainTooLong
    /// Not a lower-case letter, a digit, a dot, a dash or an underscore. SPIFFE-ID §2.1.
    case badTrustDomainCharacter(UInt8)
    /// More than the name of a trust domain: an ID or a path.
    case notOnlyTrustDomain
    /// User information, which an ID must not have.
    case userInformation
    /// A port, which an ID must not have.
    case port
    /// A percent-encoded character, which an ID must not have.
    case percentEncoding
    /// A query, which an ID must not have.
    case query
    /// A fragment, which an ID must not have.
    case fragment
    /// A segment of the path is empty. SPIFFE-ID §2.2.
    case emptySegment
    /// The path ends with a slash.
    case trailingSlash
    /// A segment of the path is `.` or `..`.
    case dotSegment
    /// Not a letter, a digit, a dot, a dash or an underscore. SPIFFE-ID §2.2.
    case badPathCharacter(UInt8)
  }
}

extension SPIFFEIDError: CustomStringConvertible {
  /// What is wrong, and where.
  public var description: String {
    switch problem {
    case .empty: "the SPIFFE ID is empty"
    case .tooLong: "the SPIFFE ID has more than 2048 bytes"
    case .scheme: "the SPIFFE ID does not begin with \"spiffe://\", in lower case"
    case .noTrustDomain: "no trust domain at character \(offset)"
    case .trustDomainTooLong: "the trust domain has more than 255 bytes"
    case .badTrustDomainCharacter(let byte):
      "character \(offset) (code \(byte)) is not allowed in a trust domain: only lower-case letters, "
        + "digits, \".\", \"-\" and \"_\""
    case .notOnlyTrustDomain:
      "not a trust domain: give only the part of the SPIFFE ID between \"//\" and the next \"/\""
    case .userInformation: "user information at character \(offset) of the SPIFFE ID: leave it out"
    case .port: "a port at character \(offset) of the SPIFFE ID: leave it out"
    case .percentEncoding: "percent-encoding at character \(offset) of the SPIFFE ID"
    case .query: "a query at character \(offset) of the SPIFFE ID"
    case .fragment: "a fragment at character \(offset) of the SPIFFE ID"
    case .emptySegment: "an empty segment at character \(offset) of the SPIFFE ID"
    case .trailingSlash: "the path of the SPIFFE ID ends with a slash, at character \(offset)"
    case .dotSegment: "a segment \".\" or \"..\" at character \(offset) of the SPIFFE ID"
    case .badPathCharacter(let byte):
      "character \(offset) (code \(byte)) is not allowed in a path: only letters, digits, \".\", \"-\" "
        + "and \"_\""
    }
  }
}

extension SPIFFEIDError: HoldfastError {
  /// The stable identifier of what is wrong.
  public var code: String { ErrorCode.invalidSPIFFEID.rawValue }

  /// What is wrong, in one plain sentence.
  public var summary: String {
    switch problem {
    case .noTrustDomain, .trustDomainTooLong, .badTrustDomainCharacter, .notOnlyTrustDomain:
      "This is not a valid trust domain."
    case .empty, .tooLong, .scheme, .userInformation, .port, .percentEncoding, .query, .fragment,
      .emptySegment, .trailingSlash, .dotSegment, .badPathCharacter:
      "This is not a valid SPIFFE ID."
    }
  }
}
