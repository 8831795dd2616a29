#if NIO && Curl
  import Dispatch
  import HTTPTestSupport
  import Holdfast
  import HoldfastDER
  import HoldfastIdentities
  import HoldfastNIO
  import HoldfastOpenSSL
  import NIOCore
  import NIOSSL
  import Synchronization
  import Testing

  /// A server of NIOSSL with mutual TLS whose trust is replaced again and again while clients connect,
  /// resume sessions, talk and wait.
  @Suite(
    "A server of NIOSSL whose trust is replaced",
    .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"), .timeLimit(.minutes(10)))
  struct HeavyChangeTests {
    /// Two trusts. Both accept `client`; both reject `below`, of which the CA `middle` is revoked in the
    /// first and unknown in the second. The anchors of the first without its list would accept it.
    private static func trusts() throws -> [PathValidator] {
      let list = try Material.list(revoking: "middle")
      return [
        PathValidator(
          anchors: AnchorSet([try Material.certificate("root")]), rules: .rfc5280,
          revocation: Revocation(.ifAvailable, crls: [list])),
        PathValidator(
          anchors: AnchorSet([
            try Material.certificate("client"), try Material.certificate("other-root"),
          ]), rules: .rfc5280),
      ]
    }

    private func client(_ identity: Identity) throws -> TLSClient {
      var options = TLSClient.Options()
      options.resumesSessions = true
      options.identity = identity
      // Fifty handshakes wait for each other, and under the thread sanitizer each takes long.
      options.timeout = .seconds(120)
      return try TLSClient(TLSVerifier(try Material.manager()), options: options)
    }

    private func connect(
      _ client: TLSClient, _ server: EchoServer
    ) throws(TLSError) -> TLSConnection {
      try client.connect(to: "localhost", port: server.port, address: "127.0.0.1")
    }

    /// Says `world` some times; returns whether each came back.
    private func talk(_ connection: TLSConnection, _ count: Int) throws(TLSError) -> Bool {
      var expected = "hello "
      var answer: [UInt8] = []
      for _ in 0..<count {
        try connection.write(Array("world".utf8))
        expected += "world"
        while answer.count < expected.utf8.count {
          let next = try connection.read()
          if next.isEmpty { return false }
          answer += next
        }
      }
      return answer == Array(expected.utf8)
    }

    /// What became of the clients.
    private struct Counts {
      var connections = 0
      var intrusions = 0
      var problems: [String] = []
    }

    @Test(
      "no answer is lost, no mixture of two trusts decides, and idle clients are closed at once")
    func replaced() async throws {
      let trusts = try Self.trusts()
      let live = Live(trusts[0])
      let verifier = NIOVerifier(clients: live)
      let server = try EchoServer(
        try Contexts.server("good", .noHostnameVerification), choosing: { verifier })
      let known = try (0..<40).map { _ in
        try client(Material.identity("client"))
      }
      let unknown = try (0..<10).map { _ in
        try client(Material.identity("below", with: "middle"))
      }
      let counts = Shared()
      let isDone = Atomic(false)
      let ended = Atomic(0)
      let resumed = Atomic(0)
      let group = DispatchGroup()
      for (index, client) in (known + unknown).enumerated() {
        DispatchQueue(label: "client.\(index)").async(group: group) {
          var own = Counts()
          repeat {
            own.connections += 1
            do throws(TLSError) {
              let connection = try connect(client, server)
              defer { connection.close() }
              let isComplete = try talk(connection, 3)
              if connection.isResumed { resumed.add(1, ordering: .relaxed) }
              if index >= known.count {
                own.intrusions += isComplete ? 1 : 0
              } else if !isComplete {
                own.problems.append("an answer was cut")
              }
            } catch {
              if index < known.count { own.problems.append("\(error)") }
            }
            ended.add(1, ordering: .relaxed)
          } while !isDone.load(ordering: .relaxed)
          counts.add(own)
        }
      }
      var number = 0
      // A slow build may take longer until some sessions were resumed. Each update judges all open
      // channels, so it waits for a connection, or in a slow build nothing else would be done.
      while number < 1000 || resumed.load(ordering: .relaxed) < 50 {
        let before = ended.load(ordering: .relaxed)
        number += 1
        live.update(trusts[number % 2])
        let start = ContinuousClock.now
        repeat {
          try await Task.sleep(for: .milliseconds(2))
        } while ended.load(ordering: .relaxed) == before && start.duration(to: .now) < .seconds(1)
      }
      isDone.store(true, ordering: .relaxed)
      await withCheckedContinuation { continuation in
        group.notify(queue: .global()) { continuation.resume() }
      }
      let found = counts.value
      print(
        "\(number) updates, \(found.connections) connections, "
          + "\(resumed.load(ordering: .relaxed)) resumed")
      #expect(found.problems.isEmpty && found.intrusions == 0, "\(found)")
      #expect(live.generation == number)
      let seen = server.takeSeen()
      #expect(Set(seen.clients) == ["client"] && seen.endings.isEmpty)

      // Idle ones, of a full handshake and of a ticket; both trusts are gone.
      let idle = try known.prefix(8).map { client in
        let connection = try connect(client, server)
        #expect(try talk(connection, 1))
        return connection
      }
      #expect(idle.contains { $0.isResumed })
      try await Task.sleep(for: .milliseconds(300))
      let start = ContinuousClock.now
      live.update(
        PathValidator(
          anchors: AnchorSet([try Material.certificate("other-root")]), rules: .rfc5280))
      for connection in idle {
        do throws(TLSError) { #expect(try connection.read().isEmpty) } catch {}
      }
      let time = ContinuousClock.now - start
      print("closed after \(time)")
      #expect(time < .seconds(1))
      let after = server.takeSeen()
      #expect(after.endings.count == idle.count)
      #expect(after.errors.allSatisfy { $0 is TrustError })
      // Their tickets are asked again.
      for client in known.prefix(8) {
        do throws(TLSError) {
          let connection = try connect(client, server)
          defer { connection.close() }
          #expect(try !talk(connection, 1))
        } catch {}
      }
      #expect(server.takeSeen().clients.isEmpty)
    }

    private final class Shared: Sendable {
      private let counts = Guarded(Counts())

      var value: Counts { counts.withLock(\.self) }

      func add(_ other: Counts) {
        counts.withLock { counts in
          counts.connections += other.connections
          counts.intrusions += other.intrusions
          counts.problems += other.problems
        }
      }
    }
  }
#endif
