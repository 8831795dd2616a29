import HoldfastDER
import HoldfastSystem

/// Whether the tests were compiled without optimization, which makes arithmetic fifty times slower.
package let isDebug: Bool = {
  var isDebug = false
  assert({ isDebug = true }() == ())
  return isDebug
}()

/// Returns the amount of work for a test: all in a release build, a thousandth in a debug build.
package func scaled(_ count: Int) -> Int {
  isDebug ? max(1, count / 1_000) : count
}

/// Returns the amount of work for a slow comparison with an oracle: a tenth of it, and all of it if
/// `HOLDFAST_ORACLE_CASES` is set, as Scripts/nightly does.
package func sampled(_ count: Int) -> Int {
  scaled(OracleCases.areSet ? count : count / 10)
}

/// The number of inputs on which a fast implementation is compared with its oracle:
/// `HOLDFAST_ORACLE_CASES` random ones, and a tenth as many edge cases; at least 4,000 of each. A
/// debug build uses a few.
package enum OracleCases {
  private static let wanted = Platform.environment("HOLDFAST_ORACLE_CASES").flatMap { Int($0) }
  package static let areSet = wanted != nil
  package static let random = isDebug ? 20 : max(4_000, wanted ?? 0)
  package static let edges = isDebug ? 20 : max(4_000, random / 10)
}

/// Returns the least processor time of several runs of `work`.
package func leastProcessorTime(of runs: Int, _ work: () -> Void) -> Duration {
  let times = (0..<runs).map { _ in
    let start = System.processorTime()
    work()
    return System.processorTime() - start
  }
  return times.min() ?? .zero
}
