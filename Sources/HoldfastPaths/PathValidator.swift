public import HoldfastCertificates

/// Finds a path from a certificate to an anchor and validates it by RFC 5280 §6.
///
/// It is a value that is made once and used by any number of threads. What it does, in order, for
/// each `validate`:
/// 1. checks the leaf by itself: validity, purpose, name, critical extensions;
/// 2. searches issuers by name, the most likely first, each checked by itself before the search
///    goes on;
/// 3. of a path that has reached an anchor, verifies the signatures, and then goes down the path as
///    RFC 5280 §6.1 has it: names, policies, path length.
///
/// It does not fetch anything, and does not ask for revocation unless it is given a `Revocation`.
public struct PathValidator: Sendable {
  let configuration: Configuration

  /// What is trusted.
  public var anchors: AnchorSet { configuration.anchors }
  /// How strict the validation is.
  public var rules: ValidationRules { configuration.rules }
  /// What a validation may cost.
  public var limits: Limits { configuration.limits }
  /// What is known of revocations.
  package var revocation: Revocation? { configuration.revocation }

  /// A validator.
  ///
  /// - Parameter memory: Where signatures that verified are kept, or nil to verify all each time.
  ///   Validators may share one.
  /// - Parameter revocation: What is known of revocations, for validations that bring nothing of
  ///   their own; nil to ask for none.
  public init(
    anchors: AnchorSet, rules: ValidationRules = .webPKI, limits: Limits = .default,
    memory: SignatureMemory? = SignatureMemory(), revocation: Revocation? = nil
  ) {
    configuration = Configuration(
      anchors: anchors, rules: rules, limits: limits, memory: memory, revocation: revocation)
  }

  /// The same validator with other anchors.
  package func with(_ anchors: AnchorSet) -> PathValidator {
    PathValidator(
      anchors: anchors, rules: rules, limits: limits, memory: configuration.memory,
      revocation: configuration.revocation)
  }

  /// Returns the first path from the leaf of a chain to an anchor that keeps every rule.
  ///
  /// - Parameter chain: The certificates as they were sent, the leaf first, the others in any order.
  ///   None of them is trusted. An empty chain is an error.
  /// - Parameter revocation: What is known of revocations, in place of what the validator has: the
  ///   answer that this server has stapled, perhaps.
  public func validate(
    _ chain: [Certificate], for purpose: Purpose, at time: Timestamp = .now,
    revocation: Revocation? = nil
  ) throws(PathError) -> ValidatedPath {
    try validate(chain, for: purpose, at: time, revocation: revocation) { _ in nil }
  }

  /// Returns the first path that keeps every rule and that the caller accepts.
  ///
  /// Any valid path counts: if the first is refused, the search goes on. The caller's reason for
  /// refusing a path comes out as `Rule.veto`.
  package func validate(
    _ chain: [Certificate], for purpose: Purpose, at time: Timestamp,
    revocation: Revocation? = nil, unless objection: (ValidatedPath) -> String?
  ) throws(PathError) -> ValidatedPath {
    guard !chain.isEmpty else { throw PathError(emptyChainFor: purpose, time) }
    var builder = PathBuilder(
      chain, purpose, time, configuration.with(revocation), budget: Budget(configuration.limits))
    do throws(CheckFailure) {
      while let path = try builder.next() {
        guard let reason = objection(path) else { return path }
        builder.reject(path, Violation(.veto, .text(reason)))
      }
    } catch {
      if case .limitReached(let limit) = error { throw PathError(builder, limit) }
    }
    throw PathError(builder)
  }

  /// Tries all paths, each to its end, and tells every rule that each breaks.
  ///
  /// It is the same engine as `validate`, which stops a path at its first broken rule and the search
  /// at the first valid path.
  public func diagnose(
    _ chain: [Certificate], for purpose: Purpose, at time: Timestamp = .now,
    revocation: Revocation? = nil
  ) -> Diagnosis {
    guard !chain.isEmpty else {
      return Diagnosis(
        path: nil, attempts: [], limitReached: nil, error: PathError(emptyChainFor: purpose, time))
    }
    var builder = PathBuilder(
      chain, purpose, time, configuration.with(revocation), budget: Budget(configuration.limits),
      recordsAll: true)
    var path: ValidatedPath?
    var limitReached: LimitReached?
    do throws(CheckFailure) {
      while let next = try builder.next() { path = path ?? next }
    } catch {
      if case .limitReached(let limit) = error { limitReached = limit }
    }
    let attempts = PathError.Rejection.byAttempt(of: builder).compactMap { attempt, rejections in
      rejections.first.map {
        Diagnosis.Attempt(
          certificates: $0.path, anchor: $0.anchor, violations: rejections,
          signatures: attempt.signatures)
      }
    }
    return Diagnosis(
      path: path, attempts: attempts, limitReached: limitReached ?? builder.limitReached,
      error: path == nil ? PathError(builder, limitReached) : nil)
  }
}

