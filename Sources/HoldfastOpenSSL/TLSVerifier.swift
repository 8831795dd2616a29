#if OpenSSL
  internal import CHoldfastOpenSSL
  public import Holdfast

  /// The verification of a TLS peer by Holdfast, for any program that has an `SSL_CTX`.
  ///
  /// ```swift
  /// let verifier = TLSVerifier(manager)
  /// try verifier.install(on: context, host: "api.example.com")
  /// ```
  ///
  /// What OpenSSL would verify itself is not asked any more. A refused peer gets the alert that fits
  /// the reason, and the reason stays with its connection: see `outcome(of:)`. One verifier serves any
  /// number of contexts, connections and threads.
  public final class TLSVerifier: Sendable {
    /// Decides about a peer: returns why it is trusted, or throws why it is not.
    public typealias Judge = @Sendable (TLSPeer) throws -> Verdict

    private let judge: Judge
    private let clock: @Sendable () -> Timestamp
    /// What sessions are bound to: one that another verifier has accepted is not resumed. 32 bytes.
    let policy: [UInt8]

    /// A verifier with a decision of the caller's own.
    ///
    /// - Parameter clock: The time at which peers and sessions are judged.
    public init(
      clock: @escaping @Sendable () -> Timestamp = { .now }, judge: @escaping Judge
    ) {
      self.judge = judge
      self.clock = clock
      policy = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
    }

    /// The outcome for a peer, never in any shared place.
    func outcome(for chain: [[UInt8]], host: String?, staple: [UInt8]?) -> (TLSPeer, TLSOutcome) {
      let peer = TLSPeer(chain: chain, host: host, staple: staple, at: clock())
      do {
        return (peer, .accepted(try judge(peer)))
      } catch {
        return (peer, .refused(TLSRefusal(error)))
      }
    }

    /// Whether a verdict of this verifier holds now, for a session that is to be resumed.
    func holds(_ record: SessionRecord, host: String?) -> Bool {
      guard record.policy == policy, let host else { return false }
      return record.verdict.isValid(for: host, at: clock())
    }

    /// The time by the verifier's clock.
    var time: Timestamp { clock() }
  }

  /// The policies.
  extension TLSVerifier {
    /// A client's verifier by pins, anchors and rules.
    public convenience init(
      _ manager: TrustManager, clock: @escaping @Sendable () -> Timestamp = { .now }
    ) {
      self.init(clock: clock) { peer in
        try manager.evaluate(
          der: peer.chain, host: peer.requiredHost(), staple: peer.staple, at: peer.time)
      }
    }

    /// A client's verifier by any policy.
    ///
    /// - Parameter validator: The anchors and rules that the policy asks.
    public convenience init(
      _ policy: any TrustEvaluating, validator: PathValidator,
      clock: @escaping @Sendable () -> Timestamp = { .now }
    ) {
      self.init(clock: clock) { peer in
        let trust = ServerTrust(
          chain: try peer.certificates(), validator: validator, at: peer.time,
          revocation: try peer.revocation(validator))
        return try policy.verdict(on: trust, for: peer.requiredHost())
      }
    }

    /// A verifier without pins: a client's, which validates the server for its host, or a server's,
    /// which validates the certificates of clients.
    public convenience init(
      _ validator: PathValidator, clock: @escaping @Sendable () -> Timestamp = { .now }
    ) {
      self.init(clock: clock) { peer in
        let path = try validator.validate(
          peer.certificates(), for: try peer.host.map { try .server($0) } ?? .client,
          at: peer.time, revocation: peer.revocation(validator))
        return Verdict(.validPath, host: peer.host, path: path, at: peer.time)
      }
    }
  }

  extension TLSPeer {
    /// The host; without one nothing can be compared, so the peer is refused.
    fileprivate func requiredHost() throws(TLSRefusal) -> String {
      guard let host else { throw TLSRefusal(.noHost, .certificateUnknown) }
      return host
    }

    /// The certificates that can be read; the leaf must be.
    fileprivate func certificates() throws(TrustError) -> [Certificate] {
      var certificates: [Certificate] = []
      for (index, der) in chain.enumerated() {
        do throws(ParseError) {
          certificates.append(try Certificate(der: der))
        } catch {
          if index == 0 { throw .invalidCertificate(index: 0, error) }
        }
      }
      return certificates
    }

    /// What the validator knows of revocation, and the staple.
    fileprivate func revocation(_ validator: PathValidator) throws(TrustError) -> Revocation? {
      guard let staple else { return nil }
      var known = validator.revocation ?? Revocation()
      do throws(ParseError) {
        known.answers.append(OCSPAnswer(try OCSPResponse(der: staple)))
      } catch {
        throw .invalidStaple(error)
      }
      return known
    }
  }
#endif
