#if OpenSSL
  internal import CHoldfastOpenSSL
  public import Holdfast

  /// Verifies TLS peers with Holdfast, in any program that has an `SSL_CTX`.
  ///
  /// ```swift
  /// let verifier = TLSVerifier(manager)
  /// try verifier.install(on: context, host: "api.example.com")
  /// ```
  ///
  /// It replaces OpenSSL's own verification. A rejected peer gets the alert that fits the reason,
  /// which stays with its connection: see `outcome(of:)`. One verifier serves any number of
  /// contexts, connections and threads.
  public final class TLSVerifier: Sendable {
    /// Returns why a peer is trusted, or throws why it is not.
    public typealias Judge = @Sendable (TLSPeer) throws -> Verdict

    private let judge: Judge
    private let clock: @Sendable () -> Timestamp
    /// The 32 bytes to which sessions are bound: one that another verifier accepted is not resumed.
    let policy: [UInt8]

    /// Creates a verifier with a custom decision.
    ///
    /// - Parameter clock: The time at which peers and sessions are evaluated.
    public init(
      clock: @escaping @Sendable () -> Timestamp = { .now }, judge: @escaping Judge
    ) {
      self.judge = judge
      self.clock = clock
      policy = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
    }

    /// Returns the outcome for a peer, without storing it.
    func outcome(for chain: [[UInt8]], host: String?, staple: [UInt8]?) -> (TLSPeer, TLSOutcome) {
      let peer = TLSPeer(chain: chain, host: host, staple: staple, at: clock())
      do {
        return (peer, .accepted(try judge(peer)))
      } catch {
        return (peer, .refused(TLSRefusal(error)))
      }
    }

    /// Whether a session has a verdict of this verifier that is valid now.
    func holds(_ record: SessionRecord, host: String?) -> Bool {
      guard record.policy == policy, let host else { return false }
      return record.verdict.isValid(for: host, at: clock())
    }

    /// The time by the verifier's clock.
    var time: Timestamp { clock() }
  }

  /// The policies.
  extension TLSVerifier {
    /// Creates a client's verifier from pins, anchors and rules.
    public convenience init(
      _ manager: TrustManager, clock: @escaping @Sendable () -> Timestamp = { .now }
    ) {
      self.init(clock: clock) { peer in
        try manager.evaluate(
          der: peer.chain, host: peer.requiredHost(), staple: peer.staple, at: peer.time)
      }
    }

    /// Creates a client's verifier from any policy.
    ///
    /// - Parameter validator: The anchors and rules that the policy uses.
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

    /// Creates a verifier without pins: on a client, it validates the server for its host; on a
    /// server, the certificates of clients.
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
    /// Returns the host; throws without one, because nothing could be compared.
    fileprivate func requiredHost() throws(TLSRefusal) -> String {
      guard let host else { throw TLSRefusal(.noHost, .certificateUnknown) }
      return host
    }

    /// Returns the certificates that can be read; the leaf must be readable.
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

    /// Returns the validator's revocation data with the staple added; nil without a staple.
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
