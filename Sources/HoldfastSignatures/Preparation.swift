/// How much to precompute for a key that will verify more than one signature.
package enum Preparation: Sendable, Hashable, CaseIterable {
  /// For a key seen before: a few kilobytes, computed in about the time of one verification.
  case reuse
  /// For a key that is kept: up to 64 kB, and the fewest operations per signature.
  case anchor
}
