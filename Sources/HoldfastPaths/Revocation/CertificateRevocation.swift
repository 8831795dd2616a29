public import HoldfastCertificates
public import HoldfastFilters

/// The revocation status of a certificate, and the sources it rests on.
public struct CertificateRevocation: Sendable, Hashable {
  /// The status.
  public let status: Status

  /// What each CRL, OCSP response and filter says, or why it does not count, in the order of
  /// reading.
  public let facts: [Fact]

  /// Returns the name of a CRL or an OCSP response, such as its file.
  package typealias Naming = (Source) -> String

  /// The maximum number of facts that are recorded.
  static let maximumFacts = 64

  /// The revocation status of a certificate.
  @nonexhaustive
  public enum Status: Sendable, Hashable {
    /// The sources cover the certificate for all reasons and do not list it as revoked.
    case good(Evidence)
    /// An authentic source lists it as revoked. A filter does not tell when and why.
    case revoked(at: Timestamp?, reason: RevocationReason?, Evidence)
    /// No usable source gives the status.
    case unknown(UnknownReason)
    /// The CA publishes no revocation information about the certificate. RFC 9608 §4.
    case notApplicable
  }

  /// Why the status is unknown.
  @nonexhaustive
  public enum UnknownReason: Sendable, Hashable {
    /// No CRL, OCSP response or filter was given.
    case noSources
    /// The server stapled no response, and no CRL, other OCSP response or filter was given.
    case notStapled
    /// Sources were asked for and did not come: what failed of each.
    case unanswered([String])
    /// None of the given sources can be used: the facts say why.
    case nothingUsable
    /// The CRLs cover only some reasons; these are not covered.
    case reasonsNotCovered(ReasonFlags)
    /// The responder does not know the certificate.
    case unknownToResponder
    /// A CRL that may name the certificate cannot be read.
    case unreadableCRL
    /// An OCSP response that may be about the certificate cannot be read.
    case unreadableResponse
    /// The certificate demands a stapled OCSP response, and no usable one was given: RFC 7633.
    case mustStaple
  }

  /// The deciding sources: verified CRLs or OCSP responses, or a filter, that cover the certificate.
  public struct Evidence: Sendable, Hashable {
    /// The sources: a single one, or the CRLs that together cover all reasons.
    public let sources: [Source]

    /// The thisUpdate of the oldest source; of a filter, the end of what it covers.
    public let thisUpdate: Timestamp

    /// The nextUpdate of a source that is past it, or the end of its signer's certificate; nil if
    /// both are current. Such a source shows only that a certificate is revoked.
    public let expired: Timestamp?
  }

  /// A CRL, an OCSP response or a filter, by its index in `Revocation`.
  public enum Source: Sendable, Hashable {
    /// `Revocation.crls[index]`.
    case crl(Int)
    /// `Revocation.ocspResponses[index]`.
    case ocspResponse(Int)
    /// `Revocation.ocspResponses[index]`, which the server stapled.
    case stapledResponse(Int)
    /// `Revocation.unreadableCRLs[index]`; it decides nothing.
    case unreadableCRL(Int)
    /// `Revocation.unreadableResponses[index]`; it decides nothing.
    case unreadableResponse(Int)
    /// A file of `Revocation.filters[index]`.
    case filter(Int, file: String)
  }

  /// One CRL, OCSP response or filter, and what it says about the certificate.
  public struct Fact: Sendable, Hashable {
    /// The CRL, the OCSP response or the filter.
    public let source: Source
    /// What it says, or why it does not count.
    public let outcome: SourceOutcome
  }

