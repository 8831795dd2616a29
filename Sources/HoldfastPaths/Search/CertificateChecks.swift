package import HoldfastCertificates

/// The checks that need only one certificate, not the path around it.
///
/// The search runs them once for each certificate, before it continues from there.
struct CertificateChecks: ~Copyable {
  let configuration: Configuration
  /// The purpose that is asked about.
  let purpose: Purpose
  /// The usages of the purpose that the leaf allows, or all if it allows none. If there are several,
  /// a path is asked for the one that all its certificates allow; see `Demand`.
  private(set) var usages: [OID]
  let time: Timestamp

  /// The usage that each certificate of a path must allow, if there is one.
  private var onlyUsage: OID? { usages.count == 1 ? usages[0] : nil }

  var rules: ValidationRules { configuration.rules }
  /// The profile of the path.
  var profile: ValidationRules.Profile { rules.profile(for: purpose) }
  /// Whether the leaf's key and its usage are checked: those of a responder and of a workload always
  /// are.
  var checksKeyAndUsage: Bool {
    rules.leaf.checksKeyAndUsage || purpose.isOfResponder || purpose.workloads != nil
  }
  /// Whether the profile asks for requirements on issuance.
  var checksProfile: Bool { configuration.checksProfile }

  /// Checks the leaf, except for what involves its issuer.
  func checkLeaf(
    _ leaf: Certificate, _ log: inout Violations, _ budget: inout Budget
  ) throws(CheckFailure) {
    try checkBasics(leaf, &log)
    // Before what a CA's certificate lacks for the purpose, which is not what is wrong with it.
    if !rules.leaf.acceptsCA, leaf.isCA {
      try log.report(.leafIsCA, at: leaf.range(of: .basicConstraints))
    }
    if checksKeyAndUsage { try checkKeyUsage(of: leaf, &log) }
    try checkUsage(of: leaf, isLeaf: true, &log)
    try checkCriticalExtensions(of: leaf, &log)
    if checksKeyAndUsage {
      try configuration.signatures.check(leaf.publicKey, &log)
    } else {
      try leaf.publicKey.checkNumbers(&log)
    }
    try checkIdentity(of: leaf, &log, &budget)
    if let limit = rules.leaf.maximumValidity {
      let seconds = leaf.notAfter.seconds(since: leaf.notBefore)
      if seconds >= limit {
        try log.report(.validityTooLong, .length(seconds, allowed: limit))
      }
    }
    if checksProfile {
      try checkProfile(
        of: leaf, as: leaf.isCA ? .issuer : purpose.isOfServer(leaf) ? .server : .other, &log)
    }
  }

  /// Checks a certificate as an issuer's.
  func checkIssuer(_ issuer: Certificate, _ log: inout Violations) throws(CheckFailure) {
    try checkBasics(issuer, &log)
    if issuer.version != 3 {  // RFC 5280 §6.1.4 (k)
      try log.report(.issuerVersion, .number(issuer.version), at: issuer.range(of: .version))
    } else if issuer.extensions.basicConstraints == nil {
      try log.report(.basicConstraintsMissing)
    }
    try checkAuthority(issuer, &log)
    try configuration.signatures.check(issuer.publicKey, &log)
    if purpose.workloads != nil { try checkSVIDSigner(issuer, &log) }
    if checksProfile { try checkProfile(of: issuer, as: .issuer, &log) }
  }

  /// Checks that the extensions of a certificate allow it to issue others. RFC 5280 §6.1.4.
  ///
  /// - Parameter known: A critical extension that is processed elsewhere.
  private func checkAuthority(
    _ authority: Certificate, besides known: OID? = nil, _ log: inout Violations
  ) throws(CheckFailure) {
    if authority.extensions.basicConstraints?.isCA == false {  // (k)
      try log.report(.notCA, at: authority.range(of: .basicConstraints))
    }
    if authority.extensions.keyUsage?.contains(.keyCertSign) == false {  // (n)
      try log.report(.keyUsage, .keyUsage(.keyCertSign), at: authority.range(of: .keyUsage))
    }
    try checkUsage(of: authority, isLeaf: false, &log)
    try checkCriticalExtensions(of: authority, besides: known, &log)  // (o)
  }

