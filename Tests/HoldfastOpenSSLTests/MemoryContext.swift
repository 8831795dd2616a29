#if OpenSSL
  import CHoldfastOpenSSL
  import HoldfastCertificates
  import TestSupport

  @testable import HoldfastOpenSSL

  /// A context of libssl, for one side or for both.
  @safe final class MemoryContext {
    enum Kind: Sendable { case client, server, both, datagrams }

    struct Unusable: Error {}

    // SAFETY: this object owns the context, and frees it.
    fileprivate let pointer: OpaquePointer
    /// What is stapled to each connection.
    fileprivate var staple: [UInt8]?

    init(
      _ kind: Kind, _ version: CInt = TLS1_3_VERSION, presenting identity: MemoryIdentity? = nil
    ) throws {
      // SAFETY: the methods are constants; what the context is given is copied.
      let method =
        switch kind {
        case .client: unsafe TLS_client_method()
        case .server: unsafe TLS_server_method()
        case .both: unsafe TLS_method()
        case .datagrams: unsafe DTLS_client_method()
        }
      guard let context = unsafe SSL_CTX_new(method) else { throw Unusable() }
      unsafe pointer = unsafe context
      guard kind != .datagrams else { return }
      guard unsafe holdfast_set_versions(context, version, version) == 1 else { throw Unusable() }
      if let identity { try present(identity) }
    }

    // SAFETY: connections have references of their own.
    deinit { unsafe SSL_CTX_free(pointer) }

    private func present(_ identity: MemoryIdentity) throws {
      // SAFETY: what the context is given is copied, or a reference is taken.
      for (index, certificate) in identity.chain.enumerated() {
        let der = certificate.der
        if index == 0 {
          guard unsafe SSL_CTX_use_certificate_ASN1(pointer, CInt(der.count), der) == 1,
            unsafe SSL_CTX_use_PrivateKey(pointer, identity.key.pointer) == 1
          else { throw Unusable() }
        } else {
          let issuer = unsafe der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return unsafe d2i_X509(nil, &start, buffer.count)
          }
          defer { unsafe X509_free(issuer) }
          guard let issuer = unsafe issuer,
            unsafe holdfast_add_chain_certificate(pointer, issuer) == 1
          else { throw Unusable() }
        }
      }
      if let timestamps = identity.timestamps { try send(timestamps) }
      staple = identity.staple
      guard staple != nil else { return }
      // SAFETY: each connection of a handshake is closed before its context.
      unsafe holdfast_set_status_callback(
        pointer,
        { ssl, context in
          guard let context = unsafe context else { return SSL_TLSEXT_ERR_NOACK }
          return unsafe MemoryContext.respond(
            ssl, Unmanaged<MemoryContext>.fromOpaque(context).takeUnretainedValue())
        }, Unmanaged.passUnretained(self).toOpaque())
    }

    private static func respond(_ ssl: OpaquePointer?, _ context: MemoryContext) -> CInt {
      // SAFETY: OpenSSL lends the connection for the call, and takes the copy over.
      guard let staple = context.staple, let copy = unsafe CRYPTO_malloc(staple.count, nil, 0)
      else {
        return SSL_TLSEXT_ERR_NOACK
      }
      unsafe copy.copyMemory(from: staple, byteCount: staple.count)
      unsafe _ = SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_STATUS_REQ_OCSP_RESP, staple.count, copy)
      return SSL_TLSEXT_ERR_OK
    }

    /// Sends timestamps of logs in extension 18, where the client's hello asks for it.
    private func send(_ timestamps: [UInt8]) throws {
      func number(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
      }
      // Context 0x11C0: with the ServerHello of TLS 1.2, and with a certificate in TLS 1.3.
      let info = number(0x11C0, 4) + number(18, 2) + number(timestamps.count, 2) + timestamps
      // SAFETY: the bytes are copied.
      guard
        unsafe SSL_CTX_use_serverinfo_ex(pointer, UInt32(SSL_SERVERINFOV2), info, info.count) == 1
      else { throw Unusable() }
    }
  }

  /// The verifiers of a context.
  extension MemoryContext {
    /// Makes the context verify servers.
    func verifyServers(_ verifier: TLSVerifier, host: String? = nil) throws(TLSError) {
      // SAFETY: the context is open.
      try unsafe verifier.installOnClient(pointer, host: host)
    }

    /// Makes the context verify servers and keep sessions, as that of a library that has a context for
    /// each connection.
    func verifyServers(
      _ verifier: TLSVerifier, host: String, sessions: SessionPlace,
      onEndlessHandshake: (@Sendable () -> Void)? = nil,
      allowsReuse: (@Sendable () -> Bool)? = nil
    ) throws(TLSError) {
      // SAFETY: the context is open.
      try unsafe verifier.installOnClient(
        pointer, host: host, sessions: sessions, onOutcome: { _ in },
        onEndlessHandshake: onEndlessHandshake, allowsReuse: allowsReuse)
    }

    /// Makes the context verify clients.
    func verifyClients(
      _ verifier: TLSVerifier, requiresCertificate: Bool = true, namesAuthorities: Bool = true
    ) throws(TLSError) {
      // SAFETY: the context is open.
      try unsafe verifier.installOnServer(
        pointer, requiresCertificate: requiresCertificate, namesAuthorities: namesAuthorities)
    }
  }

  /// What programs do with their contexts.
  extension MemoryContext {
    /// Replaces the callback for server names.
    func replaceServerNameCallback() {
      // SAFETY: the context is open, and the function needs no argument.
      unsafe holdfast_set_server_name_callback(pointer, { _, _, _ in SSL_TLSEXT_ERR_OK }, nil)
    }

    /// Takes another context for connections to b.example, as a server with several sites does.
    func chooseByName(_ other: MemoryContext) {
      // SAFETY: both contexts live as long as the connections of the test.
      unsafe holdfast_set_server_name_callback(
        pointer,
        { ssl, _, other in
          guard let ssl = unsafe ssl,
            let name = unsafe SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name),
            unsafe String(cString: name) == "b.example"
          else { return SSL_TLSEXT_ERR_OK }
          let context = OpaquePointer(other)
          unsafe SSL_set_SSL_CTX(ssl, context)
          unsafe SSL_set_verify(ssl, SSL_CTX_get_verify_mode(context), nil)
          return SSL_TLSEXT_ERR_OK
        }, UnsafeMutableRawPointer(other.pointer))
    }

    /// Replaces the callback for messages.
    func replaceMessageCallback() {
      // SAFETY: the context is open, and the function needs no argument.
      unsafe SSL_CTX_set_msg_callback(pointer) { _, _, _, _, _, _, _ in }
    }

    /// Makes a server send no tickets, and so nothing after its handshake.
    func sendNoTickets() {
      // SAFETY: the context is open.
      unsafe _ = SSL_CTX_set_num_tickets(pointer, 0)
    }

    /// Makes a server keep sessions itself instead of sending them in tickets.
    func keepSessions() {
      // SAFETY: the context is open. The option is SSL_OP_NO_TICKET.
      unsafe _ = SSL_CTX_set_options(pointer, 1 << 14)
    }

    /// Makes a client present its certificate after the handshake, if asked then. RFC 8446 §4.6.2.
    func allowLateCertificates() {
      // SAFETY: the context is open.
      unsafe SSL_CTX_set_post_handshake_auth(pointer, 1)
    }

    /// Makes a connection, which the caller frees.
    func makeConnection() throws -> OpaquePointer {
      // SAFETY: the context is open.
      guard let ssl = unsafe SSL_new(pointer) else { throw Unusable() }
      return unsafe ssl
    }
  }

  /// A private key as OpenSSL has it.
  @safe final class MemoryKey {
    // SAFETY: this object owns the key, and frees it.
    fileprivate let pointer: OpaquePointer

    // SAFETY: contexts have references of their own.
    deinit { unsafe EVP_PKEY_free(pointer) }

    /// A key on P-256: an ECPrivateKey in PKCS #8. RFC 5915 §3, RFC 5958 §2.
    init(_ number: UInt64) throws {
      let bytes =
        [UInt8](repeating: 0, count: 24)
        + (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
      let key = Made.der(0x30, Made.der(0x02, [1]) + Made.der(0x04, bytes))
      let algorithm = Made.der(
        0x30, Made.oid("1.2.840.10045.2.1") + Made.oid("1.2.840.10045.3.1.7"))
      let der = Made.der(0x30, Made.der(0x02, [0]) + algorithm + Made.der(0x04, key))
      // SAFETY: the bytes live for the call, which moves the pointer to them.
      let read = unsafe der.withUnsafeBufferPointer { buffer in
        var start = buffer.baseAddress
        return unsafe d2i_AutoPrivateKey(nil, &start, buffer.count)
      }
      guard let read = unsafe read else { throw MemoryContext.Unusable() }
      unsafe pointer = unsafe read
    }

    /// Makes a key.
    ///
    /// - Parameters:
    ///   - kind: OpenSSL's name of the algorithm.
    ///   - group: OpenSSL's name of the curve, if the algorithm has several.
    init(_ kind: String, group: String? = nil) throws {
      let context = unsafe EVP_PKEY_CTX_new_from_name(nil, kind, nil)
      var key: OpaquePointer?
      // SAFETY: the context is freed here, and the key belongs to the caller.
      defer { unsafe EVP_PKEY_CTX_free(context) }
      guard unsafe EVP_PKEY_keygen_init(context) == 1,
        group.map({ unsafe EVP_PKEY_CTX_set_group_name(context, $0) }) ?? 1 == 1,
        unsafe EVP_PKEY_generate(context, &key) == 1, let key = unsafe key
      else { throw MemoryContext.Unusable() }
      unsafe pointer = unsafe key
    }

    /// The SubjectPublicKeyInfo.
    var publicKeyInfo: [UInt8] {
      var bytes: UnsafeMutablePointer<UInt8>?
      // SAFETY: OpenSSL allocates the bytes, which are copied and freed.
      let count = unsafe i2d_PUBKEY(pointer, &bytes)
      defer { unsafe holdfast_free(bytes) }
      return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(max(count, 0))))
    }
  }
#endif
