internal import HoldfastAnswers
internal import HoldfastCertificates
internal import HoldfastJSON

/// What CRLs, OCSP responses and requests say: items of `holdfast inspect`.
///
/// In JSON a CRL has `x509Version`, `issuer`, `thisUpdate`, `nextUpdate`, `freshness` (`fresh`,
/// `stale`, `fromTheFuture` or, without a next update, `unlimited`), `number`, `baseNumber` (null
/// for a complete CRL), `scope` (null for all certificates of its issuer), `signatureAlgorithm`,
/// `count`, `entries`, `extensions` and `findings`. An entry has `serialNumber`, `revocationDate`,
/// `reason`, `invalidityDate` and `certificateIssuer`.
///
/// A response has `status` and, if that is `successful`, `responder`, `producedAt`, `nonce`,
/// `responses`, `signatureAlgorithm`, `certificates`, `extensions` and `findings`. Each of
/// `responses` has `serialNumber`, `hash`, `issuerNameHash`, `issuerKeyHash`, `status` (`good`,
/// `revoked`, `unknown`), `revokedAt`, `reason`, `thisUpdate`, `nextUpdate`, `freshness` and
/// `archiveCutoff`.
///
/// A request has `requestorName` (as a name of a certificate, or null), `requests` (with
/// `serialNumber`, `hash`, `issuerNameHash` and `issuerKeyHash`), `nonce`, `isSigned`, `extensions`
/// and `findings`.
extension Document {
  /// - Parameter limit: How many entries are shown at most.
  mutating func add(_ crl: CRL, at time: Timestamp, entries limit: Int) {
    let extensions = crl.extensions
    add("issuer", "issuer", crl.issuer)
    addVersion(crl.version, usual: 2)
    add("issued", "thisUpdate", "\(crl.thisUpdate)")
    addNext("next", crl.thisUpdate, crl.nextUpdate, at: time)
    add("number", "number", extensions.number.map { "\($0)" })
    add(
      "changes since", "baseNumber",
      extensions.baseNumber.map { Shown("\($0)", "CRL number \($0)") })
    add("covers", "scope", extensions.issuingDistributionPoint)
    add("signed with", "signatureAlgorithm", crl.signatureAlgorithm)
    add("issuer's key ID", nil, extensions.authorityKeyIdentifier?.keyIdentifier.map { "\($0)" })
    addAll("freshest CRL", nil, extensions.freshestCRL)
    addExtensions(extensions.all)
    add("entries", "count", crl.count)
    let shown = Array(crl.entries.prefix(limit))
    add("", "entries", shown)
    if shown.count < crl.count { add("", nil, "and \(crl.count - shown.count) more") }
    add("findings", "findings", crl.deviations.map { "\($0)" })
  }

  mutating func add(_ response: OCSPResponse, at time: Timestamp) {
    add("status", "status", response.status.name)
    guard let basic = response.basic else { return }
    add("responder", "responder", "\(basic.responder)")
    add("produced", "producedAt", "\(basic.producedAt)")
    add("nonce", "nonce", basic.nonce.map { "\($0)" })
    add("responses", basic.responses.map { Document($0, at: time) })
    add("signed with", "signatureAlgorithm", basic.signatureAlgorithm)
    addExtensions(basic.extensions)
    add("certificates", "certificates", basic.certificates.map { $0.subject })
    add("unreadable", nil, basic.unreadableCertificates.map { "\($0)" })
    add("findings", "findings", basic.deviations.map { "\($0)" })
  }

  mutating func add(_ request: OCSPRequest) {
    add("asked by", "requestorName", request.requestorName)
    add("requests", request.certificateIDs.map { Document($0) })
    let nonce = request.nonce.map { Hexadecimal.text(of: $0) }
    add("nonce", "nonce", Shown(nonce, nonce ?? "none"))
    add(
      "signed", "isSigned", Shown(request.isSigned, request.isSigned ? "yes, not verified" : "no"))
    addExtensions(request.extensions)
    add("findings", "findings", request.deviations.map { "\($0)" })
  }

