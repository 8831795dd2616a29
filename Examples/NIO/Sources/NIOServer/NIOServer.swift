import Holdfast
import HoldfastIdentities
import HoldfastNIO
import NIOCore
import NIOPosix
import NIOSSL

/// A server on NIO that lets in clients of one CA, and greets them by name:
///
///     NIOServer 8443 server.p12 password clients-root.pem
@main
struct NIOServer {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 5, let port = Int(words[1]) else {
      print("usage: NIOServer PORT IDENTITY PASSWORD CLIENT-ANCHORS")
      return
    }
    let identity = try Identity(file: words[2], password: words[3])
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try identity.chain.map {
        .certificate(try NIOSSLCertificate(bytes: $0.der, format: .der))
      },
      privateKey: .privateKey(
        try NIOSSLPrivateKey(bytes: identity.privateKey.pkcs8, format: .der)))
    configuration.certificateVerification = .noHostnameVerification
    let context = try NIOSSLContext(configuration: configuration)

    let anchors = AnchorSet(try Certificate.certificates(inFile: words[4]))
    let verifier = NIOVerifier(clients: PathValidator(anchors: anchors, rules: .rfc5280))
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try verifier.addServerHandlers(to: channel, context: context)
          try channel.pipeline.syncOperations.addHandler(Greeting())
        }
      }
      .bind(host: "127.0.0.1", port: port).get()
    print("listening on \(server.localAddress?.description ?? "\(port)")")
    try await server.closeFuture.get()
  }
}

/// Answers each read with the name in the client's certificate.
private final class Greeting: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .accepted(let verdict)? = try? context.pipeline.syncOperations.holdfastOutcome()
    else { return }
    let name = verdict.path?.leaf.subject.commonName ?? "client"
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "welcome, \(name)\n")), promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? TrustError { print("rejected: \(error.logLine)") }
    context.close(promise: nil)
  }
}
