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
        .connectionLost(host: evil, reason: evil), .noClientCertificate(host: evil, reason: evil),
        .invalidResponse(host: evil, reason: evil),
        .timeout(host: evil), .bodyStalled(host: evil), .unsupportedLibrary(evil), .other(evil),
        .refusedByProxy(evil, status: 407, host: evil), .tooManyRedirects(1, host: evil),
        .bodyTooLong(limit: 1, host: evil), .bodyNotRepeatable(host: evil),
      ] {
        #expect("\(error)".unicodeScalars.allSatisfy(Printable.isItself), "\(error)")
        #expect("\(error)".contains("\\u{1B}[2J"))
      }
    }
  }
#endif
