import COpenSSL
import HoldfastCompatibility
import HoldfastIdentities
import HoldfastOpenSSL

/// Both questions of a handshake, who the server is and who the client is, answered as Alamofire's
/// session answers its challenges.
final class ChallengedClient: TrustEvaluating {
  private let manager: ServerTrustManager
  private let credential: ClientCredential?
  private let host: String

  init(_ manager: ServerTrustManager, credential: ClientCredential?, host: String) {
    self.manager = manager
    self.credential = credential
    self.host = host
  }

  /// The first and the last line of the server's answer to a request.
  func get(_ path: String, from port: UInt16, anchors: AnchorSet) throws -> String {
    let context = wire_context(0, 0)
    defer { SSL_CTX_free(context) }
    try TLSVerifier(self, validator: PathValidator(anchors: anchors))
      .installOnClient(context, host: host)
    SSL_CTX_set_cert_cb(
      context,
      { ssl, client in
        guard let ssl, let client else { return 0 }
        return Unmanaged<ChallengedClient>.fromOpaque(client).takeUnretainedValue().showIdentity(
          ssl)
      }, Unmanaged.passUnretained(self).toOpaque())
    let request = "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
    var answer = [CChar](repeating: 0, count: 65536)
    let count = wire_request(
      context, Speed.dial(port), host, request, &answer, Int32(answer.count))
    guard count > 0 else { return "the handshake failed" }
    let text = String(
      decoding: answer.prefix(Int(count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    let lines = text.split(separator: "\r\n").map(String.init)
    return "\(lines.first ?? "") \(lines.last ?? "")"
  }

  /// The server is asked for: the challenge of the server's trust.
  func evaluate(_ trust: ServerTrust, for host: String) throws -> Verdict {
    switch Challenge(.serverTrust(trust), host: host).decision(under: manager) {
    case .trustServer(let verdict): return verdict
    case .cancel(let error): throw error
    default: throw TrustError.unknownHost(host)
    }
  }

  /// The client is asked for: the challenge of the client's certificate. 0 ends the handshake.
  private func showIdentity(_ ssl: OpaquePointer) -> Int32 {
    let challenge = Challenge(.clientCertificate(authorities: authorities(ssl)), host: host)
    switch challenge.decision(under: manager, credential: credential) {
    case .useCredential(.identity(let identity)):
      let chain = identity.chain.map(\.der)
      let key = identity.privateKey.pkcs8
      guard wire_use_key(ssl, chain[0], chain[0].count, key, key.count) == 1 else { return 0 }
      return chain.dropFirst().allSatisfy { wire_add_issuer(ssl, $0, $0.count) == 1 } ? 1 : 0
    case .performDefaultHandling: return 1  // It goes on without a certificate.
    default: return 0
    }
  }

  private func authorities(_ ssl: OpaquePointer) -> [DistinguishedName] {
    (0..<wire_authorities(ssl)).compactMap { index in
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = wire_authority(ssl, index, &bytes, Int32(bytes.count))
      let name = try? DistinguishedName(der: Array(bytes.prefix(Int(count))))
      print("asked for a certificate of \(name.map { "\($0)" } ?? "an unreadable name")")
      return name
    }
  }
}
