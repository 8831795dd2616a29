internal import Dispatch
internal import Synchronization

/// Waits in a command, which is not asynchronous, for what is.
final class Waiting<Value: Sendable>: Sendable {
  private let result = Mutex<Value?>(nil)

  /// Does the work, and waits for its value.
  static func value(of work: @escaping @Sendable () async -> Value) -> Value {
    let (waiting, done) = (Waiting(), DispatchSemaphore(value: 0))
    Task {
      let value = await work()
      waiting.result.withLock { $0 = value }
      done.signal()
    }
    while true {
      done.wait()
      if let value = waiting.result.withLock({ $0 }) { return value }
    }
  }
}
