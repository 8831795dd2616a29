#if Curl
  import Foundation
  import Holdfast
  import HTTPTestSupport
  import HoldfastIdentities
  import HoldfastOpenSSL
  import Synchronization
  import TestSupport
  import Testing

  @testable import HoldfastHTTP

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
        ("short", 10), ("long", 3), ("later", 5), ("throws", nil), ("throws", 5),
      ] as [(String, Int?)])
    func badUpload(kind: String, count: Int?) async throws {
      struct Broken: Error {}
      let server = try LoopbackServer()
      let pieces = AsyncThrowingStream<[UInt8], any Error> { continuation in
        continuation.yield([1, 2, 3, 4, 5])
        // As many as announced have come, and one follows.
        if kind == "later" { continuation.yield([6]) }
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
      // The server has not got the beginning as if it were all.
      if let request = try await server.log().requests.first { #expect(request.body == nil) }
    }

    @Test("a file that grows while it is sent ends the request")
    func growingFile() async throws {
      let server = try LoopbackServer()
      let folder = try ScratchFolder()
      let path = try folder.file("body", [UInt8](repeating: 1, count: 3_000_000))
      let file = try #require(FileHandle(forWritingAtPath: path))
      let client = HTTPClient(try Material.manager())
      let request = HTTPRequest(server.url("/echo"), method: "PUT", body: .file(path))
      let error = await #expect(throws: HTTPError.self) {
        try await client.data(for: request) { progress in
          if progress.sent < 100_000 { file.seekToEndOfFile() }
          if progress.sent < 100_000 { file.write(Data([2])) }
        }
      }
      guard case .requestBody = error else {
        Issue.record("\(String(describing: error))")
        return
      }
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
      let request = HTTPRequest(server.url(path + "?seconds=3600"))
      let task = Task { try await client.data(for: request) }
      try await Task.sleep(for: .milliseconds(300))
      task.cancel()
      let error = await #expect(throws: HTTPError.self) { _ = try await task.value }
      guard case .cancelled = error else {
        Issue.record("\(String(describing: error))")
        return
      }
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
      #expect(try await server.eventually { $0.open == 1 })
    }

    @Test(
      "servers that hang or drip are left after the time that the options allow",
      arguments: [
        "/hang", "/hang-header", "/hang-body", "/drip",
      ])
    func timeouts(path: String) async throws {
      let server = try LoopbackServer()
      let client = HTTPClient(try Material.manager())
      var request = HTTPRequest(server.url(path + "?seconds=3600"))
      request.timeout = .milliseconds(500)
      let error = await #expect(throws: HTTPError.self) { try await client.data(for: request) }
      guard case .timeout = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test(
      "a server that lies or never ends is an error of its kind",
      arguments: [
        ("/short", "connectionLost"), ("/bad-chunk", "connectionLost"),
        ("/cut-chunks", "connectionLost"), ("/garbage", "invalidResponse"),
        ("/negative", "invalidResponse"), ("/header-bomb", "headersTooLong"),
        ("/interim-bomb", "headersTooLong"), ("/folded", "invalidResponse"),
        ("/bomb/100000000", "bodyTooLong"), ("/endless", "bodyTooLong"),
        ("/bytes/2000000", "bodyTooLong"), ("/empty-blocks", "bodyTooLong"),
        ("/switch/0", "invalidResponse"), ("/switch/2000000", "invalidResponse"),
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

    @Test(
      "one content coding is undone, and a second one or a transfer coding is refused at the head",
      arguments: [
        "codings=gzip,%20gzip", "codings=gzip%3Bgzip", "codings=gzip,identity",
        "codings=gzip&interim=gzip", "codings=gzip%3Bgzip&redirect=1",
        "codings=gzip&name=Transfer-Encoding", "codings=gzip,chunked&name=Transfer-Encoding",
      ])
    func codings(query: String) async throws {
      let server = try LoopbackServer()
      let client = HTTPClient(try Material.manager())
      let error = await #expect(throws: HTTPError.self) {
        try await client.data(for: HTTPRequest(server.url("/coded?" + query)))
      }
      guard case .invalidResponse = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      // What comes out of one layer is the inner one. RFC 1952 §2.3.1.
      let one = HTTPRequest(server.url("/coded?codings=gzip"))
      #expect(try await client.data(for: one).data.starts(with: [0x1F, 0x8B]))
      // Who asks for a coding undoes it: nothing is refused.
      let raw = HTTPRequest(
        server.url("/coded?codings=gzip,gzip"), fields: ["Accept-Encoding": "gzip"])
      #expect(try await client.data(for: raw).data.starts(with: [0x1F, 0x8B]))
    }

    @Test("a body of which nothing is taken ends after the idle time, one that is read slowly not")
    func idleReader() async throws {
      // On the threads of all tests a pause could last longer than the idle time.
      try await withTaskExecutorPreference(FileQueue(), operation: Self.readSlowly)
    }

    private static func readSlowly() async throws {
      let server = try LoopbackServer()
      var options = HTTPOptions()
      options.idleTimeout = .seconds(1)
      let client = HTTPClient(try Material.manager(), options: options)
      let request = HTTPRequest(server.url("/bytes/50000000"))
      let (slow, _) = try await client.bytes(for: request)
      let (idle, _) = try await client.bytes(for: request)
      var pieces = slow.makeAsyncIterator()
      // While a piece is taken every 0.6 s, the transfer is paused for longer than a second.
      for _ in 0..<6 {
        try await Task.sleep(for: .milliseconds(600))
        #expect(try await pieces.next()?.isEmpty == false)
      }
      let error = await #expect(throws: HTTPError.self) {
        for try await piece in idle { #expect(!piece.isEmpty) }
      }
      guard case .bodyStalled = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(try await pieces.next()?.isEmpty == false)
      // Besides that of the log, only the slow one may be there.
      #expect(try await server.eventually { ($0.open ?? 3) <= 2 })
    }

    @Test("the deadline of a request counts before the idle time of its body")
    func deadlineOfIdleProducer() async throws {
      let server = try LoopbackServer()
      let client = HTTPClient(try Material.manager())
      let (pieces, end) = AsyncStream<[UInt8]>.makeStream()
      defer { end.finish() }
      var request = HTTPRequest(server.url("/echo"), method: "POST", body: .stream(pieces))
      request.timeout = .milliseconds(500)
      request.idleTimeout = .seconds(60)
      let late = await #expect(throws: HTTPError.self) { try await client.data(for: request) }
      guard case .timeout = late else {
        Issue.record("\(String(describing: late))")
        return
      }
    }

    @Test("a sequence that gives nothing ends the request after the idle time")
    func idleProducer() async throws {
      let server = try LoopbackServer()
      var options = HTTPOptions()
      options.idleTimeout = .seconds(1)
      let client = HTTPClient(try Material.manager(), options: options)
      let (pieces, end) = AsyncStream<[UInt8]>.makeStream()
      defer { end.finish() }
      let request = HTTPRequest(server.url("/echo"), method: "POST", body: .stream(pieces))
      let error = await #expect(throws: HTTPError.self) { try await client.data(for: request) }
      guard case .bodyStalled = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }
#endif
