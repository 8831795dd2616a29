#if Curl
  import Foundation
  import Holdfast
  @testable import HoldfastHTTP
  import HTTPTestSupport
  import HoldfastSystem
  import TestSupport
  import Testing

  /// Requests and responses, with a server of these tests.
  @Suite(
    "HTTP requests", .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"),
    .timeLimit(.minutes(10)))
  struct RequestTests {
    @Test("a request to a pinned server returns status, fields, bytes and the verdict")
    func pinned() async throws {
      let server = try LoopbackServer()
      let client = HTTPClient(try Material.manager(pins: "good", "other"))
      let (data, response) = try await client.data(for: HTTPRequest(server.url("/hello")))
      #expect(data == Array("hello".utf8))
      #expect(response.status == 200)
      #expect(response.isSuccess)
      #expect(response.version == .http11)
      #expect(response.url == server.url("/hello"))
      #expect(response.fields["x-NAME"] == "one")
      #expect(response.fields.values(of: "X-Name") == ["one", "two"])
      guard case .pinned = response.verdict?.reason else {
        Issue.record("\(String(describing: response.verdict))")
        return
      }
    }

    @Test("without pins a valid path suffices, and a URL is enough for a request")
    func withoutPins() async throws {
      let server = try LoopbackServer()
      let anchors = AnchorSet([try Material.certificate("root")])
      let client = HTTPClient(PathValidator(anchors: anchors))
      #expect(try await client.data(from: server.url("/hello")).data == Array("hello".utf8))
      let none = HTTPClient(PathValidator(anchors: AnchorSet([TrustAnchor]())))
      let error = await #expect(throws: HTTPError.self) {
        try await none.data(from: server.url("/hello"))
      }
      guard case .notTrusted = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test("programs that this one starts do not inherit its connections")
    func closedOnExecution() async throws {
      let server = try LoopbackServer()
      let client = HTTPClient(try Material.manager())
      _ = try await client.data(for: HTTPRequest(server.url("/hello")))
      let flags = try connectionFlags(peerPort: server.port)
      #expect(!flags.isEmpty && flags.allSatisfy { $0 & Int(O_CLOEXEC) != 0 })
      _ = try await client.data(for: HTTPRequest(server.url("/hello")))
    }

    @Test("programs that this one starts do not inherit the files that are read")
    func closedFiles() throws {
      let folder = try ScratchFolder()
      let descriptor = try System.open(try folder.file("a", [1]))
      defer { System.closeInput(descriptor) }
      #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }

    /// The flags of this process's connections to a port: Linux lists the inodes of connections and
    /// the flags of descriptors.
    private func connectionFlags(peerPort: Int) throws -> [Int] {
      func words(_ path: String) throws -> [[Substring]] {
        // These files have no size, and are read in pieces.
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        return text.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace) }
      }
      let port = ":" + String(peerPort + 0x10000, radix: 16, uppercase: true).dropFirst()
      let inodes = try words("/proc/self/net/tcp").filter { $0[2].hasSuffix(port) }.map { $0[9] }
      let manager = FileManager.default
      return try manager.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { descriptor in
        let target = try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        guard inodes.contains(where: { target == "socket:[\($0)]" }) else { return nil }
        let flags = try words("/proc/self/fdinfo/\(descriptor)").first { $0[0] == "flags:" }
        return flags.flatMap { Int($0[1], radix: 8) }
      }
    }

    @Test(
      "methods, fields and bodies arrive as they were given",
      arguments: [
        ("GET", nil), ("POST", 100_000), ("PUT", 0), ("POST", nil), ("PATCH", 3), ("DELETE", nil),
        ("OPTIONS", nil), ("PROPFIND", 1),
      ] as [(String, Int?)])
    func methods(method: String, size: Int?) async throws {
      let server = try LoopbackServer()
      let client = HTTPClient(try Material.manager())
      var request = HTTPRequest(
        server.url("/echo?a=b%20c"), method: method, fields: ["X-Empty": "", "Authorization": "me"])
      request.body = size.map { .bytes([UInt8](repeating: 7, count: $0)) }
      let (data, _) = try await client.data(for: request)
      let seen = try JSONDecoder().decode(LoopbackServer.Log.Request.self, from: Data(data))
      #expect(seen.method == method)
      #expect(seen.target == "/echo?a=b%20c")
      #expect(seen.headers["x-empty"] == "")
      #expect(seen.headers["authorization"] == "me")
      #expect(seen.headers["host"] == "localhost:\(server.port)")
      #expect(seen.headers["expect"] == nil)
      #expect(seen.headers["cookie"] == nil)
      #expect(seen.body?.size == size ?? 0)
      if size == nil, ["POST", "PUT"].contains(method) {
        #expect(seen.headers["content-length"] == "0")
      }
    }

    @Test("a HEAD request has no body, whatever length the server states")
    func head() async throws {
      let server = try LoopbackServer()
      let client = HTTPClient(try Material.manager())
      let request = HTTPRequest(server.url("/hello"), method: "HEAD")
      let (data, response) = try await client.data(for: request)
      #expect(data.isEmpty)
      #expect(response.fields["Content-Length"] == "1000")
    }

    @Test(
      "a chunked, a compressed, an interim and an unsuccessful response are read",
      arguments: [
        ("/chunks", "hello world", 200), ("/gzip", String(repeating: "hello ", count: 1000), 200),
        ("/interim", "hello", 200), ("/status/503", "body", 503), ("/missing", "", 404),
      ])
    func forms(path: String, text: String, status: Int) async throws {
      let server = try LoopbackServer()
      let client = HTTPClient(try Material.manager())
      let (data, response) = try await client.data(for: HTTPRequest(server.url(path)))
      #expect(String(decoding: data, as: UTF8.self) == text)
      #expect(response.status == status)
    }

    @Test("a User-Agent is sent, the program's own in its place, or none")
    func userAgent() async throws {
      let server = try LoopbackServer()
      for (agent, field, expected) in [
        ("Holdfast", nil, "Holdfast"), ("Holdfast", "Notes/2", "Notes/2"),
        ("Shop/1", nil, "Shop/1"),
        (nil, nil, nil),
      ] as [(String?, String?, String?)] {
        var options = HTTPOptions()
        #expect(options.userAgent == "Holdfast")
        options.userAgent = agent
        var request = HTTPRequest(server.url("/hello"))
        request.fields["User-Agent"] = field
        _ = try await HTTPClient(try Material.manager(), options: options).data(for: request)
        let seen = try #require(try await server.log().requests.last { $0.target == "/hello" })
        #expect(seen.headers["user-agent"] == expected)
      }
      var options = HTTPOptions()
      options.userAgent = "a\r\nX: b"
      let client = HTTPClient(try Material.manager(), options: options)
      let error = await #expect(throws: HTTPError.self) {
        try await client.data(from: server.url("/hello"))
      }
      guard case .invalidField("User-Agent")? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    /// RFC 9110 §5.6.7, §10.2.3.
    @Test("Retry-After is read as seconds or as a time, in each of its forms")
    func retryAfter() throws {
      let now = try #require(Timestamp("2026-11-06T08:49:00Z"))
      for (text, seconds) in [
        ("120", 120), ("0", 0), ("99999999999999999999", 4_294_967_295),
        ("Fri, 06 Nov 2026 08:49:37 GMT", 37), ("Friday, 06-Nov-26 08:49:37 GMT", 37),
        ("Fri Nov  6 08:49:37 2026", 37), ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
        ("Friday, 06-Nov-76 08:49:00 GMT", 1_577_923_200), ("Sunday, 06-Nov-77 08:49:00 GMT", 0),
        ("Fri, 06 Nov 2026 08:48:60 GMT", 0), ("", nil), ("-1", nil), ("1.5", nil), ("+1", nil),
        ("Fri, 06 Nov 2026 08:49:37 CET", nil), ("Fri, 31 Feb 2026 08:49:37 GMT", nil),
        ("Fri, 06 Now 2026 08:49:37 GMT", nil), ("Fri, 06 Nov 2026 8:49:37 GMT", nil),
        ("soon", nil), ("Fri, 06-Nov-2026 GMT", nil),
      ] as [(String, Int64?)] {
        let response = HTTPResponse(
          status: 503, fields: ["Retry-After": text], url: "https://a.example/", version: .http11,
          verdict: nil, tls: nil)
        #expect(response.retryAfter(from: now) == seconds.map { .seconds($0) }, "\(text)")
      }
    }

    @Test("one connection serves one request after the other")
    func reuse() async throws {
      let server = try LoopbackServer()
      let client = HTTPClient(try Material.manager(pins: "good", "other"))
      for _ in 0..<20 { _ = try await client.data(for: HTTPRequest(server.url("/hello"))) }
      let log = try await server.log()
      #expect(log.requests.count == 20)
      #expect(log.connections == 2)  // that of the log is the other
    }

    @Test("many requests share the connections that the options allow")
    func concurrency() async throws {
      let server = try LoopbackServer()
      var options = HTTPOptions()
      options.maximumConnectionsPerHost = 10
      let client = HTTPClient(try Material.manager(), options: options)
      let request = HTTPRequest(server.url("/hello"))
      let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<200 { group.addTask { try await client.data(for: request).data.count } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(sizes == Array(repeating: 5, count: 200))
      #expect(try #require(try await server.log().connections) <= 11)
    }

    @Test("an upload with a method whose body has no meaning is refused, and nothing is sent")
    func uploads() async throws {
      let server = try LoopbackServer()
      let client = HTTPClient(try Material.manager())
      for method in ["GET", "HEAD"] {
        let request = HTTPRequest(server.url("/echo"), method: method)
        let errors = [
          await #expect(throws: HTTPError.self) {
            try await client.upload(for: request, from: [1])
          },
          await #expect(throws: HTTPError.self) {
            try await client.upload(for: request, fromFile: Material.path("root.pem"))
          },
        ]
        for error in errors {
          #expect(error.map { "\($0)" } == "\(method) has no body: an upload is a PUT or a POST")
        }
      }
      for method in ["POST", "PUT", "PATCH"] {
        var request = HTTPRequest(server.url("/echo"), method: method)
        // The body that the request has is replaced.
        request.body = .bytes([9, 9])
        _ = try await client.upload(for: request, from: [1, 2, 3])
      }
      let requests = try await server.log().requests
      #expect(requests.map(\.body?.size) == [3, 3, 3])
    }

    @Test("requests that cannot be made name what is wrong, and nothing is sent")
    func invalid() async throws {
      let client = HTTPClient(try Material.manager())
      func error(_ request: HTTPRequest) async throws -> HTTPError? {
        await #expect(throws: HTTPError.self) { try await client.data(for: request) }
      }
      guard case .notEncrypted = try await error(HTTPRequest("http://localhost:1/")),
        case .invalidURL = try await error(HTTPRequest("https://user:secret@localhost/")),
        case .invalidURL = try await error(HTTPRequest("ftp://localhost/")),
        case .invalidURL("localhost", "expected a URL that begins with https://") =
          try await error(HTTPRequest("localhost")),
        case .invalidURL("localhost:9/a", "expected a URL that begins with https://") =
          try await error(HTTPRequest("localhost:9/a")),
        case .invalidURL = try await error(HTTPRequest("https://localhost/\0")),
        case .invalidHost = try await error(HTTPRequest("https://bücher.example/")),
        case .invalidMethod = try await error(HTTPRequest("https://localhost/", method: "GE T")),
        case .invalidMethod = try await error(HTTPRequest("https://localhost/", method: "CONNECT")),
        case .invalidField = try await error(
          HTTPRequest("https://localhost/", fields: ["a": "b\r\nc: d"])),
        case .invalidField = try await error(
          HTTPRequest("https://localhost/", fields: ["Host": "b"])),
        case .invalidField = try await error(
          HTTPRequest("https://localhost/", fields: ["content-LENGTH": "5"])),
        case .unreachable = try await error(HTTPRequest("https://localhost:1/")),
        case .noAddress = try await error(HTTPRequest("https://nowhere.invalid/"))
      else {
        Issue.record("another error")
        return
      }
    }
  }
#endif
