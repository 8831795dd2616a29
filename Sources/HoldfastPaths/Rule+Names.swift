internal import HoldfastCertificates

extension Rule {
  /// The stable name of the rule, as JSON and vector files have it.
  public var name: String { nameAndCitation.0 }

  /// The paragraph that asks for it.
  public var citation: String { nameAndCitation.1 }

  private var nameAndCitation: (String, String) {
    switch self {
    case .issuerNotFound: ("issuerNotFound", "RFC 5280 §6.1.3 (a)(4)")
    case .untrustedRoot: ("untrustedRoot", "RFC 5280 §6.1.1 (d)")
    case .signature: ("signature", "RFC 5280 §6.1.3 (a)(1)")
    case .unsupportedAlgorithm: ("unsupportedAlgorithm", "RFC 5280 §6.1.3 (a)(1)")
    case .unsupportedKey: ("unsupportedKey", "RFC 5280 §6.1.3 (a)(1)")
    case .algorithmsDiffer: ("algorithmsDiffer", "RFC 5280 §4.1.1.2")
    case .weakDigest: ("weakDigest", "CA/B BR §7.1.3.2")
    case .impossibleKey: ("impossibleKey", "CA/B BR §6.1.6")
    case .weakKey: ("weakKey", "CA/B BR §6.1.5")
    case .unevenKey: ("unevenKey", "CA/B BR §6.1.5")
    case .oversizedKey: ("oversizedKey", "limit of the rules")
    case .curveNotAllowed: ("curveNotAllowed", "CA/B BR §6.1.5")
    case .algorithmNotAllowed: ("algorithmNotAllowed", "CA/B BR §7.1.3")
    case .notYetValid: ("notYetValid", "RFC 5280 §6.1.3 (a)(2)")
    case .expired: ("expired", "RFC 5280 §6.1.3 (a)(2)")
    case .validityTooLong: ("validityTooLong", "CA/B BR §6.3.2")
    case .revoked: ("revoked", "RFC 5280 §6.1.3 (a)(3)")
    case .revocationUnknown: ("revocationUnknown", "RFC 5280 §6.1.3 (a)(3)")
    case .nameChaining: ("nameChaining", "RFC 5280 §6.1.3 (a)(4)")
    case .nameNotPermitted: ("nameNotPermitted", "RFC 5280 §6.1.3 (b)")
    case .nameExcluded: ("nameExcluded", "RFC 5280 §6.1.3 (c)")
    case .constraintUnsupported: ("constraintUnsupported", "RFC 5280 §4.2.1.10")
    case .constraintMalformed: ("constraintMalformed", "RFC 5280 §4.2.1.10")
    case .constraintsTooMany: ("constraintsTooMany", "limit of the rules")
    case .nameMalformed: ("nameMalformed", "RFC 5280 §4.2.1.6")
    case .policyRequired: ("policyRequired", "RFC 9618 §5.5 (g)")
    case .mappingOfAnyPolicy: ("mappingOfAnyPolicy", "RFC 5280 §6.1.4 (a)")
    case .issuerVersion: ("issuerVersion", "RFC 5280 §6.1.4 (k)")
    case .basicConstraintsMissing: ("basicConstraintsMissing", "RFC 5280 §6.1.4 (k)")
    case .notAuthority: ("notAuthority", "RFC 5280 §6.1.4 (k)")
    case .pathLength: ("pathLength", "RFC 5280 §6.1.4 (l)")
    case .keyUsage(.keyCertSign): ("keyUsage", "RFC 5280 §6.1.4 (n)")
    case .keyUsage: ("keyUsage", "RFC 5280 §4.2.1.3")
    case .unknownCriticalExtension: ("unknownCriticalExtension", "RFC 5280 §6.1.4 (o)")
    default: nameAndCitationOfLeaf
    }
  }

