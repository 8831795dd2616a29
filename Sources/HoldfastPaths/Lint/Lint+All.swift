internal import HoldfastCertificates

// MARK: The table

extension Lint {
  /// All checks.
  public static let all: [Lint] =
    ScheduledRequirement.all.map { Lint($0) } + profiles.compactMap(\.self) + keys + identifiers
    + names + services

  /// Those that the profiles have. RFC 5280's count for any issuance, those of the Baseline
  /// Requirements since these exist or since the ballot that brought them.
  private static let profiles: [Lint?] = [
    Lint("version-3", "version 3"),
    Lint("der-encoding", "DER and the encodings"),
    Lint("no-unique-identifiers", "no unique identifiers"),
    Lint("noncritical-extensions", "non-critical extensions"),
    Lint("critical-extensions", "critical extensions"),
    Lint("authority-key-identifier", "an authority key identifier, unless"),
    Lint("authority-key-identifier-value", "a key identifier in the authority"),
    Lint("authority-key-identifier-alone", "neither issuer nor serial", from: "2023-09-15"),
    Lint("no-cert-sign", "no keyCertSign in the key usage"),
    Lint("no-any-purpose", "no anyExtendedKeyUsage", from: "2012-07-01"),
    Lint("ca-basic-constraints-critical", "critical basic constraints"),
    Lint("ca-key-usage", "a key usage"),
    Lint("ca-cert-sign", "keyCertSign in the key usage"),
    Lint("ca-subject-key-identifier", "a subject key identifier"),
    Lint("san-syntax", "alternative names that are host names"),
    Lint("location-uri", "absolute URIs as locations"),
    Lint("name-constraints-syntax", "name constraints in the syntax"),
    Lint("email-in-san", "the subject's e-mail addresses"),
    Lint("reserved-label", "no hyphens in the third", from: "2021-10-01"),
    Lint("notice-encoding", "policy notices in UTF8String"),
    Lint("notice-length", "policy notices of at most"),
    Lint("attribute-types", "attributes in the string types and lengths of RFC"),
    Lint("attribute-alone", "one attribute in each", from: "2023-09-15"),
    Lint("attribute-repeated", "no attribute twice", from: "2023-09-15"),
    Lint("san-present", "alternative names", from: "2012-07-01"),
    Lint("san-forms", "only host names and addresses", from: "2012-07-01"),
    Lint("no-other-purpose", "no purpose but those of TLS", from: "2023-09-15"),
    Lint("no-any-policy", "no anyPolicy", from: "2023-09-15"),
    Lint("one-reserved-policy", "if it has policies", from: "2023-09-15"),
    Lint("information-access-methods", "no information access but", from: "2023-09-15"),
    Lint("information-access-http", "that at HTTP addresses", from: "2023-09-15"),
    Lint("distribution-point-http", "CRL distribution points at HTTP", from: "2023-09-15"),
    Lint("distribution-point-fields", "CRL distribution points with full", from: "2023-09-15"),
  ]

  // MARK: Keys and signatures

  private static let keys: [Lint] = [
    Lint(
      "rsa-2048", "at least 2,048 bits of RSA modulus", "CA/B BR §6.1.5", .error, .all,
      from: "2014-01-01"
    ) {
      guard case .rsa(let bits, _, _) = $0.keySummary, bits < 2048 else { return [] }
      return [Evidence("RSA key of \(bits) bits", at: $0.publicKeyRange)]
    },
    Lint(
      "rsa-exponent", "an RSA exponent of at least 65,537", "CA/B BR §6.1.6", .warning, .all
    ) {
      guard case .rsa(_, let bits, _) = $0.keySummary, bits < 17 else { return [] }
      return [Evidence("RSA exponent of \(bits) bits", at: $0.publicKeyRange)]
    },
    Lint(
      "roca", "no RSA modulus of the shape that CVE-2017-15361 left", "CA/B BR §6.1.1.3", .error,
      .all
    ) { certificate in
      guard let modulus = certificate.publicKey.modulus, WeakModulus.hasROCAShape(modulus) else {
        return []
      }
      return [Evidence("the modulus has the shape of ROCA", at: certificate.publicKeyRange)]
    },
    Lint(
      "key-kind", "an RSA key, or one on P-256, P-384 or P-521", "CA/B BR §6.1.5", .error, .all,
      from: "2012-07-01"
    ) {
      switch $0.keySummary {
      case .rsa, .ec(.p256), .ec(.p384), .ec(.p521): []
      case .ec(let curve): [Evidence("key on \(curve)", at: $0.publicKeyRange)]
      case .raw, .other: [Evidence("key of another kind", at: $0.publicKeyRange)]
      }
    },
  ]

  // MARK: Serial numbers and validity

  private static let identifiers: [Lint] = [
    Lint("serial-positive", "a positive serial number", "RFC 5280 §4.1.2.2", .error, .all) {
      let number = $0.serialNumber
      return number.isNegative || number.isZero ? [Evidence(at: number.bytes.range)] : []
    },
    Lint(
      "serial-at-most-20-bytes", "a serial number of at most 20 bytes", "RFC 5280 §4.1.2.2",
      .error, .all
    ) {
      let number = $0.serialNumber.bytes
      return number.count > 20 ? [Evidence("\(number.count) bytes", at: number.range)] : []
    },
    Lint(
      "serial-entropy", "a serial number long enough for 64 random bits",
      "CA/B BR §7.1, ballot 164", .warning, [.server, .other, .issuer], from: "2016-09-30"
    ) {
      let number = $0.serialNumber.bytes
      return number.count < 8 ? [Evidence("\(number.count) bytes", at: number.range)] : []
    },
    Lint("validity-order", "an end after the beginning", "RFC 5280 §4.1.2.5", .error, .all) {
      $0.notAfter < $0.notBefore ? [Evidence(at: $0.range(of: .notAfter))] : []
    },
  ]
}
