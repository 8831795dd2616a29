public import HoldfastDER
public import HoldfastCertificates
package import HoldfastPaths

/// What the timestamps of a certificate prove, and whether they fulfill a policy.
public struct TransparencyReport: Sendable, Hashable {
  /// The policy.
  public let policy: TransparencyPolicy
  /// The verdict by the policy.
  public let verdict: TransparencyVerdict
  /// One result for each timestamp: embedded ones first, then by TLS, then by OCSP.
  public let results: [TimestampResult]
  /// How many further timestamps were not looked at: more than 64 are not verified.
  public let omitted: Int
  /// The time of the log list; nil if there is none.
  public let listTime: LogTime?

  /// The earliest time at which the certificate is proved to have existed, by a log that is
  /// approved now. The beginning of validity can be backdated, this cannot.
  public var earliestProvableIssuance: LogTime? {
    results.filter { $0.isProof }.compactMap { $0.time }.min()
  }

  /// Whether it is known if the policy is fulfilled: there is a usable log list.
  package var isEvaluated: Bool { if case .notEvaluated = verdict { false } else { true } }

  /// The times of the timestamps that logs signed while they were approved, rounded up to seconds.
  package var leafLogTimes: LeafLogTimes {
    guard isEvaluated else { return .notEvaluated }
    let signed = results.filter { $0.wasApproved }.compactMap { $0.time }.min()
    guard let signed else { return .none }
    return .times(
      approved: earliestProvableIssuance?.roundedUp, any: signed.roundedUp)
  }

  /// Whether embedded timestamps could not be verified, because a log signs the issuer's key, too.
  package var lacksIssuer: Bool {
    results.contains { $0.status == .badSignature(.unknownIssuer) }
  }

  /// The verdict in one sentence: `Complies with chrome: 3 of 3 timestamps count.`
  public var summary: String {
    switch verdict {
    case .complies:
      "Complies with \(policy.name): "
        + "\(results.count { $0.isCounted }) of \(results.count) timestamps count."
    case .violates where lacksIssuer:
      "Transparency was not evaluated: logs sign the issuer's key, too, and its certificate was not "
        + "given."
    case .violates(let shortfall): "Does not comply with \(policy.name): \(shortfall)."
    case .notEvaluated(let reason): "Transparency was not evaluated: \(reason)."
    }
  }
}

/// Whether timestamps fulfill a policy.
public enum TransparencyVerdict: Sendable, Hashable {
  /// They do.
  case complies
  /// They do not, for this reason.
  case violates(Shortfall)
  /// It is not known, because there is no usable log list.
  case notEvaluated(NotEvaluatedReason)
}

/// Why a policy was not evaluated.
@nonexhaustive
public enum NotEvaluatedReason: Sendable, Hashable {
  /// The list is older than allowed, in seconds.
  case staleList(published: LogTime, maximumAge: Int64)
  /// The list was published later than the time of the evaluation.
  case listFromTheFuture(published: LogTime)
  /// The list does not say when it was published.
  case listWithoutTime
  /// Transparency is required, and there is no list.
  case noList
  /// The list could not be read.
  case unreadableList(LogListError)
}

extension NotEvaluatedReason: CustomStringConvertible {
  /// `the log list of 2026-01-02T12:57:01.000Z is older than 70 days`.
  public var description: String {
    switch self {
    case .staleList(let published, let maximumAge):
      "the log list of \(published) is older than "
        + (maximumAge % 86_400 == 0 ? "\(maximumAge / 86_400) days" : "\(maximumAge) seconds")
    case .listFromTheFuture(let published): "the log list of \(published) is from the future"
    case .listWithoutTime: "the log list does not say when it was published"
    case .noList: "it is required, and there is no log list"
    case .unreadableList(let error): "\(error)"
    }
  }
}

