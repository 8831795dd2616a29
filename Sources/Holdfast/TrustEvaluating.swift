/// A policy that decides whether a server is trusted. Conform to it for a policy of your own.
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
/// An evaluator either returns why it trusts the server or throws; it must throw if it cannot
/// enforce its policy. It keeps no state: the same input always gives the same result.
public protocol TrustEvaluating: Sendable {
  /// Whether a verdict may be used again for as long as its `validity` says: on a connection or a
  /// session that is kept, and for a ticket. False unless an evaluator says otherwise, so that it is
  /// asked again.
  ///
  /// Return true only if the same certificates are trusted at every moment of `validity`. Above,
  /// they are not: the hours end before the certificates do.
  var allowsReuse: Bool { get }

  /// Returns why the server is trusted as `host`, or throws why it is not.
  ///
  /// The error can be of any type: `verdict(on:for:)` wraps other errors in `TrustError.custom`.
  func evaluate(_ trust: ServerTrust, for host: String) throws -> Verdict
}

extension TrustEvaluating {
  /// False: verdicts hold for one connection.
  public var allowsReuse: Bool { false }

  /// Returns why the server is trusted as `host`, or throws why it is not, always as a
  /// `TrustError`. Without `allowsReuse` the verdict holds for one connection only.
  public func verdict(
    on trust: ServerTrust, for host: String
  ) throws(TrustError) -> Verdict {
    do {
      let verdict = try evaluate(trust, for: host)
      return allowsReuse ? verdict : verdict.forOneConnection()
    } catch {
      throw (error as? TrustError ?? .custom(error)).naming(host)
    }
  }
}

extension TrustManager: TrustEvaluating {
  /// True: `Verdict.validity` says when certificates, pins and the log list change.
  public var allowsReuse: Bool { true }

  /// Returns why the server is trusted, or throws why it is not.
  ///
  /// The manager uses its own anchors and rules; those of `trust` are ignored.
  ///
  /// - Parameter trust: What the server presented. Its `validator` has no effect; its `revocation`
  ///   is used instead of the manager's, except for what a handshake tells, which is added to the
  ///   manager's.
  public func evaluate(_ trust: ServerTrust, for host: String) throws(TrustError) -> Verdict {
    try evaluate(trust.question(for: .server(try HostName(evaluating: host))))
  }
}

extension Live: TrustEvaluating where Value: TrustEvaluating {
  /// Whether the present value allows it; an update ends its verdicts.
  public var allowsReuse: Bool { value.allowsReuse }

  /// Returns why the server is trusted by the present value, or throws why it is not.
  public func evaluate(_ trust: ServerTrust, for host: String) throws -> Verdict {
    try judge { (value) throws in try value.evaluate(trust, for: host) }
  }
}
