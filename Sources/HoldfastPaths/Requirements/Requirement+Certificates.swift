internal import HoldfastCertificates

// MARK: Requirements on every certificate, and on its extensions

extension Requirement {
  /// The most encoding deviations reported for one certificate. It may have thousands, which would
  /// be repeated in the diagnosis of each path.
  private static let maximumDeviations = 8

  static let certificates: [Requirement] = [
    Requirement(lint: "version-3", .version, .both, .all, "version 3") {
      $0.version == 3 ? [] : [Finding(.number($0.version), at: $0.range(of: .version))]
    },
    Requirement("issuer-name", .emptyIssuer, .both, .all, "an issuer with a name") {
      $0.issuer.isEmpty ? [Finding(at: $0.issuer.der.range)] : []
    },
    Requirement(
      lint: "der-encoding", .encoding, .both, .all,
      "DER and the encodings of RFC 5280, without deviations"
    ) {
      $0.deviations.lazy.filter { $0.isAgainstProfile }.prefix(maximumDeviations)
        .map { Finding(.encoding($0)) }
    },
    Requirement(
      lint: "no-unique-identifiers", .uniqueIdentifier, .both, .all, "no unique identifiers"
    ) {
      let found = [("issuerUniqueID", $0.issuerUniqueID), ("subjectUniqueID", $0.subjectUniqueID)]
      return found.compactMap { name, bytes in bytes.map { Finding(name, at: $0.range) } }
    },
    Requirement(
      "modulus-of-whole-bytes", .keySizeNotWholeBytes, .web, .all, "an RSA modulus of whole bytes"
    ) { brokenModulus(of: $0) },
    Requirement(
      "sha2-signature", .weakDigest, .web, [.endEntity, .issuer],
      "a signature with SHA-256, SHA-384 or SHA-512"
    ) {
      guard let hash = $0.signatureScheme?.hash, !webDigests.contains(hash) else { return [] }
      return [Finding("\(hash)", at: $0.signatureAlgorithmRange)]
    },
    Requirement(
      "pss-parameters", .signatureParameters, .web, [.endEntity, .issuer],
      "RSASSA-PSS with the digest for its mask too, and a salt as long as the digest"
    ) {
      guard case .rsaPSS(let parameters) = $0.signatureScheme,
        parameters.maskHash != parameters.hash
          || parameters.saltLength != parameters.hash.digestLength
      else { return [] }
      let found = "another digest for its mask, or a salt of another length than the digest"
      return [Finding(found, at: $0.signatureAlgorithmRange)]
    },
  ]

  private static let webDigests: Set<HashAlgorithm> = [.sha256, .sha384, .sha512]

  /// Returns the number of bits of an RSA modulus that is not one of whole bytes.
  static func brokenModulus(of certificate: Certificate) -> [Finding] {
    guard let bits = certificate.publicKey.rsa?.bits, bits % 8 != 0 else { return [] }
    return [Finding(.number(bits), at: certificate.publicKeyRange)]
  }

