internal import HoldfastCertificates

/// The paths that were tried in vain, as indices; the words come later, if anyone asks.
struct Attempts {
  /// The most that are kept; those that came less far make room for others.
  static let most = 64

  struct Attempt {
    /// The nodes, the leaf first.
    let nodes: [Int]
    let anchor: TrustAnchor?
    let violations: [Violation]
    let signatures: Diagnosis.Signatures
  }

  private(set) var all: [Attempt] = []
  /// How many more there were.
  private(set) var omitted = 0

  /// Adds a path that broke rules.
  mutating func add(
    _ stack: [PathBuilder.Frame], anchor: TrustAnchor?, _ violations: [Violation],
    _ signatures: Diagnosis.Signatures = .notVerified
  ) {
    guard all.count < Attempts.most || anchor != nil && makeRoom() else {
      omitted += 1
      return
    }
    all.append(
      Attempt(
        nodes: stack.map(\.node), anchor: anchor, violations: violations, signatures: signatures))
  }

  /// Adds a path and one more certificate, which broke a rule.
  mutating func add(_ stack: [PathBuilder.Frame], _ node: Int, _ violation: Violation) {
    guard all.count < Attempts.most else {
      omitted += 1
      return
    }
    all.append(
      Attempt(
        nodes: stack.map(\.node) + [node], anchor: nil, violations: [violation],
        signatures: .notVerified))
  }

  /// Drops a path that has reached no anchor, in favour of one that has.
  private mutating func makeRoom() -> Bool {
    guard let index = all.lastIndex(where: { $0.anchor == nil }) else { return false }
    all.remove(at: index)
    omitted += 1
    return true
  }
}
