internal import Holdfast

extension PathError.Rejection {
  /// The maximum number of names of a leaf in JSON; all are in `found`.
  private static let maximumNames = 32

  /// `path` has the SHA-256 of each certificate, the leaf first.
  func document(_ digests: inout DigestCache, _ sources: RevocationSources) -> Document {
    var document: Document = ["path": path.map { digests.text(of: $0) }]
    if let anchor { document.add("anchor", anchor.name.limited) }
    document.add("index", index)
    if let certificate { document.add("certificate", certificate.document(&digests)) }
    document.add("rule", rule.name)
    document.add("citation", violation.citation)
    document.add("reason", violation.message(naming: sources.name(of:)))
    if case .revocation(let found)? = violation.detail {
      document.add("revocation", found.document(sources))
    }
    if let field { document.add("field", field) }
    if let expected, let found {
      document.add("expected", "\(expected)")
      document.add(
        "found", found.prefix(PathError.Rejection.maximumNames).map { $0.text(limit: 256) })
    }
    if let bytes { document.add("bytes", [bytes.lowerBound, bytes.upperBound]) }
    return document
  }
}

extension ValidatedPath {
  /// What is unchecked after what was found of timestamps.
  func unchecked(beside transparency: TransparencyReport?) -> [UncheckedItem] {
    switch transparency?.verdict {
    case .complies, .violates: unchecked.filter { $0 != .transparency }
    case .notEvaluated, nil: unchecked
    }
  }
}

extension CertificateRevocation {
  /// `status` is `good`, `revoked`, `unknown` or `notApplicable`; `revokedAt` and `reason` go with
  /// `revoked`, `why` with `unknown`, `sources` and `thisUpdate` with `good` and `revoked`,
  /// `expired` with the latter if the source is past its end; `facts`
  /// tell what each CRL, OCSP response and filter has to do with it, and in which `file` it is.
  func document(_ sources: RevocationSources) -> Document {
    var document = Document()
    func add(_ evidence: Evidence) {
      document.add("sources", evidence.sources.map(sources.name(of:)))
      document.add("thisUpdate", "\(evidence.thisUpdate)")
      if let expired = evidence.expired { document.add("expired", "\(expired)") }
    }
    switch status {
    case .good(let evidence):
      document = ["status": "good"]
      add(evidence)
    case .revoked(let time, let reason, let evidence):
      document = ["status": "revoked"]
      if let time { document.add("revokedAt", "\(time)") }
      if let reason { document.add("reason", "\(reason)") }
      add(evidence)
    case .unknown(let why): document = ["status": "unknown", "why": "\(why)"]
    case .notApplicable: document = ["status": "notApplicable"]
    }
    document.add("facts", facts.map { $0.document(sources) })
    return document
  }
}

extension CertificateRevocation.Fact {
  fileprivate func document(_ sources: RevocationSources) -> Document {
    var document: Document = ["source": sources.name(of: source)]
    document.add("finding", outcome.name)
    document.add("text", message)
    document.add("citation", citation)
    return document
  }
}

extension Certificate {
  /// What programs get of a certificate that is not the subject of a report.
  func document(_ digests: inout DigestCache) -> Document {
    [
      "name": PathText.name(self), "issuer": issuer.limited, "serialNumber": serialNumber.short,
      "notBefore": "\(notBefore)", "notAfter": "\(notAfter)", "sha256": digests.text(of: self),
    ]
  }
}

extension DistinguishedName {
  /// The name for programs, truncated.
  var limited: String { text(limit: PathText.maximumNameLength) }
}

/// The words for certificates and their names.
enum PathText {
  /// The maximum number of bytes of a name; `inspect` shows the whole. What RFC 5280's upper bounds
  /// allow the common attributes fits in.
  static let maximumNameLength = 512

  /// The subject, or the serial number where it is empty.
  static func name(_ certificate: Certificate) -> String {
    certificate.subject.isEmpty
      ? "serial number \(certificate.serialNumber.short)" : name(certificate.subject)
  }

  static func name(_ location: PathElement) -> String {
    location.certificate.map { PathText.name($0) } ?? PathText.name(location.name)
  }

  static func name(_ name: DistinguishedName) -> String {
    printable(name.limited)
  }
}