  static let extensions: [Requirement] = [
    Requirement(
      lint: "noncritical-extensions", .extensionCritical, .both, .all, "non-critical extensions"
    ) { findings(in: $0, .mustNotBeCritical, isCritical: true) },
    Requirement(
      lint: "critical-extensions", .extensionNotCritical, .both, .all, "critical extensions"
    ) { findings(in: $0, .mustBeCritical, isCritical: false) },
    Requirement(
      "critical-name-constraints", .extensionNotCritical, .rfc5280Alone, .all,
      "critical name constraints"
    ) { findings(in: $0, .mustBeCriticalOutsideWeb, isCritical: false) },
    Requirement(
      "noncritical-web-extensions", .extensionCritical, .web, .all,
      "non-critical policies, extended key usage, CRL distribution points and SCTs",
      "CA/B BR §7.1.2"
    ) { findings(in: $0, .mustNotBeCriticalOnWeb, isCritical: true) },
    Requirement(
      "critical-basic-constraints", .extensionNotCritical, .web, .endEntity,
      "critical basic constraints, if any", "CA/B BR §7.1.2.7.6"
    ) { findings(in: $0, .mustBeCriticalOnWeb, isCritical: false) },
    Requirement(
      "no-rev-avail", .extensionMisplaced, .both, .all,
      "noRevAvail neither for a CA nor beside a source of revocation information"
    ) {
      $0.extensions.hasNoRevocationAvailable && !$0.isExemptFromRevocation
        ? [finding(of: .noRevAvail, in: $0)] : []
    },
    Requirement(
      lint: "authority-key-identifier", .extensionMissing, .both, .all,
      "an authority key identifier, unless self-issued"
    ) {
      $0.extensions.authorityKeyIdentifier == nil && !$0.isSelfIssued
        ? [finding(of: .authorityKeyIdentifier, in: $0)] : []
    },
    Requirement(
      lint: "authority-key-identifier-value", .extensionValue, .both, .all,
      "a key identifier in the authority key identifier"
    ) {
      guard let authority = $0.extensions.authorityKeyIdentifier else { return [] }
      return authority.keyIdentifier == nil ? [finding(of: .authorityKeyIdentifier, in: $0)] : []
    },
    Requirement(
      lint: "authority-key-identifier-alone", from: "2023-09-15", .extensionValue, .web, .all,
      "neither issuer nor serial number in the same",
      "CA/B BR §7.1.2.11.1"
    ) {
      guard let authority = $0.extensions.authorityKeyIdentifier,
        !authority.issuer.isEmpty || authority.serialNumber != nil
      else { return [] }
      return [finding(of: .authorityKeyIdentifier, in: $0)]
    },
    Requirement(
      "noncritical-san", .extensionCritical, .web, .endEntity,
      "non-critical alternative names beside a subject",
      "CA/B BR §7.1.2.7.12"
    ) {
      guard !$0.subject.isEmpty, $0.extensions.isCritical(.subjectAltName) else { return [] }
      return [finding(of: .subjectAltName, in: $0)]
    },
    Requirement(
      "no-authority-extensions", .extensionMisplaced, .both, .endEntity,
      "no name constraints, policy mappings or policy constraints"
    ) { present(.nameConstraints, .policyMappings, .policyConstraints, in: $0) },
    Requirement(
      "no-inhibit-any-policy", .extensionMisplaced, .rfc5280Alone, .endEntity, "no inhibitAnyPolicy"
    ) { present(.inhibitAnyPolicy, in: $0) },
    Requirement(
      lint: "no-cert-sign", .certSignWithoutAuthority, .both, .endEntity,
      "no keyCertSign in the key usage"
    ) {
      $0.extensions.keyUsage?.contains(.keyCertSign) == true
        ? [Finding(at: $0.range(of: .keyUsage))] : []
    },
    Requirement(
      lint: "no-any-purpose", from: "2012-07-01", .extendedKeyUsageAny, .web, .endEntity,
      "no anyExtendedKeyUsage"
    ) {
      $0.extendedKeyUsageHas(.anyExtendedKeyUsage) == true
        ? [Finding(at: $0.range(of: .extKeyUsage))] : []
    },
  ]

  // MARK: Requirements on CAs

