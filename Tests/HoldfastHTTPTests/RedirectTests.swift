#if Curl
  import Foundation
  import Holdfast
  import HoldfastHTTP
  import HTTPTestSupport
  import HoldfastIdentities
  import HoldfastOnline
  import HoldfastOpenSSL
  import Synchronization
  import Testing

  /// What follows a redirect, and what goes through a proxy.
  @Suite(
    "Redirects and proxies of HTTP requests",
    .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"), .timeLimit(.minutes(10)))
  struct RedirectTests {
    private static func target(_ status: Int, _ url: String) -> String {
      let allowed = CharacterSet.alphanumerics
      let to = url.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
      return "/redirect?status=\(status)&size=1000&to=\(to)"
    }

    @Test(
      "a redirect changes method and body as RFC 9110 says",
      arguments: [
        (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"),
        (301, "PUT", "PUT"), (307, "POST", "POST"), (308, "POST", "POST"),
      ])
    func methods(status: Int, method: String, next: String) async throws {
      let server = try LoopbackServer()
      let client = HTTPClient(try Material.manager())
      let request = HTTPRequest(
        server.url(Self.target(status, "/echo")), method: method,
        fields: ["Authorization": "me", "Content-Type": "text/plain"], body: .bytes([1, 2, 3]))
      let (data, response) = try await client.data(for: request)
      let seen = try JSONDecoder().decode(LoopbackServer.Log.Request.self, from: Data(data))
      #expect(response.url == server.url("/echo"))
      #expect(seen.method == next)
      #expect(seen.body?.size == (next == "GET" ? 0 : 3))
      #expect((seen.headers["content-type"] == nil) == (next == "GET"))
      // The same origin may know who asks.
      #expect(seen.headers["authorization"] == "me")
      #expect(try await server.log().connections == 2)
    }

    @Test("another origin gets no field that may be a credential")
    func credentials() async throws {
      let (first, second) = (try LoopbackServer(), try LoopbackServer("other"))
      let client = HTTPClient(try Material.manager())
      let request = HTTPRequest(
        first.url(Self.target(302, second.url("/echo"))),
        fields: ["Authorization": "me", "Cookie": "a=b", "X-Api-Key": "k", "Accept": "text/plain"])
      let (data, response) = try await client.data(for: request)
      let seen = try JSONDecoder().decode(LoopbackServer.Log.Request.self, from: Data(data))
      #expect(response.url == second.url("/echo"))
      #expect(seen.headers["authorization"] == nil)
      #expect(seen.headers["cookie"] == nil)
      #expect(seen.headers["x-api-key"] == nil)
      #expect(seen.headers["accept"] == "text/plain")
    }

    @Test(
      "another origin does not get the client certificate, whatever connections and sessions there are",
      arguments: ["--tls1.2", "--tls1.3"], ["/client", "/client?close=1"])
    func identityElsewhere(version: String, path: String) async throws {
      let words = ["--clients", try Material.path("root.pem"), "--optional"]
      let first = try LoopbackServer("good", version, words[0], words[1], words[2])
      let second = try LoopbackServer("other", version, words[0], words[1], words[2])
      let options = HTTPOptions(identity: try Material.identity("client"))
      let client = HTTPClient(try Material.manager(), options: options)
      // 200 says that the server knows the client.
      let redirect = first.url(Self.target(302, second.url(path)))
      for (url, status) in [
        (first.url(path), 200), (redirect, 400), (second.url(path), 200), (redirect, 400),
        (second.url(path), 200), (first.url(Self.target(302, first.url(path))), 200),
      ] {
        #expect(try await client.data(from: url).response.status == status, "\(url)")
      }
      // The way back is not that of the request's own URL either.
      let back = second.url(Self.target(302, first.url(path)))
      let there = first.url(Self.target(302, back))
      #expect(try await client.data(from: there).response.status == 400)
      // A function of the host is asked wherever a request goes.
      var chosen = HTTPOptions()
      chosen.identityForHost = { [identity = options.identity] _ in identity }
      let other = HTTPClient(try Material.manager(), options: chosen)
      #expect(try await other.data(from: redirect).response.status == 200)
    }

    @Test("a redirect to a host with another key is rejected before a byte of the request")
    func wrongPin() async throws {
      let (first, second) = (try LoopbackServer(), try LoopbackServer("other"))
      let client = HTTPClient(try Material.manager(pins: "good", "client"))
      let error = await #expect(throws: HTTPError.self) {
        try await client.data(for: HTTPRequest(first.url(Self.target(307, second.url("/echo")))))
      }
      guard case .notTrusted(.pinMismatch) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(try await first.log().requests.count == 1)
      #expect(try await second.log().requests.isEmpty)
    }

    @Test("public addresses only: neither a host nor its address nor a redirect leads home")
    func publicOnly() async throws {
      let server = try LoopbackServer()
      func refusal(_ url: String, _ addresses: HTTPAddresses) async throws -> String? {
        var options = HTTPOptions.publicOnly
        options.addresses = addresses
        let client = HTTPClient(try Material.manager(), options: options)
        let error = await #expect(throws: HTTPError.self) { try await client.data(from: url) }
        guard case .addressNotAllowed(_, let address, _)? = error else {
          Issue.record("\(url): \(String(describing: error))")
          return nil
        }
        #expect(error?.code == "address_not_allowed" && error?.wasSent == false)
        return address
      }
      #expect(try await refusal("https://127.0.0.1:\(server.port)/", .publicOnly) == "127.0.0.1")
      #expect(try await refusal(server.url("/"), .publicOnly) != nil)
      #expect(try await refusal("https://[::ffff:127.0.0.1]/", .publicOnly) != nil)
      var instead = HTTPAddresses.publicOnly
      instead["a.example"] = "127.0.0.1:\(server.port)"
      #expect(instead["a.example"] != nil)
      #expect(try await refusal("https://a.example/", instead) == "127.0.0.1")
      #expect(try await server.log().requests.isEmpty)
      // What is allowed is reached, and its redirect is checked like it.
      let home = HTTPAddresses.publicOnly(allowing: [try AddressRange("127.0.0.1")])
      let elsewhere = "https://127.0.0.2:\(server.port)/"
      #expect(try await refusal(server.url(Self.target(302, elsewhere)), home) == "127.0.0.2")
      #expect(try await server.log().requests.count == 1)
    }

    @Test("for strangers' URLs there are limits of redirects and of a body")
    func limitsForStrangers() async throws {
      let server = try LoopbackServer()
      var options = HTTPOptions.publicOnly
      options.addresses = .publicOnly(allowing: [try AddressRange("127.0.0.1")])
      let client = HTTPClient(try Material.manager(), options: options)
      func code(_ path: String) async throws -> String? {
        let url = server.url(path, host: "127.0.0.1")
        do throws(HTTPError) {
          _ = try await client.data(from: url)
          return nil
        } catch {
          return error.code
        }
      }
      #expect(try await code("/chain/3") == nil)
      #expect(try await code("/chain/4") == "too_many_redirects")
      // Of compressed bodies, what comes out counts.
      #expect(try await code("/bomb/100000000") == "body_too_long")
    }

    @Test("public addresses only: a proxy is refused, because its connections are not seen")
    func publicOnlyProxy() async throws {
      var options = HTTPOptions.publicOnly
      options.proxy = HTTPProxy("http://127.0.0.1:\(try LoopbackServer().port)")
      let client = HTTPClient(try Material.manager(), options: options)
      let error = await #expect(throws: HTTPError.self) {
        try await client.data(from: "https://a.example/")
      }
      guard case .addressNotAllowed? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test("the body of a request goes to another origin only if the options say so")
    func bodyElsewhere() async throws {
      let (first, second) = (try LoopbackServer(), try LoopbackServer("other"))
      let client = HTTPClient(try Material.manager())
      func request(_ status: Int, _ target: String) -> HTTPRequest {
        HTTPRequest(
          first.url(Self.target(status, target)), method: "POST", body: .bytes([1, 2, 3]))
      }
      for status in [307, 308] {
        let error = await #expect(throws: HTTPError.self) {
          try await client.data(for: request(status, second.url("/echo")))
        }
        guard case .redirectToOtherOrigin(to: second.url("/echo")) = error else {
          Issue.record("\(String(describing: error))")
          return
        }
      }
      #expect(try await second.log().connections == 1)
      // The same origin gets it, and another one a GET.
      _ = try await client.data(for: request(307, first.url("/echo")))
      _ = try await client.data(for: request(303, second.url("/echo")))
      var options = HTTPOptions()
      options.sendsBodiesToOtherOrigins = true
      let open = HTTPClient(try Material.manager(), options: options)
      _ = try await open.data(for: request(307, second.url("/echo")))
      #expect(try await second.log().requests.map(\.method) == ["GET", "POST"])
    }

    @Test("an address of IPv6 is connected to elsewhere if the options say so")
    func bracketedAddress() async throws {
      let server = try LoopbackServer()
      let hosts = Mutex<[String?]>([])
      let verifier = TLSVerifier { peer in
        hosts.withLock { $0.append(peer.host) }
        return Verdict(.nothingChecked, host: peer.host, path: nil, at: peer.time)
      }
      var options = HTTPOptions()
      options.addresses = ["::1": "127.0.0.1"]
      let client = HTTPClient(verifier, options: options)
      let request = HTTPRequest(server.url("/hello", host: "[::1]"))
      #expect(try await client.data(for: request).data.count == 5)
      #expect(hosts.withLock { $0 } == ["::1"])
    }

    @Test(
      "what a proxy answers to CONNECT is never the response",
      arguments: [
        ("early", nil), ("plain", nil), ("body", nil), ("forbidden", 403), ("redirect", 302),
        ("garbage", nil), ("long", nil), ("interim", nil),
      ] as [(String, Int?)])
    func proxyAnswer(kind: String, status: Int?) async throws {
      let proxy = try LoopbackServer("good", "--plain", "--proxy", "--kind", kind)
      var options = HTTPOptions()
      options.proxy = HTTPProxy("http://127.0.0.1:\(proxy.port)")
      options.timeout = .seconds(30)
      let client = HTTPClient(try Material.manager(), options: options)
      let request = HTTPRequest("https://a.example/", fields: ["Authorization": "secret"])
      let error = await #expect(throws: HTTPError.self) { try await client.data(for: request) }
      if let status {
        let url = "http://127.0.0.1:\(proxy.port)"
        guard case .refusedByProxy(url, status: status, host: "a.example") = error else {
          Issue.record("\(String(describing: error))")
          return
        }
      }
      #expect(error.map { "\($0)".contains("SMUGGLED") } == false)
      #expect(try await proxy.log().requests.allSatisfy { $0.headers["authorization"] == nil })
    }

    @Test("no redirect leads to http, and the limit of redirects holds")
    func limits() async throws {
      let (server, plain) = (try LoopbackServer(), try LoopbackServer("good", "--plain"))
      var options = HTTPOptions()
      options.allowsPlainHTTP = true
      options.maximumRedirects = 3
      let client = HTTPClient(try Material.manager(), options: options)
      let downgrade = await #expect(throws: HTTPError.self) {
        try await client.data(for: HTTPRequest(server.url(Self.target(302, plain.url("/hello")))))
      }
      guard case .redirectNotEncrypted = downgrade else {
        Issue.record("\(String(describing: downgrade))")
        return
      }
      #expect(try await plain.log().requests.isEmpty)
      #expect(
        try await client.data(for: HTTPRequest(server.url("/chain/3"))).data == Array("end".utf8))
      let loop = await #expect(throws: HTTPError.self) {
        try await client.data(for: HTTPRequest(server.url("/chain/4")))
      }
      guard case .tooManyRedirects(3, host: "localhost:\(server.port)") = loop else {
        Issue.record("\(String(describing: loop))")
        return
      }
      options.maximumRedirects = 0
      let still = HTTPClient(try Material.manager(), options: options)
      #expect(
        try await still.data(for: HTTPRequest(server.url("/chain/1"))).response.status == 302)
    }

    @Test("through a proxy the origin is judged, and the proxy sees no field of the request")
    func proxy() async throws {
      let server = try LoopbackServer()
      let proxy = try LoopbackServer("good", "--plain", "--proxy", "--credentials", "bWU6c2VjcmV0")
      var options = HTTPOptions()
      options.proxy = HTTPProxy("http://127.0.0.1:\(proxy.port)", credentials: ("me", "secret"))
      let client = HTTPClient(try Material.manager(pins: "good", "client"), options: options)
      let request = HTTPRequest(server.url("/echo"), fields: ["Authorization": "Bearer token"])
      let (data, _) = try await client.data(for: request)
      let seen = try JSONDecoder().decode(LoopbackServer.Log.Request.self, from: Data(data))
      #expect(seen.headers["authorization"] == "Bearer token")
      #expect(seen.headers["proxy-authorization"] == nil)
      let strict = HTTPClient(try Material.manager(pins: "other", "client"), options: options)
      let error = await #expect(throws: HTTPError.self) { try await strict.data(for: request) }
      guard case .notTrusted(.pinMismatch) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      let log = try await proxy.log()
      #expect(log.requests.filter { $0.method == "CONNECT" }.count == 2)
      #expect(log.requests.allSatisfy { $0.headers["authorization"] == nil })
      options.proxy?.credentials = nil
      let stranger = HTTPClient(try Material.manager(), options: options)
      let refused = await #expect(throws: HTTPError.self) { try await stranger.data(for: request) }
      guard case .refusedByProxy(_, status: 407, _) = refused else {
        Issue.record("\(String(describing: refused))")
        return
      }
    }

    @Test("an HTTPS proxy has a policy of its own, and none is trusted without one")
    func encryptedProxy() async throws {
      let server = try LoopbackServer()
      let proxy = try LoopbackServer("other", "--proxy")
      let request = HTTPRequest(server.url("/hello"))
      var options = HTTPOptions()
      options.proxy = HTTPProxy("https://localhost:\(proxy.port)")
      func error() async throws -> HTTPError? {
        let client = HTTPClient(try Material.manager(pins: "good", "client"), options: options)
        return await #expect(throws: HTTPError.self) { try await client.data(for: request) }
      }
      guard case .proxyNotTrusted(.rejected) = try await error() else {
        Issue.record("an HTTPS proxy without a policy is used")
        return
      }
      // The origin's pins are not the proxy's, and the other way around.
      options.proxy?.verifier = TLSVerifier(try Material.manager(pins: "good", "client"))
      guard case .proxyNotTrusted(.pinMismatch) = try await error() else {
        Issue.record("the proxy is judged by another policy")
        return
      }
      options.proxy?.verifier = TLSVerifier(try Material.manager(pins: "other", "client"))
      let client = HTTPClient(try Material.manager(pins: "good", "client"), options: options)
      #expect(try await client.data(for: request).data.count == 5)
      let wrong = HTTPClient(try Material.manager(pins: "other", "client"), options: options)
      let origin = await #expect(throws: HTTPError.self) { try await wrong.data(for: request) }
      guard case .notTrusted(.pinMismatch) = origin else {
        Issue.record("\(String(describing: origin))")
        return
      }
    }

    @Test("a connection through an HTTPS proxy ends with the proxy's verdict")
    func proxyExpiry() async throws {
      let server = try LoopbackServer()
      let plain = try LoopbackServer("good", "--plain")
      let proxy = try LoopbackServer("other", "--proxy")
      var options = HTTPOptions()
      options.allowsPlainHTTP = true
      let lasting = TLSVerifier(try Material.manager())
      let passing = TLSVerifier { peer in
        Verdict(.custom("a test"), host: peer.host, path: nil, at: Timestamp(secondsSince1970: 0))
      }
      for (verifier, handshakes) in [(lasting, 1), (passing, 3)] {
        options.proxy = HTTPProxy("https://localhost:\(proxy.port)", verifier: verifier)
        for url in [server.url("/hello"), plain.url("/hello")] {
          let client = HTTPClient(try Material.manager(), options: options)
          let before = try await proxy.log().handshakes ?? 0
          for _ in 0..<3 { _ = try await client.data(for: HTTPRequest(url)) }
          // The log is asked on a connection of its own.
          #expect(try await proxy.log().handshakes == before + handshakes + 1)
        }
      }
    }

    @Test("a client certificate is presented to the hosts that it is for")
    func clientCertificate() async throws {
      let server = try LoopbackServer("good", "--clients", try Material.path("root.pem"))
      let identity = try Material.identity("client")
      var options = HTTPOptions()
      options.identityForHost = { $0 == "localhost" ? identity : nil }
      let client = HTTPClient(try Material.manager(), options: options)
      #expect(try await client.data(for: HTTPRequest(server.url("/hello"))).data.count == 5)
      await #expect(throws: HTTPError.self) {
        try await client.data(for: HTTPRequest(server.url("/hello", host: "127.0.0.1")))
      }
    }
  }
#endif
