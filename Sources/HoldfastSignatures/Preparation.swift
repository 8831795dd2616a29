/// How much to compute ahead for a key that will verify more than one signature.
package enum Preparation: Sendable, Hashable, CaseIterable {
  /// For a key seen before: a few kilobytes, made in about the time of one verification.
  case reuse
  /// For a key that stays: up to 64 kB, and the fewest operations for each signature.
  case anchor
}
