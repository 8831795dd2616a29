#if NIO && Curl
  import HTTPTestSupport
  import Holdfast
  import HoldfastIdentities
  import HoldfastNIO
  import NIOCore
  import NIOEmbedded
  import NIOSSL
  import NIOTLS
  import Synchronization

  /// What an application behind the handlers sees.
  final class Application: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What is written as soon as the channel is active, before any handshake.
    let greeting: String?
    private(set) var errors: [any Error] = []
    private(set) var received = ""
    private(set) var isHandshakeCompleted = false
    private(set) var trustEnded: TrustError?
    private(set) var outcomeAtError: NIOOutcome?
    private(set) var greetingResult: Result<Void, any Error>?

    init(greeting: String? = nil) { self.greeting = greeting }

    func channelActive(context: ChannelHandlerContext) {
      if let greeting {
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { self.greetingResult = $0 }
        context.writeAndFlush(
          NIOAny(ByteBuffer(string: greeting)), promise: promise)
      }
      context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      received += String(buffer: unwrapInboundIn(data))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case .handshakeCompleted? = event as? TLSUserEvent { isHandshakeCompleted = true }
      if let event = event as? NIOTrustEnded { trustEnded = event.error }
      context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      errors.append(error)
      outcomeAtError = try? context.pipeline.syncOperations.holdfastOutcome()
    }
  }

  /// A client and a server in one thread, without sockets.
  struct MemoryConnection {
    let client = EmbeddedChannel()
    let server = EmbeddedChannel()
    let clientApplication: Application
    let serverApplication: Application

    /// Adds the handlers of both sides, and makes the handshake.
    init(
      greetings: (client: String?, server: String?) = (nil, nil),
      _ addClient: (EmbeddedChannel) throws -> Void, _ addServer: (EmbeddedChannel) throws -> Void
    ) throws {
      clientApplication = Application(greeting: greetings.client)
      serverApplication = Application(greeting: greetings.server)
      try addClient(client)
      try addServer(server)
      try client.pipeline.syncOperations.addHandler(clientApplication)
      try server.pipeline.syncOperations.addHandler(serverApplication)
      let address = try SocketAddress(ipAddress: "127.0.0.1", port: 443)
      server.connect(to: address, promise: nil)
      client.connect(to: address, promise: nil)
      exchange()
    }

    /// Carries bytes from side to side until both are silent.
    func exchange() {
      for _ in 0..<1000 {
        var isSilent = true
        for (from, to) in [(client, server), (server, client)] {
          from.embeddedEventLoop.run()
          while let bytes = try? from.readOutbound(as: ByteBuffer.self) {
            isSilent = false
            _ = try? to.writeInbound(bytes)
          }
        }
        if isSilent { return }
      }
    }

    /// Closes both sides; errors that were not caught are none here.
    func close() {
      client.close(promise: nil)
      server.close(promise: nil)
      exchange()
      _ = try? client.finish(acceptAlreadyClosed: true)
      _ = try? server.finish(acceptAlreadyClosed: true)
    }
  }

  /// Contexts with the certificates of the tests.
  enum Contexts {
    static func server(
      _ name: String = "good", _ verification: CertificateVerification = .none,
      _ version: NIOSSL.TLSVersion? = nil
    ) throws -> NIOSSLContext {
      let identity = try Material.identity(name)
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: try identity.certificateChain, privateKey: try identity.key)
      configuration.certificateVerification = verification
      if let version { configuration.minimumTLSVersion = version }
      configuration.maximumTLSVersion = version
      return try NIOSSLContext(configuration: configuration)
    }

    static func client(
      _ verification: CertificateVerification = .noHostnameVerification,
      presenting name: String? = nil
    ) throws -> NIOSSLContext {
      var configuration = TLSConfiguration.makeClientConfiguration()
      if let name {
        let identity = try Material.identity(name)
        configuration.certificateChain = try identity.certificateChain
        configuration.privateKey = try identity.key
      }
      configuration.certificateVerification = verification
      configuration.trustRoots = .certificates([])
      return try NIOSSLContext(configuration: configuration)
    }
  }

  extension Identity {
    fileprivate var certificateChain: [NIOSSLCertificateSource] {
      get throws {
        try chain.map { .certificate(try NIOSSLCertificate(bytes: $0.der, format: .der)) }
      }
    }

    fileprivate var key: NIOSSLPrivateKeySource {
      get throws { .privateKey(try NIOSSLPrivateKey(bytes: privateKey.pkcs8, format: .der)) }
    }
  }

  /// Work that waits until a test runs it.
  final class WaitingWork: Sendable {
    private let work = Mutex<[@Sendable () -> Void]>([])

    func append(_ new: @escaping @Sendable () -> Void) { work.withLock { $0.append(new) } }

    func run() {
      let all = work.withLock { work in
        defer { work = [] }
        return work
      }
      for one in all { one() }
    }
  }
#endif
