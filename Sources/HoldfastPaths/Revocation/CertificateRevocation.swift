public import HoldfastCertificates

/// Whether a certificate is revoked, and how that is known.
public struct CertificateRevocation: Sendable, Hashable {
  /// Whether it is revoked.
  public let status: Status

  /// What each list and answer has to do with it, in the order in which they were looked at.
  public let facts: [Fact]

  /// How many facts there are at most.
  static let maximumFacts = 64

  /// Whether a certificate is revoked.
  @nonexhaustive
  public enum Status: Sendable, Hashable {
    /// A source that covers the certificate, for all reasons, does not name it as revoked.
    case good(Evidence)
    /// A source that is believed names it as revoked.
    case revoked(at: Timestamp, reason: RevocationReason?, Evidence)
    /// No source tells.
    case unknown(UnknownReason)
    /// The CA publishes no revocation information about the certificate. RFC 9608 §4.
    case notApplicable
  }

  /// Why the status is unknown.
  @nonexhaustive
  public enum UnknownReason: Sendable, Hashable {
    /// No list and no answer was given that is about this certificate.
    case nothingGiven
    /// What was given cannot be used: the facts say why.
    case nothingUsable
    /// The lists cover some reasons only; these are not covered.
    case reasonsNotCovered(ReasonFlags)
    /// The responder does not know the certificate.
    case unknownToResponder
    /// The certificate promises a stapled answer, and no usable one is there: RFC 7633.
    case mustStaple
  }

  /// The sources that decide. Only a verified list or answer that covers the certificate is one.
  public struct Evidence: Sendable, Hashable {
    /// The sources: one answer, or the lists that cover all reasons together.
    public let sources: [Source]

    /// The thisUpdate of the oldest source.
    public let thisUpdate: Timestamp
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
    public let outcome: SourceOutcome
  }

  /// What a list or an answer says, or why it does not count.
  @nonexhaustive
  public enum SourceOutcome: Sendable, Hashable {
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
    /// The certificate names other distribution points than the list's.
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
    /// It does not say when newer information is due, and no maximum age is set.
    case noNextUpdate
    /// A critical extension that is not known, or that must not be critical.
    case criticalExtension(OID)
    /// The signer is not known, or may not sign it.
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
    /// It deviates from its encoding in a way that the rules do not take.
    case deviation(EncodingDeviation)
    /// The answer does not repeat the nonce.
    case nonce
    /// The responder's error instead of an answer.
    case noAnswer(OCSPResponse.Status)
  }
}

extension CertificateRevocation {
  /// Whether the certificate is revoked.
  public var isRevoked: Bool { if case .revoked = status { true } else { false } }

  /// Whether the certificate is known not to be revoked.
  public var isGood: Bool { if case .good = status { true } else { false } }

  /// The status and the first of the facts: `has unknown revocation status: … (CRL 0: expired at …)`.
  var summary: String {
    guard !facts.isEmpty else { return "\(status)" }
    let most = 8
    var parts = facts.prefix(most).map { "\($0.source): \($0.outcome)" }
    if facts.count > most { parts.append("and \(facts.count - most) more") }
    return "\(status) (\(parts.joined(separator: "; ")))"
  }
}

extension CertificateRevocation: CustomStringConvertible {
  /// The status and, line by line, what each list and answer has to do with it.
  public var description: String {
    facts.reduce("\(status)") { "\($0)\n  \($1)" }
  }
}

extension CertificateRevocation.Status: CustomStringConvertible {
  /// To be read after a certificate's name: `was revoked at 2026-04-01T12:00:00Z (keyCompromise)`.
  public var description: String {
    switch self {
    case .good: "is not revoked"
    case .revoked(let time, let reason, _):
      "was revoked at \(time)" + (reason.map { " (\($0))" } ?? "")
    case .unknown(let reason): "has unknown revocation status: \(reason)"
    case .notApplicable: "has no revocation information (noRevAvail)"
    }
  }
}

extension CertificateRevocation.UnknownReason: CustomStringConvertible {
  /// Why the status is unknown.
  public var description: String {
    switch self {
    case .nothingGiven: "no CRL and no OCSP response was given"
    case .nothingUsable: "none of the given CRLs and OCSP responses can be used"
    case .reasonsNotCovered(let reasons): "no CRL covers \(reasons.names.joined(separator: ", "))"
    case .unknownToResponder: "the responder does not know the certificate"
    case .mustStaple: "must-staple, but no OCSP response was stapled"
    }
  }
}

extension CertificateRevocation.Source: CustomStringConvertible {
  /// `CRL 2`, counted from 0 as in `Revocation`.
  public var description: String {
    switch self {
    case .list(let index): "CRL \(index)"
    case .answer(let index): "OCSP response \(index)"
    }
  }
}