  static let authorities: [Requirement] = [
    Requirement(
      "root-basic-constraints", .basicConstraintsMissing, .both, .anchor, "basic constraints"
    ) { $0.extensions.basicConstraints == nil ? [Finding()] : [] },
    Requirement("root-ca", .notCA, .both, .anchor, "cA in the basic constraints") {
      $0.extensions.basicConstraints?.isCA == false
        ? [Finding(at: $0.range(of: .basicConstraints))] : []
    },
    Requirement(
      lint: "ca-subject-key-identifier", .extensionMissing, .both, .authority,
      "a subject key identifier"
    ) {
      $0.extensions.subjectKeyIdentifier == nil ? [finding(of: .subjectKeyIdentifier, in: $0)] : []
    },
    Requirement(
      lint: "ca-basic-constraints-critical", .extensionNotCritical, .both, .authority,
      "critical basic constraints"
    ) {
      $0.extensions.basicConstraints != nil && !$0.extensions.isCritical(.basicConstraints)
        ? [finding(of: .basicConstraints, in: $0)] : []
    },
    Requirement(
      "ca-mapping-of-any-policy", .mappingOfAnyPolicy, .both, .authority, "no mapping of anyPolicy"
    ) {
      $0.extensions.policyMappings.contains { $0.isOfAnyPolicy }
        ? [Finding(at: $0.range(of: .policyMappings))] : []
    },
    Requirement(lint: "ca-key-usage", .extensionMissing, .both, .authority, "a key usage") {
      $0.extensions.keyUsage == nil ? [finding(of: .keyUsage, in: $0)] : []
    },
    Requirement(lint: "ca-cert-sign", .keyUsage, .both, .authority, "keyCertSign in the key usage")
    {
      $0.extensions.keyUsage?.contains(.keyCertSign) == false
        ? [Finding(.keyUsage(.keyCertSign), at: $0.range(of: .keyUsage))] : []
    },
    Requirement(
      "root-purposes", .extensionMisplaced, .web, .anchor, "no extended key usage in a root",
      "CA/B BR §7.1.2.1.2"
    ) {
      $0.isSelfIssued && $0.extensions.extendedKeyUsage != nil
        ? [finding(of: .extKeyUsage, in: $0)] : []
    },
    Requirement(
      "root-key-identifiers", .extensionValue, .web, .anchor,
      "both key identifiers of a root equal", "CA/B BR §7.1.2.1.3"
    ) {
      guard $0.isSelfIssued,
        let identifier = $0.extensions.authorityKeyIdentifier?.keyIdentifier,
        identifier != $0.extensions.subjectKeyIdentifier
      else { return [] }
      return [finding(of: .authorityKeyIdentifier, in: $0)]
    },
  ]

  /// Returns what is wrong with the extensions that require a criticality.
  private static func findings(
    in certificate: Certificate, _ required: KnownExtension.Criticality, isCritical: Bool
  ) -> [Finding] {
    certificate.extensions.filter {
      $0.known?.row.criticality == required && $0.isCritical == isCritical
    }
    .map { Finding(.extension($0.oid), at: $0.value.range) }
  }

  /// Returns a finding for each of the extensions that is there.
  private static func present(_ oids: OID..., in certificate: Certificate) -> [Finding] {
    oids.filter { certificate.extensions[$0] != nil }.map { finding(of: $0, in: certificate) }
  }

  /// Returns the finding in an extension, which may be missing.
  static func finding(of oid: OID, in certificate: Certificate) -> Finding {
    Finding(.extension(oid), at: certificate.range(of: oid))
  }

  // MARK: Requirements on a certificate beside its issuer

  static let links: [Requirement] = [
    // RFC 5280 §4.2.1.2: the identifier of an issuer's key is the same in both certificates.
    Requirement(
      link: "issuer-key-identifier", .keyIdentifierDiffers, .both,
      "the issuer's subject key identifier as key identifier of the issuer, if there are both"
    ) { certificate, issuer in
      guard let identifier = certificate.extensions.authorityKeyIdentifier?.keyIdentifier,
        let expected = issuer.certificate?.extensions.subjectKeyIdentifier, identifier != expected
      else { return [] }
      return [Finding(at: certificate.range(of: .authorityKeyIdentifier))]
    },
    Requirement(
      link: "issuer-encoding", .issuerEncoding, .web, "the bytes of the issuer's subject as issuer"
    ) { certificate, issuer in
      certificate.issuer != issuer.name ? [Finding(at: certificate.issuer.der.range)] : []
    },
    Requirement(
      link: "digest-of-curve", .digestOfCurve, .web,
      "the digest that BR assigns to the curve of the issuer's key"
    ) { certificate, issuer in
      guard case .ecdsa(let hash) = certificate.signatureScheme,
        case .ec(let curve) = issuer.publicKey.kind, let expected = curve.digest,
        hash != expected
      else { return [] }
      let found = "\(hash) under a key on \(curve)"
      return [Finding(found, at: certificate.signatureAlgorithmRange)]
    },
  ]
}

extension NamedCurve {
  /// The digest of signatures under keys on the curve. CA/B BR §7.1.3.2.2.
  fileprivate var digest: HashAlgorithm? {
    switch self {
    case .p256: .sha256
    case .p384: .sha384
    case .p521: .sha512
    case .p192, .p224, .secp256k1, .brainpoolP256r1, .brainpoolP384r1, .brainpoolP512r1: nil
    }
  }
}
