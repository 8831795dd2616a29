internal import Holdfast
internal import HoldfastCertificates

extension PathError {
  /// `rejected`, `exhausted` or `empty`.
  var verdict: String {
    switch cause {
    case .rejected: "rejected"
    case .limitReached: "exhausted"
    case .emptyChain: "empty"
    case .invalidName: "invalidName"
    }
  }

  /// The verdict and `facts`.
  func document(_ sources: RevocationSources) -> Document {
    var document: Document = ["verdict": verdict]
    document.addMembers(of: facts(sources))
    return document
  }

  /// `limit` says which limit ended the search, if one did. `rejections` are in order, the nearest
  /// miss first. Names of more than 512 bytes are cut, which `...` at their end tells; `sha256`
  /// says whose they are.
  func facts(_ sources: RevocationSources) -> Document {
    var certificates = CertificateDocuments()
    var document = Document()
    if case .limitReached(let limit) = cause {
      document.add("limit", limit.name)
      document.add("limitValue", limit.limit)
    }
    if let leaf { document.add("leaf", certificates.document(of: leaf)) }
    document.add("purpose", "\(purpose)")
    document.add("time", "\(time)")
    document.add("rejections", rejections.map { $0.document(&certificates, sources) })
    document.add("omitted", omitted)
    document.add("hints", hints.map { "\($0)" })
    return document
  }
}

extension [PathError.Rejection] {
  /// The rejections alone, as an error has them.
  func documents(_ sources: RevocationSources) -> [Document] {
    var certificates = CertificateDocuments()
    return map { $0.document(&certificates, sources) }
  }
}

extension PathError.Rejection {
  /// The maximum number of names of a leaf in JSON; all are in `found`.
  private static let maximumNames = 32

  /// `path` has the SHA-256 of each certificate, the leaf first.
  func document(
    _ certificates: inout CertificateDocuments, _ sources: RevocationSources
  ) -> Document {
    var document: Document = ["path": path.map { certificates.fingerprint(of: $0) }]
    if let anchor {
      document.add("anchor", CertificateDocuments.name(anchor.name))
    }
    document.add("index", index)
    if let certificate { document.add("certificate", certificates.document(of: certificate)) }
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
  /// The answer of `verify`: the verdict and `facts`.
  func document(_ sources: RevocationSources) -> Document {
    var document = Document(title: "trusted: \(title)")
    document.add("verdict", "trusted")
    document.addLines(nil, lines(sources))
    document.addMembers(of: facts(sources))
    return document
  }

  /// `path` has the SHA-256 of each certificate, the leaf first; `unchecked` what the validation
  /// left unchecked although it may seem to check it.
  func facts(
    _ sources: RevocationSources, _ transparency: TransparencyReport? = nil
  ) -> Document {
    let unchecked = unchecked(beside: transparency)
    var document: Document = ["path": certificates.map(\.hexadecimalFingerprint)]
    document.add("anchor", "\(anchor.name)")
    document.add("purpose", "\(purpose)")
    document.add("time", "\(time)")
    if !revocation.isEmpty { document.add("revocation", revocationDocuments(sources)) }
    if let policies { document.add("policies", policies.map { "\($0)" }) }
    if !unchecked.isEmpty { document.add("unchecked", unchecked.map { "\($0)" }) }
    return document
  }

  /// `server www.example.com at 2026-03-01T12:00:00Z`.
  var title: String { "\(purpose) at \(time)" }

  /// The revocation of each certificate, with its subject.
  func revocationDocuments(_ sources: RevocationSources) -> [Document] {
    zip(certificates, revocation).map { certificate, found in
      var document: Document = ["certificate": PathText.name(certificate)]
      document.addMembers(of: found.document(sources))
      return document
    }
  }

  /// The certificates with their revocation, the leaf first.
  func lines(
    _ sources: RevocationSources, _ transparency: TransparencyReport? = nil
  ) -> [Line] {
    var lines: [Line] = []
    for (depth, certificate) in certificates.enumerated() {
      let isAnchor = certificate == anchor.certificate
      lines.append("\(depth): \(PathText.name(certificate))\(isAnchor ? "  (anchor)" : "")")
      if revocation.indices.contains(depth) {
        lines.append("   \(revocation[depth].summary(naming: sources.name(of:)))")
      }
    }
    if anchor.certificate == nil { lines.append("anchor: \(PathText.name(anchor.name))") }
    return lines + uncheckedLines(beside: transparency)
  }

  /// What is unchecked, but for an unknown revocation status, which has a line with its
  /// certificate.
  func uncheckedLines(beside transparency: TransparencyReport?) -> [Line] {
    unchecked(beside: transparency).filter { $0 != .revocation }.map { "unchecked: \($0)" }
  }

  /// What is unchecked after what was found of timestamps.
  func unchecked(beside transparency: TransparencyReport?) -> [UncheckedItem] {
    switch transparency?.verdict {
    case .complies, .violates: unchecked.filter { $0 != .transparency }
    case .notEvaluated, nil: unchecked
    }
  }
}

extension CertificateRevocation {
  /// The status, and a line for what each CRL and each OCSP response says.
  func lines(_ sources: RevocationSources) -> [String] {
    ["\(status)"]
      + facts.map { "  \(sources.name(of: $0.source)): \($0.outcome) [\($0.citation)]" }
  }

