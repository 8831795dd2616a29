#if NIO && Curl
  import HTTPTestSupport
  import Holdfast
  import HoldfastNIO
  import NIOCore
  import NIOEmbedded
  import NIOSSL
  import Testing

  /// TLS inside of TLS: each layer has a peer of its own, and a handler that judges this peer alone.
  @Suite("Layers of NIOSSL", .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"))
  struct LayerTests {
    /// Connects through two layers whose peers are to be the same host.
    private func connection(
      outer: String, inner: String, _ addOuter: (EmbeddedChannel) throws -> Void
    ) throws -> MemoryConnection {
      let verifier = NIOVerifier(try Material.manager())
      return try MemoryConnection(greetings: ("question", "answer")) { channel in
        try addOuter(channel)
        try verifier.addClientHandlers(
          to: channel, context: try Contexts.client(), host: "localhost")
      } _: { channel in
        for name in [outer, inner] {
          try channel.pipeline.syncOperations.addHandler(
            NIOSSLServerHandler(context: try Contexts.server(name)))
        }
      }
    }

    private func addJudged(_ channel: EmbeddedChannel) throws {
      try NIOVerifier(try Material.manager()).addClientHandlers(
        to: channel, context: try Contexts.client(), host: "localhost")
    }

    private func addUnjudged(_ channel: EmbeddedChannel) throws {
      try channel.pipeline.syncOperations.addHandler(
        NIOSSLClientHandler(context: try Contexts.client(.none), serverHostname: "localhost"))
    }

    @Test("the certificate of the outer peer is not taken for that of the inner one")
    func wrongInner() throws {
      for addOuter in [addJudged, addUnjudged] {
        let connection = try connection(outer: "good", inner: "elsewhere", addOuter)
        defer { connection.close() }
        #expect(!connection.clientApplication.isHandshakeCompleted)
        #expect(connection.serverApplication.received.isEmpty)
        #expect(connection.clientApplication.received.isEmpty)
        guard
          case .invalidPath(let error)? = connection.clientApplication.errors.first as? TrustError
        else {
          Issue.record("\(connection.clientApplication.errors)")
          continue
        }
        #expect(error.rejections.first?.rule == .hostName)
      }
    }

    @Test("two peers that may both be trusted are, each by its own handler")
    func bothGood() throws {
      for addOuter in [addJudged, addUnjudged] {
        let connection = try connection(outer: "other", inner: "good", addOuter)
        defer { connection.close() }
        #expect(connection.clientApplication.errors.isEmpty)
        #expect(connection.clientApplication.received == "answer")
        #expect(connection.serverApplication.received == "question")
      }
    }

    @Test("a peer of the outer layer that is not trusted gets nothing of the inner one")
    func wrongOuter() throws {
      let connection = try connection(outer: "elsewhere", inner: "good", addJudged)
      defer { connection.close() }
      #expect(connection.clientApplication.errors.first is TrustError)
      #expect(connection.serverApplication.received.isEmpty)
    }

    @Test("a client without a certificate is not let in by the end of the outer handshake")
    func optional() throws {
      let clients = NIOVerifier(
        clients: PathValidator(anchors: AnchorSet([try Material.certificate("root")])))
      let connection = try MemoryConnection(greetings: (nil, "answer")) { channel in
        // The client never begins the inner layer.
        try addUnjudged(channel)
      } _: { channel in
        try channel.pipeline.syncOperations.addHandler(
          NIOSSLServerHandler(context: try Contexts.server()))
        try clients.addServerHandlers(
          to: channel, context: try Contexts.server("good", .optionalVerification))
      }
      defer { connection.close() }
      #expect(!connection.serverApplication.isHandshakeCompleted)
      #expect(try connection.server.pipeline.syncOperations.holdfastOutcome() == nil)
      #expect(connection.serverApplication.greetingResult == nil, "what is written waits")
    }
  }
#endif
