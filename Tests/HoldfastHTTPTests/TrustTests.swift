#if Curl
  import Foundation
  import Holdfast
  import HoldfastHTTP
  import HTTPTestSupport
  import HoldfastOpenSSL
  import Synchronization
  import Testing

  /// Who may receive a request.
  @Suite(
    "Trust of HTTP requests", .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"),
    .timeLimit(.minutes(10)))
  struct TrustTests {
    private func rejection(_ client: HTTPClient, _ url: String) async -> TrustError? {
      let error = await #expect(throws: HTTPError.self) {
        try await client.data(for: HTTPRequest(url))
      }
      if case .notTrusted(let error) = error { return error }
      Issue.record("\(String(describing: error))")
      return nil
    }

    @Test(
      "a server without a pinned key gets no byte of the request", arguments: [[], ["--tls1.2"]])
    func wrongPin(options: [String]) async throws {
      let server = try options.isEmpty ? LoopbackServer() : LoopbackServer("good", options[0])
      let client = HTTPClient(try Material.manager(pins: "other", "client"))
      guard case .pinMismatch = await rejection(client, server.url("/hello")) else {
        Issue.record("not a pin mismatch")
        return
      }
      #expect(try await server.log().requests.isEmpty)
    }

    @Test("a certificate for another host, or of an unknown CA, is rejected by its rule")
    func invalid() async throws {
      let server = try LoopbackServer("elsewhere")
      let client = HTTPClient(try Material.manager())
      guard case .invalidPath(let error) = await rejection(client, server.url("/hello")) else {
        Issue.record("not an invalid path")
        return
      }
      #expect(error.rejections.first?.rule == .hostName)
      let unknown = HTTPClient(
        TrustManager(
          pins: try PinTable([:]), anchors: AnchorSet([try Material.certificate("client")]),
          otherHosts: .validate))
      let good = try LoopbackServer()
      guard case .invalidPath(let error) = await rejection(unknown, good.url("/hello")) else {
        Issue.record("not an invalid path")
        return
      }
      #expect(error.rejections.first?.rule == .issuerNotFound)
    }

    @Test("the address of a URL is what the certificate must be for, not a name")
    func address() async throws {
      let server = try LoopbackServer()
      let client = HTTPClient(try Material.manager())
      let (data, _) = try await client.data(
        for: HTTPRequest(server.url("/hello", host: "127.0.0.1")))
      #expect(data.count == 5)
      var options = HTTPOptions()
      options.addresses = ["elsewhere.example": "127.0.0.1"]
      let other = HTTPClient(try Material.manager(), options: options)
      guard
        case .invalidPath = await rejection(other, server.url("/hello", host: "elsewhere.example"))
      else {
        Issue.record("not an invalid path")
        return
      }
    }

    @Test("a verdict that holds for one connection only serves one request")
    func verdictWithoutValidity() async throws {
      let server = try LoopbackServer()
      let verifier = TLSVerifier { peer in
        Verdict(.custom("a test"), host: peer.host, path: nil, at: Timestamp(secondsSince1970: 0))
      }
      let client = HTTPClient(verifier)
      for _ in 0..<5 { _ = try await client.data(for: HTTPRequest(server.url("/hello"))) }
      let log = try await server.log()
      #expect(log.requests.count == 5)
      #expect(log.connections == 6)
      #expect(log.resumed == 0)
    }

    @Test("a connection is not used again after its verdict has ended")
    func expiry() async throws {
      let server = try LoopbackServer()
      let time = Mutex(Timestamp.now)
      let manager = try Material.manager(pins: "good", "other")
      let client = HTTPClient(TLSVerifier(manager, clock: { time.withLock { $0 } }))
      let request = HTTPRequest(server.url("/hello"))
      for _ in 0..<2 { _ = try await client.data(for: request) }
      #expect(try await server.log().requests.count == 2)
      // The certificate is valid for 30 days. The connection is open, and the server would answer.
      time.withLock { $0 = Timestamp(secondsSince1970: $0.secondsSince1970 + 31 * 86400) }
      guard case .invalidPath(let error) = await rejection(client, request.url) else {
        Issue.record("not an invalid path")
        return
      }
      #expect(error.rejections.first?.rule == .expired)
      #expect(try await server.log().requests.count == 2)
    }

    @Test("a session is resumed while its verdict is valid, and otherwise replaced by a handshake")
    func resumption() async throws {
      let server = try LoopbackServer()
      let verifier = TLSVerifier(try Material.manager(pins: "good", "other"))
      let client = HTTPClient(verifier)
      for _ in 0..<3 { _ = try await client.data(for: HTTPRequest(server.url("/close"))) }
      let log = try await server.log()
      #expect(log.requests.count == 3)
      #expect(log.resumed == 2)

      let strict = TLSVerifier { peer in
        Verdict(.custom("a test"), host: peer.host, path: nil, at: Timestamp(secondsSince1970: 0))
      }
      let other = HTTPClient(strict)
      for _ in 0..<3 { _ = try await other.data(for: HTTPRequest(server.url("/close"))) }
      #expect(try await server.log().resumed == 2)
    }

    @Test("connections and sessions of one client are not those of another")
    func clients() async throws {
      let server = try LoopbackServer()
      let first = HTTPClient(try Material.manager(pins: "good", "client"))
      _ = try await first.data(for: HTTPRequest(server.url("/hello")))
      let second = HTTPClient(try Material.manager(pins: "other", "client"))
      guard case .pinMismatch = await rejection(second, server.url("/hello")) else {
        Issue.record("not a pin mismatch")
        return
      }
      #expect(try await server.log().requests.count == 1)
    }
  }
#endif
