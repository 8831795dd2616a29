internal import HoldfastCertificates
internal import HoldfastDER

/// The policies under which the certificates read so far were issued: `valid_policy_graph` of
/// RFC 9618 §3, which replaces the tree of RFC 5280 §6.1.2 (a).
///
/// A graph has one node for each policy at each depth, where the tree had one for each way to get
/// there, and so its size is that of the certificates and not its power. It lies here in three flat
/// arrays. `nodes` holds the nodes depth by depth, `depths` says where each depth begins. `edges`
/// holds pairs of a node and one of its parents, in the order of the nodes. The sets of expected
/// policies are needed for the last depth only: `expected` holds pairs of a policy and a node that
/// expects it.
///
/// Nodes without children are not taken out (RFC 9618 §3.3 prunes them): as only nodes of the last
/// depth get children, and the result asks for those that reach it, they are merely passed by.
struct PolicyGraph {
  private struct Node: PolicyHolder {
    let policy: OID
    var isDeleted = false
  }

  private struct Edge {
    let child: Int32
    let parent: Int32
  }

  private struct Expectation: PolicyHolder {
    let policy: OID
    let node: Int32
  }

  private var nodes: [Node] = []
  private var depths: [Int] = [0]
  private var edges: [Edge] = []
  private var expected: [Expectation] = []
  /// What the depth before the last expected; kept for its memory.
  private var above: [Expectation] = []
  /// The node of the last depth whose policy is anyPolicy, or -1.
  private var anyPolicyNode: Int32 = 0
  /// The same of the depth before the last.
  private var anyPolicyNodeAbove: Int32 = -1

  /// One node at depth 0, which is and expects anyPolicy. RFC 5280 §6.1.2 (a).
  init() {
    nodes.reserveCapacity(8)
    edges.reserveCapacity(8)
    expected.reserveCapacity(8)
    nodes.append(Node(policy: .anyPolicy))
    expected.append(Expectation(policy: .anyPolicy, node: 0))
  }

  /// The graph of a path whose policies were a list so far: the same nodes at one depth.
  init(_ list: PolicyList) {
    self.init()
    depths.append(nodes.count)
    anyPolicyNodeAbove = anyPolicyNode
    anyPolicyNode = -1
    expected.removeAll(keepingCapacity: true)
    for policy in list.policies + (list.hasAnyPolicy ? [.anyPolicy] : []) {
      edges.append(Edge(child: Int32(nodes.count), parent: anyPolicyNodeAbove))
      append(policy)
    }
  }

  /// Whether a node of the last depth is left; if none is, all the rest has been pruned too.
  var isEmpty: Bool { !nodes[lastDepth].contains { !$0.isDeleted } }

  private var lastDepth: Range<Int> { (depths.last ?? 0)..<nodes.count }

  /// Adds a depth for the policies of a certificate. RFC 5280 §6.1.3 (d), RFC 9618 §5.2.
  mutating func extend(
    with policies: PolicyNames, anyPolicyCounts: Bool, _ budget: inout Budget
  ) throws(CheckFailure) {
    swap(&above, &expected)
    expected.removeAll(keepingCapacity: true)
    let lookup = PolicyLookup(above, above.indices, for: policies.count)
    depths.append(nodes.count)
    anyPolicyNodeAbove = anyPolicyNode
    anyPolicyNode = -1
    var hasAnyPolicy = false

    for policy in policies {
      // (1) (i): below the nodes that expect the policy; (ii): or else below anyPolicy.
      if policy == .anyPolicy {
        hasAnyPolicy = true
        continue
      }
      let firstEdge = edges.count
      let child = Int32(nodes.count)
      lookup.forEach(policy, in: above) {
        edges.append(Edge(child: child, parent: above[$0].node))
      }
      if edges.count == firstEdge {
        guard anyPolicyNodeAbove >= 0 else { continue }
        edges.append(Edge(child: child, parent: anyPolicyNodeAbove))
      }
      try addNode(policy, &budget)
    }
    guard hasAnyPolicy && anyPolicyCounts else { return }
    try addExpected(&budget)
  }

  /// (2): with anyPolicy in the certificate, each expected policy that has no node yet gets one.
  private mutating func addExpected(_ budget: inout Budget) throws(CheckFailure) {
    // Nodes are added while they are looked for, so the list is of those before.
    let present = PolicyLookup(nodes, lastDepth, for: above.count)
    let lookup = PolicyLookup(above, above.indices, for: above.count)
    for (place, expectation) in above.enumerated() {
      let policy = expectation.policy
      // A policy that several nodes expect is treated where it occurs first.
      var isNew = true
      lookup.forEach(policy, in: above) { if $0 < place { isNew = false } }
      present.forEach(policy, in: nodes) { _ in isNew = false }
      guard isNew else { continue }
      let child = Int32(nodes.count)
      lookup.forEach(policy, in: above) {
        edges.append(Edge(child: child, parent: above[$0].node))
      }
      try addNode(policy, &budget)
    }
  }

