#if OpenSSL
  internal import CHoldfastOpenSSL
  package import Holdfast

  /// The installation of OpenSSL's callbacks.
  extension TLSVerifier {
    /// Makes a client's context verify servers with this verifier. `context` is an `SSL_CTX *` from
    /// OpenSSL or curl, before its first connection; it retains the verifier.
    ///
    /// Sets the context's verification, message, certificate status and server name callbacks.
    /// Without its message callback every peer is rejected; replacing another disables its part.
    /// Requests a stapled OCSP response, which must-staple certificates demand, and timestamps of
    /// logs; switches the compression of certificates off. A context that is a server's is an error,
    /// and a server's connection on it is rejected.
    ///
    /// - Parameter host: The host of all connections of this context. Without it each connection
    ///   needs one from `setHost(_:of:)`, from `SSL_set1_host` or `X509_VERIFY_PARAM_set1_ip`, or
    ///   from its SNI, which suffices for new sessions but not for sessions resumed under TLS 1.2.
    public func installOnClient(
      _ context: OpaquePointer, host: String? = nil
    ) throws(TLSError) {
      // SAFETY: the context is the caller's and open.
      try unsafe installOnClient(context, ContextRecord(self, .client, host: host))
    }

    /// Makes the context of a library verify the servers of one host, and keep the sessions of its
    /// connections: one that may not be resumed is not offered, so the handshake is a full one.
    ///
    /// - Parameters:
    ///   - connection: The number by which the caller knows the connection: `connection(of:)`.
    ///   - ownCertificate: The certificate that the caller has installed. Once it has expired, a
    ///     connection whose server asks for it is ended before it is sent.
    ///   - onOutcome: Called with each decision of a handshake; the last one counts.
    ///   - onCertificateRequest: Called when the server asks for a client certificate.
    ///   - onExpiredIdentity: Called when a connection is ended because of `ownCertificate`.
    ///   - onEndlessHandshake: Called when a connection is ended because its server sends handshake
    ///     messages without end. OpenSSL reads them all before it returns, so no time limit of its
    ///     caller would count. Nil for no limit.
    ///   - allowsReuse: Asked before each request but the first of a connection, besides its verdict.
    package func installOnClient(
      _ context: OpaquePointer, host: String, sessions: SessionPlace, connection: Int? = nil,
      ownCertificate: Certificate? = nil,
      onOutcome: @escaping @Sendable (TLSOutcome) -> Void,
      onCertificateRequest: (@Sendable () -> Void)? = nil,
      onExpiredIdentity: (@Sendable (TLSError) -> Void)? = nil,
      onEndlessHandshake: (@Sendable () -> Void)? = nil,
      allowsReuse: (@Sendable () -> Bool)? = nil
    ) throws(TLSError) {
      let record = ContextRecord(
        self, .client, host: host, sessions: sessions, connection: connection,
        ownCertificate: ownCertificate, onOutcome: onOutcome,
        onCertificateRequest: onCertificateRequest, onExpiredIdentity: onExpiredIdentity,
        onEndlessHandshake: onEndlessHandshake, allowsReuse: allowsReuse)
      // SAFETY: the context is the caller's and open.
      try unsafe installOnClient(context, record)
      unsafe TLSSessions.keep(on: context)
    }

    /// Makes a client's context verify servers with the verifier of the record.
    func installOnClient(
      _ context: OpaquePointer, _ record: ContextRecord
    ) throws(TLSError) {
      // SAFETY: the context is the caller's and open. It retains the record for its lifetime.
      let argument = unsafe Unmanaged.passUnretained(record).toOpaque()
      unsafe try prepare(context, record)
      unsafe holdfast_request_staple(context)
      // RFC 6962 §3.3.1: the client sends the extension empty. If OpenSSL's own checks of
      // timestamps are on, or this verifier is already installed, nothing is added.
      unsafe _ = SSL_CTX_add_custom_ext(
        context, UInt32(TLSEXT_TYPE_signed_certificate_timestamp),
        UInt32(SSL_EXT_CLIENT_HELLO | SSL_EXT_TLS1_2_SERVER_HELLO | SSL_EXT_TLS1_3_CERTIFICATE),
        nil, nil, nil,
        { ssl, _, _, bytes, count, _, index, _, _ in
          unsafe Callback.timestamps(bytes, count, ofCertificate: index, ssl)
        }, nil)
      // The second flag has a meaning on servers alone. A context can be one of both sides, and a
      // server among its connections, which `Callback` rejects, must not let a client in before.
      unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
      unsafe SSL_CTX_set_cert_verify_callback(context, { unsafe Callback.verify($0, $1) }, argument)
      unsafe holdfast_set_status_callback(
        context, { unsafe Callback.verifyStaple($0, $1) }, argument)
      unsafe holdfast_set_server_name_callback(
        context, { unsafe Callback.checkSession($0, $1, $2) }, argument)
      if record.ownCertificate != nil {
        unsafe SSL_CTX_set_cert_cb(context, { ssl, _ in unsafe Callback.mayPresent(ssl) }, nil)
      }
    }

    /// Makes a server's context verify its clients with this verifier.
    ///
    /// Sessions are resumed only from tickets, for the same server name, and only while the
    /// client's verdict is valid. A server that chooses a context by server name needs a verifier
    /// on each of them, the default one included: OpenSSL resumes before it chooses. A context that
    /// is a client's is an error, and a client's connection on it is rejected.
    ///
    /// - Parameters:
    ///   - context: An `SSL_CTX *` before its first connection; it retains the verifier.
    ///   - requiresCertificate: Whether a client without a certificate is rejected.
    ///   - namesAuthorities: Whether clients are told the names of the validator's anchors, by which
    ///     they choose a certificate. RFC 8446 §4.2.4. Names that the context has already stay, and
    ///     names of more than 16 KiB in all are not sent.
    public func installOnServer(
      _ context: OpaquePointer, requiresCertificate: Bool = true, namesAuthorities: Bool = true
    ) throws(TLSError) {
      // The policy includes whether a certificate is required.
      let identifier =
        Array(policy.dropLast()) + [policy[31] & 0xFE | (requiresCertificate ? 1 : 0)]
      let record = ContextRecord(self, .server, serverPolicy: identifier)
      // SAFETY: the context is the caller's and open. It retains the record for its lifetime; the
      // identifier is copied.
      let argument = unsafe Unmanaged.passUnretained(record).toOpaque()
      unsafe try prepare(context, record)
      guard
        unsafe SSL_CTX_set_session_id_context(context, identifier, UInt32(identifier.count)) == 1
      else { throw .openSSL("out of memory") }
      let mode = SSL_VERIFY_PEER | (requiresCertificate ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0)
      unsafe SSL_CTX_set_verify(context, mode, nil)
      unsafe SSL_CTX_set_cert_verify_callback(context, { unsafe Callback.verify($0, $1) }, argument)
      if namesAuthorities { unsafe try addAuthorities(to: context) }
      unsafe holdfast_set_session_cache(context, SSL_SESS_CACHE_OFF)
      unsafe _ = SSL_CTX_set_session_ticket_cb(
        context, { ssl, _ in unsafe Callback.sealTicket(ssl) },
        { ssl, session, _, _, status, _ in unsafe Callback.checkTicket(ssl, session, status) }, nil)
    }

    /// Names the CAs of clients, unless the context names some, or they would fill a message.
    private func addAuthorities(to context: OpaquePointer) throws(TLSError) {
      guard authorities.reduce(0, { $0 + $1.der.count }) <= 16 << 10 else { return }
      // SAFETY: the context is the caller's and open; the names are copied.
      guard unsafe holdfast_has_authorities(context) == 0 else { return }
      for name in authorities {
        let der = Array(name.der)
        guard unsafe holdfast_add_authority(context, der, der.count) == 1 else { throw .latest() }
      }
    }

    /// Stores the record, and what both sides need.
    private func prepare(
      _ context: OpaquePointer, _ record: ContextRecord
    ) throws(TLSError) {
      // SAFETY: the context is the caller's and open; the connection is freed here.
      guard let probe = unsafe SSL_new(context) else { throw .latest() }
      defer { unsafe SSL_free(probe) }
      // Under DTLS a staple arrives when nothing can verify it any more.
      guard unsafe SSL_is_dtls(probe) == 0 else { throw .datagrams }
      // A connection is a server's until it is told otherwise, unless its context cannot be one.
      let canBe =
        switch record.side {
        case .client: unsafe holdfast_is_server_only(context) == 0
        case .server: unsafe SSL_is_server(probe) == 1
        }
      guard canBe else { throw .wrongSide }
      guard unsafe Records.set(record, on: context) else { throw .openSSL("out of memory") }
      unsafe holdfast_refuse_compressed_certificates(context)
      unsafe SSL_CTX_set_msg_callback(context) { isSent, _, kind, bytes, count, ssl, _ in
        unsafe Callback.message(isSent == 1, kind, bytes, count, ssl)
      }
    }

    /// Sets the host of a connection. `ssl` is an `SSL *` before its handshake.
    ///
    /// On a server's connection it is the host of the server that connects: its certificate must
    /// have this name, and be one for servers or for clients. `TLSVerifier(_:)` of a `PathValidator`
    /// accepts such peers; a session is resumed for the same host only.
    ///
    /// - Parameter host: A name or an address, instead of the host of the context. It is checked in
    ///   the handshake, not here.
    public static func setHost(_ host: String, of ssl: OpaquePointer) throws(TLSError) {
      // SAFETY: the connection is the caller's and open.
      guard let record = unsafe Records.makeRecord(of: ssl) else {
        throw .openSSL("out of memory")
      }
      record.host = host
    }

    /// Returns the decision about the peer of a connection in its present handshake; nil if there
    /// is none: before the handshake, after `SSL_clear`, if the peer presented no certificate, and
    /// on a server if the client resumed a session (`client(of:)` knows who it is). Call it on the
    /// thread that uses the connection.
    public static func outcome(of ssl: OpaquePointer) -> TLSOutcome? {
      // SAFETY: the connection is the caller's and open.
      unsafe Records.current(of: ssl)?.outcome
    }

    /// Returns the client of a server's connection, also if it resumed a session; nil if it has
    /// shown no certificate, if that was not accepted, and for a client that is a server itself
    /// (`setHost(_:of:)`). Call it on the thread that uses the connection.
    public static func client(of ssl: OpaquePointer) -> Verdict.Client? {
      // SAFETY: the connection is the caller's and open, and lends its session with the certificate.
      if let outcome = unsafe outcome(of: ssl) {
        guard case .accepted(let verdict) = outcome else { return nil }
        return verdict.client
      }
      // The verifier accepted this certificate before, and the ticket ends with its verdict.
      guard unsafe SSL_is_server(ssl) == 1 && SSL_session_reused(ssl) == 1,
        unsafe Records.record(ofContextOf: ssl)?.side == .server,
        unsafe Records.record(of: ssl)?.host == nil,
        let presented = unsafe SSL_get_session(ssl).flatMap({ unsafe SSL_SESSION_get0_peer($0) })
      else { return nil }
      let count = unsafe Int(i2d_X509(presented, nil))
      guard count > 0 else { return nil }
      let der = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        var end = buffer.baseAddress
        initialized = unsafe max(0, Int(i2d_X509(presented, &end)))
      }
      do throws(ParseError) { return Verdict.Client(leaf: try Certificate(der: der)) } catch {
        return nil  // It was read before.
      }
    }

    /// Returns what the peer of a connection presented in its present handshake; nil if it
    /// presented nothing or resumed a session, or if there is no host.
    public static func peer(of ssl: OpaquePointer) -> TLSPeer? {
      // SAFETY: the connection is the caller's and open.
      unsafe Records.current(of: ssl)?.peer
    }

    /// Returns the verdict under which the next request may use a connection; nil if it may not. The
    /// first request follows the handshake; for those after it the verdict must be valid now, and for
    /// this host. If the policy has changed, the peer is judged again. `ssl` is an `SSL *` after its
    /// handshake.
    package func verdictForRequest(on ssl: OpaquePointer, host: String) -> Verdict? {
      // SAFETY: the connection is the caller's and open.
      guard let context = unsafe Records.record(ofContextOf: ssl), context.verifier === self,
        let record = unsafe Records.current(of: ssl), case .accepted(let verdict) = record.outcome,
        !record.isUsed || verdict.covers(host, at: time) && context.allowsReuse?() != false,
        let verdict = self.verdict(on: record)
      else { return nil }
      record.isUsed = true
      return verdict
    }

    /// Returns the verdict on the peer of a connection, judged again if the policy has changed.
    private func verdict(on record: ConnectionRecord) -> Verdict? {
      guard case .accepted(let verdict) = record.outcome,
        case .accepted(let new)? = outcome(after: verdict, on: record.evidence)
      else { return nil }
      record.outcome = .accepted(new)
      return new
    }

    /// Returns the number of the connection for which the context of `ssl` was made.
    package static func connection(of ssl: OpaquePointer) -> Int? {
      // SAFETY: the connection is the caller's and open.
      unsafe Records.record(ofContextOf: ssl)?.connection
    }

    /// Returns what tells whether the peer of a connection is still trusted, if the policy can change.
    /// It may outlive `ssl`, and belongs to the same thread.
    package func watch(_ ssl: OpaquePointer) -> (() -> Bool)? {
      // SAFETY: the connection is the caller's and open.
      guard let context = unsafe Records.record(ofContextOf: ssl),
        let record = unsafe Records.current(of: ssl)
      else { return nil }
      return { context.allowsReuse?() != false && self.verdict(on: record) != nil }
    }

    /// Returns what was agreed on in the handshake of a connection, which has ended.
    package static func facts(of ssl: OpaquePointer) -> TLSFacts {
      // SAFETY: the connection is the caller's and open.
      let record = unsafe Records.record(of: ssl)
      if let facts = record?.facts { return facts }
      let facts = unsafe TLSFacts(of: ssl)
      record?.facts = facts
      return facts
    }

    /// Returns how the peer will have ended a connection of a client.
    package static func end(of ssl: OpaquePointer) -> TLSEnd? {
      // SAFETY: the connection is the caller's and open.
      unsafe Records.record(of: ssl)?.end
    }

    /// Whether a verdict is valid now, by the verifier's clock.
    package func isValid(_ verdict: Verdict, for host: String) -> Bool {
      verdict.isValid(for: host, at: time)
    }

    /// Whether a session may be offered to a host. Check before `SSL_set_session`: if the server
    /// resumes a session that may not be resumed, the connection is rejected. `session` is an
    /// `SSL_SESSION *`.
    public func mayResume(_ session: OpaquePointer, host: String) -> Bool {
      // SAFETY: the session is the caller's and open.
      guard let record = unsafe Records.record(ofSession: session) else { return false }
      return verdict(on: record, host: host) != nil
    }
  }
#endif
