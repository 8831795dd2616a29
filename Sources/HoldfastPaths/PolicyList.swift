internal import HoldfastCertificates

/// The policies under which the certificates read so far were issued, as long as no issuer has mapped
/// one policy to another: what `PolicyGraph` would hold, as a list.
///
/// Without mappings every node of the graph expects its own policy and no other, so all that is to be
/// known is which policies reach the last depth, and whether anyPolicy does.
struct PolicyList {
  /// In the order in which they came first below anyPolicy.
  private(set) var policies: [OID] = []
  /// Whether anyPolicy has reached the last depth.
  private(set) var hasAnyPolicy = true

  /// The most policies for which a list is the better choice.
  static let most = 8

  /// Whether nothing has reached the last depth.
  var isEmpty: Bool { policies.isEmpty && !hasAnyPolicy }

  /// Takes the policies of the next certificate, few of them. RFC 5280 §6.1.3 (d).
  mutating func extend(
    with next: PolicyNames, anyPolicyCounts: Bool, _ budget: inout Budget
  ) throws(CheckFailure) {
    let nextHasAnyPolicy = anyPolicyCounts && next.hasAnyPolicy
    // (2): anyPolicy stands for each policy that is expected; (1) (i): others stand for themselves.
    if !nextHasAnyPolicy, policies.contains(where: { !next.contains($0) }) {
      policies.removeAll { !next.contains($0) }
    }
    if hasAnyPolicy {
      // (1) (ii).
      for policy in next where policy != .anyPolicy && !policies.contains(policy) {
        policies.append(policy)
      }
    }
    hasAnyPolicy = hasAnyPolicy && nextHasAnyPolicy
    try budget.spendPolicyNodes(policies.count + (hasAnyPolicy ? 1 : 0))
  }

  /// `authority_constrained_policy_set`. RFC 9618 §5.4 (g).
  func authorityConstrainedPolicies() -> [OID] {
    hasAnyPolicy ? [.anyPolicy] + policies : policies
  }
}
