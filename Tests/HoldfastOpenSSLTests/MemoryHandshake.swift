#if OpenSSL
  import CHoldfastOpenSSL
  import Holdfast

  @testable import HoldfastOpenSSL

  /// A client and a server of libssl in this process, joined by a pair of buffers.
  @safe final class MemoryHandshake {
    /// What has become of one side.
    struct End {
      /// Its handshake is complete.
      var isDone = false
      var error: TLSError?
      /// What its verifier has decided about the other side.
      var outcome: TLSOutcome?
      var isResumed = false
      /// Who the other side is, as a client.
      var client: Verdict.Client?

      var decision: Decision { Decision(outcome) }

      /// The alert that it has received. RFC 8446 §6.2.
      var alert: UInt8? { if case .alert(let number, _) = error { number } else { nil } }
    }

    /// How the client sees a connection end.
    enum Ending: Sendable { case shutDown, cut, garbage }

    // SAFETY: this object owns both connections, which own the buffers, and frees them.
    fileprivate let client: OpaquePointer
    fileprivate let server: OpaquePointer
    private let contexts: [MemoryContext]
    private var ends = (client: End(), server: End())

    /// - Parameters:
    ///   - serverName: What the client asks for; nil for nothing.
    ///   - session: Offered by the client.
    init(
      _ client: MemoryContext, _ server: MemoryContext, serverName: String? = nil,
      session: MemorySession? = nil
    ) throws {
      contexts = [client, server]
      // SAFETY: the connections are new; they take the buffers over.
      unsafe self.client = unsafe try client.makeConnection()
      unsafe self.server = unsafe try server.makeConnection()
      var buffers: (OpaquePointer?, OpaquePointer?)
      guard unsafe BIO_new_bio_pair(&buffers.0, 0, &buffers.1, 0) == 1 else {
        throw MemoryContext.Unusable()
      }
      unsafe SSL_set_bio(self.client, buffers.0, buffers.0)
      unsafe SSL_set_bio(self.server, buffers.1, buffers.1)
      unsafe SSL_set_connect_state(self.client)
      unsafe SSL_set_accept_state(self.server)
      if let serverName { unsafe _ = holdfast_set_server_name(self.client, serverName) }
      if let session { unsafe _ = SSL_set_session(self.client, session.pointer) }
    }

    deinit {
      // SAFETY: each is freed once.
      unsafe SSL_free(client)
      unsafe SSL_free(server)
    }

    /// Performs the handshake, and reads what follows it: tickets and alerts.
    ///
    /// - Parameter ending: How the connection ends then.
    func run(_ ending: Ending = .shutDown) -> (client: End, server: End) {
      // SAFETY: both connections are open; what is written is copied.
      step()
      switch ending {
      case .shutDown: break
      case .cut: unsafe _ = BIO_ctrl(SSL_get_wbio(server), BIO_C_SHUTDOWN_WR, 0, nil)
      case .garbage:
        // RFC 8446 §5.2: a record that cannot be decrypted.
        let record: [UInt8] = [23, 3, 3, 0, 32] + [UInt8](repeating: 7, count: 32)
        unsafe _ = BIO_write(SSL_get_wbio(server), record, CInt(record.count))
      }
      if ending != .shutDown { step() }
      unsafe MemoryHandshake.finish(client, &ends.client, ending)
      unsafe MemoryHandshake.finish(server, &ends.server, ending)
      return ends
    }

    /// Performs the handshake, asks the client for a certificate afterwards, and reads what follows.
    /// RFC 8446 §4.6.2.
    func runAskingLate() -> (client: End, server: End) {
      step()
      let mode = SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT
      // SAFETY: the connection is open.
      unsafe SSL_set_verify(server, mode, nil)
      unsafe _ = SSL_verify_client_post_handshake(server)
      unsafe _ = SSL_do_handshake(server)
      return run()
    }

    /// Performs the handshake, and lets the server send KeyUpdate again and again; the number of those
    /// after which the client reads no more, nil if it reads as many as this. RFC 8446 §4.6.3.
    func updateKeys(atMost limit: Int) -> Int? {
      step()
      for number in 0..<limit {
        // SAFETY: the connections are open.
        unsafe _ = SSL_key_update(server, SSL_KEY_UPDATE_NOT_REQUESTED)
        unsafe _ = SSL_do_handshake(server)
        unsafe MemoryHandshake.step(client, &ends.client)
        if unsafe SSL_get_shutdown(client) & SSL_RECEIVED_SHUTDOWN != 0 { return number }
      }
      return nil
    }

    private func step() {
      // SAFETY: both connections are open.
      for _ in 0..<10 {
        unsafe MemoryHandshake.step(client, &ends.client)
        unsafe MemoryHandshake.step(server, &ends.server)
      }
    }

    private static func step(_ ssl: OpaquePointer, _ end: inout End) {
      guard end.error == nil else { return }
      ERR_clear_error()
      var byte: UInt8 = 0
      // SAFETY: the connection is open, and at most a byte is written.
      let result = unsafe end.isDone ? SSL_read(ssl, &byte, 1) : SSL_do_handshake(ssl)
      if result == 1 { end.isDone = true }
      if unsafe SSL_get_error(ssl, result) == SSL_ERROR_SSL { end.error = TLSError.latest() }
    }

    private static func finish(_ ssl: OpaquePointer, _ end: inout End, _ ending: Ending) {
      // SAFETY: the connection is open.
      end.outcome = unsafe TLSVerifier.outcome(of: ssl)
      end.client = unsafe TLSVerifier.client(of: ssl)
      end.isResumed = unsafe SSL_session_reused(ssl) == 1
      // OpenSSL itself resumes no session of a connection that was not shut down.
      if end.error == nil, ending == .shutDown { unsafe _ = SSL_shutdown(ssl) }
      ERR_clear_error()
    }

    /// Ends the client's connection, to use it again.
    func clear() {
      // SAFETY: the connection is open.
      unsafe _ = SSL_clear(client)
    }

    /// Begins a handshake, which gets as far as the client's first message; what the client then
    /// has of its peer.
    func begin() -> (decision: Decision, peer: TLSPeer?) {
      // SAFETY: the connection is open.
      unsafe _ = SSL_do_handshake(client)
      ERR_clear_error()
      return unsafe (decision, TLSVerifier.peer(of: client))
    }

    /// What the client has decided.
    var decision: Decision {
      // SAFETY: the connection is open.
      unsafe Decision(TLSVerifier.outcome(of: client))
    }

    /// The names of the CAs that the server has told the client, in DER.
    var authorities: [[UInt8]] {
      // SAFETY: the connection is open, and each name is copied.
      guard let names = unsafe SSL_get0_peer_CA_list(client) else { return [] }
      return unsafe (0..<OPENSSL_sk_num(names)).map { index in
        var start: UnsafePointer<UInt8>?
        var count = 0
        let name = unsafe OPENSSL_sk_value(names, index).map { OpaquePointer($0) }
        guard unsafe X509_NAME_get0_der(name, &start, &count) == 1 else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
      }
    }

    /// Whether the client may send its next request on the connection.
    func mayRequest(_ verifier: TLSVerifier, host: String) -> Bool {
      // SAFETY: the connection is open.
      unsafe verifier.verdictForRequest(on: client, host: host) != nil
    }

    /// The session of the client, to offer again.
    var session: MemorySession? {
      // SAFETY: the connection is open, and the reference moves to the new object.
      unsafe SSL_get1_session(client).map { unsafe MemorySession($0) }
    }
  }

  /// What OpenSSL tells a client without a handshake.
  extension MemoryHandshake {
    /// Tells of timestamps that came with a certificate; those that count then.
    func receive(timestamps: [UInt8], ofCertificate index: Int) -> [UInt8]? {
      // SAFETY: the connection is open, and the bytes are copied.
      unsafe _ = Callback.timestamps(timestamps, timestamps.count, ofCertificate: index, client)
      return unsafe Records.record(of: client)?.timestamps
    }

    /// Tells of an alert. RFC 8446 §6: of level 2 it is fatal.
    func report(alert number: UInt8, level: CInt = 2, isSent: Bool) {
      let event = SSL_CB_ALERT | (isSent ? SSL_CB_WRITE : SSL_CB_READ)
      // SAFETY: the connection is open.
      let callback = unsafe SSL_CTX_get_info_callback(SSL_get_SSL_CTX(client))
      unsafe callback?(client, event, level << 8 | CInt(number))
    }

    /// Asks for the verification of a message of whose certificates OpenSSL has none; the outcome.
    func verify(_ message: CertificateMessage) -> TLSOutcome? {
      // SAFETY: the store is new and freed here; the connection is open, and its context has the
      // record.
      guard let store = unsafe X509_STORE_CTX_new() else { return nil }
      defer { unsafe X509_STORE_CTX_free(store) }
      let connection = unsafe UnsafeMutableRawPointer(client)
      guard unsafe X509_STORE_CTX_init(store, nil, nil, nil) == 1,
        unsafe X509_STORE_CTX_set_ex_data(
          store, SSL_get_ex_data_X509_STORE_CTX_idx(), connection) == 1,
        let context = unsafe Records.record(ofContextOf: client)
      else { return nil }
      unsafe Records.makeRecord(of: client)?.received = message
      let argument = unsafe Unmanaged.passUnretained(context).toOpaque()
      guard unsafe Callback.verify(store, argument) == 0 else { return nil }
      return unsafe Records.record(of: client)?.outcome
    }
  }

  /// What is set before a handshake.
  extension MemoryHandshake {
    /// Sets the host of the client's connection.
    func setHost(_ host: String) throws(TLSError) {
      // SAFETY: the connection is open.
      try unsafe TLSVerifier.setHost(host, of: client)
    }

    /// Sets the host of the server's connection, whose client is a server itself.
    func setPeer(_ host: String) throws(TLSError) {
      // SAFETY: the connection is open.
      try unsafe TLSVerifier.setHost(host, of: server)
    }

    /// Sets what the client expects of its peer in OpenSSL's own way.
    func expect(name: String? = nil, address: String? = nil) {
      // SAFETY: the connection is open, and the strings are copied.
      let parameters = unsafe SSL_get0_param(client)
      if let name { unsafe _ = X509_VERIFY_PARAM_set1_host(parameters, name, 0) }
      if let address { unsafe _ = X509_VERIFY_PARAM_set1_ip_asc(parameters, address) }
    }

    /// Makes the server ask for no certificate, for now.
    func askForNoCertificate() {
      // SAFETY: the connection is open.
      unsafe SSL_set_verify(server, SSL_VERIFY_NONE, nil)
    }
  }

  extension SessionPlace {
    /// Keeps a session of a version of TLS, which no connection has made.
    func keep(_ version: CInt) throws {
      // SAFETY: the session is new, and the place takes it over.
      guard let session = unsafe SSL_SESSION_new() else { throw MemoryContext.Unusable() }
      unsafe _ = SSL_SESSION_set_protocol_version(session, version)
      unsafe keep(session)
    }

    /// Takes the session as a connection does; whether there was one.
    func take() -> Bool {
      var isThere = false
      // SAFETY: nothing is done with the session.
      unsafe use { _ in isThere = true }
      return isThere
    }
  }

  /// A session of libssl.
  @safe final class MemorySession {
    // SAFETY: this object owns the reference, and frees it.
    fileprivate let pointer: OpaquePointer

    // SAFETY: the caller hands the reference over.
    fileprivate init(_ pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

    // SAFETY: the reference is freed once.
    deinit { unsafe SSL_SESSION_free(pointer) }

    /// Whether a verifier permits to offer the session.
    func mayBeOffered(by verifier: TLSVerifier, host: String) -> Bool {
      // SAFETY: the session is open.
      unsafe verifier.mayResume(pointer, host: host)
    }
  }
#endif
