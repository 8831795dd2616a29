internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastJSON

/// What stands in certificates, requests and keys, for programs.
///
/// `holdfast inspect --json` writes `{"version": 1, "time", "items", "problems"}`. Fields may be
/// added; those there are keep their meaning as long as `version` is 1. Times are RFC 3339 in UTC,
/// bytes are lower-case hexadecimal, identifiers are dotted, names are text of RFC 4514.
///
/// Each item has `file`, `kind` (`certificate`, `certificate request`, `public key`, `revocation list`,
/// `OCSP answer`, `OCSP request`), `block` and `line` (in PEM, from 1, else null) and `start` (the first byte in a DER
/// file); what stands in a PKCS #12 or PKCS #7 structure also has `entry`, from 1. The first three have `publicKey`: `algorithm`, `description`, `bits` (null if unknown),
/// `pin`, `sha256` (hexadecimal). Lists and answers are described in `RevocationJSON.swift`.
///
/// A certificate adds `x509Version`, `serialNumber`, `subject`, `issuer`, `isSelfIssued`,
/// `notBefore`, `notAfter`, `validity` (`valid`, `expired` or `notYetValid` at `time`),
/// `secondsLeft` (negative after the end), `signatureAlgorithm` (`oid`, `description`), `sha256` of
/// the DER, `findings` and `extensions`. A request adds `subject`, `signatureAlgorithm`, `findings`,
/// `extensions` (those that are asked for, or null) and `attributes`, each with `oid` and one of
/// `challengePassword`, `unstructuredName` (strings) and `values` (DER); that of the extensions has none.
///
/// `extensions` has `list` (`oid`, `name` or null, `critical`, `decoded`, and for what is not decoded
/// its `value`) and a member for each known extension that is there, as below.
///
/// Each problem has `file`, `block`, `line`, `offset` (of the byte: in the DER of the block, or in a
/// DER file), `field`, `problem` and `rule`; null where it does not apply.
extension InputItem {
  func json(_ certificate: Certificate, at time: Timestamp) -> JSONValue {
    let validity = Validity(certificate, at: time)
    return .object(
      place([
        "x509Version": .number(certificate.version),
        "serialNumber": .string("\(certificate.serialNumber)"),
        "subject": .string("\(certificate.subject)"),
        "issuer": .string("\(certificate.issuer)"),
        "isSelfIssued": .bool(certificate.isSelfIssued),
        "notBefore": .string("\(certificate.notBefore)"),
        "notAfter": .string("\(certificate.notAfter)"),
        "validity": .string(validity.name),
        "secondsLeft": .number(Int(clamping: certificate.notAfter.seconds(since: time))),
        "publicKey": InputItem.json(certificate.publicKey),
        "signatureAlgorithm": InputItem.json(certificate.signatureAlgorithm),
        "sha256": .string(Hexadecimal.text(of: certificate.fingerprint())),
        "extensions": certificate.extensions.json,
        "findings": .strings(certificate.deviations.map { "\($0)" }),
      ]))
  }

  func json(_ request: CertificateRequest) -> JSONValue {
    .object(
      place([
        "subject": .string("\(request.subject)"),
        "publicKey": InputItem.json(request.publicKey),
        "signatureAlgorithm": InputItem.json(request.signatureAlgorithm),
        "attributes": .array(request.attributes.map(\.json)),
        "extensions": request.requestedExtensions?.json ?? .null,
        "findings": .strings(request.deviations.map { "\($0)" }),
      ]))
  }

  func json(_ key: PublicKey) -> JSONValue {
    .object(place(["publicKey": InputItem.json(key)]))
  }

  /// The place of the item, and then what it says.
  func place(_ members: KeyValuePairs<String, JSONValue>) -> [JSONValue.Member] {
    let facts: KeyValuePairs<String, JSONValue> = [
      "file": .string(place.file),
      "kind": .string(kind == .rsaPublicKey ? InputItem.Kind.publicKey.name : kind.name),
      "block": .optional(place.block), "line": .optional(place.line),
      "start": .number(place.start),
    ]
    let entry = place.entry.map { [("entry", JSONValue.number($0))] } ?? []
    return (Array(facts) + entry + Array(members)).map {
      JSONValue.Member(name: $0.0, value: $0.1)
    }
  }

  private static func json(_ key: PublicKey) -> JSONValue {
    let pin = PinText(key)
    return .object([
      "algorithm": .string("\(key.algorithm)"), "description": .string("\(key)"),
      "bits": .optional(key.bits), "pin": .string(pin.text()),
      "sha256": .string(pin.text(.hexadecimal)),
    ])
  }

  static func json(_ algorithm: SignatureAlgorithm) -> JSONValue {
    .object(["oid": .string("\(algorithm.oid)"), "description": .string("\(algorithm)")])
  }
}

extension CertificateRequest.Attribute {
  fileprivate var json: JSONValue {
    let oid = JSONValue.string("\(type)")
    return switch self {
    case .extensionRequest: .object(["oid": oid])
    case .challengePassword(let text): .object(["oid": oid, "challengePassword": .string(text)])
    case .unstructuredName(let texts): .object(["oid": oid, "unstructuredName": .strings(texts)])
    case .other(_, let values): .object(["oid": oid, "values": .string("\(values)")])
    }
  }
}

