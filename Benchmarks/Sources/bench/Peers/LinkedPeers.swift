internal import CPeerOpenSSL

#if canImport(CPeerGnuTLS)
  internal import CPeerGnuTLS
#endif

/// OpenSSL and GnuTLS, which this program is linked with.
enum LinkedPeers {
  static var all: [Peer] {
    #if canImport(CPeerGnuTLS)
      [openSSL, gnuTLS]
    #else
      [openSSL]
    #endif
  }

  private static var openSSL: Peer {
    Peer(name: "OpenSSL", version: OpenSSLKey.version) { question in
      // SAFETY: a store or null; it lives as long as the process.
      guard let store = unsafe peer_openssl_store() else { return nil }
      for anchor in question.anchors {
        // SAFETY: the length is that of the array.
        guard unsafe peer_openssl_trust(store, anchor, anchor.count) == 1 else { return nil }
      }
      let (octets, lengths) = (question.chain.flatMap(\.self), question.chain.map(\.count))
      let host = question.host
      return {
        // SAFETY: the lengths are those of the arrays, and the host's name ends.
        let verdict = unsafe peer_openssl_validate(
          store, octets, lengths, lengths.count, host, ChainFiles.time)
        return verdict < 0 ? nil : verdict == 1
      }
    } read: { octets in
      // SAFETY: the length is that of the array.
      { unsafe peer_openssl_can_read(octets, octets.count) == 1 }
    } load: { path in
      // SAFETY: the path ends.
      { Int(unsafe peer_openssl_load(path)) }
    }
  }

  #if canImport(CPeerGnuTLS)
    private static var gnuTLS: Peer {
      // SAFETY: the library's own constant string.
      Peer(name: "GnuTLS", version: unsafe "GnuTLS " + String(cString: peer_gnutls_version())) {
        question in
        // SAFETY: a list or null; it lives as long as the process.
        guard let store = unsafe peer_gnutls_store(ChainFiles.time) else { return nil }
        for anchor in question.anchors {
          // SAFETY: the length is that of the array.
          guard unsafe peer_gnutls_trust(store, anchor, anchor.count) == 1 else { return nil }
        }
        let (octets, lengths) = (question.chain.flatMap(\.self), question.chain.map(\.count))
        let host = question.host
        return {
          // SAFETY: the lengths are those of the arrays, and the host's name ends.
          let verdict = unsafe peer_gnutls_validate(store, octets, lengths, lengths.count, host)
          return verdict < 0 ? nil : verdict == 1
        }
      } read: { octets in
        // SAFETY: the length is that of the array.
        { unsafe peer_gnutls_can_read(octets, octets.count) == 1 }
      } load: { path in
        // SAFETY: the path ends.
        { Int(unsafe peer_gnutls_load(path)) }
      }
    }
  #endif
}
