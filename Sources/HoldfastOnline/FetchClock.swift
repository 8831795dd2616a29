internal import HoldfastDER

/// The clocks of questions. Tests have their own, so that they need not wait.
struct FetchClock: Sendable {
  /// The moment now, for deadlines.
  var now: @Sendable () -> ContinuousClock.Instant
  /// Waits for a moment; throws if the task is cancelled.
  var wait: @Sendable (_ moment: ContinuousClock.Instant) async throws -> Void
  /// The time now, for what is kept and for questions without a time of their own.
  var time: @Sendable () -> Timestamp = { .now }

  /// Those of the system.
  static let system = FetchClock(now: { .now }, wait: { try await Task.sleep(until: $0) })
}
