/// Decides whether a server is trusted. This is the protocol to implement for a policy of your own.
///
/// ```swift
/// struct OfficeHours: TrustEvaluating {
///   func evaluate(_ trust: ServerTrust, for host: String) throws -> Verdict {
///     guard isOpen(at: trust.time) else { throw Closed() }
///     return try DefaultEvaluator().evaluate(trust, for: host)
///   }
/// }
/// ```
///
/// An evaluator either returns why it trusts the server or throws; one that cannot enforce what it
/// was made for must throw. It keeps no state: the same question has the same answer, whoever asked
/// before.
public protocol TrustEvaluating: Sendable {
  /// Returns why the server is trusted as `host`, or throws why it is not.
  ///
  /// Any error will do; whoever calls by way of `verdict(on:for:)` sees those that are no
  /// `TrustError` as `TrustError.customEvaluationFailed`.
  func evaluate(_ trust: ServerTrust, for host: String) throws -> Verdict

  /// What tells this policy from others; nil if that cannot be told, and then no verdict of it
  /// outlasts its connection.
  var fingerprint: PolicyFingerprint? { get }

  /// What this policy does not check.
  var hazards: [Hazard] { get }
}

extension TrustEvaluating {
  /// None: verdicts are good for one connection.
  public var fingerprint: PolicyFingerprint? { nil }

  /// None that are known of.
  public var hazards: [Hazard] { [] }

  /// Returns why the server is trusted as `host`, or throws why it is not, always as a `TrustError`.
  public func verdict(
    on trust: ServerTrust, for host: String
  ) throws(TrustError) -> Verdict {
    do {
      return try evaluate(trust, for: host)
    } catch let error as TrustError {
      throw error
    } catch {
      throw .customEvaluationFailed(error)
    }
  }
}
