import Holdfast
import HoldfastNIO
import NIOSSL
import Vapor

/// A server on Vapor 4 that lets in clients of one CA, and greets them by name:
///
///     VaporServer 8443 server.pem server.key clients-root.pem
@main
struct VaporServer {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 5, let port = Int(words[1]) else {
      print("usage: VaporServer PORT CERTIFICATES KEY CLIENT-ANCHORS")
      return
    }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try NIOSSLCertificate.fromPEMFile(words[2]).map { .certificate($0) },
      privateKey: .privateKey(try NIOSSLPrivateKey(file: words[3], format: .pem)))
    configuration.certificateVerification = .noHostnameVerification

    let anchors = AnchorSet(try Certificate.certificates(inFile: words[4]))
    let verifier = NIOVerifier(clients: PathValidator(anchors: anchors, rules: .rfc5280))
    let app = try await Application.make(Environment(name: "production", arguments: ["serve"]))
    app.http.server.configuration.hostname = "127.0.0.1"
    app.http.server.configuration.port = port
    app.http.server.configuration.tlsConfiguration = configuration
    app.http.server.configuration.customCertificateVerifyCallbackWithMetadata =
      try verifier.callbackWithMetadata { outcome in
        if case .rejected(let error) = outcome { print("rejected: \(error.logLine)") }
      }
    app.get { request in
      guard let leaf = request.peerCertificateChain?.leaf else { throw Abort(.forbidden) }
      let client = try Certificate(der: leaf.serializeAsPEM().derBytes)
      return "welcome, \(client.subject.commonName ?? "client")\n"
    }
    try await app.execute()
    try await app.asyncShutdown()
  }
}
