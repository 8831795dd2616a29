package import Holdfast
internal import HoldfastCertificates
internal import HoldfastJSON

extension PathError {
  /// The same facts as in `description`, all of them, as the text of a JSON object.
  package var json: String { document.line }

  /// `verdict` is `rejected`, `exhausted`, of which `limit` says more, or `empty`. `rejections` are in
  /// order, the nearest miss first. Names of more than 512 bytes are cut, which `...` at their end
  /// tells; `sha256` says whose they are.
  var document: Document {
    var certificates = CertificateDocuments()
    var document = Document()
    switch cause {
    case .rejected: document.add("verdict", "rejected")
    case .limitReached(let limit):
      document.add("verdict", "exhausted")
      document.add("limit", limit.name)
      document.add("limitValue", limit.limit)
    case .emptyChain: document.add("verdict", "empty")
    }
    if let leaf { document.add("leaf", certificates.json(of: leaf)) }
    document.add("purpose", "\(purpose)")
    document.add("time", "\(time)")
    document.add("rejections", rejections.map { $0.document(&certificates) })
    document.add("omitted", omitted)
    document.add("hints", hints.map { "\($0)" })
    return document
  }

  /// `rejections` as in `document`.
  var rejectionsJSON: JSONValue {
    var certificates = CertificateDocuments()
    return rejections.map { $0.document(&certificates) }.json
  }
}

extension PathError.Rejection {
  /// The most names of a leaf in JSON; all are in `found`.
  private static let mostNames = 32

  /// The rejection alone.
  var document: Document {
    var certificates = CertificateDocuments()
    return document(&certificates)
  }

  /// `path` has the SHA-256 of each certificate, the leaf first.
  fileprivate func document(_ certificates: inout CertificateDocuments) -> Document {
    var document = Document()
    document.add("path", path.map { certificates.fingerprint(of: $0) })
    if let anchor {
      document.add("anchor", anchor.name.text(limit: CertificateDocuments.longestName))
    }
    document.add("index", index)
    if let certificate { document.add("certificate", certificates.json(of: certificate)) }
    document.add("rule", rule.name)
    document.add("citation", violation.citation)
    document.add("reason", "\(violation)")
    if case .revocation(let found)? = violation.detail {
      document.add("revocation", found.document)
    }
    if let field { document.add("field", field) }
    if let expected, let found {
      document.add("expected", "\(expected)")
      document.add(
        "found", found.prefix(PathError.Rejection.mostNames).map { $0.text(limit: 256) })
    }
    if let bytes { document.add("octets", [bytes.lowerBound, bytes.upperBound]) }
    return document
  }
}

extension ValidatedPath {
  /// `path` has the SHA-256 of each certificate, the leaf first.
  var document: Document {
    var document = Document()
    document.add("verdict", "trusted")
    document.add("path", certificates.map(\.hexadecimalFingerprint))
    document.add("anchor", "\(anchor.name)")
    document.add("purpose", "\(purpose)")
    document.add("time", "\(time)")
    if !revocation.isEmpty { document.add("revocation", revocation.map(\.document)) }
    if let policies { document.add("policies", policies.map { "\($0)" }) }
    return document
  }
}

extension Diagnosis {
  /// What `validate` answers, and in `attempts` each path with every rule that it breaks.
  var document: Document {
    var certificates = CertificateDocuments()
    var document = Document()
    document.add("result", path?.document ?? error?.document)
    document.add(
      "attempts",
      attempts.map { attempt in
        var document = Document()
        document.add("path", attempt.certificates.map { certificates.fingerprint(of: $0) })
        if let anchor = attempt.anchor {
          document.add("anchor", anchor.name.text(limit: CertificateDocuments.longestName))
        }
        document.add("broken", attempt.violations.map { $0.document(&certificates) })
        return document
      })
    return document
  }
}

extension Certificate {
  fileprivate var hexadecimalFingerprint: String { Bytes(fingerprint()).description }
}

/// The certificates of one answer, each made once: the same stand on many rejected paths.
private struct CertificateDocuments {
  private struct Known {
    let certificate: Certificate
    let fingerprint: String
    var json: JSONValue?
  }

  private var known: [Known] = []

  /// The most bytes of a name. What RFC 5280's upper bounds allow the common attributes fits in.
  static let longestName = 512

  /// The SHA-256.
  mutating func fingerprint(of certificate: Certificate) -> String {
    known[place(of: certificate)].fingerprint
  }

  mutating func json(of certificate: Certificate) -> JSONValue {
    let place = place(of: certificate)
    if let json = known[place].json { return json }
    var document = Document()
    document.add("subject", certificate.subject.text(limit: CertificateDocuments.longestName))
    document.add("issuer", certificate.issuer.text(limit: CertificateDocuments.longestName))
    document.add("serialNumber", certificate.serialNumber.short)
    document.add("notBefore", "\(certificate.notBefore)")
    document.add("notAfter", "\(certificate.notAfter)")
    document.add("sha256", known[place].fingerprint)
    known[place].json = document.json
    return document.json
  }

  private mutating func place(of certificate: Certificate) -> Int {
    if let place = known.firstIndex(where: { $0.certificate == certificate }) { return place }
    known.append(
      Known(certificate: certificate, fingerprint: certificate.hexadecimalFingerprint, json: nil))
    return known.count - 1
  }
}
