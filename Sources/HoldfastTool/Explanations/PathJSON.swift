package import Holdfast
internal import HoldfastCertificates

extension PathError {
  /// The same facts as in `description`, all of them, as a JSON object.
  ///
  /// `verdict` is `rejected`, `exhausted`, of which `limit` says more, or `empty`. `rejections` are in
  /// order, the nearest miss first. Names of more than 512 bytes are cut, which `...` at their end
  /// tells; `sha256` says whose they are.
  package var json: String {
    var texts = CertificateTexts()
    var object = JSONObject()
    switch cause {
    case .rejected: object.add("verdict", "rejected")
    case .limitReached(let limit):
      object.add("verdict", "exhausted")
      object.add("limit", limit.name)
      object.add("limitValue", limit.limit)
    case .emptyChain: object.add("verdict", "empty")
    }
    if let leaf { object.add("leaf", raw: texts.json(of: leaf)) }
    object.add("purpose", "\(purpose)")
    object.add("time", "\(time)")
    object.add("rejections", raw: JSONObject.array(rejections.map { $0.json(&texts) }))
    object.add("omitted", omitted)
    object.add("hints", raw: JSONObject.array(hints.map { JSONObject.string("\($0)") }))
    return object.text
  }

  /// `rejections` as in `json`.
  var rejectionsJSON: String {
    var texts = CertificateTexts()
    return JSONObject.array(rejections.map { $0.json(&texts) })
  }
}

extension PathError.Rejection {
  /// The most names of a leaf in `json`; all are in `found`.
  private static let mostNames = 32

  /// The rejection as a JSON object: `path` has the SHA-256 of each certificate, the leaf first.
  package var json: String {
    var texts = CertificateTexts()
    return json(&texts)
  }

  fileprivate func json(_ texts: inout CertificateTexts) -> String {
    var object = JSONObject()
    object.add("path", raw: JSONObject.array(path.map { texts.fingerprint(of: $0) }))
    if let anchor { object.add("anchor", anchor.name.text(limit: CertificateTexts.longestName)) }
    object.add("index", index)
    if let certificate { object.add("certificate", raw: texts.json(of: certificate)) }
    object.add("rule", rule.name)
    object.add("citation", violation.citation)
    object.add("reason", "\(violation)")
    if case .revocation(let found)? = violation.detail {
      object.add("revocation", raw: found.json)
    }
    if let field { object.add("field", field) }
    if let expected, let found {
      object.add("expected", "\(expected)")
      let names = found.prefix(PathError.Rejection.mostNames).map {
        JSONObject.string($0.text(limit: 256))
      }
      object.add("found", raw: JSONObject.array(Array(names)))
    }
    if let bytes { object.add("octets", raw: "[\(bytes.lowerBound),\(bytes.upperBound)]") }
    return object.text
  }
}

extension ValidatedPath {
  /// The path as a JSON object: `path` has the SHA-256 of each certificate, the leaf first.
  package var json: String {
    var object = JSONObject()
    object.add("verdict", "trusted")
    object.add(
      "path",
      raw: JSONObject.array(certificates.map { JSONObject.string($0.hexadecimalFingerprint) }))
    object.add("anchor", "\(anchor.name)")
    object.add("purpose", "\(purpose)")
    object.add("time", "\(time)")
    if !revocation.isEmpty {
      object.add("revocation", raw: JSONObject.array(revocation.map(\.json)))
    }
    if let policies {
      object.add("policies", raw: JSONObject.array(policies.map { JSONObject.string("\($0)") }))
    }
    return object.text
  }
}

extension Diagnosis {
  /// All of it as a JSON object: what `validate` answers, and in `attempts` each path with every
  /// rule that it breaks.
  package var json: String {
    var texts = CertificateTexts()
    var object = JSONObject()
    object.add("result", raw: path?.json ?? error?.json ?? "null")
    object.add(
      "attempts",
      raw: JSONObject.array(
        attempts.map { attempt in
          var object = JSONObject()
          let prints = attempt.certificates.map { texts.fingerprint(of: $0) }
          object.add("path", raw: JSONObject.array(prints))
          if let anchor = attempt.anchor {
            object.add("anchor", anchor.name.text(limit: CertificateTexts.longestName))
          }
          object.add(
            "broken", raw: JSONObject.array(attempt.violations.map { $0.json(&texts) }))
          return object.text
        }))
    return object.text
  }
}

extension Certificate {
  fileprivate var hexadecimalFingerprint: String { Bytes(fingerprint()).description }
}

/// The certificates of one answer in JSON, each made once: the same stand on many rejected paths.
private struct CertificateTexts {
  private struct Text {
    let certificate: Certificate
    let fingerprint: String
    var json: String?
  }

  private var known: [Text] = []

  /// The most bytes of a name. What RFC 5280's upper bounds allow the common attributes fits in.
  static let longestName = 512

  /// The SHA-256, quoted.
  mutating func fingerprint(of certificate: Certificate) -> String {
    known[place(of: certificate)].fingerprint
  }

  mutating func json(of certificate: Certificate) -> String {
    let place = place(of: certificate)
    if let json = known[place].json { return json }
    var object = JSONObject()
    object.add("subject", certificate.subject.text(limit: CertificateTexts.longestName))
    object.add("issuer", certificate.issuer.text(limit: CertificateTexts.longestName))
    object.add("serialNumber", certificate.serialNumber.short)
    object.add("notBefore", "\(certificate.notBefore)")
    object.add("notAfter", "\(certificate.notAfter)")
    object.add("sha256", raw: known[place].fingerprint)
    known[place].json = object.text
    return object.text
  }

  private mutating func place(of certificate: Certificate) -> Int {
    if let place = known.firstIndex(where: { $0.certificate == certificate }) { return place }
    let fingerprint = JSONObject.string(certificate.hexadecimalFingerprint)
    known.append(Text(certificate: certificate, fingerprint: fingerprint, json: nil))
    return known.count - 1
  }
}
