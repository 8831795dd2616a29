import Holdfast
import HoldfastNIO
import X509

/// Validates client certificates that come as values of swift-certificates, as they come to the
/// callbacks of swift-http-server:
///
///     CertificatesCallback clients-root.pem client.pem
@main
struct CertificatesCallback {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 3 else {
      print("usage: CertificatesCallback CLIENT-ANCHORS CHAIN")
      return
    }
    let anchors = AnchorSet(try Holdfast.Certificate.certificates(inFile: words[1]))
    let verifier = NIOVerifier(clients: PathValidator(anchors: anchors, rules: .rfc5280))
    let chain = try Holdfast.Certificate.certificates(inFile: words[2])
      .map { try X509.Certificate(derEncoded: $0.der) }
    do {
      let verdict = try verifier.verdict(on: chain)
      print("accepted: \(verdict.path?.leaf.subject.commonName ?? "client")")
    } catch {
      print("rejected: \(error)")
    }
  }
}

extension NIOVerifier {
  /// Returns the verdict on the certificates of a peer, leaf first.
  func verdict(on chain: [X509.Certificate], host: String? = nil) throws -> Verdict {
    try decide(der: chain.map { try $0.serializeAsPEM().derBytes }, host: host)
  }
}
