internal import HoldfastCertificates

/// The requirements on issuance, as far as a validator can see them in certificates:
/// `ProfileRequirement` has those that a certificate shows by itself, here are those that it shows
/// beside its issuer's.
extension CertificateChecks {
  /// Checks the profile of the certificate to validate.
  func checkProfile(ofLeaf leaf: Certificate, _ log: inout Violations) throws(CheckFailure) {
    if leaf.extensions.basicConstraints?.isCA == true {
      try checkProfile(of: leaf, as: .issuer, &log)
    } else {
      let isServer = purpose.extendedKeyUsages.contains(.serverAuth)
      try checkProfile(of: leaf, as: isServer ? .server : .other, &log)
    }
  }

  /// Checks the profile of a certificate of some kind.
  func checkProfile(
    of certificate: Certificate, as kind: ProfileRequirement.Kinds, _ log: inout Violations
  ) throws(CheckFailure) {
    for row in ProfileRequirement.all
    where row.profiles.include(rules.profile) && row.kinds.contains(kind) {
      for finding in row.findings(certificate) {
        try log.report(row.rule, finding.detail, at: finding.bytes, citing: row.section)
      }
    }
  }

  /// Checks what a certificate shows beside the name, the key and the certificate, if there is one,
  /// of its issuer.
  func checkLink(
    from certificate: Certificate, to name: DistinguishedName, _ key: KeySummary,
    _ issuer: Certificate?, _ log: inout Violations
  ) throws(CheckFailure) {
    // RFC 5280 §4.2.1.2: the identifier of an issuer's key is the same in both certificates.
    if let identifier = certificate.extensions.authorityKeyIdentifier?.keyIdentifier,
      let expected = issuer?.extensions.subjectKeyIdentifier, identifier != expected
    {
      try log.report(.keyIdentifierDiffers, at: certificate.range(of: .authorityKeyIdentifier))
    }
    guard rules.profile == .webPKI else { return }
    if certificate.issuer != name {
      try log.report(.issuerEncoding, at: certificate.issuer.der.range)
    }
    if case .ecdsa(let hash) = certificate.signatureScheme, case .ec(let curve) = key,
      let expected = curve.digest, hash != expected
    {
      try log.report(
        .digestOfCurve, .text("\(hash) under a key on \(curve)"),
        at: certificate.signatureAlgorithmRange)
    }
  }
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

extension EncodingDeviation {
  /// Whether a profile rejects the deviation; false for deviations that have checks of their own.
  var isAgainstProfile: Bool {
    switch self {
    case .serialNumberNegative, .serialNumberZero, .serialNumberTooLong,
      .signatureAlgorithmsDiffer:
      false
    case .rsaParametersAbsent, .defaultEncoded, .generalizedTimeBefore2050, .trailingZeroBits,
      .setNotSorted, .badString, .badTimestampList, .emptyExtension, .pathLengthWithoutCA,
      .emptyRevokedCertificates, .otherNameWithoutTag, .emptyEntryExtensions,
      .invalidityDateInUTCTime, .criticalExtension:
      true
    }
  }
}
