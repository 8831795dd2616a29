package import HoldfastCertificates

/// The state of policy processing along a path: RFC 5280 §6.1, with the graph of RFC 9618.
///
/// The variables have the RFC's names, and calls follow its order: `applyAnchor`, then for every
/// certificate from the one below the anchor on, `process`, then `prepareForNext` or, for the last,
/// `wrapUp`.
package struct PolicyChecks: ~Copyable {
  /// `valid_policy_graph`; empty for NULL.
  private var graph = PolicyGraph()
  private var explicitPolicy: Int
  private var policyMapping: Int
  private var inhibitAnyPolicy: Int
  private let userInitialPolicySet: [OID]?
  /// The fewest bytes in the encoding of a mapping.
  private static let mappingSize = 10

  /// Starts from the user's inputs. RFC 5280 §6.1.2 (a), (d)–(f).
  ///
  /// - Parameters:
  ///   - count: The number of certificates on the path, without the anchor: the RFC's n.
  package init(_ inputs: PolicyInputs, certificates count: Int) {
    // More than the path can count down, including one for the anchor.
    let never = count + 2
    explicitPolicy = inputs.requiresExplicitPolicy ? 0 : never
    policyMapping = inputs.inhibitsMapping ? 0 : never
    inhibitAnyPolicy = inputs.inhibitsAnyPolicy ? 0 : never
    userInitialPolicySet = inputs.acceptable.flatMap { $0.contains(.anyPolicy) ? nil : $0 }
  }

  /// Processes the policies of the next certificate. RFC 5280 §6.1.3 (d)–(f).
  package mutating func process(
    _ certificate: Certificate, isLast: Bool, _ log: inout Violations, _ budget: inout Budget
  ) throws(CheckFailure) {
    let policies = certificate.policyNames
    try budget.spendComparedBytes(policies.size)
    if hasUnknownCriticalQualifier(certificate) {
      return try log.report(.unknownCriticalExtension, of: .certificatePolicies, in: certificate)
    }
    let anyPolicyCounts = inhibitAnyPolicy > 0 || (!isLast && certificate.isSelfIssued)
    // (d); without policies no node is left: (e).
    try graph.extend(with: policies, anyPolicyCounts: anyPolicyCounts, &budget)
    if lacksRequiredPolicy {  // (f)
      let range = certificate.range(of: .certificatePolicies)
      try log.report(.policyRequired, at: range, citing: "RFC 5280 §6.1.3 (f)")
    }
  }

  /// Applies the anchor's extensions as if it were an issuer, except that an anchor without
  /// policies leaves the graph unchanged. RFC 5937 §3.2.
  package mutating func applyAnchor(
    _ anchor: Certificate, _ log: inout Violations, _ budget: inout Budget
  ) throws(CheckFailure) {
    if anchor.hasPolicies {
      try graph.extend(with: anchor.policyNames, anyPolicyCounts: inhibitAnyPolicy > 0, &budget)
    }
    try prepareForNext(anchor, &log, &budget)
  }

  /// Whether a critical extension has a qualifier that cannot be interpreted. RFC 5280 §4.2.1.4.
  private func hasUnknownCriticalQualifier(_ certificate: Certificate) -> Bool {
    guard certificate.extensions.isCritical(.certificatePolicies) else { return false }
    return certificate.extensions.certificatePolicies.flatMap { $0.qualifiers }.contains {
      if case .other = $0 { true } else { false }
    }
  }

  /// Applies an issuer's policy extensions. RFC 5280 §6.1.4 (a), (b), (h)–(j).
  package mutating func prepareForNext(
    _ certificate: Certificate, _ log: inout Violations, _ budget: inout Budget
  ) throws(CheckFailure) {
    let extensions = certificate.extensions
    if extensions.hasPolicyMappings {
      let mappings = Array(extensions.policyMappings)
      try budget.spendComparedBytes(PolicyChecks.mappingSize * mappings.count)
      if mappings.contains(where: { $0.isOfAnyPolicy }) {  // (a)
        try log.report(.mappingOfAnyPolicy, at: certificate.range(of: .policyMappings))
        graph = PolicyGraph()  // What a void mapping leaves cannot be said: no more is missed.
      } else {
        try graph.map(mappings, isInhibited: policyMapping == 0, &budget)  // (b)
      }
    }
    if !certificate.isSelfIssued {  // (h)
      explicitPolicy = max(explicitPolicy - 1, 0)
      policyMapping = max(policyMapping - 1, 0)
      inhibitAnyPolicy = max(inhibitAnyPolicy - 1, 0)
    }
    if let constraints = extensions.policyConstraints {  // (i)
      explicitPolicy = min(explicitPolicy, constraints.requireExplicitPolicy ?? explicitPolicy)
      policyMapping = min(policyMapping, constraints.inhibitPolicyMapping ?? policyMapping)
    }
    if let skip = extensions.inhibitAnyPolicy {  // (j)
      inhibitAnyPolicy = min(inhibitAnyPolicy, skip)
    }
  }

  /// Applies the last certificate's constraints, and returns the policies for which the path is
  /// valid, nil for any: `user_constrained_policy_set`. RFC 5280 §6.1.5 (a), (b), (g), RFC 9618 §5.5.
  package mutating func wrapUp(
    _ certificate: Certificate, _ log: inout Violations
  ) throws(CheckFailure) -> [OID]? {
    let isReported = lacksRequiredPolicy  // by `process`
    explicitPolicy = max(explicitPolicy - 1, 0)  // (a)
    if certificate.extensions.policyConstraints?.requireExplicitPolicy == 0 {  // (b)
      explicitPolicy = 0
    }
    let policies = userConstrainedPolicies()  // (g)
    if explicitPolicy == 0, policies?.isEmpty == true, !isReported {
      try log.report(.policyRequired, at: certificate.range(of: .certificatePolicies))
    }
    return policies
  }

  /// Whether a policy is required, and none is left. RFC 5280 §6.1.3 (f).
  private var lacksRequiredPolicy: Bool { explicitPolicy == 0 && graph.isEmpty }

  /// Returns the policies for which the path is valid; nil for any.
  private func userConstrainedPolicies() -> [OID]? {
    // (g): a remaining anyPolicy stands for each policy that the user accepts.
    if graph.hasAnyPolicy { return userInitialPolicySet }
    let policies = graph.authorityConstrainedPolicies()
    guard let userInitialPolicySet else { return policies }
    return policies.filter(userInitialPolicySet.contains)
  }
}