  /// Checks what the rules require of an anchor. RFC 5937.
  func checkAnchor(_ anchor: TrustAnchor, _ log: inout Violations) throws(CheckFailure) {
    try configuration.signatures.check(anchor.publicKey, &log)
    // RFC 5280 §6.1.1 (d): an anchor has a name; §4.1.2.6: a CA's name is not empty.
    if anchor.name.isEmpty { try log.report(.emptySubject, at: anchor.name.der.range) }
    try checkUsage(of: anchor, &log)
    guard let certificate = anchor.certificate else { return }
    if rules.anchors.checksValidity { try checkValidity(of: certificate, &log) }
    if rules.anchors.checksConstraints {
      try checkAuthority(certificate, besides: anchor.merkleTree?.draft.row.authority, &log)
    }
    if checksProfile { try checkProfile(of: certificate, as: .anchor, &log) }
  }

  private func checkProfile(
    of certificate: Certificate, as kind: CertificateKinds, _ log: inout Violations
  ) throws(CheckFailure) {
    for row in Requirement.profile where row.kinds.contains(kind) && row.isIn(profile) {
      try log.report(found: row.violations(by: certificate))
    }
  }

  /// Checks that the anchor is trusted for the usage. RFC 5937 §2.
  func checkUsage(of anchor: TrustAnchor, _ log: inout Violations) throws(CheckFailure) {
    guard let usage = onlyUsage, let allowed = anchor.constraints.extendedKeyUsages,
      !allowed.contains(usage)
    else { return }
    try log.report(.extendedKeyUsage, .purpose(usage))
  }

  /// Checks validity, signature algorithm, subject and serial number. RFC 5280 §6.1.3 (a)(2).
  private func checkBasics(_ certificate: Certificate, _ log: inout Violations) throws(CheckFailure)
  {
    try checkValidity(of: certificate, &log)
    try checkAlgorithm(of: certificate, &log)
    try checkSubject(of: certificate, &log)
    // Wrong serial numbers are among the deviations, and few certificates have any.
    guard rules.profile >= .serialNumbers, !certificate.deviations.isEmpty else { return }
    for deviation in certificate.deviations where rules.profile.rejects(deviation) {
      try log.report(.encoding, .encoding(deviation), at: certificate.serialNumber.bytes.range)
    }
  }

  private func checkValidity(of certificate: Certificate, _ log: inout Violations)
    throws(CheckFailure)
  {
    if time < certificate.notBefore {
      let start = certificate.range(of: .notBefore)
      try log.report(.notYetValid, .time(certificate.notBefore), at: start)
    }
    if certificate.notAfter < time {
      try log.report(.expired, .time(certificate.notAfter), at: certificate.range(of: .notAfter))
    }
  }

  /// Checks that an empty subject is replaced by critical alternative names, and that a CA's is not
  /// empty. RFC 5280 §4.1.2.6.
  private func checkSubject(of certificate: Certificate, _ log: inout Violations)
    throws(CheckFailure)
  {
    guard certificate.hasEmptySubject else { return }
    guard !certificate.isCA, !certificate.extensions.subjectAlternativeNames.isEmpty,
      let names = certificate.extensions[.subjectAltName]
    else {
      return try log.report(.emptySubject, at: certificate.subject.der.range)
    }
    if !names.isCritical {
      try log.report(.extensionNotCritical, .extension(.subjectAltName), at: names.value.range)
    }
  }

  private func checkAlgorithm(of certificate: Certificate, _ log: inout Violations)
    throws(CheckFailure)
  {
    let range = certificate.signatureAlgorithmRange
    if !certificate.repeatsSignatureAlgorithm,
      rules.signatures.requiresEqualParameters
        || !certificate.signatureAlgorithm.isEquivalent(to: certificate.innerSignatureAlgorithm)
    {
      try log.report(.algorithmsDiffer, at: range)
    }
    let scheme = certificate.signatureScheme
    // A proof in a tree, which is evaluated like a signature once there is a path to the tree's CA.
    if scheme == nil, certificate.signatureAlgorithm.oid == .merkleTreeProof,
      configuration.anchors.haveTrees(ofHash: certificate.issuerHash)
    {
      return
    }
    if scheme == nil, let wrong = certificate.signatureAlgorithm.wrongParameters {
      return try log.report(
        .signatureParameters, .text(wrong.finding), at: range, citing: wrong.citation)
    }
    try configuration.signatures.check(
      scheme, of: certificate.signatureAlgorithm.oid, range, &log)
  }
}

