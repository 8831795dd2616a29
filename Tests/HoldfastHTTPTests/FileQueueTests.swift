#if Curl
  import Dispatch
  import Testing

  @testable import HoldfastHTTP

  /// Bodies are written to files where a slow disk holds up no other task.
  @Suite("Files of HTTP requests", .timeLimit(.minutes(10))) struct FileQueueTests {
    @Test("more writers than processors that all wait leave the threads of other tasks free")
    func blocked() async {
      let gate = DispatchSemaphore(value: 0)
      let count = 64
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<count {
          group.addTask {
            let queue = FileQueue()
            await withTaskExecutorPreference(queue) { FileQueueTests.wait(gate) }
          }
        }
        // Without a thread for it, this task would never open the gate.
        group.addTask {
          for _ in 0..<10 { await Task.yield() }
          for _ in 0..<count { gate.signal() }
        }
      }
    }

    private static func wait(_ gate: DispatchSemaphore) { gate.wait() }
  }
#endif
