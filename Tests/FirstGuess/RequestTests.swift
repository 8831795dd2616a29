#if Curl
  import Foundation
  import FoundationNetworking
  import HTTPTestSupport
  import HoldfastCompatibility
  import Synchronization
  import TestSupport
  import Testing

  /// What requests do that are written at first guess.
  @Suite(
    "First guesses, requested",
    .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl, no request is made"))
  struct RequestGuessTests {
    /// A test may wait long for its turn between two pieces of a body.
    private static let patient: HTTPOptions = {
      var options = HTTPOptions()
      options.idleTimeout = .seconds(600)
      return options
    }()

    @Test("a client of anchors and one of pins reach their server, and wrong pins send nothing")
    func clients() async throws {
      let server = try LoopbackServer()
      let anchors = try AnchorSet(file: Material.path("root.pem"))
      let (data, response) = try await HTTPClient(anchors: anchors).data(from: server.url("/hello"))
      #expect(response.isSuccess && !data.isEmpty)
      let names = ["good", "other", "client"]
      let pins = try names.map { "\(try Material.certificate($0).pin)" }
      let right = try HTTPClient(pins: ["localhost": [pins[0], pins[2]]], anchors: anchors)
      _ = try await right.data(from: server.url("/hello"))
      let count = try await server.log().requests.count
      let wrong = try HTTPClient(pins: ["localhost": [pins[1], pins[2]]], anchors: anchors)
      await #expect(throws: HTTPError.self) { try await wrong.data(from: server.url("/hello")) }
      #expect(try await server.log().requests.count == count)
      #expect(throws: TrustManagerError.self) { try HTTPClient(pins: ["localhost": [pins[0]]]) }
    }

    @Test("transfers in URLSession's shapes, with a progress that remembers")
    func transfers() async throws {
      let server = try LoopbackServer()
      let client = HTTPClient(
        anchors: try AnchorSet(file: Material.path("root.pem")), options: Self.patient)
      let folder = try ScratchFolder()
      let last = Mutex<HTTPProgress?>(nil)
      var calls = 0
      _ = try await client.download(from: server.url("/bytes/300000"), to: "\(folder.path)/file") {
        progress in
        calls += 1
        last.withLock { $0 = calls > 0 ? progress : nil }
      }
      let progress = try #require(last.withLock { $0 })
      #expect(progress.received == 300_000 && progress.fraction == 1)
      #expect("\(progress)" == "received 300000 of 300000 bytes")
      let request = HTTPRequest(server.url("/echo"), method: "PUT")
      _ = try await client.upload(for: request, from: Array("hello".utf8))
      _ = try await client.upload(for: request, fromFile: "\(folder.path)/file")
      let (body, _) = try await client.bytes(from: server.url("/bytes/10"))
      var size = 0
      for try await piece in body { size += piece.count }
      #expect(size == 10)
      #expect(try await server.log().requests.map(\.body?.size) == [0, 5, 300_000, 0])
    }

    @Test("old policies in a session decide with the anchors that they are given")
    func sessions() async throws {
      let server = try LoopbackServer()
      let anchors = try AnchorSet(file: Material.path("root.pem"))
      let leaf = try Material.certificate("good")
      let url = try #require(URL(string: server.url("/hello")))
      let policy = AFSecurityPolicy(pinningMode: .publicKey, withPinnedCertificates: [leaf])
      let manager = ServerTrustManager(evaluators: [
        "localhost": PublicKeysTrustEvaluator(keys: [leaf.publicKey])
      ])
      let policies = ServerTrustPolicyManager(policies: [
        "localhost": .pinPublicKeys(
          publicKeys: [leaf.publicKey], validateCertificateChain: true, validateHost: true)
      ])
      for configuration in [
        try URLSessionConfiguration.pinned(policy, anchors: anchors),
        try .pinned(manager, anchors: anchors), try .pinned(policies, anchors: anchors),
      ] {
        _ = try await URLSession(configuration: configuration).data(from: url)
      }
      let before = try await server.log().requests.count
      let stranger = AnchorSet([try Material.certificate("other-root")])
      for configuration in [
        try URLSessionConfiguration.pinned(policy, anchors: stranger),
        try .pinned(manager, anchors: stranger), try .pinned(policies, anchors: stranger),
      ] {
        await #expect(throws: URLError.self) {
          try await URLSession(configuration: configuration).data(from: url)
        }
      }
      #expect(try await server.log().requests.count == before)
    }
  }
#endif
