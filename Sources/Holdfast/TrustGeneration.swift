/// Counts the changes of a policy, so that no verdict from before a change is used again, and tells
/// those who keep connections of each change.
package final class TrustGeneration: Sendable {
  private struct State: Sendable {
    var number = 0
    var observers: [Int: @Sendable () -> Void] = [:]
    var nextObserver = 0
  }

  private let state = Guarded(State())

  /// Creates the count of a policy that has not changed.
  package init() {}

  /// What a verdict keeps of the generation that made it.
  package struct Mark: Sendable {
    fileprivate let generation: TrustGeneration
    fileprivate let number: Int

    /// The mark of a generation that has passed.
    static let past = Mark(generation: TrustGeneration(), number: -1)

    /// Whether the policy has not changed since.
    package var isCurrent: Bool { generation.number == number }

    /// Whether it is a mark of these changes.
    func isOf(_ other: TrustGeneration) -> Bool { generation === other }
  }

  /// The number of changes.
  package var number: Int { state.withLock { $0.number } }

  /// The present generation. Take it before the policy is read: what changes meanwhile counts as a
  /// change.
  package var mark: Mark { Mark(generation: self, number: number) }

  /// Begins a generation, once the policy has changed, then calls the observers on this thread.
  package func advance() {
    let observers = state.withLock { state in
      state.number += 1
      return Array(state.observers.values)
    }
    for observer in observers { observer() }
  }

  /// Calls a function after each change, on the thread of the change, for as long as the returned
  /// object lives.
  package func observe(_ body: @escaping @Sendable () -> Void) -> Observation {
    let key = state.withLock { state in
      state.nextObserver += 1
      state.observers[state.nextObserver] = body
      return state.nextObserver
    }
    return Observation(generation: self, key: key)
  }

  /// Ends with its last reference.
  package final class Observation: Sendable {
    private let generation: TrustGeneration
    private let key: Int

    fileprivate init(generation: TrustGeneration, key: Int) {
      (self.generation, self.key) = (generation, key)
    }

    deinit {
      // The function may own objects whose end asks for the lock, too.
      let observer = generation.state.withLock { $0.observers.removeValue(forKey: key) }
      withExtendedLifetime(observer) {}
    }
  }
}
