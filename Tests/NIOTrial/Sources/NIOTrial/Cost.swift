import Glibc
import HoldfastNIO
import HoldfastOpenSSL
import NIOCore
import NIOEmbedded
import NIOPosix
import NIOSSL

/// Ways to do the same, measured in turns.
private struct Comparison {
  var ways: [(name: String, work: () throws -> Void)]

  /// Prints the median of each, and the median of its ratios to the first in the same round.
  func run(rounds: Int, count: Int) throws {
    var times = [[Double]](repeating: [], count: ways.count)
    for round in 0...rounds {
      for (index, way) in ways.enumerated() {
        let time = try processorTime { for _ in 0..<count { try way.work() } }
        if round > 0 { times[index].append(time / Double(count)) }
      }
    }
    for (way, own) in zip(ways, times) {
      let ratio = median(zip(own, times[0]).map { $0 / $1 })
      print(
        "\(way.name)\t\((median(own) * 10).rounded() / 10) us\t\((ratio * 1000).rounded() / 1000)")
    }
  }

  /// In microseconds and of all threads: other processes on the machine count less than by a clock.
  private func processorTime(of work: () throws -> Void) rethrows -> Double {
    let start = now()
    try work()
    return now() - start
  }

  private func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }

  private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// Full handshakes in memory, both sides in one thread, with different clients.
struct FullCost {
  private let ways: [(name: String, handlers: (EmbeddedChannel) throws -> Void)]
  private let server: NIOSSLContext

  init(_ material: Material) throws {
    server = try material.serverContext(.none)
    let ours = try material.clientContext(.noHostnameVerification)
    func plain(
      _ verification: CertificateVerification
    ) throws -> (EmbeddedChannel) throws -> Void {
      let context = try material.clientContext(verification)
      return { channel in
        let handler = try NIOSSLClientHandler(context: context, serverHostname: "localhost")
        try channel.pipeline.syncOperations.addHandler(handler)
      }
    }
    func pinned(_ verifier: NIOVerifier) -> (EmbeddedChannel) throws -> Void {
      { try verifier.addClientHandlers(to: $0, context: ours, host: "localhost") }
    }
    // What NIOSSL's callbacks cost by themselves.
    func accepting(_ channel: EmbeddedChannel) throws {
      let handler = try NIOSSLClientHandler(
        context: ours, serverHostname: "localhost",
        customVerificationCallback: { _, promise in promise.succeed(.certificateVerified) })
      try channel.pipeline.syncOperations.addHandler(handler)
    }
    ways = [
      ("full, no verification", try plain(.none)),
      ("full, a callback that accepts all", accepting),
      ("full, NIOSSL's own", try plain(.fullVerification)),
      ("full, Holdfast with pins, warm", pinned(NIOVerifier(try material.manager()))),
      ("full, Holdfast with pins, cold", pinned(NIOVerifier(try material.manager(cache: nil)))),
    ]
  }

  func run() throws {
    let ways = ways.map { way in (way.name, { try handshake(way.handlers) }) }
    try Comparison(ways: ways).run(rounds: 40, count: 40)
  }

  private struct Incomplete: Error {}

  private func handshake(_ addHandlers: (EmbeddedChannel) throws -> Void) throws {
    let (client, other) = (EmbeddedChannel(), EmbeddedChannel())
    try addHandlers(client)
    try other.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: server))
    let address = try SocketAddress(ipAddress: "127.0.0.1", port: 443)
    other.connect(to: address, promise: nil)
    client.connect(to: address, promise: nil)
    // The client's first data at the server shows that both sides are done.
    client.writeAndFlush(ByteBuffer(string: "x"), promise: nil)
    guard try exchange(client, other) else { throw Incomplete() }
    client.close(promise: nil)
    other.close(promise: nil)
    _ = try exchange(client, other)
  }

  /// Carries bytes from side to side until both are silent; returns whether the server got data.
  private func exchange(_ client: EmbeddedChannel, _ other: EmbeddedChannel) throws -> Bool {
    while true {
      let there = try carry(from: client, to: other)
      let back = try carry(from: other, to: client)
      if !there, !back { break }
    }
    return try other.readInbound(as: ByteBuffer.self) != nil
  }

  private func carry(from: EmbeddedChannel, to: EmbeddedChannel) throws -> Bool {
    from.embeddedEventLoop.run()
    var isSilent = true
    while let bytes = try from.readOutbound(as: ByteBuffer.self) {
      isSilent = false
      if to.isActive { try to.writeInbound(bytes) }
    }
    return !isSilent
  }
}

/// Connections of OpenSSL's client on loopback that resume a session, to different servers: NIOSSL's
/// client never resumes.
struct ResumedCost {
  private let ways: [(name: String, server: any Channel)]
  private let client: TLSClient

  init(_ material: Material) throws {
    let asking = try material.serverContext(.noHostnameVerification)
    func server(
      _ addHandlers: @escaping @Sendable (any Channel) throws -> Void
    ) throws -> any Channel {
      try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try addHandlers(channel)
            try channel.pipeline.syncOperations.addHandler(Echo())
          }
        }
        .bind(host: "127.0.0.1", port: 0).wait()
    }
    func plain(_ context: NIOSSLContext) throws -> any Channel {
      try server { channel in
        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
      }
    }
    func guarded(_ verifier: NIOVerifier) throws -> any Channel {
      try server { try verifier.addServerHandlers(to: $0, context: asking) }
    }
    @Sendable func accepting(_ channel: any Channel) throws {
      let handler = NIOSSLServerHandler(
        context: asking,
        customVerificationCallback: { _, promise in promise.succeed(.certificateVerified) })
      try channel.pipeline.syncOperations.addHandler(handler)
    }
    ways = [
      ("resumed, no verification", try plain(try material.serverContext(.none))),
      ("resumed, a callback that accepts all", try server { try accepting($0) }),
      ("resumed, NIOSSL's own", try plain(asking)),
      (
        "resumed, Holdfast, warm",
        try guarded(NIOVerifier(clients: material.validatorOfClients()))
      ),
      (
        "resumed, Holdfast, cold",
        try guarded(NIOVerifier(clients: material.validatorOfClients(cache: nil)))
      ),
    ]
    var options = TLSClient.Options()
    options.resumesSessions = true
    options.identity = material.client
    client = try TLSClient(TLSVerifier(try material.manager()), options: options)
  }

  func run() throws {
    for way in ways { try connect(to: way.server, resumed: false) }
    let work = ways.map { way in (way.name, { try connect(to: way.server, resumed: true) }) }
    try Comparison(ways: work).run(rounds: 40, count: 40)
    for way in ways { try way.server.close().wait() }
  }

  private struct Unexpected: Error { let resumed: Bool }

  private func connect(to server: any Channel, resumed: Bool) throws {
    let connection = try client.connect(
      to: "localhost", port: UInt16(server.localAddress?.port ?? 0), address: "127.0.0.1")
    defer { connection.close() }
    try connection.write([0x78])
    guard try connection.read() == [0x78], connection.isResumed == resumed else {
      throw Unexpected(resumed: connection.isResumed)
    }
  }
}

/// Sends back what it gets.
final class Echo: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    context.writeAndFlush(data, promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
