internal import HoldfastCertificates

/// The failed paths of a search.
struct Attempts {
  /// The maximum number of attempts kept: those that came nearest.
  static let maximum = 64

  private(set) var all: [PathError.Attempt] = []
  /// The number of attempts not kept.
  private(set) var omitted = 0

  /// Those kept, the nearest miss first.
  var ranked: [PathError.Attempt] {
    // The sort is stable: equally near attempts keep their order.
    all.sorted { $0.nearness > $1.nearness }
  }

  var isFull: Bool { all.count >= Attempts.maximum }

  /// Adds a path that broke rules.
  mutating func add(_ attempt: PathError.Attempt) {
    guard !isFull || makeRoom(for: attempt) else {
      omitted += 1
      return
    }
    all.append(attempt)
  }

  /// Adds those of an earlier search, except for paths that are there.
  mutating func add(_ earlier: Attempts) {
    let known = Set(all.map(\.certificates))
    for attempt in earlier.all where !isFull && !known.contains(attempt.certificates) {
      all.append(attempt)
    }
  }

  /// Drops the attempt that came least near, the last of several, in favor of one that came nearer.
  private mutating func makeRoom(for attempt: PathError.Attempt) -> Bool {
    var worst = all.count - 1
    for index in all.indices.reversed() where all[index].nearness < all[worst].nearness {
      worst = index
    }
    guard all[worst].nearness < attempt.nearness else { return false }
    all.remove(at: worst)
    omitted += 1
    return true
  }
}

extension PathError.Attempt {
  /// How near the path came to a valid one, as ranks of which the first that differs decides: one to
  /// an anchor comes nearer than any other; among them one whose signatures all verify; then the one
  /// that breaks fewest rules, and breaks them farthest from the leaf. The caller vetoes only what
  /// breaks no other rule.
  fileprivate var nearness: (Int, Int, Int, Int, Int) {
    (
      isRefuted ? 0 : 1, anchor == nil ? 0 : 1, signatures == .rejected ? 0 : 1,
      -violations.count { $0.rule != .veto }, violations.map(\.index).min() ?? 0
    )
  }
}
