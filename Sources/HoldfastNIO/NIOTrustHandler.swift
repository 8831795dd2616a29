#if NIO
  internal import HoldfastDER
  public import Holdfast
  public import NIOCore
  public import NIOSSL
  internal import NIOTLS

  /// The decision about the peer of a channel.
  public enum NIOOutcome: Sendable {
    /// The peer is trusted.
    case accepted(Verdict)
    /// The peer is not trusted, for this reason.
    case rejected(TrustError)
  }

  /// Stands behind NIOSSL's handler: lets nothing of the application pass before the peer is
  /// accepted, judges the peers of resumed sessions, and reports why a peer is rejected.
  ///
  /// NIOSSL calls no callback for a resumed session, whose peer presents no certificate. Then this
  /// handler judges the certificate in the session as if it had been presented now: one that has
  /// expired or was revoked since, or that another verifier accepted, does not pass. Writes wait
  /// until the decision; if it is "no", they fail, nothing that the peer sent is passed on, and the
  /// channel is closed. The `TrustError` is fired before NIOSSL's own error.
  public final class NIOTrustHandler: ChannelDuplexHandler {
    /// What NIOSSL passes on.
    public typealias InboundIn = ByteBuffer
    /// The same.
    public typealias InboundOut = ByteBuffer
    /// What the application writes.
    public typealias OutboundIn = ByteBuffer
    /// The same.
    public typealias OutboundOut = ByteBuffer

    private enum State {
      /// Writes wait: what was written, and whether it was flushed.
      case waiting([(data: NIOAny, promise: EventLoopPromise<Void>?)], isFlushed: Bool)
      case open
      /// The error, until it is fired.
      case closed(TrustError)
    }

    private let verifier: NIOVerifier
    private let host: String?
    private let requiresCertificate: Bool
    private let decision = Decision()
    private var state = State.waiting([], isFlushed: false)

    /// The decision about the peer; nil before it, or if a client presented no certificate and need
    /// not.
    public private(set) var outcome: NIOOutcome?

    /// Creates a handler, to be added behind one of NIOSSL whose callback is that of the verifier.
    /// `addClientHandlers` and `addServerHandlers` do both.
    ///
    /// - Parameters:
    ///   - host: The host that the server must be; nil only if the peers are clients.
    ///   - requiresCertificate: Whether a client without a certificate is rejected.
    public init(_ verifier: NIOVerifier, host: String? = nil, requiresCertificate: Bool = true) {
      self.verifier = verifier
      self.host = host
      self.requiresCertificate = requiresCertificate
    }

    /// The callback for NIOSSL's handler of the same channel.
    public var callback: NIOSSLCustomVerificationCallbackWithMetadata {
      verifier.callbackWithMetadata(host: host) { [decision] in decision.set($0) }
    }
  }

  /// What the callback of a connection has decided, on the event loop or elsewhere.
  private final class Decision: Sendable {
    private let outcome = Guarded<NIOOutcome?>(nil)

    func get() -> NIOOutcome? { outcome.withLock { $0 } }
    func set(_ new: NIOOutcome) { outcome.withLock { $0 = new } }
  }

  extension NIOTrustHandler {
    /// Passes the end of the handshake on if the peer is accepted.
    public func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      guard case .handshakeCompleted? = event as? TLSUserEvent, case .waiting = state else {
        if case .closed = state { return }
        return context.fireUserInboundEventTriggered(event)
      }
      do throws(TrustError) {
        outcome = try decide(context)
      } catch {
        outcome = .rejected(error)
        reject(context, error)
        return context.close(promise: nil)
      }
      guard case .waiting(let writes, let isFlushed) = state else { return }
      state = .open
      context.fireUserInboundEventTriggered(event)
      for write in writes { context.write(write.data, promise: write.promise) }
      if isFlushed { context.flush() }
    }

    /// Returns the decision of the callback, or one about the peer of a resumed session.
    private func decide(_ context: ChannelHandlerContext) throws(TrustError) -> NIOOutcome? {
      switch decision.get() {
      case .accepted(let verdict)?: return .accepted(verdict)
      // NIOSSL ignores the answer of the callback if its own verification is off.
      case .rejected(let error)?: throw error
      case nil: break
      }
      let leaf: [UInt8]?
      do {
        leaf = try context.pipeline.syncOperations.nioSSL_peerCertificate()?.toDERBytes()
      } catch {
        throw .custom(error)
      }
      guard let leaf else {
        if verifier.peer == .client, !requiresCertificate { return nil }
        return .accepted(try verifier.decide(der: [], host: host))
      }
      return .accepted(try verifier.decide(resumed: leaf, host: host))
    }

    /// Passes data on from accepted peers alone.
    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if case .open = state { context.fireChannelRead(data) }
    }

    /// Writes, or waits for the decision.
    public func write(
      context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
      switch state {
      case .open: context.write(data, promise: promise)
      case .waiting(var writes, let isFlushed):
        writes.append((data, promise))
        state = .waiting(writes, isFlushed: isFlushed)
      case .closed(let error): promise?.fail(error)
      }
    }

    /// Flushes, or waits for the decision.
    public func flush(context: ChannelHandlerContext) {
      switch state {
      case .open: context.flush()
      case .waiting(let writes, _): state = .waiting(writes, isFlushed: true)
      case .closed: break
      }
    }

    /// Fires the reason of a rejection before NIOSSL's error.
    public func errorCaught(context: ChannelHandlerContext, error: any Error) {
      if case .rejected(let reason)? = decision.get(), case .waiting = state {
        outcome = .rejected(reason)
        reject(context, reason)
      }
      context.fireErrorCaught(error)
    }

    /// Fails what waits for a handshake that will not be completed.
    public func channelInactive(context: ChannelHandlerContext) {
      if case .waiting(let writes, _) = state {
        for write in writes { write.promise?.fail(ChannelError.ioOnClosedChannel) }
        state = .waiting([], isFlushed: false)
      }
      context.fireChannelInactive()
    }

    private func reject(_ context: ChannelHandlerContext, _ error: TrustError) {
      if case .waiting(let writes, _) = state {
        for write in writes { write.promise?.fail(error) }
      }
      state = .closed(error)
      context.fireErrorCaught(error)
    }
  }

  extension NIOVerifier {
    /// Adds NIOSSL's handler for a client, and ours behind it, at the end of the pipeline. Call it
    /// on the channel's event loop, as in a channel initializer.
    ///
    /// - Parameter host: The name or address that the server's certificate must be for; sent as SNI
    ///   if it is a name.
    /// - Throws: `NIOVerifierError` if the verifier is a server's, or if the configuration of the
    ///   context switches verification off, because NIOSSL then ignores the decision;
    ///   `TrustError.invalidHost`; NIOSSL's errors.
    public func addClientHandlers(
      to channel: any Channel, context: NIOSSLContext, host: String
    ) throws {
      try check(.server, context)
      let name = try HostName(evaluating: host)
      let judge = NIOTrustHandler(self, host: host)
      let handler = try NIOSSLClientHandler(
        context: context, serverHostname: name.address == nil ? "\(name)" : nil,
        customVerificationCallbackWithMetadata: judge.callback)
      try channel.pipeline.syncOperations.addHandlers([handler, judge])
    }

    /// Adds NIOSSL's handler for a server, and ours behind it, at the end of the pipeline. Call it
    /// on the channel's event loop, as in a child channel initializer.
    ///
    /// - Throws: `NIOVerifierError` if the verifier is a client's, or if the configuration of the
    ///   context switches the verification of clients off, which is its default: set
    ///   `certificateVerification` to `.noHostnameVerification`, or to `.optionalVerification` to
    ///   accept clients without a certificate too.
    public func addServerHandlers(to channel: any Channel, context: NIOSSLContext) throws {
      try check(.client, context)
      let isOptional = context.configuration.certificateVerification == .optionalVerification
      let judge = NIOTrustHandler(self, requiresCertificate: !isOptional)
      let handler = NIOSSLServerHandler(
        context: context, customVerificationCallbackWithMetadata: judge.callback)
      try channel.pipeline.syncOperations.addHandlers([handler, judge])
    }

    private func check(_ peer: Peer, _ context: NIOSSLContext) throws(NIOVerifierError) {
      guard self.peer == peer else {
        throw peer == .server ? .verifiesClients : .verifiesServers
      }
      if context.configuration.certificateVerification == .none { throw .verificationIsOff }
    }
  }

  extension Channel {
    /// Returns the decision about the peer; nil before it, or if a client presented no certificate
    /// and need not. Fails if the channel has no `NIOTrustHandler`, or has none any more because it
    /// is closed: the reason of a rejection comes with `errorCaught`.
    public func holdfastOutcome() -> EventLoopFuture<NIOOutcome?> {
      eventLoop.submit { try self.pipeline.syncOperations.holdfastOutcome() }
    }
  }

  extension ChannelPipeline.SynchronousOperations {
    /// Returns the same on the event loop.
    public func holdfastOutcome() throws -> NIOOutcome? {
      try handler(type: NIOTrustHandler.self).outcome
    }
  }
#endif
