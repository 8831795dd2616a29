public import HoldfastCertificates
public import HoldfastDER
public import HoldfastFilters

/// The revocation status of a certificate, and the sources it rests on.
public struct CertificateRevocation: Sendable, Hashable {
  /// The status.
  public let status: Status

  /// What each CRL, OCSP response and filter says, or why it does not count, in the order of
  /// reading.
  public let facts: [Fact]

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
    /// The signer is unknown, or may not sign it.
    case noSigner
    /// The certificate of the responder was not given.
    case signerNotGiven
    /// The certificate of the responder was not issued by that of the certificate itself.
    case signerOfOtherIssuer
    /// The certificate of the responder is not for OCSP signing.
    case signerWithoutPurpose
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
}

extension CertificateRevocation {
  /// Whether the certificate is revoked.
  public var isRevoked: Bool { if case .revoked = status { true } else { false } }

  /// Whether the certificate is known not to be revoked.
  public var isGood: Bool { if case .good = status { true } else { false } }

  /// The status and, if it is unknown, what is wrong with the sources that are meant for the
  /// certificate: `has unknown revocation status: CRL 0 expired at 2026-05-01T00:00:00Z`.
  ///
  /// - Parameter name: Returns the name of a CRL or an OCSP response.
  package func reason(naming name: (Source) -> String) -> String {
    guard case .unknown(let reason) = status, !facts.isEmpty else { return "\(status)" }
    let count = Set(facts.map(\.source)).count
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
  ///
  /// - Parameter name: Returns the name of a CRL or an OCSP response, such as its file.
  package func summary(naming name: (Source) -> String) -> String {
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

extension CertificateRevocation.Source {
  /// Whether it is an OCSP response.
  fileprivate var isResponse: Bool {
    switch self {
    case .ocspResponse, .stapledResponse, .unreadableResponse: true
    case .crl, .unreadableCRL, .filter: false
    }
  }
}

extension CertificateRevocation.Source: CustomStringConvertible {
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

extension CertificateRevocation.Fact: CustomStringConvertible {
  /// `CRL 0: expired at 2026-05-01T00:00:00Z [RFC 5280 §5.1.2.5]`.
  public var description: String { "\(source): \(message) [\(citation)]" }

  /// What the source says, or why it does not count.
  package var message: String {
    // A response is about one certificate, and names it either way. RFC 6960 §2.2.
    switch (source, outcome) {
    case (.ocspResponse, .notRevoked), (.stapledResponse, .notRevoked):
      return "says that the certificate is not revoked"
    default: return "\(outcome)"
    }
  }

  /// The RFC section, or the description of filters, on which the outcome rests.
  package var citation: String {
    switch source {
    case .crl, .unreadableCRL: outcome.row.crlCitation
    case .ocspResponse, .stapledResponse, .unreadableResponse: outcome.row.ocspCitation
    case .filter: "IACR ePrint 2025/610"
    }
  }
}

extension CertificateRevocation.SourceOutcome: CustomStringConvertible {
  /// What a CRL or an OCSP response says, or why it does not count.
  public var description: String { row.message }

  /// The stable name, used in JSON.
  package var name: String { row.name }

  /// What helps where the status is unknown because of it; nil if it is about another certificate, or
  /// counts.
  var remedy: String? { row.remedy?.rawValue }

  /// What helps against a source that does not count.
  fileprivate enum Remedy: String {
    case newer = "give a current CRL or OCSP response of its issuer"
    case clock = "check the clock, or give a CRL or an OCSP response that is valid at this time"
    case end = "give a CRL or an OCSP response that has a nextUpdate"
    case scope = "give the CRL that covers this certificate for all reasons, or an OCSP response"
    case another = "give another CRL or OCSP response of its issuer"
    case copy = "get it anew from its CA, or give another CRL or OCSP response of its issuer"
    case signer = "give the certificate of its signer, or a source that the issuer has signed"
    case responder =
      "give a response of the issuer, or of a responder that it has certified for OCSP signing"
    case later = "ask the responder again, or give a CRL of its issuer"
    case inquiry = "ask its CA whether it has issued this certificate, or give a CRL of it"
  }

  /// The name, the message after `CRL 0: `, the RFC sections for CRLs and OCSP responses, and what
  /// helps.
  fileprivate struct Row {
    let name: String
    let message: String
    let crlCitation: String
    let ocspCitation: String
    let remedy: Remedy?

    init(
      _ name: String, _ message: String, crl: String = "RFC 5280 §6.3.3 (g)",
      ocsp: String = "RFC 6960 §3.2", _ remedy: Remedy? = .another
    ) {
      self.name = name
      self.message = message
      crlCitation = crl
      ocspCitation = ocsp
      self.remedy = remedy
    }

    /// Creates the row of a source whose times are wrong.
    init(_ name: String, _ message: String, time crl: String, _ remedy: Remedy) {
      self.init(name, message, crl: crl, ocsp: "RFC 6960 §4.2.2.1", remedy)
    }
  }

  fileprivate var row: Row {
    switch self {
    case .notRevoked(let reasons):
      Row(
        "notRevoked",
        "does not name the certificate as revoked"
          + (reasons == .all ? "" : " for \(reasons.names.joined(separator: ", "))"),
        crl: "RFC 5280 §6.3.3 (l)", ocsp: "RFC 6960 §2.2", reasons == .all ? nil : .scope)
    case .revoked(let time, let reason):
      Row(
        "revoked",
        "names the certificate as revoked" + (time.map { " at \($0)" } ?? "")
          + (reason.map { " (\($0))" } ?? ""),
        crl: "RFC 5280 §6.3.3 (j)", ocsp: "RFC 6960 §2.2", nil)
    case .removed:
      Row("removed", "removes the certificate from the base CRL", crl: "RFC 5280 §6.3.3 (k)", nil)
    case .unknownToResponder:
      Row(
        "unknownToResponder", "says that the responder does not know the certificate",
        ocsp: "RFC 6960 §2.2", .inquiry)
    case .otherIssuer:
      Row(
        "otherIssuer", "is for certificates of another issuer", crl: "RFC 5280 §6.3.3 (b)(1)", nil)
    case .otherCertificate: Row("otherCertificate", "is not about this certificate", nil)
    case .otherDistributionPoint:
      Row(
        "otherDistributionPoint", "is for another distribution point",
        crl: "RFC 5280 §6.3.3 (b)(2)", .scope)
    case .otherKind:
      Row("otherKind", "is for other kinds of certificates", crl: "RFC 5280 §6.3.3 (b)(2)", .scope)
    case .unexpectedlyIndirect:
      Row(
        "unexpectedlyIndirect", "is indirect, but the certificate's distribution point is not",
        crl: "RFC 5280 §6.3.3 (b)(1)")
    case .redundant:
      Row("redundant", "covers no reasons that others do not", crl: "RFC 5280 §6.3.3 (e)", nil)
    case .deltaWithoutBase:
      Row(
        "deltaWithoutBase", "is a delta CRL without a usable base",
        crl: "RFC 5280 §6.3.3 (c)", .scope)
    case .notYetValid(let time):
      Row("notYetValid", "is not valid before \(time)", time: "RFC 5280 §5.1.2.4", .clock)
    case .stale(let time): Row("stale", "expired at \(time)", time: "RFC 5280 §5.1.2.5", .newer)
    case .tooOld(let time):
      Row("tooOld", "is older than allowed: issued at \(time)", time: "RFC 5280 §5.1.2.5", .newer)
    case .noNextUpdate:
      Row("noNextUpdate", "has no nextUpdate", time: "RFC 5280 §5.1.2.5", .end)
    case .criticalExtension(let oid):
      Row(
        "criticalExtension", "has an unsupported critical extension: \(oid)",
        crl: "RFC 5280 §5.2", ocsp: "RFC 6960 §4.4")
    case .noSigner:
      Row(
        "noSigner", "is not signed by a known and authorized key",
        crl: "RFC 5280 §6.3.3 (f)", ocsp: "RFC 6960 §4.2.2.2")
    case .signerNotGiven:
      Row(
        "signerNotGiven", "is signed by a responder whose certificate was not given",
        ocsp: "RFC 6960 §4.2.2.2", .signer)
    case .signerOfOtherIssuer:
      Row(
        "signerOfOtherIssuer",
        "is signed by a responder that the certificate's issuer has not certified",
        ocsp: "RFC 6960 §4.2.2.2", .responder)
    case .signerWithoutPurpose:
      Row(
        "signerWithoutPurpose",
        "is signed by a responder whose certificate is not for OCSP signing",
        ocsp: "RFC 6960 §4.2.2.2", .responder)
    case .signerNotYetValid(let time):
      Row(
        "signerNotYetValid", "has a signer whose certificate is not valid before \(time)",
        crl: "RFC 5280 §6.3.3 (f)", ocsp: "RFC 6960 §4.2.2.2", .clock)
    case .signerExpired(let time):
      Row(
        "signerExpired", "has a signer whose certificate expired at \(time)",
        crl: "RFC 5280 §6.3.3 (f)", ocsp: "RFC 6960 §4.2.2.2", .newer)
    case .signerUnknown:
      Row(
        "signerUnknown", "has a signer whose own revocation status is unknown",
        crl: "RFC 5280 §6.3.3 (f)")
    case .signature: Row("signature", "has a signature that does not verify", .copy)
    case .algorithm:
      Row("algorithm", "has a signature algorithm or a signer's key that is not allowed")
    case .keyUsage:
      Row("keyUsage", "is signed by a key whose usage lacks cRLSign", crl: "RFC 5280 §6.3.3 (f)")
    case .ambiguousIssuer:
      Row(
        "ambiguousIssuer", "lists this serial number under an issuer name that cannot be compared",
        crl: "RFC 5280 §5.3.3")
    case .deviation(let finding):
      Row("deviation", "deviates: \(finding)", crl: finding.citation, ocsp: finding.citation)
    case .nonce: Row("nonce", "does not repeat the nonce", ocsp: "RFC 9654 §2.1")
    case .noAnswer(let status):
      Row("noAnswer", "is an error response: \(status)", ocsp: "RFC 6960 §2.2", .later)
    case .unreadable(let error):
      Row(
        "unreadable", "cannot be read: \(error.finding)", crl: error.citation,
        ocsp: error.citation, .copy)
    case .notCovered(let reason):
      Row("notCovered", "does not cover the certificate: \(reason)")
    case .notEnrolled:
      Row("notEnrolled", "does not cover certificates of this issuer", nil)
    case .damagedFilter(let error):
      Row("damagedFilter", "\(error.problem)" + (error.offset.map { " at byte \($0)" } ?? ""))
    }
  }
}
