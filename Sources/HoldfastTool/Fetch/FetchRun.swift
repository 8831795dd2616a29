#if Curl
  internal import Dispatch
  internal import Holdfast
  internal import HoldfastHTTP
  internal import HoldfastOnline
  internal import Synchronization

  extension FetchQuestion {
    /// Answers a request with what is fetched for it.
    func answer(to request: ValidationRequest, _ validator: PathValidator) -> OnlineAnswer {
      let online = OnlineValidator(
        validator, fetching: HTTPFetcher(allowing: ranges, ports: policy.ports), policy: policy,
        cache: cache)
      return Waiting.value { await online.answer(to: request) }
    }
  }

  /// Waits in a command, which is not asynchronous, for what is.
  private final class Waiting<Value: Sendable>: Sendable {
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
#endif
