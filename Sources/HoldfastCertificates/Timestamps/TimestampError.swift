public import HoldfastDER

/// Why bytes are not a signed certificate timestamp, or not a list of them, and where.
public struct TimestampError: Error, Sendable, Hashable {
  /// The problem.
  public let problem: Problem

  /// The byte offset from the beginning of what brought the timestamp: the certificate, the OCSP
  /// response, or the data of the TLS extension.
  public let offset: Int

  init(_ problem: Problem, at offset: Int) {
    self.problem = problem
    self.offset = offset
  }

  /// Creates the error of a length that is wrong.
  init(_ error: DERError) {
    self.init(error.problem == .trailingData ? .trailingData : .truncated, at: error.offset)
  }

  /// The ways in which a timestamp or a list can be malformed.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// A length reaches beyond the end.
    case truncated
    /// Bytes follow the last field.
    case trailingData
    /// A list without a timestamp.
    case emptyList
    /// The value of the extension is not an OCTET STRING.
    case notAnOctetString
    /// Another version than 1, here as the number in its first byte; version 1 is 0.
    case unsupportedVersion(UInt8)
  }
}

extension TimestampError: HoldfastError {
  /// The problem, the byte and the section: `a length reaches beyond the end at byte 43 [RFC 6962
  /// §3.2]`.
  public var description: String { "\(problem) at byte \(offset) [\(problem.citation)]" }

  /// The stable identifier of what is wrong.
  public var code: String { ErrorCode.invalidTimestamp.rawValue }

  /// What is wrong, in one plain sentence.
  public var summary: String {
    switch problem {
    case .truncated: "The timestamp ends too early."
    case .trailingData: "There are more bytes than the timestamps need."
    case .emptyList: "The list of timestamps is empty."
    case .notAnOctetString: "The extension does not hold a list of timestamps."
    case .unsupportedVersion: "The timestamp has a version that is not supported."
    }
  }
}

extension TimestampError.Problem: CustomStringConvertible {
  /// The problem: `a length reaches beyond the end`.
  public var description: String {
    switch self {
    case .truncated: "a length reaches beyond the end"
    case .trailingData: "more bytes after the last field"
    case .emptyList: "a list without timestamps"
    case .notAnOctetString: "the value is not an OCTET STRING"
    case .unsupportedVersion(let number): "version number \(number) instead of 0"
    }
  }

  fileprivate var citation: String {
    switch self {
    case .truncated, .trailingData, .unsupportedVersion: "RFC 6962 §3.2"
    case .emptyList, .notAnOctetString: "RFC 6962 §3.3"
    }
  }
}
