internal import Synchronization

/// Which of the processor's vector instructions are used, if it has them.
package enum Vectors: Int, Sendable, AtomicRepresentable {
  case none
  /// Those of AVX2, and fused multiplications of doubles; or NEON's 32-bit multiplications.
  case doubles
  /// Those of AVX-512 as well.
  case all

  // Relaxed: a number with nothing beside it. A thread that starts after `restrict` sees what it has
  // stored; `used` is made once, so that all threads have the same.
  #if HOLDFAST_PORTABLE
    // So that the tests of such a build use none.
    private static let limit = Atomic(Vectors.none)
  #else
    private static let limit = Atomic(Vectors.all)
  #endif

  /// Determined by the first question, since tables depend on it.
  package static let used: Vectors = limit.load(ordering: .relaxed)

  /// Restricts what is used in this process, for benchmarks: before anything is computed.
  package static func restrict(to vectors: Vectors) {
    limit.store(vectors, ordering: .relaxed)
  }

  /// Whether these may be used.
  package var isUsed: Bool { rawValue <= Vectors.used.rawValue }
}
