#if OpenSSL
  internal import CHoldfastOpenSSL
  internal import Holdfast

  /// The functions that OpenSSL calls. Every argument was set together with the callback.
  enum Callback {
    private static func context(_ argument: UnsafeMutableRawPointer?) -> ContextRecord? {
      // SAFETY: the argument is the record that the context retains.
      unsafe argument.map { unsafe Unmanaged<ContextRecord>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Called with each message, as it is sent or as it arrived, decrypted; with the header of each
    /// record; and under TLS 1.3 with the type of what was encrypted in it.
    static func message(
      _ isSent: Bool, _ kind: CInt, _ bytes: UnsafeRawPointer?, _ count: Int, _ ssl: OpaquePointer?
    ) {
      // SAFETY: OpenSSL lends the message and the connection for the call.
      guard let ssl = unsafe ssl, let bytes = unsafe bytes, count > 0 else { return }
      let first = Int32(unsafe bytes.load(as: UInt8.self))
      switch kind {
      case SSL3_RT_HANDSHAKE:
        if !isSent { unsafe Callback.count(count, on: ssl) }
        unsafe message(isSent, ofType: first, bytes, count, ssl)
      case SSL3_RT_HEADER, SSL3_RT_INNER_CONTENT_TYPE:
        if !isSent, first == SSL3_RT_HANDSHAKE { unsafe Callback.count(recordOverhead, on: ssl) }
      default: break
      }
    }

    /// What a record has at least besides its messages: a header, and mostly a tag. RFC 8446 §5.2.
    private static let recordOverhead = 22

    /// Counts what arrives for handshakes, and ends a connection on which that is too much.
    ///
    /// OpenSSL ignores HelloRequest in a handshake (RFC 5246 §7.4.1.1) and answers KeyUpdate after it
    /// (RFC 8446 §4.6.3), and returns only when it has read all that is there. It reads no more of a
    /// connection that its peer is said to have shut down.
    private static func count(_ size: Int, on ssl: OpaquePointer) {
      // SAFETY: OpenSSL lends the connection for the call.
      guard let limited = unsafe Records.record(ofContextOf: ssl)?.onEndlessHandshake,
        let record = unsafe Records.makeRecord(of: ssl), !record.end.isForced
      else { return }
      record.handshakeBytes += size
      guard record.handshakeBytes > TLSConnection.maximumHandshakeBytes else { return }
      record.end.isForced = true
      unsafe SSL_set_shutdown(ssl, SSL_get_shutdown(ssl) | SSL_RECEIVED_SHUTDOWN)
      limited()
    }

    /// Called with each message of a handshake.
    private static func message(
      _ isSent: Bool, ofType type: Int32, _ bytes: UnsafeRawPointer, _ count: Int,
      _ ssl: OpaquePointer
    ) {
      // SAFETY: OpenSSL lends the message and the connection for the call.
      switch type {
      case SSL3_MT_CLIENT_HELLO:
        // A connection may be used again, after `SSL_clear` or by renegotiation.
        unsafe Records.record(of: ssl)?.begin()
      case SSL3_MT_CERTIFICATE where !isSent:
        let message = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
        unsafe Records.makeRecord(of: ssl)?.received = CertificateMessage(
          message, hasExtensions: SSL_version(ssl) >= TLS1_3_VERSION)
      case SSL3_MT_CERTIFICATE_REQUEST where !isSent:
        unsafe Records.makeRecord(of: ssl)?.requestsCertificate = true
        unsafe Records.record(ofContextOf: ssl)?.onCertificateRequest?()
      default: break
      }
    }

    /// Called when the server has sent timestamps of logs, before its certificates are validated:
    /// under TLS 1.2 for the connection, and under TLS 1.3 for one certificate.
    static func timestamps(
      _ bytes: UnsafePointer<UInt8>?, _ count: Int, ofCertificate index: Int, _ ssl: OpaquePointer?
    ) -> CInt {
      // SAFETY: OpenSSL lends the bytes and the connection for the call.
      guard let ssl = unsafe ssl, index == 0, let record = unsafe Records.makeRecord(of: ssl) else {
        return 1
      }
      record.timestamps = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
      return 1
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
      let isServer = unsafe SSL_is_server(ssl) == 1
      let outcome: TLSOutcome
      do throws(TLSRejection) {
        guard context.side == (isServer ? .server : .client) else {
          throw TLSRejection(.wrongSide, .certificateUnknown)
        }
        let role =
          isServer ? record.roleOfClient : unsafe try context.role(of: ssl, record)
        // Not `SSL_get_peer_cert_chain`, which on a server is empty here and later lacks the leaf.
        let count = unsafe Int(holdfast_x509_count(X509_STORE_CTX_get0_untrusted(store)))
        guard let chain = record.received?.certificates, chain.count == count else {
          throw TLSRejection(.certificatesNotSeen, .certificateUnknown)
        }
        let peer = TLSPeer(
          chain: chain, role: role, staple: isServer ? nil : unsafe Copies.staple(of: ssl),
          timestamps: isServer ? nil : record.timestamps, at: context.verifier.time)
        record.peer = peer
        outcome = context.verifier.outcome(for: peer)
      } catch {
        record.peer = nil
        outcome = .rejected(error)
      }
      record.received = nil
      record.outcome = outcome
      switch outcome {
      case .accepted(let verdict):
        context.onOutcome?(.accepted(verdict))
        unsafe context.keep(verdict, of: ssl)
        unsafe X509_STORE_CTX_set_error(store, X509_V_OK)
        return 1
      case .rejected(let rejection):
        // RFC 6066 §8: below TLS 1.3 the staple follows the certificates. With or without one,
        // `verifyStaple` is called before the client answers.
        let isEarly =
          unsafe !isServer && SSL_version(ssl) < TLS1_3_VERSION
          && holdfast_requests_staple(ssl) == 1
        if rejection.mayPassWithStaple && isEarly { return 1 }
        context.onOutcome?(.rejected(rejection))
        unsafe X509_STORE_CTX_set_error(store, rejection.alert.verificationError)
        return 0
      }
    }

    /// Called when the stapled response has arrived, or the server has sent none.
    static func verifyStaple(_ ssl: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> CInt {
      // SAFETY: OpenSSL lends the connection for the call.
      guard let ssl = unsafe ssl, let context = unsafe context(argument) else { return 0 }
      // A server is asked for what to staple.
      if unsafe SSL_is_server(ssl) == 1 { return SSL_TLSEXT_ERR_NOACK }
      // Under TLS 1.3 the staple was already there when the certificates were validated.
      if unsafe SSL_version(ssl) >= TLS1_3_VERSION { return 1 }
      guard let record = unsafe Records.record(of: ssl), var peer = record.peer else { return 0 }
      if let staple = unsafe Copies.staple(of: ssl) {
        peer.staple = staple
        peer.time = context.verifier.time
        record.peer = peer
        record.outcome = context.verifier.outcome(for: peer)
      }
      switch record.outcome {
      case .accepted(let verdict):
        context.onOutcome?(.accepted(verdict))
        unsafe context.keep(verdict, of: ssl)
        return 1
      case .rejected(let rejection):
        context.onOutcome?(.rejected(rejection))
        return 0
      case nil: return 0
      }
    }

    /// Called when the server has agreed to resume a session, or not. If it has, there are no
    /// certificates. On a server it is called with each ClientHello, before anything is resumed.
    static func checkSession(
      _ ssl: OpaquePointer?, _ alert: UnsafeMutablePointer<CInt>?,
      _ argument: UnsafeMutableRawPointer?
    ) -> CInt {
      // SAFETY: OpenSSL lends the connection and the place of the alert for the call.
      guard let ssl = unsafe ssl, let context = unsafe context(argument) else {
        return SSL_TLSEXT_ERR_ALERT_FATAL
      }
      let isServer = unsafe SSL_is_server(ssl) == 1
      guard unsafe isServer || SSL_session_reused(ssl) == 1 else { return SSL_TLSEXT_ERR_OK }
      let connection = unsafe Records.makeRecord(of: ssl)
      do throws(TLSRejection) {
        guard !isServer else { throw TLSRejection(.wrongSide, .certificateUnknown) }
        guard let connection, case .server(let host) = unsafe try context.role(of: ssl, connection)
        else {
          throw TLSRejection(.noHost, .certificateUnknown)
        }
        guard let session = unsafe SSL_get_session(ssl),
          let record = unsafe Records.record(ofSession: session),
          let verdict = context.verifier.verdict(on: record, host: host)
        else { throw TLSRejection(.sessionNotValid(host: host), .certificateUnknown) }
        connection.outcome = .accepted(verdict)
        connection.sessionPeer = record.peer
        context.onOutcome?(.accepted(verdict))
        return SSL_TLSEXT_ERR_OK
      } catch {
        connection?.outcome = .rejected(error)
        context.onOutcome?(.rejected(error))
      }
      unsafe alert?.pointee = CInt(TLSAlert.certificateUnknown.rawValue)
      return SSL_TLSEXT_ERR_ALERT_FATAL
    }

    /// Called at the beginning of a handshake. Before the ClientHello offers a session, drops one that
    /// may not be resumed, so that the handshake is a full one, or sets one that was kept.
    static func offerSession(_ ssl: OpaquePointer?) {
      // SAFETY: OpenSSL lends the connection for the call, and its session with it.
      guard let ssl = unsafe ssl, let context = unsafe Records.record(ofContextOf: ssl) else {
        return
      }
      let connection = unsafe Records.record(of: ssl)
      let host = connection?.host ?? context.host
      func mayResume(_ session: OpaquePointer) -> Bool {
        unsafe Records.record(ofSession: session).map {
          context.verifier.verdict(on: $0, host: host) != nil
        } ?? false
      }
      if let session = unsafe SSL_get_session(ssl) {
        if unsafe mayResume(session) { return }
        unsafe _ = SSL_set_session(ssl, nil)
      }
      unsafe Records.sessionPlace(of: ssl)?.use { session in
        if unsafe mayResume(session) { unsafe _ = SSL_set_session(ssl, session) }
      }
    }

    /// Called with a session that the server has issued; 0 says that OpenSSL keeps its own.
    ///
    /// What is kept is a copy: OpenSSL marks the session of a connection that ends without close_notify
    /// as one not to resume. As of TLS 1.1 that is no reason (RFC 5246 §7.2.1); a fatal alert is.
    static func keepSession(_ ssl: OpaquePointer?, _ session: OpaquePointer?) -> CInt {
      // SAFETY: OpenSSL lends the connection and the session for the call.
      guard let ssl = unsafe ssl, let session = unsafe session,
        let place = unsafe Records.sessionPlace(of: ssl), let copy = unsafe SSL_SESSION_dup(session)
      else { return 0 }
      unsafe place.keep(copy)
      return 0
    }

    /// Called with a fatal alert, sent or received: the sessions of a connection that has failed are
    /// not resumed. RFC 8446 §6.2.
    static func forgetSession(_ ssl: OpaquePointer?) {
      // SAFETY: OpenSSL lends the connection for the call.
      guard let ssl = unsafe ssl else { return }
      unsafe Records.sessionPlace(of: ssl)?.forget()
    }

    /// Called with close_notify of the peer.
    static func noteEnd(_ ssl: OpaquePointer?) {
      // SAFETY: OpenSSL lends the connection for the call.
      guard let ssl = unsafe ssl else { return }
      unsafe Records.record(of: ssl)?.end.isAnnounced = true
    }

    /// Called when a server issues a ticket: stores what it is bound to.
    static func sealTicket(_ ssl: OpaquePointer?) -> CInt {
      // SAFETY: OpenSSL lends the connection for the call, and copies the data.
      guard let ssl = unsafe ssl, let session = unsafe SSL_get_session(ssl),
        let context = unsafe Records.record(ofContextOf: ssl)
      else { return 0 }
      var range = Timestamp(secondsSince1970: .min)...Timestamp(secondsSince1970: .max)
      // Read before the verdict is asked whether it is of this generation.
      let present = context.ticketPolicy
      var policy = present
      var name = unsafe ServerTicket.name(Copies.serverName(of: ssl), peer: Records.record(of: ssl))
      if unsafe SSL_session_reused(ssl) == 1 {
        guard let old = unsafe Copies.ticketData(of: session).flatMap({ ServerTicket($0) }) else {
          return 0
        }
        (policy, range, name) = (old.policy, old.range, old.name)
      }
      // The client may have been verified after the handshake, of a resumed session too.
      if case .accepted(let verdict) = unsafe Records.record(of: ssl)?.outcome {
        range =
          verdict.rangeWithoutAsking(but: context.verifier.changes) ?? ServerTicket.never
        policy = present
      }
      let data = ServerTicket(policy: policy, range: range, name: name).data
      return unsafe SSL_SESSION_set1_ticket_appdata(session, data, data.count)
    }

    /// Called when a client presents a ticket.
    static func checkTicket(
      _ ssl: OpaquePointer?, _ session: OpaquePointer?, _ status: SSL_TICKET_STATUS
    ) -> SSL_TICKET_RETURN {
      // SAFETY: OpenSSL lends the connection and the session for the call.
      guard status == SSL_TICKET_SUCCESS || status == SSL_TICKET_SUCCESS_RENEW,
        let ssl = unsafe ssl, let session = unsafe session,
        let context = unsafe Records.record(ofContextOf: ssl),
        let ticket = unsafe Copies.ticketData(of: session).flatMap({ ServerTicket($0) }),
        ticket.policy == context.ticketPolicy, ticket.range.contains(context.verifier.time),
        unsafe ticket.name
          == ServerTicket.name(Copies.requestedServerName(of: ssl), peer: Records.record(of: ssl))
      else { return SSL_TICKET_RETURN_IGNORE_RENEW }
      return status == SSL_TICKET_SUCCESS ? SSL_TICKET_RETURN_USE : SSL_TICKET_RETURN_USE_RENEW
    }
  }

  extension ContextRecord {
    /// Returns the role of a client's peer: a server for the host that this side set, never one
    /// that the peer states.
    fileprivate func role(
      of ssl: OpaquePointer, _ record: ConnectionRecord
    ) throws(TLSRejection) -> TLSPeer.Role {
      if let host = record.host ?? host { return .server(host: host) }
      // SAFETY: the connection is lent; the strings are null-terminated and copied.
      let parameters = unsafe SSL_get0_param(ssl)
      let name = unsafe X509_VERIFY_PARAM_get0_host(parameters, 0).map {
        unsafe String(cString: $0)
      }
      let address = unsafe X509_VERIFY_PARAM_get1_ip_asc(parameters).map { text in
        defer { unsafe holdfast_free(text) }
        return unsafe String(cString: text)
      }
      if let name, let address {
        throw TLSRejection(.severalHosts(name, address), .certificateUnknown)
      }
      if let host = name ?? address { return .server(host: host) }
      // Below TLS 1.3 this is the name in the resumed session, not the one requested now.
      let isOldName =
        unsafe SSL_session_reused(ssl) == 1 && SSL_version(ssl) < TLS1_3_VERSION
      guard !isOldName, let name = unsafe SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name) else {
        throw TLSRejection(.noHost, .certificateUnknown)
      }
      return unsafe .server(host: String(cString: name))
    }

    /// Stores a verdict in the session of a connection.
    fileprivate func keep(_ verdict: Verdict, of ssl: OpaquePointer) {
      // SAFETY: the connection is lent, and its session with it.
      guard let session = unsafe SSL_get_session(ssl) else { return }
      let peer = verdict.mayChange ? unsafe Records.record(of: ssl)?.peer : nil
      unsafe Records.set(
        SessionRecord(policy: verifier.policy, verdict: verdict, peer: peer), onSession: session)
    }
  }

  extension ConnectionRecord {
    /// The role of a server's peer: with a host, it is a server, too.
    fileprivate var roleOfClient: TLSPeer.Role { host.map { .peer(host: $0) } ?? .client }
  }

  extension ServerTicket {
    /// Returns the names that a ticket is bound to: the server's, which holds no zero byte, and the
    /// host that the client must have a certificate for, if any.
    fileprivate static func name(_ serverName: [UInt8], peer record: ConnectionRecord?) -> [UInt8] {
      serverName + (record?.host.map { [0] + Array($0.utf8) } ?? [])
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

  /// Copies of data that OpenSSL lends.
  private enum Copies {
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

    /// Returns the name that the client asked this server for; empty if it sent none.
    static func serverName(of ssl: OpaquePointer) -> [UInt8] {
      // SAFETY: the string is null-terminated and copied.
      unsafe SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name).map {
        unsafe Array(String(cString: $0).utf8)
      } ?? []
    }

    /// Returns the name in the ClientHello that is being processed; empty if it has none.
    static func requestedServerName(of ssl: OpaquePointer) -> [UInt8] {
      var bytes: UnsafePointer<UInt8>? = nil
      var count = 0
      // SAFETY: the bytes belong to the message and are copied.
      guard
        unsafe SSL_client_hello_get0_ext(
          ssl, UInt32(TLSEXT_TYPE_server_name), &bytes, &count) == 1
      else { return [] }
      return unsafe ServerTicket.name(
        inExtension: Array(UnsafeBufferPointer(start: bytes, count: count)))
    }
  }
#endif
