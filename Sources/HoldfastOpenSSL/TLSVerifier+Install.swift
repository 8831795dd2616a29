#if OpenSSL
  internal import CHoldfastOpenSSL
  internal import Holdfast

  /// The installation of OpenSSL's callbacks.
  extension TLSVerifier {
    /// Makes a client's context verify servers with this verifier. `context` is an `SSL_CTX *` from
    /// OpenSSL or curl, before its first connection; it retains the verifier.
    ///
    /// Sets the context's verification, certificate status and server name callbacks: replacing one
    /// of them disables its part.
    ///
    /// - Parameter host: The host of all connections of this context. Without it each connection
    ///   needs one from `setHost(_:of:)`, from `SSL_set1_host`, or from its SNI, which suffices for
    ///   new sessions but not for sessions resumed under TLS 1.2.
    public func install(on context: OpaquePointer, host: String? = nil) throws(TLSError) {
      let record = ContextRecord(self, host: host)
      // SAFETY: the context is the caller's and open. It retains the record for its lifetime.
      let argument = unsafe Unmanaged.passUnretained(record).toOpaque()
      guard unsafe Records.set(record, on: context) else { throw .openSSL("out of memory") }
      unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
      unsafe SSL_CTX_set_cert_verify_callback(context, { unsafe Callback.verify($0, $1) }, argument)
      unsafe holdfast_set_status_callback(
        context, { unsafe Callback.judgeStaple($0, $1) }, argument)
      unsafe holdfast_set_server_name_callback(
        context, { unsafe Callback.judgeSession($0, $1, $2) }, argument)
    }

    /// Makes a server's context verify its clients with this verifier.
    ///
    /// Sessions are resumed only from tickets, and only while the client's verdict is valid.
    ///
    /// - Parameter requiresCertificate: Whether a client without a certificate is rejected.
    public func installOnServer(
      _ context: OpaquePointer, requiresCertificate: Bool = true
    ) throws(TLSError) {
      // The policy includes whether a certificate is required.
      let identifier =
        Array(policy.dropLast()) + [policy[31] & 0xFE | (requiresCertificate ? 1 : 0)]
      let record = ContextRecord(self, host: nil, serverPolicy: identifier)
      // SAFETY: the context is the caller's and open. It retains the record for its lifetime; the
      // identifier is copied.
      let argument = unsafe Unmanaged.passUnretained(record).toOpaque()
      guard unsafe Records.set(record, on: context),
        unsafe SSL_CTX_set_session_id_context(context, identifier, UInt32(identifier.count)) == 1
      else { throw .openSSL("out of memory") }
      let mode = SSL_VERIFY_PEER | (requiresCertificate ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0)
      unsafe SSL_CTX_set_verify(context, mode, nil)
      unsafe SSL_CTX_set_cert_verify_callback(context, { unsafe Callback.verify($0, $1) }, argument)
      unsafe holdfast_set_session_cache(context, SSL_SESS_CACHE_OFF)
      unsafe _ = SSL_CTX_set_session_ticket_cb(
        context, { unsafe Callback.sealTicket($0, $1) },
        { ssl, session, _, _, status, argument in
          unsafe Callback.judgeTicket(ssl, session, status, argument)
        }, argument)
    }

    /// Sets the host of a connection. `ssl` is an `SSL *` before its handshake.
    public static func setHost(_ host: String, of ssl: OpaquePointer) throws(TLSError) {
      // SAFETY: the connection is the caller's and open.
      guard let record = unsafe Records.makeRecord(of: ssl) else {
        throw .openSSL("out of memory")
      }
      record.host = host
    }

    /// Returns the decision about the peer of a connection; nil if there is none, because the peer
    /// presented no certificate. Call it on the thread that uses the connection.
    public static func outcome(of ssl: OpaquePointer) -> TLSOutcome? {
      // SAFETY: the connection is the caller's and open.
      unsafe Records.record(of: ssl)?.outcome
    }

    /// Returns what the peer of a connection presented; nil if it presented nothing or resumed a
    /// session.
    public static func peer(of ssl: OpaquePointer) -> TLSPeer? {
      // SAFETY: the connection is the caller's and open.
      unsafe Records.record(of: ssl)?.peer
    }

    /// Whether a session may be offered to a host. Check before `SSL_set_session`: if the server
    /// resumes a session that may not be resumed, the connection is rejected. `session` is an
    /// `SSL_SESSION *`.
    public func mayResume(_ session: OpaquePointer, host: String) -> Bool {
      // SAFETY: the session is the caller's and open.
      guard let record = unsafe Records.record(ofSession: session) else { return false }
      return holds(record, host: host)
    }
  }

  /// The functions that OpenSSL calls. Every argument was set together with the callback.
  private enum Callback {
    private static func context(_ argument: UnsafeMutableRawPointer?) -> ContextRecord? {
      // SAFETY: the argument is the record that the context retains.
      unsafe argument.map { unsafe Unmanaged<ContextRecord>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Called when the certificates of the peer have arrived.
    static func verify(_ store: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> CInt {
      // SAFETY: OpenSSL lends the store and its contents for the call.
      guard let store = unsafe store, let context = unsafe context(argument),
        let ssl = unsafe X509_STORE_CTX_get_ex_data(
          store, SSL_get_ex_data_X509_STORE_CTX_idx()
        ).map({ OpaquePointer($0) }),
        let record = unsafe Records.makeRecord(of: ssl)
      else { return 0 }
      // Not `SSL_get_peer_cert_chain`, which on a server is empty here and later lacks the leaf.
      let chain = unsafe Bytes.chain(X509_STORE_CTX_get0_untrusted(store))
      let isServer = unsafe SSL_is_server(ssl) == 1
      let host = isServer ? nil : unsafe context.host(of: ssl, record)
      let (peer, outcome) = context.verifier.outcome(
        for: chain, host: host, staple: isServer ? nil : unsafe Bytes.staple(of: ssl))
      record.peer = peer
      record.outcome = outcome
      switch outcome {
      case .accepted(let verdict):
        unsafe context.keep(verdict, of: ssl)
        unsafe X509_STORE_CTX_set_error(store, X509_V_OK)
        return 1
      case .refused(let refusal):
        // RFC 6066 §8: below TLS 1.3 the staple follows the certificates. With or without one,
        // `judgeStaple` is called before the client answers.
        let isEarly =
          unsafe !isServer && SSL_version(ssl) < TLS1_3_VERSION
          && holdfast_requests_staple(ssl) == 1
        if refusal.mayPassWithStaple && isEarly { return 1 }
        unsafe X509_STORE_CTX_set_error(store, refusal.alert.verificationError)
        return 0
      }
    }

    /// Called when the stapled response has arrived, or the server has sent none.
    static func judgeStaple(_ ssl: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> CInt {
      // SAFETY: OpenSSL lends the connection for the call.
      guard let ssl = unsafe ssl, let context = unsafe context(argument) else { return 0 }
      // Under TLS 1.3 the staple was already there when the certificates were judged.
      if unsafe SSL_version(ssl) >= TLS1_3_VERSION || SSL_is_server(ssl) == 1 { return 1 }
      guard let record = unsafe Records.record(of: ssl), let before = record.peer else { return 0 }
      if let staple = unsafe Bytes.staple(of: ssl) {
        let (peer, outcome) = context.verifier.outcome(
          for: before.chain, host: before.host, staple: staple)
        record.peer = peer
        record.outcome = outcome
      }
      guard case .accepted(let verdict) = record.outcome else { return 0 }
      unsafe context.keep(verdict, of: ssl)
      return 1
    }

    /// Called when the server has agreed to resume a session, or not. If it has, there are no
    /// certificates.
    static func judgeSession(
      _ ssl: OpaquePointer?, _ alert: UnsafeMutablePointer<CInt>?,
      _ argument: UnsafeMutableRawPointer?
    ) -> CInt {
      // SAFETY: OpenSSL lends the connection and the place of the alert for the call.
      guard let ssl = unsafe ssl, let context = unsafe context(argument) else {
        return SSL_TLSEXT_ERR_ALERT_FATAL
      }
      guard unsafe SSL_is_server(ssl) == 0, unsafe SSL_session_reused(ssl) == 1 else {
        return SSL_TLSEXT_ERR_OK
      }
      let connection = unsafe Records.makeRecord(of: ssl)
      let host = connection.flatMap { unsafe context.host(of: ssl, $0) }
      if let session = unsafe SSL_get_session(ssl),
        let record = unsafe Records.record(ofSession: session), let connection, let host,
        context.verifier.holds(record, host: host)
      {
        connection.outcome = .accepted(record.verdict)
        return SSL_TLSEXT_ERR_OK
      }
      connection?.outcome = .refused(TLSRefusal(.sessionNotValid(host: host), .certificateUnknown))
      unsafe alert?.pointee = CInt(TLSAlert.certificateUnknown.rawValue)
      return SSL_TLSEXT_ERR_ALERT_FATAL
    }

    /// Called when a server issues a ticket: stores what it is bound to, and when its verdict is
    /// valid.
    static func sealTicket(_ ssl: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> CInt {
      // SAFETY: OpenSSL lends the connection for the call, and copies the data.
      guard let ssl = unsafe ssl, let context = unsafe context(argument),
        let session = unsafe SSL_get_session(ssl)
      else { return 0 }
      var range = Timestamp(secondsSince1970: .min)...Timestamp(secondsSince1970: .max)
      if unsafe SSL_session_reused(ssl) == 1 {
        // Keeps the data of the ticket that was resumed.
        guard let old = unsafe Bytes.ticketData(of: session), let kept = Ticket(old) else {
          return 0
        }
        range = kept.range
      } else if case .accepted(let verdict) = unsafe Records.record(of: ssl)?.outcome {
        range = verdict.validity
      }
      let data = Ticket(policy: context.serverPolicy, range: range).data
      return unsafe SSL_SESSION_set1_ticket_appdata(session, data, data.count)
    }

    /// Called when a client presents a ticket.
    static func judgeTicket(
      _ ssl: OpaquePointer?, _ session: OpaquePointer?, _ status: SSL_TICKET_STATUS,
      _ argument: UnsafeMutableRawPointer?
    ) -> SSL_TICKET_RETURN {
      // SAFETY: OpenSSL lends the session for the call.
      guard status == SSL_TICKET_SUCCESS || status == SSL_TICKET_SUCCESS_RENEW,
        let session = unsafe session, let context = unsafe context(argument),
        let data = unsafe Bytes.ticketData(of: session), let ticket = Ticket(data),
        ticket.policy == context.serverPolicy, ticket.range.contains(context.verifier.time)
      else { return SSL_TICKET_RETURN_IGNORE_RENEW }
      return status == SSL_TICKET_SUCCESS ? SSL_TICKET_RETURN_USE : SSL_TICKET_RETURN_USE_RENEW
    }
  }

  extension ContextRecord {
    /// Returns the host of a connection as this side set it, never as the peer states it.
    fileprivate func host(of ssl: OpaquePointer, _ record: ConnectionRecord) -> String? {
      if let host = record.host ?? host { return host }
      // SAFETY: the connection is lent; the strings are null-terminated and copied.
      if let name = unsafe X509_VERIFY_PARAM_get0_host(SSL_get0_param(ssl), 0) {
        return unsafe String(cString: name)
      }
      // Below TLS 1.3 this is the name in the resumed session, not the one requested now.
      if unsafe SSL_session_reused(ssl) == 1 && SSL_version(ssl) < TLS1_3_VERSION { return nil }
      return unsafe SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name).map {
        unsafe String(cString: $0)
      }
    }

    /// Stores a verdict in the session of a connection.
    fileprivate func keep(_ verdict: Verdict, of ssl: OpaquePointer) {
      // SAFETY: the connection is lent, and its session with it.
      guard let session = unsafe SSL_get_session(ssl) else { return }
      unsafe Records.set(
        SessionRecord(policy: verifier.policy, verdict: verdict), onSession: session)
    }
  }

  extension TLSAlert {
    /// The verification error that OpenSSL maps to this alert.
    fileprivate var verificationError: CInt {
      switch self {
      case .badCertificate: X509_V_ERR_CERT_REJECTED
      case .unsupportedCertificate: X509_V_ERR_INVALID_PURPOSE
      case .certificateRevoked: X509_V_ERR_CERT_REVOKED
      case .certificateExpired: X509_V_ERR_CERT_HAS_EXPIRED
      case .certificateUnknown: X509_V_ERR_PATH_LOOP
      case .unknownCA: X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
      }
    }
  }

  /// The application data of a server's ticket: 32 bytes of policy and two times.
  private struct Ticket {
    let policy: [UInt8]
    let range: ClosedRange<Timestamp>

    init(policy: [UInt8], range: ClosedRange<Timestamp>) {
      self.policy = policy
      self.range = range
    }

    init?(_ data: [UInt8]) {
      guard data.count == 48 else { return nil }
      func number(at start: Int) -> Int64 {
        data[start..<start + 8].reduce(0) { $0 << 8 | Int64($1) }
      }
      let (first, last) = (number(at: 32), number(at: 40))
      guard first <= last else { return nil }
      policy = Array(data[..<32])
      range = Timestamp(secondsSince1970: first)...Timestamp(secondsSince1970: last)
    }

    var data: [UInt8] {
      let times = [range.lowerBound, range.upperBound].flatMap { time in
        stride(from: 56, through: 0, by: -8).map {
          UInt8(truncatingIfNeeded: time.secondsSince1970 >> Int64($0))
        }
      }
      return policy + times
    }
  }

  /// Copies of data that OpenSSL lends.
  private enum Bytes {
    /// Returns the DER of each certificate.
    static func chain(_ stack: OpaquePointer?) -> [[UInt8]] {
      // SAFETY: the stack is lent; `i2d_X509` allocates its output, which is freed after the copy.
      (0..<(unsafe holdfast_x509_count(stack))).map { index in
        var bytes: UnsafeMutablePointer<UInt8>? = nil
        let count = unsafe Int(i2d_X509(holdfast_x509_at(stack, index), &bytes))
        defer { unsafe holdfast_free(bytes) }
        // No certificate can be read from no bytes, so this is rejected.
        return count > 0 ? unsafe Array(UnsafeBufferPointer(start: bytes, count: count)) : []
      }
    }

    /// Returns the stapled response, if there is one yet.
    static func staple(of ssl: OpaquePointer) -> [UInt8]? {
      var bytes: UnsafePointer<UInt8>? = nil
      // SAFETY: the bytes belong to the connection and are copied.
      let count = unsafe holdfast_staple(ssl, &bytes)
      guard count > 0, let bytes = unsafe bytes else { return nil }
      return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// Returns the data that `sealTicket` stored in a ticket.
    static func ticketData(of session: OpaquePointer) -> [UInt8]? {
      var bytes: UnsafeMutableRawPointer? = nil
      var count = 0
      // SAFETY: the bytes belong to the session and are copied.
      guard unsafe SSL_SESSION_get0_ticket_appdata(session, &bytes, &count) == 1 else { return nil }
      return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }
  }
#endif
