#if OpenSSL
  internal import CHoldfastOpenSSL
  internal import Holdfast

  /// A connection of a `TLSClient`, for one thread at a time. It is closed when it is released.
  @safe public final class TLSConnection {
    private let client: TLSClient
    private let socket: Socket
    private let ssl: OpaquePointer
    /// The received bytes that OpenSSL has not read yet, and the bytes to send. `ssl` owns both.
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    private var deadline: Deadline
    private var isOpen = false
    /// Whether TLS has failed. Then the connection can neither be read nor shut down.
    private var hasFailed = false
    /// Whether the server is still trusted; nil if the policy does not change.
    private var trust: ConnectionTrust?
    /// The number of bytes received before the end of the handshake.
    private var handshakeBytes = 0

    /// The maximum number of bytes in a handshake: OpenSSL allows 100 kB of certificates
    /// (`SSL_MAX_CERT_LIST_DEFAULT`) and 16 kB in most other messages, but any number of some.
    static let maximumHandshakeBytes = 256 * 1024

    /// The host that the caller asked for, in canonical form.
    public let host: String

    /// How errors name the server.
    private let server: String

    init(
      _ client: TLSClient, _ socket: Socket, host: HostName, server: String,
      sessions: SessionPlace, _ deadline: Deadline
    ) throws(TLSError) {
      // SAFETY: this object owns `ssl`, which owns the two buffers.
      guard let ssl = unsafe SSL_new(client.context) else { throw .latest() }
      guard let incoming = unsafe BIO_new(BIO_s_mem()), let outgoing = unsafe BIO_new(BIO_s_mem())
      else {
        unsafe SSL_free(ssl)
        throw .latest()
      }
      unsafe SSL_set_bio(ssl, incoming, outgoing)
      self.client = client
      self.socket = socket
      self.host = "\(host)"
      self.server = server
      self.deadline = deadline
      unsafe self.ssl = unsafe ssl
      unsafe self.incoming = unsafe incoming
      unsafe self.outgoing = unsafe outgoing
      unsafe SSL_set_connect_state(ssl)
      try unsafe TLSVerifier.setHost(self.host, of: ssl)
      // RFC 6066 §3: literal addresses are not sent, and a name has no trailing dot.
      if host.address == nil, unsafe holdfast_set_server_name(ssl, "\(host)") != 1 {
        throw .latest()
      }
      if client.options.resumesSessions { unsafe Records.record(of: ssl)?.sessions = sessions }
    }

    deinit {
      // SAFETY: `ssl` is freed once, and its buffers with it.
      close()
      if let trust { client.connections.remove(trust) }
      unsafe SSL_free(ssl)
    }

    /// Performs the handshake. No application data is sent before the server is trusted.
    public func handshake() throws(TLSError) {
      do throws(TLSError) {
        // SAFETY: `ssl` is open for as long as this object lives, here and below.
        _ = try run { unsafe SSL_do_handshake(ssl) }
      } catch {
        // The alert still has to be sent; a peer that has gone does not get it.
        do throws(TLSError) { try flush() } catch {}
        if case .rejected(let rejection) = outcome { throw .rejected(rejection) }
        // SAFETY: `ssl` is open.
        throw unsafe Records.record(of: ssl)?.identityError ?? error.naming(server)
      }
      guard case .accepted(let verdict) = outcome else {
        throw .openSSL("the server was not verified", host: server)
      }
      isOpen = true
      // SAFETY: `ssl` is open.
      if client.verifier.changes != nil, let evidence = unsafe Records.record(of: ssl)?.evidence {
        let trust = ConnectionTrust(client.verifier, socket, verdict, evidence)
        self.trust = trust
        client.connections.add(trust)
        // A change before this line was not told to it.
        trust.reconsider()
      }
    }

    /// The decision about the server; nil before there is one.
    public var outcome: TLSOutcome? {
      // SAFETY: `ssl` is open.
      unsafe TLSVerifier.outcome(of: ssl)
    }

    /// What the server presented; nil if it resumed a session.
    public var peer: TLSPeer? {
      // SAFETY: `ssl` is open.
      unsafe TLSVerifier.peer(of: ssl)
    }

    /// What was agreed on, as far as the handshake got.
    package var facts: TLSFacts {
      // SAFETY: `ssl` is open.
      unsafe TLSFacts(of: ssl)
    }

    /// The TLS version, as OpenSSL names it: `TLSv1.3`.
    public var version: String { facts.version }

    /// The cipher suite, as OpenSSL names it; nil before one is agreed upon.
    public var cipher: String? { facts.cipher }

    /// The ALPN protocol that the server chose. RFC 7301.
    public var applicationProtocol: String? { facts.applicationProtocol }

    /// Whether the server has asked for a client certificate in the handshake, as far as that got.
    ///
    /// A server that rejects the answer says so only later under TLS 1.3.
    public var requestsClientCertificate: Bool { facts.requestsClientCertificate }

    /// Whether the session was resumed.
    public var isResumed: Bool { facts.isResumed }

    /// Reads the available bytes, at most `count`; none once the server has ended the stream.
    ///
    /// - Parameter count: The maximum number of bytes. The call waits for the first of them, not
    ///   for all.
    public func read(atMost count: Int = 16_384) throws(TLSError) -> [UInt8] {
      deadline = Deadline(after: client.options.timeout)
      guard isOpen, count > 0 else { return [] }
      var bytes = [UInt8](repeating: 0, count: count)
      let length = try named { () throws(TLSError) in
        try run {
          // SAFETY: at most `count` bytes are written into the array, which lives for the call.
          unsafe bytes.withUnsafeMutableBytes { room in
            unsafe SSL_read(ssl, room.baseAddress, CInt(clamping: room.count))
          }
        }
      }
      return Array(bytes.prefix(length))
    }

    /// Writes all bytes.
    public func write(_ bytes: [UInt8]) throws(TLSError) {
      deadline = Deadline(after: client.options.timeout)
      try named { () throws(TLSError) in
        guard isOpen else { throw .closed() }
        var sent = 0
        while sent < bytes.count {
          let start = sent
          sent += try run {
            // SAFETY: `start` lies inside of the array, which lives for the call.
            unsafe bytes.withUnsafeBytes { all in
              unsafe SSL_write(
                ssl, all.baseAddress?.advanced(by: start), CInt(clamping: all.count - start))
            }
          }
          try flush()
        }
      }
    }

    /// Returns what `body` returns; its errors name the server, which must still be trusted.
    private func named<Value>(_ body: () throws(TLSError) -> Value) throws(TLSError) -> Value {
      do throws(TLSRejection) { try trust?.begin() } catch { throw .rejected(error) }
      defer { trust?.end() }
      do throws(TLSError) { return try body() } catch { throw error.naming(server) }
    }

    /// Sends close_notify, without waiting for the peer's. RFC 8446 §6.1. After an error of TLS only
    /// its alert is sent: §6.2.
    public func close() {
      guard isOpen else { return }
      isOpen = false
      // SAFETY: `ssl` is open.
      if !hasFailed { unsafe _ = SSL_shutdown(ssl) }
      // What it says of a connection that has ended is of no interest to the next one.
      ERR_clear_error()
      deadline = Deadline(after: .seconds(1))
      do throws(TLSError) { try flush() } catch {}
    }

    /// Waits until the server says whether it accepts the client's certificate; false if it says
    /// nothing for this long. Throws its alert, or `closed`.
    ///
    /// Under TLS 1.3 the handshake of a client ends before the server has looked at the client's
    /// certificate (RFC 8446 §2). What it sends after that comes from a server that accepts it: data,
    /// or a ticket, for which it needs the client's Finished (RFC 8446 §4.6.1).
    package func awaitAnswerToCertificate(for wait: Duration) throws(TLSError) -> Bool {
      guard isOpen, version == TLSVersion.tls13.rawValue else { return isOpen }
      deadline = Deadline(after: wait)
      var byte: UInt8 = 0
      do throws(TLSError) {
        // SAFETY: one byte is copied at most, and stays in OpenSSL's buffer.
        let count = try run({ unsafe SSL_peek(ssl, &byte, 1) }, until: { hasTicket })
        guard count > 0 || hasTicket else { throw .closed() }
        return true
      } catch .timeout {
        return false
      } catch {
        throw error.naming(server)
      }
    }

    /// Whether the server has sent a ticket.
    private var hasTicket: Bool {
      // SAFETY: the session is lent by `ssl`.
      unsafe SSL_get_session(ssl).map { unsafe SSL_SESSION_has_ticket($0) == 1 } ?? false
    }

    /// Runs one OpenSSL operation, moving bytes between it and the socket as needed; returns 0 at
    /// the end of the stream, or if nothing more is needed before it waits.
    private func run(
      _ body: () -> CInt, until isDone: () -> Bool = { false }
    ) throws(TLSError) -> Int {
      guard !hasFailed else { throw .closed() }
      while true {
        try deadline.check()
        ERR_clear_error()
        let result = body()
        if result > 0 {
          try flush()
          return Int(result)
        }
        // SAFETY: `ssl` is open, and its buffers with it; what is written to them is copied.
        switch unsafe SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ:
          try flush()
          if isDone() { return 0 }
          let bytes = try socket.read(atMost: 16_384, until: deadline)
          if !isOpen {
            if handshakeBytes == 0, let answer = TLSConnection.answer(notTLS: bytes) {
              throw .notTLS(answer: answer)
            }
            handshakeBytes += bytes.count
            guard handshakeBytes <= TLSConnection.maximumHandshakeBytes else {
              throw .handshakeTooLong(handshakeBytes)
            }
          }
          if bytes.isEmpty {
            unsafe holdfast_set_end_of_stream(incoming, 1)
          } else {
            unsafe _ = BIO_write(incoming, bytes, CInt(bytes.count))
          }
        case SSL_ERROR_WANT_WRITE: try flush()
        case SSL_ERROR_ZERO_RETURN: return 0
        case SSL_ERROR_SSL:
          hasFailed = true
          throw .latest()
        default:
          hasFailed = true
          ERR_clear_error()
          throw .closed()
        }
      }
    }

    /// The first line of a server that does not speak TLS, as far as it can be printed; nil if the
    /// bytes may begin a record: RFC 8446 §5.1.
    static func answer(notTLS bytes: [UInt8]) -> String? {
      guard let first = bytes.first else { return nil }
      let isRecord = 20...24 ~= first && (bytes.count < 2 || bytes[1] == 3)
      guard !isRecord else { return nil }
      let line = bytes.prefix(40).prefix { $0 != 0x0D && $0 != 0x0A }
      return String(decoding: line.filter { 0x20...0x7E ~= $0 }, as: UTF8.self)
    }

    /// Sends the bytes that OpenSSL has written.
    private func flush() throws(TLSError) {
      let count = unsafe Int(clamping: BIO_ctrl_pending(outgoing))
      guard count > 0 else { return }
      var bytes = [UInt8](repeating: 0, count: count)
      // SAFETY: at most `count` bytes are written into the array, which lives for the call.
      let length = unsafe bytes.withUnsafeMutableBytes { room in
        unsafe BIO_read(outgoing, room.baseAddress, CInt(clamping: room.count))
      }
      try socket.write(Array(bytes.prefix(Int(max(length, 0)))), until: deadline)
    }
  }

  /// What was agreed on in the handshake of a connection.
  package struct TLSFacts: Sendable {
    /// The TLS version, as OpenSSL names it: `TLSv1.3`.
    package let version: String
    /// The cipher suite, as OpenSSL names it; nil before one is agreed upon.
    package let cipher: String?
    /// The ALPN protocol that the server chose. RFC 7301.
    package let applicationProtocol: String?
    /// Whether the session was resumed.
    package let isResumed: Bool
    /// Whether the server has asked for a client certificate. It does so in full handshakes alone.
    package let requestsClientCertificate: Bool

    /// Reads the facts of a connection, which is open, as far as its handshake got.
    init(of ssl: OpaquePointer) {
      // SAFETY: the caller's connection is open; the names are constant. Below TLS 1.3 the suite is
      // pending until the end of the handshake.
      version = unsafe String(cString: SSL_get_version(ssl))
      let suite = unsafe SSL_get_current_cipher(ssl) ?? SSL_get_pending_cipher(ssl)
      cipher = unsafe suite.map { unsafe String(cString: SSL_CIPHER_get_name($0)) }
      var name: UnsafePointer<UInt8>? = nil
      var count: UInt32 = 0
      // SAFETY: the name belongs to the connection and is copied.
      unsafe SSL_get0_alpn_selected(ssl, &name, &count)
      let bytes = unsafe UnsafeBufferPointer(start: name, count: Int(count))
      applicationProtocol = unsafe bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
      isResumed = unsafe SSL_session_reused(ssl) == 1
      requestsClientCertificate = unsafe Records.record(of: ssl)?.requestsCertificate == true
    }
  }
#endif
