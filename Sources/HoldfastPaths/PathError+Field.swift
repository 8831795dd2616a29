internal import HoldfastCertificates
internal import HoldfastDER

extension PathError.Rejection {
  /// The field of the certificate that broke the rule, by its name in RFC 5280 §4.1: `notAfter`,
  /// `signatureValue`, `nameConstraints`. Nil where it is no one field's fault.
  public var field: String? {
    guard let certificate else { return nil }
    return octets.map { "\(certificate.field(at: $0.lowerBound))" } ?? rule.field
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