  /// What a CRL, an OCSP response or a filter says, or why it does not count.
  @nonexhaustive
  public enum SourceOutcome: Sendable, Hashable {
    /// It covers the certificate for these reasons and does not list it as revoked.
    case notRevoked(ReasonFlags)
    /// It lists the certificate as revoked. A filter does not tell when and why.
    case revoked(at: Timestamp?, reason: RevocationReason?)
    /// The delta CRL removes the certificate from the base CRL.
    case removed
    /// The responder does not know the certificate.
    case unknownToResponder
    /// It is about the certificates of another issuer.
    case otherIssuer
    /// The OCSP response is not about this certificate.
    case otherCertificate
    /// The certificate names other distribution points than the CRL.
    case otherDistributionPoint
    /// The CRL covers other kinds of certificates.
    case otherKind
    /// The CRL is indirect, but the certificate's distribution point does not say so.
    case unexpectedlyIndirect
    /// Other sources already cover all that it covers.
    case redundant
    /// A delta CRL without a base CRL that counts.
    case deltaWithoutBase
    /// It is not valid before this time.
    case notYetValid(Timestamp)
    /// Newer information was due by this time.
    case stale(Timestamp)
    /// It is older than allowed: it was issued at this time, or as a filter covers until it.
    case tooOld(Timestamp)
    /// It has no nextUpdate, and no maximum age is set.
    case noNextUpdate
    /// A critical extension that is unknown or must not be critical.
    case criticalExtension(OID)
    /// Its signer would vouch for itself: its key is that of the certificate in question, or of one
    /// that stands on it.
    case signerInQuestion
    /// A certificate in the OCSP response, which may be the signer's, cannot be read for this reason.
    case signerUnreadable(ParseError)
    /// The certificate of its signer was not given.
    case signerNotGiven
    /// The certificate of the responder was not issued by that of the certificate itself.
    case signerOfOtherIssuer
    /// The certificate of the responder is not for OCSP signing.
    case signerWithoutPurpose
    /// The certificate of its signer breaks this rule, or is on no path that does not.
    indirect case signerRejected(Violation)
    /// The certificate of its signer is not valid before this time.
    case signerNotYetValid(Timestamp)
    /// The certificate of its signer was valid until this time.
    case signerExpired(Timestamp)
    /// The revocation status of its signer's certificate is unknown, and every one must be known.
    case signerUnknown
    /// The signature does not verify.
    case signature
    /// The rules reject the signature algorithm or the signer's key, or the two do not match.
    case algorithm
    /// The issuer's key may not sign CRLs.
    case keyUsage
    /// It lists this serial number under an issuer name that cannot be compared with this one.
    case ambiguousIssuer
    /// Its encoding deviates in a way that the rules reject.
    case deviation(EncodingDeviation)
    /// The OCSP response does not repeat the nonce.
    case nonce
    /// The responder answered with this error.
    case noAnswer(OCSPResponse.Status)
    /// It cannot be read, for this reason.
    case unreadable(ParseError)
    /// The filter does not cover the certificate.
    case notCovered(RevocationFilter.NotCoveredReason)
    /// The filter does not cover the certificates of this issuer.
    case notEnrolled
    /// A file of the filter cannot be used.
    case damagedFilter(FilterError)
  }

  /// Whether the certificate is revoked.
  public var isRevoked: Bool { if case .revoked = status { true } else { false } }

  /// Whether the certificate is on hold, which may end. RFC 5280 §5.3.1.
  var isOnHold: Bool {
    if case .revoked(_, .certificateHold?, _) = status { true } else { false }
  }

  /// Whether the certificate is known not to be revoked.
  public var isGood: Bool { if case .good = status { true } else { false } }

  /// The status and, if it is unknown, what is wrong with the sources that are meant for the
  /// certificate: `has unknown revocation status: CRL 0 expired at 2026-05-01T00:00:00Z`.
  package func reason(naming name: Naming) -> String {
    guard case .unknown(let reason) = status, !facts.isEmpty else { return "\(status)" }
    let count = Set(facts.map { $0.source }).count
    if obstacles.isEmpty, case .nothingUsable = reason {
      return "has unknown revocation status: none of the \(count) given sources is about it"
    }
    guard !obstacles.isEmpty else { return "\(status)" }
    var parts = obstacles.prefix(2).map { "\(name($0.source)) \($0.message)" }
    if obstacles.count > 2 { parts.append("and \(obstacles.count - 2) more") }
    if case .reasonsNotCovered = reason { parts.append("no CRL covers the other reasons") }
    let found = parts.joined(separator: "; ")
    if case .mustStaple = reason { return "\(status): \(found)" }
    return "has unknown revocation status: \(found)"
  }

  /// The facts about the sources that are meant for the certificate, and decide nothing; of a single
  /// source, whatever it is meant for.
  private var obstacles: [Fact] {
    var all = facts
    if case .unknown(.mustStaple) = status { all.removeAll { !$0.source.isResponse } }
    let own = all.filter { $0.outcome.remedy != nil }
    return own.isEmpty && facts.count == 1 ? all : own
  }

