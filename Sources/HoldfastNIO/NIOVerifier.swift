#if NIO
  internal import HoldfastDER
  public import Holdfast
  public import NIOCore
  public import NIOSSL

  /// Lets Holdfast decide about the peers of swift-nio-ssl's connections.
  ///
  /// ```swift
  /// let verifier = NIOVerifier(manager)
  /// try verifier.addClientHandlers(to: channel, context: context, host: "api.example.com")
  /// ```
  ///
  /// It replaces NIOSSL's own verification. One verifier serves any number of contexts, channels
  /// and event loops. A decision takes 5 to 150 µs and is made on the event loop; see
  /// `deciding(on:)`.
  public struct NIOVerifier: Sendable {
    /// Whom a verifier decides about.
    enum Peer: Sendable {
      /// Servers: it serves clients.
      case server
      /// Clients: it serves servers.
      case client
    }

    /// Runs work elsewhere than on the event loop.
    public typealias Executor = @Sendable (@escaping @Sendable () -> Void) -> Void

    let peer: Peer
    /// The changes of the policy; nil if it does not change.
    let changes: TrustGeneration?
    private let evaluate: @Sendable ([[UInt8]], String?, Timestamp) throws(TrustError) -> Verdict
    private let clock: @Sendable () -> Timestamp
    private let accepted = AcceptedChains()
    private let anchors = SeenCertificates()
    private var executor: Executor?

    init(
      _ peer: Peer, changes: TrustGeneration? = nil, _ clock: @escaping @Sendable () -> Timestamp,
      _ evaluate: @escaping @Sendable ([[UInt8]], String?, Timestamp) throws(TrustError) -> Verdict
    ) {
      self.peer = peer
      self.changes = changes
      self.clock = clock
      self.evaluate = evaluate
    }

    /// Returns the verdict on the certificates of a peer.
    ///
    /// - Parameters:
    ///   - chain: The certificates as they were sent, in DER, the peer's own first.
    ///   - host: The host that a client asked for; nil if the peer is a client, whose host is
    ///     not checked.
    public func decide(der chain: [[UInt8]], host: String? = nil) throws(TrustError) -> Verdict {
      let verdict = try evaluate(chain, host, clock())
      if let leaf = chain.first { accepted.keep(verdict.path.map(\.presented) ?? chain, of: leaf) }
      return verdict
    }

    /// Returns the verdict on the peer of a resumed session, of which only its own certificate is
    /// known: it is judged anew, with the other certificates that were accepted with it before.
    func decide(resumed leaf: [UInt8], host: String?) throws(TrustError) -> Verdict {
      try evaluate(accepted.chain(of: leaf) ?? [leaf], host, clock())
    }

    /// Throws if there is a host that the verifier does not check, or none that it needs.
    func check(_ host: String?) throws(NIOVerifierError) {
      switch (peer, host) {
      case (.client, _?): throw .verifiesClients
      case (.server, nil): throw .verifiesServers
      case (.client, nil), (.server, _?): return
      }
    }

    /// Returns a verifier that decides elsewhere than on the event loop, such as in a thread pool.
    ///
    /// ```swift
    /// let verifier = NIOVerifier(manager).deciding { DispatchQueue.global().async(execute: $0) }
    /// ```
    ///
    /// A resumed session is always judged on the event loop.
    public func deciding(on executor: @escaping Executor) -> NIOVerifier {
      var copy = self
      copy.executor = executor
      return copy
    }
  }

  /// The policies.
  extension NIOVerifier {
    /// Creates a client's verifier from pins, anchors and rules.
    ///
    /// - Parameter clock: The time at which servers are evaluated.
    public init(_ manager: TrustManager, clock: @escaping @Sendable () -> Timestamp = { .now }) {
      self.init(.server, clock) { chain, host, time throws(TrustError) in
        guard let host else { throw .noHost }
        return try manager.evaluate(der: chain, host: host, at: time)
      }
    }

    /// Creates a client's verifier from pins, anchors and rules that are replaced while it is used.
    /// After an update `NIOTrustHandler` judges the servers of open channels again.
    ///
    /// - Parameter clock: The time at which servers are evaluated.
    public init(_ trust: LiveTrust, clock: @escaping @Sendable () -> Timestamp = { .now }) {
      self.init(.server, changes: trust.changes, clock) { chain, host, time throws(TrustError) in
        guard let host else { throw .noHost }
        return try trust.judge { manager throws(TrustError) in
          try manager.evaluate(der: chain, host: host, at: time)
        }
      }
    }

    /// Creates a client's verifier from any policy.
    ///
    /// - Parameters:
    ///   - validator: The anchors and rules that the policy uses.
    ///   - clock: The time at which servers are evaluated.
    public init(
      _ policy: any TrustEvaluating, validator: PathValidator,
      clock: @escaping @Sendable () -> Timestamp = { .now }
    ) {
      self.init(.server, clock) { chain, host, time throws(TrustError) in
        guard let host else { throw .noHost }
        let question = try validator.question(der: chain, for: .anyServer, at: time)
        return try policy.verdict(on: ServerTrust(question, validator: validator), for: host)
      }
    }

    /// Creates a server's verifier: it validates the certificates of clients.
    ///
    /// - Parameter clock: The time at which clients are evaluated.
    public init(
      clients validator: PathValidator, clock: @escaping @Sendable () -> Timestamp = { .now }
    ) {
      self.init(.client, .client, clock, judging: validator.verdict)
    }

    /// Creates a server's verifier from a validator that is replaced while it is used. After an update
    /// `NIOTrustHandler` judges the clients of open channels again.
    ///
    /// - Parameter clock: The time at which clients are evaluated.
    public init(
      clients validator: Live<PathValidator>,
      clock: @escaping @Sendable () -> Timestamp = { .now }
    ) {
      self.init(
        .client, .client, changes: validator.changes, clock, judging: validator.verdict)
    }
  }

  /// Judges certificates in DER for a purpose, at a time. The host is that of a server.
  typealias NIOJudgement =
    @Sendable ([[UInt8]], Purpose, String?, Timestamp) throws(TrustError) -> Verdict

  extension NIOVerifier {
    /// Creates a verifier that asks a validator. The host of a server is not compared with its
    /// certificate.
    init(
      _ peer: Peer, _ purpose: Purpose, changes: TrustGeneration? = nil,
      _ clock: @escaping @Sendable () -> Timestamp, judging judge: @escaping NIOJudgement
    ) {
      self.init(peer, changes: changes, clock) { chain, host, time throws(TrustError) in
        switch (peer, host) {
        case (.server, nil): throw .noHost
        case (.client, _?): throw .custom(NIOVerifierError.verifiesClients)
        case (.server, _?), (.client, nil): return try judge(chain, purpose, host, time)
        }
      }
    }
  }

  extension PathValidator {
    /// Returns the verdict on a peer without pins.
    ///
    /// - Parameter host: The host of a server, which is not compared with its certificate.
    func verdict(
      on chain: [[UInt8]], for purpose: Purpose, host: String?, at time: Timestamp
    ) throws(TrustError) -> Verdict {
      let question: Question
      do throws(TrustError) {
        question = try Question(client: chain, for: purpose, at: time, pool: certificatePool)
      } catch {
        throw error.naming(host)
      }
      do throws(PathError) {
        return Verdict(.validPath, host: host, path: try validate(question), at: time)
      } catch {
        throw TrustError.invalidPath(error).naming(host)
      }
    }
  }

  extension Live<PathValidator> {
    /// Returns the verdict of the validator of this moment.
    func verdict(
      on chain: [[UInt8]], for purpose: Purpose, host: String?, at time: Timestamp
    ) throws(TrustError) -> Verdict {
      try judge { validator throws(TrustError) in
        try validator.verdict(on: chain, for: purpose, host: host, at: time)
      }
    }
  }

  extension NIOVerifier {
    /// Whether a validator judges servers or clients has to be said.
    @available(
      *, unavailable,
      message: "a client's: NIOVerifier(TrustManager(anchors:)); a server's: NIOVerifier(clients:)"
    )
    public init(_ validator: PathValidator) { self.init(clients: validator) }
  }

  /// The decision about the peer of a channel.
  public enum NIOOutcome: Sendable {
    /// The peer is trusted.
    case accepted(Verdict)
    /// The peer is not trusted, for this reason.
    case rejected(TrustError)
  }

  extension ChannelPipeline.SynchronousOperations {
    /// Returns the decision about the peer, for handlers: it is there when they get
    /// `TLSUserEvent.handshakeCompleted` or the error of a rejection. It is nil before, and if a
    /// client presented no certificate and need not.
    ///
    /// - Throws: `ChannelPipelineError.notFound` if the pipeline has no `NIOTrustHandler`, as that of
    ///   a closed channel.
    public func holdfastOutcome() throws -> NIOOutcome? {
      try handler(type: NIOTrustHandler.self).outcome
    }
  }

  /// Callbacks, for frameworks that take one and add NIOSSL's handlers themselves.
  ///
  /// NIOSSL calls none for a resumed session, and a NIOSSL server always resumes: a server that has
  /// only a callback accepts a client for as long as its ticket lasts. Where handlers can be added,
  /// add `NIOTrustHandler`, or use `addServerHandlers(to:context:)`. A callback is not told its side
  /// either: give that of a verifier of clients to servers alone.
  extension NIOVerifier {
    /// Returns a callback for NIOSSL and for frameworks, with the validated path as metadata.
    ///
    /// - Parameters:
    ///   - host: The host that the server must be; nil if the peers are clients.
    ///   - onOutcome: Called with the decision, before the handshake goes on.
    /// - Throws: If there is no host for servers, or one for clients.
    public func callbackWithMetadata(
      host: String? = nil, onOutcome: (@Sendable (NIOOutcome) -> Void)? = nil
    ) throws(NIOVerifierError)
      -> @Sendable (
        [NIOSSLCertificate], EventLoopPromise<NIOSSLVerificationResultWithMetadata>
      ) -> Void
    {
      try check(host)
      return { [self] presented, promise in
        run {
          let presented = Result { try Presented(presented) }
          let outcome = outcome(of: presented, host: host)
          onOutcome?(outcome)
          guard case .accepted(let verdict) = outcome else { return promise.succeed(.failed) }
          promise.completeWith(
            Result {
              let chain = try verdict.path.map { try presented.get().chain(of: $0, anchors) }
              return .certificateVerified(VerificationMetadata(chain))
            })
        }
      }
    }

    /// Returns the callback without metadata.
    ///
    /// - Parameters:
    ///   - host: The host that the server must be; nil if the peers are clients.
    ///   - onOutcome: Called with the decision, before the handshake goes on.
    /// - Throws: If there is no host for servers, or one for clients.
    public func callback(
      host: String? = nil, onOutcome: (@Sendable (NIOOutcome) -> Void)? = nil
    ) throws(NIOVerifierError)
      -> @Sendable ([NIOSSLCertificate], EventLoopPromise<NIOSSLVerificationResult>) -> Void
    {
      try check(host)
      return { [self] presented, promise in
        run {
          let outcome = outcome(of: Result { try Presented(presented) }, host: host)
          onOutcome?(outcome)
          if case .accepted = outcome {
            promise.succeed(.certificateVerified)
          } else {
            promise.succeed(.failed)
          }
        }
      }
    }

    private func run(_ work: @escaping @Sendable () -> Void) {
      if let executor { executor(work) } else { work() }
    }

    private func outcome(of presented: Result<Presented, any Error>, host: String?) -> NIOOutcome {
      do {
        return .accepted(try decide(der: presented.get().der, host: host))
      } catch {
        return .rejected(error as? TrustError ?? .custom(error))
      }
    }
  }

  /// The certificates that a peer has presented.
  private struct Presented {
    let certificates: [NIOSSLCertificate]
    let der: [[UInt8]]

    init(_ certificates: [NIOSSLCertificate]) throws {
      self.certificates = certificates
      der = try certificates.map { try $0.toDERBytes() }
    }

    /// The validated path for NIOSSL, leaf first, the anchor last. Certificates that were presented,
    /// and anchors that were seen before, are not read again.
    func chain(
      of path: ValidatedPath, _ anchors: SeenCertificates
    ) throws -> ValidatedCertificateChain {
      ValidatedCertificateChain(
        try path.certificates.map { certificate in
          let der = certificate.der
          guard let index = self.der.firstIndex(of: der) else {
            return try anchors.certificate(der)
          }
          return certificates[index]
        })
    }
  }

  /// The anchors of paths, which NIOSSL reads once.
  private final class SeenCertificates: Sendable {
    /// The most that are kept; more than programs have roots.
    private static let maximum = 256

    private let content = Guarded<[[UInt8]: NIOSSLCertificate]>([:])

    /// Returns the certificate, which is read once.
    func certificate(_ der: [UInt8]) throws -> NIOSSLCertificate {
      if let known = content.withLock({ $0[der] }) { return known }
      let certificate = try NIOSSLCertificate(bytes: der, format: .der)
      content.withLock { content in
        if content.count == SeenCertificates.maximum { content.removeAll() }
        content[der] = certificate
      }
      return certificate
    }
  }

  extension ValidatedPath {
    /// The certificates below the anchor, in DER.
    fileprivate var presented: [[UInt8]] {
      certificates.filter { $0 != anchor.certificate || $0 == leaf }.map(\.der)
    }
  }
#endif
