internal import HoldfastCertificates

extension PathError {
  /// The same facts as in `description`, all of them, as a JSON object.
  ///
  /// `verdict` is `rejected`, `exhausted` or `unusable`; `limit` or `problem` say more of the last
  /// two. `rejections` are in order, the nearest miss first.
  public var json: String {
    var object = JSONObject()
    switch cause {
    case .rejected: object.add("verdict", "rejected")
    case .exhausted(let limit):
      object.add("verdict", "exhausted")
      object.add("limit", limit.name)
      object.add("limitValue", limit.limit)
    case .unusableName(let error):
      object.add("verdict", "unusable")
      object.add("problem", "\(error)")
    }
    object.add("leaf", raw: leaf.json)
    object.add("purpose", "\(purpose)")
    object.add("time", "\(time)")
    object.add("rejections", raw: JSONObject.array(rejections.map(\.json)))
    object.add("omitted", omitted)
    object.add("hints", raw: JSONObject.array(hints.map { JSONObject.string("\($0)") }))
    return object.text
  }
}

extension PathError.Rejection {
  /// The most names of a leaf in `json`; all are in `found`.
  private static let mostNames = 32

  /// The rejection as a JSON object: `path` has the SHA-256 of each certificate, the leaf first.
  public var json: String {
    var object = JSONObject()
    object.add(
      "path", raw: JSONObject.array(path.map { JSONObject.string($0.hexadecimalFingerprint) }))
    if let anchor { object.add("anchor", "\(anchor.name)") }
    object.add("index", index)
    if let certificate { object.add("certificate", raw: certificate.json) }
    object.add("rule", rule.name)
    object.add("citation", rule.citation)
    object.add("reason", "\(rule)")
    switch rule {
    case .revoked(let found), .revocationUnknown(let found):
      object.add("revocation", raw: found.json)
    default: break
    }
    if let field { object.add("field", field) }
    if let expected, let found {
      object.add("expected", "\(expected)")
      let names = found.prefix(PathError.Rejection.mostNames).map { JSONObject.string("\($0)") }
      object.add("found", raw: JSONObject.array(Array(names)))
    }
    if let octets { object.add("octets", raw: "[\(octets.lowerBound),\(octets.upperBound)]") }
    return object.text
  }
}

extension ValidatedPath {
  /// The path as a JSON object: `path` has the SHA-256 of each certificate, the leaf first.
  public var json: String {
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
  public var json: String {
    var object = JSONObject()
    object.add("result", raw: path?.json ?? error?.json ?? "null")
    object.add(
      "attempts",
      raw: JSONObject.array(
        attempts.map { attempt in
          var object = JSONObject()
          let prints = attempt.certificates.map { JSONObject.string($0.hexadecimalFingerprint) }
          object.add("path", raw: JSONObject.array(prints))
          if let anchor = attempt.anchor { object.add("anchor", "\(anchor.name)") }
          object.add("broken", raw: JSONObject.array(attempt.broken.map(\.json)))
          return object.text
        }))
    return object.text
  }
}

extension Certificate {
  var hexadecimalFingerprint: String { Octets(fingerprint()).description }

  fileprivate var json: String {
    var object = JSONObject()
    object.add("subject", "\(subject)")
    object.add("issuer", "\(issuer)")
    object.add("serialNumber", "\(serialNumber)")
    object.add("notBefore", "\(notBefore)")
    object.add("notAfter", "\(notAfter)")
    object.add("sha256", hexadecimalFingerprint)
    return object.text
  }
}
