internal import Synchronization

/// A reference to an object that is made late, and once for all threads: of two that are made at the
/// same time one is given up.
///
/// `AtomicLazyReference` does the same, but its code is that of any type, in another library: a look
/// at a prepared key took 0.2 µs, of the 30 of a validation.
struct LateReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The object, which this holds; 0 while there is none.
  private let address = Atomic<UInt>(0)

  deinit {
    // SAFETY: nobody reads this any more.
    unsafe LateReference.object(at: address.load(ordering: .acquiring))?.release()
  }

  // SAFETY: an address that is not 0 is that of an object that `storeIfNil` has retained, and nobody
  // releases it before this goes.
  private static func object(at address: UInt) -> Unmanaged<Object>? {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
    return unsafe Unmanaged.fromOpaque(pointer)
  }

  /// The object, if it was made.
  func load() -> Object? {
    // SAFETY: as above; the object is retained for whoever asks.
    unsafe LateReference.object(at: address.load(ordering: .acquiring))?.takeUnretainedValue()
  }

  /// Keeps an object unless there is one; returns the one that is kept.
  func storeIfNil(_ new: Object) -> Object {
    // SAFETY: the object is retained for this, and released again if it is not the one that is kept.
    let own = unsafe Unmanaged.passRetained(new)
    let (isFirst, other) = unsafe address.compareExchange(
      expected: 0, desired: UInt(bitPattern: own.toOpaque()), ordering: .acquiringAndReleasing)
    if isFirst { return new }
    unsafe own.release()
    return unsafe LateReference.object(at: other)?.takeUnretainedValue() ?? new
  }
}
