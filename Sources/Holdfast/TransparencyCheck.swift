/// Whether the certificates of servers must be in public logs: a log list, a policy, and what
/// happens if the policy is not fulfilled.
///
/// ```swift
/// let manager = TrustManager(
///   pins: pins, anchors: try .system(), transparency: .requireHardFail(list, .chrome))
/// ```
///
/// Only paths to public anchors are checked: those of the system, and others that were created so.
/// What an anchor of your own issues is in no public log. An anchor that comes from pins is public if
/// the manager's anchors have it, or the one that signed it, as a public one.
public struct TransparencyCheck: Sendable {
  /// The log list, the policy and the maximum age of the list.
  public var evaluator: TransparencyEvaluator

  /// Whether servers are rejected that do not fulfill the policy; a `PinTable` may say otherwise of
  /// some hosts.
  public var isRequired: Bool

  /// Whether servers of which it is required are rejected if there is no usable log list: it is
  /// stale, from the future or unreadable.
  public var rejectsUnevaluated: Bool

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - isRequired: Whether servers are rejected that do not fulfill the policy; a `PinTable` may
  ///     say otherwise of some hosts.
  ///   - rejectsUnevaluated: Whether servers of which it is required are rejected if there is no
  ///     usable log list.
  public init(_ evaluator: TransparencyEvaluator, isRequired: Bool, rejectsUnevaluated: Bool) {
    self.evaluator = evaluator
    self.isRequired = isRequired
    self.rejectsUnevaluated = rejectsUnevaluated
  }

  /// A check that rejects no server: the verdict says what was found. Where a `PinTable` requires
  /// transparency, a list that cannot be used rejects no server.
  public static func report(
    _ list: LogList, _ policy: TransparencyPolicy = .chrome
  ) -> TransparencyCheck {
    let evaluator = TransparencyEvaluator(list: list, policy: policy)
    return TransparencyCheck(evaluator, isRequired: false, rejectsUnevaluated: false)
  }

  /// A check that rejects servers that do not fulfill a policy, and all of them once the list cannot
  /// be used: replace it before it is ten weeks old.
  public static func requireHardFail(
    _ list: LogList, _ policy: TransparencyPolicy
  ) -> TransparencyCheck {
    let evaluator = TransparencyEvaluator(list: list, policy: policy)
    return TransparencyCheck(evaluator, isRequired: true, rejectsUnevaluated: true)
  }

  /// A check that rejects servers that do not fulfill a policy. A list that cannot be used rejects
  /// no server: the verdict lists transparency as unchecked.
  public static func requireSoftFail(
    _ list: LogList, _ policy: TransparencyPolicy
  ) -> TransparencyCheck {
    let evaluator = TransparencyEvaluator(list: list, policy: policy)
    return TransparencyCheck(evaluator, isRequired: true, rejectsUnevaluated: false)
  }

  /// What a `PinTable` says of some hosts, whatever the manager's check says of others.
  public enum Exception: Sendable, Hashable {
    /// Rejected if the policy is not fulfilled; whether also if there is no usable list, the
    /// manager's check says. Without a check, and so without a log list, it is not enforced, and the
    /// verdict warns and lists it as unchecked.
    case require
    /// Checked, but never rejected.
    case excuse
  }

  /// The source of the times at which logs saw the leaf of a path. Constraints of root programs ask
  /// for them: a CA can backdate notBefore, but not the timestamps of logs.
  package var logTimes: LogTimes {
    { [self] (found, question, budget) throws(CheckFailure) in
      try evidence(on: &found, question, &budget).leafLogTimes
    }
  }

  /// What the timestamps of a path prove, which is evaluated once for all paths on which the leaf
  /// has the same issuer's key.
  ///
  /// The first key is free, as in a search that finds one path. There is a second one only if a CA
  /// made it to fit the same signature, and then each is charged for as many timestamps as there may
  /// be.
  private func evidence(
    on found: inout FoundPath, _ question: Question, _ budget: inout Budget
  ) throws(CheckFailure) -> TransparencyReport {
    let key = found.path.issuerKey?.der
    if let known = found.logEvidence[key] as? EvaluatedTimestamps { return known.report }
    if !found.logEvidence.isEmpty {
      try budget.spendPublicKeyOperation(TransparencyEvaluator.maximumTimestamps)
    }
    let report = evaluator.evaluate(found.path, tls: question.timestamps, ocsp: found.staple)
    found.logEvidence[key] = EvaluatedTimestamps(report)
    return report
  }

  /// Returns what is found of a server's path to a public anchor, nil for other paths; an error if
  /// more is required.
  ///
  /// - Parameter pins: The table that may say otherwise of the server.
  func evaluate(
    _ found: inout FoundPath, _ question: Question, _ pins: PinTable?, _ budget: inout Budget
  ) throws(CheckFailure) -> Result<TransparencyReport?, TrustError> {
    let path = found.path
    guard path.anchor.isPublic, path.purpose.extendedKeyUsages.contains(.serverAuth) else {
      return .success(nil)
    }
    let report = try evidence(on: &found, question, &budget)
    var isRequired = isRequired
    var name = "a server"
    if case .host(let host)? = path.purpose.identity {
      name = "\(host)"
      if let exception = pins?.transparency(for: host) { isRequired = exception == .require }
    }
    guard !isRequired || isSatisfied(by: report) else {
      return .failure(.insufficientTransparency(host: name, report))
    }
    return .success(report)
  }

  /// Whether what was found is enough for a host of which it is required.
  private func isSatisfied(by report: TransparencyReport) -> Bool {
    report.verdict == .complies || !report.isEvaluated && !rejectsUnevaluated
  }
}

/// What the timestamps of a path prove.
private final class EvaluatedTimestamps: Sendable {
  let report: TransparencyReport
  init(_ report: TransparencyReport) { self.report = report }
}

extension PathValidator {
  /// Returns this validator with the times of logs for those root programs that ask for them.
  package func with(_ transparency: TransparencyCheck?) -> PathValidator {
    guard let transparency else { return self }
    return with(Demand.all(logTimes: transparency.logTimes))
  }
}
