public import HoldfastCertificates

/// The full account of a validation: every path that was tried, with every rule that it breaks.
public struct Diagnosis: Sendable {
  /// The first valid path, if there is one.
  public let path: ValidatedPath?

  /// What failed, also where there is a valid path.
  let failure: PathError

  /// The failed attempts, nearest miss first, each with every rule that it breaks.
  public var attempts: [PathError.Attempt] { failure.attempts }

  /// The limit that ended the search, if one did.
  public var limitReached: LimitReached? { failure.limitReached }

  /// The error that `validate` would have thrown; nil if there is a valid path.
  public var error: PathError? { path == nil ? failure : nil }
}

extension Diagnosis: Loggable {
  /// The valid path, if there is one, or what was tried and why it failed.
  public var description: String { path.map { "\($0)" } ?? "\(failure)" }
}
