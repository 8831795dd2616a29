#if NIO && Curl
  import HTTPTestSupport
  import Holdfast
  import HoldfastNIO
  import HoldfastOpenSSL
  import NIOCore
  import NIOEmbedded
  import NIOSSL
  import Testing

  /// Open channels whose policy is replaced.
  @Suite(
    "Channels of NIOSSL whose policy is replaced",
    .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"))
  struct ChangeTests {
    private func connection(
      _ trust: LiveTrust, greetings: (client: String?, server: String?)
    ) throws -> MemoryConnection {
      let verifier = NIOVerifier(trust)
      return try MemoryConnection(greetings: greetings) { channel in
        try verifier.addClientHandlers(
          to: channel, context: try Contexts.client(), host: "localhost")
      } _: { channel in
        try channel.pipeline.syncOperations.addHandler(
          NIOSSLServerHandler(context: try Contexts.server()))
      }
    }

    /// A server of clients, one of which has asked for something.
    private func server(_ validator: Live<PathValidator>) throws -> MemoryConnection {
      let verifier = NIOVerifier(clients: validator)
      return try MemoryConnection(greetings: ("question", nil)) { channel in
        try channel.pipeline.syncOperations.addHandler(
          NIOSSLClientHandler(
            context: try Contexts.client(presenting: "client"), serverHostname: nil,
            customVerificationCallback: { $1.succeed(.certificateVerified) }))
      } _: { channel in
        try verifier.addServerHandlers(
          to: channel, context: try Contexts.server("good", .noHostnameVerification))
      }
    }

    /// Workloads of example.org below these roots.
    private func workloads(below roots: String...) throws -> PathValidator {
      var constraints = TrustAnchor.Constraints()
      constraints.trustDomains = [try SPIFFETrustDomain("example.org")]
      let anchors = try roots.map { root in
        TrustAnchor(try Material.certificate(root), constraints: constraints)
      }
      return PathValidator(anchors: AnchorSet(anchors))
    }

    @Test(
      "workloads on both sides are judged by the bundles of the moment",
      arguments: ["spiffe://example.org/api", "spiffe://example.org/web"])
    func workloads(id: String) throws {
      let bundles = Live(try workloads(below: "root", "other-root"))
      let peers = try SPIFFEPeers.id(id)
      let connection = try MemoryConnection(greetings: (nil, "answer")) { channel in
        try NIOVerifier(servers: bundles, peer: peers).addClientHandlers(
          to: channel, context: try Contexts.client(presenting: "workload"), host: "localhost")
      } _: { channel in
        try NIOVerifier(clients: bundles, peer: peers).addServerHandlers(
          to: channel, context: try Contexts.server("workload", .noHostnameVerification))
      }
      defer { connection.close() }
      guard id == "spiffe://example.org/api" else {
        let errors = connection.clientApplication.errors
        guard case .invalidPath(let error)? = errors.first as? TrustError else {
          Issue.record("\(errors)")
          return
        }
        #expect(error.rejections.first?.rule == .spiffeID)
        #expect(connection.clientApplication.received.isEmpty)
        return
      }
      #expect(connection.clientApplication.received == "answer")
      for channel in [connection.client, connection.server] {
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
      }
      bundles.update(try workloads(below: "root"))
      connection.exchange()
      #expect(connection.client.isActive && connection.server.isActive)
      bundles.update(try workloads(below: "other-root"))
      connection.exchange()
      #expect(!connection.client.isActive && !connection.server.isActive)
      for application in [connection.clientApplication, connection.serverApplication] {
        guard case .invalidPath(let error)? = application.trustEnded else {
          Issue.record("\(String(describing: application.trustEnded))")
          continue
        }
        #expect(error.rejections.first?.rule == .issuerNotFound)
      }
    }

    @Test("a server that is still trusted keeps its channel, and another loses it once it is quiet")
    func servers() throws {
      let trust = LiveTrust(try Material.manager(pins: "good", "other"))
      let connection = try connection(trust, greetings: (nil, "answer"))
      defer { connection.close() }
      #expect(connection.clientApplication.received == "answer")
      trust.update(try Material.manager(pins: "good", "client"))
      connection.exchange()
      #expect(connection.client.isActive && connection.clientApplication.trustEnded == nil)

      // Bytes have passed a moment ago: there may be more of them.
      trust.update(try Material.manager(pins: "other", "client"))
      connection.exchange()
      #expect(connection.client.isActive && connection.clientApplication.trustEnded != nil)
      connection.client.embeddedEventLoop.advanceTime(by: .milliseconds(200))
      connection.exchange()
      #expect(!connection.client.isActive)
      guard case .pinMismatch? = connection.clientApplication.trustEnded,
        case .pinMismatch? = connection.clientApplication.errors.first as? TrustError
      else {
        Issue.record("\(connection.clientApplication.errors)")
        return
      }
    }

    @Test("an idle channel is closed by the update itself")
    func idle() throws {
      let trust = LiveTrust(try Material.manager(pins: "good", "other"))
      let connection = try connection(trust, greetings: (nil, "answer"))
      defer { connection.close() }
      connection.client.embeddedEventLoop.advanceTime(by: .seconds(1))
      trust.update(try Material.manager(pins: "other", "client"))
      connection.exchange()
      #expect(!connection.client.isActive && connection.clientApplication.trustEnded != nil)
    }

    @Test("an answer of several writes is not cut between them")
    func pieces() throws {
      let root = try Material.certificate("root")
      let validator = Live(PathValidator(anchors: AnchorSet([root]), rules: .rfc5280))
      let connection = try server(validator)
      defer { connection.close() }
      let loop = connection.server.embeddedEventLoop
      loop.advanceTime(by: .seconds(1))
      try connection.server.writeOutbound(ByteBuffer(string: "first, "))
      validator.update(
        PathValidator(
          anchors: AnchorSet([try Material.certificate("other-root")]), rules: .rfc5280))
      for piece in ["second, ", "third, ", "last"] {
        loop.advanceTime(by: .milliseconds(150))
        try connection.server.writeOutbound(ByteBuffer(string: piece))
      }
      connection.exchange()
      #expect(connection.clientApplication.received == "first, second, third, last")
      #expect(connection.serverApplication.trustEnded != nil && connection.server.isActive)
      loop.advanceTime(by: .milliseconds(400))
      connection.exchange()
      #expect(!connection.server.isActive)
    }

    @Test("a client to which an answer is due gets it, and its channel ends in ten seconds")
    func clients() throws {
      let root = try Material.certificate("root")
      let validator = Live(PathValidator(anchors: AnchorSet([root]), rules: .rfc5280))
      let connection = try server(validator)
      defer { connection.close() }
      #expect(connection.serverApplication.received == "question")
      let other = try Material.certificate("other-root")
      validator.update(PathValidator(anchors: AnchorSet([other]), rules: .rfc5280))
      connection.exchange()
      #expect(connection.serverApplication.trustEnded != nil && connection.server.isActive)
      try connection.server.writeOutbound(ByteBuffer(string: "answer"))
      connection.exchange()
      #expect(connection.clientApplication.received == "answer" && connection.server.isActive)
      // A client that asks on and on does not stay.
      for _ in 0..<100 where connection.server.isActive {
        try connection.client.writeOutbound(ByteBuffer(string: "more"))
        connection.server.embeddedEventLoop.advanceTime(by: .milliseconds(150))
        connection.exchange()
      }
      let time = connection.server.embeddedEventLoop.now
      #expect(time == .uptimeNanoseconds(0) + .milliseconds(10_050))
      connection.exchange()
      #expect(!connection.server.isActive)
    }

    @Test("a ticket from before an update is judged by what is trusted now")
    func tickets() async throws {
      let root = try Material.certificate("root")
      let validator = Live(PathValidator(anchors: AnchorSet([root]), rules: .rfc5280))
      let verifier = NIOVerifier(clients: validator)
      let server = try EchoServer(
        try Contexts.server("good", .noHostnameVerification), choosing: { verifier })
      var options = TLSClient.Options()
      options.resumesSessions = true
      options.identity = try Material.identity("client")
      let client = try TLSClient(TLSVerifier(try Material.manager()), options: options)
      for isResumed in [false, true] {
        let connection = try client.connect(
          to: "localhost", port: server.port, address: "127.0.0.1")
        try connection.write(Array("world".utf8))
        var count = 0
        while count < 11 { count += try connection.read().count }
        #expect(connection.isResumed == isResumed)
        connection.close()
      }
      _ = server.takeSeen()
      let other = try Material.certificate("other-root")
      validator.update(PathValidator(anchors: AnchorSet([other]), rules: .rfc5280))
      do throws(TLSError) {
        let connection = try client.connect(
          to: "localhost", port: server.port, address: "127.0.0.1")
        defer { connection.close() }
        try connection.write(Array("world".utf8))
        #expect(try connection.read().isEmpty)
      } catch {
        // Under TLS 1.3 the first read fails.
      }
      #expect(try await server.firstError() is TrustError)
      #expect(server.takeSeen().clients.isEmpty)
    }
  }
#endif
