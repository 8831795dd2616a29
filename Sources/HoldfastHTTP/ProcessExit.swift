#if Curl
  internal import CHoldfastCurl
  internal import Dispatch
  internal import HoldfastDER

  /// What must not run beside the exit of the process: OpenSSL then frees what all threads have kept,
  /// and a thread that ends meanwhile, or a connection that is closed, would free it again.
  final class ProcessExit: Sendable {
    static let shared: ProcessExit = {
      let exit = ProcessExit()
      _ = holdfast_at_exit { ProcessExit.shared.begin(waitingAtMost: .seconds(2)) }
      return exit
    }()

    private let hasBegun = Guarded(false)
    private let work = DispatchGroup()

    /// Whether such work may begin; `leave` says that it has ended. False once the process exits.
    func enter() -> Bool {
      hasBegun.withLock { hasBegun in
        if !hasBegun { work.enter() }
        return !hasBegun
      }
    }

    func leave() { work.leave() }

    /// Begins the exit: no more work begins, and what has begun is waited for.
    func begin(waitingAtMost limit: DispatchTimeInterval) {
      hasBegun.withLock { $0 = true }
      _ = work.wait(timeout: .now() + limit)
    }

    /// Keeps a thread that may not end any more.
    static func keepThread() -> Never {
      while true { DispatchSemaphore(value: 0).wait() }
    }
  }
#endif
