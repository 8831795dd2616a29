import Dispatch

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a turn asks for.
public struct Turn: Sendable {
  /// What is requested.
  public let url: String
  /// How many requests are made.
  public let count: Int
  /// How many requests are made at the same time.
  public let concurrency: Int
  /// The most connections.
  public let connections: Int
  /// Whether HTTP/2 is offered.
  public let isHTTP2: Bool

  /// A line is `URL COUNT CONCURRENCY CONNECTIONS VERSION`.
  fileprivate init?(_ line: String) {
    let words = line.split(separator: " ")
    guard words.count == 5, let count = Int(words[1]), let concurrency = Int(words[2]),
      let connections = Int(words[3])
    else { return nil }
    url = String(words[0])
    (self.count, self.concurrency, self.connections) = (count, concurrency, connections)
    isHTTP2 = words[4] == "2"
  }
}

/// Answers each line of standard input with the nanoseconds of a turn and those of the processor,
/// or with 0 if a request has failed.
///
/// - Parameters:
///   - client: Makes the client of a kind of turn; called once for each, to keep connections.
///   - executor: What the tasks with the requests run on; nil for the threads that all tasks share.
///   - request: Makes one request.
public func serveTurns<Client: Sendable>(
  client: @escaping @Sendable (Turn) throws -> Client,
  executor: @escaping @Sendable (Client) -> (any TaskExecutor)? = { _ in nil },
  request: @escaping @Sendable (Client, Turn) async -> Bool
) {
  // The main thread only waits: valgrind cannot follow one that ends before its process.
  let end = DispatchSemaphore(value: 0)
  Task.detached {
    do { try await answerTurns(client, executor, request) } catch { print(error) }
    end.signal()
  }
  end.wait()
}

private func answerTurns<Client: Sendable>(
  _ client: @Sendable (Turn) throws -> Client,
  _ executor: @Sendable (Client) -> (any TaskExecutor)?,
  _ request: @escaping @Sendable (Client, Turn) async -> Bool
) async throws {
  var clients: [String: Client] = [:]
  while let line = readLine() {
    guard let turn = Turn(line) else { return print(0, 0) }
    let key = "\(turn.connections) \(turn.isHTTP2)"
    let client = try clients[key] ?? client(turn)
    clients[key] = client
    let (start, used) = (ContinuousClock.now, processorTime())
    let isRight = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<turn.concurrency {
        group.addTask(executorPreference: executor(client)) {
          for _ in 0..<turn.count / turn.concurrency {
            guard await request(client, turn) else { return false }
          }
          return true
        }
      }
      return await group.reduce(true) { $0 && $1 }
    }
    let elapsed = start.duration(to: .now) / .nanoseconds(1)
    let processorTime = processorTime() - used
    releaseFreedMemory()
    print(isRight ? Int(elapsed) : 0, processorTime)
    fflush(nil)
  }
}

/// Gives memory that was freed back, so that the memory of a process is what it keeps.
private func releaseFreedMemory() {
  // Swift's module of glibc does not have malloc.h.
  if let trim = dlsym(nil, "malloc_trim") {
    _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> CInt).self)(0)
  }
}

/// The nanoseconds that this process has used.
private func processorTime() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
