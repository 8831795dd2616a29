#if OpenSSL
  internal import CHoldfastOpenSSL
  internal import HoldfastDER

  /// The sessions of a client, the newest of each service.
  ///
  /// Sessions stay OpenSSL's objects, with their verdicts. A library that stores them as bytes would
  /// lose the verdict, and a session without one is never resumed.
  package final class TLSSessions: Sendable {
    private let sessions = Guarded<[String: Session]>([:])
    private static let maximum = 1024

    /// Creates an empty store.
    package init() {}

    /// An `SSL_SESSION` that is freed with its last reference.
    @safe private final class Session: @unchecked Sendable {
      // SAFETY: the only reference of this object, released with it.
      let pointer: OpaquePointer
      init(_ pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }
      deinit { unsafe SSL_SESSION_free(pointer) }
    }

    /// Returns where the sessions of a service are kept.
    package func place(_ service: String) -> SessionPlace {
      SessionPlace(sessions: self, service: service)
    }

    /// Makes the connections of a client's context keep and offer sessions, each at its place.
    static func keep(on context: OpaquePointer) {
      // SAFETY: the caller's context is open.
      unsafe holdfast_set_session_cache(
        context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL)
      unsafe SSL_CTX_sess_set_new_cb(context) { unsafe Callback.keepSession($0, $1) }
      unsafe SSL_CTX_set_info_callback(context) { ssl, event, value in
        if event & SSL_CB_HANDSHAKE_START != 0 { unsafe Callback.offerSession(ssl) }
        if event == SSL_CB_READ_ALERT, value & 0xFF == SSL3_AD_CLOSE_NOTIFY {
          unsafe Callback.noteEnd(ssl)
        }
        // OpenSSL also sends decode_error when a connection ends without close_notify.
        let isEnd = event & SSL_CB_WRITE != 0 && value & 0xFF == TLS1_AD_DECODE_ERROR
        if event & SSL_CB_ALERT != 0, value >> 8 == SSL3_AL_FATAL, !isEnd {
          unsafe Callback.forgetSession(ssl)
        }
      }
    }

    fileprivate func keep(_ session: OpaquePointer, of service: String) {
      // SAFETY: the reference moves from the caller to the new object.
      let session = unsafe Session(session)
      sessions.withLock { sessions in
        if sessions[service] == nil, sessions.count >= TLSSessions.maximum,
          let other = sessions.keys.first
        {
          sessions[other] = nil
        }
        sessions[service] = session
      }
    }

    fileprivate func forget(_ service: String) {
      sessions.withLock { $0[service] = nil }
    }

    fileprivate func use(of service: String, _ body: (OpaquePointer) -> Void) {
      // SAFETY: the session is lent for the call and retained for as long.
      let session = sessions.withLock { sessions -> Session? in
        guard let session = sessions[service] else { return nil }
        // RFC 8446 appendix C.4: a ticket is used once, so that connections cannot be linked. Below
        // TLS 1.3 a session that is resumed brings no other one.
        if unsafe SSL_SESSION_get_protocol_version(session.pointer) >= TLS1_3_VERSION {
          sessions[service] = nil
        }
        return session
      }
      if let session { unsafe body(session.pointer) }
    }
  }

  /// Where the sessions of a connection are kept: under the name of the service to which it leads.
  package struct SessionPlace: Sendable {
    fileprivate let sessions: TLSSessions
    fileprivate let service: String

    /// Removes the session of the service.
    func forget() { sessions.forget(service) }

    /// Stores a session, taking over the caller's reference.
    func keep(_ session: OpaquePointer) {
      // SAFETY: the reference moves on.
      unsafe sessions.keep(session, of: service)
    }

    /// Lends the session of the service, if there is one.
    func use(_ body: (OpaquePointer) -> Void) {
      // SAFETY: the session is lent for the call.
      unsafe sessions.use(of: service, body)
    }
  }
#endif
