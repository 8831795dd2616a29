#if Curl
  import Foundation
  import HTTPTestSupport
  import Testing

  @testable import HoldfastHTTP

  /// Tasks on the thread that makes their requests.
  @Suite(
    "Tasks on a client's thread", .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"),
    .timeLimit(.minutes(10)))
  struct ExecutorTests {
    /// The thread that runs this.
    private static func thread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }

    @Test("a task stays on the client's thread before and after each of its requests")
    func stays() async throws {
      let server = try LoopbackServer()
      let client = HTTPClient(try Material.manager())
      let threads = try await withTaskExecutorPreference(client.executor) {
        var threads = [Self.thread()]
        for _ in 0..<3 {
          let (data, response) = try await client.data(from: server.url("/hello"))
          #expect(response.isSuccess && !data.isEmpty)
          threads.append(Self.thread())
        }
        return threads
      }
      #expect(Set(threads).count == 1 && !threads.contains(Self.thread()))
    }

    @Test("requests of many tasks on one thread are made at the same time")
    func many() async throws {
      let server = try LoopbackServer()
      let client = HTTPClient(try Material.manager())
      let right = await withTaskGroup(of: Bool.self) { group in
        for size in stride(from: 1_000, through: 32_000, by: 1_000) {
          let url = server.url("/bytes/\(size)")
          group.addTask(executorPreference: client.executor) {
            (try? await client.data(from: url))?.data.count == size
          }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(right == 32)
    }

    @Test("a body is read as it arrives by a task that keeps its thread from the socket")
    func stream() async throws {
      let server = try LoopbackServer()
      let client = HTTPClient(try Material.manager())
      let size = 5_000_000
      let count = try await withTaskExecutorPreference(client.executor) {
        let (body, _) = try await client.bytes(from: server.url("/bytes/\(size)"))
        var count = 0
        for try await piece in body { count += piece.count }
        return count
      }
      #expect(count == size)
    }

    @Test("a cancelled task ends its request on the client's thread")
    func cancellation() async throws {
      let server = try LoopbackServer()
      // The threads that the other tests share may be busy for a while before the task is cancelled.
      var options = HTTPOptions()
      options.idleTimeout = .seconds(600)
      let client = HTTPClient(try Material.manager(), options: options)
      let url = server.url("/hang?seconds=3600")
      let task = Task(executorPreference: client.executor) { () -> HTTPError? in
        do throws(HTTPError) {
          _ = try await client.data(from: url)
          return nil
        } catch {
          return error
        }
      }
      try await Task.sleep(for: .milliseconds(50))
      task.cancel()
      let error = await task.value
      guard case .cancelled? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test("tasks go on after their client was released and its thread has ended")
    func released() async throws {
      let server = try LoopbackServer()
      var client = Optional(HTTPClient(try Material.manager()))
      let executor = try #require(client).executor
      _ = try await client?.data(from: server.url("/hello"))
      client = nil
      for _ in 0..<3 {
        let (first, second) = try await Task(executorPreference: executor) {
          let first = Self.thread()
          try await Task.sleep(for: .milliseconds(20))
          return (first, Self.thread())
        }.value
        #expect(first != Self.thread() && second != Self.thread())
      }
    }
  }
#endif
