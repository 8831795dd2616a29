import Dispatch
import Synchronization

/// A thread that does nothing but answer: what it costs a task to wait for another thread.
final class Hop: Sendable {
  private let waiting = Mutex<[CheckedContinuation<Bool, Never>]>([])
  private let signal = DispatchSemaphore(value: 0)

  init() {
    DispatchQueue(label: "hop").async {
      while true {
        self.signal.wait()
        let waiting = self.waiting.withLock { waiting in
          defer { waiting = [] }
          return waiting
        }
        for continuation in waiting { continuation.resume(returning: true) }
      }
    }
  }

  func turn() async -> Bool {
    await withCheckedContinuation { continuation in
      waiting.withLock { $0.append(continuation) }
      signal.signal()
    }
  }
}
