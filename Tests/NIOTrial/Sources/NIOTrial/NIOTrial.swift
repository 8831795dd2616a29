import Holdfast
import HoldfastIdentities
import NIOCore
import NIOSSL

/// Measures handshakes of NIOSSL with and without Holdfast, and makes many of them:
///
///     NIOTrial FOLDER cost
///     NIOTrial FOLDER growth COUNT
///
/// The folder has root.pem, and server.p12, client.p12 and stranger.p12 with the password `demo`, the
/// last not below the root.
@main
struct NIOTrial {
  static func main() throws {
    let words = CommandLine.arguments
    if words.count == 3, words[2] == "cost" {
      let material = try Material(words[1])
      try FullCost(material).run()
      try ResumedCost(material).run()
    } else if words.count == 4, words[2] == "growth", let count = Int(words[3]) {
      try Growth(try Material(words[1])).run(count)
    } else {
      print("usage: NIOTrial FOLDER cost | NIOTrial FOLDER growth COUNT")
    }
  }
}

struct Material {
  let root: Certificate
  let server: Identity
  let client: Identity
  let stranger: Identity

  init(_ folder: String) throws {
    root = try Certificate.certificates(inFile: "\(folder)/root.pem")[0]
    server = try Identity(file: "\(folder)/server.p12", password: "demo")
    client = try Identity(file: "\(folder)/client.p12", password: "demo")
    stranger = try Identity(file: "\(folder)/stranger.p12", password: "demo")
  }

  func manager(cache: SignatureCache? = SignatureCache()) throws -> TrustManager {
    let pins = [Pin(keyOf: server.chain[0]), Pin(keyOf: client.chain[0])]
    return TrustManager(
      pins: try PinTable(["localhost": PinSet(pins)]), anchors: AnchorSet([root]), cache: cache)
  }

  func validatorOfClients(cache: SignatureCache? = SignatureCache()) -> PathValidator {
    PathValidator(anchors: AnchorSet([root]), rules: .rfc5280, cache: cache)
  }

  func serverContext(_ verification: CertificateVerification) throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try server.nioChain, privateKey: try server.nioKey)
    configuration.certificateVerification = verification
    configuration.trustRoots = .certificates([
      try NIOSSLCertificate(bytes: root.der, format: .der)
    ])
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
