internal import HoldfastSystem

/// The least processor time of a few runs of `work`.
package func leastProcessorTime(of runs: Int, _ work: () -> Void) -> Duration {
  let times = (0..<runs).map { _ in
    let start = System.processorTime()
    work()
    return System.processorTime() - start
  }
  return times.min() ?? .zero
}
