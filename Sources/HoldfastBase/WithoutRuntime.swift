#if hasFeature(Embedded)
  internal import CHoldfastPlatform

  /// A mutex of the C library, since Embedded Swift has none.
  ///
  /// Only the thread that has locked it reaches the value, and a lock orders what it does after what
  /// the thread before it did (POSIX.1-2024 §4.15.2).
  @usableFromInline
  package struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    /// The lock, which must not move.
    private let lock: UnsafeMutableRawPointer
    private let value: UnsafeMutablePointer<Value>

    @usableFromInline
    package init(_ value: consuming sending Value) {
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

/// What an error of any type says of itself.
package struct ErrorWords: Sendable {
  /// The error as text.
  package let text: String
  /// What this library's errors say besides, nil for other errors.
  package let known: Known?

  /// The answers of a `HoldfastError`.
  package struct Known: Sendable {
    package let code: String
    package let isTransient: Bool
    package let fields: [(key: String, value: String)]
    package let summary: String
    package let logLine: String
  }
}

extension ErrorWords {
  #if hasFeature(Embedded)
    /// Embedded Swift has only errors of known types, so this is never called there.
    package init(_ error: any Error) {
      text = "an error"
      known = nil
    }
  #else
    /// Asks an error.
    package init(_ error: any Error) {
      text = "\(error)"
      known = (error as? any HoldfastError).map(Known.init)
    }
  #endif
}

#if !hasFeature(Embedded)
  extension ErrorWords.Known {
    fileprivate init(_ error: any HoldfastError) {
      code = error.code
      isTransient = error.isTransient
      fields = error.fields
      summary = error.summary
      logLine = error.logLine
    }
  }
#endif
