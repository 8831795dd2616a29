internal import HoldfastCertificates

/// The requirements of RFC 5280 §4 and the Baseline Requirements §7.1 on CAs, as far as a validator
/// can see them in a certificate.
extension CertificateChecks {
  private var isWeb: Bool { rules.profile == .webPKI }

  /// The most encoding deviations reported for one certificate. It may have thousands, which would
  /// be repeated in the diagnosis of each path.
  private static let maximumDeviations = 8

  /// Checks the profile of the certificate to validate.
  func checkProfile(
    ofLeaf leaf: Certificate, _ log: inout Violations
  ) throws(CheckFailure) {
    try checkEvery(leaf, isAnchor: false, &log)
    let extensions = leaf.extensions
    let alternative = extensions[.subjectAltName]
    // RFC 5280 §4.2.1.6: the preferred name syntax of RFC 1034 §3.5 has no underscore.
    for case .dns(let host) in extensions.subjectAlternativeNames where host.bytes.contains(0x5F) {
      try log.report(.extensionValue, .extension(.subjectAltName), at: host.bytes.range)
    }
    if isWeb, !leaf.subject.isEmpty, let alternative, alternative.isCritical {
      try log.report(.extensionCritical, of: .subjectAltName, in: leaf)
    }
    if extensions.basicConstraints?.isCA != true {
      try checkAbsent([.nameConstraints, .policyMappings, .policyConstraints], leaf, &log)
      if !isWeb { try checkAbsent([.inhibitAnyPolicy], leaf, &log) }
      if extensions.keyUsage?.contains(.keyCertSign) == true {
        try log.report(.certSignWithoutAuthority, at: leaf.place(of: .keyUsage))
      }
      if isWeb { try checkSubscriber(leaf, &log) }
    } else {
      try checkAuthority(leaf, &log)
    }
    if isWeb, purpose.extendedKeyUsages.contains(.serverAuth), alternative == nil {
      try log.report(.extensionMissing, of: .subjectAltName, in: leaf)
    }
  }

  /// Checks the profile of an issuer's certificate.
  func checkProfile(
    ofIssuer issuer: Certificate, _ log: inout Violations
  ) throws(CheckFailure) {
    try checkEvery(issuer, isAnchor: false, &log)
    try checkAuthority(issuer, &log)
  }

  /// Checks the profile of an anchor's certificate.
  func checkProfile(
    ofAnchor anchor: Certificate, _ log: inout Violations
  ) throws(CheckFailure) {
    try checkEvery(anchor, isAnchor: true, &log)
    guard let constraints = anchor.extensions.basicConstraints else {
      try log.report(.basicConstraintsMissing)
      return
    }
    if !constraints.isCA { try log.report(.notAuthority, at: anchor.place(of: .basicConstraints)) }
    try checkAuthority(anchor, &log)
    guard isWeb, anchor.isSelfIssued else { return }
    try checkAbsent([.extKeyUsage], anchor, &log)  // CA/B BR §7.1.2.1.2
    // CA/B BR §7.1.2.1.3
    if let identifier = anchor.extensions.authorityKeyIdentifier?.keyIdentifier,
      identifier != anchor.extensions.subjectKeyIdentifier
    {
      try log.report(.extensionValue, of: .authorityKeyIdentifier, in: anchor)
    }
  }

  /// Checks what applies to any certificate: RFC 5280 §4.1 and the common extensions.
  private func checkEvery(
    _ certificate: Certificate, isAnchor: Bool, _ log: inout Violations
  ) throws(CheckFailure) {
    if certificate.version != 3 { try log.report(.version, .number(certificate.version)) }
    if certificate.issuer.isEmpty { try log.report(.emptyIssuer, at: certificate.issuer.der.range) }
    let odd = certificate.deviations.lazy.filter(\.isAgainstProfile)
    for finding in odd.prefix(CertificateChecks.maximumDeviations) {
      try log.report(.encoding, .encoding(finding))
    }
    for next in certificate.extensions {
      let criticality = next.known?.row.criticality ?? .free
      if next.isCritical, criticality == .mustNotBeCritical {
        try log.report(.extensionCritical, .extension(next.oid), at: next.value.range)
      }
      if !next.isCritical,
        criticality == .mustBeCritical || criticality == .mustBeCriticalOutsideWeb && !isWeb
      {
        try log.report(.extensionNotCritical, .extension(next.oid), at: next.value.range)
      }
    }
    // RFC 9608 §2, §3: neither in a CA certificate nor together with a source of revocation
    // information.
    if certificate.extensions.hasNoRevocationAvailable, !certificate.isExemptFromRevocation {
      try log.report(.extensionMisplaced, of: .noRevAvail, in: certificate)
    }
    // CA/B BR §6.1.5
    if isWeb, case .rsa(let bits, _, _) = certificate.keySummary, bits % 8 != 0 {
      try log.report(.unevenKey, .number(bits), at: certificate.publicKeyRange)
    }
    try checkKeyIdentifiers(of: certificate, &log)
  }

