package import HoldfastCertificates

/// The state of policy processing along a path: RFC 5280 §6.1, with the graph of RFC 9618.
///
/// The variables have the RFC's names. Its calls go in the RFC's order: for every certificate from
/// the one below the anchor, `process`, then `prepareForNext` or, after the last, `wrapUp`.
package struct PolicyChecks {
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

/// The policies under which the certificates read so far were issued: `valid_policy_graph` of
/// RFC 9618 §3, which replaces the tree of RFC 5280 §6.1.2 (a).
///
/// Only two things are ever asked of the graph: what the nodes of the last depth expect, and from
/// which nodes right below anyPolicy they can be reached. So only these are kept. A node without
/// children, which RFC 9618 §3.3 prunes, is not carried on.
struct PolicyGraph {
  /// What the nodes of the last depth expect, but for anyPolicy, and the origins of those nodes: the
  /// policies right below anyPolicy that they descend from.
  private var expected: [OID: Origins] = [:]
  /// All policies right below anyPolicy, in the order in which they came.
  private var origins: [OID] = []
  /// Whether anyPolicy has a node at the last depth. RFC 5280 §6.1.2 (a): so it begins.
  private var hasAnyPolicy = true

  /// What it costs to copy one origin, in bytes that are compared.
  private static let originSize = 16

  /// Whether no node of the last depth is left.
  var isEmpty: Bool { expected.isEmpty && !hasAnyPolicy }

  /// Adds a depth for the policies of a certificate. RFC 5280 §6.1.3 (d), RFC 9618 §5.2.
  mutating func extend(
    with policies: PolicyNames, anyPolicyCounts: Bool, _ budget: inout Budget
  ) throws(CheckFailure) {
    let above = expected
    let hadAnyPolicy = hasAnyPolicy
    if anyPolicyCounts && policies.hasAnyPolicy {
      // (2): each expected policy gets a node, and so does anyPolicy if it is expected.
      try budget.spendPolicyNodes(expected.count + (hasAnyPolicy ? 1 : 0))
    } else {
      expected = [:]
      hasAnyPolicy = false
    }
    for policy in policies where policy != .anyPolicy && expected[policy] == nil {
      // (1) (i): below the nodes that expect the policy; (ii): or else below anyPolicy.
      if let origins = above[policy] {
        try budget.spendPolicyNodes()
        expected[policy] = origins
      } else if hadAnyPolicy {
        expected[policy] = try addOrigin(policy, &budget)
      }
    }
  }

  /// Applies the mappings of an issuer. RFC 5280 §6.1.4 (b), RFC 9618 §5.3.
  ///
  /// - Parameter isInhibited: Whether `policy_mapping` is zero, and mapped policies are dropped.
  mutating func map(
    _ mappings: [PolicyMapping], isInhibited: Bool, _ budget: inout Budget
  ) throws(CheckFailure) {
    var nodes = expected
    // (2) (i): the node goes; (1): or it expects what it is mapped to, and no longer itself.
    for mapping in mappings { expected[mapping.issuerDomainPolicy] = nil }
    if isInhibited { return }
    for mapping in mappings {
      let policy = mapping.issuerDomainPolicy
      if hasAnyPolicy && nodes[policy] == nil {
        // (1): a policy that only anyPolicy stands for gets a node of its own beside it.
        nodes[policy] = try addOrigin(policy, &budget)
      }
      guard let origins = nodes[policy] else { continue }
      try budget.spendComparedBytes(PolicyGraph.originSize * (origins.count - 1))
      expected[mapping.subjectDomainPolicy, default: Origins()].formUnion(origins)
    }
  }

  /// Adds a node right below anyPolicy, and returns the policies it descends from.
  private mutating func addOrigin(
    _ policy: OID, _ budget: inout Budget
  ) throws(CheckFailure) -> Origins {
    try budget.spendPolicyNodes()
    if let place = origins.firstIndex(of: policy) { return Origins(place) }
    origins.append(policy)
    return Origins(origins.count - 1)
  }

  /// The policies, in the words of the first issuer, for which the whole path is valid:
  /// `authority_constrained_policy_set`. RFC 9618 §5.4 (g).
  func authorityConstrainedPolicies() -> [OID] {
    let reached = expected.values.reduce(into: Origins()) { $0.formUnion($1) }
    var policies: [OID] = hasAnyPolicy ? [.anyPolicy] : []
    for (place, policy) in origins.enumerated() where reached.contains(place) {
      policies.append(policy)
    }
    return policies
  }
}

/// A set of places in `PolicyGraph.origins`, a bit each: mappings unite many.
private struct Origins: Sendable {
  private var words: [UInt64] = []

  init() {}

  init(_ place: Int) {
    words = [UInt64](repeating: 0, count: place >> 6 + 1)
    words[place >> 6] = 1 << UInt64(place & 63)
  }

  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  func contains(_ place: Int) -> Bool {
    place >> 6 < words.count && words[place >> 6] >> UInt64(place & 63) & 1 == 1
  }

  mutating func formUnion(_ other: Origins) {
    if words.isEmpty { words = other.words }
    for (index, word) in other.words.enumerated() {
      if index < words.count { words[index] |= word } else { words.append(word) }
    }
  }
}
