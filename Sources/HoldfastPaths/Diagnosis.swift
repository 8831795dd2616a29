public import HoldfastCertificates

/// The full account of a validation: every path that was tried, with every rule that it breaks.
public struct Diagnosis: Sendable {
  /// The first valid path, if there is one.
  public let path: ValidatedPath?

  /// The failed attempts, nearest miss first, each with every rule that it breaks.
  public let attempts: [Attempt]

  /// The limit that ended the search, if one did.
  public let limitReached: LimitReached?

  /// The error that `validate` would have thrown; nil if there is a valid path.
  public let error: PathError?

  /// One path that was tried.
  public struct Attempt: Sendable, Hashable {
    /// The certificates of the path as far as it got, leaf first.
    public let certificates: [Certificate]

    /// The anchor that the path reached, if any.
    public let anchor: TrustAnchor?

    /// Every violation on the path.
    public let violations: [PathError.Rejection]

    /// The result for the signatures on the path, whatever other rules it breaks.
    public let signatures: Signatures
  }

  /// The result for the signatures on a path.
  public enum Signatures: Sendable, Hashable {
    /// All verify, from the leaf to the anchor.
    case verified
    /// At least one does not verify, or cannot be verified.
    case rejected
    /// None was verified: the path reaches no anchor, or the leaf is an anchor itself.
    case notVerified
  }
}

extension Diagnosis: Loggable {
  /// The valid path, if there is one, or what was tried and why it failed.
  public var description: String {
    path.map { "\($0)" } ?? error.map { "\($0)" } ?? "nothing was tried"
  }
}