  /// What helps against the first of the obstacles; nil if there is none.
  var obstacle: SourceOutcome? { obstacles.first { $0.outcome.remedy != nil }?.outcome }

  /// The status and what it rests on: `was revoked at 2026-04-01T12:00:00Z: CRL 0, issued at …`, or
  /// the first facts: `has unknown revocation status: … (CRL 0: expired at …)`.
  package func summary(naming name: Naming) -> String {
    switch status {
    case .good(let evidence), .revoked(_, _, let evidence):
      let sources = evidence.sources.map(name).joined(separator: ", ")
      // A responder that does not know the certificate is named beside a filter that does.
      let others = facts.filter { $0.outcome == .unknownToResponder }
        .map { "; \(name($0.source)): \($0.message)" }.joined()
      let isFilter = evidence.sources.contains { if case .filter = $0 { true } else { false } }
      let dates = isFilter ? "which covers until" : "issued at"
      let end = evidence.expired.map { ", expired at \($0)" } ?? ""
      return "\(status): \(sources), \(dates) \(evidence.thisUpdate)\(end)\(others)"
    case .unknown, .notApplicable:
      guard !facts.isEmpty else { return "\(status)" }
      let maximum = 8
      var parts = facts.prefix(maximum).map { "\(name($0.source)): \($0.message)" }
      if facts.count > maximum { parts.append("and \(facts.count - maximum) more") }
      return "\(status) (\(parts.joined(separator: "; ")))"
    }
  }
}

extension CertificateRevocation: Loggable {
  /// The status, then a line for each fact.
  public var description: String {
    facts.reduce("\(status)") { "\($0)\n  \($1)" }
  }
}

extension CertificateRevocation.Status: CustomStringConvertible {
  /// The predicate of a sentence about the certificate: `was revoked at 2026-04-01T12:00:00Z
  /// (keyCompromise)`.
  public var description: String {
    switch self {
    case .good: "is not revoked"
    case .revoked(let time?, let reason, let evidence):
      // An issuer may say beforehand when a certificate will be revoked. It counts at once.
      (evidence.thisUpdate < time
        ? "is listed as revoked from \(time) on" : "was revoked at \(time)")
        + (reason.map { " (\($0))" } ?? "")
    case .revoked(nil, _, _): "is revoked"
    case .unknown(let reason): "has unknown revocation status: \(reason)"
    case .notApplicable: "has no revocation information (noRevAvail)"
    }
  }
}

extension CertificateRevocation.UnknownReason: CustomStringConvertible {
  /// Why the status is unknown.
  public var description: String {
    switch self {
    case .noSources: "no CRL, OCSP response or filter was given"
    case .notStapled: "the server stapled no response, and no CRL or filter was given"
    case .unanswered(let problems):
      problems.prefix(3).joined(separator: "; ")
        + (problems.count > 3 ? "; and \(problems.count - 3) more" : "")
    case .nothingUsable: "none of the given sources can be used"
    case .reasonsNotCovered(let reasons): "no CRL covers \(reasons.names.joined(separator: ", "))"
    case .unknownToResponder: "the responder does not know the certificate"
    case .unreadableCRL: "a CRL that may name the certificate cannot be read"
    case .unreadableResponse:
      "an OCSP response that may be about the certificate cannot be read"
    case .mustStaple: "must-staple, but no usable OCSP response was stapled"
    }
  }
}

extension CertificateRevocation.Source: CustomStringConvertible {
  /// Whether it is an OCSP response.
  package var isResponse: Bool {
    switch self {
    case .ocspResponse, .stapledResponse, .unreadableResponse: true
    case .crl, .unreadableCRL, .filter: false
    }
  }

  /// `CRL 2`, counted from 0 as in `Revocation`, or the file of a filter.
  public var description: String {
    switch self {
    case .crl(let index): "CRL \(index)"
    case .ocspResponse(let index): "OCSP response \(index)"
    case .stapledResponse: "the stapled response"
    case .unreadableCRL(let index): "unreadable CRL \(index)"
    case .unreadableResponse(let index): "unreadable OCSP response \(index)"
    case .filter(_, let file): file
    }
  }
}