extension ValidationRules.Profile {
  /// Whether serial numbers must not deviate in this way, if the profile looks at them at all.
  /// RFC 5280 §4.1.2.2.
  fileprivate func rejects(_ deviation: EncodingDeviation) -> Bool {
    deviation == .serialNumberNegative || deviation == .serialNumberTooLong
      || deviation == .serialNumberZero && self >= .rfc5280
  }
}

extension CertificateChecks {
  /// Creates the checks of a leaf and what is above it.
  init(
    _ configuration: Configuration, _ purpose: Purpose, of leaf: Certificate, at time: Timestamp
  ) {
    let all = purpose.extendedKeyUsages
    self.init(configuration: configuration, purpose: purpose, usages: all, time: time)
    guard all.count > 1 else { return }
    let allowed = all.filter { usage in
      usages = [usage]
      return allowsUsage(of: leaf)
    }
    usages = allowed.isEmpty ? all : allowed
  }

  /// Whether the extended key usage of a leaf allows the purpose.
  func allowsUsage(of leaf: Certificate) -> Bool {
    Violations.areNone { log throws(CheckFailure) in
      try checkUsage(of: leaf, isLeaf: true, &log)
    }
  }

  /// Checks that the key usage of a leaf, if it has one, allows the purpose.
  private func checkKeyUsage(
    of leaf: Certificate, _ log: inout Violations
  ) throws(CheckFailure) {
    guard let usage = leaf.extensions.keyUsage, !purpose.keyUsage.isEmpty,
      usage.isDisjoint(with: purpose.keyUsage)
    else { return }
    try log.report(.keyUsage, .keyUsage(purpose.keyUsage), at: leaf.range(of: .keyUsage))
  }

  /// Checks the extended key usage. RFC 5280 §4.2.1.12, with the nesting that browsers added: a
  /// CA's own list restricts the certificates below it, except its signers of OCSP responses, which
  /// CA/B BR §7.1.2.10.6 keeps out of such a list.
  private func checkUsage(
    of certificate: Certificate, isLeaf: Bool, _ log: inout Violations
  ) throws(CheckFailure) {
    guard let usage = isLeaf ? usages.first : onlyUsage else { return }
    guard let isAllowed = certificate.extendedKeyUsageHas(usage) else {
      if isLeaf, let section = section(naming: usage) {
        try log.report(.extendedKeyUsageMissing, citing: section)
      }
      return
    }
    if isAllowed {
      if isLeaf, usage == .timeStamping { try checkTimeStamper(certificate, &log) }
      return
    }
    if !isLeaf, usage == .ocspSigning { return }
    let range = certificate.range(of: .extKeyUsage)
    if certificate.extendedKeyUsageHas(.anyExtendedKeyUsage) != true {
      let lacking = onlyUsage.map(Violation.Detail.purpose) ?? .text(Purpose.text(of: usages))
      try log.report(.extendedKeyUsage, lacking, at: range)
    } else if isLeaf, let section = section(naming: usage) {
      try log.report(.extendedKeyUsageAny, at: range, citing: section)
    }
  }

  /// Checks that what is above the leaf of a path allows the usage.
  func checkUsage(
    of found: borrowing FoundPath, _ log: inout Violations, _ budget: inout Budget
  ) throws(CheckFailure) {
    for index in 1..<found.count {
      let certificate = found.path[index]
      log.index = index
      try checkUsage(of: certificate, isLeaf: false, &log)
      if let program = try programThatDistrusts(certificate, &budget) {
        let finding = Violation.Detail.program("not trusted", program.name)
        try log.report(.programDistrust, finding, citing: "\(program)")
      }
    }
    let anchor = found.path.anchor
    log.index = found.isAnchor ? 0 : found.count
    try checkUsage(of: anchor, &log)
    if !found.isAnchor, rules.anchors.checksConstraints, let certificate = anchor.certificate {
      try checkUsage(of: certificate, isLeaf: false, &log)
    }
  }

