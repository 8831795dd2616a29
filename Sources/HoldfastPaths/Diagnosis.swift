public import HoldfastDER
public import HoldfastCertificates

/// The full account of a validation: every path that was tried, with every rule that it breaks.
public struct Diagnosis: Sendable {
  /// The first valid path, if there is one.
  public let path: ValidatedPath?

  /// The failed attempts, nearest miss first, each with every rule that it breaks.
  public let attempts: [Attempt]

  /// The limit that ended the search, if one did.
  public let limitReached: LimitReached?

  /// The error that `validate` would have thrown, with all attempts; nil if there is a valid path.
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

extension Diagnosis.Attempt {
  /// Returns the attempts of a search, nearest miss first.
  static func all(of builder: borrowing PathBuilder) -> [Diagnosis.Attempt] {
    // The sort is stable: equally close attempts keep their order.
    builder.attempts.all.sorted { $0.closeness > $1.closeness }.map { attempt in
      let path = attempt.nodes.map { builder.certificate($0) }
      let violations = attempt.violations.map { violation in
        PathError.Rejection(path: path, anchor: attempt.anchor, violation: violation)
      }
      return Diagnosis.Attempt(
        certificates: path, anchor: attempt.anchor, violations: violations,
        signatures: attempt.signatures)
    }
  }
}

extension Attempts.Attempt {
  /// How close the attempt came: it ranks higher if it reached an anchor, broke few rules, and did
  /// not fail at a signature or a missing issuer.
  fileprivate var closeness: Int {
    let misses = violations.reduce(0) { $0 + $1.rule.row.miss.rawValue }
    return (anchor != nil ? 1000 : 0) - 10 * min(violations.count, 50) - misses
  }
}
