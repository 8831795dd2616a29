internal import HoldfastCertificates

/// The policies under which the certificates processed so far were issued: `valid_policy_graph` of
/// RFC 9618 §4.1, which replaces the tree of RFC 5280 §6.1.2 (a).
///
/// Processing needs only two things from the graph: the expected policies of the nodes at the last
/// depth, and the nodes directly below anyPolicy from which these descend. So only these are
/// stored. A node without children, which RFC 9618 §5.3 (d)(3) prunes, is dropped.
struct PolicyGraph {
  /// The nodes at the last depth, except that of anyPolicy, sorted by the policy they expect.
  private var nodes: [Node] = []
  /// All policies directly below anyPolicy, in order of appearance.
  private var origins: [OID] = []
  /// Whether anyPolicy has a node at the last depth, as it has at the start. RFC 5280 §6.1.2 (a).
  private(set) var hasAnyPolicy = true
  /// The number of certificates processed.
  private var depth = 0

  private struct Node {
    /// The expected policy.
    let policy: OID
    /// The policies directly below anyPolicy from which the node descends.
    let origins: Origins
    var depth: Int
  }

  /// The cost of copying one origin, in compared bytes.
  private static let originSize = 16

  /// Whether no node is left at the last depth.
  var isEmpty: Bool { nodes.isEmpty && !hasAnyPolicy }

  /// Adds a depth for the policies of a certificate. RFC 5280 §6.1.3 (d), RFC 9618 §5.3.
  mutating func extend(
    with policies: PolicyNames, anyPolicyCounts: Bool, _ budget: inout Budget
  ) throws(CheckFailure) {
    let depth = depth + 1
    self.depth = depth
    let above = nodes.count
    var isAny = false
    var expected = 0
    // A certificate has no policy twice, so those added need not be found.
    for policy in policies {
      if policy == .anyPolicy {
        isAny = anyPolicyCounts
      } else if let index = find(policy, among: above) {  // (1) (i): a node expects the policy
        nodes[index].depth = depth
        expected += 1
      } else if hasAnyPolicy {  // (ii): otherwise it is below anyPolicy
        let origins = try addOrigin(policy, &budget)
        nodes.append(Node(policy: policy, origins: origins, depth: depth))
      }
    }
    if isAny {
      // (2): each expected policy gets a node, and so does anyPolicy if it is expected.
      try budget.spendPolicyNodes(above + (hasAnyPolicy ? 1 : 0))
    } else {
      try budget.spendPolicyNodes(expected)
      nodes.removeAll { $0.depth < depth }
      hasAnyPolicy = false
    }
    sort()
  }

  /// Applies the mappings of an issuer. RFC 5280 §6.1.4 (b), RFC 9618 §5.4.
  ///
  /// - Parameter isInhibited: Whether `policy_mapping` is zero, so that mapped policies are
  ///   dropped.
  mutating func map(
    _ mappings: [PolicyMapping], isInhibited: Bool, _ budget: inout Budget
  ) throws(CheckFailure) {
    var above: [OID: Origins] = [:]
    for node in nodes where above[node.policy] == nil { above[node.policy] = node.origins }
    var expected = above
    // (3) (i): the node is deleted; (1): otherwise it expects the mapped policies instead of its
    // own.
    for mapping in mappings { expected[mapping.issuerDomainPolicy] = nil }
    for mapping in mappings where !isInhibited {
      let policy = mapping.issuerDomainPolicy
      if hasAnyPolicy && above[policy] == nil {
        // (2): a policy that only anyPolicy covers gets a node of its own.
        above[policy] = try addOrigin(policy, &budget)
      }
      guard let origins = above[policy] else { continue }
      try budget.spendComparedBytes(PolicyGraph.originSize * (origins.count - 1))
      expected[mapping.subjectDomainPolicy, default: Origins()].formUnion(origins)
    }
    nodes = expected.map { Node(policy: $0.key, origins: $0.value, depth: depth) }
    sort()
  }

  /// Returns the position of a policy among the first nodes, by bisection.
  private func find(_ policy: OID, among count: Int) -> Int? {
    let index = partitionPoint(of: count) { nodes[$0].policy.precedes(policy) }
    return index < count && nodes[index].policy == policy ? index : nil
  }

  private mutating func sort() {
    if nodes.count > 1 { nodes.sort { $0.policy.precedes($1.policy) } }
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

  /// Returns the policies for which the whole path is valid, as the first issuer names them, besides
  /// anyPolicy: `authority_constrained_policy_set`. RFC 9618 §5.5 (g).
  func authorityConstrainedPolicies() -> [OID] {
    let reached = nodes.reduce(into: Origins()) { $0.formUnion($1.origins) }
    var policies: [OID] = []
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
