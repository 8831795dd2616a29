import Glibc
import Holdfast
import HoldfastIdentities
import HoldfastNIO
import HoldfastOpenSSL
import NIOCore
import NIOEmbedded
import NIOPosix
import NIOSSL

/// Measures handshakes of NIOSSL with and without Holdfast, and makes many of them:
///
///     NIOTrial FOLDER cost|growth
///
/// The folder has root.pem, and server.p12 and client.p12 with the password `demo`.
@main
struct NIOTrial {
  static func main() throws {
    let words = CommandLine.arguments
    guard words.count == 3 else {
      print("usage: NIOTrial FOLDER cost|growth")
      return
    }
    let material = try Material(words[1])
    if words[2] == "cost" { try Cost(material).run() } else { try Growth(material).run() }
  }
}

struct Material {
  let root: Certificate
  let server: Identity
  let client: Identity

  init(_ folder: String) throws {
    root = try Certificate.certificates(inFile: "\(folder)/root.pem")[0]
    server = try Identity(file: "\(folder)/server.p12", password: "demo")
    client = try Identity(file: "\(folder)/client.p12", password: "demo")
  }

  func manager(cache: SignatureCache? = SignatureCache()) throws -> TrustManager {
    let pins = [Pin(keyOf: server.chain[0]), Pin(keyOf: client.chain[0])]
    return TrustManager(
      pins: try PinTable(["localhost": PinSet(pins)]), anchors: AnchorSet([root]), cache: cache)
  }

  func serverContext(asksClients: Bool = false) throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try server.nioChain, privateKey: try server.nioKey)
    configuration.certificateVerification = asksClients ? .noHostnameVerification : .none
    return try NIOSSLContext(configuration: configuration)
  }

  func clientContext(_ verification: CertificateVerification) throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.certificateVerification = verification
    configuration.trustRoots = .certificates([
      try NIOSSLCertificate(bytes: root.der, format: .der)
    ])
    return try NIOSSLContext(configuration: configuration)
  }
}

extension Identity {
  var nioChain: [NIOSSLCertificateSource] {
    get throws {
      try chain.map { .certificate(try NIOSSLCertificate(bytes: $0.der, format: .der)) }
    }
  }

  var nioKey: NIOSSLPrivateKeySource {
    get throws { .privateKey(try NIOSSLPrivateKey(bytes: privateKey.pkcs8, format: .der)) }
  }
}

/// The processor time of a handshake in memory, both sides in one thread.
struct Cost {
  private let ways: [(name: String, handlers: (EmbeddedChannel) throws -> Void)]
  private let server: NIOSSLContext

  init(_ material: Material) throws {
    server = try material.serverContext()
    let none = try material.clientContext(.none)
    let own = try material.clientContext(.fullVerification)
    let ours = try material.clientContext(.noHostnameVerification)
    let warm = NIOVerifier(try material.manager())
    let cold = NIOVerifier(try material.manager(cache: nil))
    func plain(_ context: NIOSSLContext) -> (EmbeddedChannel) throws -> Void {
      { channel in
        let handler = try NIOSSLClientHandler(context: context, serverHostname: "localhost")
        try channel.pipeline.syncOperations.addHandler(handler)
      }
    }
    func pinned(_ verifier: NIOVerifier) -> (EmbeddedChannel) throws -> Void {
      { try verifier.addClientHandlers(to: $0, context: ours, host: "localhost") }
    }
    ways = [
      ("no verification", plain(none)), ("NIOSSL's own", plain(own)),
      ("Holdfast with pins, warm", pinned(warm)), ("Holdfast with pins, cold", pinned(cold)),
    ]
  }

  func run() throws {
    var times = [[Double]](repeating: [], count: ways.count)
    for round in 0..<31 {
      for (index, way) in ways.enumerated() {
        let clock = SuspendingClock()
        let count = 50
        let time = try clock.measure { for _ in 0..<count { try handshake(way.handlers) } }
        if round > 0 { times[index].append(time / .microseconds(1) / Double(count)) }
      }
    }
    let medians = times.map { $0.sorted()[$0.count / 2] }
    for (way, median) in zip(ways, medians) {
      let ratio = (median / medians[0] * 1000).rounded() / 1000
      print("\(way.name)\t\((median * 10).rounded() / 10) us\t\(ratio)")
    }
  }

  private struct Incomplete: Error {}

  private func handshake(_ addHandlers: (EmbeddedChannel) throws -> Void) throws {
    let (client, other) = (EmbeddedChannel(), EmbeddedChannel())
    try addHandlers(client)
    try other.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: server))
    let address = try SocketAddress(ipAddress: "127.0.0.1", port: 443)
    other.connect(to: address, promise: nil)
    client.connect(to: address, promise: nil)
    // The server's answer to the client's first data shows that both sides are done.
    client.writeAndFlush(ByteBuffer(string: "x"), promise: nil)
    for _ in 0..<20 {
      client.embeddedEventLoop.run()
      while let bytes = try client.readOutbound(as: ByteBuffer.self) {
        try other.writeInbound(bytes)
      }
      other.embeddedEventLoop.run()
      while let bytes = try other.readOutbound(as: ByteBuffer.self) {
        try client.writeInbound(bytes)
      }
      if try other.readInbound(as: ByteBuffer.self) != nil {
        _ = try? client.finish(acceptAlreadyClosed: true)
        _ = try? other.finish(acceptAlreadyClosed: true)
        return
      }
    }
    throw Incomplete()
  }
}

/// Many connections to a server with mutual TLS: resumed, full, without a certificate.
struct Growth {
  private let material: Material

  init(_ material: Material) { self.material = material }

  func run() throws {
    let context = try material.serverContext(asksClients: true)
    let verifier = NIOVerifier(
      clients: PathValidator(anchors: AnchorSet([material.root]), rules: .rfc5280))
    let server = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try verifier.addServerHandlers(to: channel, context: context)
          try channel.pipeline.syncOperations.addHandler(Echo())
        }
      }
      .bind(host: "127.0.0.1", port: 0).wait()
    let port = UInt16(server.localAddress?.port ?? 0)
    var options = TLSClient.Options()
    options.resumesSessions = true
    let stranger = try TLSClient(TLSVerifier(try material.manager()), options: options)
    options.identity = material.client
    let resuming = try TLSClient(TLSVerifier(try material.manager()), options: options)
    options.resumesSessions = false
    let full = try TLSClient(TLSVerifier(try material.manager()), options: options)
    var counts = [0, 0, 0]
    for index in 1...10_000 {
      let client = [resuming, full, stranger][index % 10 < 6 ? 0 : index % 10 < 9 ? 1 : 2]
      do throws(TLSError) {
        let connection = try client.connect(to: "localhost", port: port, address: "127.0.0.1")
        defer { connection.close() }
        try connection.write([0x78])
        let answer = try connection.read()
        counts[answer == [0x78] ? (connection.isResumed ? 0 : 1) : 2] += 1
      } catch {
        counts[2] += 1
      }
      if index == 1000 || index % 3000 == 1 && index > 1 {
        print("\(index) connections: \(memory()) KiB")
      }
    }
    print("resumed \(counts[0]), full \(counts[1]), rejected \(counts[2]): \(memory()) KiB")
    try server.close().wait()
  }

  private func memory() -> String {
    guard let file = fopen("/proc/self/status", "r") else { return "?" }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let text = String(cString: line)
      if text.hasPrefix("VmRSS") { return text.filter(\.isNumber) }
    }
    return "?"
  }
}

private final class Echo: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    context.writeAndFlush(data, promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
