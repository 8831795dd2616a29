#if OpenSSL
  internal import Holdfast
  internal import HoldfastOpenSSL

  extension ConnectTarget {
    /// The certificates that the server sends, in DER, the leaf first. Nothing is verified: with no
    /// anchor, the handshake ends when they have come.
    func sentCertificates() throws(TLSError) -> [[UInt8]] {
      let verifier = TLSVerifier(PathValidator(anchors: AnchorSet([Certificate]())))
      let connection = try TLSClient(verifier).open(to: "\(host)", port: port, address: address)
      defer { connection.close() }
      do throws(TLSError) {
        try connection.handshake()
      } catch {
        guard let chain = connection.peer?.chain, !chain.isEmpty else { throw error }
        return chain
      }
      return connection.peer?.chain ?? []
    }
  }
#endif