  /// Returns the root program that distrusts a certificate that is also an anchor, so that it is no
  /// intermediate; nil while several usages are possible.
  func programThatDistrusts(
    _ certificate: Certificate, _ budget: inout Budget
  ) throws(CheckFailure) -> RootProgram? {
    guard usages.count < 2, let anchor = configuration.anchors.anchor(madeFrom: certificate) else {
      return nil
    }
    for constraint in anchor.constraints.programs {
      let usages = purpose.usages(usages, decidedBy: constraint.decidesAbout)
      if try constraint.distrusts(certificate, for: usages, &budget) { return constraint.program }
    }
    return nil
  }

  /// Returns the section by which a leaf's extended key usage must name the use itself; nil if it may be
  /// absent, or for any use.
  private func section(naming usage: OID) -> String? {
    switch usage {
    case .timeStamping: "RFC 3161 §2.3"
    case .ocspSigning: "RFC 6960 §4.2.2.2"
    // X509-SVID §4.4 lets a workload have none.
    default:
      rules.leaf.requiresExtendedKeyUsage && purpose.workloads == nil
        ? Rule.extendedKeyUsageMissing.citation : nil
    }
  }

  /// Checks that an extended key usage that names time stamping is critical, and for nothing else.
  /// RFC 3161 §2.3.
  private func checkTimeStamper(
    _ leaf: Certificate, _ log: inout Violations
  ) throws(CheckFailure) {
    let section = section(naming: .timeStamping)
    if !leaf.extensions.isCritical(.extKeyUsage) {
      try log.report(.extensionNotCritical, of: .extKeyUsage, in: leaf, citing: section)
    }
    if let other = leaf.extensions.extendedKeyUsage?.first(where: { $0 != .timeStamping }) {
      let range = leaf.range(of: .extKeyUsage)
      try log.report(.extendedKeyUsageForbidden, .purpose(other), at: range, citing: section)
    }
  }

  /// Checks for unsupported critical extensions. RFC 5280 §6.1.4 (o), §6.1.5 (f).
  private func checkCriticalExtensions(
    of certificate: Certificate, besides known: OID? = nil, _ log: inout Violations
  ) throws(CheckFailure) {
    for next in certificate.extensions.critical(besides: .processed) where next.oid != known {
      try log.report(.unknownCriticalExtension, .extension(next.oid), at: next.value.range)
    }
  }

  private func checkIdentity(
    of leaf: Certificate, _ log: inout Violations, _ budget: inout Budget
  ) throws(CheckFailure) {
    guard let identity = purpose.identity else { return }
    let names = leaf.extensions.subjectAlternativeNames
    try budget.spendNameComparisons(names.count)
    if case .spiffe(let peers) = identity { return try checkSVID(leaf, of: peers, &log) }
    if identity.isNamed(in: names, wildcards: rules.leaf.wildcards) { return }
    let range = leaf.range(of: .subjectAltName)
    switch identity {
    case .mailbox: try log.report(.emailAddress, .identity(identity), at: range)
    case .host(let host) where rules.leaf.wildcards != .never && !names.isEmpty:
      // Tests whether only the rules keep a wildcard from matching the host.
      try budget.spendNameComparisons(names.count)
      let isTooWide = host.isNamed(in: names, wildcards: .belowLabels(1))
      try log.report(isTooWide ? .wildcardTooWide : .hostName, .identity(identity), at: range)
    case .spiffe: return
    case .host:
      try log.report(names.isEmpty ? .noHostNames : .hostName, .identity(identity), at: range)
    }
  }

  /// Checks the certificate of a responder, whose path is not searched, as a leaf, except for what
  /// involves its issuer: validity, key, key usage and critical extensions.
  func checkResponder(_ responder: Certificate) throws(CheckFailure) {
    var log = Violations(recordsAll: false)
    try checkBasics(responder, &log)
    try checkKeyUsage(of: responder, &log)
    try checkCriticalExtensions(of: responder, &log)
    try configuration.signatures.check(responder.publicKey, &log)
  }
}

extension Certificate {
  /// Returns the byte range of an extension's value.
  package func range(of oid: OID) -> Range<Int>? { extensions[oid]?.value.range }
}

extension EncodingDeviation {
  /// Whether a profile rejects the deviation; false for deviations that have checks of their own.
  package var isAgainstProfile: Bool {
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
