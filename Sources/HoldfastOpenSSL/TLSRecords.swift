#if OpenSSL
  internal import CHoldfastOpenSSL
  public import Holdfast
  internal import HoldfastDER

  /// The decision about the peer of a connection.
  public enum TLSOutcome: Sendable {
    /// Trusted; on a resumed connection, because of the verdict stored with the session.
    case accepted(Verdict)
    /// Not trusted.
    case rejected(TLSRejection)
  }

  /// The data of one `SSL`. Like the `SSL` itself, it is used by one thread at a time.
  @safe final class ConnectionRecord {
    /// The host that the caller set for this connection.
    var host: String?
    /// The certificates that have arrived and are not validated yet.
    var received: CertificateMessage?
    /// The data of extension 18 that came with the server's own certificate.
    var timestamps: [UInt8]?
    var peer: TLSPeer?
    /// What the peer of a resumed session presented in the full handshake, if it is needed.
    var sessionPeer: TLSPeer?
    /// What the peer is judged by again.
    var evidence: TLSPeer? { peer ?? sessionPeer }
    var outcome: TLSOutcome?
    /// Whether the server has asked for a client certificate.
    var requestsCertificate = false
    /// Why the client has not presented its certificate.
    var identityError: TLSError?
    /// What was agreed on, once it was asked for.
    var facts: TLSFacts?
    /// Whether a request has used the connection.
    var isUsed = false
    /// Where the client keeps the sessions of this connection, if not where its context says.
    var sessions: SessionPlace?
    /// How much has arrived for handshakes, as `Callback.count` measures it.
    var handshakeBytes = 0
    /// How the peer ends the connection.
    let end = TLSEnd()

    /// Forgets the last handshake.
    func begin() {
      received = nil
      timestamps = nil
      peer = nil
      sessionPeer = nil
      outcome = nil
      requestsCertificate = false
      identityError = nil
      facts = nil
    }
  }

  /// How the peer has ended a connection. It outlives the `SSL`, and belongs to the same thread.
  package final class TLSEnd {
    /// Whether the peer has sent close_notify: nothing that it sent before was cut off. RFC 8446 §6.1.
    package internal(set) var isAnnounced = false
    /// Whether the connection was ended here, because the peer sends handshake messages without end.
    package internal(set) var isForced = false
  }

  /// The data of one `SSL_SESSION`: the verdict, and the policy that gave it.
  final class SessionRecord: Sendable {
    let policy: [UInt8]
    /// What the peer presented, if the policy can change.
    let peer: TLSPeer?
    private let content: Guarded<Verdict>

    /// The newest verdict on the peer.
    var verdict: Verdict {
      get { content.withLock(\.self) }
      set { content.withLock { $0 = newValue } }
    }

    init(policy: [UInt8], verdict: Verdict, peer: TLSPeer?) {
      self.policy = policy
      self.peer = peer
      content = Guarded(verdict)
    }
  }

  /// The side of a connection that a context is for.
  enum TLSSide {
    case client
    case server
  }

  /// The data of one `SSL_CTX`: the verifier, its side, and the host if all connections have the same.
  final class ContextRecord: Sendable {
    let verifier: TLSVerifier
    let side: TLSSide
    let host: String?
    /// On a server, the identifier to which its sessions are bound.
    let serverPolicy: [UInt8]
    /// The identifier, and the generation of the policy: tickets are bound to both.
    var ticketPolicy: [UInt8] {
      guard let number = verifier.changes?.number, serverPolicy.count == 32 else {
        return serverPolicy
      }
      return (0..<32).map { index in
        index < 8
          ? serverPolicy[index] ^ UInt8(truncatingIfNeeded: number >> (8 * index))
          : serverPolicy[index]
      }
    }
    /// Where a client keeps the sessions of its connections, if they are all to one service.
    let sessions: SessionPlace?
    /// The number of the connection for which the context was made.
    let connection: Int?
    /// The certificate that a client presents, if the server asks for one.
    let ownCertificate: Certificate?
    /// Called with each decision about the peer of a handshake; the last one counts.
    let onOutcome: (@Sendable (TLSOutcome) -> Void)?
    /// Called when a server asks for a client certificate.
    let onCertificateRequest: (@Sendable () -> Void)?
    /// Called when a connection is ended because the client's own certificate has expired.
    let onExpiredIdentity: (@Sendable (TLSError) -> Void)?
    /// Called when a connection is ended because its peer sends handshake messages without end; nil for
    /// no limit.
    let onEndlessHandshake: (@Sendable () -> Void)?
    /// Whether a connection may be used again, besides what its own verdict says.
    let allowsReuse: (@Sendable () -> Bool)?

    init(
      _ verifier: TLSVerifier, _ side: TLSSide, host: String? = nil, serverPolicy: [UInt8] = [],
      sessions: SessionPlace? = nil, connection: Int? = nil, ownCertificate: Certificate? = nil,
      onOutcome: (@Sendable (TLSOutcome) -> Void)? = nil,
      onCertificateRequest: (@Sendable () -> Void)? = nil,
      onExpiredIdentity: (@Sendable (TLSError) -> Void)? = nil,
      onEndlessHandshake: (@Sendable () -> Void)? = nil,
      allowsReuse: (@Sendable () -> Bool)? = nil
    ) {
      self.verifier = verifier
      self.side = side
      self.host = host
      self.serverPolicy = serverPolicy
      self.sessions = sessions
      self.connection = connection
      self.ownCertificate = ownCertificate
      self.onOutcome = onOutcome
      self.onCertificateRequest = onCertificateRequest
      self.onExpiredIdentity = onExpiredIdentity
      self.onEndlessHandshake = onEndlessHandshake
      self.allowsReuse = allowsReuse
    }
  }

  /// Handles a stored reference when OpenSSL frees or duplicates the object that has it.
  private enum StoredReference {
    static func release(_ stored: UnsafeMutableRawPointer?) {
      // SAFETY: the stored pointer is nil or a reference that `RecordSlot.set` has retained.
      if let stored = unsafe stored { unsafe Unmanaged<AnyObject>.fromOpaque(stored).release() }
    }

    static func retain(_ stored: UnsafeMutableRawPointer?) {
      // SAFETY: as above.
      if let stored = unsafe stored { unsafe _ = Unmanaged<AnyObject>.fromOpaque(stored).retain() }
    }
  }

  /// A slot in OpenSSL's objects for a reference to one of our objects.
  struct RecordSlot<Record: AnyObject> {
    private let index: CInt

    /// - Parameter index: From `CRYPTO_get_ex_new_index`, with the functions of `StoredReference`.
    fileprivate init(_ index: CInt) {
      precondition(index >= 0, "OpenSSL has no memory for an index")
      self.index = index
    }

    /// Returns the stored record, if there is one.
    func record(_ stored: (CInt) -> UnsafeMutableRawPointer?) -> Record? {
      // SAFETY: the pointer at this index is a reference that `set` has retained.
      unsafe stored(index).map { unsafe Unmanaged<Record>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Replaces the stored record; false if memory runs out.
    func set(
      _ record: Record, _ stored: (CInt) -> UnsafeMutableRawPointer?,
      _ store: (CInt, UnsafeMutableRawPointer) -> CInt
    ) -> Bool {
      // SAFETY: the reference is retained while it is stored; the old one is released once.
      let old = unsafe stored(index)
      let reference = unsafe Unmanaged.passRetained(record)
      guard unsafe store(index, reference.toOpaque()) == 1 else {
        unsafe reference.release()
        return false
      }
      if let old = unsafe old { unsafe Unmanaged<Record>.fromOpaque(old).release() }
      return true
    }
  }

  /// The slots of our records.
  enum Records {
    private static let contexts = RecordSlot<ContextRecord>(index(CRYPTO_EX_INDEX_SSL_CTX))
    private static let connections = RecordSlot<ConnectionRecord>(index(CRYPTO_EX_INDEX_SSL))
    private static let sessions = RecordSlot<SessionRecord>(index(CRYPTO_EX_INDEX_SSL_SESSION))

    private static func index(_ kind: CInt) -> CInt {
      let isSession = kind == CRYPTO_EX_INDEX_SSL_SESSION
      // SAFETY: the functions receive what `RecordSlot.set` has stored. When objects are
      // duplicated, only a session keeps the record of the original: a connection gets a new one.
      return unsafe CRYPTO_get_ex_new_index(
        kind, isSession ? 1 : 0, nil, nil,
        { _, _, stored, _, isSession, _ in
          if isSession == 1 {
            unsafe StoredReference.retain(stored?.pointee)
          } else {
            unsafe stored?.pointee = nil
          }
          return 1
        }, { _, stored, _, _, _, _ in unsafe StoredReference.release(stored) })
    }

    /// Stores the record of a context.
    static func set(_ record: ContextRecord, on context: OpaquePointer) -> Bool {
      // SAFETY: the caller's context is open.
      unsafe contexts.set(
        record, { unsafe SSL_CTX_get_ex_data(context, $0) },
        { unsafe SSL_CTX_set_ex_data(context, $0, $1) })
    }

    /// Returns the record of the context that a connection has now; a server may have changed it.
    static func record(ofContextOf ssl: OpaquePointer) -> ContextRecord? {
      // SAFETY: the caller's connection is open.
      unsafe SSL_get_SSL_CTX(ssl).flatMap { context in
        unsafe contexts.record { unsafe SSL_CTX_get_ex_data(context, $0) }
      }
    }

    /// Returns the record of a connection, if it has one.
    static func record(of ssl: OpaquePointer) -> ConnectionRecord? {
      // SAFETY: the caller's connection is open.
      unsafe connections.record { unsafe SSL_get_ex_data(ssl, $0) }
    }

    /// Returns the record of a connection that has begun a handshake.
    static func current(of ssl: OpaquePointer) -> ConnectionRecord? {
      // SAFETY: the caller's connection is open.
      unsafe SSL_in_before(ssl) == 1 ? nil : record(of: ssl)
    }

    /// Returns the record of a connection, creating it on first use; nil if memory runs out.
    static func makeRecord(of ssl: OpaquePointer) -> ConnectionRecord? {
      if let record = unsafe record(of: ssl) { return record }
      let record = ConnectionRecord()
      // SAFETY: the caller's connection is open.
      let isStored = unsafe connections.set(
        record, { unsafe SSL_get_ex_data(ssl, $0) }, { unsafe SSL_set_ex_data(ssl, $0, $1) })
      return isStored ? record : nil
    }

    /// Returns where the sessions of a client's connection are kept, if they are.
    static func sessionPlace(of ssl: OpaquePointer) -> SessionPlace? {
      // SAFETY: the caller's connection is open.
      unsafe record(of: ssl)?.sessions ?? record(ofContextOf: ssl)?.sessions
    }

    /// Returns the record of a session, if it has one.
    static func record(ofSession session: OpaquePointer) -> SessionRecord? {
      // SAFETY: the caller's session is open.
      unsafe sessions.record { unsafe SSL_SESSION_get_ex_data(session, $0) }
    }

    /// Stores the verdict with a session; if that fails, the session is not resumed later.
    static func set(_ record: SessionRecord, onSession session: OpaquePointer) {
      // SAFETY: the caller's session is open.
      unsafe _ = sessions.set(
        record, { unsafe SSL_SESSION_get_ex_data(session, $0) },
        { unsafe SSL_SESSION_set_ex_data(session, $0, $1) })
    }
  }
#endif
