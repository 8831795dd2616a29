internal import CPeerOpenSSL

#if canImport(CPeerGnuTLS)
  internal import CPeerGnuTLS
#endif

/// Another library that trusts one root and validates a server's chain from its octets.
@safe
struct ChainPeer {
  let name: String
  /// Whether the chain is valid for a host; nil if the library gave no answer.
  let validate: (_ chain: ChainFiles, _ host: String) -> Bool?
  let read: (_ certificate: [UInt8]) -> Bool

  /// The peers that this program was built with, each with the root of the chain in its store.
  static func all(trusting root: [UInt8]) -> [ChainPeer] {
    var peers: [ChainPeer] = []
    if let peer = openSSL(root) { peers.append(peer) }
    #if canImport(CPeerGnuTLS)
      if let peer = gnuTLS(root) { peers.append(peer) }
    #endif
    return peers
  }

  /// "OpenSSL 3.0.19 27 Jan 2026", "GnuTLS 3.7.9".
  static var versions: [String] {
    var versions = [OpenSSLKey.version]
    #if canImport(CPeerGnuTLS)
      // SAFETY: the library's own constant string.
      versions.append(unsafe "GnuTLS " + String(cString: peer_gnutls_version()))
    #else
      versions.append("GnuTLS: not there (libgnutls28-dev)")
    #endif
    return versions
  }

  private static func openSSL(_ root: [UInt8]) -> ChainPeer? {
    // SAFETY: the length is that of the array; the store lives as long as the process.
    guard let anchor = unsafe peer_openssl_anchor(root, root.count) else { return nil }
    return ChainPeer(name: "OpenSSL") { chain, host in
      let (leaf, intermediate) = (chain.leaf, chain.intermediate)
      // SAFETY: the lengths are those of the arrays, and the host's name ends.
      let verdict = unsafe peer_openssl_validate(
        anchor, leaf, leaf.count, intermediate, intermediate.count, host, ChainFiles.time)
      return verdict < 0 ? nil : verdict == 1
    } read: { certificate in
      // SAFETY: the length is that of the array.
      unsafe peer_openssl_can_read(certificate, certificate.count) == 1
    }
  }

  #if canImport(CPeerGnuTLS)
    private static func gnuTLS(_ root: [UInt8]) -> ChainPeer? {
      // SAFETY: the length is that of the array; the list lives as long as the process.
      guard let anchor = unsafe peer_gnutls_anchor(root, root.count, ChainFiles.time) else {
        return nil
      }
      return ChainPeer(name: "GnuTLS") { chain, host in
        let (leaf, intermediate) = (chain.leaf, chain.intermediate)
        // SAFETY: the lengths are those of the arrays, and the host's name ends.
        let verdict = unsafe peer_gnutls_validate(
          anchor, leaf, leaf.count, intermediate, intermediate.count, host)
        return verdict < 0 ? nil : verdict == 1
      } read: { certificate in
        // SAFETY: the length is that of the array.
        unsafe peer_gnutls_can_read(certificate, certificate.count) == 1
      }
    }
  #endif
}
