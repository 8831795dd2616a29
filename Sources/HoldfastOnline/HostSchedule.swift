package import HoldfastCertificates
internal import Synchronization

/// When hosts may be asked next, so that the requests to each of them are an interval apart.
package final class HostSchedule: Sendable {
  private let interval: Duration
  private let next = Mutex<[HostName: ContinuousClock.Instant]>([:])

  /// The most hosts that are remembered; those whose turn has come are forgotten first.
  private static let maximumHosts = 10_000

  package init(interval: Duration) {
    self.interval = interval
  }

  /// Returns when a host may be asked, and keeps that moment for the caller; nil, and keeps none, if
  /// it comes after a deadline.
  package func reserve(
    _ host: HostName, at now: ContinuousClock.Instant, until deadline: ContinuousClock.Instant
  ) -> ContinuousClock.Instant? {
    guard interval > .zero else { return now }
    return next.withLock { next in
      let turn = max(now, next[host] ?? now)
      guard turn <= deadline else { return nil }
      if next.count >= HostSchedule.maximumHosts { next = next.filter { now < $0.value } }
      // With more hosts than that at once, one that is forgotten is asked too soon.
      if next.count >= HostSchedule.maximumHosts { next = [:] }
      next[host] = turn + interval
      return turn
    }
  }
}
