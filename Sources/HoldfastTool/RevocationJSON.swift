internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastJSON

/// What stands in revocation lists and OCSP answers, for programs: items of `holdfast inspect --json`.
///
/// A list has `x509Version`, `issuer`, `thisUpdate`, `nextUpdate`, `freshness` (`fresh`, `stale`,
/// `fromTheFuture` or, without a next update, `unlimited`), `number`, `baseNumber` (null for a complete
/// list), `scope` (null for all certificates of its issuer), `signatureAlgorithm`, `count`, `entries`,
/// `extensions` and `findings`. An entry has `serialNumber`, `revocationDate`, `reason`,
/// `invalidityDate` and `certificateIssuer`.
///
/// An answer has `status` and, if that is `successful`, `responder`, `producedAt`, `nonce`,
/// `responses`, `signatureAlgorithm`, `certificates`, `extensions` and `findings`. A response has
/// `serialNumber`, `hash`, `issuerNameHash`, `issuerKeyHash`, `status` (`good`, `revoked`, `unknown`),
/// `revokedAt`, `reason`, `thisUpdate`, `nextUpdate`, `freshness` and `archiveCutoff`.
///
/// A request has `requestorName` (as a name of a certificate, or null), `requests` (with
/// `serialNumber`, `hash`, `issuerNameHash` and `issuerKeyHash`), `nonce`, `isSigned`, `extensions` and
/// `findings`.
extension InputItem {
  /// - Parameter entries: How many entries are written at most.
  func json(_ list: CertificateList, at time: Timestamp, entries: Int) -> JSONValue {
    let extensions = list.extensions
    var shown: [JSONValue] = []
    for entry in list.entries {
      guard shown.count < entries else { break }
      shown.append(entry.json)
    }
    return .object(
      place([
        "x509Version": .number(list.version), "issuer": .string("\(list.issuer)"),
        "thisUpdate": .string("\(list.thisUpdate)"),
        "nextUpdate": .optional(list.nextUpdate.map { "\($0)" }),
        "freshness": .string(Freshness(list.thisUpdate, list.nextUpdate, at: time).rawValue),
        "number": .optional(extensions.number.map { "\($0)" }),
        "baseNumber": .optional(extensions.baseNumber.map { "\($0)" }),
        "scope": extensions.issuingDistributionPoint.map(\.json) ?? .null,
        "signatureAlgorithm": InputItem.json(list.signatureAlgorithm),
        "count": .number(list.count), "entries": .array(shown),
        "extensions": .array(extensions.all.map(\.json)),
        "findings": .strings(list.deviations.map { "\($0)" }),
      ]))
  }

  func json(_ answer: OCSPResponse, at time: Timestamp) -> JSONValue {
    var members = place(["status": .string("\(answer.status)")])
    guard let basic = answer.basic else { return .object(members) }
    let facts: KeyValuePairs<String, JSONValue> = [
      "responder": .string("\(basic.responder)"), "producedAt": .string("\(basic.producedAt)"),
      "nonce": .optional(basic.nonce.map { "\($0)" }),
      "responses": .array(basic.responses.map { $0.json(at: time) }),
      "signatureAlgorithm": InputItem.json(basic.signatureAlgorithm),
      "certificates": .strings(basic.certificates.map { "\($0.subject)" }),
      "extensions": .array(basic.extensions.map(\.json)),
      "findings": .strings(basic.deviations.map { "\($0)" }),
    ]
    members += facts.map { JSONValue.Member(name: $0.key, value: $0.value) }
    return .object(members)
  }

  func json(_ request: OCSPRequest) -> JSONValue {
    .object(
      place([
        "requestorName": request.requestorName.map(\.json) ?? .null,
        "requests": .array(request.certificateIDs.map { .object($0.members) }),
        "nonce": .optional(request.nonce.map { Hexadecimal.text(of: $0) }),
        "isSigned": .bool(request.isSigned),
        "extensions": .array(request.extensions.map(\.json)),
        "findings": .strings(request.deviations.map { "\($0)" }),
      ]))
  }
}

extension RevokedCertificate {
  fileprivate var json: JSONValue {
    .object([
      "serialNumber": .string("\(serialNumber)"), "revocationDate": .string("\(revocationDate)"),
      "reason": .optional(reason.map { "\($0)" }),
      "invalidityDate": .optional(invalidityDate.map { "\($0)" }),
      "certificateIssuer": .array(certificateIssuer.map(\.json)),
    ])
  }
}

extension OCSPSingleResponse {
  fileprivate func json(at time: Timestamp) -> JSONValue {
    let (word, date, cause): (String, Timestamp?, RevocationReason?) =
      switch status {
      case .good: ("good", nil, nil)
      case .revoked(let date, let reason): ("revoked", date, reason)
      case .unknown: ("unknown", nil, nil)
      }
    let facts: KeyValuePairs<String, JSONValue> = [
      "status": .string(word), "revokedAt": .optional(date.map { "\($0)" }),
      "reason": .optional(cause.map { "\($0)" }), "thisUpdate": .string("\(thisUpdate)"),
      "nextUpdate": .optional(nextUpdate.map { "\($0)" }),
      "freshness": .string(Freshness(thisUpdate, nextUpdate, at: time).rawValue),
      "archiveCutoff": .optional(archiveCutoff.map { "\($0)" }),
    ]
    return .object(
      certificateID.members + facts.map { JSONValue.Member(name: $0.key, value: $0.value) })
  }
}

extension OCSPCertificateID {
  fileprivate var members: [JSONValue.Member] {
    let facts: KeyValuePairs<String, JSONValue> = [
      "serialNumber": .string("\(serialNumber)"), "hash": .optional(hash.map { "\($0)" }),
      "issuerNameHash": .string("\(issuerNameHash)"),
      "issuerKeyHash": .string("\(issuerKeyHash)"),
    ]
    return facts.map { JSONValue.Member(name: $0.key, value: $0.value) }
  }
}

extension IssuingDistributionPoint {
  /// `reasons` is null for all.
  fileprivate var json: JSONValue {
    var names: [GeneralName] = []
    if case .full(let full)? = name { names = Array(full) }
    return .object([
      "names": .array(names.map(\.json)), "onlyContainsUserCerts": .bool(onlyContainsUserCerts),
      "onlyContainsCACerts": .bool(onlyContainsCACerts),
      "onlyContainsAttributeCerts": .bool(onlyContainsAttributeCerts),
      "reasons": onlySomeReasons.map { .strings($0.names) } ?? .null,
      "indirectCRL": .bool(indirectCRL),
    ])
  }
}