extension Extensions {
  fileprivate var json: JSONValue {
    var members: [JSONValue.Member] = []
    func add(_ name: String, _ value: JSONValue?) {
      if let value { members.append(JSONValue.Member(name: name, value: value)) }
    }
    func names(_ list: some Collection<GeneralName>) -> JSONValue? {
      list.isEmpty ? nil : .array(list.map(\.json))
    }
    func access(_ list: DERList<AccessDescription>) -> JSONValue? {
      list.isEmpty ? nil : .array(list.map(\.json))
    }
    func points(_ list: DERList<DistributionPoint>) -> JSONValue? {
      list.isEmpty ? nil : .array(list.map(\.json))
    }
    add("list", .array(map(\.json)))
    add("subjectAltName", names(subjectAlternativeNames))
    add("issuerAltName", names(issuerAlternativeNames))
    add("keyUsage", keyUsage.map { .strings($0.names) })
    add("extKeyUsage", extendedKeyUsage.map { .strings($0.map { "\($0)" }) })
    add("basicConstraints", basicConstraints?.json)
    add("nameConstraints", nameConstraints?.json)
    add(
      "certificatePolicies",
      certificatePolicies.isEmpty ? nil : .strings(certificatePolicies.map { "\($0.policy)" }))
    add("policyMappings", policyMappings.isEmpty ? nil : .array(policyMappings.map(\.json)))
    add("policyConstraints", policyConstraints?.json)
    add("inhibitAnyPolicy", inhibitAnyPolicy.map { .number($0) })
    add("subjectKeyIdentifier", subjectKeyIdentifier.map { .string("\($0)") })
    add("authorityKeyIdentifier", authorityKeyIdentifier?.json)
    add("authorityInfoAccess", access(authorityInformationAccess))
    add("subjectInfoAccess", access(subjectInformationAccess))
    add("cRLDistributionPoints", points(crlDistributionPoints))
    add("freshestCRL", points(freshestCRL))
    add("tlsFeature", tlsFeatures.isEmpty ? nil : .array(tlsFeatures.map { .number(Int($0)) }))
    add(
      "signedCertificateTimestamps",
      signedCertificateTimestamps.isEmpty ? nil : .number(signedCertificateTimestamps.count))
    add("ocspNoCheck", hasOCSPNoCheck ? .bool(true) : nil)
    return .object(members)
  }
}

extension Extension {
  var json: JSONValue {
    var members: [JSONValue.Member] = [
      JSONValue.Member(name: "oid", value: .string("\(oid)")),
      JSONValue.Member(name: "name", value: .optional(KnownExtension(oid)?.row.name)),
      JSONValue.Member(name: "critical", value: .bool(isCritical)),
      JSONValue.Member(name: "decoded", value: .bool(isDecoded)),
    ]
    if !isDecoded { members.append(JSONValue.Member(name: "value", value: .string("\(value)"))) }
    return .object(members)
  }
}

extension GeneralName {
  /// `{"type": "DNS", "value": "example.com"}`.
  var json: JSONValue {
    let (type, value) =
      switch self {
      case .other(let type, let value): ("otherName", "\(type):\(value)")
      case .email(let text): ("email", "\(text)")
      case .dns(let text): ("DNS", "\(text)")
      case .x400(let octets): ("x400Address", "\(octets)")
      case .directory(let name): ("directoryName", "\(name)")
      case .ediParty(let octets): ("ediPartyName", "\(octets)")
      case .uri(let text): ("URI", "\(text)")
      case .ip(let address): ("IP", "\(address)")
      case .registeredID(let oid): ("registeredID", "\(oid)")
      }
    return .object(["type": .string(type), "value": .string(value)])
  }
}

extension BasicConstraints {
  fileprivate var json: JSONValue {
    .object(["cA": .bool(isCA), "pathLength": .optional(pathLength)])
  }
}

extension NameConstraints {
  /// Subtrees as text: `DNS:example.com`.
  fileprivate var json: JSONValue {
    .object([
      "permitted": .strings(permitted.map { "\($0.base)" }),
      "excluded": .strings(excluded.map { "\($0.base)" }),
    ])
  }
}

extension PolicyMapping {
  fileprivate var json: JSONValue {
    .object([
      "issuerDomainPolicy": .string("\(issuerDomainPolicy)"),
      "subjectDomainPolicy": .string("\(subjectDomainPolicy)"),
    ])
  }
}

extension PolicyConstraints {
  fileprivate var json: JSONValue {
    .object([
      "requireExplicitPolicy": .optional(requireExplicitPolicy),
      "inhibitPolicyMapping": .optional(inhibitPolicyMapping),
    ])
  }
}

extension AuthorityKeyIdentifier {
  var json: JSONValue {
    .object([
      "keyIdentifier": .optional(keyIdentifier.map { "\($0)" }),
      "issuer": .array(issuer.map(\.json)),
      "serialNumber": .optional(serialNumber.map { "\($0)" }),
    ])
  }
}

extension AccessDescription {
  var json: JSONValue {
    .object(["method": .string("\(method)"), "location": location.json])
  }
}

extension DistributionPoint {
  /// `names` are those of the point, `relative` the bytes of a relative name.
  var json: JSONValue {
    var names: [GeneralName] = []
    var relative: String?
    switch name {
    case .full(let full)?: names = Array(full)
    case .relative(let octets)?: relative = "\(octets)"
    case nil: break
    }
    return .object([
      "names": .array(names.map(\.json)), "relative": .optional(relative),
      "reasons": .optional(reasons.map { Int($0.rawValue) }),
      "crlIssuer": .array(crlIssuer.map(\.json)),
    ])
  }
}