/// Many validations at once.
extension PathValidator {
  /// One validation of many.
  public struct Request: Sendable {
    /// The certificates as they were sent, the leaf first.
    public var chain: [Certificate]
    /// What for.
    public var purpose: Purpose
    /// At which time.
    public var time: Timestamp
    /// What is known of revocations, in place of what the validator has.
    public var revocation: Revocation?

    /// A request.
    public init(
      _ chain: [Certificate], for purpose: Purpose, at time: Timestamp = .now,
      revocation: Revocation? = nil
    ) {
      self.chain = chain
      self.purpose = purpose
      self.time = time
      self.revocation = revocation
    }
  }

  /// Validates many chains on all cores, and answers in the order of the requests. A cancelled task
  /// stops before the next validation.
  ///
  /// The requests are cut into runs, one task a run, because a task costs about as much as a
  /// validation with remembered signatures.
  public func validate(
    _ requests: [Request]
  ) async throws(CancellationError) -> [Result<ValidatedPath, PathError>] {
    let runs = stride(from: 0, to: requests.count, by: 8).map { start in
      start..<min(start + 8, requests.count)
    }
    let answers = await withTaskGroup(
      of: (start: Int, answers: [Result<ValidatedPath, PathError>]).self
    ) { group in
      for run in runs {
        group.addTask { (run.lowerBound, validateUntilCancelled(requests[run])) }
      }
      var answers: [Int: [Result<ValidatedPath, PathError>]] = [:]
      for await (start, part) in group { answers[start] = part }
      return runs.flatMap { answers[$0.lowerBound] ?? [] }
    }
    guard answers.count == requests.count else { throw CancellationError() }
    return answers
  }

  /// The answers up to the moment at which the task was cancelled.
  private func validateUntilCancelled(
    _ requests: ArraySlice<Request>
  ) -> [Result<ValidatedPath, PathError>] {
    var answers: [Result<ValidatedPath, PathError>] = []
    for request in requests where !Task.isCancelled {
      do throws(PathError) {
        let path = try validate(
          request.chain, for: request.purpose, at: request.time, revocation: request.revocation)
        answers.append(.success(path))
      } catch {
        answers.append(.failure(error))
      }
    }
    return answers
  }
}

/// What all validations of one validator share.
final class Configuration: Sendable {
  let anchors: AnchorSet
  let rules: ValidationRules
  let limits: Limits
  let memory: SignatureMemory?
  let revocation: Revocation?
  /// Whether the path is that of a signer of lists or answers. Then the memory is only asked, because
  /// the path is part of a larger question.
  let isForSigner: Bool

  init(
    anchors: AnchorSet, rules: ValidationRules, limits: Limits, memory: SignatureMemory?,
    revocation: Revocation?, isForSigner: Bool = false
  ) {
    self.anchors = anchors
    self.rules = rules
    self.limits = limits
    self.memory = memory
    self.revocation = revocation
    self.isForSigner = isForSigner
  }

  /// The same with what is known of revocations replaced, if there is something.
  func with(_ revocation: Revocation?) -> Configuration {
    guard let revocation else { return self }
    return Configuration(
      anchors: anchors, rules: rules, limits: limits, memory: memory, revocation: revocation)
  }
}

/// What the memory is told once a path is accepted as a whole, and not before.
struct Learned {
  /// Signatures that verified.
  var facts: [SignatureMemory.Fact] = []
  /// The keys that verified them.
  var keys: [PreparedKey] = []

  /// Adds what was learned elsewhere.
  mutating func add(_ other: Learned) {
    facts += other.facts
    keys += other.keys
  }
}
