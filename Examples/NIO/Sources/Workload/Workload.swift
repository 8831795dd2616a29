import Holdfast
import HoldfastIdentities
import HoldfastNIO
import HoldfastTrustStores
import NIOCore
import NIOPosix
import NIOSSL

/// A workload on NIO that verifies its peer by its SPIFFE ID, as server and as client, with the files that
/// spiffe-helper writes to a folder:
///
///     Workload serve 8443 /run/spiffe example.org
///     Workload ask 8443 /run/spiffe example.org spiffe://example.org/api
///
/// A server lets in every workload of the trust domain, and a client asks the one with the ID.
@main
struct Workload {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count >= 5, let port = Int(words[2]) else {
      print("usage: Workload serve|ask PORT FOLDER TRUST-DOMAIN [SPIFFE-ID]")
      return
    }
    let (folder, domain) = (words[3], try SPIFFETrustDomain(words[4]))
    let identity = try Identity(
      certificateFile: "\(folder)/svid.pem", keyFile: "\(folder)/svid_key.pem")
    let bundle = try SPIFFEBundle(file: "\(folder)/svid_bundle.pem", of: domain)
    let validator = PathValidator(anchors: try AnchorSet(bundles: [bundle]))
    if words[1] == "serve" {
      try await serve(identity, validator, domain, port)
    } else {
      try await ask(identity, validator, try .id(words.last ?? ""), port)
    }
  }

  private static func serve(
    _ identity: Identity, _ validator: PathValidator, _ domain: SPIFFETrustDomain, _ port: Int
  ) async throws {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try chain(of: identity), privateKey: try key(of: identity))
    configuration.certificateVerification = .noHostnameVerification
    let context = try NIOSSLContext(configuration: configuration)
    let clients = NIOVerifier(clients: validator, peer: .trustDomain(domain))
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try clients.addServerHandlers(to: channel, context: context)
          try channel.pipeline.syncOperations.addHandler(Greeting())
        }
      }
      .bind(host: "127.0.0.1", port: port).get()
    try await server.closeFuture.get()
  }

  private static func ask(
    _ identity: Identity, _ validator: PathValidator, _ peers: SPIFFEPeers, _ port: Int
  ) async throws {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.certificateChain = try chain(of: identity)
    configuration.privateKey = try key(of: identity)
    let context = try NIOSSLContext(configuration: configuration)
    let servers = NIOVerifier(servers: validator, peer: peers)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          // The host says where the connection goes; the SPIFFE ID decides.
          try servers.addClientHandlers(to: channel, context: context, host: "localhost")
          try channel.pipeline.syncOperations.addHandler(Question())
        }
      }
      .connect(host: "127.0.0.1", port: port).get()
    try await channel.closeFuture.get()
  }

  private static func chain(of identity: Identity) throws -> [NIOSSLCertificateSource] {
    try identity.chain.map { .certificate(try NIOSSLCertificate(bytes: $0.der, format: .der)) }
  }

  private static func key(of identity: Identity) throws -> NIOSSLPrivateKeySource {
    .privateKey(try NIOSSLPrivateKey(bytes: identity.privateKey.pkcs8, format: .der))
  }
}

/// Answers each read with the SPIFFE ID of the client.
private final class Greeting: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .accepted(let verdict)? = try? context.pipeline.syncOperations.holdfastOutcome(),
      let id = verdict.path?.spiffeID
    else { return }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "welcome, \(id)\n")), promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? TrustError { print("rejected: \(error.logLine)") }
    context.close(promise: nil)
  }
}

/// Asks once, and prints the answer.
private final class Question: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  func channelActive(context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "hello\n")), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    print(String(buffer: unwrapInboundIn(data)), terminator: "")
    context.close(promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? TrustError { print("rejected: \(error)") }
    context.close(promise: nil)
  }
}
