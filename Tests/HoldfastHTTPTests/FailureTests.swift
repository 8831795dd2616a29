#if Curl
  import Foundation
  import Holdfast
  @testable import HoldfastHTTP
  import HTTPTestSupport
  import HoldfastIdentities
  import HoldfastOnline
  import HoldfastOpenSSL
  import TestSupport
  import Testing

  /// What is said of a connection that fails: which host, and what it has against the client.
  @Suite(
    "Failures of connections", .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"),
    .timeLimit(.minutes(10)))
  struct FailureTests {
    private func identity(_ name: String) throws -> Identity {
      try Identity(
        pem: Array(Data(contentsOf: URL(fileURLWithPath: try Material.path("\(name).key")))),
        certificates: Array(
          Data(contentsOf: URL(fileURLWithPath: try Material.path("\(name).pem")))))
    }

    /// The error of a request with a client certificate of this name.
    private func error(_ identity: String? = nil, _ url: String) async throws -> HTTPError? {
      var options = HTTPOptions()
      if let identity = try identity.map({ try self.identity($0) }) {
        options.identity = identity
      }
      let client = HTTPClient(try Material.manager(), options: options)
      return await #expect(throws: HTTPError.self) {
        try await client.data(for: HTTPRequest(url))
      }
    }

    @Test("an alert of the server is said in words, with the host, and is no lost connection")
    func alert() async throws {
      let server = try LoopbackServer("good", "--clients", try Material.path("root.pem"))
      let missing = try #require(try await error(nil, server.url("/hello")))
      let name = "localhost:\(server.port)"
      #expect(
        missing.logLine
          == "\(name): the server requires a client certificate (alert 116, certificate_required) "
          + "code=no_client_certificate")
      #expect(missing.summary == "\(name) accepts only programs that have a certificate.")
      guard case .noClientCertificate(host: name, _) = missing else {
        Issue.record("\(missing)")
        return
      }
      // The extended key usage of this certificate is for servers.
      let wrong = try #require(try await error("other", server.url("/hello")))
      #expect(
        wrong.logLine.hasSuffix("(alert 43, unsupported_certificate) code=tls_alert"), "\(wrong)")
      #expect(wrong.summary == "\(name) does not accept the certificate of this program.")
    }

    @Test("below TLS 1.3 an alert that ends the handshake is said to want a client certificate")
    func alertBefore13() async throws {
      let server = try LoopbackServer(
        "good", "--tls1.2", "--clients", try Material.path("root.pem"))
      let name = "localhost:\(server.port)"
      let missing = try #require(try await error(nil, server.url("/hello")))
      guard case .noClientCertificate(host: name, _) = missing else {
        Issue.record("\(missing)")
        return
      }
      #expect(
        missing.logLine
          == "\(name): the server asked for a client certificate and none was given "
          + "(alert 40, handshake_failure) code=no_client_certificate")
      #expect(missing.summary == "\(name) accepts only programs that have a certificate.")
    }

    @Test("a response knows that the server has asked for a client certificate, on each connection")
    func optional() async throws {
      let roots = try Material.path("root.pem")
      for version in ["--tls1.2", "--tls1.3"] {
        let server = try LoopbackServer("good", version, "--clients", roots, "--optional")
        let client = HTTPClient(try Material.manager())
        for _ in 0..<2 {
          let (_, response) = try await client.data(from: server.url("/client"))
          #expect(response.status == 400 && response.requestsClientCertificate)
        }
        #expect(try await server.log().connections == 2, "the log's own is one of them")
        let known = HTTPClient(
          try Material.manager(), options: HTTPOptions(identity: try identity("client")))
        let (_, response) = try await known.data(from: server.url("/client"))
        #expect(response.status == 200 && response.requestsClientCertificate)
      }
      let other = try LoopbackServer()
      let (_, response) = try await HTTPClient(try Material.manager()).data(
        from: other.url("/client"))
      #expect(response.status == 400 && !response.requestsClientCertificate)
    }

    @Test(
      "a missing client certificate is the reason of what may mean it, and of nothing else",
      arguments: [
        (HTTPError.connectionLost(host: "a", reason: "the server closed it", wasSent: true), true),
        (.connectionLost(host: "a", reason: "error:0A00045C:SSL routines::x", wasSent: true), true),
        (.tls(host: "a", reason: "error:0A000412:SSL routines::x"), true),
        (.tls(host: "a", reason: "error:0A000410:SSL routines::x"), true),
        // protocol_version and internal_error.
        (.tls(host: "a", reason: "error:0A00042E:SSL routines::x"), false),
        (
          .connectionLost(host: "a", reason: "error:0A000438:SSL routines::x", wasSent: true), false
        ),
        (.tls(host: "a", reason: "error:0A00010B:SSL routines::x"), false),
        (.timeout(host: "a", wasSent: true), false),
      ])
    func missingCertificate(error: HTTPError, isIt: Bool) {
      if case .noClientCertificate = error.lackingClientCertificate {
        #expect(isIt, "\(error)")
      } else {
        #expect(!isIt, "\(error)")
      }
    }

    @Test("a client sees under TLS 1.3, too, whether the server accepts its certificate")
    func acceptance() throws {
      let server = try LoopbackServer("good", "--clients", try Material.path("root.pem"))
      func isAccepted(_ name: String) throws -> Bool {
        var options = TLSClient.Options()
        options.identity = try identity(name)
        let connection = try TLSClient(TLSVerifier(try Material.manager()), options: options)
          .connect(to: "localhost", port: UInt16(server.port), address: "127.0.0.1")
        #expect(connection.version == "TLSv1.3" && connection.requestsClientCertificate)
        return try connection.awaitAnswerToCertificate(for: .seconds(300))
      }
      #expect(try isAccepted("client"))
      let error = #expect(throws: TLSError.self) { try isAccepted("other") }
      guard case .alert(43, host: "localhost:\(server.port)") = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test("a port of plain HTTP does not speak TLS")
    func plain() async throws {
      let server = try LoopbackServer("good", "--plain")
      let error = try #require(try await error(nil, "https://localhost:\(server.port)/"))
      let name = "localhost:\(server.port)"
      #expect(error.logLine == "\(name): the server does not speak TLS code=not_tls")
      #expect(error.summary == "No secure connection to \(name) could be made.")
      let direct = #expect(throws: TLSError.self) {
        try TLSClient(TLSVerifier(try Material.manager()))
          .connect(to: "localhost", port: UInt16(server.port), address: "127.0.0.1")
      }
      #expect(
        direct?.description
          == "\(name): the server does not speak TLS: its answer begins with "
          + "\"HTTP/1.1 400 Bad Request\"")
      #expect(direct?.summary == "No secure connection to \(name) could be made.")
    }

    @Test("a server that closes the connection has done that, whatever libcurl calls it")
    func closed() async throws {
      let server = try LoopbackServer("good", "--kind", "closes")
      let error = try #require(try await error(nil, server.url("/hello")))
      let name = "localhost:\(server.port)"
      #expect(
        error.logLine
          == "\(name): the connection was lost: the server closed it code=connection_lost")
      #expect(error.summary == "\(name) ended the connection.")
      // As libcurl 7.88 and 8 say it of a server that has gone before its address is asked for.
      #expect(
        Transfer.saysClosed(
          "getpeername() failed with errno 107: Transport endpoint is not connected"))
      #expect(!Transfer.saysClosed("Connection reset by peer"))
    }

    /// libcurl looks at no time limit before OpenSSL has read all that there is.
    @Test("a server that sends HelloRequest without end is left, and other requests go on")
    func endlessHandshake() async throws {
      let (server, other) = (
        try LoopbackServer("good", "--kind", "hello-requests"), try LoopbackServer()
      )
      let client = HTTPClient(try Material.manager())
      let error = await #expect(throws: HTTPError.self) {
        try await client.data(from: server.url("/hello"))
      }
      guard case .tls(host: "localhost:\(server.port)", let reason)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(reason == "the server sends handshake messages without end")
      #expect(try await client.data(from: other.url("/hello")).data == Array("hello".utf8))
    }

    @Test("a refused connection names the address that refused it")
    func refused() async throws {
      let manager = try Material.manager()
      var options = HTTPOptions()
      options.addresses = ["a.example": "127.0.0.1"]
      let client = HTTPClient(manager, options: options)
      let error = await #expect(throws: HTTPError.self) {
        try await client.data(for: HTTPRequest("https://a.example:1/"))
      }
      #expect(
        error?.logLine
          == "a.example:1: cannot connect: Connection refused (127.0.0.1) code=unreachable")
      #expect(error?.isTransient == true && error?.wasSent == false)
      #expect(error?.summary == "a.example:1 cannot be reached.")
      let direct = #expect(throws: TLSError.self) {
        try TLSClient(TLSVerifier(manager)).connect(to: "localhost", port: 1)
      }
      let text = try #require(direct?.description)
      #expect(text.hasPrefix("cannot connect to localhost:1: Connection refused ("))
      #expect(text.contains("127.0.0.1"), "\(text)")
      let address = #expect(throws: TLSError.self) {
        try TLSClient(TLSVerifier(manager)).connect(to: "127.0.0.1", port: 1)
      }
      #expect(address?.description == "cannot connect to 127.0.0.1:1: Connection refused")
      // What is said to be the address is not who was asked for.
      let other = #expect(throws: TLSError.self) {
        try TLSClient(TLSVerifier(manager)).connect(to: "a.example", port: 1, address: "127.0.0.1")
      }
      #expect(
        other?.description == "cannot connect to a.example:1: Connection refused (127.0.0.1)")
    }

    /// A responder of one's own: its host is at ::1 as well, which is not allowed.
    @Test("a responder that is down has refused, and not an address that was not asked")
    func responder() async throws {
      let range = try AddressRange("127.0.0.0/8")
      let url = try FetchURL("http://ca.localhost:1/", ports: [1])
      let error = await #expect(throws: FetchError.self) {
        try await HTTPFetcher(allowing: [range]).fetch(
          FetchRequest(
            .crl, url, maximumBytes: 100, deadline: .now + .seconds(300), maximumRedirects: 0))
      }
      #expect(
        error == .unreachable(host: "ca.localhost:1", reason: "Connection refused (127.0.0.1)"))
      let loopback = await #expect(throws: FetchError.self) {
        try await HTTPFetcher().fetch(
          FetchRequest(
            .crl, url, maximumBytes: 100, deadline: .now + .seconds(300), maximumRedirects: 0))
      }
      guard case .addressNotAllowed = loopback else {
        Issue.record("\(String(describing: loopback))")
        return
      }
    }

    @Test("issuers' servers that hang do not use up the connections for CRLs")
    func hanging() async throws {
      let server = try LoopbackServer("good", "--plain")
      let fetcher = HTTPFetcher(allowing: [try AddressRange("127.0.0.0/8")])
      let ports: Set = [UInt16(server.port)]
      let issuers = try (0..<64).map { number in
        let url = server.url("/hang?seconds=60", host: "a\(number).localhost")
        return FetchRequest(
          .issuers, try FetchURL(url, ports: ports), deadline: .now + .seconds(300))
      }
      let list = FetchRequest(
        .crl, try FetchURL(server.url("/hello", host: "ca.localhost"), ports: ports),
        deadline: .now + .seconds(120))
      let tasks = issuers.map { request in Task { try await fetcher.fetch(request) } }
      defer { for task in tasks { task.cancel() } }
      #expect(try await server.eventually { $0.requests.count == 64 })
      #expect(try await fetcher.fetch(list).body == Array("hello".utf8))
    }

    @Test(
      "a body that is of no use is not read, of an error or a redirect", arguments: ["404", "302"])
    func uselessBody(status: String) async throws {
      let server = try LoopbackServer("good", "--plain")
      let target = server.url("/status/404", host: "ca.localhost")
      let place = server.url("/big/\(status)/50000000?to=\(target)", host: "ca.localhost")
      let url = try FetchURL(place, ports: [UInt16(server.port)])
      let range = try AddressRange("127.0.0.0/8")
      let error = await #expect(throws: FetchError.self) {
        try await HTTPFetcher(allowing: [range]).fetch(
          FetchRequest(
            .crl, url, maximumBytes: 1_000, deadline: .now + .seconds(300),
            ports: [UInt16(server.port)]))
      }
      // Not that it is too long.
      #expect(error == .status(404))
      // The server sees the end of the connection, and what it could send fits into buffers.
      #expect(try await server.eventually { $0.cut == 1 })
    }

    @Test("a proxy that refuses is the one that is named, not the origin")
    func proxy() async throws {
      var options = HTTPOptions()
      options.proxy = HTTPProxy("http://127.0.0.1:1")
      let client = HTTPClient(try Material.manager(), options: options)
      let error = await #expect(throws: HTTPError.self) {
        try await client.data(from: "https://a.example/")
      }
      guard case .unreachable(host: "http://127.0.0.1:1", _) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test("a rejection names the host in its log line and its sentence")
    func rejection() async throws {
      let server = try LoopbackServer("elsewhere")
      let error = try #require(try await error(nil, server.url("/hello")))
      #expect(error.logLine.hasSuffix("[RFC 9525 §6.3] code=host_name"), "\(error.logLine)")
      #expect(error.logLine.hasPrefix("localhost:\(server.port): "), "\(error.logLine)")
      #expect(error.logLine.components(separatedBy: "localhost").count == 2, "\(error.logLine)")
      #expect(error.fields.contains { $0.key == "port" && $0.value == "\(server.port)" })
      #expect(error.summary == "The certificate of localhost is for another host.")
      let pinned = HTTPClient(try Material.manager(pins: "other", "client"))
      let good = try LoopbackServer()
      let mismatch = await #expect(throws: HTTPError.self) {
        try await pinned.data(for: HTTPRequest(good.url("/hello")))
      }
      #expect(
        mismatch?.logLine.hasPrefix(
          "localhost:\(good.port): no pin is on a valid path; seen leaf sha256/")
          == true, "\(String(describing: mismatch?.logLine))")
      #expect(mismatch?.summary == "The keys of localhost are not the expected ones.")
    }

    @Test("the article has what requests and connections say")
    func article() throws {
      let reset = "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required"
      let table = try ErrorTable(
        "Requests: `HTTPError` and `TLSError`",
        [
          ("a URL with a blank", HTTPError.invalidURL("https://a b/", reason: "malformed")),
          ("`http:`", HTTPError.notEncrypted("http://a.example/")),
          ("no address", HTTPError.noAddress(host: "a.example")),
          (
            "no server at the port",
            HTTPError.unreachable(host: "a.example", reason: "Connection refused (192.0.2.1)")
          ),
          (
            "an address that is not allowed",
            HTTPError.addressNotAllowed(
              host: "a.example", address: "10.0.0.1", reason: "private (RFC 1918)")
          ),
          ("a time limit", HTTPError.timeout(host: "a.example", wasSent: true)),
          ("an alert", HTTPError.connectionLost(host: "a.example", reason: reset, wasSent: true)),
          (
            "no certificate for a server that asks",
            HTTPError.noClientCertificate(
              host: "a.example", reason: "error:0A000410:SSL routines::handshake failure")
          ),
          (
            "a port of plain HTTP",
            HTTPError.tls(
              host: "a.example", reason: "error:0A00010B:SSL routines::wrong version number")
          ),
          (
            "a connection that was lost",
            HTTPError.connectionLost(
              host: "a.example", reason: "Connection reset by peer", wasSent: true)
          ),
          (
            "a damaged response",
            HTTPError.invalidResponse(host: "a.example", reason: "a header field in several lines")
          ),
          ("a host without pins", HTTPError.notTrusted(.unknownHost("a.example"))),
          (
            "a proxy's answer",
            HTTPError.refusedByProxy(
              "http://proxy.example:3128", status: 407, host: "a.example")
          ),
          ("`TLSError`: an alert", TLSError.alert(48, host: "a.example")),
          (
            "`TLSError`: plain HTTP",
            TLSError.notTLS(answer: "HTTP/1.1 400 Bad Request", host: "a.example")
          ),
          (
            "`TLSError`: no server at the port",
            TLSError.unreachable(host: "a.example", port: 443, "Connection refused (192.0.2.1)")
          ),
          ("`TLSError`: the end", TLSError.closed(host: "a.example:8443")),
          ("`TLSError`: a time limit", TLSError.timeout(host: "a.example")),
        ])
      #expect(table.found == table.expected)
    }

    @Test("a server's verdict names the client")
    func client() throws {
      let validator = PathValidator(anchors: AnchorSet([try Material.certificate("root")]))
      let path = try validator.validate([Material.certificate("client")], for: .client)
      let verdict = Verdict(.validPath, host: nil, path: path, at: .now)
      #expect("\(verdict)" == "client CN=client: the path is valid")
      #expect(verdict.logLine == "client CN=client: the path is valid")
    }
  }
#endif
