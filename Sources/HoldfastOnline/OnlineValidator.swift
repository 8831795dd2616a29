public import Holdfast
public import HoldfastBase
internal import HoldfastCertificates

/// Validates chains, and fetches what they lack: issuers that the server forgot, OCSP responses and
/// CRLs.
///
/// ```swift
/// let validator = OnlineValidator(offline, fetching: HTTPFetcher())
/// let answer = await validator.answer(to: Question(chain, for: .server("example.com")))
/// let path = try answer.path
/// ```
///
/// It first validates offline. Issuers are fetched only if one is missing, and OCSP responses and CRLs
/// only for a path that has reached an anchor, whose URLs a CA has signed. What is fetched is one more
/// candidate, and never trusted by itself. `FetchPolicy` bounds what one question may cost.
///
/// Fetching tells others what is validated: an OCSP responder learns of the host, the server of a CRL
/// or of issuers of its CA. The revocation filters of `Revocation.upkiCache()` tell no one.
public struct OnlineValidator: Sendable {
  /// The anchors, the rules and the revocation data.
  public let validator: PathValidator

  /// What is fetched, and how much.
  public let policy: FetchPolicy

  private let offline: PathValidator
  private let fetches: Fetches

  /// Creates a validator.
  ///
  /// - Parameters:
  ///   - fetching: The HTTP client.
  ///   - cache: What was fetched before. Validators may share one.
  public init(
    _ validator: PathValidator, fetching: any Fetching, policy: FetchPolicy = FetchPolicy(),
    cache: FetchCache = FetchCache()
  ) {
    self.init(validator, fetching: fetching, policy: policy, cache: cache, clock: .system)
  }

  init(
    _ validator: PathValidator, fetching: any Fetching, policy: FetchPolicy, cache: FetchCache,
    clock: FetchClock
  ) {
    self.init(
      validator, policy,
      Fetches(fetching, cache, hostInterval: policy.hostInterval, clock: clock))
  }

  private init(_ validator: PathValidator, _ policy: FetchPolicy, _ fetches: Fetches) {
    self.validator = validator
    self.policy = policy
    self.fetches = fetches
    offline = validator.with(revocation: nil)
  }

  /// Returns a validator with other anchors, rules or revocation data. It shares the cache, the
  /// requests on their way and the failures of servers with this one.
  public func with(_ validator: PathValidator) -> OnlineValidator {
    OnlineValidator(validator, policy, fetches)
  }

  /// Answers a question, and fetches what it needs.
  public func answer(to question: Question) async -> OnlineAnswer {
    var work = OnlineQuestion(question, offline, known: validator.revocation, policy, fetches)
    return await work.answer()
  }
}

/// What an `OnlineValidator` answers.
public struct OnlineAnswer: Sendable {
  /// The valid path, or why there is none.
  public let result: Result<ValidatedPath, PathError>

  /// The certificates of the request, then those that were fetched.
  public let chain: [Certificate]

  /// The revocation data of the request and the validator, and what was fetched; nil if revocation is
  /// not checked. With `chain`, it lets a `TrustManager` decide on the same data.
  public let revocation: Revocation?

  /// The time of the validation: that of the request, or when the last response had come.
  public let time: Timestamp

  /// What was asked for, in the order of asking.
  public let fetches: [FetchReport]

  /// The valid path; throws why there is none.
  public var path: ValidatedPath {
    get throws(PathError) { try result.get() }
  }
}

/// One thing that a question asked for.
public struct FetchReport: Sendable, Hashable {
  /// What was asked for.
  public let kind: FetchKind
  /// Where, as the certificate has it.
  public let url: String
  /// What became of it.
  public var outcome: Outcome
  /// Its place among the revocation data of the answer; nil if it did not come, or has no place
  /// there.
  package internal(set) var source: CertificateRevocation.Source?

  /// What became of it.
  @nonexhaustive
  public enum Outcome: Sendable, Hashable {
    /// This number of bytes was received.
    case fetched(bytes: Int)
    /// The cache had it.
    case cached
    /// The server says that what the cache has is unchanged.
    case unchanged
    /// It did not come, or is of no use.
    case failed(FetchError)
  }
}

extension FetchReport: CustomStringConvertible {
  /// `ocsp http://ocsp.example.com/: 471 bytes`.
  public var description: String { text(.library) }

  /// The same, with these names for what allows more to be fetched.
  package func text(_ settings: FetchSettings) -> String {
    let text =
      switch outcome {
      case .fetched(let count): "\(count) bytes"
      case .cached: "from the cache"
      case .unchanged: "unchanged"
      case .failed(let error): error.text(beside: url, settings)
      }
    return "\(kind.rawValue) \(url): \(text)"
  }
}

extension OnlineAnswer: Loggable {
  /// The requests that failed, if there is no valid path: without them there might be one.
  package var failures: [FetchReport] {
    guard case .failure = result else { return [] }
    return fetches.filter { if case .failed = $0.outcome { true } else { false } }
  }

  /// What was not fetched, and then why there is no valid path; or the path.
  public var description: String {
    switch result {
    case .success(let path): "\(path)"
    case .failure(let error):
      (failures.map { "not fetched: \($0)" } + ["\(error)"]).joined(separator: "\n")
    }
  }

  /// The same on one line, with the host once.
  public var logLine: String {
    guard case .failure(let error) = result else { return "\(self)" }
    return ([error.logLine] + failures.map { "not fetched: \($0)" }).joined(separator: "; ")
  }
}
