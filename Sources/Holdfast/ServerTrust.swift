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

extension ServerTrust {
  /// What is asked of a validator.
  package func question(for purpose: Purpose) -> Question {
    var question = Question(
      chain, for: purpose, at: time, revocation: revocation, unreadable: unreadable)
    question.timestamps = timestamps
    return question
  }
}

extension ServerTrust: CustomStringConvertible {
  /// The leaf, how many certificates came with it, the anchors and the time.
  public var description: String {
    (chain.first?.shortName ?? "no certificate")
      + (chain.count > 1 ? " and \(chain.count - 1) more" : "") + ", \(validator), at \(time)"
  }
}
