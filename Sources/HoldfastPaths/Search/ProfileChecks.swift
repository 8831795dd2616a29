internal import HoldfastCertificates

/// What RFC 5280 §4 and the Baseline Requirements §7.1 ask of whoever issues, as far as a validator
/// can see it in a certificate.
struct ProfileChecks {
  let rules: ValidationRules

  private var isWeb: Bool { rules.requiresWebProfile }

  /// Checks the certificate to validate.
  func checkLeaf(
    _ leaf: Certificate, _ purpose: Purpose, _ log: inout RuleLog
  ) throws(Stop) {
    try checkEvery(leaf, isAnchor: false, &log)
    let extensions = leaf.extensions
    let alternative = extensions[.subjectAltName]
    if leaf.subject.isEmpty {
      // RFC 5280 §4.1.2.6
      if let alternative {
        if !alternative.isCritical {
          try log.report(.extensionNotCritical(.subjectAltName), alternative.value.range)
        }
      } else {
        try log.report(.emptySubject, leaf.subject.der.range)
      }
    } else if isWeb, let alternative, alternative.isCritical {
      try log.report(.extensionCritical(.subjectAltName), alternative.value.range)
    }
    if extensions.basicConstraints?.isCA != true {
      try checkAbsent([.nameConstraints, .policyMappings, .policyConstraints], leaf, &log)
      if !isWeb { try checkAbsent([.inhibitAnyPolicy], leaf, &log) }
      if extensions.keyUsage?.contains(.keyCertSign) == true {
        try log.report(.certSignWithoutAuthority, leaf.place(of: .keyUsage))
      }
      if isWeb { try checkSubscriber(leaf, &log) }
    } else {
      try checkAuthority(leaf, &log)
    }
    if isWeb, purpose.extendedKeyUsages.contains(.serverAuth), alternative == nil {
      try log.report(.extensionMissing(.subjectAltName))
    }
  }

  /// Checks the certificate of an issuer.
  func checkIssuer(_ issuer: Certificate, _ log: inout RuleLog) throws(Stop) {
    try checkEvery(issuer, isAnchor: false, &log)
    try checkAuthority(issuer, &log)
  }

  /// Checks the certificate of an anchor.
  func checkAnchor(_ anchor: Certificate, _ log: inout RuleLog) throws(Stop) {
    try checkEvery(anchor, isAnchor: true, &log)
    guard let constraints = anchor.extensions.basicConstraints else {
      try log.report(.basicConstraintsMissing)
      return
    }
    if !constraints.isCA { try log.report(.notAuthority, anchor.place(of: .basicConstraints)) }
    try checkAuthority(anchor, &log)
    // CA/B BR §7.1.2.1.2
    if isWeb && anchor.isSelfIssued { try checkAbsent([.extKeyUsage], anchor, &log) }
  }

  /// RFC 5280 §4.1 and the extensions that any certificate may have.
  private func checkEvery(
    _ certificate: Certificate, isAnchor: Bool, _ log: inout RuleLog
  ) throws(Stop) {
    if certificate.version != 3 { try log.report(.version(certificate.version)) }
    if certificate.issuer.isEmpty { try log.report(.emptyIssuer, certificate.issuer.der.range) }
    for finding in certificate.findings {
      switch finding {
      case .serialNumberNegative, .serialNumberZero, .serialNumberTooLong,
        .signatureAlgorithmsDiffer, .rsaParametersAbsent:
        continue
      default: try log.report(.encoding(finding))
      }
    }
    for next in certificate.extensions.list {
      if next.isCritical, next.oid.mustNotBeCritical {
        try log.report(.extensionCritical(next.oid), next.value.range)
      }
      if !next.isCritical, next.oid.mustBeCritical(isWeb: isWeb) {
        try log.report(.extensionNotCritical(next.oid), next.value.range)
      }
    }
    try checkKeyIdentifiers(of: certificate, &log)
  }

  /// RFC 5280 §4.2.1.1, CA/B BR §7.1.2.11.1
  private func checkKeyIdentifiers(
    of certificate: Certificate, _ log: inout RuleLog
  ) throws(Stop) {
    let place = certificate.place(of: .authorityKeyIdentifier)
    guard let authority = certificate.extensions.authorityKeyIdentifier else {
      // A certificate that only hands out a key may leave it out.
      if !certificate.isSelfIssued {
        try log.report(.extensionMissing(.authorityKeyIdentifier))
      }
      return
    }
    if authority.keyIdentifier == nil {
      try log.report(.extensionValue(.authorityKeyIdentifier), place)
    }
    if isWeb, !authority.issuer.isEmpty || authority.serialNumber != nil {
      try log.report(.extensionValue(.authorityKeyIdentifier), place)
    }
  }

