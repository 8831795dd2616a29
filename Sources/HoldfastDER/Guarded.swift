public import Synchronization

/// A value that one thread at a time may touch.
///
/// It is a `Mutex` with a number beside it. Where the mutex waits, inside the standard library, the
/// thread sanitizer does not see that one thread comes after another. The number says the same in
/// code that it sees: each thread reads it when its turn begins and writes it when that ends.
@usableFromInline
package struct Guarded<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let value: Mutex<Value>
  @usableFromInline let turns = Atomic(0)

  @inlinable
  package init(_ value: Value) {
    self.value = Mutex(value)
  }

  /// Does something with the value, when no other thread has it.
  @inlinable
  package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    value.withLock { value in
      let turn = turns.load(ordering: .acquiring)
      defer { turns.store(turn &+ 1, ordering: .releasing) }
      return body(&value)
    }
  }
}
