#if NIO
  internal import HoldfastDER
  public import Holdfast

  /// Workloads with SPIFFE IDs.
  extension NIOVerifier {
    /// Creates a client's verifier of workloads: the server has one of these SPIFFE IDs, and the anchor
    /// belongs to the trust domain of the ID. The host of a connection says where it goes, and is not
    /// compared with the certificate.
    ///
    /// ```swift
    /// let validator = PathValidator(anchors: try AnchorSet(bundles: bundles))
    /// let verifier = NIOVerifier(servers: validator, peer: try .id("spiffe://example.org/api"))
    /// ```
    ///
    /// - Parameters:
    ///   - validator: The anchors, made of SPIFFE bundles, and the rules.
    ///   - clock: The time at which servers are evaluated.
    public init(
      servers validator: PathValidator, peer peers: SPIFFEPeers,
      clock: @escaping @Sendable () -> Timestamp = { .now }
    ) {
      self.init(.server, peers, clock, judging: validator.verdict)
    }

    /// Creates a client's verifier of workloads from a validator that is replaced while it is used, as
    /// SPIFFE bundles are. After an update `NIOTrustHandler` judges the servers of open channels again.
    ///
    /// - Parameters:
    ///   - validator: The anchors, made of SPIFFE bundles, and the rules.
    ///   - clock: The time at which servers are evaluated.
    public init(
      servers validator: Live<PathValidator>, peer peers: SPIFFEPeers,
      clock: @escaping @Sendable () -> Timestamp = { .now }
    ) {
      self.init(
        .server, peers, changes: validator.changes, clock, judging: validator.verdict)
    }

    /// Creates a server's verifier of workloads: the client has one of these SPIFFE IDs, and the anchor
    /// belongs to the trust domain of the ID. The ID that was found is `verdict.path?.spiffeID`.
    ///
    /// - Parameters:
    ///   - validator: The anchors, made of SPIFFE bundles, and the rules.
    ///   - clock: The time at which clients are evaluated.
    public init(
      clients validator: PathValidator, peer peers: SPIFFEPeers,
      clock: @escaping @Sendable () -> Timestamp = { .now }
    ) {
      self.init(.client, peers, clock, judging: validator.verdict)
    }

    /// Creates a server's verifier of workloads from a validator that is replaced while it is used, as
    /// SPIFFE bundles are. After an update `NIOTrustHandler` judges the clients of open channels again.
    ///
    /// - Parameters:
    ///   - validator: The anchors, made of SPIFFE bundles, and the rules.
    ///   - clock: The time at which clients are evaluated.
    public init(
      clients validator: Live<PathValidator>, peer peers: SPIFFEPeers,
      clock: @escaping @Sendable () -> Timestamp = { .now }
    ) {
      self.init(
        .client, peers, changes: validator.changes, clock, judging: validator.verdict)
    }

    private init(
      _ peer: Peer, _ peers: SPIFFEPeers, changes: TrustGeneration? = nil,
      _ clock: @escaping @Sendable () -> Timestamp, judging judge: @escaping NIOJudgement
    ) {
      let usage: OID = peer == .server ? .serverAuth : .clientAuth
      self.init(
        peer, Purpose.spiffe(peers).narrowed(to: usage), changes: changes, clock, judging: judge)
    }
  }
#endif
