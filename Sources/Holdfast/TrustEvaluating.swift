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

extension ServerTrust: CustomStringConvertible {
  /// The leaf, how many certificates came with it, the anchors and the time.
  public var description: String {
    (chain.first?.shortName ?? "no certificate")
      + (chain.count > 1 ? " and \(chain.count - 1) more" : "") + ", \(validator), at \(time)"
  }
}

extension ServerTrust {
  /// What is asked of a validator.
  package func question(for purpose: Purpose) -> Question {
    var question = Question(
      chain, for: purpose, at: time, revocation: revocation, unreadable: unreadable)
    question.timestamps = timestamps
    return question
  }
}

/// The input of an evaluator: what a server presented, and how to evaluate it.
///
/// Keep the validator and create a `ServerTrust` for each connection, so that anchor keys are
/// prepared once and verified signatures are cached.
public struct ServerTrust: Sendable {
  /// The certificates as they were sent, leaf first; the order of the others does not matter.
  public var chain: [Certificate]

  /// The validator, with the anchors, the rules and the revocation data.
  public var validator: PathValidator

  /// The time of the evaluation.
  public var time: Timestamp

  /// Revocation data to use instead of the validator's; what a handshake tells is added to it.
  public var revocation: Revocation?

  /// The data of the server's TLS extension 18: timestamps of logs. RFC 6962 §3.3.1.
  public var timestamps: [UInt8]?

  /// What was sent and cannot be read. It changes no verdict, only reasons.
  public var unreadable: [UnreadableCertificate] = []

  /// Creates the input for a chain as it was sent. RFC 8446 §4.4.2.
  ///
  /// - Parameters:
  ///   - chain: The certificates as they were sent, the leaf first, the others in any order.
  ///   - revocation: Revocation data to use instead of the validator's; what a handshake tells is
  ///     added to the validator's.
  public init(
    chain: [Certificate], validator: PathValidator, at time: Timestamp = .now,
    revocation: Revocation? = nil
  ) {
    self.chain = chain
    self.validator = validator
    self.time = time
    self.revocation = revocation
  }

  /// Creates the input for what a TLS library provides: the certificates of the handshake as DER,
  /// and the stapled OCSP response, nil if the server stapled none. RFC 6066 §8.
  ///
  /// Only the leaf must be readable; other certificates that cannot be read are `unreadable`.
  ///
  /// - Parameter chain: The certificates as they were sent, the leaf first.
  /// - Throws: If the leaf or the staple cannot be read. An empty chain is an error only when it is
  ///   evaluated.
  public init(
    der chain: [[UInt8]], staple: [UInt8]?, validator: PathValidator, at time: Timestamp = .now
  ) throws(TrustError) {
    let question = try Question(der: chain, staple: staple, for: .anyServer, at: time)
    self.init(
      chain: question.chain, validator: validator, at: time, revocation: question.revocation)
    unreadable = question.unreadable
  }

  /// Creates an input that follows the rules of Apple's platforms, which AFNetworking and Alamofire
  /// assume.
  ///
  /// - Parameter chain: The certificates as they were sent, the leaf first, the others in any
  ///   order.
  public init(chain: [Certificate], anchors: AnchorSet, at time: Timestamp = .now) {
    self.init(chain: chain, validator: PathValidator(anchors: anchors, rules: .apple), at: time)
  }
}
