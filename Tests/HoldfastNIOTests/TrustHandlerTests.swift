#if NIO && Curl
  import HTTPTestSupport
  import Holdfast
  import HoldfastNIO
  import NIOCore
  import NIOEmbedded
  import NIOSSL
  import NIOTLS
  import Testing

  /// What waits for the decision about a server, and what becomes of it.
  @Suite(
    "What waits for a decision", .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"))
  struct TrustHandlerTests {
    private func addClient(_ verifier: NIOVerifier, to channel: EmbeddedChannel) throws {
      try verifier.addClientHandlers(
        to: channel, context: try Contexts.client(), host: "localhost")
    }

    private func pinned() throws -> NIOVerifier {
      NIOVerifier(try Material.manager(pins: "good", "other"))
    }

    private func connection(
      _ addClient: (EmbeddedChannel) throws -> Void
    ) throws -> MemoryConnection {
      try MemoryConnection(greetings: (nil, "answer"), addClient) { channel in
        try channel.pipeline.syncOperations.addHandler(
          NIOSSLServerHandler(context: try Contexts.server()))
      }
    }

    /// Writes before the handshake and at its end.
    private final class TwoWrites: ChannelInboundHandler {
      typealias InboundIn = ByteBuffer
      typealias OutboundOut = ByteBuffer

      func channelActive(context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(ByteBuffer(string: "first ")), promise: nil)
        context.fireChannelActive()
      }

      func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent {
          context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "second")), promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
      }
    }

    @Test("what was written before the handshake comes before what is written at its end")
    func order() throws {
      let connection = try connection { channel in
        try addClient(pinned(), to: channel)
        try channel.pipeline.syncOperations.addHandler(TwoWrites())
      }
      defer { connection.close() }
      #expect(connection.serverApplication.received == "first second")
    }

    /// Asks, and ends its output, before the handshake.
    private final class LastWrite: ChannelInboundHandler {
      typealias InboundIn = ByteBuffer
      typealias OutboundOut = ByteBuffer
      private(set) var lateWrite: (any Error)?

      func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "question")), promise: nil)
        context.close(mode: .output, promise: nil)
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenFailure { self.lateWrite = $0 }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "late")), promise: promise)
        context.fireChannelActive()
      }
    }

    @Test("the end of the output waits behind what was written before it")
    func halfClosed() throws {
      let application = LastWrite()
      let connection = try connection { channel in
        try addClient(pinned(), to: channel)
        try channel.pipeline.syncOperations.addHandler(application)
      }
      defer { connection.close() }
      #expect(connection.serverApplication.received == "question")
      #expect(application.lateWrite as? ChannelError == .outputClosed)
    }

    @Test("more than 16 MiB do not wait: they fail, and the channel is closed")
    func tooMuch() throws {
      let channel = EmbeddedChannel()
      let application = Application()
      try addClient(pinned(), to: channel)
      try channel.pipeline.syncOperations.addHandler(application)
      channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 443), promise: nil)
      let mebibyte = ByteBuffer(repeating: 0, count: 1 << 20)
      let writes = (0..<16).map { _ in channel.write(mebibyte) }
      channel.embeddedEventLoop.run()
      #expect(application.errors.last as? NIOVerifierError == .tooMuchBeforeDecision)
      #expect(application.errors.count == 1)
      for write in writes {
        #expect(throws: NIOVerifierError.tooMuchBeforeDecision) { try write.wait() }
      }
      _ = try? channel.finish(acceptAlreadyClosed: true)
      #expect(!channel.isActive)
    }

    @Test("15 MiB wait, and arrive")
    func much() throws {
      let connection = try connection { channel in
        try addClient(pinned(), to: channel)
        for _ in 0..<15 {
          channel.writeAndFlush(ByteBuffer(repeating: 0x61, count: 1 << 20), promise: nil)
        }
      }
      defer { connection.close() }
      #expect(connection.serverApplication.received.utf8.count == 15 << 20)
    }

    @Test("what waits in a channel that never connects fails with the channel")
    func neverActive() throws {
      let channel = EmbeddedChannel()
      try addClient(pinned(), to: channel)
      let write = channel.writeAndFlush(ByteBuffer(string: "question"))
      _ = try? channel.finish(acceptAlreadyClosed: true)
      #expect(throws: ChannelError.ioOnClosedChannel) { try write.wait() }
    }

    @Test("a peer that goes before its handshake ends is neither accepted nor rejected")
    func endOfFile() throws {
      let channel = EmbeddedChannel()
      let application = Application(greeting: "question")
      try addClient(pinned(), to: channel)
      try channel.pipeline.syncOperations.addHandler(application)
      channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 443), promise: nil)
      channel.embeddedEventLoop.run()
      channel.pipeline.fireChannelInactive()
      guard case .handshakeFailed? = application.errors.first as? NIOSSLError else {
        Issue.record("\(application.errors)")
        return
      }
      #expect(application.outcomeAtError == nil)
      #expect(throws: ChannelError.ioOnClosedChannel) { try application.greetingResult?.get() }
      #expect(!application.isHandshakeCompleted)
      _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    /// Counts the reads that reach the socket.
    private final class Reads: ChannelOutboundHandler {
      typealias OutboundIn = ByteBuffer
      private(set) var count = 0

      func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
      }
    }

    @Test("nothing is read from the peer while a decision about it is made elsewhere")
    func readsWait() throws {
      let work = WaitingWork()
      let reads = Reads()
      let verifier = try pinned().deciding { work.append($0) }
      let connection = try connection { channel in
        try channel.pipeline.syncOperations.addHandler(reads)
        try addClient(verifier, to: channel)
      }
      defer { connection.close() }
      #expect(!connection.clientApplication.isHandshakeCompleted)
      let before = reads.count
      connection.client.read()
      connection.client.read()
      #expect(reads.count == before)
      work.run()
      connection.exchange()
      #expect(reads.count == before + 1, "one read for all that waited")
      #expect(connection.clientApplication.received == "answer")
      connection.client.read()
      #expect(reads.count == before + 2)
    }

    @Test("a decision that comes after the connection has gone lets nothing pass")
    func lateDecision() throws {
      let work = WaitingWork()
      let verifier = try pinned().deciding { work.append($0) }
      let connection = try connection { try addClient(verifier, to: $0) }
      connection.close()
      work.run()
      connection.exchange()
      #expect(!connection.clientApplication.isHandshakeCompleted)
      #expect(connection.clientApplication.received.isEmpty)
    }
  }
#endif
