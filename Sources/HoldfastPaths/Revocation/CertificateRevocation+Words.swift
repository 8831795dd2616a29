internal import HoldfastCertificates

extension CertificateRevocation.Status: CustomStringConvertible {
  /// To be read after a certificate's name: `was revoked at 2026-04-01T12:00:00Z (keyCompromise)`.
  public var description: String {
    switch self {
    case .good: "is not revoked"
    case .revoked(let time, let reason, _):
      "was revoked at \(time)" + (reason.map { " (\($0))" } ?? "")
    case .unknown(let why): "may be revoked: \(why)"
    }
  }
}

extension CertificateRevocation.Why: CustomStringConvertible {
  /// Why nothing is known.
  public var description: String {
    switch self {
    case .nothingGiven: "no list and no answer was given"
    case .nothingUsable: "no list and no answer that was given can be used"
    case .reasonsNotCovered(let reasons): "no list covers \(reasons.names.joined(separator: ", "))"
    case .unknownToResponder: "the responder does not know the certificate"
    case .mustStaple: "it promises a stapled answer, and there is none"
    }
  }
}

extension CertificateRevocation: CustomStringConvertible {
  /// The status and, line by line, what each list and answer has to do with it.
  public var description: String {
    var text = "\(status)"
    for fact in facts { text += "\n  \(fact)" }
    return text
  }
}

extension CertificateRevocation {
  /// The status and the first of the facts: `may be revoked: … (list 0: is stale since …)`.
  var inOneLine: String {
    guard !facts.isEmpty else { return "\(status)" }
    let most = 8
    var parts = facts.prefix(most).map { "\($0.source): \($0.finding)" }
    if facts.count > most { parts.append("and \(facts.count - most) more") }
    return "\(status) (\(parts.joined(separator: "; ")))"
  }
}

extension CertificateRevocation.Source: CustomStringConvertible {
  /// `list 2`, counted from 0 as in `Revocation`.
  public var description: String {
    switch self {
    case .list(let index): "list \(index)"
    case .answer(let index): "answer \(index)"
    }
  }
}

extension CertificateRevocation.Fact: CustomStringConvertible {
  /// `list 0: is stale since 2026-05-01T00:00:00Z [RFC 5280 §5.1.2.5]`.
  public var description: String { "\(source): \(finding) [\(citation)]" }

  /// The paragraph by which it counts, or does not.
  public var citation: String {
    if case .answer = source { return finding.citationOfAnswer }
    return finding.citationOfList
  }
}

extension CertificateRevocation.Finding: CustomStringConvertible {
  /// What a list or an answer says, or why it does not count.
  public var description: String {
    switch self {
    case .notRevoked(.all): "does not name the certificate as revoked"
    case .notRevoked(let reasons):
      "does not name the certificate as revoked for \(reasons.names.joined(separator: ", "))"
    case .revoked(let time, let reason):
      "names the certificate as revoked at \(time)" + (reason.map { " (\($0))" } ?? "")
    case .removed: "takes the certificate off the complete list"
    case .unknownToResponder: "does not know the certificate"
    case .otherIssuer: "is for certificates of another issuer"
    case .otherCertificate: "has no answer for this certificate"
    case .otherDistributionPoint: "is for another distribution point"
    case .otherKind: "is for other kinds of certificates"
    case .unexpectedlyIndirect: "is indirect, and the certificate's distribution point is not"
    case .nothingNew: "covers nothing that others do not"
    case .deltaWithoutBase: "is a delta list that goes with no complete one"
    case .notYetValid(let time): "is from the future, \(time)"
    case .stale(let time): "is stale since \(time)"
    case .tooOld(let time): "is of \(time), older than allowed"
    case .noNextUpdate: "does not say until when it holds"
    case .criticalExtension(let oid): "has a critical extension that it may not have: \(oid)"
    case .noSigner: "is signed by nobody who may"
    case .signature: "has a signature that does not verify"
    case .algorithm: "has a signature algorithm or a signer's key that is not taken"
    case .keyUsage: "is signed by a key that is not for lists"
    case .doubtfulIssuer: "names this serial number under a name that cannot be compared"
    case .deviation(let finding): "deviates: \(finding)"
    case .nonce: "does not repeat the nonce"
    case .noAnswer(let status): "is no answer but \(status)"
    }
  }

  /// The stable name, as JSON has it.
  public var name: String {
    switch self {
    case .notRevoked: "notRevoked"
    case .revoked: "revoked"
    case .removed: "removed"
    case .unknownToResponder: "unknownToResponder"
    case .otherIssuer: "otherIssuer"
    case .otherCertificate: "otherCertificate"
    case .otherDistributionPoint: "otherDistributionPoint"
    case .otherKind: "otherKind"
    case .unexpectedlyIndirect: "unexpectedlyIndirect"
    case .nothingNew: "nothingNew"
    case .deltaWithoutBase: "deltaWithoutBase"
    case .notYetValid: "notYetValid"
    case .stale: "stale"
    case .tooOld: "tooOld"
    case .noNextUpdate: "noNextUpdate"
    case .criticalExtension: "criticalExtension"
    case .noSigner: "noSigner"
    case .signature: "signature"
    case .algorithm: "algorithm"
    case .keyUsage: "keyUsage"
    case .doubtfulIssuer: "doubtfulIssuer"
    case .deviation: "deviation"
    case .nonce: "nonce"
    case .noAnswer: "noAnswer"
    }
  }

  fileprivate var citationOfList: String {
    switch self {
    case .notRevoked: "RFC 5280 §6.3.3 (l)"
    case .revoked: "RFC 5280 §6.3.3 (j)"
    case .removed: "RFC 5280 §6.3.3 (k)"
    case .otherIssuer, .unexpectedlyIndirect: "RFC 5280 §6.3.3 (b)(1)"
    case .otherDistributionPoint, .otherKind: "RFC 5280 §6.3.3 (b)(2)"
    case .nothingNew: "RFC 5280 §6.3.3 (e)"
    case .deltaWithoutBase: "RFC 5280 §6.3.3 (c)"
    case .notYetValid: "RFC 5280 §5.1.2.4"
    case .stale, .tooOld, .noNextUpdate: "RFC 5280 §5.1.2.5"
    case .criticalExtension: "RFC 5280 §5.2"
    case .deviation(let finding): finding.citation
    case .doubtfulIssuer: "RFC 5280 §5.3.3"
    case .noSigner, .keyUsage: "RFC 5280 §6.3.3 (f)"
    default: "RFC 5280 §6.3.3 (g)"
    }
  }

  fileprivate var citationOfAnswer: String {
    switch self {
    case .notRevoked, .revoked, .unknownToResponder, .noAnswer: "RFC 6960 §2.2"
    case .notYetValid, .stale, .tooOld, .noNextUpdate: "RFC 6960 §4.2.2.1"
    case .noSigner: "RFC 6960 §4.2.2.2"
    case .criticalExtension: "RFC 6960 §4.4"
    case .deviation(let finding): finding.citation
    case .nonce: "RFC 9654 §2.1"
    default: "RFC 6960 §3.2"
    }
  }
}
