#if Curl
  import Foundation
  import Holdfast
  import HTTPTestSupport
  import HoldfastSystem
  import TestSupport
  import Testing

  @testable import HoldfastHTTP

  /// Where bodies begin and end, and what may be one.
  @Suite(
    "Bodies of HTTP requests", .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"),
    .timeLimit(.minutes(10)))
  struct BodyTests {
    @Test("a pipe or a device is no body, and other requests go on", arguments: ["pipe", "device"])
    func specialFile(kind: String) async throws {
      let server = try LoopbackServer()
      let folder = try ScratchFolder()
      var path = "/dev/zero"
      if kind == "pipe" {
        path = "\(folder.path)/pipe"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/mkfifo")
        process.arguments = [path]
        try ChildProcess.begin(process)
        process.waitUntilExit()
      }
      let client = HTTPClient(try Material.manager())
      for name in [path, folder.path, "\(folder.path)/nothing"] {
        let request = HTTPRequest(server.url("/echo"), method: "PUT", body: .file(name))
        let error = await #expect(throws: HTTPError.self) { try await client.data(for: request) }
        guard case .file(path: name, _) = error else {
          Issue.record("\(String(describing: error))")
          return
        }
      }
      #expect(try await client.data(from: server.url("/hello")).data.count == 5)
      #expect(try await server.log().requests.map(\.target) == ["/hello"])
    }

    @Test("a file is sent again after a redirect that requires it")
    func redirectedFile() async throws {
      let server = try LoopbackServer()
      let folder = try ScratchFolder()
      let path = try folder.file("body", [UInt8](repeating: 1, count: 1_000_000))
      let client = HTTPClient(try Material.manager())
      let request = HTTPRequest(
        server.url("/redirect?status=307&to=/echo"), method: "PUT", body: .file(path))
      let (data, _) = try await client.data(for: request)
      let seen = try JSONDecoder().decode(LoopbackServer.Log.Request.self, from: Data(data))
      #expect(seen.body?.size == 1_000_000)
      let first = try #require(try await server.log().requests.first)
      #expect(first.body?.size == 1_000_000)
    }

    @Test("a second iterator of a body gets an error, and the first one goes on")
    func secondIterator() async throws {
      let server = try LoopbackServer()
      let client = HTTPClient(try Material.manager())
      let (body, _) = try await client.bytes(from: server.url("/bytes/3000000"))
      var pieces = body.makeAsyncIterator()
      var count = try await pieces.next()?.count ?? 0
      let second = Task { for try await _ in body {} }
      let error = await #expect(throws: HTTPError.self) { try await second.value }
      guard case .bodyReadTwice = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      while let piece = try await pieces.next() { count += piece.count }
      #expect(count == 3_000_000)
    }

    @Test("a download has a limit, and nothing is left of what exceeds it")
    func downloadLimit() async throws {
      #expect(HTTPOptions().limits.fileBytes == 1 << 30)
      let server = try LoopbackServer()
      let folder = try ScratchFolder()
      var options = HTTPOptions()
      options.limits.fileBytes = 1_000_000
      let client = HTTPClient(try Material.manager(), options: options)
      for path in ["/bytes/1000001", "/bomb/1000001", "/endless"] {
        let error = await #expect(throws: HTTPError.self) {
          _ = try await client.download(from: server.url(path), to: "\(folder.path)/out")
        }
        guard case .bodyTooLong(limit: 1_000_000, _) = error else {
          Issue.record("\(path): \(String(describing: error))")
          return
        }
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
      // What is announced as too long is no error where nothing is read of it.
      let head = HTTPRequest(server.url("/hello"), method: "HEAD")
      options.limits.dataBytes = 10
      let small = HTTPClient(try Material.manager(), options: options)
      #expect(try await small.data(for: head).response.status == 200)
      _ = try await client.download(from: server.url("/bytes/1000000"), to: "\(folder.path)/out")
    }

    @Test("a file that appears while another is written under its name is not replaced")
    func appearing() throws {
      let folder = try ScratchFolder()
      let path = "\(folder.path)/out"
      let file = try PendingFile(path, replacing: false)
      try file.append([1, 2, 3])
      _ = try folder.file("out", [9])
      let error = #expect(throws: FileOutput.Problem.self) { try file.commit() }
      #expect(error == .exists)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([9]))
      let other = try PendingFile("\(folder.path)/new", replacing: false)
      try other.append([4])
      try other.commit()
      #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/new")) == Data([4]))
    }

    @Test("nothing is left of a name that could not be given to a file")
    func reservedName() throws {
      let folder = try ScratchFolder()
      let file = try PendingFile("\(folder.path)/out", replacing: false)
      // Another program has removed it.
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)")
      }
      #expect(throws: FileOutput.Problem.self) { try file.commit() }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test(
      "a body that ends with the connection is complete only after close_notify",
      arguments: ["1.0", "1.1"])
    func closeDelimited(version: String) async throws {
      // RFC 9112 §9.8. Without TLS nothing tells the two apart.
      let (server, plain) = (try LoopbackServer(), try LoopbackServer("good", "--plain"))
      var options = HTTPOptions()
      options.allowsPlainHTTP = true
      let client = HTTPClient(try Material.manager(), options: options)
      func path(_ end: String) -> String { "/until-close?version=\(version)&end=\(end)" }
      for url in [server.url(path("close_notify")), plain.url(path("FIN"))] {
        #expect(try await client.data(from: url).data == Array("hello".utf8))
      }
      let folder = try ScratchFolder()
      for request in ["data", "bytes", "download"] {
        let error = await #expect(throws: HTTPError.self) {
          switch request {
          case "data": _ = try await client.data(from: server.url(path("FIN")))
          case "bytes":
            for try await _ in try await client.bytes(from: server.url(path("FIN"))).body {}
          default:
            _ = try await client.download(
              from: server.url(path("FIN")), to: "\(folder.path)/body")
          }
        }
        guard case .connectionLost = error else {
          Issue.record("\(request): \(String(describing: error))")
          return
        }
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test(
      "a Content-Length is one number, and no other message is measured by it",
      arguments: [
        ("Content-Length: 5", true), ("Content-Length: 5, 5", true),
        ("Content-Length: 5;Content-Length: 5", true),
        ("Content-Length: 3;Content-Length: 5", false), ("Content-Length: 3, 5", false),
        ("Content-Length: +5", false), ("Content-Length: 5x", false), ("Content-Length:", false),
        ("Content-Length: 5 5", false), ("Content-Length: 0x5", false),
        ("Content-Length: 99999999999999999999", false), ("Content-Length : 3", false),
        ("Transfer-Encoding : chunked;Content-Length: 5", false),
      ])
    func lengths(lines: String, isOne: Bool) async throws {
      let server = try LoopbackServer()
      let client = HTTPClient(try Material.manager())
      let allowed = CharacterSet.alphanumerics
      let query = lines.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
      let url = server.url("/fields?lines=\(query)")
      if isOne {
        #expect(try await client.data(from: url).data == Array("hello".utf8))
        return
      }
      let error = await #expect(throws: HTTPError.self) { try await client.data(from: url) }
      guard case .invalidResponse = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    /// Reasons from RFC 9112 §6.1 and §6.3.
    @Test(
      "a head that frames its body in two ways, or by another coding than chunked, is refused",
      arguments: [
        ("Transfer-Encoding: chunked", "1.1", nil), ("Transfer-Encoding: Chunked,", "1.1", nil),
        ("Transfer-Encoding: identity, chunked", "1.1", nil),
        ("Transfer-Encoding: chunked;Content-Length: 15", "1.1", "Content-Length"),
        ("Content-Length: 5;Transfer-Encoding: chunked", "1.1", "Content-Length"),
        ("Transfer-Encoding:;Content-Length: 15", "1.1", "Content-Length"),
        ("Transfer-Encoding: identity;Content-Length: 15", "1.1", "Content-Length"),
        ("Transfer-Encoding: chunked, identity", "1.1", "not the last"),
        ("Transfer-Encoding: chunked;Transfer-Encoding: chunked", "1.1", "not the last"),
        ("Transfer-Encoding: chunked, gzip", "1.1", "not asked for"),
        ("Transfer-Encoding: chunked", "1.0", "HTTP/1.0"),
      ] as [(String, String, String?)])
    func framing(lines: String, version: String, reason: String?) async throws {
      let server = try LoopbackServer()
      let client = HTTPClient(try Material.manager())
      let allowed = CharacterSet.alphanumerics
      func coded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
      }
      let body = coded("5\r\nhello\r\n0\r\n\r\n")
      let url = server.url("/fields?lines=\(coded(lines))&version=\(version)&body=\(body)")
      guard let reason else {
        #expect(try await client.data(from: url).data == Array("hello".utf8))
        return
      }
      let error = await #expect(throws: HTTPError.self) { try await client.data(from: url) }
      guard case .invalidResponse(_, let found)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(found.contains(reason) && found.contains("[RFC 9112 §6."), "\(found)")
    }

    /// RFC 9112 §6.3: without chunked as its last coding a body ends with the connection.
    @Test(
      "only chunked frames a body that has a transfer coding",
      arguments: [
        (["Content-Length": "5"], true), (["Transfer-Encoding": "chunked"], true),
        (["Transfer-Encoding": "identity"], false), ([:], false),
        (["Transfer-Encoding": "identity", "Content-Length": "5"], false),
        (["Transfer-Encoding": "chunked, identity", "Content-Length": "5"], false),
      ] as [(HTTPFields, Bool)])
    func frames(fields: HTTPFields, isFramed: Bool) {
      #expect(fields.framesBody == isFramed)
    }

    @Test("a gzip stream that is cut off, or followed by something else, is an error")
    func gzip() async throws {
      let server = try LoopbackServer()
      let client = HTTPClient(try Material.manager())
      let hello = Array(String(repeating: "hello ", count: 1000).utf8)
      for name in ["gzip", "x-gzip", "GZIP"] {
        #expect(try await client.data(from: server.url("/gzip?name=\(name)")).data == hello)
      }
      for path in ["/gzip?without=1", "/gzip?without=20", "/gzip?name=br", "/gzip?name=deflate"] {
        let error = await #expect(throws: HTTPError.self) {
          try await client.data(from: server.url(path))
        }
        guard case .invalidResponse = error else {
          Issue.record("\(path): \(String(describing: error))")
          return
        }
      }
      // A slow reader pauses the transfer in the middle of a piece.
      let (body, _) = try await client.bytes(from: server.url("/bomb/3000000"))
      var count = 0
      for try await piece in body {
        #expect(piece.allSatisfy { $0 == 0 })
        count += piece.count
        if count < 300_000 { try await Task.sleep(for: .milliseconds(100)) }
      }
      #expect(count == 3_000_000)
    }

    @Test("an interim head has no length by which the response is measured")
    func interimLength() throws {
      // RFC 9110 §8.6.
      let fields: HTTPFields = ["Content-Length": "5"]
      #expect(fields.framingProblem(isInterim: true, .http11) != nil)
      #expect(fields.framingProblem(isInterim: false, .http11) == nil)
    }
  }
#endif
