#if Curl
  import HTTPTestSupport
  import Holdfast
  import HoldfastHTTP
  import HoldfastOnline
  import Testing

  /// Which hosts an `HTTPFetcher` connects to, and what a proxy does to that.
  @Suite(
    "What a fetcher reaches", .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"),
    .timeLimit(.minutes(10)))
  struct FetcherTests {
    /// Expectations from the hosts file: localhost is at 127.0.0.1 and, on some machines, at ::1.
    @Test("an address and a name without a dot are fetched from if a range contains the address")
    func ofPrivateCA() async throws {
      let server = try LoopbackServer("good", "--plain")
      let port = UInt16(server.port)
      let ranges = [try AddressRange("127.0.0.0/8")]
      for host in ["127.0.0.1", "localhost", "ca.localhost"] {
        let url = try FetchURL(server.url("/hello", host: host), ports: [port], ranges: ranges)
        let request = FetchRequest(.crl, url, deadline: .now + .seconds(120), ports: [port])
        #expect(try await HTTPFetcher(allowing: ranges).fetch(request).body == Array("hello".utf8))
        // A fetcher looks at the address again, whatever was allowed when the URL was read.
        let error = await #expect(throws: FetchError.self) {
          try await HTTPFetcher(allowing: [try AddressRange("10.0.0.0/8")]).fetch(request)
        }
        guard case .addressNotAllowed? = error else {
          Issue.record("\(host): \(String(describing: error))")
          continue
        }
      }
    }

    @Test("a name without a dot that leads to a public address is not fetched from")
    func publicName() async throws {
      let ranges = [try AddressRange("10.0.0.0/8")]
      let fetcher = HTTPFetcher(allowing: ranges, addresses: ["pki": "192.0.43.8"])
      let error = await #expect(throws: FetchError.self) {
        try await fetcher.fetch(
          FetchRequest(
            .crl, try FetchURL("http://pki/ca.crl", ranges: ranges),
            deadline: .now + .seconds(120)))
      }
      #expect(
        error
          == .addressNotAllowed(
            host: "pki", address: "192.0.43.8",
            reason: "public, where a name without a dot may not lead"))
    }

    @Test("a redirect to an address is followed if a range contains it")
    func redirected() async throws {
      let server = try LoopbackServer("good", "--plain")
      let port = UInt16(server.port)
      let target = server.url("/hello", host: "127.0.0.1")
      let url = server.url("/redirect?status=302&to=\(target)", host: "ca.localhost")
      let ranges = [try AddressRange("127.0.0.0/8")]
      let request = FetchRequest(
        .crl, try FetchURL(url, ports: [port]), deadline: .now + .seconds(120), ports: [port])
      #expect(try await HTTPFetcher(allowing: ranges).fetch(request).body == Array("hello".utf8))
    }

    /// RFC 9112 §3.2.2: a proxy gets the whole URL, and looks up the host.
    @Test("a fetcher with a proxy asks the proxy, and names it when something fails")
    func fetchesThroughProxy() async throws {
      let server = try LoopbackServer("good", "--plain")
      let name = "http://127.0.0.1:\(server.port)"
      let fetcher = HTTPFetcher(proxy: HTTPProxy(name))
      func request(_ url: String, _ ranges: [AddressRange] = []) throws -> FetchRequest {
        FetchRequest(
          .crl, try FetchURL(url, ranges: ranges), deadline: .now + .seconds(120))
      }
      #expect(
        try await fetcher.fetch(request("http://ca.example/hello")).body == Array("hello".utf8))
      #expect(try await server.log().requests.first?.target == "http://ca.example/hello")
      func error(_ fetcher: HTTPFetcher, _ request: FetchRequest) async -> FetchError? {
        await #expect(throws: FetchError.self) { try await fetcher.fetch(request) }
      }
      #expect(
        try await error(fetcher, request("http://ca.example/status/503"))
          == .through(name, .status(503)))
      let gone = HTTPFetcher(proxy: HTTPProxy("http://127.0.0.1:1"))
      #expect(
        try await error(gone, request("http://ca.example/"))?.description
          == "cannot connect to the proxy http://127.0.0.1:1: Connection refused (127.0.0.1)")
      // To what address the name leads is the proxy's to find.
      let ranges = [try AddressRange("10.0.0.0/8")]
      guard case .invalidURL? = try await error(fetcher, request("http://pki/hello", ranges)) else {
        Issue.record("a name without a dot goes through a proxy")
        return
      }
      #expect(
        try await fetcher.fetch(request("http://10.0.0.1/hello", ranges)).body
          == Array("hello".utf8))
      let secret = HTTPFetcher(proxy: HTTPProxy("http://me:secret@127.0.0.1:1"))
      let refused = try await error(secret, request("http://ca.example/"))
      #expect(refused?.description.contains("secret") == false, "\(String(describing: refused))")
    }

    /// RFC 1928 §5: the request has a name, or an address that the client has looked up.
    @Test(
      "a SOCKS proxy gets the name of the host, whatever its scheme",
      arguments: ["socks5", "socks5h"])
    func socks(scheme: String) async throws {
      let server = try LoopbackServer("good", "--plain")
      let fetcher = HTTPFetcher(proxy: HTTPProxy("\(scheme)://127.0.0.1:\(server.port)"))
      let request = FetchRequest(
        .crl, try FetchURL("http://ca.localhost/hello"), deadline: .now + .seconds(120))
      #expect(try await fetcher.fetch(request).body == Array("hello".utf8))
      #expect(try await server.log().requests.map(\.target) == ["name ca.localhost", "/hello"])
    }
  }
#endif
