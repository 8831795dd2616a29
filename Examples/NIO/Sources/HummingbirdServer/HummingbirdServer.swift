import Holdfast
import HoldfastNIO
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// A server on Hummingbird 2 that lets in clients of one CA, and greets them by name:
///
///     HummingbirdServer 8443 server.pem server.key clients-root.pem
@main
struct HummingbirdServer {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 5, let port = Int(words[1]) else {
      print("usage: HummingbirdServer PORT CERTIFICATES KEY CLIENT-ANCHORS")
      return
    }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try NIOSSLCertificate.fromPEMFile(words[2]).map { .certificate($0) },
      privateKey: .privateKey(try NIOSSLPrivateKey(file: words[3], format: .pem)))
    configuration.certificateVerification = .noHostnameVerification
    let context = try NIOSSLContext(configuration: configuration)

    let anchors = AnchorSet(try Certificate.certificates(inFile: words[4]))
    let verifier = NIOVerifier(clients: PathValidator(anchors: anchors, rules: .rfc5280))
    let router = Router(context: ClientContext.self)
    router.get { _, context in
      guard case .accepted(let verdict)? = try await context.channel.holdfastOutcome().get()
      else { throw HTTPError(.forbidden) }
      return "welcome, \(verdict.path?.leaf.subject.commonName ?? "client")\n"
    }
    let server = HTTPServerBuilder { responder in
      VerifiedChannel(
        base: HTTP1Channel(responder: responder), verifier: verifier, context: context)
    }
    let application = Application(
      router: router, server: server,
      configuration: .init(address: .hostname("127.0.0.1", port: port)))
    try await application.runService()
  }
}

/// HTTP/1.1 behind TLS with verified clients, in the place of Hummingbird's `TLSChannel`.
struct VerifiedChannel: ServerChildChannel {
  let base: HTTP1Channel
  let verifier: NIOVerifier
  let context: NIOSSLContext

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    channel.eventLoop.makeCompletedFuture {
      try verifier.addServerHandlers(to: channel, context: context)
      try channel.pipeline.syncOperations.addHandler(Report())
    }.flatMap {
      base.setup(channel: channel, logger: logger)
    }
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    await base.handle(value: value, logger: logger)
  }
}

/// Prints why a client is not let in.
private final class Report: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? TrustError { print("rejected: \(error.logLine)") }
    context.fireErrorCaught(error)
  }
}

/// What a route needs to ask for the client.
private struct ClientContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}
