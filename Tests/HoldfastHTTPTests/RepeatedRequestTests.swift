#if Curl
  import Holdfast
  import HoldfastHTTP
  import HTTPTestSupport
  import TestSupport
  import Testing

  /// What is sent again, and what an error says of it.
  @Suite(
    "Requests that are sent again",
    .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"),
    .timeLimit(.minutes(10)))
  struct RepeatedRequestTests {
    /// RFC 9110 §9.2.2: what is not idempotent is not repeated by itself.
    @Test(
      "a request that a kept connection has lost is repeated only if twice is the same as once",
      arguments: [
        ("POST", "bytes", nil, 1), ("PATCH", "bytes", nil, 1), ("PURGE", "none", nil, 1),
        ("GET", "none", nil, 2), ("PUT", "bytes", nil, 2), ("DELETE", "none", nil, 2),
        ("PUT", "stream", nil, 1), ("GET", "none", [], 1), ("POST", "bytes", ["POST"], 2),
      ] as [(String, String, Set<String>?, Int)])
    func repeated(method: String, body: String, methods: Set<String>?, count: Int) async throws {
      let server = try LoopbackServer()
      var options = HTTPOptions()
      if let methods { options.repeatedMethods = methods }
      let client = HTTPClient(try Material.manager(), options: options)
      _ = try await client.data(from: server.url("/hello"))
      var request = HTTPRequest(server.url("/vanish"), method: method)
      if body == "bytes" { request.body = .bytes([1]) }
      if body == "stream" {
        request.body = .stream(
          AsyncStream { continuation in
            continuation.yield([1])
            continuation.finish()
          })
      }
      let lost = request
      let error = try #require(
        await #expect(throws: HTTPError.self) { try await client.data(for: lost) })
      switch error {
      case .connectionLost(host: "localhost:\(server.port)", _, wasSent: true):
        #expect(error.wasSent && body != "stream")
      case .bodyNotRepeatable: #expect(error.wasSent && body == "stream")
      default: Issue.record("\(error)")
      }
      let seen = try await server.log().requests.filter { $0.target == "/vanish" }
      #expect(seen.map(\.method) == Array(repeating: method, count: count))
    }

    @Test("what no server has seen was not sent")
    func unsent() async throws {
      let client = HTTPClient(try Material.manager())
      let other = try LoopbackServer("elsewhere")
      for url in ["https://localhost:1/", other.url("/hello")] {
        let error = await #expect(throws: HTTPError.self) { try await client.data(from: url) }
        #expect(error?.wasSent == false, "\(String(describing: error))")
      }
      let slow = try LoopbackServer()
      var request = HTTPRequest(slow.url("/hang"))
      request.timeout = .milliseconds(1500)
      let asked = request
      let late = await #expect(throws: HTTPError.self) { try await client.data(for: asked) }
      #expect(late?.wasSent == true)
    }
  }
#endif
