internal import HoldfastCertificates

/// Whether timestamps fulfill a policy.
extension TransparencyPolicy {
  /// A verified timestamp with what its log was and is.
  struct Evidence {
    /// Its place among the results.
    let index: Int
    let delivery: TimestampDelivery
    let logID: LogID
    let isTiled: Bool
    let operatorName: String
    let time: LogTime
    let acceptance: CertificateLog.Acceptance
  }

  /// Returns the verdict on timestamps, and which of them counted.
  ///
  /// - Parameter lifetime: The seconds from the first to the last moment of validity.
  func evaluate(
    _ evidence: [Evidence], lifetime: Int64
  ) -> (verdict: TransparencyVerdict, counted: Set<Int>) {
    let seen = evidence.filter { $0.acceptance == .approved }.map { $0.time }.min()
    var nearest: (shortfall: Shortfall, delivered: Bool)?
    for requirement in requirements {
      let counted = evidence.filter { requirement.accepts($0, earliestSeen: seen) }
      guard let shortfall = shortfall(of: counted, under: requirement, lifetime: lifetime) else {
        return (.complies, Set(counted.map { $0.index }))
      }
      // The reason that helps is that of the requirement for which timestamps came.
      if nearest.map({ !$0.delivered && !counted.isEmpty }) ?? true {
        nearest = (shortfall, !counted.isEmpty)
      }
    }
    return (.violates(nearest?.shortfall ?? .noTimestamp), [])
  }

  private func shortfall(
    of counted: [Evidence], under requirement: Requirement, lifetime: Int64
  ) -> Shortfall? {
    let (seconds, over) = lifetime.addingReportingOverflow(countsLastSecond ? 1 : 0)
    let tier = requirement.tiers.first { tier in
      guard let days = tier.maximumDays else { return true }
      return !over && seconds <= Int64(clamping: days).multipliedReportingOverflow(by: 86_400).0
    }
    guard let tier else {
      return .lifetime(
        seconds: lifetime, maximumDays: requirement.tiers.compactMap { $0.maximumDays }.max() ?? 0)
    }
    if counted.isEmpty, tier.minimumLogs > 0 { return .noTimestamp }
    let logs = Set(counted.map { $0.logID })
    // Only a retired log is not approved now, and each log has one acceptance.
    let retired = Set(counted.lazy.filter { $0.acceptance != .approved }.map { $0.logID })
    let approved = logs.count - retired.count
    if approved < requirement.minimumApprovedLogs {
      return .approvedLogs(found: approved, required: requirement.minimumApprovedLogs)
    }
    if logs.count < tier.minimumLogs {
      return .logs(found: logs.count, required: tier.minimumLogs)
    }
    if let maximum = tier.maximumPerOperator {
      let found = logsByOperator(counted).reduce(0) { $0 + min($1.count, maximum) }
      if found < tier.minimumLogs {
        return .logsPerOperator(found: found, required: tier.minimumLogs, maximum: maximum)
      }
    }
    let operators = Set(counted.map { $0.operatorName })
    if operators.count < requirement.minimumOperators {
      return .operators(found: operators.count, required: requirement.minimumOperators)
    }
    if let required = requirement.requiredDeliveries,
      !counted.contains(where: { required.contains($0.delivery) })
    {
      return .delivery
    }
    if requiresRFC6962Log, counted.allSatisfy({ $0.isTiled }) {
      return .rfc6962Log
    }
    return nil
  }

  /// Returns the logs of each operator; a log belongs to its operator at its first timestamp here.
  private func logsByOperator(_ counted: [Evidence]) -> [Set<LogID>] {
    var seen: Set<LogID> = []
    var logs: [String: Set<LogID>] = [:]
    for evidence in counted where seen.insert(evidence.logID).inserted {
      logs[evidence.operatorName, default: []].insert(evidence.logID)
    }
    return Array(logs.values)
  }
}

extension TransparencyPolicy.Requirement {
  /// Whether a timestamp counts.
  ///
  /// - Parameter earliestSeen: The earliest timestamp from a log that is approved now.
  fileprivate func accepts(
    _ evidence: TransparencyPolicy.Evidence, earliestSeen: LogTime?
  ) -> Bool {
    guard deliveries.contains(evidence.delivery) else { return false }
    switch (evidence.acceptance, retiredLogs) {
    case (.approved, _): return true
    case (.untrusted, _), (.retired, .never): return false
    case (.retired(let since), .issuedBefore): return evidence.time < since
    case (.retired(let since), .issuedAndSeenBefore):
      return evidence.time < since && earliestSeen.map { $0 < since } == true
    }
  }
}

/// What a set of timestamps lacks under a policy.
@nonexhaustive
public enum Shortfall: Sendable, Hashable {
  /// No timestamp counts.
  case noTimestamp
  /// Too few logs that are approved now.
  case approvedLogs(found: Int, required: Int)
  /// Too few distinct logs.
  case logs(found: Int, required: Int)
  /// Too few distinct logs, when only some of each operator count.
  case logsPerOperator(found: Int, required: Int, maximum: Int)
  /// Too few operators.
  case operators(found: Int, required: Int)
  /// No timestamp came by TLS or OCSP.
  case delivery
  /// Every log is tiled.
  case rfc6962Log
  /// The certificate lives longer than the policy provides for.
  case lifetime(seconds: Int64, maximumDays: Int)
}

extension Shortfall: CustomStringConvertible {
  /// `timestamps from 1 log, 2 required`.
  public var description: String {
    func logs(_ count: Int) -> String { count == 1 ? "1 log" : "\(count) logs" }
    return switch self {
    case .noTimestamp: "no timestamp that counts"
    case .approvedLogs(let found, let required):
      "timestamps from \(logs(found)) approved now, \(required) required"
    case .logs(let found, let required): "timestamps from \(logs(found)), \(required) required"
    case .logsPerOperator(let found, let required, let maximum):
      "timestamps from \(logs(found)), \(required) required, at most \(maximum) of each operator"
    case .operators(let found, let required):
      "timestamps from logs of \(found == 1 ? "1 operator" : "\(found) operators"), "
        + "\(required) required"
    case .delivery: "no timestamp by TLS or OCSP"
    case .rfc6962Log: "every log is tiled, one with the interface of RFC 6962 is required"
    case .lifetime(let seconds, let maximum):
      "a lifetime of \(seconds) seconds, at most \(maximum) days allowed"
    }
  }
}
