import COpenSSL
import Foundation
import Holdfast
import HoldfastHTTP
import HoldfastOnline
import HoldfastOpenSSL

/// A server that staples what a `StapleSource` has fetched, and verifies clients that show a
/// certificate.
enum Staples {
  /// - Parameter words: PORT OCSP-PORT CHAIN KEY ROOT FILE
  static func serve(_ material: Material, _ words: [String]) async throws {
    let chain = try Certificate.certificates(inFile: words[2])
    let anchors = AnchorSet(try Certificate.certificates(inFile: words[4]))
    var policy = FetchPolicy([.ocsp])
    policy.ports = [UInt16(words[1]) ?? 0]
    let source = StapleSource(
      for: chain, validator: PathValidator(anchors: anchors, rules: .rfc5280),
      fetching: HTTPFetcher(allowing: [try AddressRange("127.0.0.0/8")]),
      policy: policy)
    try await source.refresh()
    try source.write(toFile: words[5])

    let context = wire_context(1, 0)
    let clients = PathValidator(anchors: material.clientsRoot, rules: .rfc5280)
    try TLSVerifier(clients).installOnServer(context, requiresCertificate: false)
    precondition(wire_use(context, words[2], words[3]) == 1)
    wire_staple(
      context,
      { ssl, source in
        guard let ssl, let source else { return SSL_TLSEXT_ERR_NOACK }
        let response = Unmanaged<StapleSource>.fromOpaque(source).takeUnretainedValue().response()
        return wire_set_response(ssl, response, response?.count ?? 0)
      }, Unmanaged.passRetained(source).toOpaque())
    let listener = wire_listener("127.0.0.1:\(words[0])")
    precondition(wire_listen(listener) == 1)
    while wire_accept(listener) == 1 {
      let ssl = wire_new(context)
      wire_take(listener, ssl)
      if SSL_accept(ssl) == 1 { SSL_shutdown(ssl) }
      SSL_free(ssl)
    }
  }
}
