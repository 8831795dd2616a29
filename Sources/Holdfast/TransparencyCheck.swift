internal import HoldfastCertificates
internal import HoldfastPaths
public import HoldfastTransparency

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
    TransparencyCheck(
      TransparencyEvaluator(list: list, policy: policy), isRequired: false,
      rejectsUnevaluated: false)
  }

  /// A check that rejects servers that do not fulfill a policy, and all of them once the list cannot
  /// be used: replace it before it is ten weeks old.
  public static func requireHardFail(
    _ list: LogList, _ policy: TransparencyPolicy
  ) -> TransparencyCheck {
    TransparencyCheck(
      TransparencyEvaluator(list: list, policy: policy), isRequired: true,
      rejectsUnevaluated: true)
  }

  /// A check that rejects servers that do not fulfill a policy. A list that cannot be used rejects
  /// no server: the verdict lists transparency as unchecked.
  public static func requireSoftFail(
    _ list: LogList, _ policy: TransparencyPolicy
  ) -> TransparencyCheck {
    TransparencyCheck(
      TransparencyEvaluator(list: list, policy: policy), isRequired: true,
      rejectsUnevaluated: false)
  }

  /// What a `PinTable` says of some hosts, whatever the manager's check says of others.
  public enum Exception: Sendable, Hashable {
    /// Rejected if the policy is not fulfilled; whether also if there is no usable list, the
    /// manager's check says. Without a check, and so without a log list, it is not enforced, and the
    /// verdict lists it as unchecked.
    case require
    /// Checked, but never rejected.
    case excuse
  }

  /// Returns a function from a path to the verified times at which logs saw its leaf. Constraints
  /// of root programs ask for them: a CA can backdate notBefore, but not the timestamps of logs.
  package func logTimes(timestamps: [UInt8]?, staple: OCSPResponse?) -> LogTimes {
    let evaluator = evaluator
    return { path in evaluator.evaluate(path, tls: timestamps, ocsp: staple).leafLogTimes }
  }

  /// Returns what is found of a server's path to a public anchor, nil for other paths; throws if
  /// more is required.
  ///
  /// - Parameters:
  ///   - pins: The table that may say otherwise of the server.
  ///   - timestamps: The data of the server's TLS extension 18, if it sent one.
  package func evaluate(
    _ path: ValidatedPath, _ pins: PinTable?, timestamps: [UInt8]? = nil,
    staple: OCSPResponse? = nil
  ) throws(TrustError) -> TransparencyReport? {
    guard path.anchor.isPublic, path.purpose.extendedKeyUsages.contains(.serverAuth) else {
      return nil
    }
    let report = evaluator.evaluate(path, tls: timestamps, ocsp: staple)
    var isRequired = isRequired
    var name = "a server"
    if case .host(let host)? = path.purpose.identity {
      name = "\(host)"
      if let exception = pins?.transparency(for: host) { isRequired = exception == .require }
    }
    guard !isRequired || isSatisfied(by: report) else {
      throw .insufficientTransparency(host: name, report)
    }
    return report
  }

  /// Whether what was found is enough for a host of which it is required.
  private func isSatisfied(by report: TransparencyReport) -> Bool {
    switch report.verdict {
    case .complies: true
    case .violates: false
    case .notEvaluated: !rejectsUnevaluated
    }
  }
}