  private init(_ single: OCSPSingleResponse, at time: Timestamp) {
    self.init(single.certificateID)
    var status = "\(single.status)"
    var (revokedAt, reason): (Timestamp?, RevocationReason?)
    if case .revoked(let time, let why) = single.status {
      (status, revokedAt, reason) = ("revoked", time, why)
    }
    add("  status", "status", Shown(status, "\(single.status)"))
    add("revokedAt", revokedAt.map { "\($0)" })
    add("reason", reason.map { "\($0)" })
    add("  as of", "thisUpdate", "\(single.thisUpdate)")
    addNext("  next", single.thisUpdate, single.nextUpdate, at: time)
    add("  archive", "archiveCutoff", single.archiveCutoff.map { Shown("\($0)", "since \($0)") })
    add("  from CRL", nil, single.crlReference?.uri.map { "\($0)" })
    add("  from CRL", nil, single.crlReference?.number.map { "number \($0)" })
    addAll("other extensions", nil, single.extensions.filter { !$0.isDecoded })
  }

  private init(_ identifier: OCSPCertificateID) {
    self.init()
    let serial = "\(identifier.serialNumber)"
    add("certificate", "serialNumber", Shown(serial, "serial number \(serial)"))
    add("hash", identifier.hash.map { "\($0)" })
    let (name, key) = ("\(identifier.issuerNameHash)", "\(identifier.issuerKeyHash)")
    add("", "issuerNameHash", Shown(name, "issuer's name \(name)"))
    add("", "issuerKeyHash", Shown(key, "issuer's key  \(key)"))
  }

  private mutating func addNext(
    _ label: String, _ thisUpdate: Timestamp, _ nextUpdate: Timestamp?, at time: Timestamp
  ) {
    let isStale = nextUpdate.map { $0 < time } ?? false
    let (freshness, note) =
      if time < thisUpdate {
        ("fromTheFuture", ", and not issued yet")
      } else {
        (
          nextUpdate == nil ? "unlimited" : isStale ? "stale" : "fresh",
          isStale ? ", which has passed" : ""
        )
      }
    let next = nextUpdate.map { "\($0)" }
    add(label, "nextUpdate", Shown(next, next.map { $0 + note } ?? "no next update is announced"))
    add("freshness", freshness)
  }

  private mutating func addExtensions(_ extensions: [Extension]) {
    let unknown = extensions.filter { !$0.isDecoded }
    add("other extensions", "extensions", Shown(extensions, unknown.lines))
  }
}

extension RevokedCertificate: DocumentValue {
  /// `1002  2026-04-01T12:00:00Z  keyCompromise`.
  var lines: [Line] {
    var line = "\(serialNumber)  \(revocationDate)"
    if let reason { line += "  \(reason)" }
    if let invalidityDate { line += "  invalid since \(invalidityDate)" }
    for name in certificateIssuer { line += "  of \(name)" }
    return [Line(line)]
  }

  var json: JSONValue {
    .object([
      "serialNumber": .string("\(serialNumber)"), "revocationDate": .string("\(revocationDate)"),
      "reason": .optional(reason.map { "\($0)" }),
      "invalidityDate": .optional(invalidityDate.map { "\($0)" }),
      "certificateIssuer": .array(certificateIssuer.map { $0.json }),
    ])
  }
}

extension IssuingDistributionPoint: DocumentValue {
  /// What the CRL is restricted to, each on a line of its own.
  var lines: [Line] {
    var lines: [Line] = []
    switch name {
    case .full(let names)?: lines += names.map { "those that name \($0)" }
    case .relative(let bytes)?: lines.append("those that name, relative to the issuer: \(bytes)")
    case nil: break
    }
    if onlyContainsUserCerts { lines.append("only end entities") }
    if onlyContainsCACerts { lines.append("only CAs") }
    if onlyContainsAttributeCerts { lines.append("only attribute certificates") }
    if let onlySomeReasons {
      lines.append("only \(onlySomeReasons.names.joined(separator: ", "))")
    }
    if indirectCRL { lines.append("certificates of other issuers, too") }
    return lines
  }

  /// `reasons` is null for all.
  var json: JSONValue {
    .object([
      "names": Array(name?.fullNames ?? .empty).json,
      "onlyContainsUserCerts": .bool(onlyContainsUserCerts),
      "onlyContainsCACerts": .bool(onlyContainsCACerts),
      "onlyContainsAttributeCerts": .bool(onlyContainsAttributeCerts),
      "reasons": (onlySomeReasons?.names).json, "indirectCRL": .bool(indirectCRL),
    ])
  }
}
