#if NIO && Curl
  import HTTPTestSupport
  import Holdfast
  import NIOCore
  import NIOEmbedded
  import NIOPosix
  import NIOSSL
  import Synchronization
  import Testing

  @testable import HoldfastNIO

  /// When the future outcome of a channel completes, and with what.
  @Suite(
    "The outcome of a channel of NIOSSL",
    .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"))
  struct OutcomeTests {
    private typealias Outcome = Result<NIOOutcome?, any Error>

    /// The outcome that was asked for, when it comes.
    private final class Answer: Sendable {
      private let answer = Mutex<Outcome?>(nil)

      init(_ future: EventLoopFuture<NIOOutcome?>) {
        future.whenComplete { [self] outcome in answer.withLock { $0 = outcome } }
      }

      var outcome: Outcome? { answer.withLock(\.self) }
    }

    private func ask(_ channel: EmbeddedChannel) -> Answer {
      let answer = Answer(channel.holdfastOutcome())
      channel.embeddedEventLoop.run()
      return answer
    }

    private func isAccepted(_ outcome: Outcome?) -> Bool {
      if case .success(.accepted) = outcome { true } else { false }
    }

    private func isPinMismatch(_ outcome: Outcome?) -> Bool {
      if case .success(.rejected(.pinMismatch)) = outcome { true } else { false }
    }

    private func isWithoutCertificate(_ outcome: Outcome?) -> Bool {
      if case .success(nil) = outcome { true } else { false }
    }

    private func addClient(_ verifier: NIOVerifier, to channel: EmbeddedChannel) throws {
      try verifier.addClientHandlers(
        to: channel, context: try Contexts.client(), host: "localhost")
    }

    private func connection(
      _ addClient: (EmbeddedChannel) throws -> Void
    ) throws -> MemoryConnection {
      try MemoryConnection(addClient) { channel in
        try channel.pipeline.syncOperations.addHandler(
          NIOSSLServerHandler(context: try Contexts.server()))
      }
    }

    @Test(
      "who asks before the decision gets it when it is made, and who asks later at once",
      arguments: [true, false])
    func decision(isPinned: Bool) throws {
      let work = WaitingWork()
      let pins = isPinned ? ["good", "other"] : ["other", "client"]
      let verifier = NIOVerifier(try Material.manager(pins: pins[0], pins[1]))
        .deciding { work.append($0) }
      let isDecided = isPinned ? isAccepted : isPinMismatch
      var answers: [Answer] = []
      let connection = try connection { channel in
        try addClient(verifier, to: channel)
        answers.append(Answer(channel.holdfastOutcome()))
      }
      answers.append(ask(connection.client))
      #expect(answers.allSatisfy { $0.outcome == nil })
      work.run()
      connection.exchange()
      #expect(answers.allSatisfy { isDecided($0.outcome) })
      #expect(isDecided(ask(connection.client).outcome))
      connection.close()
      #expect(isDecided(ask(connection.client).outcome), "the channel is closed")
    }

    @Test("a client without a certificate, which need not have one, is decided about, and has none")
    func withoutCertificate() throws {
      let clients = NIOVerifier(
        clients: PathValidator(anchors: AnchorSet([try Material.certificate("root")])))
      let verifier = NIOVerifier(try Material.manager())
      let connection = try MemoryConnection {
        try addClient(verifier, to: $0)
      } _: { channel in
        try clients.addServerHandlers(
          to: channel, context: try Contexts.server("good", .optionalVerification))
      }
      #expect(isWithoutCertificate(ask(connection.server).outcome))
      connection.close()
      #expect(isWithoutCertificate(ask(connection.server).outcome))
    }

    @Test("a handshake that fails before the decision is an error, and no outcome")
    func failedHandshake() throws {
      let channel = EmbeddedChannel()
      try addClient(NIOVerifier(try Material.manager()), to: channel)
      channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 443), promise: nil)
      let before = ask(channel)
      _ = try? channel.writeInbound(ByteBuffer(string: "HTTP/1.1 400 Bad Request\r\n\r\n"))
      _ = try? channel.finish(acceptAlreadyClosed: true)
      for answer in [before, ask(channel)] {
        guard case .failure(NIOSSLError.handshakeFailed)? = answer.outcome else {
          Issue.record("\(String(describing: answer.outcome))")
          continue
        }
      }
    }

    @Test("a channel that is closed before the decision has an error, and no outcome")
    func closedBefore() throws {
      let channel = EmbeddedChannel()
      try addClient(NIOVerifier(try Material.manager()), to: channel)
      let before = ask(channel)
      _ = try? channel.finish(acceptAlreadyClosed: true)
      for answer in [before, ask(channel)] {
        #expect(throws: ChannelError.ioOnClosedChannel) { try answer.outcome?.get() }
        #expect(answer.outcome != nil)
      }
    }

    @Test("a channel without our handler has an error, and no outcome")
    func withoutHandler() throws {
      let channel = EmbeddedChannel()
      let answer = ask(channel)
      #expect(throws: ChannelPipelineError.notFound) { try answer.outcome?.get() }
      #expect(answer.outcome != nil)
      _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    @Test("who has connected knows whether the server is trusted, also once the channel is closed")
    func sockets() async throws {
      let context = try Contexts.server("good", .optionalVerification)
      let clients = NIOVerifier(clients: PathValidator(anchors: AnchorSet([])))
      let server = try EchoServer(context) { clients }
      for (pins, isDecided) in [
        (["good", "other"], isAccepted), (["other", "client"], isPinMismatch),
      ] {
        let verifier = NIOVerifier(try Material.manager(pins: pins[0], pins[1]))
        let context = try Contexts.client()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
          .channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
              try verifier.addClientHandlers(to: channel, context: context, host: "localhost")
            }
          }
          .connect(host: "127.0.0.1", port: Int(server.port)).get()
        #expect(isDecided(.success(try await channel.holdfastOutcome().get())))
        channel.close(promise: nil)
        try await channel.closeFuture.get()
        #expect(isDecided(.success(try await channel.holdfastOutcome().get())))
      }
    }

    @Test("decisions about channels that nobody has any more do not pile up")
    func bounded() throws {
      let kept = EmbeddedChannel()
      for _ in 0..<1000 {
        let channel = EmbeddedChannel()
        ClosedChannels.keep(.success(nil), of: channel)
        _ = try? channel.finish(acceptAlreadyClosed: true)
      }
      ClosedChannels.keep(.failure(ChannelError.alreadyClosed), of: kept)
      for _ in 0..<1000 {
        let channel = EmbeddedChannel()
        ClosedChannels.keep(.success(nil), of: channel)
        _ = try? channel.finish(acceptAlreadyClosed: true)
      }
      #expect(ClosedChannels.count < 500)
      #expect(throws: ChannelError.alreadyClosed) { try ClosedChannels.result(of: kept)?.get() }
      #expect(ClosedChannels.result(of: kept) != nil)
      _ = try? kept.finish(acceptAlreadyClosed: true)
    }
  }
#endif
