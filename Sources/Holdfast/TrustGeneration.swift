internal import HoldfastDER

/// Counts the changes of a policy, so that no verdict from before a change is used again.
package final class TrustGeneration: Sendable {
  private let number = Guarded(0)

  /// Creates the count of a policy that has not changed.
  package init() {}

  /// What a verdict keeps of the generation that made it.
  package struct Mark: Sendable {
    fileprivate let generation: TrustGeneration
    fileprivate let number: Int

    /// The mark of a generation that has passed.
    static let past = Mark(generation: TrustGeneration(), number: -1)

    /// Whether the policy has not changed since.
    var isCurrent: Bool { generation.number.withLock { $0 } == number }
  }

  /// The present generation. Take it before the policy is read: what changes meanwhile counts as a
  /// change.
  package var mark: Mark { Mark(generation: self, number: number.withLock { $0 }) }

  /// Begins a generation, once the policy has changed.
  package func advance() { number.withLock { $0 += 1 } }
}
