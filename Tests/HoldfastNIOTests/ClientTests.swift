#if NIO && Curl
  import HTTPTestSupport
  import Holdfast
  import HoldfastNIO
  import NIOCore
  import NIOEmbedded
  import NIOSSL
  import Testing

  /// Which servers a client of NIOSSL accepts, and how it learns why not.
  @Suite(
    "Servers of NIOSSL", .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"))
  struct ClientTests {
    private func connection(
      _ verifier: NIOVerifier, server: String = "good", host: String = "localhost",
      _ verification: CertificateVerification = .noHostnameVerification,
      greetings: (client: String?, server: String?) = (nil, nil)
    ) throws -> MemoryConnection {
      try MemoryConnection(greetings: greetings) { channel in
        try verifier.addClientHandlers(
          to: channel, context: try Contexts.client(verification), host: host)
      } _: { channel in
        try channel.pipeline.syncOperations.addHandler(
          NIOSSLServerHandler(context: try Contexts.server(server)))
      }
    }

    @Test(
      "a server with a pinned key is accepted, and NIOSSL has the validated path",
      arguments: [CertificateVerification.noHostnameVerification, .optionalVerification])
    func pinned(verification: CertificateVerification) throws {
      let verifier = NIOVerifier(try Material.manager(pins: "good", "other"))
      let connection = try connection(
        verifier, verification, greetings: ("question", "answer"))
      defer { connection.close() }
      #expect(connection.clientApplication.isHandshakeCompleted)
      #expect(connection.clientApplication.received == "answer")
      #expect(connection.serverApplication.received == "question")
      let operations = connection.client.pipeline.syncOperations
      guard case .accepted(let verdict)? = try operations.holdfastOutcome() else {
        Issue.record("not accepted")
        return
      }
      guard case .pinned = verdict.reason else {
        Issue.record("\(verdict.reason)")
        return
      }
      let chain = try operations.nioSSL_peerValidatedCertificateChain()
      let expected = try ["good", "root"].map { try Material.certificate($0).der }
      #expect(try chain?.map { try $0.toDERBytes() } == expected)
    }

    @Test("a server without a pinned key is rejected, and no byte passes in either direction")
    func wrongPin() throws {
      let verifier = NIOVerifier(try Material.manager(pins: "other", "client"))
      let connection = try connection(verifier, greetings: ("question", "answer"))
      defer { connection.close() }
      #expect(!connection.clientApplication.isHandshakeCompleted)
      #expect(connection.serverApplication.received.isEmpty)
      #expect(connection.clientApplication.received.isEmpty)
      guard
        case .pinMismatch(let mismatch)? = connection.clientApplication.errors.first as? TrustError
      else {
        Issue.record("\(connection.clientApplication.errors)")
        return
      }
      #expect(mismatch.host == (try HostName("localhost")))
      // NIOSSL's own error follows.
      guard case .handshakeFailed? = connection.clientApplication.errors.last as? NIOSSLError else {
        Issue.record("\(connection.clientApplication.errors)")
        return
      }
      guard case .rejected(.pinMismatch)? = connection.clientApplication.outcomeAtError else {
        Issue.record("the outcome is not the rejection")
        return
      }
      #expect(
        throws: TrustError.self, "what was written fails with the reason",
        performing: { try connection.clientApplication.greetingResult?.get() })
    }

    @Test("a certificate for another host is rejected by its rule")
    func wrongHost() throws {
      let connection = try connection(NIOVerifier(try Material.manager()), server: "elsewhere")
      defer { connection.close() }
      guard case .invalidPath(let error)? = connection.clientApplication.errors.first as? TrustError
      else {
        Issue.record("\(connection.clientApplication.errors)")
        return
      }
      #expect(error.rejections.first?.rule == .hostName)
    }

    @Test("an address is a host, and is not sent as a server name")
    func address() throws {
      let connection = try connection(NIOVerifier(try Material.manager()), host: "127.0.0.1")
      defer { connection.close() }
      #expect(connection.clientApplication.isHandshakeCompleted)
    }

    @Test("a policy of one's own decides, with the host that was asked for")
    func policy() throws {
      struct OnlyLocal: TrustEvaluating {
        func evaluate(_ trust: ServerTrust, for host: String) throws -> Verdict {
          guard host == "localhost" else { throw TrustError.rejected(reason: "not local") }
          return Verdict(.custom("local"), host: host, path: nil, at: trust.time)
        }
      }
      let validator = PathValidator(anchors: AnchorSet([]))
      let verifier = NIOVerifier(OnlyLocal(), validator: validator)
      let accepted = try connection(verifier)
      defer { accepted.close() }
      #expect(accepted.clientApplication.isHandshakeCompleted)
      let rejected = try connection(verifier, host: "127.0.0.1")
      defer { rejected.close() }
      let error = rejected.clientApplication.errors.first as? TrustError
      guard case .rejected("not local", host: "127.0.0.1")? = error else {
        Issue.record("\(rejected.clientApplication.errors)")
        return
      }
    }

    @Test("a decision may be made elsewhere")
    func elsewhere() throws {
      let work = WaitingWork()
      let verifier = NIOVerifier(try Material.manager(pins: "good", "other"))
        .deciding { work.append($0) }
      let connection = try connection(verifier, greetings: ("question", "answer"))
      defer { connection.close() }
      #expect(!connection.clientApplication.isHandshakeCompleted)
      work.run()
      connection.exchange()
      #expect(connection.clientApplication.isHandshakeCompleted)
      #expect(connection.serverApplication.received == "question")
    }

    @Test("a context that does not verify is refused, and so is the wrong side")
    func refused() throws {
      let verifier = NIOVerifier(try Material.manager())
      #expect(throws: NIOVerifierError.verificationIsOff) {
        try connection(verifier, .none)
      }
      let clients = NIOVerifier(clients: PathValidator(anchors: AnchorSet([])))
      #expect(throws: NIOVerifierError.verifiesClients) { try connection(clients) }
      #expect(throws: NIOVerifierError.verifiesServers) {
        try MemoryConnection { _ in
        } _: { channel in
          try verifier.addServerHandlers(
            to: channel, context: try Contexts.server("good", .noHostnameVerification))
        }
      }
      #expect(throws: NIOVerifierError.verificationIsOff) {
        try MemoryConnection { _ in
        } _: { channel in
          try clients.addServerHandlers(to: channel, context: try Contexts.server())
        }
      }
      #expect(throws: TrustError.self) { try connection(verifier, host: "https://localhost") }
    }

    @Test("a verifier of clients takes no host: a server with a client's certificate is not let in")
    func hostOfClients() throws {
      let clients = NIOVerifier(
        clients: PathValidator(anchors: AnchorSet([try Material.certificate("root")])))
      let chain = [try Material.certificate("client").der]
      let error = #expect(throws: TrustError.self) {
        try clients.decide(der: chain, host: "localhost")
      }
      guard case .custom(let misuse, _)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(misuse as? NIOVerifierError == .verifiesClients)
      #expect(try clients.decide(der: chain).host == nil)
      #expect(throws: NIOVerifierError.verifiesClients) { try clients.callback(host: "localhost") }
      #expect(throws: NIOVerifierError.verifiesClients) {
        try clients.callbackWithMetadata(host: "localhost")
      }
    }

    private func clientHandler(
      _ callback: @escaping NIOSSLCustomVerificationCallbackWithMetadata
    ) throws -> NIOSSLHandler {
      try NIOSSLClientHandler(
        context: try Contexts.client(), serverHostname: "localhost",
        customVerificationCallbackWithMetadata: callback)
    }

    @Test("a handler of the wrong side is not made, with or without a host")
    func sides() throws {
      let clients = NIOVerifier(clients: PathValidator(anchors: AnchorSet([])))
      let servers = NIOVerifier(try Material.manager())
      for host in [nil, "localhost"] {
        #expect(throws: NIOVerifierError.verifiesClients) {
          try NIOTrustHandler(clients, host: host, makeTLS: clientHandler)
        }
        #expect(throws: NIOVerifierError.verifiesServers) {
          try NIOTrustHandler(servers, host: host) { callback in
            NIOSSLServerHandler(
              context: try Contexts.server("good", .noHostnameVerification),
              customVerificationCallbackWithMetadata: callback)
          }
        }
      }
      #expect(throws: NIOVerifierError.verifiesServers) {
        try NIOTrustHandler(servers, makeTLS: clientHandler)
      }
    }

    @Test("a handler that does not stand behind NIOSSL's closes the channel")
    func withoutTLS() throws {
      let channel = EmbeddedChannel()
      let judge = try NIOTrustHandler(
        NIOVerifier(try Material.manager()), host: "localhost", makeTLS: clientHandler)
      #expect(throws: ChannelPipelineError.notFound) {
        try channel.pipeline.syncOperations.addHandlers([judge, judge.tls])
        try channel.throwIfErrorCaught()
      }
      _ = try? channel.finish(acceptAlreadyClosed: true)
      #expect(!channel.isActive)
    }

    @Test("a callback about servers needs their host")
    func callbackWithoutHost() throws {
      let verifier = NIOVerifier(try Material.manager())
      #expect(throws: NIOVerifierError.verifiesServers) { try verifier.callback() }
      #expect(throws: NIOVerifierError.verifiesServers) { try verifier.callbackWithMetadata() }
    }

    @Test("without a host nothing is accepted")
    func noHost() throws {
      let verifier = NIOVerifier(try Material.manager())
      let chain = [try Material.certificate("good").der]
      let error = #expect(throws: TrustError.self) { try verifier.decide(der: chain) }
      guard case .noHost? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(try verifier.decide(der: chain, host: "localhost").host == "localhost")
    }
  }
#endif