  /// Checks the authority key identifier. RFC 5280 §4.2.1.1, CA/B BR §7.1.2.11.1
  private func checkKeyIdentifiers(
    of certificate: Certificate, _ log: inout Violations
  ) throws(CheckFailure) {
    guard let authority = certificate.extensions.authorityKeyIdentifier else {
      // A self-signed certificate, which only distributes its key, may omit it.
      if !certificate.isSelfIssued {
        try log.report(.extensionMissing, of: .authorityKeyIdentifier, in: certificate)
      }
      return
    }
    if authority.keyIdentifier == nil {
      try log.report(.extensionValue, of: .authorityKeyIdentifier, in: certificate)
    }
    if isWeb, !authority.issuer.isEmpty || authority.serialNumber != nil {
      try log.report(.extensionValue, of: .authorityKeyIdentifier, in: certificate)
    }
  }

  /// Checks the extensions of a CA. RFC 5280 §4.2.1.2, §4.2.1.3, §4.2.1.5, §4.2.1.9
  private func checkAuthority(_ authority: Certificate, _ log: inout Violations)
    throws(CheckFailure)
  {
    let extensions = authority.extensions
    if extensions.subjectKeyIdentifier == nil {
      try log.report(.extensionMissing, of: .subjectKeyIdentifier, in: authority)
    }
    if let constraints = extensions[.basicConstraints], !constraints.isCritical {
      try log.report(.extensionNotCritical, of: .basicConstraints, in: authority)
    }
    for mapping in extensions.policyMappings where mapping.isOfAnyPolicy {
      try log.report(.mappingOfAnyPolicy, at: authority.place(of: .policyMappings))
    }
    guard let keyUsage = extensions.keyUsage else {
      try log.report(.extensionMissing, of: .keyUsage, in: authority)
      return
    }
    if !keyUsage.contains(.keyCertSign) {
      try log.report(.keyUsage, .keyUsage(.keyCertSign), at: authority.place(of: .keyUsage))
    }
  }

  private func checkAbsent(
    _ oids: [OID], _ certificate: Certificate, _ log: inout Violations
  ) throws(CheckFailure) {
    for oid in oids where certificate.extensions[oid] != nil {
      try log.report(.extensionMisplaced, of: oid, in: certificate)
    }
  }

  /// Checks the extended key usage of a subscriber. CA/B BR §7.1.2.7.6, §7.1.2.7.10
  private func checkSubscriber(_ leaf: Certificate, _ log: inout Violations) throws(CheckFailure) {
    if leaf.extensions.isCritical(.extKeyUsage) {
      try log.report(.extensionCritical, of: .extKeyUsage, in: leaf)
    }
    if leaf.extensions.extendedKeyUsage?.contains(.anyExtendedKeyUsage) == true {
      try log.report(.extendedKeyUsageAny, at: leaf.place(of: .extKeyUsage))
    }
  }
}

extension EncodingDeviation {
  /// Whether a profile rejects the deviation; false for deviations that have checks of their own.
  var isAgainstProfile: Bool {
    switch self {
    case .serialNumberNegative, .serialNumberZero, .serialNumberTooLong,
      .signatureAlgorithmsDiffer, .rsaParametersAbsent:
      false
    case .defaultEncoded, .generalizedTimeBefore2050, .trailingZeroBits, .setNotSorted, .badString,
      .badTimestampList, .emptyExtension, .pathLengthWithoutCA,
      .emptyRevokedCertificates, .otherNameWithoutTag, .emptyEntryExtensions,
      .invalidityDateInUTCTime, .criticalExtension:
      true
    }
  }
}
