#if hasFeature(Embedded)
  internal import CHoldfastPlatform

  /// A mutex of the C library, since Embedded Swift has none.
  ///
  /// Only the thread that has locked it reaches the value, and a lock orders what it does after what
  /// the thread before it did (POSIX.1-2024 §4.15.2).
  @usableFromInline
  package struct Mutex<Value: Sendable>: ~Copyable, @unchecked Sendable {
    /// The lock, which must not move.
    private let lock: UnsafeMutableRawPointer
    private let value: UnsafeMutablePointer<Value>

    @usableFromInline
    package init(_ value: Value) {
      // SAFETY: `holdfast_lock_create` returns a lock, or ends the process without memory.
      unsafe lock = holdfast_lock_create()
      unsafe self.value = .allocate(capacity: 1)
      unsafe self.value.initialize(to: value)
    }

    deinit {
      // SAFETY: nothing refers to the mutex any more, so it is not locked.
      unsafe holdfast_lock_destroy(lock)
      unsafe value.deinitialize(count: 1)
      unsafe value.deallocate()
    }

    @usableFromInline
    package borrowing func withLock<Result, Failure: Error>(
      _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      // SAFETY: the lock lives as long as `self`, and keeps other threads from the value.
      unsafe holdfast_lock_acquire(lock)
      defer { unsafe holdfast_lock_release(lock) }
      return try unsafe body(&value.pointee)
    }
  }
#endif
