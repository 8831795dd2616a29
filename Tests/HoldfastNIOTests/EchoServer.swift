#if NIO && Curl
  import HTTPTestSupport
  import Holdfast
  import HoldfastDER
  import HoldfastNIO
  import NIOCore
  import NIOPosix
  import NIOSSL

  /// A server of NIOSSL that greets and echoes, on a port of its own.
  final class EchoServer: Sendable {
    /// What its application has seen.
    struct Seen: Sendable {
      /// The common name of the client of each read, or `nobody`.
      var clients: [String] = []
      var errors: [any Error] = []
      /// Why peers were no longer trusted.
      var endings: [TrustError] = []
    }

    private final class Shared: Sendable {
      let seen = Guarded(Seen())
    }

    private final class Echo: ChannelInboundHandler {
      typealias InboundIn = ByteBuffer
      typealias OutboundOut = ByteBuffer
      private let shared: Shared

      init(_ shared: Shared) { self.shared = shared }

      func channelActive(context: ChannelHandlerContext) {
        // The client is not known yet, so this must wait.
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "hello ")), promise: nil)
        context.fireChannelActive()
      }

      func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var client = "nobody"
        if case .accepted(let verdict)? = try? context.pipeline.syncOperations.holdfastOutcome() {
          client = verdict.path?.leaf.subject.commonName ?? "no path"
        }
        shared.seen.withLock { $0.clients.append(client) }
        context.writeAndFlush(data, promise: nil)
      }

      func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? NIOTrustEnded {
          shared.seen.withLock { $0.endings.append(event.error) }
        }
        context.fireUserInboundEventTriggered(event)
      }

      func errorCaught(context: ChannelHandlerContext, error: any Error) {
        shared.seen.withLock { $0.errors.append(error) }
        context.close(promise: nil)
      }
    }

    private let shared: Shared
    private let channel: any Channel
    let port: UInt16

    /// Starts a server whose connections use the verifier that is chosen for them.
    ///
    /// - Parameter withHandler: False for a callback alone.
    init(
      _ context: NIOSSLContext, port: UInt16 = 0, withHandler: Bool = true,
      choosing verifier: @escaping @Sendable () -> NIOVerifier
    ) throws {
      let shared = Shared()
      self.shared = shared
      channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            if withHandler {
              try verifier().addServerHandlers(to: channel, context: context)
            } else {
              let callback = try verifier().callbackWithMetadata()
              try channel.pipeline.syncOperations.addHandler(
                NIOSSLServerHandler(
                  context: context, customVerificationCallbackWithMetadata: callback))
            }
            try channel.pipeline.syncOperations.addHandler(Echo(shared))
          }
        }
        .bind(host: "127.0.0.1", port: Int(port)).wait()
      self.port = UInt16(channel.localAddress?.port ?? 0)
    }

    func close() throws { try channel.close().wait() }

    deinit { channel.close(promise: nil) }

    /// Returns what was seen since the last call.
    func takeSeen() -> Seen {
      shared.seen.withLock { seen in
        defer { seen = Seen() }
        return seen
      }
    }

    /// Waits until an error was seen, and returns the first.
    func firstError() async throws -> (any Error)? {
      for _ in 0..<500 {
        if let error = shared.seen.withLock({ $0.errors.first }) { return error }
        try await Task.sleep(for: .milliseconds(10))
      }
      return nil
    }
  }

  /// The time and the verifier of a server, which a test changes between connections.
  final class ServerSettings: Sendable {
    private let time = Guarded(Timestamp.now)
    private let verifier: Guarded<NIOVerifier>

    /// Begins with a verifier of clients below this certificate.
    init(clientsBelow anchor: String = "root") throws {
      verifier = Guarded(NIOVerifier(clients: PathValidator(anchors: AnchorSet([]))))
      try use(clientsBelow: anchor)
    }

    /// Uses another verifier for connections to come.
    func use(clientsBelow anchor: String) throws {
      let validator = PathValidator(
        anchors: AnchorSet([try Material.certificate(anchor)]), rules: .rfc5280)
      let new = NIOVerifier(clients: validator) { [self] in time.withLock(\.self) }
      verifier.withLock { $0 = new }
    }

    func advance(days: Int64) {
      time.withLock { $0 = $0.advanced(bySeconds: days * 86_400) }
    }

    @Sendable func choose() -> NIOVerifier { verifier.withLock(\.self) }
  }
#endif
