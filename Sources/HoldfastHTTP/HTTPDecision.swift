#if Curl
  internal import CHoldfastOpenSSL
  internal import Holdfast
  internal import HoldfastDER
  internal import HoldfastIdentities
  internal import HoldfastOpenSSL

  /// Who decides about the servers of a client, and about its proxy.
  ///
  /// A client has one decision for all its connections, and no connection or session of another
  /// client is ever used by it. So a connection that is used again was accepted by this decision,
  /// and only time, or a change of its policy, can have made it invalid: `verdict(of:host:)` looks
  /// before each request.
  struct HTTPDecision: Sendable {
    let verifier: TLSVerifier
    let proxyVerifier: TLSVerifier?
    let proxyHost: String?
    private let sessions = TLSSessions()
    private let identity: Identity?
    private let identityForHost: (@Sendable (String) -> Identity?)?
    private let liveIdentity: Live<Identity>?

    init(_ verifier: TLSVerifier, _ options: HTTPOptions) {
      self.verifier = verifier
      proxyVerifier = options.proxy?.verifier
      identity = options.identity
      identityForHost = options.identityForHost
      liveIdentity = options.liveIdentity
      do throws(HTTPError) {
        proxyHost = try options.proxy.map { proxy throws(HTTPError) in
          try RequestURL(proxy.url).host
        }
      } catch {
        // Not an HTTPS proxy, or none that can be used: each request says so.
        proxyHost = nil
      }
    }

    /// Returns the client certificate for a request; nil for none.
    func identity(for hop: Hop) -> Identity? {
      if let identityForHost { return identityForHost(hop.url.host) }
      return hop.isAtFirstOrigin ? liveIdentity?.value ?? identity : nil
    }

    /// What can change.
    var changes: [TrustGeneration] {
      [verifier.changes, proxyVerifier?.changes, liveIdentity?.changes].compactMap(\.self)
    }

    /// What the handshakes of one request have come to.
    final class Handshakes: Sendable {
      private struct Latest {
        var error: HTTPError?
        var proxyVerdict: Verdict?
        var requestsClientCertificate = false
      }

      private let latest = Guarded(Latest())

      /// What is said of a server that was left because it sends handshake messages without end.
      static let isEndless = "the server sends handshake messages without end"

      /// Why the last one that failed did.
      var error: HTTPError? { latest.withLock { $0.error } }
      /// The verdict about the HTTPS proxy of the last one.
      var proxyVerdict: Verdict? { latest.withLock { $0.proxyVerdict } }
      /// Whether the server has asked for a client certificate.
      var requestsClientCertificate: Bool { latest.withLock { $0.requestsClientCertificate } }

      func report(_ error: HTTPError) { latest.withLock { $0.error = error } }
      func report(proxyVerdict: Verdict) { latest.withLock { $0.proxyVerdict = proxyVerdict } }
      func reportCertificateRequest() { latest.withLock { $0.requestsClientCertificate = true } }
    }

    /// Prepares the context of a new connection; false if that is not possible.
    ///
    /// libcurl asks for both the connection to an HTTPS proxy and the one through it, and only the
    /// options differ: that the verification of proxies was switched off for libcurl tells them
    /// apart. Confusing them would cost trust, not grant it, where no proxy is set.
    func install(
      on context: OpaquePointer, for hop: Hop, reporting handshakes: Handshakes,
      connection: Int? = nil
    ) -> Bool {
      // Before the identity: of an update in between, it is one of the generation before.
      let generation = liveIdentity?.changes.mark
      let (url, identity) = (hop.url, identity(for: hop))
      // The connection through a tunnel is made after the one to the proxy.
      let proxyVerdict = handshakes.proxyVerdict
      // SAFETY: libcurl lends the context, which it has just made. It logs the keys of connections if
      // the environment says so.
      unsafe SSL_CTX_set_keylog_callback(context, nil)
      // SAFETY: as above.
      let isProxy = unsafe SSL_CTX_get_verify_mode(context) == SSL_VERIFY_NONE
      do throws(TLSError) {
        if isProxy {
          guard let proxyVerifier, let proxyHost else {
            handshakes.report(
              .proxyNotTrusted(.rejected(reason: "no policy is set for the HTTPS proxy")))
            return false
          }
          let place = sessions.place("proxy")
          try unsafe proxyVerifier.installOnClient(context, host: proxyHost, sessions: place) {
            outcome in
            switch outcome {
            case .accepted(let verdict): handshakes.report(proxyVerdict: verdict)
            case .rejected(let reason):
              handshakes.report(.proxyNotTrusted(TrustError(reason).naming(proxyHost)))
            }
          } onEndlessHandshake: {
            handshakes.report(.tls(host: proxyHost, reason: Handshakes.isEndless))
          }
          return true
        }
        // A session that is resumed stands for the client certificate of its handshake.
        let presented = identity == nil ? "-" : "+\(liveIdentity?.generation ?? 0)"
        let place = sessions.place("\(url.host) \(url.port) \(presented)")
        try unsafe verifier.installOnClient(
          context, host: url.host, sessions: place, connection: connection,
          ownCertificate: identity?.leaf
        ) { outcome in
          guard case .rejected(let reason) = outcome else { return }
          let error = TrustError(reason).naming(url.host)
          handshakes.report(.notTrusted(url.server == url.host ? error : error.at(url.server)))
        } onCertificateRequest: {
          handshakes.reportCertificateRequest()
        } onExpiredIdentity: { error in
          handshakes.report(.unusableIdentity(error, host: url.server))
        } onEndlessHandshake: {
          handshakes.report(.tls(host: url.server, reason: Handshakes.isEndless))
        } allowsReuse: {
          (identity == nil || generation?.isCurrent != false) && allowsReuse(under: proxyVerdict)
        }
      } catch {
        let server = isProxy ? proxyHost ?? "" : url.server
        handshakes.report(.tls(host: server, reason: error.textBesideHost))
        return false
      }
      guard let identity else { return true }
      do throws(TLSError) {
        // SAFETY: as above.
        try unsafe identity.installOnClient(context)
        return true
      } catch {
        handshakes.report(.unusableIdentity(error, host: url.server))
        return false
      }
    }

    /// Whether a connection in a tunnel may be used again, as far as the proxy is concerned.
    private func allowsReuse(under proxyVerdict: Verdict?) -> Bool {
      guard let proxyVerdict, let proxyVerifier, let proxyHost else { return true }
      return proxyVerifier.isValid(proxyVerdict, for: proxyHost)
    }

    /// Returns the verdict under which a request may be sent on a connection, nil if it may not.
    func verdict(of connection: OpaquePointer, host: String) -> Verdict? {
      // SAFETY: libcurl lends the connection of the transfer that is about to begin.
      unsafe verifier.verdictForRequest(on: connection, host: host)
    }

    /// Returns the socket of a connection on which a request may be sent, if the policy can change.
    func socket(of connection: OpaquePointer, _ sockets: OpenSockets) -> OpenSocket? {
      // SAFETY: as above.
      guard !changes.isEmpty, let number = unsafe TLSVerifier.connection(of: connection),
        let socket = sockets.socket(number)
      else { return nil }
      if socket.isTrusted == nil { socket.isTrusted = unsafe verifier.watch(connection) }
      return socket
    }

    /// Whether a request that is not encrypted may be sent to an HTTPS proxy.
    func allowsPlainRequest(on proxyConnection: OpaquePointer) -> Bool {
      guard let proxyVerifier, let proxyHost else { return false }
      // SAFETY: as above.
      return unsafe proxyVerifier.verdictForRequest(on: proxyConnection, host: proxyHost) != nil
    }
  }

  extension TrustError {
    /// The reason of a rejection.
    fileprivate init(_ rejection: TLSRejection) {
      switch rejection.reason {
      case .notTrusted(let error): self = error
      case .invalidPath(let error): self = .invalidPath(error)
      default: self = .custom(rejection)
      }
    }
  }
#endif
