public import HoldfastCertificates

/// Whether a certificate is revoked, and how that is known.
public struct CertificateRevocation: Sendable, Hashable {
  /// Whether it is revoked.
  public let status: Status

  /// What each list and answer has to do with it, in the order in which they were looked at.
  public let facts: [Fact]

  /// Nothing, said of nothing.
  static let none = CertificateRevocation(status: .unknown(.nothingGiven), facts: [])

  /// How many facts there are at most.
  static let mostFacts = 64

  /// Whether a certificate is revoked.
  public enum Status: Sendable, Hashable {
    /// A source that covers the certificate, for all reasons, does not name it as revoked.
    case good(Evidence)
    /// A source that is believed names it as revoked.
    case revoked(at: Timestamp, reason: RevocationReason?, Evidence)
    /// There is no source that says either.
    case unknown(Why)
  }

  /// Why nothing is known.
  @nonexhaustive
  public enum Why: Sendable, Hashable {
    /// No list and no answer was given that is about this certificate.
    case nothingGiven
    /// What was given cannot be used: the facts say why.
    case nothingUsable
    /// The lists cover some reasons only; these are not covered.
    case reasonsNotCovered(ReasonFlags)
    /// The responder does not know the certificate.
    case unknownToResponder
    /// The certificate promises a stapled answer, and there is none that can be used: RFC 7633.
    case mustStaple
  }

  /// The sources that say so. Only a verified list or answer that covers the certificate makes one.
  public struct Evidence: Sendable, Hashable {
    /// The sources: one answer, or the lists that cover all reasons together.
    public let sources: [Source]

    /// The moment for which the oldest of them speaks.
    public let thisUpdate: Timestamp

    init?(_ sources: [Source], _ times: [Timestamp]) {
      guard let oldest = times.min(), !sources.isEmpty else { return nil }
      self.sources = sources
      thisUpdate = oldest
    }

    init(_ source: Source, _ time: Timestamp) {
      sources = [source]
      thisUpdate = time
    }
  }

  /// A list or an answer, by its place in `Revocation`.
  public enum Source: Sendable, Hashable {
    /// `Revocation.lists[index]`.
    case list(Int)
    /// `Revocation.answers[index]`.
    case answer(Int)
  }

  /// What one list or answer has to do with the certificate.
  public struct Fact: Sendable, Hashable {
    /// The list or answer.
    public let source: Source
    /// What it says, or why it does not count.
    public let finding: Finding
  }

  /// What a list or an answer says, or why it does not count.
  @nonexhaustive
  public enum Finding: Sendable, Hashable {
    /// It covers the certificate for these reasons and does not name it.
    case notRevoked(ReasonFlags)
    /// It names the certificate as revoked.
    case revoked(at: Timestamp, reason: RevocationReason?)
    /// The delta list takes the certificate off the complete one.
    case removed
    /// The responder does not know the certificate.
    case unknownToResponder
    /// It is about the certificates of another issuer.
    case otherIssuer
    /// It has no answer for this certificate.
    case otherCertificate
    /// The list's place is none of those that the certificate names.
    case otherDistributionPoint
    /// The list covers other kinds of certificates.
    case otherKind
    /// The list covers the certificates of several issuers, but the certificate does not say so.
    case unexpectedlyIndirect
    /// What it covers is already known from others.
    case nothingNew
    /// A delta list without a complete one that it goes with.
    case deltaWithoutBase
    /// It is from the future.
    case notYetValid(Timestamp)
    /// Newer information was due at this time.
    case stale(Timestamp)
    /// It is older than allowed; the time at which it was issued.
    case tooOld(Timestamp)
    /// It does not say when newer information is due, and no greatest age is set.
    case noNextUpdate
    /// A critical extension that is not known, or that must not be critical.
    case criticalExtension(OID)
    /// Whoever signed it is not known, or may not sign it.
    case noSigner
    /// The signature is wrong.
    case signature
    /// The rules do not take the algorithm of the signature or the key, or they do not fit.
    case algorithm
    /// The issuer's key may not sign lists.
    case keyUsage
    /// It names a certificate of this serial number, under a name of an issuer that may be this one:
    /// the two cannot be compared.
    case doubtfulIssuer
    /// It is odd in a way that the rules do not take.
    case deviation(HoldfastCertificates.Finding)
    /// The answer does not repeat the nonce.
    case nonce
    /// The responder says why there is no answer.
    case noAnswer(OCSPResponse.Status)
  }
}

extension CertificateRevocation {
  /// Whether the certificate is revoked.
  public var isRevoked: Bool { if case .revoked = status { true } else { false } }

  /// Whether the certificate is known not to be revoked.
  public var isGood: Bool { if case .good = status { true } else { false } }
}
