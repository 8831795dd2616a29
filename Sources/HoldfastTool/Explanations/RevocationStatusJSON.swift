internal import Holdfast

extension CertificateRevocation {
  /// The same as a JSON object: `status` is `good`, `revoked`, `unknown` or `notApplicable`;
  /// `revokedAt` and `reason` go with `revoked`, `why` with `unknown`, `sources` and `thisUpdate` with
  /// `good` and `revoked`; `facts` tell what each list and answer has to do with it.
  var json: String {
    var object = JSONObject()
    switch status {
    case .good(let evidence):
      object.add("status", "good")
      object.add(evidence)
    case .revoked(let time, let reason, let evidence):
      object.add("status", "revoked")
      object.add("revokedAt", "\(time)")
      if let reason { object.add("reason", "\(reason)") }
      object.add(evidence)
    case .unknown(let why):
      object.add("status", "unknown")
      object.add("why", "\(why)")
    case .notApplicable: object.add("status", "notApplicable")
    }
    object.add("facts", raw: JSONObject.array(facts.map(\.json)))
    return object.text
  }
}

extension CertificateRevocation.Fact {
  fileprivate var json: String {
    var object = JSONObject()
    object.add("source", source.jsonName)
    object.add("finding", outcome.name)
    object.add("text", "\(outcome)")
    object.add("citation", citation)
    return object.text
  }
}

extension CertificateRevocation.Source {
  /// The stable name, which the text of `description` is not.
  fileprivate var jsonName: String {
    switch self {
    case .list(let index): "list \(index)"
    case .answer(let index): "answer \(index)"
    }
  }
}

extension JSONObject {
  fileprivate mutating func add(_ evidence: CertificateRevocation.Evidence) {
    add("sources", raw: JSONObject.array(evidence.sources.map { JSONObject.string($0.jsonName) }))
    add("thisUpdate", "\(evidence.thisUpdate)")
  }
}
