internal import HoldfastCertificates
internal import HoldfastFilters

extension CertificateRevocation.Fact: CustomStringConvertible {
  /// `CRL 0: expired at 2026-05-01T00:00:00Z [RFC 5280 §5.1.2.5]`.
  public var description: String { "\(source): \(message) [\(citation)]" }

  /// What the source says, or why it does not count.
  package var message: String {
    // A response is about one certificate, and names it either way. RFC 6960 §2.2.
    if source.isResponse, case .notRevoked = outcome {
      return "says that the certificate is not revoked"
    }
    return "\(outcome)"
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
    case otherSigner =
      "give a CRL or OCSP response of the issuer, or of a signer that it has certified for that"
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

    /// Creates the row of a source whose signer does not count.
    init(_ name: String, _ message: String, signer remedy: Remedy) {
      self.init(name, message, crl: "RFC 5280 §6.3.3 (f)", ocsp: "RFC 6960 §4.2.2.2", remedy)
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
    case .stale(let time):
      Row("stale", "expired at \(time)", time: "RFC 5280 §5.1.2.5", .newer)
    case .tooOld(let time):
      Row("tooOld", "is older than allowed: issued at \(time)", time: "RFC 5280 §5.1.2.5", .newer)
    case .noNextUpdate:
      Row("noNextUpdate", "has no nextUpdate", time: "RFC 5280 §5.1.2.5", .end)
    case .criticalExtension(let oid):
      Row(
        "criticalExtension", "has an unsupported critical extension: \(oid)",
        crl: "RFC 5280 §5.2", ocsp: "RFC 6960 §4.4")
    case .signerInQuestion:
      Row("signerInQuestion", "has a signer that would vouch for itself", signer: .otherSigner)
    case .signerUnreadable(let error):
      Row(
        "signerUnreadable",
        "has no known signer, and a certificate in it that cannot be read: \(error.finding)",
        signer: .copy)
    case .signerNotGiven:
      Row("signerNotGiven", "has a signer whose certificate was not given", signer: .signer)
    case .signerOfOtherIssuer:
      Row(
        "signerOfOtherIssuer",
        "is signed by a responder that the certificate's issuer has not certified",
        signer: .responder)
    case .signerWithoutPurpose:
      Row(
        "signerWithoutPurpose",
        "is signed by a responder whose certificate is not for OCSP signing",
        signer: .responder)
    case .signerRejected(let violation):
      Row(
        "signerRejected", "has a signer whose certificate is not accepted: \(violation)",
        signer: .otherSigner)
    case .signerNotYetValid(let time):
      Row(
        "signerNotYetValid", "has a signer whose certificate is not valid before \(time)",
        signer: .clock)
    case .signerExpired(let time):
      Row("signerExpired", "has a signer whose certificate expired at \(time)", signer: .newer)
    case .signerUnknown:
      Row(
        "signerUnknown", "has a signer whose own revocation status is unknown",
        crl: "RFC 5280 §6.3.3 (f)")
    case .signature:
      Row(
        "signature",
        "has a signature that does not verify: it was changed after it was signed, or signed with "
          + "another key",
        .copy)
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
      Row("noAnswer", "is an error response: \(status.name)", ocsp: "RFC 6960 §2.2", .later)
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
