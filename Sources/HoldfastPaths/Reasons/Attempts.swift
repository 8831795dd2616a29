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
    all.sorted { $1.nearness < $0.nearness }
  }

  var isFull: Bool { all.count >= Attempts.maximum }

  /// Whether there is room for an attempt that came this near: if not, it is counted. It is made only
  /// then, because most of a large search are not kept.
  ///
  /// Where there is none, the attempt that came least near is dropped, the last of several, in favor of
  /// one that came nearer.
  mutating func hasRoom(for nearness: PathError.Attempt.Nearness) -> Bool {
    guard isFull else { return true }
    omitted += 1
    var worst = all.count - 1
    for index in all.indices.reversed() where all[index].nearness < all[worst].nearness {
      worst = index
    }
    guard all[worst].nearness < nearness else { return false }
    all.remove(at: worst)
    return true
  }

  /// Adds an attempt for which there is room.
  mutating func add(_ attempt: PathError.Attempt) { all.append(attempt) }

  /// Adds those of an earlier search, except for paths that are there.
  mutating func add(_ earlier: Attempts) {
    let known = Set(all.map { $0.certificates })
    for attempt in earlier.all where !isFull && !known.contains(attempt.certificates) {
      all.append(attempt)
    }
  }
}

extension PathError.Attempt {
  /// Moves the reason to the front. The sort is stable: violations of equal rank keep their order.
  mutating func sortByRank() {
    violations.sort { $0.rank.rawValue < $1.rank.rawValue }
  }

  /// How near a path came to a valid one, as ranks of which the first that differs decides: one to an
  /// anchor comes nearer than any other; among them one whose signatures all verify; then the one that
  /// breaks fewest rules, and breaks them farthest from the leaf. The caller vetoes only what breaks no
  /// other rule.
  struct Nearness: Hashable, Comparable {
    private let maySign, hasAnchor, isSigned, rules, index: Int32

    /// - Parameter didNotSign: Whether a signature does not verify under this issuer of that name, but
    ///   does under another: then this is not the path of the certificate.
    init(
      didNotSign: Bool, hasAnchor: Bool, _ signatures: Signatures, _ violations: [Violation]
    ) {
      maySign = didNotSign ? 0 : 1
      self.hasAnchor = hasAnchor ? 1 : 0
      isSigned = signatures == .rejected ? 0 : 1
      rules = -Int32(clamping: violations.count { $0.rule != .veto })
      index = Int32(clamping: violations.map { $0.index }.min() ?? 0)
    }

    static func < (a: Nearness, b: Nearness) -> Bool {
      (a.maySign, a.hasAnchor, a.isSigned, a.rules, a.index)
        < (b.maySign, b.hasAnchor, b.isSigned, b.rules, b.index)
    }
  }
}
