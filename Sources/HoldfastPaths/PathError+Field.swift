internal import HoldfastCertificates
internal import HoldfastDER

extension PathError.Rejection {
  /// The field of the certificate that broke the rule, by its name in RFC 5280 §4.1: `notAfter`,
  /// `signatureValue`, `nameConstraints`. Nil where it is no one field's fault.
  public var field: String? {
    guard let certificate else { return nil }
    return octets.flatMap { certificate.field(at: $0.lowerBound) } ?? rule.field
  }
}

extension Rule {
  /// The field that a rule is about, where no octets tell.
  fileprivate var field: String? {
    switch self {
    case .issuerNotFound, .nameChaining, .emptyIssuer: "issuer"
    case .untrustedRoot, .emptySubject, .commonName: "subject"
    case .signature: "signatureValue"
    case .unsupportedAlgorithm, .algorithmsDiffer, .weakDigest: "signatureAlgorithm"
    case .unsupportedKey, .impossibleKey, .weakKey, .unevenKey, .oversizedKey,
      .curveNotAllowed, .algorithmNotAllowed:
      "subjectPublicKeyInfo"
    case .notYetValid: "notBefore"
    case .expired: "notAfter"
    case .validityTooLong: "validity"
    case .revoked, .revocationUnknown: "serialNumber"
    case .issuerVersion, .version: "version"
    case .basicConstraintsMissing, .notAuthority, .pathLength, .leafIsAuthority,
      .certSignWithoutAuthority:
      "basicConstraints"
    case .keyUsage: "keyUsage"
    case .extendedKeyUsage, .extendedKeyUsageMissing, .extendedKeyUsageAny: "extKeyUsage"
    case .hostName, .noHostNames, .emailAddress, .wildcardTooWide, .nameNotPermitted,
      .nameExcluded, .nameMalformed:
      "subjectAltName"
    case .policyRequired: "certificatePolicies"
    case .mappingOfAnyPolicy: "policyMappings"
    case .unknownCriticalExtension(let oid), .extensionCritical(let oid),
      .extensionNotCritical(let oid), .extensionMissing(let oid), .extensionMisplaced(let oid),
      .extensionValue(let oid):
      "\(CertificateError.Field.extension(oid))"
    default: nil
    }
  }
}

extension Certificate {
  /// The field in which an octet stands.
  fileprivate func field(at place: Int) -> String? {
    do throws(DERError) {
      var reader = DERReader(der)
      var certificate = try reader.read(.sequence)
      var fields = try certificate.read(.sequence)
      if place >= certificate.offset {
        _ = try certificate.readElement()
        return place < certificate.offset ? "signatureAlgorithm" : "signatureValue"
      }
      if fields.nextTag == .constructedContext(0) {
        _ = try fields.readElement()
        if place < fields.offset { return "version" }
      }
      for name in ["serialNumber", "signature", "issuer"] {
        _ = try fields.readElement()
        if place < fields.offset { return name }
      }
      var validity = try fields.read(.sequence)
      if place < fields.offset {
        _ = try validity.readElement()
        return place < validity.offset ? "notBefore" : "notAfter"
      }
      for name in ["subject", "subjectPublicKeyInfo"] {
        _ = try fields.readElement()
        if place < fields.offset { return name }
      }
      while !fields.isAtEnd {
        let tag = fields.nextTag
        var element = DERReader(try fields.readElement().content)
        guard place < fields.offset else { continue }
        guard tag == .constructedContext(3) else {
          return tag == .context(1) ? "issuerUniqueID" : "subjectUniqueID"
        }
        var list = try element.read(.sequence)
        while !list.isAtEnd {
          var next = try list.read(.sequence)
          guard place < list.offset else { continue }
          return "\(CertificateError.Field.extension(try next.readOID()))"
        }
      }
    } catch {
      // Not reached: the certificate was read before.
    }
    return nil
  }
}
