internal import HoldfastCertificates

/// The failed paths, as indices; text is generated later, if needed.
struct Attempts {
  /// The maximum number of attempts kept: those that came nearest.
  static let maximum = 64

  struct Attempt {
    /// The nodes, the leaf first.
    let nodes: [Int]
    let anchor: TrustAnchor?
    var violations: [Violation]
    let signatures: Diagnosis.Signatures
    let nearness: Nearness
  }

  private(set) var all: [Attempt] = []
  /// The number of attempts not kept.
  private(set) var omitted = 0

  /// Those kept, the nearest miss first.
  var ranked: [Attempt] {
    // The sort is stable: equally near attempts keep their order.
    all.sorted { $0.nearness > $1.nearness }
  }

  var isFull: Bool { all.count >= Attempts.maximum }

  /// Adds a path that broke rules, perhaps with a `next` certificate that is not on the stack yet.
  mutating func add(
    _ stack: [PathBuilder.Frame], _ next: Int? = nil, anchor: TrustAnchor?,
    _ violations: [Violation], _ signatures: Diagnosis.Signatures = .notVerified
  ) {
    let nearness = Attempts.nearness(
      isRefuted: stack.contains { $0.isRefuted }, hasAnchor: anchor != nil, signatures, violations)
    guard !isFull || makeRoom(for: nearness) else {
      omitted += 1
      return
    }
    let nodes = stack.map(\.node) + (next.map { [$0] } ?? [])
    all.append(
      Attempt(
        nodes: nodes, anchor: anchor, violations: violations, signatures: signatures,
        nearness: nearness))
  }

  /// Adds those of an earlier search, except for paths that are there.
  mutating func add(_ earlier: Attempts) {
    let known = Set(all.map(\.nodes))
    for attempt in earlier.all where !isFull && !known.contains(attempt.nodes) {
      all.append(attempt)
    }
  }

  /// Drops the attempt that came least near, the last of several, in favor of one that came nearer.
  private mutating func makeRoom(for nearness: Nearness) -> Bool {
    var worst = all.count - 1
    for index in all.indices.reversed() where all[index].nearness < all[worst].nearness {
      worst = index
    }
    guard all[worst].nearness < nearness else { return false }
    all.remove(at: worst)
    omitted += 1
    return true
  }
}

extension Attempts {
  /// How near a path came to a valid one, as ranks of which the first that differs decides. The
  /// nearest is the reason of a rejection.
  typealias Nearness = (Int, Int, Int, Int, Int)

  /// One to an anchor comes nearer than any other; among them one whose signatures all verify; then
  /// the one that breaks fewest rules, and breaks them farthest from the leaf. The caller vetoes only
  /// what breaks no other rule.
  ///
  /// - Parameter isRefuted: Whether a signature does not verify under this issuer of that name, but
  ///   does under another: then this is not the path of the certificate.
  private static func nearness(
    isRefuted: Bool, hasAnchor: Bool, _ signatures: Diagnosis.Signatures, _ violations: [Violation]
  ) -> Nearness {
    (
      isRefuted ? 0 : 1, hasAnchor ? 1 : 0, signatures == .rejected ? 0 : 1,
      -violations.count { $0.rule != .veto }, violations.map(\.index).min() ?? 0
    )
  }
}
