import Foundation

/// How long this thread has had a processor. What a test compares must not hang on what else the
/// machine does, as a clock on the wall would.
package func processorTime() -> Duration {
  var time = timespec()
  // SAFETY: the structure lives for the call, which fills it.
  guard unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// The least time of a few runs of `work`.
package func leastProcessorTime(of runs: Int, _ work: () -> Void) -> Duration {
  let times = (0..<runs).map { _ in
    let start = processorTime()
    work()
    return processorTime() - start
  }
  return times.min() ?? .zero
}
