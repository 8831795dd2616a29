#if NIO
  internal import HoldfastDER
  internal import Holdfast
  public import NIOCore
  public import NIOSSL
  internal import NIOTLS

  /// Stands behind NIOSSL's handler: lets nothing of the application pass before the peer is
  /// accepted, judges the peers of resumed sessions, and reports why a peer is rejected.
  ///
  /// ```swift
  /// let judge = try NIOTrustHandler(verifier, host: "api.example.com") { callback in
  ///   try NIOSSLClientHandler(
  ///     context: context, serverHostname: "api.example.com",
  ///     customVerificationCallbackWithMetadata: callback)
  /// }
  /// try channel.pipeline.syncOperations.addHandlers([judge.tls, judge])
  /// ```
  ///
  /// NIOSSL calls no callback for a resumed session, whose peer presents no certificate. Then this
  /// handler judges the certificate in the session as if it had been presented now: one that has
  /// expired or was revoked since, or that another verifier accepted, does not pass. Writes wait
  /// until the decision, up to 16 MiB, and nothing is read while a decision is made elsewhere; if it
  /// is "no", the writes fail, nothing that the peer sent is passed on, and the channel is closed.
  /// The `TrustError` is fired before NIOSSL's own error.
  ///
  /// Where TLS runs inside of TLS, each handler judges the peer of its own layer, and the end of an
  /// outer handshake does not pass the handler of an inner one.
  public final class NIOTrustHandler: ChannelDuplexHandler {
    /// What NIOSSL passes on.
    public typealias InboundIn = ByteBuffer
    /// The same.
    public typealias InboundOut = ByteBuffer
    /// What the application writes.
    public typealias OutboundIn = ByteBuffer
    /// The same.
    public typealias OutboundOut = ByteBuffer

    enum State {
      /// Nothing passes yet.
      case waiting
      case open
      /// Nothing passes any more, for this reason.
      case closed(any Error)
    }

    /// NIOSSL's handler, whose peer this handler judges. It goes into the pipeline before it.
    public let tls: NIOSSLHandler

    let verifier: NIOVerifier
    let host: String?
    private let requiresCertificate: Bool
    private let decision: Decision
    /// Until its end the handler is told of changes of the policy.
    var observation: TrustGeneration.Observation?
    var activity = ChannelActivity()

    private let outerEvents = OuterEvents()
    var state = State.waiting
    private var waiting = WaitingWrites()

    /// What was decided, or why nothing was; nil before.
    var result: Result<NIOOutcome?, any Error>?
    /// For those who asked before.
    private var promise: EventLoopPromise<NIOOutcome?>?
    /// The first error of the handshake, which the peer may go after.
    private var handshakeError: (any Error)?

    /// The decision about the peer; nil before it, and if a client presented no certificate and need
    /// not.
    public var outcome: NIOOutcome? {
      guard case .success(let outcome)? = result else { return nil }
      return outcome
    }

    /// Creates a handler, and NIOSSL's handler before it. `addClientHandlers` and `addServerHandlers`
    /// also add both.
    ///
    /// - Parameters:
    ///   - host: The host that the server must be; nil if the peers are clients.
    ///   - requiresCertificate: Whether a client without a certificate is rejected.
    ///   - makeTLS: Makes NIOSSL's handler, with the callback that decides for it. The context must
    ///     not switch verification off: NIOSSL would ignore the decision about a client.
    /// - Throws: `NIOVerifierError` if there is no host for servers, or one for clients, or NIOSSL's
    ///   handler is for the other side; what `makeTLS` throws.
    public init(
      _ verifier: NIOVerifier, host: String? = nil, requiresCertificate: Bool = true,
      makeTLS: (@escaping NIOSSLCustomVerificationCallbackWithMetadata) throws -> NIOSSLHandler
    ) throws {
      let decision = Decision()
      let decide = try verifier.callbackWithMetadata(host: host) { decision.set($0) }
      tls = try makeTLS { presented, promise in
        decision.begin()
        promise.futureResult.whenComplete { _ in decision.end() }
        decide(presented, promise)
      }
      switch verifier.peer {
      case .server where tls is NIOSSLServerHandler: throw NIOVerifierError.verifiesServers
      case .client where tls is NIOSSLClientHandler: throw NIOVerifierError.verifiesClients
      case .server, .client: break
      }
      self.decision = decision
      self.verifier = verifier
      self.host = host
      self.requiresCertificate = requiresCertificate
    }
  }

  /// Stands before NIOSSL's handler, and knows while an event of an outer layer passes it. NIOSSL
  /// passes such events on, and they do not say whose they are.
  private final class OuterEvents: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private(set) var isPassing = false

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      isPassing = true
      defer { isPassing = false }
      context.fireUserInboundEventTriggered(event)
    }
  }

  /// What the callback of a connection has decided, on the event loop or elsewhere.
  private final class Decision: Sendable {
    private struct Content: Sendable {
      var outcome: NIOOutcome?
      var isPending = false
      /// Where a read waits for the decision.
      var reader: (any Channel)?
    }

    private let content = Guarded(Content())

    func get() -> NIOOutcome? { content.withLock { $0.outcome } }
    func set(_ new: NIOOutcome) { content.withLock { $0.outcome = new } }
    func begin() { content.withLock { $0.isPending = true } }

    /// Reads if something waits for it.
    func end() {
      let reader = content.withLock { content in
        content.isPending = false
        defer { content.reader = nil }
        return content.reader
      }
      reader?.read()
    }

    /// Whether a read must wait, because a decision is being made.
    func delaysRead(of channel: any Channel) -> Bool {
      content.withLock { content in
        if content.isPending { content.reader = channel }
        return content.isPending
      }
    }
  }

  extension NIOTrustHandler {
    /// Binds this handler to NIOSSL's; closes the channel if that is not before it.
    public func handlerAdded(context: ChannelHandlerContext) {
      do {
        try context.pipeline.syncOperations.addHandler(outerEvents, position: .before(tls))
      } catch {
        refuse(context, error)
        context.close(promise: nil)
      }
    }

    /// Passes the end of the handshake on if the peer is accepted.
    public func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      guard case .handshakeCompleted? = event as? TLSUserEvent, case .waiting = state else {
        if case .closed = state { return }
        return context.fireUserInboundEventTriggered(event)
      }
      guard !outerEvents.isPassing else { return }
      do throws(TrustError) {
        settle(.success(try decide()))
      } catch {
        settle(.success(.rejected(error)))
        refuse(context, error)
        return context.close(promise: nil)
      }
      guard case .waiting = state else { return }
      state = .open
      observe(context)
      // Before the event, so that what the application writes when it sees the event comes later.
      let waiting = takeWaiting()
      if verifier.peer == .server, !waiting.isEmpty { activity.isAnswerDue = true }
      waiting.pass(to: context)
      context.fireUserInboundEventTriggered(event)
    }

    /// Returns the decision of the callback, or one about the peer of a resumed session.
    private func decide() throws(TrustError) -> NIOOutcome? {
      switch decision.get() {
      case .accepted(let verdict)?: return .accepted(verdict)
      // NIOSSL ignores the answer of the callback if its own verification is off.
      case .rejected(let error)?: throw error
      case nil: break
      }
      let leaf: [UInt8]?
      do {
        leaf = try tls.peerCertificate?.toDERBytes()
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
      guard case .open = state else { return }
      noteRead(context)
      context.fireChannelRead(data)
    }

    /// Reads, unless a decision is being made elsewhere: a peer that sends on fills its own buffers.
    public func read(context: ChannelHandlerContext) {
      if case .waiting = state, decision.delaysRead(of: context.channel) { return }
      context.read()
    }

    /// Writes, or waits for the decision.
    public func write(
      context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
      switch state {
      case .open: context.write(data, promise: noteWrite(context, promise))
      case .waiting where waiting.hasEnded:
        // As NIO fails writes after the end of the output.
        promise?.fail(ChannelError.outputClosed)
      case .waiting:
        waiting.append(data, promise, size: unwrapOutboundIn(data).readableBytes)
        guard waiting.isTooMuch else { return }
        refuse(context, NIOVerifierError.tooMuchBeforeDecision)
        context.close(promise: nil)
      case .closed(let error): promise?.fail(error)
      }
    }

    /// Flushes, or waits for the decision.
    public func flush(context: ChannelHandlerContext) {
      switch state {
      case .open: context.flush()
      case .waiting: waiting.isFlushed = true
      case .closed: break
      }
    }

    /// Closes; the end of the output waits, as what was written before it does.
    public func close(
      context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?
    ) {
      guard mode == .output, case .waiting = state else {
        return context.close(mode: mode, promise: promise)
      }
      waiting.end(promise)
    }

    /// Fires the reason of a rejection before NIOSSL's error.
    public func errorCaught(context: ChannelHandlerContext, error: any Error) {
      if case .waiting = state {
        if case .rejected(let reason)? = decision.get() {
          settle(.success(.rejected(reason)))
          refuse(context, reason)
        } else if handshakeError == nil {
          handshakeError = error
        }
      }
      context.fireErrorCaught(error)
    }

    /// Fails what waits for a handshake that will not be completed.
    public func channelInactive(context: ChannelHandlerContext) {
      failWaiting(ChannelError.ioOnClosedChannel)
      context.fireChannelInactive()
    }

    /// The same for a channel that was never active.
    public func handlerRemoved(context: ChannelHandlerContext) {
      observation = nil
      failWaiting(ChannelError.ioOnClosedChannel)
      if let result { ClosedChannels.keep(result, of: context.channel) }
    }

    private func refuse(_ context: ChannelHandlerContext, _ error: any Error) {
      failWaiting(error)
      context.fireErrorCaught(error)
    }

    private func failWaiting(_ error: any Error) {
      guard case .waiting = state else { return }
      state = .closed(error)
      takeWaiting().fail(error)
      settle(.failure(handshakeError ?? error))
    }

    /// Tells those who asked, once.
    private func settle(_ result: Result<NIOOutcome?, any Error>) {
      guard self.result == nil else { return }
      self.result = result
      promise?.completeWith(result)
      promise = nil
    }

    /// Completes with the decision.
    fileprivate func decided(on eventLoop: any EventLoop) -> EventLoopFuture<NIOOutcome?> {
      if let result { return eventLoop.makeCompletedFuture(result) }
      let promise = promise ?? eventLoop.makePromise()
      self.promise = promise
      return promise.futureResult
    }

    private func takeWaiting() -> WaitingWrites {
      defer { waiting = WaitingWrites() }
      return waiting
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
      let judge = try NIOTrustHandler(self, host: host) { callback in
        try NIOSSLClientHandler(
          context: context, serverHostname: name.address == nil ? "\(name)" : nil,
          customVerificationCallbackWithMetadata: callback)
      }
      try channel.pipeline.syncOperations.addHandlers([judge.tls, judge])
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
      let judge = try NIOTrustHandler(self, requiresCertificate: !isOptional) { callback in
        NIOSSLServerHandler(context: context, customVerificationCallbackWithMetadata: callback)
      }
      try channel.pipeline.syncOperations.addHandlers([judge.tls, judge])
    }

    private func check(_ peer: Peer, _ context: NIOSSLContext) throws(NIOVerifierError) {
      guard self.peer == peer else {
        throw peer == .server ? .verifiesClients : .verifiesServers
      }
      if context.configuration.certificateVerification == .none { throw .verificationIsOff }
    }
  }

  extension Channel {
    /// Completes when the peer is decided about, with the decision, which may be a rejection; also
    /// after the channel is closed. It is nil if a client presented no certificate and need not.
    ///
    /// Fails if the channel is closed before a decision, with the error of the handshake if it had
    /// one, otherwise `ChannelError.ioOnClosedChannel`; and with `ChannelPipelineError.notFound` if
    /// the channel has no `NIOTrustHandler`. If it has several, the first one is asked.
    public func holdfastOutcome() -> EventLoopFuture<NIOOutcome?> {
      eventLoop.flatSubmit {
        do {
          let handler = try self.pipeline.syncOperations.handler(type: NIOTrustHandler.self)
          return handler.decided(on: self.eventLoop)
        } catch {
          // A closed channel has no handlers any more.
          let result = ClosedChannels.result(of: self)
          return self.eventLoop.makeCompletedFuture(result ?? .failure(error))
        }
      }
    }
  }
#endif
