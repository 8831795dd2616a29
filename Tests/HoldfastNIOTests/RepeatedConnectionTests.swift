#if NIO && Curl
  import HTTPTestSupport
  import Holdfast
  import HoldfastNIO
  import NIOCore
  import NIOEmbedded
  import NIOSSL
  import Synchronization
  import Testing

  /// Connections of one client's context to one server's, which has tickets for it.
  @Suite(
    "A context of NIOSSL used again",
    .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"))
  struct RepeatedConnectionTests {
    private static let versions: [NIOSSL.TLSVersion] = [.tlsv12, .tlsv13]

    private let clientContext: NIOSSLContext

    init() throws { clientContext = try Contexts.client() }

    private func connection(
      _ verifier: NIOVerifier, host: String = "localhost", to server: NIOSSLContext
    ) throws -> Application {
      let connection = try MemoryConnection(greetings: ("question", "answer")) { channel in
        try verifier.addClientHandlers(to: channel, context: clientContext, host: host)
      } _: { channel in
        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: server))
      }
      connection.close()
      return connection.clientApplication
    }

    @Test("a client of NIOSSL makes a full handshake each time", arguments: versions)
    func neverResumes(version: NIOSSL.TLSVersion) throws {
      final class Count: Sendable { let value = Mutex(0) }
      let server = try Contexts.server("good", .none, version)
      let verifier = NIOVerifier(try Material.manager(pins: "good", "other"))
      let decisions = Count()
      for expected in 1...3 {
        let connection = try MemoryConnection(greetings: ("question", "answer")) { channel in
          let callback = try verifier.callbackWithMetadata(host: "localhost") { _ in
            decisions.value.withLock { $0 += 1 }
          }
          try channel.pipeline.syncOperations.addHandler(
            NIOSSLClientHandler(
              context: clientContext, serverHostname: "localhost",
              customVerificationCallbackWithMetadata: callback))
        } _: { channel in
          try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: server))
        }
        #expect(connection.clientApplication.received == "answer")
        #expect(decisions.value.withLock { $0 } == expected)
        connection.close()
      }
    }

    @Test("a server whose certificate has expired since is rejected", arguments: versions)
    func expired(version: NIOSSL.TLSVersion) throws {
      final class Clock: Sendable { let time = Mutex(Timestamp.now) }
      let clock = Clock()
      let server = try Contexts.server("good", .none, version)
      let verifier = NIOVerifier(try Material.manager(pins: "good", "other")) {
        clock.time.withLock(\.self)
      }
      #expect(try connection(verifier, to: server).received == "answer")
      clock.time.withLock { $0 = $0.advanced(bySeconds: 31 * 86_400) }
      let second = try connection(verifier, to: server)
      #expect(second.received.isEmpty)
      guard case .invalidPath(let error)? = second.errors.first as? TrustError else {
        Issue.record("\(second.errors)")
        return
      }
      #expect(error.rejections.first?.rule == .expired)
    }

    @Test("another verifier of the same context decides by its own pins", arguments: versions)
    func otherPins(version: NIOSSL.TLSVersion) throws {
      let server = try Contexts.server("good", .none, version)
      let before = NIOVerifier(try Material.manager(pins: "good", "other"))
      #expect(try connection(before, to: server).received == "answer")
      let since = NIOVerifier(try Material.manager(pins: "other", "client"))
      let second = try connection(since, to: server)
      #expect(second.received.isEmpty)
      guard case .pinMismatch? = second.errors.first as? TrustError else {
        Issue.record("\(second.errors)")
        return
      }
    }

    @Test("another verifier of the same context decides by its own anchors", arguments: versions)
    func otherAnchors(version: NIOSSL.TLSVersion) throws {
      let server = try Contexts.server("good", .none, version)
      #expect(try connection(NIOVerifier(try Material.manager()), to: server).received == "answer")
      let anchors = AnchorSet([try Material.certificate("other-root")])
      let since = NIOVerifier(
        TrustManager(pins: try PinTable([:]), anchors: anchors, otherHosts: .validate))
      let second = try connection(since, to: server)
      #expect(second.received.isEmpty)
      guard case .invalidPath(let error)? = second.errors.first as? TrustError else {
        Issue.record("\(second.errors)")
        return
      }
      #expect(error.rejections.first?.rule == .issuerNotFound)
    }

    @Test("the same server is rejected as another host", arguments: versions)
    func otherHost(version: NIOSSL.TLSVersion) throws {
      let server = try Contexts.server("good", .none, version)
      let verifier = NIOVerifier(try Material.manager())
      #expect(try connection(verifier, to: server).received == "answer")
      let second = try connection(verifier, host: "elsewhere.example", to: server)
      #expect(second.received.isEmpty)
      guard case .invalidPath(let error)? = second.errors.first as? TrustError else {
        Issue.record("\(second.errors)")
        return
      }
      #expect(error.rejections.first?.rule == .hostName)
    }
  }
#endif
