#if Curl
  import Foundation
  import Holdfast
  import HoldfastDER
  import HTTPTestSupport
  import HoldfastHTTP
  import Testing

  /// What errors show of what servers and callers have written.
  @Suite(
    "Texts of HTTP errors", .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"),
    .timeLimit(.minutes(10)))
  struct ErrorTextTests {
    private func error(
      _ url: String, _ options: HTTPOptions = HTTPOptions()
    ) async throws -> HTTPError? {
      let client = HTTPClient(try Material.manager(), options: options)
      return await #expect(throws: HTTPError.self) {
        try await client.data(for: HTTPRequest(url))
      }
    }

    /// Everything that a program may show of an error.
    private func texts(_ error: HTTPError) -> String {
      var dumped = ""
      dump(error, to: &dumped)
      return [
        "\(error)", error.summary, error.logLine, error.localizedDescription,
        String(reflecting: error), String(describing: Optional(error)), dumped,
      ].joined(separator: "\n")
    }

    @Test(
      "a password in a URL is in no text of its error",
      arguments: [
        "https://me:secret@localhost/", "https://me:sec/ret@localhost/", "me:secret@localhost",
        "https://me:secret@@localhost/", "https://me:secret@localhost/\0", "//me:secret@localhost/",
        "ftp://me:secret@localhost/", "https://secret@localhost/", "https://me:secret@b\u{FC}cher/",
        "https://me:secret@ /", "https:me:secret@localhost", "https://me:secret@[::1/",
      ])
    func passwords(url: String) async throws {
      let found = try #require(try await error(url))
      #expect(!texts(found).contains("secret") && !texts(found).contains("sec/ret"))
      #expect("\(found)".contains("@"))
    }

    /// The forms of curl's manual for HTTPS_PROXY; RFC 3986 §2.1, §3.2.1.
    @Test(
      "a proxy is read as the environment has it",
      arguments: [
        ("http://proxy.example:3128", "http://proxy.example:3128", nil, nil),
        ("proxy.example:3128", "http://proxy.example:3128", nil, nil),
        ("HTTP://proxy.example:3128/", "http://proxy.example:3128", nil, nil),
        ("socks5h://[::1]:1080", "socks5h://[::1]:1080", nil, nil),
        ("https://me:s%40c%2Fr%25t@proxy.example", "https://proxy.example", "me", "s@c/r%t"),
        ("me:a:b@proxy.example:1", "http://proxy.example:1", "me", "a:b"),
        ("http://me@proxy.example:1", "http://proxy.example:1", "me", ""),
        ("http://me:a@b@proxy.example:1", "http://proxy.example:1", "me", "a@b"),
      ] as [(String, String, String?, String?)])
    func proxy(text: String, url: String, user: String?, password: String?) throws {
      let proxy = try HTTPProxy(parsing: text)
      #expect(proxy.url == url && "\(proxy)" == url)
      #expect(proxy.credentials?.user == user && proxy.credentials?.password == password)
    }

    @Test(
      "what is no proxy is refused, and its error shows no password",
      arguments: [
        "", "http://", "ftp://me:secret@proxy.example", "http://me:secret@",
        "http://me:secret@proxy.example/path", "http://me:secret@proxy.example?q",
        "http://me:sec%ret@proxy.example", "http://me:sec%00ret@proxy.example",
        "http://me:sec%+1ret@proxy.example", "http://me:sec ret@proxy.example",
        "me:secret@proxy.example:99999", "http://me:sec/ret@proxy.example",
        "http://me:secret@pro\nxy.example", "socks4://me:secret@proxy.example",
        "http://me:secret@proxy.example:1:2", "://me:secret@proxy.example",
      ])
    func noProxy(text: String) {
      let error = #expect(throws: HTTPError.self) { try HTTPProxy(parsing: text) }
      guard case .invalidProxy? = error else {
        Issue.record("\(text): \(String(describing: error))")
        return
      }
      #expect(error?.description.contains("ret") == false, "\(String(describing: error))")
    }

    @Test(
      "a proxy's URL has no password, and its error shows none",
      arguments: [
        "http://me:secret@127.0.0.1:1", "socks5://me:secret@127.0.0.1:1", "me:secret@h:1",
      ])
    func proxies(url: String) async throws {
      var options = HTTPOptions()
      options.proxy = HTTPProxy(url)
      let found = try #require(try await error("https://localhost/", options))
      guard case .invalidProxy = found else {
        Issue.record("\(found)")
        return
      }
      #expect(!texts(found).contains("secret"))
    }

    @Test(
      "what a server writes into Location stands in errors without control characters",
      arguments: [
        "http://b.example/\u{1B}]0;evil\u{7}\u{202E}<script>", "https://\u{1B}[2J\u{9B}31m/",
        "https://b\u{202E}.example/", "https://me:secret@b.example/\u{1B}",
      ])
    func locations(location: String) async throws {
      let server = try LoopbackServer()
      let to = location.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      let found = try #require(try await error(server.url("/redirect?status=302&to=\(to)")))
      #expect("\(found)".unicodeScalars.allSatisfy(Printable.isItself), "\(found.logLine)")
      #expect(!texts(found).contains("secret"))
    }

    @Test("what a caller or libcurl says is shown without control characters")
    func others() throws {
      let noHost = try #require(throws: HostNameError.self) { try HostName("") }
      let evil = "a\u{1B}[2J\u{9B}31m\u{202E}\u{2028}\r\n\0b"
      for error in [
        HTTPError.invalidURL(evil, reason: evil), .invalidHost(evil, noHost), .notEncrypted(evil),
        .invalidMethod(evil), .methodWithoutBody(evil), .invalidField(evil), .invalidProxy(evil),
        .redirectNotEncrypted(to: evil), .redirectToOtherOrigin(to: evil),
        .file(path: evil, reason: "none"), .noAddress(host: evil),
        .addressNotAllowed(host: evil, address: "::1", reason: "loopback"),
        .unreachable(host: evil, reason: evil), .tls(host: evil, reason: evil),
        .connectionLost(host: evil, reason: evil, wasSent: true),
        .noClientCertificate(host: evil, reason: evil),
        .invalidResponse(host: evil, reason: evil),
        .timeout(host: evil, wasSent: true), .bodyStalled(host: evil), .unsupportedLibrary(evil),
        .other(evil),
        .refusedByProxy(evil, status: 407, host: evil), .tooManyRedirects(1, host: evil),
        .bodyTooLong(limit: 1, host: evil), .bodyNotRepeatable(host: evil),
      ] {
        #expect("\(error)".unicodeScalars.allSatisfy(Printable.isItself), "\(error)")
        #expect("\(error)".contains("\\u{1B}[2J"))
      }
    }
  }
#endif