  private var nameAndCitationOfLeaf: (String, String) {
    switch self {
    case .extendedKeyUsage: ("extendedKeyUsage", "RFC 5280 §4.2.1.12")
    case .extendedKeyUsageMissing: ("extendedKeyUsageMissing", "CA/B BR §7.1.2.7.10")
    case .extendedKeyUsageAny: ("extendedKeyUsageAny", "CA/B BR §7.1.2.7.10")
    case .hostName: ("hostName", "RFC 9525 §6.3")
    case .noHostNames: ("noHostNames", "RFC 9525 §6.1")
    case .emailAddress: ("emailAddress", "RFC 8550 §3")
    case .leafIsAuthority: ("leafIsAuthority", "CA/B BR §7.1.2.7.8")
    case .leafIsAnchor: ("leafIsAnchor", "RFC 5280 §6.1")
    case .version: ("version", "RFC 5280 §4.1.2.1")
    case .extensionCritical(let oid): ("extensionCritical", Rule.citation(of: oid))
    case .extensionNotCritical(let oid): ("extensionNotCritical", Rule.citation(of: oid))
    case .extensionMissing(let oid): ("extensionMissing", Rule.citation(of: oid))
    case .extensionMisplaced(let oid): ("extensionMisplaced", Rule.citation(of: oid))
    case .extensionValue(let oid): ("extensionValue", Rule.citation(of: oid))
    case .emptyIssuer: ("emptyIssuer", "RFC 5280 §4.1.2.4")
    case .emptySubject: ("emptySubject", "RFC 5280 §4.1.2.6")
    case .certSignWithoutAuthority: ("certSignWithoutAuthority", "RFC 5280 §4.2.1.9")
    case .commonName: ("commonName", "CA/B BR §7.1.4.3")
    case .wildcardTooWide: ("wildcardTooWide", "CA/B BR §3.2.2.6")
    case .encoding(let finding): ("encoding", finding.citation)
    case .veto: ("veto", "the caller's veto")
    // Not reached: the rest is above.
    default: ("unknown", "")
    }
  }

  fileprivate static func citation(of oid: OID) -> String {
    CertificateError.Field.extension(oid).citation
  }

  /// Every rule once, with values that only stand for others.
  public static let all: [Rule] = {
    let oid = OID.keyUsage
    let name = GeneralName.registeredID(oid)
    let time = Timestamp(secondsSince1970: 0)
    return [
      .issuerNotFound, .untrustedRoot, .signature, .unsupportedAlgorithm, .unsupportedKey,
      .algorithmsDiffer, .weakDigest(.sha1), .impossibleKey,
      .weakKey(bits: 1024, minimum: 2048), .unevenKey(bits: 2052),
      .oversizedKey(bits: 16_384, maximum: 8192),
      .curveNotAllowed(.p192), .algorithmNotAllowed,
      .notYetValid(time), .expired(time), .validityTooLong(seconds: 0, limit: 0),
      .revoked(.none), .revocationUnknown(.none), .nameChaining, .nameNotPermitted(name),
      .nameExcluded(name),
      .constraintUnsupported, .constraintMalformed, .constraintsTooMany(limit: 0),
      .nameMalformed(name), .policyRequired,
      .mappingOfAnyPolicy, .issuerVersion(1), .basicConstraintsMissing, .notAuthority,
      .pathLength(0), .keyUsage(.keyCertSign), .unknownCriticalExtension(oid),
      .extendedKeyUsage(oid), .extendedKeyUsageMissing, .extendedKeyUsageAny, .hostName,
      .noHostNames, .emailAddress, .leafIsAuthority, .leafIsAnchor, .version(1),
      .extensionCritical(oid), .extensionNotCritical(oid), .extensionMissing(oid),
      .extensionMisplaced(oid), .extensionValue(oid), .emptyIssuer, .emptySubject,
      .certSignWithoutAuthority, .commonName, .wildcardTooWide, .encoding(.serialNumberZero),
      .veto(""),
    ]
  }()
}

extension Finding {
  /// The paragraph that the oddity breaks.
  var citation: String {
    switch self {
    case .serialNumberZero, .serialNumberNegative, .serialNumberTooLong: "RFC 5280 §4.1.2.2"
    case .rsaParametersAbsent: "RFC 4055 §2.1"
    case .signatureAlgorithmsDiffer: "RFC 5280 §4.1.1.2"
    case .defaultEncoded: "X.690 §11.5"
    case .generalizedTimeBefore2050: "RFC 5280 §4.1.2.5"
    case .trailingZeroBits: "X.690 §11.2.2"
    case .setNotSorted: "X.690 §11.6"
    case .badString: "X.680 §41"
    case .badTimestampList: "RFC 6962 §3.3"
    case .emptyExtension(let oid): Rule.citation(of: oid)
    case .pathLengthWithoutCA: "RFC 5280 §4.2.1.9"
    case .emptyEntryExtensions: "RFC 5280 §5.1"
    case .invalidityDateInUTCTime: "RFC 5280 §5.3.2"
    case .criticalExtension(let oid): oid.revocationCitation ?? "RFC 6960 §4.4"
    }
  }
}
