internal import HoldfastCertificates

/// The policies under which the certificates processed so far were issued: `valid_policy_graph` of
/// RFC 9618 §4.1, which replaces the tree of RFC 5280 §6.1.2 (a).
///
/// Processing needs only two things from the graph: the expected policies of the nodes at the last
/// depth, and the nodes directly below anyPolicy from which these descend. So only these are
/// stored. A node without children, which RFC 9618 §5.3 (d)(3) prunes, is dropped.
struct PolicyGraph {
  /// The expected policies of the nodes at the last depth, except anyPolicy, with the origins of
  /// those nodes: the policies directly below anyPolicy from which they descend.
  private var expected: [OID: Origins] = [:]
  /// All policies directly below anyPolicy, in order of appearance.
  private var origins: [OID] = []
  /// Whether anyPolicy has a node at the last depth, as it has at the start. RFC 5280 §6.1.2 (a).
  private var hasAnyPolicy = true

  /// The cost of copying one origin, in compared bytes.
  private static let originSize = 16

  /// Whether no node is left at the last depth.
  var isEmpty: Bool { expected.isEmpty && !hasAnyPolicy }

  /// Adds a depth for the policies of a certificate. RFC 5280 §6.1.3 (d), RFC 9618 §5.3.
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
      // (1) (i): below the nodes that expect the policy; (ii): otherwise below anyPolicy.
      if let origins = above[policy] {
        try budget.spendPolicyNodes()
        expected[policy] = origins
      } else if hadAnyPolicy {
        expected[policy] = try addOrigin(policy, &budget)
      }
    }
  }

  /// Applies the mappings of an issuer. RFC 5280 §6.1.4 (b), RFC 9618 §5.4.
  ///
  /// - Parameter isInhibited: Whether `policy_mapping` is zero, so that mapped policies are
  ///   dropped.
  mutating func map(
    _ mappings: [PolicyMapping], isInhibited: Bool, _ budget: inout Budget
  ) throws(CheckFailure) {
    var nodes = expected
    // (3) (i): the node is deleted; (1): otherwise it expects the mapped policies instead of its
    // own.
    for mapping in mappings { expected[mapping.issuerDomainPolicy] = nil }
    if isInhibited { return }
    for mapping in mappings {
      let policy = mapping.issuerDomainPolicy
      if hasAnyPolicy && nodes[policy] == nil {
        // (2): a policy that only anyPolicy covers gets a node of its own.
        nodes[policy] = try addOrigin(policy, &budget)
      }
      guard let origins = nodes[policy] else { continue }
      try budget.spendComparedBytes(PolicyGraph.originSize * (origins.count - 1))
      expected[mapping.subjectDomainPolicy, default: Origins()].formUnion(origins)
    }
  }

  /// Adds a node directly below anyPolicy and returns its origins.
  private mutating func addOrigin(
    _ policy: OID, _ budget: inout Budget
  ) throws(CheckFailure) -> Origins {
    try budget.spendPolicyNodes()
    if let index = origins.firstIndex(of: policy) { return Origins(index) }
    origins.append(policy)
    return Origins(origins.count - 1)
  }

  /// Returns the policies for which the whole path is valid, as the first issuer names them:
  /// `authority_constrained_policy_set`. RFC 9618 §5.5 (g).
  func authorityConstrainedPolicies() -> [OID] {
    let reached = expected.values.reduce(into: Origins()) { $0.formUnion($1) }
    var policies: [OID] = hasAnyPolicy ? [.anyPolicy] : []
    for (index, policy) in origins.enumerated() where reached.contains(index) {
      policies.append(policy)
    }
    return policies
  }
}

/// A bit set of indices into `PolicyGraph.origins`, because mappings merge many of them.
private struct Origins: Sendable {
  /// The first 64 bits, and the words of the others, which few certificates need.
  private var first: UInt64 = 0
  private var others: [UInt64] = []

  init() {}

  init(_ index: Int) {
    if index < 64 {
      first = 1 << UInt64(index)
    } else {
      others = [UInt64](repeating: 0, count: index >> 6)
      others[index >> 6 - 1] = 1 << UInt64(index & 63)
    }
  }

  var count: Int { others.reduce(first.nonzeroBitCount) { $0 + $1.nonzeroBitCount } }

  func contains(_ index: Int) -> Bool {
    let word = index < 64 ? first : index >> 6 <= others.count ? others[index >> 6 - 1] : 0
    return word >> UInt64(index & 63) & 1 == 1
  }

  mutating func formUnion(_ other: Origins) {
    first |= other.first
    for (index, word) in other.others.enumerated() {
      if index < others.count { others[index] |= word } else { others.append(word) }
    }
  }
}
