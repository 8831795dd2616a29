#if OpenSSL
  internal import CHoldfastOpenSSL
  public import Holdfast

  /// Verifies TLS peers with Holdfast, in any program that has an `SSL_CTX`.
  ///
  /// ```swift
  /// let verifier = TLSVerifier(manager)
  /// try verifier.installOnClient(context, host: "api.example.com")
  /// ```
  ///
  /// It replaces OpenSSL's own verification. A rejected peer gets the alert that fits the reason,
  /// which stays with its connection: see `outcome(of:)`. One verifier serves any number of
  /// contexts, connections and threads.
  public final class TLSVerifier: Sendable {
    /// Returns why a peer is trusted, or throws why it is not. A server comes with its host; a
    /// server without one is rejected before.
    public typealias Evaluation = @Sendable (TLSPeer) throws -> Verdict

    private let evaluate: Evaluation
    private let clock: @Sendable () -> Timestamp
    /// The changes of the policy; nil if it does not change.
    package let changes: TrustGeneration?
    /// The CAs whose certificates clients need, as a server names them.
    let authorities: [DistinguishedName]
    /// The 32 bytes to which sessions are bound: one that another verifier accepted is not resumed.
    let policy: [UInt8]

    /// Creates a verifier with a custom decision. It is asked in each full handshake; `validity` of the
    /// verdict says until when sessions and connections may be used again without asking.
    ///
    /// - Parameter clock: The time at which peers and sessions are evaluated.
    public convenience init(
      clock: @escaping @Sendable () -> Timestamp = { .now }, evaluate: @escaping Evaluation
    ) {
      self.init(authorities: [], clock, evaluate)
    }

    private init(
      authorities: [DistinguishedName], changes: TrustGeneration? = nil,
      _ clock: @escaping @Sendable () -> Timestamp, _ evaluate: @escaping Evaluation
    ) {
      self.authorities = authorities
      self.changes = changes
      self.evaluate = evaluate
      self.clock = clock
      policy = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
    }

    /// Returns the outcome for a peer, without storing it.
    func outcome(for peer: TLSPeer) -> TLSOutcome {
      do {
        return .accepted(try evaluate(peer))
      } catch {
        return .rejected(TLSRejection(error, host: peer.host))
      }
    }

    /// Returns the decision about a peer that was accepted before: the same verdict, or, if the policy
    /// has changed since, a new decision about what the peer presented. Nil if that is not known.
    func outcome(after verdict: Verdict, on peer: TLSPeer?) -> TLSOutcome? {
      if verdict.isOfCurrentPolicy { return .accepted(verdict) }
      guard var peer else { return nil }
      peer.time = clock()
      return outcome(for: peer)
    }

    /// Returns the verdict of this verifier under which a session may be resumed now, if it may.
    func verdict(on record: SessionRecord, host: String?) -> Verdict? {
      guard record.policy == policy, let host, record.verdict.covers(host, at: clock()),
        case .accepted(let verdict)? = outcome(after: record.verdict, on: record.peer)
      else { return nil }
      record.verdict = verdict
      return verdict
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
      self.init(clock: clock) { try manager.evaluate($0) }
    }

    /// Creates a client's verifier from pins, anchors and rules that are replaced while it is used.
    /// After an update kept connections and sessions are judged again before they are used.
    public convenience init(
      _ trust: LiveTrust, clock: @escaping @Sendable () -> Timestamp = { .now }
    ) {
      self.init(authorities: [], changes: trust.changes, clock) { peer in
        try trust.judge { manager throws in try manager.evaluate(peer) }
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
        let host = try peer.requiredHost()
        let trust = ServerTrust(
          try peer.question(for: .anyServer, pool: validator.certificatePool), validator: validator)
        return try policy.verdict(on: trust, for: host)
      }
    }

    /// Creates a verifier without pins: on a client, it validates the server for its host; on a
    /// server, the certificates of clients, or, for a connection with a host, of the server that
    /// connects: `Purpose.peer`.
    public convenience init(
      _ validator: PathValidator, clock: @escaping @Sendable () -> Timestamp = { .now }
    ) {
      self.init(authorities: validator.anchors.anchors.map(\.name), clock) { peer in
        try validator.evaluate(peer)
      }
    }

    /// Creates a verifier without pins from a validator that is replaced while it is used. After an
    /// update a server resumes no session from before: the client is asked for its certificate.
    ///
    /// A server names no CAs to its clients, because they change.
    public convenience init(
      _ validator: Live<PathValidator>, clock: @escaping @Sendable () -> Timestamp = { .now }
    ) {
      self.init(authorities: [], changes: validator.changes, clock) { peer in
        try validator.judge { validator throws in try validator.evaluate(peer) }
      }
    }
  }

  extension TrustManager {
    fileprivate func evaluate(_ peer: TLSPeer) throws -> Verdict {
      try evaluate(
        der: peer.chain, host: peer.requiredHost(), staple: peer.staple,
        timestamps: peer.timestamps, at: peer.time)
    }
  }

  extension PathValidator {
    fileprivate func evaluate(_ peer: TLSPeer) throws -> Verdict {
      let purpose: Purpose =
        switch peer.role {
        case .server(let host): .server(try HostName(evaluating: host))
        case .client: .client
        case .peer(let host): .peer(try HostName(evaluating: host))
        }
      return try evaluate(peer, for: purpose)
    }

    fileprivate func evaluate(_ peer: TLSPeer, as peers: SPIFFEPeers) throws -> Verdict {
      let purpose = Purpose.spiffe(peers)
      return switch peer.role {
      case .server: try evaluate(peer, for: purpose.narrowed(to: .serverAuth))
      case .client, .peer: try evaluate(peer, for: purpose.narrowed(to: .clientAuth))
      }
    }

    private func evaluate(_ peer: TLSPeer, for purpose: Purpose) throws -> Verdict {
      let path = try validate(peer.question(for: purpose, pool: certificatePool))
      return Verdict(.validPath, host: peer.host, path: path, at: peer.time)
    }
  }

  /// Workloads with SPIFFE IDs.
  extension TLSVerifier {
    /// Creates a verifier of workloads, for clients and for servers: the peer has one of these SPIFFE IDs,
    /// and the anchor belongs to the trust domain of the ID.
    ///
    /// ```swift
    /// let validator = PathValidator(anchors: try AnchorSet(bundles: bundles))
    /// let verifier = TLSVerifier(validator, peer: try .trustDomain("example.org"))
    /// ```
    ///
    /// The host of a connection says where it goes, and is not compared with the certificate. The ID that
    /// was found is `verdict.path?.spiffeID`.
    ///
    /// - Parameter validator: The anchors, made of SPIFFE bundles, and the rules.
    public convenience init(
      _ validator: PathValidator, peer peers: SPIFFEPeers,
      clock: @escaping @Sendable () -> Timestamp = { .now }
    ) {
      self.init(authorities: validator.anchors.anchors.map(\.name), clock) { peer in
        try validator.evaluate(peer, as: peers)
      }
    }

    /// Creates a verifier of workloads from a validator that is replaced while it is used, as SPIFFE
    /// bundles are. A server names no CAs to its clients, because they change.
    public convenience init(
      _ validator: Live<PathValidator>, peer peers: SPIFFEPeers,
      clock: @escaping @Sendable () -> Timestamp = { .now }
    ) {
      self.init(authorities: [], changes: validator.changes, clock) { peer in
        try validator.judge { validator throws in try validator.evaluate(peer, as: peers) }
      }
    }
  }

  extension TLSPeer {
    /// Returns the host of a server; throws for a client and for a server that connects, which pins
    /// and policies are not about.
    fileprivate func requiredHost() throws(TLSRejection) -> String {
      guard case .server(let host) = role else {
        throw TLSRejection(.verifiesServers, .certificateUnknown)
      }
      return host
    }
  }
#endif
