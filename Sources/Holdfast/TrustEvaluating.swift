/// Decides whether a server is trusted: the protocol to implement for a policy of your own.
///
/// ```swift
/// struct OfficeHours: TrustEvaluating {
///   let manager: TrustManager
///
///   func evaluate(_ trust: ServerTrust, for host: String) throws -> Verdict {
///     guard isOpen(at: trust.time) else { throw Closed() }
///     return try manager.evaluate(trust, for: host)
///   }
/// }
/// ```
///
/// An evaluator either returns why it trusts the server or throws; one that cannot enforce what it
/// was made for must throw. It keeps no state: the same question has the same answer.
public protocol TrustEvaluating: Sendable {
  /// Returns why the server is trusted as `host`, or throws why it is not.
  ///
  /// Any error will do: `verdict(on:for:)` wraps other errors in `TrustError.custom`.
  func evaluate(_ trust: ServerTrust, for host: String) throws -> Verdict
}

extension TrustEvaluating {
  /// Returns why the server is trusted as `host`, or throws why it is not, always as a `TrustError`.
  public func verdict(
    on trust: ServerTrust, for host: String
  ) throws(TrustError) -> Verdict {
    do {
      return try evaluate(trust, for: host)
    } catch let error as TrustError {
      throw error
    } catch {
      throw .custom(error)
    }
  }
}

/// What a server presented and what to judge it by: the input of an evaluator.
///
/// Keep the validator and make a `ServerTrust` for each connection, so that the keys of anchors are
/// prepared, and verified signatures remembered, once for all.
public struct ServerTrust: Sendable {
  /// The certificates as they were sent, the leaf first. Only the leaf's position matters.
  public var chain: [Certificate]

  /// The system's anchors, the rules, and what is known about revocation.
  public var validator: PathValidator

  /// The time at which the server is judged.
  public var time: Timestamp

  /// What is known about revocation, in place of what the validator has: a stapled response.
  public var revocation: Revocation?

  /// A question about a chain as it was sent. RFC 8446 §4.4.2.
  public init(
    chain: [Certificate], validator: PathValidator, at time: Timestamp = .now,
    revocation: Revocation? = nil
  ) {
    self.chain = chain
    self.validator = validator
    self.time = time
    self.revocation = revocation
  }

  /// A question judged by the rules of Apple's platforms, which AFNetworking and Alamofire assume.
  public init(chain: [Certificate], anchors: AnchorSet, at time: Timestamp = .now) {
    self.init(chain: chain, validator: PathValidator(anchors: anchors, rules: .apple), at: time)
  }
}
