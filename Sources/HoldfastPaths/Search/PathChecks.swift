internal import HoldfastCertificates

/// The state of RFC 5280 §6.1 along one path, with its steps in the RFC's order and by its names.
///
/// Checks of a single certificate are in `CertificateChecks`; signatures, name chaining and
/// revocation are the search's.
struct PathChecks: ~Copyable {
  /// `max_path_length`.
  private var maxPathLength: Int
  /// The current limit and the certificate that set it, which is reported if it is exceeded.
  private var limit: (length: Int, index: Int?, issuer: Certificate?)
  /// `permitted_subtrees` and `excluded_subtrees`.
  private var nameConstraints: NameConstraintChecks
  /// `valid_policy_graph`, `explicit_policy`, `policy_mapping` and `inhibit_anyPolicy`.
  private var policies: PolicyChecks
  /// The TLS features that issuers so far require of the certificates below them. RFC 7633 §4.2.2.
  private var tlsFeatures: Set<UInt16> = []

  /// Starts a path of `count` certificates, not counting the anchor's own, and reports what the
  /// anchor breaks. RFC 5280 §6.1.2.
  init(
    _ anchor: TrustAnchor, _ configuration: Configuration, certificates count: Int,
    _ log: inout Violations, _ budget: inout Budget
  ) throws(CheckFailure) {
    // The rules are not passed along: a copy of them counts five references.
    let checksConstraints = configuration.rules.anchors.checksConstraints
    policies = PolicyChecks(configuration.rules.policies, certificates: count)  // (a), (d)–(f)
    let allowsLeadingDot = configuration.rules.profile < .rfc5280
    nameConstraints = NameConstraintChecks(allowsLeadingDot: allowsLeadingDot)  // (b), (c)
    maxPathLength = configuration.rules.maximumPathLength ?? count  // (k)
    limit = (maxPathLength, nil, nil)
    try apply(anchor, checksConstraints: checksConstraints, index: count, &budget)
    log.index = count
    if checksConstraints, let certificate = anchor.certificate {
      try policies.applyAnchor(certificate, &log, &budget)
    }
  }

  /// Applies the anchor's constraints on names, path length and TLS features. RFC 5937 §3.
  private mutating func apply(
    _ anchor: TrustAnchor, checksConstraints: Bool, index: Int, _ budget: inout Budget
  ) throws(CheckFailure) {
    if let names = anchor.constraints.names { try nameConstraints.add(names, &budget) }
    for names in anchor.constraints.moreNames { try nameConstraints.add(names, &budget) }
    if let length = anchor.constraints.pathLength { shorten(to: length, by: index, nil) }
    guard checksConstraints, let extensions = anchor.certificate?.extensions else { return }
    if let names = extensions.nameConstraints { try nameConstraints.add(names, &budget) }
    if let length = extensions.basicConstraints?.pathLength {
      shorten(to: length, by: index, anchor.certificate)
    }
    tlsFeatures.formUnion(extensions.tlsFeatures)
  }

  private mutating func shorten(to length: Int, by index: Int, _ issuer: Certificate?) {
    guard length < maxPathLength else { return }
    maxPathLength = length
    limit = (length, index, issuer)
  }

  /// Processes the next certificate, from the anchor down. RFC 5280 §6.1.3.
  mutating func process(
    _ certificate: Certificate, isLast: Bool, _ log: inout Violations, _ budget: inout Budget
  ) throws(CheckFailure) {
    try nameConstraints.check(certificate, isLast: isLast, &log, &budget)  // (b), (c)
    try policies.process(certificate, isLast: isLast, &log, &budget)  // (d)–(f)
    if !tlsFeatures.isEmpty { try checkTLSFeatures(of: certificate, &log, &budget) }
  }

  /// Checks that a certificate has all TLS features of the issuers above it. RFC 7633 §4.2.2.
  private func checkTLSFeatures(
    of certificate: Certificate, _ log: inout Violations, _ budget: inout Budget
  ) throws(CheckFailure) {
    guard certificate.extensions[.tlsFeature] != nil else {
      return try log.report(.extensionMissing, of: .tlsFeature, in: certificate)
    }
    let own = certificate.extensions.tlsFeatures
    try budget.spendNameComparisons(own.count + tlsFeatures.count)
    if !tlsFeatures.isSubset(of: own) {
      try log.report(.extensionValue, of: .tlsFeature, in: certificate)
    }
  }

  /// Applies an issuer's constraints on the certificates below it. RFC 5280 §6.1.4.
  mutating func prepareForNext(
    _ issuer: Certificate, _ log: inout Violations, _ budget: inout Budget
  ) throws(CheckFailure) {
    let extensions = issuer.extensions
    try policies.prepareForNext(issuer, &log, &budget)  // (a), (b), (h)–(j)
    if let names = extensions.nameConstraints { try nameConstraints.add(names, &budget) }  // (g)
    if !issuer.isSelfIssued {  // (l)
      if maxPathLength <= 0 { try reportPathLength(&log) }
      maxPathLength -= 1
    }
    if let length = extensions.basicConstraints?.pathLength {  // (m)
      shorten(to: length, by: log.index, issuer)
    }
    let features = extensions.tlsFeatures
    try budget.spendNameComparisons(features.count)
    tlsFeatures.formUnion(features)
  }

  /// Reports that the path is longer than the limit that counts: once, however many are too many.
  mutating func reportPathLength(_ log: inout Violations) throws(CheckFailure) {
    let range = limit.issuer?.range(of: .basicConstraints)
    try log.report(
      Violation(
        .pathLength, .number(max(limit.length, 0)), at: range, index: limit.index ?? log.index))
    maxPathLength = .max
  }

  /// Processes the end of the path and returns its policies. RFC 5280 §6.1.5.
  mutating func wrapUp(_ leaf: Certificate, _ log: inout Violations) throws(CheckFailure) -> [OID]?
  {
    try policies.wrapUp(leaf, &log)  // (a), (b), (g)
  }
}
