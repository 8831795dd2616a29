#if Curl && canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import Holdfast
  import HoldfastCompatibility
  import HoldfastURLSession
  import HTTPTestSupport
  import Synchronization
  import Testing

  /// What becomes of connections and sessions that a policy accepted before it changed.
  @Suite(
    "URLSession with policies that change",
    .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"), .timeLimit(.minutes(10)))
  struct ChangedPolicyTests {
    private func url(_ server: LoopbackServer, _ path: String) throws -> URL {
      try #require(URL(string: server.url(path)))
    }

    private func validator() throws -> PathValidator {
      PathValidator(anchors: AnchorSet([try Material.certificate("root")]), rules: .apple)
    }

    private func error(_ session: URLSession, _ url: URL) async -> URLError? {
      await #expect(throws: URLError.self) { _ = try await session.data(from: url) }
    }

    @Test(
      "a policy that has changed is asked again, on a kept connection and for a session",
      arguments: ["/hello", "/close"])
    func changedPolicy(path: String) async throws {
      let server = try LoopbackServer()
      let target = try url(server, path)
      let policy = AFSecurityPolicy(
        pinningMode: .publicKey, withPinnedCertificates: [try Material.certificate("good")])
      let session = URLSession(configuration: .pinned(policy, validator: try validator()))
      for _ in 1...2 { _ = try await session.data(from: target) }
      // Without a change the policy need not be asked.
      let log = try await server.log()
      #expect(log.resumed == (path == "/close" ? 1 : 0))
      // The log has one of its own.
      #expect(log.connections == (path == "/close" ? 3 : 2))
      policy.pinnedCertificates = [try Material.certificate("other")]
      #expect(await error(session, target)?.code == .cancelled)
      #expect(try await server.log().requests.count == 2)
      policy.pinnedCertificates = [try Material.certificate("good")]
      #expect(try await session.data(from: target).0 == Data("hello".utf8))
    }

    @Test("a session asks the trust of the moment, on a kept connection, too")
    func liveTrust() async throws {
      let server = try LoopbackServer()
      let target = try url(server, "/hello")
      let trust = LiveTrust(try Material.manager(pins: "good", "client"))
      let session = URLSession(configuration: .pinned(trust))
      #expect(try await session.data(from: target).0 == Data("hello".utf8))
      trust.update(try Material.manager(pins: "other", "client"))
      #expect(await error(session, target) != nil)
      trust.update(try Material.manager(pins: "good", "client"))
      #expect(try await session.data(from: target).0 == Data("hello".utf8))
      #expect(try await server.log().requests.count == 2)
    }

    /// Whether the managers below reject the server.
    private final class Switch: Sendable {
      private let value = Mutex(false)
      var isOn: Bool { value.withLock(\.self) }
      func turn(on: Bool) { value.withLock { $0 = on } }
    }

    private final class ChangingManager: ServerTrustManager, @unchecked Sendable {
      let rejects = Switch()

      override func serverTrustEvaluator(
        forHost host: String
      ) throws -> (any ServerTrustEvaluating)? {
        if rejects.isOn { throw TrustError.rejected(reason: "blocked") }
        return try super.serverTrustEvaluator(forHost: host)
      }
    }

    private final class ChangingPolicyManager: ServerTrustPolicyManager, @unchecked Sendable {
      let rejects = Switch()

      override func serverTrustPolicy(forHost host: String) -> ServerTrustPolicy? {
        if rejects.isOn { return .customEvaluation { _, _ in false } }
        return super.serverTrustPolicy(forHost: host)
      }
    }

    @Test(
      "a manager that may find another evaluator is asked again, also where the system decides",
      arguments: ["localhost", "a.example"])
    func changedManager(host: String) async throws {
      let server = try LoopbackServer()
      let target = try url(server, "/hello")
      let validator = try validator()
      let manager = ChangingManager(
        allHostsMustBeEvaluated: false, evaluators: [host: DefaultTrustEvaluator()])
      let policies = ChangingPolicyManager(
        policies: [host: .performDefaultEvaluation(validateHost: true)])
      for (configuration, rejects) in [
        (URLSessionConfiguration.pinned(manager, validator: validator), manager.rejects),
        (.pinned(policies, validator: validator), policies.rejects),
      ] {
        let session = URLSession(configuration: configuration)
        for isOn in [false, true, true, false] {
          rejects.turn(on: isOn)
          guard isOn else {
            #expect(try await session.data(from: target).0 == Data("hello".utf8))
            continue
          }
          #expect(await error(session, target)?.code == .cancelled)
        }
      }
      #expect(try await server.log().requests.count == 4)
    }

    @Test("a manager that always finds the same evaluator keeps its connections")
    func unchangedManager() async throws {
      let server = try LoopbackServer()
      let manager = ServerTrustManager(evaluators: ["localhost": DefaultTrustEvaluator()])
      let session = URLSession(
        configuration: .pinned(manager, validator: try validator()))
      for _ in 1...3 { _ = try await session.data(from: try url(server, "/hello")) }
      #expect(try await server.log().connections == 2, "one is the log's")
    }
  }
#endif
