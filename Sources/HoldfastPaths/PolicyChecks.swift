package import HoldfastCertificates

/// The state of policy processing along a path: RFC 5280 §6.1, with the graph of RFC 9618.
///
/// The variables have the RFC's names. Its calls go in the RFC's order: for every certificate from
/// the one below the anchor, `process`, then `prepareForNext` or, after the last, `wrapUp`.
package struct PolicyChecks: ~Copyable {
  /// `valid_policy_graph`; nil for NULL.
  private var graph: PolicyGraph? = PolicyGraph()
  private var explicitPolicy: Int
  private var policyMapping: Int
  private var inhibitAnyPolicy: Int
  private let userInitialPolicySet: [OID]?
  /// As many bytes a mapping has at least, as it is written.
  private static let mappingSize = 10
  /// The anchor, until what it says about policies has been taken.
  private var anchor: Certificate?

  /// Begins with what the user asks. RFC 5280 §6.1.2 (a), (d)–(f).
  ///
  /// - Parameters:
  ///   - count: How many certificates the path has, without the anchor: the RFC's n.
  ///   - anchor: The anchor's certificate, if its extensions are to count. RFC 5937 §3.2.
  package init(_ inputs: PolicyInputs, certificates count: Int, below anchor: Certificate? = nil) {
    // More than can be counted down along the path, one for the anchor included.
    let never = count + (anchor == nil ? 1 : 2)
    explicitPolicy = inputs.requiresExplicitPolicy ? 0 : never
    policyMapping = inputs.inhibitsMapping ? 0 : never
    inhibitAnyPolicy = inputs.inhibitsAnyPolicy ? 0 : never
    userInitialPolicySet = inputs.acceptable.flatMap { $0.contains(.anyPolicy) ? nil : $0 }
    self.anchor = anchor
  }

  /// Takes the policies of the next certificate. RFC 5280 §6.1.3 (d)–(f).
  package mutating func process(
    _ certificate: Certificate, isLast: Bool, budget: inout Budget
  ) throws(CheckFailure) {
    try takeAnchor(&budget)
    let policies = certificate.policyNames
    try budget.spendComparedBytes(policies.size)
    try checkQualifiers(of: certificate)
    if policies.count == 0 {
      graph = nil  // (e)
    } else {
      let anyPolicyCounts = inhibitAnyPolicy > 0 || (!isLast && certificate.isSelfIssued)
      try graph?.extend(with: policies, anyPolicyCounts: anyPolicyCounts, &budget)  // (d)
      dropEmptyGraph()
    }
    guard explicitPolicy > 0 || graph != nil else {  // (f)
      throw CheckFailure(
        .policyRequired, at: certificate.extensions[.certificatePolicies]?.value.range)
    }
  }

  /// Takes what the anchor says, as if it were an issuer that has no policies of its own unless it
  /// names them. RFC 5937 §3.2.
  private mutating func takeAnchor(_ budget: inout Budget) throws(CheckFailure) {
    guard let anchor else { return }
    self.anchor = nil
    let policies = anchor.policyNames
    if policies.count > 0 {
      try graph?.extend(with: policies, anyPolicyCounts: inhibitAnyPolicy > 0, &budget)
      dropEmptyGraph()
    }
    try prepareForNext(anchor, budget: &budget)
  }

  /// RFC 5280 §4.2.1.4: a critical extension with a qualifier that cannot be interpreted is refused.
  private func checkQualifiers(of certificate: Certificate) throws(CheckFailure) {
    guard certificate.extensions.isCritical(.certificatePolicies),
      let list = certificate.extensions[.certificatePolicies]
    else { return }
    for qualifier in certificate.extensions.certificatePolicies.flatMap(\.qualifiers) {
      if case .other = qualifier {
        throw CheckFailure(
          .unknownCriticalExtension, .extension(.certificatePolicies), at: list.value.range)
      }
    }
  }

  /// Applies what an issuer says about policies. RFC 5280 §6.1.4 (a), (b), (h)–(j).
  package mutating func prepareForNext(
    _ certificate: Certificate, budget: inout Budget
  ) throws(CheckFailure) {
    let extensions = certificate.extensions
    let mappings = Array(extensions.policyMappings)
    if !mappings.isEmpty {
      try budget.spendComparedBytes(PolicyChecks.mappingSize * mappings.count)
      for mapping in mappings where mapping.isOfAnyPolicy {  // (a)
        throw CheckFailure(.mappingOfAnyPolicy, at: extensions[.policyMappings]?.value.range)
      }
      try graph?.map(mappings, isInhibited: policyMapping == 0, &budget)  // (b)
      dropEmptyGraph()
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

  /// Applies what the last certificate says, and returns the policies for which the path is valid,
  /// or nil for any: `user_constrained_policy_set`. RFC 5280 §6.1.5 (a), (b), (g), RFC 9618 §5.4.
  package mutating func wrapUp(_ certificate: Certificate) throws(CheckFailure) -> [OID]? {
    explicitPolicy = max(explicitPolicy - 1, 0)  // (a)
    if certificate.extensions.policyConstraints?.requireExplicitPolicy == 0 {  // (b)
      explicitPolicy = 0
    }
    let policies = userConstrainedPolicies()  // (g)
    guard explicitPolicy > 0 || policies?.isEmpty != true else {
      throw CheckFailure(
        .policyRequired, at: certificate.extensions[.certificatePolicies]?.value.range)
    }
    return policies
  }

  /// Nil for any policy.
  private func userConstrainedPolicies() -> [OID]? {
    let policies = graph?.authorityConstrainedPolicies() ?? []
    let isAny = policies.contains(.anyPolicy)
    guard let userInitialPolicySet else { return isAny ? nil : policies }
    // (g) (iii): where anyPolicy is left, it stands for each policy that the user asked for.
    return isAny ? userInitialPolicySet : policies.filter(userInitialPolicySet.contains)
  }

  private mutating func dropEmptyGraph() {
    if graph?.isEmpty == true { graph = nil }
  }
}