  /// `status` is `good`, `revoked`, `unknown` or `notApplicable`; `revokedAt` and `reason` go with
  /// `revoked`, `why` with `unknown`, `sources` and `thisUpdate` with `good` and `revoked`; `facts`
  /// tell what each CRL and OCSP response has to do with it, and in which `file` it is.
  func document(_ sources: RevocationSources) -> Document {
    var document = Document()
    func add(_ evidence: Evidence) {
      document.add("sources", evidence.sources.map { "\($0)" })
      document.add("thisUpdate", "\(evidence.thisUpdate)")
    }
    switch status {
    case .good(let evidence):
      document = ["status": "good"]
      add(evidence)
    case .revoked(let time, let reason, let evidence):
      document = ["status": "revoked", "revokedAt": "\(time)"]
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
    var document: Document = ["source": "\(source)"]
    if let location = sources.location(of: source) { document.add("file", location) }
    document.add("finding", outcome.name)
    document.add("text", "\(outcome)")
    document.add("citation", citation)
    return document
  }
}

extension Certificate {
  fileprivate var hexadecimalFingerprint: String { Bytes(fingerprint()).description }
}

/// The certificates of one answer. The same stand on many rejected paths, so each is hashed once.
struct CertificateDocuments {
  private var fingerprints: [Certificate: String] = [:]

  static func name(_ name: DistinguishedName) -> String {
    name.text(limit: PathText.maximumNameLength)
  }

  /// The SHA-256.
  mutating func fingerprint(of certificate: Certificate) -> String {
    if let known = fingerprints[certificate] { return known }
    let fingerprint = certificate.hexadecimalFingerprint
    fingerprints[certificate] = fingerprint
    return fingerprint
  }

  mutating func document(of certificate: Certificate) -> Document {
    [
      "subject": CertificateDocuments.name(certificate.subject),
      "issuer": CertificateDocuments.name(certificate.issuer),
      "serialNumber": certificate.serialNumber.short,
      "notBefore": "\(certificate.notBefore)",
      "notAfter": "\(certificate.notAfter)",
      "sha256": fingerprint(of: certificate),
    ]
  }
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
    printable(name.text(limit: maximumNameLength))
  }
}

extension Document {
  /// A rejection: its text, of which the first line becomes the title, and what programs get.
  init(rejected lines: [String], _ members: Document) {
    self.init(title: "rejected: \(lines.first ?? "")")
    // The lines of a document are indented.
    addLines(nil, lines.dropFirst().map { $0.hasPrefix("  ") ? String($0.dropFirst(2)) : $0 })
    addMembers(of: members)
  }
}
