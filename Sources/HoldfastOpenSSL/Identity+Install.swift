#if OpenSSL
  internal import CHoldfastOpenSSL
  internal import Holdfast
  internal import HoldfastCertificates
  package import HoldfastIdentities

  extension Identity {
    /// Makes the connections of a client's context present this identity if the server asks for one.
    /// `context` is an `SSL_CTX *`.
    package func installOnClient(_ context: OpaquePointer) throws(TLSError) {
      for (index, certificate) in chain.enumerated() {
        // SAFETY: the context retains the parsed certificate, which is released here.
        let parsed = unsafe certificate.der.withUnsafeBufferPointer { der in
          var offset = der.baseAddress
          return unsafe d2i_X509(nil, &offset, der.count)
        }
        guard let parsed = unsafe parsed else { throw .identityError() }
        defer { unsafe X509_free(parsed) }
        let isUsed =
          unsafe index == 0
          ? SSL_CTX_use_certificate(context, parsed)
          : holdfast_add_chain_certificate(context, parsed)
        guard isUsed == 1 else { throw .identityError() }
      }
      // SAFETY: the key is read during the call; OpenSSL keeps its own copy, which it overwrites.
      let key = unsafe privateKey.withPKCS8 { bytes in
        unsafe bytes.withUnsafeBufferPointer { der in
          var offset = der.baseAddress
          return unsafe d2i_AutoPrivateKey(nil, &offset, der.count)
        }
      }
      guard let key = unsafe key else { throw .identityError() }
      defer { unsafe EVP_PKEY_free(key) }
      guard unsafe SSL_CTX_use_PrivateKey(context, key) == 1 else { throw .identityError() }
    }
  }

  extension Callback {
    /// Called before a client presents its certificate, because the server has asked for it. One that
    /// has expired is not sent: what the server would say of it might be less plain, and come later.
    static func mayPresent(_ ssl: OpaquePointer?) -> CInt {
      // SAFETY: OpenSSL lends the connection for the call.
      guard let ssl = unsafe ssl, let context = unsafe Records.record(ofContextOf: ssl),
        let own = context.ownCertificate, own.notAfter < context.verifier.time
      else { return 1 }
      let error = TLSError.unusableIdentity("\(own.shortName) expired at \(own.notAfter)")
      unsafe Records.makeRecord(of: ssl)?.identityError = error
      context.onExpiredIdentity?(error)
      return 0
    }
  }

  extension TLSError {
    fileprivate static func identityError() -> TLSError { .unusableIdentity("\(latest())") }
  }
#endif
