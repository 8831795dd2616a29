/// The clock of questions. Tests have one of their own, so that they need not wait.
struct FetchClock: Sendable {
  /// The time now.
  var now: @Sendable () -> ContinuousClock.Instant
  /// Waits for a moment; throws if the task is cancelled.
  var wait: @Sendable (_ moment: ContinuousClock.Instant) async throws -> Void

  /// That of the system.
  static let system = FetchClock(now: { .now }, wait: { try await Task.sleep(until: $0) })
}
