#if Curl
  import Foundation
  import Holdfast
  import HoldfastHTTP
  import HoldfastOpenSSL
  import HTTPTestSupport
  import Synchronization
  import Testing

  /// Clients whose trust is replaced while they run.
  @Suite(
    "Trust that is replaced, of HTTP requests",
    .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"), .timeLimit(.minutes(10)))
  struct LiveTrustTests {
    private static let other = Result { try Material.manager(pins: "other", "client") }

    private func expectRejection(_ client: HTTPClient, _ url: String) async {
      let error = await #expect(throws: HTTPError.self) { try await client.data(from: url) }
      guard case .notTrusted(.pinMismatch) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test("an update that still trusts the server keeps the connection")
    func kept() async throws {
      let server = try LoopbackServer()
      let trust = LiveTrust(try Material.manager(pins: "good", "other"))
      let client = HTTPClient(trust)
      for _ in 0..<5 {
        _ = try await client.data(from: server.url("/hello"))
        trust.update(try Material.manager(pins: "good", "client"))
      }
      // One of them is that which asks.
      #expect(try await server.log().connections == 2)
      // The session is kept, too.
      _ = try await client.data(from: server.url("/close"))
      trust.update(try Material.manager(pins: "good", "other"))
      _ = try await client.data(from: server.url("/hello"))
      #expect(try await server.log().resumed == 1)
    }

    @Test("an idle connection to a server that is no longer trusted ends within a second")
    func idle() async throws {
      let server = try LoopbackServer()
      let trust = LiveTrust(try Material.manager(pins: "good", "client"))
      let client = HTTPClient(trust)
      var (times, count) = ([Duration](), 0)
      // The server is asked on a connection of its own, which may take a second where much else runs.
      repeat {
        _ = try await client.data(from: server.url("/hello"))
        #expect(try await server.eventually { $0.open == 2 })
        let start = ContinuousClock.now
        trust.update(try Self.other.get())
        #expect(try await server.eventually { $0.open == 1 })
        times.append(start.duration(to: .now))
        await expectRejection(client, server.url("/hello"))
        trust.update(try Material.manager())
        count += 1
      } while times.allSatisfy { $0 >= .seconds(1) } && count < 5
      #expect(times.contains { $0 < .seconds(1) }, "\(times)")
      _ = try await client.data(from: server.url("/hello"))
      #expect(try await server.log().requests.count == count + 1)
    }

    @Test("a response that has begun arrives, and then its connection ends")
    func inFlight() async throws {
      let server = try LoopbackServer()
      let trust = LiveTrust(try Material.manager(pins: "good", "client"))
      let client = HTTPClient(trust)
      let size = 4_000_000
      let (body, _) = try await client.bytes(from: server.url("/bytes/\(size)"))
      trust.update(try Self.other.get())
      var count = 0
      for try await piece in body { count += piece.count }
      #expect(count == size)
      #expect(try await server.eventually { $0.open == 1 })
      await expectRejection(client, server.url("/hello"))
    }

    @Test("a client certificate that is replaced is presented from then on")
    func identity() async throws {
      let server = try LoopbackServer("good", "--clients", Material.path("root.pem"))
      let identity = Live(try Material.identity("client"))
      var options = HTTPOptions()
      options.liveIdentity = identity
      let client = HTTPClient(LiveTrust(try Material.manager()), options: options)
      for _ in 0..<2 { _ = try await client.data(from: server.url("/client")) }
      identity.update(try Material.identity("below", with: "middle"))
      let (data, _) = try await client.data(from: server.url("/client"))
      #expect(data.count == 5)
    }

    @Test("with a list each request resumes the session of the first, until a newer list is there")
    func lists() async throws {
      let server = try LoopbackServer()
      func manager(_ list: CRL) throws -> TrustManager {
        TrustManager(
          anchors: AnchorSet([try Material.certificate("root")]),
          revocation: Revocation(.required(of: .leaf), crls: [list]))
      }
      let trust = LiveTrust(try manager(try Material.list()))
      let clock = Mutable(Timestamp.now)
      let client = HTTPClient(TLSVerifier(trust, clock: { clock.value.withLock { $0 } }))
      for _ in 0..<6 {
        _ = try await client.data(from: server.url("/close"))
        clock.value.withLock { $0 = $0.advanced(bySeconds: 2) }
      }
      #expect(try await server.log().resumed == 5)
      // A connection that is kept serves them, too.
      for _ in 0..<6 {
        _ = try await client.data(from: server.url("/hello"))
        clock.value.withLock { $0 = $0.advanced(bySeconds: 2) }
      }
      let before = try await server.log()
      #expect(before.resumed == 6)
      trust.update(try manager(try Material.list(revoking: "good")))
      let error = await #expect(throws: HTTPError.self) {
        try await client.data(from: server.url("/hello"))
      }
      guard case .notTrusted(.invalidPath(let path)) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect("\(path)".contains("revoked"))
      #expect(try await server.log().requests.count == before.requests.count)
    }

    private final class Mutable: Sendable {
      let value: Mutex<Timestamp>
      init(_ time: Timestamp) { value = Mutex(time) }
    }

    /// The two sets have nothing in common, and a verdict shows of which its anchor and its pin are.
    private static func sets() throws -> [TrustManager] {
      let leaf = try Material.certificate("good")
      return try [
        ("A", try Material.certificate("root"), ValidationRules.webPKI), ("B", leaf, .rfc5280),
      ]
      .map { label, anchor, rules in
        TrustManager(
          pins: try PinTable([
            "localhost": PinSet([
              ScopedPin(Pin(keyOf: leaf), label: label),
              ScopedPin(Pin(keyOf: anchor), label: label),
              ScopedPin(Pin(keyOf: try Material.certificate("client")), label: label),
            ])
          ]), anchors: AnchorSet([anchor]), rules: rules)
      }
    }

    private final class Flag: Sendable { let value = Atomic(false) }

    /// Makes requests with many clients while their trust is replaced.
    static func replace(_ updates: Int, clients: Int) async throws {
      let server = try LoopbackServer()
      let sets = try sets()
      let trust = LiveTrust(sets[0])
      let isDone = Flag()
      let url = server.url("/hello")
      let (requests, mixed) = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
        for _ in 0..<clients {
          group.addTask {
            let client = HTTPClient(trust)
            var (count, mixed) = (0, 0)
            while !isDone.value.load(ordering: .relaxed) || count == 0 {
              let (data, response) = try await client.data(from: url)
              guard data.count == 5, let verdict = response.verdict, let path = verdict.path,
                case .pinned(let match) = verdict.reason
              else {
                mixed += 1
                continue
              }
              let label = path.anchor.certificate == path.leaf ? "B" : "A"
              if match.pin?.label != label { mixed += 1 }
              count += 1
            }
            return (count, mixed)
          }
        }
        for number in 1...updates {
          trust.update(sets[number % 2])
          try await Task.sleep(for: .milliseconds(1))
        }
        isDone.value.store(true, ordering: .relaxed)
        return try await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
      }
      #expect(mixed == 0 && requests >= clients && trust.generation == updates)
      let log = try await server.log()
      // None is lost, and none is sent twice.
      #expect(log.requests.count == requests)
    }

    @Test("no request is lost while the trust is replaced, and no verdict is of two sets")
    func replacements() async throws {
      try await Self.replace(60, clients: 3)
    }
  }

  @Suite(
    "Trust that is replaced, of many clients",
    .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"), .timeLimit(.minutes(10)))
  struct HeavyLiveTrustTests {
    @Test("fifty clients lose no request in a thousand replacements")
    func replacements() async throws {
      try await LiveTrustTests.replace(1000, clients: 50)
    }
  }
#endif
