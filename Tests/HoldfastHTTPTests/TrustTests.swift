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

    @Test("a workload is trusted by its SPIFFE ID alone, whatever its host is")
    func workload() async throws {
      let server = try LoopbackServer("workload")
      var constraints = TrustAnchor.Constraints()
      constraints.trustDomains = [try SPIFFETrustDomain("example.org")]
      let root = TrustAnchor(try Material.certificate("root"), constraints: constraints)
      let validator = PathValidator(anchors: AnchorSet([root]))
      let client = HTTPClient(validator, peer: try .id("spiffe://example.org/api"))
      for _ in 0..<2 {
        let (data, _) = try await client.data(for: HTTPRequest(server.url("/hello")))
        #expect(data.count == 5)
      }
      for (other, rule) in [
        (HTTPClient(validator, peer: try .id("spiffe://example.org/other")), Rule.spiffeID),
        (HTTPClient(validator, peer: SPIFFEPeers()), .spiffeID),
        (HTTPClient(validator), .hostName),
      ] {
        guard case .invalidPath(let error) = await rejection(other, server.url("/hello")) else {
          Issue.record("not an invalid path")
          return
        }
        #expect(error.rejections.first?.rule == rule)
      }
    }

    @Test("neither a connection nor a session of a host serves one whose entry trusts another CA")
    func trustByHost() async throws {
      let server = try LoopbackServer()
      let (root, other) = (try Material.certificate("root"), try Material.certificate("other-root"))
      // The server's certificate has both names.
      let table = try PinTable(trust: [
        "localhost": HostTrust(anchors: AnchorSet([root])),
        "127.0.0.1": HostTrust(anchors: AnchorSet([other])),
      ])
      let client = HTTPClient(TrustManager(pins: table, anchors: AnchorSet([other])))
      for _ in 0..<2 {
        let (data, _) = try await client.data(from: server.url("/hello"))
        #expect(data.count == 5)
        let refused = await rejection(client, server.url("/hello", host: "127.0.0.1"))
        #expect(refused?.code == "issuer_not_found")
        #expect(
          refused?.logLine.hasPrefix("127.0.0.1:\(server.port): ") == true
            && refused?.logLine.contains(" (by the trust of 127.0.0.1 alone)") == true)
      }
      #expect(try await server.log().requests.count == 2)
      #expect(try await server.log().resumed == 0)
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

    @Test("a connection serves a second request only if no rule of the caller's was asked")
    func ownRule() async throws {
      let server = try LoopbackServer()
      let root = AnchorSet([try Material.certificate("root")])
      let isDenied = Mutex(false)
      var rules = ValidationRules.webPKI
      rules.check = { _, _ in isDenied.withLock { $0 } ? Violation("denied") : nil }
      let validator = PathValidator(anchors: root, rules: rules)
      let manager = TrustManager(
        pins: try PinTable([:]), anchors: root, rules: rules, otherHosts: .validate)
      for verifier in [
        TLSVerifier(validator), TLSVerifier(manager), TLSVerifier(manager, validator: validator),
      ] {
        isDenied.withLock { $0 = false }
        let client = HTTPClient(verifier)
        _ = try await client.data(for: HTTPRequest(server.url("/hello")))
        isDenied.withLock { $0 = true }
        // A moment is a second.
        try await Task.sleep(for: .milliseconds(1100))
        guard case .invalidPath(let error) = await rejection(client, server.url("/hello")) else {
          Issue.record("not an invalid path")
          return
        }
        #expect(error.rejections.first?.rule == .veto)
      }
    }

    @Test("what is verified is what the server is asked for, however the URL is written")
    func hosts() async throws {
      let server = try LoopbackServer()
      let hosts = Mutex<[String]>([])
      let verifier = TLSVerifier { peer in
        hosts.withLock { $0.append(peer.host ?? "") }
        return Verdict(.nothingChecked, host: peer.host, path: nil, at: peer.time)
      }
      var options = HTTPOptions()
      options.addresses = ["": "127.0.0.1:\(server.port)"]
      var count = 0
      for url in Self.verifiedURLs {
        hosts.withLock { $0 = [] }
        do throws(HTTPError) {
          _ = try await HTTPClient(verifier, options: options).data(for: HTTPRequest(url))
        } catch {
          switch error {
          case .invalidURL, .invalidHost: continue
          default: throw error
          }
        }
        count += 1
        let verified = try #require(hosts.withLock { $0.count == 1 ? $0.first : nil }, "\(url)")
        let seen = try #require(try await server.log().requests.last)
        // RFC 6066 §3: no name is sent for an address, and none has a dot at its end.
        let isAddress = verified.contains(":") || verified.allSatisfy { "0123456789.".contains($0) }
        #expect(seen.name == (isAddress ? nil : verified), "\(url)")
        let asked = seen.headers["host"] ?? ""
        let host =
          asked.hasPrefix("[")
          ? asked.dropFirst().prefix { $0 != "]" } : asked.prefix { $0 != ":" }
        #expect(HostName.canonical(String(host)) == verified, "\(url)")
      }
      // As many as libcurl accepts are asked for; the first ones are plain.
      #expect(count >= 10)
    }

    /// URLs that two readers may understand in two ways.
    static let verifiedURLs = [
      "https://a.example/", "HTTPS://A.EXAMPLE/", "https://a.example./", "https://a.example../",
      "https://%61.example/", "https://a%2eexample/", "https://%2561.example/",
      "https://a.example%2f.evil.example/", "https://a.example%5c.evil.example/",
      "https://a.example%23.evil.example/", "https://a.example%40evil.example/",
      "https://a.example%00.evil.example/", "https://a.example\r\nX: y/", "https://a.example\t/",
      "https://a.example /", " https://a.example/", "https://a.example/\r\nX: y",
      "https://user@a.example/", "https://@a.example/", "https://:@a.example/",
      "https://a.example@evil.example/", "https://a.example:443@evil.example/",
      "https://a.example\\@evil.example/", "https://evil.example#@a.example/",
      "https://evil.example?@a.example/", "https://evil.example;a.example/", "https:a.example/",
      "https:/a.example/", "https:///a.example/", "https:\\\\a.example/", "//a.example/",
      "https://a.example:443/", "https://a.example:0443/", "https://a.example:65979/",
      "https://a.example:/", "https://a.example:+443/", "https://127.0.0.1/", "https://127.1/",
      "https://0x7f.1/", "https://2130706433/", "https://0177.0.0.1/", "https://127.0.0.1./",
      "https://[::1]/", "https://[::1%25lo]/", "https://[::ffff:127.0.0.1]/",
      "https://[0:0:0:0:0:0:0:1]/", "https://[v1.x]/", "https://[a.example]/",
      "https://[::1].evil.example/", "https://b\u{FC}cher.example/",
      "https://xn--bcher-kva.example/",
      "https://a\u{3002}example/", "https://\u{FF41}.example/", "https://a.exam\u{AD}ple/",
      "https://_x.a.example/", "https://-a.example/", "https://a..example/", "https://.a.example/",
    ]
  }
#endif