/// What is known of one timestamp.
public struct TimestampResult: Sendable, Hashable {
  /// How it came.
  public let delivery: TimestampDelivery
  /// The timestamp; nil if it is malformed or of another version.
  public let timestamp: SignedCertificateTimestamp?
  /// Its log; nil if it is not in the list.
  public let log: CertificateLog?
  /// What was found.
  public let status: Status
  /// Whether it contributed to fulfilling the policy.
  public internal(set) var isCounted = false
  /// Whether it proves that the certificate existed at its time: it verified, and the log is
  /// approved now. A log that is retired can sign any time before its retirement.
  package internal(set) var isProof = false
  /// Whether it verified, and the log is approved now or was at its time.
  var wasApproved = false

  package init(
    _ delivery: TimestampDelivery, _ timestamp: SignedCertificateTimestamp?,
    _ log: CertificateLog?, _ status: Status
  ) {
    self.delivery = delivery
    self.timestamp = timestamp
    self.log = log
    self.status = status
  }

  /// The time that the log signed.
  public var time: LogTime? { timestamp?.time }
  /// The operator of the log at that time.
  public var operatorName: String? {
    timestamp.flatMap { log?.operatorName(at: $0.time) }
  }
  /// The state of the log in the list.
  public var state: CertificateLog.State? { log?.state }
  /// The number of the entry in a static log.
  package var leafIndex: UInt64? { timestamp?.leafIndex }

  /// What was found of a timestamp.
  @nonexhaustive
  public enum Status: Sendable, Hashable {
    /// The signature verifies. Whether it counts depends on the state of the log, too.
    case verified
    /// The signature verifies, but the log was retired when it signed.
    case logRetired(since: LogTime)
    /// The log is not in the list, or there is no list.
    case unknownLog
    /// The version is not 1; its number is 0 for version 1.
    case unsupportedVersion(UInt8)
    /// The signature was not verified.
    case badSignature(SignatureProblem)
    /// The signature verifies, but the time is this many milliseconds later than the evaluation.
    case inTheFuture(byMilliseconds: Int64)
    /// The bytes are no timestamp, or no list of them.
    case malformed(TimestampError)
  }
}

extension LogTime {
  /// The second in which it is, or the next one if it is not the first moment of that.
  fileprivate var roundedUp: Timestamp {
    let (seconds, rest) = millisecondsSince1970.quotientAndRemainder(dividingBy: 1000)
    return Timestamp(secondsSince1970: seconds + (rest > 0 ? 1 : 0))
  }
}

extension TimestampResult.Status: CustomStringConvertible {
  /// `verified`, `unknown log`, `bad signature: the signature does not verify`.
  public var description: String {
    switch self {
    case .verified: "verified"
    case .logRetired(let since): "the log was retired at \(since)"
    case .unknownLog: "unknown log"
    case .unsupportedVersion(let number): "unsupported version (\(number))"
    case .badSignature(.unknownIssuer): "not verified: \(SignatureProblem.unknownIssuer)"
    case .badSignature(let problem): "bad signature: \(problem)"
    case .inTheFuture(let milliseconds):
      milliseconds < 1000
        ? "less than a second in the future"
        : "\(Timestamp.duration(ofSeconds: milliseconds / 1000)) in the future"
    case .malformed(let error): "malformed: \(error)"
    }
  }

  /// The name of the status, without details: `badSignature`.
  public var name: String {
    switch self {
    case .verified: "verified"
    case .logRetired: "logRetired"
    case .unknownLog: "unknownLog"
    case .unsupportedVersion: "unsupportedVersion"
    case .badSignature: "badSignature"
    case .inTheFuture: "inTheFuture"
    case .malformed: "malformed"
    }
  }
}

extension TimestampResult: CustomStringConvertible {
  /// `embedded, Argon 2026 of Google at 2026-07-04T09:01:40.283Z: verified`.
  public var description: String {
    let source = log.map { "\($0.name) of \(operatorName ?? $0.operatorName)" }
    let about = timestamp.map { "\(source ?? "log \($0.logID)") at \($0.time)" } ?? "unread"
    return "\(delivery.rawValue), \(about): \(status)"
  }
}

extension TransparencyReport: Loggable {
  /// The summary, then a line for each timestamp.
  public var description: String {
    ([summary] + results.map { "  \($0)" }).joined(separator: "\n")
  }
}