  /// RFC 5280 §4.1.2.6, §4.2.1.2, §4.2.1.3, §4.2.1.9
  private func checkAuthority(_ authority: Certificate, _ log: inout RuleLog) throws(Stop) {
    let extensions = authority.extensions
    if authority.subject.isEmpty { try log.report(.emptySubject, authority.subject.der.range) }
    if extensions.subjectKeyIdentifier == nil {
      try log.report(.extensionMissing(.subjectKeyIdentifier))
    }
    if let constraints = extensions[.basicConstraints], !constraints.isCritical {
      try log.report(.extensionNotCritical(.basicConstraints), constraints.value.range)
    }
    guard let keyUsage = extensions.keyUsage else {
      try log.report(.extensionMissing(.keyUsage))
      return
    }
    if !keyUsage.contains(.keyCertSign) {
      try log.report(.keyUsage(.keyCertSign), authority.place(of: .keyUsage))
    }
  }

  private func checkAbsent(
    _ oids: [OID], _ certificate: Certificate, _ log: inout RuleLog
  ) throws(Stop) {
    for oid in oids {
      guard let found = certificate.extensions[oid] else { continue }
      try log.report(.extensionMisplaced(oid), found.value.range)
    }
  }

  /// CA/B BR §7.1.2.7.10
  private func checkSubscriber(_ leaf: Certificate, _ log: inout RuleLog) throws(Stop) {
    if leaf.extensions.extendedKeyUsage?.contains(.anyExtendedKeyUsage) == true {
      try log.report(.extendedKeyUsageAny, leaf.place(of: .extKeyUsage))
    }
    try checkCommonName(of: leaf, &log)
  }

  /// CA/B BR §7.1.4.3: the common name, if there is one, is one of the alternative names, letter by
  /// letter, and an address in its one right form.
  ///
  /// Departs: of addresses only the form is asked for, and hosts are compared where all are of the
  /// public DNS. Common names such as `EE` beside `localhost` are in use below private authorities,
  /// and BetterTLS has them.
  private func checkCommonName(of leaf: Certificate, _ log: inout RuleLog) throws(Stop) {
    guard let value = leaf.subject.last(.commonName)?.value else { return }
    var hasAddress = false
    var hasPublicHost = false
    var hasPrivateHost = false
    for name in leaf.extensions.subjectAlternativeNames {
      switch name {
      case .dns(let text):
        if text.octets == value { return }
        if text.octets.isPublicHost { hasPublicHost = true } else { hasPrivateHost = true }
      case .ip: hasAddress = true
      default: continue
      }
    }
    let isBad =
      value.looksLikeAddress
      ? hasAddress && !value.isCanonicalAddress
      : hasPublicHost && !hasPrivateHost && value.isPublicHost
    if isBad { try log.report(.commonName, value.range) }
  }
}

extension Octets {
  /// Whether this has two labels at least and does not end as the names of RFC 6761 §6 do.
  fileprivate var isPublicHost: Bool {
    guard let dot = lastIndex(of: 0x2E) else { return false }
    let last = self[(dot + 1)...].map { 0x41...0x5A ~= $0 ? $0 + 0x20 : $0 }
    return !["localhost", "test", "invalid", "local", "example"].contains { last == Array($0.utf8) }
  }

  /// Whether this is an address as RFC 5952 §4 and RFC 3986 §3.2.2 write it.
  fileprivate var isCanonicalAddress: Bool {
    let text = String(decoding: self, as: UTF8.self)
    do throws(HostNameError) {
      guard let address = try HostName(text).address else { return false }
      return "\(address)" == text
    } catch {
      return false
    }
  }

  /// Whether this has a colon, or begins with a digit and has nothing but digits, dots and what
  /// numbers in hexadecimal have.
  fileprivate var looksLikeAddress: Bool {
    if contains(0x3A) { return true }
    guard let first, 0x30...0x39 ~= first else { return false }
    return allSatisfy { octet in
      switch octet {
      case 0x30...0x39, 0x2E, 0x41...0x46, 0x61...0x66, 0x58, 0x78: true
      default: false
      }
    }
  }
}

extension OID {
  /// RFC 5280 §4.2.1.1, §4.2.1.2, §4.2.1.8, §4.2.1.15, §4.2.2.1, §4.2.2.2
  fileprivate var mustNotBeCritical: Bool {
    switch self {
    case .authorityKeyIdentifier, .subjectKeyIdentifier, .subjectDirectoryAttributes, .freshestCRL,
      .authorityInfoAccess, .subjectInfoAccess:
      true
    default: false
    }
  }

  /// RFC 5280 §4.2.1.10, §4.2.1.11, §4.2.1.14; CA/B BR §7.1.2.5.2 lets name constraints be not
  /// critical.
  fileprivate func mustBeCritical(isWeb: Bool) -> Bool {
    switch self {
    case .policyConstraints, .inhibitAnyPolicy: true
    case .nameConstraints: !isWeb
    default: false
    }
  }
}
