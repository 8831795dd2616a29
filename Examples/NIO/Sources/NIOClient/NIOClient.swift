import Holdfast
import HoldfastIdentities
import HoldfastNIO
import NIOCore
import NIOPosix
import NIOSSL

/// A client on NIO of a pinned server, with a certificate of its own:
///
///     NIOClient localhost 8443 root.pem sha256/… sha256/… client.p12 password
@main
struct NIOClient {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 8, let port = Int(words[2]) else {
      print("usage: NIOClient HOST PORT ANCHORS PIN BACKUP-PIN IDENTITY PASSWORD")
      return
    }
    let host = words[1]
    let identity = try Identity(file: words[6], password: words[7])
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.certificateChain = try identity.chain.map {
      .certificate(try NIOSSLCertificate(bytes: $0.der, format: .der))
    }
    configuration.privateKey = .privateKey(
      try NIOSSLPrivateKey(bytes: identity.privateKey.pkcs8, format: .der))
    let context = try NIOSSLContext(configuration: configuration)

    let manager = try TrustManager(
      pins: [host: [words[4], words[5]]],
      anchors: AnchorSet(try Certificate.certificates(inFile: words[3])))
    let verifier = NIOVerifier(manager)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try verifier.addClientHandlers(to: channel, context: context, host: host)
          try channel.pipeline.syncOperations.addHandler(Question())
        }
      }
      .connect(host: host, port: port).get()
    try await channel.closeFuture.get()
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
