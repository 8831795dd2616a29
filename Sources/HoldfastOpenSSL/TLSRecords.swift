#if OpenSSL
  internal import CHoldfastOpenSSL
  public import Holdfast

  /// What was decided about the peer of a connection.
  public enum TLSOutcome: Sendable {
    /// Trusted; on a resumed connection, by the verdict that came with the session.
    case accepted(Verdict)
    /// Not trusted.
    case refused(TLSRefusal)
  }

  /// What belongs to one `SSL`. It is used by one thread at a time, as the `SSL` itself is.
  @safe final class ConnectionRecord {
    /// The host that the caller has set for this connection.
    var host: String?
    var peer: TLSPeer?
    var outcome: TLSOutcome?
    /// Called with each session that the server issues, which the callee then owns.
    var keepSession: ((OpaquePointer) -> Void)?
  }

  /// What belongs to one `SSL_SESSION`: the verdict, and the policy that gave it.
  final class SessionRecord: Sendable {
    let policy: [UInt8]
    let verdict: Verdict

    init(policy: [UInt8], verdict: Verdict) {
      self.policy = policy
      self.verdict = verdict
    }
  }

  /// What belongs to one `SSL_CTX`: the verifier, and the host if all connections have the same.
  final class ContextRecord: Sendable {
    let verifier: TLSVerifier
    let host: String?
    /// On a server, what its sessions are bound to.
    let serverPolicy: [UInt8]

    init(_ verifier: TLSVerifier, host: String?, serverPolicy: [UInt8] = []) {
      self.verifier = verifier
      self.host = host
      self.serverPolicy = serverPolicy
    }
  }

  /// What OpenSSL does with a stored reference when its object is freed or duplicated.
  private enum StoredReference {
    static func release(_ stored: UnsafeMutableRawPointer?) {
      // SAFETY: what is stored is nil or a reference that `RecordSlot.set` has retained.
      if let stored = unsafe stored { unsafe Unmanaged<AnyObject>.fromOpaque(stored).release() }
    }

    static func retain(_ stored: UnsafeMutableRawPointer?) {
      // SAFETY: as above.
      if let stored = unsafe stored { unsafe _ = Unmanaged<AnyObject>.fromOpaque(stored).retain() }
    }
  }

  /// A place in OpenSSL's objects that holds a reference to an object of ours.
  struct RecordSlot<Record: AnyObject> {
    private let index: CInt

    /// - Parameter index: Of `CRYPTO_get_ex_new_index`, with the functions of `StoredReference`.
    fileprivate init(_ index: CInt) {
      precondition(index >= 0, "OpenSSL has no memory for an index")
      self.index = index
    }

    /// The record, if one was stored.
    func record(_ stored: (CInt) -> UnsafeMutableRawPointer?) -> Record? {
      // SAFETY: what is stored at this index is a reference that `set` has retained.
      unsafe stored(index).map { unsafe Unmanaged<Record>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Replaces the stored record; false if memory runs out.
    func set(
      _ record: Record, _ stored: (CInt) -> UnsafeMutableRawPointer?,
      _ store: (CInt, UnsafeMutableRawPointer) -> CInt
    ) -> Bool {
      // SAFETY: the reference is retained for as long as it is stored; the old one is let go once.
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

  /// The places of our records.
  enum Records {
    private static let contexts = RecordSlot<ContextRecord>(index(CRYPTO_EX_INDEX_SSL_CTX))
    private static let connections = RecordSlot<ConnectionRecord>(index(CRYPTO_EX_INDEX_SSL))
    private static let sessions = RecordSlot<SessionRecord>(index(CRYPTO_EX_INDEX_SSL_SESSION))

    private static func index(_ kind: CInt) -> CInt {
      let isSession = kind == CRYPTO_EX_INDEX_SSL_SESSION
      // SAFETY: the functions are given what `RecordSlot.set` has stored. Of what is duplicated only a
      // session has the record of the original: a connection gets one of its own.
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

    /// The record of a context.
    static func record(ofContext context: OpaquePointer) -> ContextRecord? {
      // SAFETY: the caller's context is open.
      unsafe contexts.record { unsafe SSL_CTX_get_ex_data(context, $0) }
    }

    /// The record of a connection, if it has one.
    static func record(of ssl: OpaquePointer) -> ConnectionRecord? {
      // SAFETY: the caller's connection is open.
      unsafe connections.record { unsafe SSL_get_ex_data(ssl, $0) }
    }

    /// The record of a connection, made on first use; nil if memory runs out.
    static func makeRecord(of ssl: OpaquePointer) -> ConnectionRecord? {
      if let record = unsafe record(of: ssl) { return record }
      let record = ConnectionRecord()
      // SAFETY: the caller's connection is open.
      let isStored = unsafe connections.set(
        record, { unsafe SSL_get_ex_data(ssl, $0) }, { unsafe SSL_set_ex_data(ssl, $0, $1) })
      return isStored ? record : nil
    }

    /// The record of a session, if it has one.
    static func record(ofSession session: OpaquePointer) -> SessionRecord? {
      // SAFETY: the caller's session is open.
      unsafe sessions.record { unsafe SSL_SESSION_get_ex_data(session, $0) }
    }

    /// Stores the verdict with a session; one that cannot be stored is not resumed later.
    static func set(_ record: SessionRecord, onSession session: OpaquePointer) {
      // SAFETY: the caller's session is open.
      unsafe _ = sessions.set(
        record, { unsafe SSL_SESSION_get_ex_data(session, $0) },
        { unsafe SSL_SESSION_set_ex_data(session, $0, $1) })
    }
  }
#endif
