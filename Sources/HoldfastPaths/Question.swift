public import HoldfastCertificates

/// What a validator is asked: whether a chain is valid for a purpose, at a time.
///
/// The calls with a chain and a purpose make one. Fill it yourself from a handshake, from a line of a
/// file or from a structure of another language:
///
/// ```swift
/// var question = Question(chain, for: try .server("example.com"))
/// question.timestamps = timestamps
/// let path = try validator.validate(question)
/// ```
public struct Question: Sendable {
  /// The certificates as they were sent, the leaf first, the others in any order. None of them is
  /// trusted. An empty chain is an error.
  public var chain: [Certificate]

  /// The purpose of the validation, with the identity that the leaf must have.
  public var purpose: Purpose

  /// The time of the validation; nil for the moment at which it takes place.
  public var time: Timestamp?

  /// The data of the server's TLS extension 18: timestamps of logs. RFC 6962 §3.3.1.
  public var timestamps: [UInt8]?

  /// Revocation data to use instead of the validator's. What a handshake tells, such as the server's
  /// stapled OCSP response, is added to it: `.handshake(staple:)`.
  public var revocation: Revocation?

  /// What was sent and cannot be read. It changes no verdict, only reasons.
  public var unreadable: [UnreadableCertificate]

  /// Creates a question.
  ///
  /// - Parameters:
  ///   - chain: The certificates as they were sent, the leaf first, the others in any order.
  ///   - time: The time of the validation; nil for the moment at which it takes place.
  ///   - revocation: Revocation data to use instead of the validator's; what a handshake tells is
  ///     added to it.
  ///   - unreadable: What was sent and cannot be read.
  public init(
    _ chain: [Certificate], for purpose: Purpose, at time: Timestamp? = nil,
    revocation: Revocation? = nil, unreadable: [UnreadableCertificate] = []
  ) {
    self.chain = chain
    self.purpose = purpose
    self.time = time
    self.revocation = revocation
    self.unreadable = unreadable
  }
}

extension Question: CustomStringConvertible {
  /// The leaf, how many certificates came with it, and the purpose.
  public var description: String {
    let leaf = chain.first?.shortName ?? "no certificate"
    return leaf + (chain.count > 1 ? " and \(chain.count - 1) more" : "")
      + ", for \(purpose)\(time.map { " at \($0)" } ?? "")"
  }
}
