/// What a server has shown, and what there is to judge it by: the question to an evaluator.
///
/// It is a value, and no evaluator changes it: what one does with anchors has no effect on the next.
/// Keep the validator and make a `ServerTrust` for each connection, so that keys of anchors are
/// prepared, and signatures that verified remembered, once for all.
public struct ServerTrust: Sendable {
  /// The server's certificate.
  public var leaf: Certificate

  /// What was sent with it, in any order. None of it is trusted.
  public var intermediates: [Certificate]

  /// The anchors of the system, the rules, and what is known of revocations.
  public var validator: PathValidator

  /// The time for which the answer is to hold.
  public var time: Timestamp

  /// What is known of revocations, in place of what the validator has: a stapled answer, perhaps.
  public var revocation: Revocation?

  /// A question about a server's certificate.
  public init(
    _ leaf: Certificate, intermediates: [Certificate] = [], validator: PathValidator,
    at time: Timestamp = .now, revocation: Revocation? = nil
  ) {
    self.leaf = leaf
    self.intermediates = intermediates
    self.validator = validator
    self.time = time
    self.revocation = revocation
  }

  /// A question about a chain as it was sent, the leaf first. RFC 8446 §4.4.2.
  public init(
    chain: [Certificate], validator: PathValidator, at time: Timestamp = .now,
    revocation: Revocation? = nil
  ) throws(TrustError) {
    guard let leaf = chain.first else { throw .noChain }
    self.init(
      leaf, intermediates: Array(chain.dropFirst()), validator: validator, at: time,
      revocation: revocation)
  }

  /// A question to be judged by the rules that users of Apple's systems know.
  public init(
    chain: [Certificate], anchors: AnchorSet, at time: Timestamp = .now
  ) throws(TrustError) {
    try self.init(
      chain: chain, validator: PathValidator(anchors: anchors, rules: .apple), at: time)
  }

  /// The certificates as they were sent, the leaf first.
  public var chain: [Certificate] { [leaf] + intermediates }
}
