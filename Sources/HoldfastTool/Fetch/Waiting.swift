internal import Dispatch
internal import Synchronization

/// Waits in a command, which is not asynchronous, for what is.
final class Waiting<Value: Sendable>: Sendable {
  private let result = Mutex<Value?>(nil)

  /// Does the work, and waits for its value.
  ///
  /// - Parameter tick: Called ten times a second meanwhile, with a function that cancels the work.
  static func value(
    of work: @escaping @Sendable () async -> Value, tick: (() -> Void) -> Void = { _ in }
  ) -> Value {
    let (waiting, done) = (Waiting(), DispatchSemaphore(value: 0))
    let task = Task {
      let value = await work()
      waiting.result.withLock { $0 = value }
      done.signal()
    }
    while true {
      if done.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
        tick(task.cancel)
      } else if let value = waiting.result.withLock({ $0 }) {
        return value
      }
    }
  }
}
