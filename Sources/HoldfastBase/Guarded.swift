public import Synchronization

/// A value that only one thread at a time may access.
///
/// It is a `Mutex` with a counter. The thread sanitizer cannot see that the mutex, inside the
/// standard library, orders threads. The counter shows the same order in instrumented code: each
/// thread loads it after locking and stores it before unlocking.
@usableFromInline
package struct Guarded<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let value: Mutex<Value>
  // The mutex orders the threads already, so relaxed operations would read the same numbers.
  @usableFromInline let turns = Atomic(0)

  @inlinable
  package init(_ value: Value) {
    self.value = Mutex(value)
  }

  /// Calls `body` with exclusive access to the value.
  @inlinable
  package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    value.withLock { value in
      let turn = turns.load(ordering: .acquiring)
      defer { turns.store(turn &+ 1, ordering: .releasing) }
      return body(&value)
    }
  }
}
