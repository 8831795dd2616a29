internal import Holdfast

extension CertificateRevocation {
  /// `status` is `good`, `revoked`, `unknown` or `notApplicable`; `revokedAt` and `reason` go with
  /// `revoked`, `why` with `unknown`, `sources` and `thisUpdate` with `good` and `revoked`; `facts`
  /// tell what each list and answer has to do with it.
  var document: Document {
    var document = Document()
    func add(_ evidence: Evidence) {
      document.add("sources", evidence.sources.map(\.jsonName))
      document.add("thisUpdate", "\(evidence.thisUpdate)")
    }
    switch status {
    case .good(let evidence):
      document.add("status", "good")
      add(evidence)
    case .revoked(let time, let reason, let evidence):
      document.add("status", "revoked")
      document.add("revokedAt", "\(time)")
      if let reason { document.add("reason", "\(reason)") }
      add(evidence)
    case .unknown(let why):
      document.add("status", "unknown")
      document.add("why", "\(why)")
    case .notApplicable: document.add("status", "notApplicable")
    }
    document.add("facts", facts.map(\.document))
    return document
  }
}

extension CertificateRevocation.Fact {
  fileprivate var document: Document {
    var document = Document()
    document.add("source", source.jsonName)
    document.add("finding", outcome.name)
    document.add("text", "\(outcome)")
    document.add("citation", citation)
    return document
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
