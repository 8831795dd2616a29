#if OpenSSL
  import CHoldfastOpenSSL
  import Holdfast
  import TestSupport

  @testable import HoldfastOpenSSL

  /// The certificates of these tests: a root, and a server and a client under it. The private keys are
  /// those of `SignedCertificate`, small numbers.
  enum MemoryMaterial {
    static let host = SignedCertificate.host
    /// A time at which the certificates are valid, whatever day it is.
    static let time = SignedCertificate.time

    static func root() throws -> Certificate { try SignedCertificate.root() }

    static func server() throws -> (Certificate, key: UInt64) {
      (try SignedCertificate.leaf(by: "Root", 1) { $0.serialNumber = 2 }, 100)
    }

    static func client() throws -> (Certificate, key: UInt64) {
      let certificate = try SignedCertificate.leaf(
        by: "Root", 1, names: [Made.dns("client.example")]
      ) {
        $0.serialNumber = 3
        $0.key = 101
      }
      return (certificate, 101)
    }

    static func validator(_ rules: ValidationRules = .rfc5280) throws -> PathValidator {
      PathValidator(anchors: AnchorSet([try root()]), rules: rules)
    }

    static func verifier() throws -> TLSVerifier {
      TLSVerifier(try validator(), clock: { time })
    }
  }

  /// A context of libssl, for one side or for both.
  @safe final class MemoryContext {
    enum Kind: Sendable { case client, server, both }

    struct Unusable: Error {}

    // SAFETY: this object owns the context, and frees it.
    fileprivate let pointer: OpaquePointer

    /// - Parameter identity: The certificate that is presented, with its key.
    init(
      _ kind: Kind, _ version: CInt = TLS1_3_VERSION,
      presenting identity: (Certificate, key: UInt64)? = nil
    ) throws {
      // SAFETY: the methods are constants; what the context is given is copied.
      let method =
        switch kind {
        case .client: unsafe TLS_client_method()
        case .server: unsafe TLS_server_method()
        case .both: unsafe TLS_method()
        }
      guard let context = unsafe SSL_CTX_new(method) else { throw Unusable() }
      unsafe pointer = unsafe context
      guard unsafe holdfast_set_versions(context, version, version) == 1 else { throw Unusable() }
      guard let (certificate, number) = identity else { return }
      let (der, key) = (certificate.der, MemoryContext.privateKey(number))
      guard unsafe SSL_CTX_use_certificate_ASN1(context, CInt(der.count), der) == 1,
        unsafe SSL_CTX_use_PrivateKey_ASN1(EVP_PKEY_EC, context, key, key.count) == 1
      else { throw Unusable() }
    }

    // SAFETY: connections have references of their own.
    deinit { unsafe SSL_CTX_free(pointer) }

    /// An ECPrivateKey in PKCS #8. RFC 5915 §3, RFC 5958 §2.
    private static func privateKey(_ number: UInt64) -> [UInt8] {
      let bytes =
        [UInt8](repeating: 0, count: 24)
        + (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
      let key = Made.der(0x30, Made.der(0x02, [1]) + Made.der(0x04, bytes))
      let algorithm = Made.der(
        0x30, Made.oid("1.2.840.10045.2.1") + Made.oid("1.2.840.10045.3.1.7"))
      return Made.der(0x30, Made.der(0x02, [0]) + algorithm + Made.der(0x04, key))
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
      _ verifier: TLSVerifier, host: String, sessions: SessionPlace
    ) throws(TLSError) {
      // SAFETY: the context is open.
      try unsafe verifier.installOnClient(
        pointer, host: host, sessions: sessions, onOutcome: { _ in })
    }

    /// Makes the context verify clients.
    func verifyClients(
      _ verifier: TLSVerifier, requiresCertificate: Bool = true
    ) throws(TLSError) {
      // SAFETY: the context is open.
      try unsafe verifier.installOnServer(pointer, requiresCertificate: requiresCertificate)
    }

    /// Replaces the callback for server names, as a server with several contexts does.
    func replaceServerNameCallback() {
      // SAFETY: the context is open, and the function needs no argument.
      unsafe holdfast_set_server_name_callback(pointer, { _, _, _ in SSL_TLSEXT_ERR_OK }, nil)
    }

    /// Makes a server send no tickets, and so nothing after its handshake.
    func sendNoTickets() {
      // SAFETY: the context is open.
      unsafe _ = SSL_CTX_set_num_tickets(pointer, 0)
    }

    /// Makes a connection, which the caller frees.
    func makeConnection() throws -> OpaquePointer {
      // SAFETY: the context is open.
      guard let ssl = unsafe SSL_new(pointer) else { throw Unusable() }
      return unsafe ssl
    }
  }

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
    }

    /// How the client sees a connection end.
    enum Ending: Sendable { case shutDown, cut, garbage }

    // SAFETY: this object owns both connections, which own the buffers, and frees them.
    private let client: OpaquePointer
    private let server: OpaquePointer
    private var ends = (client: End(), server: End())

    /// - Parameters:
    ///   - serverName: What the client asks for; nil for nothing.
    ///   - session: Offered by the client.
    init(
      _ client: MemoryContext, _ server: MemoryContext, serverName: String? = nil,
      session: MemorySession? = nil
    ) throws {
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
      end.isResumed = unsafe SSL_session_reused(ssl) == 1
      // OpenSSL itself resumes no session of a connection that was not shut down.
      if end.error == nil, ending == .shutDown { unsafe _ = SSL_shutdown(ssl) }
      ERR_clear_error()
    }

    /// The session of the client, to offer again.
    var session: MemorySession? {
      // SAFETY: the connection is open, and the reference moves to the new object.
      unsafe SSL_get1_session(client).map { unsafe MemorySession($0) }
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
  }
#endif