extension CertificateRevocation.Fact: CustomStringConvertible {
  /// `CRL 0: expired at 2026-05-01T00:00:00Z [RFC 5280 §5.1.2.5]`.
  public var description: String { "\(source): \(outcome) [\(citation)]" }

  /// The RFC section by which it counts, or does not.
  package var citation: String {
    switch source {
    case .list: outcome.row.list
    case .answer: outcome.row.answer
    }
  }
}

extension CertificateRevocation.SourceOutcome: CustomStringConvertible {
  /// What a list or an answer says, or why it does not count.
  public var description: String { row.message }

  /// The stable name, as JSON has it.
  package var name: String { row.name }

  /// The name, the message after `CRL 0: `, and the RFC sections for lists and for answers.
  fileprivate struct Row {
    let name: String
    let message: String
    let list: String
    let answer: String

    init(
      _ name: String, _ message: String, list: String = "RFC 5280 §6.3.3 (g)",
      answer: String = "RFC 6960 §3.2"
    ) {
      self.name = name
      self.message = message
      self.list = list
      self.answer = answer
    }

    /// A source whose time does not fit.
    init(_ name: String, _ message: String, time list: String) {
      self.init(name, message, list: list, answer: "RFC 6960 §4.2.2.1")
    }
  }

  fileprivate var row: Row {
    switch self {
    case .notRevoked(let reasons):
      Row(
        "notRevoked",
        "does not name the certificate as revoked"
          + (reasons == .all ? "" : " for \(reasons.names.joined(separator: ", "))"),
        list: "RFC 5280 §6.3.3 (l)", answer: "RFC 6960 §2.2")
    case .revoked(let time, let reason):
      Row(
        "revoked",
        "names the certificate as revoked at \(time)" + (reason.map { " (\($0))" } ?? ""),
        list: "RFC 5280 §6.3.3 (j)", answer: "RFC 6960 §2.2")
    case .removed:
      Row("removed", "removes the certificate from the base CRL", list: "RFC 5280 §6.3.3 (k)")
    case .unknownToResponder:
      Row("unknownToResponder", "does not know the certificate", answer: "RFC 6960 §2.2")
    case .otherIssuer:
      Row(
        "otherIssuer", "is for certificates of another issuer", list: "RFC 5280 §6.3.3 (b)(1)")
    case .otherCertificate: Row("otherCertificate", "has no answer for this certificate")
    case .otherDistributionPoint:
      Row(
        "otherDistributionPoint", "is for another distribution point",
        list: "RFC 5280 §6.3.3 (b)(2)")
    case .otherKind:
      Row("otherKind", "is for other kinds of certificates", list: "RFC 5280 §6.3.3 (b)(2)")
    case .unexpectedlyIndirect:
      Row(
        "unexpectedlyIndirect", "is indirect, but the certificate's distribution point is not",
        list: "RFC 5280 §6.3.3 (b)(1)")
    case .nothingNew:
      Row("nothingNew", "covers no reasons that others do not", list: "RFC 5280 §6.3.3 (e)")
    case .deltaWithoutBase:
      Row(
        "deltaWithoutBase", "is a delta CRL without its base",
        list: "RFC 5280 §6.3.3 (c)")
    case .notYetValid(let time):
      Row("notYetValid", "is not valid before \(time)", time: "RFC 5280 §5.1.2.4")
    case .stale(let time): Row("stale", "expired at \(time)", time: "RFC 5280 §5.1.2.5")
    case .tooOld(let time):
      Row("tooOld", "is older than allowed: issued at \(time)", time: "RFC 5280 §5.1.2.5")
    case .noNextUpdate:
      Row("noNextUpdate", "has no nextUpdate", time: "RFC 5280 §5.1.2.5")
    case .criticalExtension(let oid):
      Row(
        "criticalExtension", "has an unsupported critical extension: \(oid)",
        list: "RFC 5280 §5.2", answer: "RFC 6960 §4.4")
    case .noSigner:
      Row(
        "noSigner", "is not signed by a known and authorized key",
        list: "RFC 5280 §6.3.3 (f)", answer: "RFC 6960 §4.2.2.2")
    case .signature: Row("signature", "has a signature that does not verify")
    case .algorithm:
      Row("algorithm", "has a signature algorithm or a signer's key that is not allowed")
    case .keyUsage:
      Row("keyUsage", "is signed by a key whose usage lacks cRLSign", list: "RFC 5280 §6.3.3 (f)")
    case .doubtfulIssuer:
      Row(
        "doubtfulIssuer", "lists this serial number under an issuer name that cannot be compared",
        list: "RFC 5280 §5.3.3")
    case .deviation(let finding):
      Row("deviation", "deviates: \(finding)", list: finding.citation, answer: finding.citation)
    case .nonce: Row("nonce", "does not repeat the nonce", answer: "RFC 9654 §2.1")
    case .noAnswer(let status):
      Row("noAnswer", "is an error response: \(status)", answer: "RFC 6960 §2.2")
    }
  }
}