  private mutating func addNode(_ policy: OID, _ budget: inout Budget) throws(CheckFailure) {
    try budget.spendPolicyNodes()
    append(policy)
  }

  private mutating func append(_ policy: OID) {
    let node = Int32(nodes.count)
    nodes.append(Node(policy: policy))
    expected.append(Expectation(policy: policy, node: node))
    if policy == .anyPolicy { anyPolicyNode = node }
  }

  /// Applies the mappings of an issuer. RFC 5280 §6.1.4 (b), RFC 9618 §5.3.
  ///
  /// - Parameter isInhibited: Whether `policy_mapping` is zero, and mapped policies are dropped.
  mutating func map(
    _ mappings: [PolicyMapping], isInhibited: Bool, _ budget: inout Budget
  ) throws(CheckFailure) {
    // Sorted by what is mapped, so that each policy of the issuer is treated once.
    var groups: [OID: [OID]] = [:]
    for mapping in mappings {
      groups[mapping.issuerDomainPolicy, default: []].append(mapping.subjectDomainPolicy)
    }
    var kept: [Expectation] = []
    kept.reserveCapacity(expected.count + mappings.count)
    for node in lastDepth where !nodes[node].isDeleted {
      guard let mapped = groups.removeValue(forKey: nodes[node].policy) else {
        kept.append(Expectation(policy: nodes[node].policy, node: Int32(node)))
        continue
      }
      // (2) (i): the node goes; (1): or it expects what it is mapped to, and no longer itself.
      if isInhibited {
        nodes[node].isDeleted = true
      } else {
        append(mapped, to: &kept, node)
      }
    }
    expected = kept
    // (1): a policy that only anyPolicy stands for gets a node of its own beside it.
    guard !isInhibited, anyPolicyNode >= 0, anyPolicyNodeAbove >= 0 else { return }
    for mapping in mappings {
      guard let mapped = groups.removeValue(forKey: mapping.issuerDomainPolicy) else { continue }
      try budget.spendPolicyNodes()
      edges.append(Edge(child: Int32(nodes.count), parent: anyPolicyNodeAbove))
      nodes.append(Node(policy: mapping.issuerDomainPolicy))
      append(mapped, to: &expected, nodes.count - 1)
    }
  }

  private func append(_ policies: [OID], to expected: inout [Expectation], _ node: Int) {
    var seen: Set<OID> = []
    for policy in policies where seen.insert(policy).inserted {
      expected.append(Expectation(policy: policy, node: Int32(node)))
    }
  }

  /// The policies, in the words of the first issuer, for which the whole path is valid:
  /// `authority_constrained_policy_set`. RFC 9618 §5.4 (g).
  ///
  /// They are the policies right below anyPolicy from which the last depth can be reached, and
  /// anyPolicy itself if it reaches the last depth.
  func authorityConstrainedPolicies() -> [OID] {
    var reaches = [Bool](repeating: false, count: nodes.count)
    for node in lastDepth where !nodes[node].isDeleted { reaches[node] = true }
    var policies: [OID] = []
    var seen: Set<OID> = []
    // Children come after their parents, so one pass from the end carries everything up.
    for edge in edges.reversed() where reaches[Int(edge.child)] {
      let child = nodes[Int(edge.child)]
      let parent = nodes[Int(edge.parent)]
      guard !child.isDeleted, !parent.isDeleted else { continue }
      reaches[Int(edge.parent)] = true
      if parent.policy == .anyPolicy && child.policy != .anyPolicy,
        seen.insert(child.policy).inserted
      {
        policies.append(child.policy)
      }
    }
    if anyPolicyNode >= 0, !nodes[Int(anyPolicyNode)].isDeleted { policies.append(.anyPolicy) }
    return policies.reversed()
  }
}

/// What a list can be searched by.
private protocol PolicyHolder {
  var policy: OID { get }
}

/// Finds policies in a part of a list: by going through it when it is short, by a dictionary when it
/// is not.
private struct PolicyLookup {
  private let part: Range<Int>
  private var places: [OID: [Int]]?

  init(_ list: [some PolicyHolder], _ part: Range<Int>, for uses: Int) {
    self.part = part
    guard part.count * uses > 256 else { return }
    var places: [OID: [Int]] = [:]
    for place in part { places[list[place].policy, default: []].append(place) }
    self.places = places
  }

  /// Gives each place of a policy, in ascending order.
  func forEach(_ policy: OID, in list: [some PolicyHolder], _ body: (Int) -> Void) {
    if let places {
      for place in places[policy] ?? [] { body(place) }
    } else {
      for place in part where list[place].policy == policy { body(place) }
    }
  }
}
