#if Curl
  import Foundation
  import Holdfast
  import HoldfastHTTP
  import HTTPTestSupport
  import HoldfastIdentities
  import HoldfastOpenSSL
  import Synchronization
  import TestSupport
  import Testing

  /// Bodies that are not held in memory as a whole.
  @Suite(
    "Streams of HTTP requests", .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"),
    .timeLimit(.minutes(10)))
  struct StreamTests {
    @Test("a body arrives in pieces, and a reader that waits stops the server")
    func backPressure() async throws {
      let server = try LoopbackServer()
      let received = Mutex(0)
      let client = HTTPClient(try Material.manager())
      let size = 50_000_000
      let (body, response) = try await client.bytes(for: HTTPRequest(server.url("/bytes/\(size)")))
      {
        progress in received.withLock { $0 = progress.received }
      }
      #expect(response.fields["Content-Length"] == "\(size)")
      try await Task.sleep(for: .milliseconds(500))
      #expect(received.withLock { $0 } < 1_000_000)
      var count = 0
      for try await piece in body {
        #expect(piece.first == UInt8(truncatingIfNeeded: count))
        count += piece.count
      }
      #expect(count == size)
    }

    @Test("a file and a sequence are sent as they are", arguments: ["file", "known", "unknown"])
    func upload(kind: String) async throws {
      let server = try LoopbackServer()
      let folder = try ScratchFolder()
      let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
      let pieces = AsyncStream<[UInt8]> { continuation in
        for start in stride(from: 0, to: bytes.count, by: 100_000) {
          continuation.yield(Array(bytes[start..<start + 100_000]))
        }
        continuation.finish()
      }
      let body: HTTPBody =
        switch kind {
        case "file": .file(try folder.file("body", bytes))
        case "known": .stream(pieces, count: bytes.count)
        default: .stream(pieces)
        }
      let client = HTTPClient(try Material.manager())
      let sent = Mutex(HTTPProgress?.none)
      let request = HTTPRequest(server.url("/echo"), method: "PUT", body: body)
      let (data, _) = try await client.data(for: request) { progress in
        sent.withLock { $0 = progress }
      }
      let seen = try JSONDecoder().decode(LoopbackServer.Log.Request.self, from: Data(data))
      #expect(seen.body?.size == bytes.count)
      // By Python's hashlib.
      #expect(
        seen.body?.sha256 == "0a5d49e5dd9cc7aa647824dc6f29fbbbffe477e210f5668eed4420c51c381521")
      #expect((seen.headers["transfer-encoding"] == "chunked") == (kind == "unknown"))
      #expect(sent.withLock { $0 }?.sent == bytes.count)
      #expect(sent.withLock { $0 }?.sentTotal == (kind == "unknown" ? nil : bytes.count))
    }

    @Test(
      "a sequence that fails, or is not as long as announced, ends the request",
      arguments: [
        ("short", 10), ("long", 3), ("throws", nil),
      ] as [(String, Int?)])
    func badUpload(kind: String, count: Int?) async throws {
      struct Broken: Error {}
      let server = try LoopbackServer()
      let pieces = AsyncThrowingStream<[UInt8], any Error> { continuation in
        continuation.yield([1, 2, 3, 4, 5])
        continuation.finish(throwing: kind == "throws" ? Broken() : nil)
      }
      let client = HTTPClient(try Material.manager())
      let request = HTTPRequest(
        server.url("/echo"), method: "POST", body: .stream(pieces, count: count))
      let error = await #expect(throws: HTTPError.self) { try await client.data(for: request) }
      guard case .requestBody(let cause) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect((cause is Broken) == (kind == "throws"))
    }

    @Test("a download replaces a file when it is complete, and leaves it alone otherwise")
    func download() async throws {
      let server = try LoopbackServer()
      let folder = try ScratchFolder()
      let path = try folder.file("out", [1, 2, 3])
      let client = HTTPClient(try Material.manager())
      func contents() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }
      await #expect(throws: HTTPError.self) {
        try await client.download(for: HTTPRequest(server.url("/short")), to: path)
      }
      let missing = try await client.download(for: HTTPRequest(server.url("/missing")), to: path)
      #expect(missing.status == 404)
      await #expect(throws: HTTPError.self) {
        try await client.download(
          for: HTTPRequest(server.url("/hello")), to: path, replacing: false)
      }
      #expect(try contents() == Data([1, 2, 3]))
      _ = try await client.download(for: HTTPRequest(server.url("/bytes/1000000")), to: path)
      #expect(try contents().count == 1_000_000)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out"])
    }

    @Test(
      "a task that is cancelled ends its transfer, wherever it is",
      arguments: [
        "/hang", "/hang-header", "/hang-body", "/drip", "/endless",
      ])
    func cancellation(path: String) async throws {
      let server = try LoopbackServer()
      var options = HTTPOptions()
      options.limits.dataBytes = .max
      let client = HTTPClient(try Material.manager(), options: options)
      let request = HTTPRequest(server.url(path + "?seconds=60"))
      let task = Task { try await client.data(for: request) }
      try await Task.sleep(for: .milliseconds(300))
      let start = ContinuousClock.now
      task.cancel()
      let error = await #expect(throws: HTTPError.self) { _ = try await task.value }
      guard case .cancelled = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      // The server would hang for a minute; a busy machine takes a moment.
      #expect(start.duration(to: .now) < .seconds(20))
      // The client serves others as before.
      #expect(try await client.data(for: HTTPRequest(server.url("/hello"))).data.count == 5)
    }

    @Test("a body that is released ends its transfer")
    func release() async throws {
      let server = try LoopbackServer()
      let client = HTTPClient(try Material.manager())
      do {
        let (body, _) = try await client.bytes(for: HTTPRequest(server.url("/endless")))
        var pieces = body.makeAsyncIterator()
        #expect(try await pieces.next()?.isEmpty == false)
        #expect(try await server.log().open == 2)
      }
      // A busy server takes a moment to notice.
      for _ in 0..<600 where try await server.log().open != 1 {
        try await Task.sleep(for: .milliseconds(50))
      }
      #expect(try await server.log().open == 1)
    }

    @Test(
      "servers that hang or drip are left after the time that the options allow",
      arguments: [
        "/hang", "/hang-header", "/hang-body", "/drip",
      ])
    func timeouts(path: String) async throws {
      let server = try LoopbackServer()
      let client = HTTPClient(try Material.manager())
      var request = HTTPRequest(server.url(path + "?seconds=60"))
      request.timeout = .milliseconds(500)
      let start = ContinuousClock.now
      let error = await #expect(throws: HTTPError.self) { try await client.data(for: request) }
      guard case .timeout = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(start.duration(to: .now) < .seconds(20))
    }

    @Test(
      "a server that lies or never ends is an error of its kind",
      arguments: [
        ("/short", "connectionLost"), ("/bad-chunk", "connectionLost"),
        ("/cut-chunks", "connectionLost"), ("/garbage", "invalidResponse"),
        ("/negative", "invalidResponse"), ("/header-bomb", "headersTooLong"),
        ("/interim-bomb", "headersTooLong"), ("/folded", "invalidResponse"),
        ("/bomb/100000000", "bodyTooLong"), ("/endless", "bodyTooLong"),
        ("/bytes/2000000", "bodyTooLong"),
      ])
    func lies(path: String, kind: String) async throws {
      let server = try LoopbackServer()
      var options = HTTPOptions()
      options.limits.dataBytes = 1_000_000
      let client = HTTPClient(try Material.manager(), options: options)
      let error = await #expect(throws: HTTPError.self) {
        try await client.data(for: HTTPRequest(server.url(path)))
      }
      let name = error.map {
        String(describing: Mirror(reflecting: $0).children.first?.label ?? "")
      }
      #expect(name == kind, "\(String(describing: error))")
    }
  }
#endif
