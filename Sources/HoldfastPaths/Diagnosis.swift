public import HoldfastCertificates

/// Everything that is to be said about a validation: all paths, and all rules that each breaks.
public struct Diagnosis: Sendable {
  /// The first valid path, if there is one.
  public let path: ValidatedPath?

  /// The paths that were tried, the nearest miss first, each with every rule that it breaks.
  public let attempts: [Attempt]

  /// The limit that ended the search, if one did.
  public let limitReached: LimitReached?

  /// What `validate` would have thrown, with all of the attempts; nil if there is a valid path.
  public let error: PathError?

  /// One path that was tried.
  public struct Attempt: Sendable, Hashable {
    /// The certificates as far as the path went, the leaf first.
    public let certificates: [Certificate]

    /// The anchor that the path reached, if it did.
    public let anchor: TrustAnchor?

    /// Every violation, from the leaf up.
    public let violations: [PathError.Rejection]

    /// What became of the signatures on the path, whatever other rules are broken.
    public let signatures: Signatures
  }

  /// What became of the signatures on a path.
  public enum Signatures: Sendable, Hashable {
    /// Each one verifies, from the leaf to the anchor.
    case verified
    /// One at least does not verify, or cannot be verified.
    case refused
    /// None was verified: the path reaches no anchor, or the leaf is an anchor itself.
    case notVerified
  }
}

extension Diagnosis: CustomStringConvertible {
  /// The valid path, if there is one, or what was tried and why it failed.
  public var description: String {
    path.map { "\($0)" } ?? error.map { "\($0)" } ?? "nothing was tried"
  }
}
