import GRPCCore
import GRPCNIOTransportHTTP2
import Holdfast
import HoldfastNIO
import NIOCore
import NIOPosix
import NIOSSL

/// A gRPC server that lets in clients of one CA, and a client with pins that asks it once:
///
///     GRPCEcho server 8443 server.pem server.key clients-root.pem
///     GRPCEcho localhost 8443 client.pem client.key root.pem sha256/… sha256/…
@main
struct GRPCEcho {
  static func main() async throws {
    let words = CommandLine.arguments
    if words.count == 6, words[1] == "server", let port = Int(words[2]) {
      try await serve(port: port, words[3], key: words[4], clients: words[5])
    } else if words.count == 8, let port = Int(words[2]) {
      try await ask(words[1], port, words[3], key: words[4], anchors: words[5], pins: words[6...])
    } else {
      print("usage: GRPCEcho server PORT CERTIFICATES KEY CLIENT-ANCHORS")
      print("       GRPCEcho HOST PORT CERTIFICATES KEY ANCHORS PIN BACKUP-PIN")
    }
  }

  private static func serve(
    port: Int, _ certificates: String, key: String, clients: String
  ) async throws {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try NIOSSLCertificate.fromPEMFile(certificates).map { .certificate($0) },
      privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
    configuration.certificateVerification = .noHostnameVerification
    configuration.applicationProtocols = ["h2"]
    let anchors = AnchorSet(try Certificate.certificates(inFile: clients))
    let listener = VerifiedListener(
      port: port, context: try NIOSSLContext(configuration: configuration),
      verifier: NIOVerifier(clients: PathValidator(anchors: anchors, rules: .rfc5280)))
    let server = GRPCServer(
      transport: HTTP2ServerTransport.Custom(listenerFactory: listener), services: [Echo()])
    try await server.serve()
  }

  private static func ask(
    _ host: String, _ port: Int, _ certificates: String, key: String, anchors: String,
    pins: ArraySlice<String>
  ) async throws {
    let manager = try TrustManager(
      pins: [host: Array(pins)], anchors: AnchorSet(try Certificate.certificates(inFile: anchors)))
    // gRPC tells the callback no host, so there is one for each host.
    let callback = try NIOVerifier(manager).callbackWithMetadata(host: host) { outcome in
      if case .rejected(let error) = outcome { print("rejected: \(error)") }
    }
    let transport = try HTTP2ClientTransport.Posix(
      target: .dns(host: host, port: port),
      transportSecurity: .tls(
        .mTLS(
          certificateChain: [.file(path: certificates, format: .pem)],
          privateKey: .file(path: key, format: .pem)
        ) { $0.customVerificationCallback = callback }))
    var options = CallOptions.defaults
    options.timeout = .seconds(5)
    do {
      try await withGRPCClient(transport: transport) { client in
        let answer = try await client.unary(
          request: ClientRequest(message: "hello"), descriptor: Echo.method,
          serializer: TextCoding(), deserializer: TextCoding(), options: options
        ) { try $0.message }
        print("echo: \(answer)")
      }
    } catch let error as RPCError {
      print("failed: \(error)")
    }
  }
}

/// Accepts connections behind TLS with verified clients, in the place of gRPC's own listener.
private struct VerifiedListener: HTTP2ServerTransport.ListenerFactory {
  let port: Int
  let context: NIOSSLContext
  let verifier: NIOVerifier
  let eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton

  func makeListeningChannel(
    listenerConfigurator: HTTP2ServerTransport.ListenerConfigurator,
    connectionConfigurator: HTTP2ServerTransport.ConnectionConfigurator
  ) async throws -> NIOAsyncChannel<
    HTTP2ServerTransport.ConnectionConfigurator.ConnectionChannel, Never
  > {
    try await ServerBootstrap(group: eventLoopGroup)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { listenerConfigurator.configure(channel: $0) }
      .bind(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try verifier.addServerHandlers(to: channel, context: context)
          try channel.pipeline.syncOperations.addHandler(Report())
        }.flatMap {
          connectionConfigurator.configure(channel: channel, tls: .configured(requireALPN: false))
        }
      }
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

/// A service without generated code: it answers with what it is sent.
private struct Echo: RegistrableRPCService {
  static let method = MethodDescriptor(fullyQualifiedService: "Echo", method: "Say")

  func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
    router.registerHandler(
      forMethod: Echo.method, deserializer: TextCoding(), serializer: TextCoding()
    ) { request, _ in
      let request = try await ServerRequest(stream: request)
      return StreamingServerResponse(single: ServerResponse(message: request.message))
    }
  }
}

private struct TextCoding: MessageSerializer, MessageDeserializer {
  func serialize<Bytes: GRPCContiguousBytes>(_ message: String) -> Bytes { Bytes(message.utf8) }

  func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) -> String {
    bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }
}
