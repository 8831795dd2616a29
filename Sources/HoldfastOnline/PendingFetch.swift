internal import Synchronization

/// A request on its way, which several questions may wait for.
final class PendingFetch: Sendable {
  typealias Outcome = Result<FetchResponse, FetchError>

  private struct State {
    var outcome: Outcome?
    var waiting: [Int: CheckedContinuation<Outcome, Never>] = [:]
    var next = 0
  }

  /// The most bytes that the question that has started it could take.
  let maximumBytes: Int
  private let state = Mutex(State())
  private let clock: FetchClock

  init(_ clock: FetchClock, maximumBytes: Int) {
    self.clock = clock
    self.maximumBytes = maximumBytes
  }

  /// Ends the request, and everybody's waiting.
  func finish(_ outcome: Outcome) {
    let waiting = state.withLock { state in
      guard state.outcome == nil else { return [CheckedContinuation<Outcome, Never>]() }
      state.outcome = outcome
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume(returning: outcome) }
  }

  /// Whether it has ended because the response is longer than the bytes of its question, of which
  /// another one has more.
  func wasTooLong(below maximumBytes: Int) -> Bool {
    guard self.maximumBytes < maximumBytes, case .failure(.tooLong)? = state.withLock(\.outcome)
    else { return false }
    return true
  }

  /// Waits for the end of the request, for the deadline, or until the task is cancelled.
  func outcome(until deadline: ContinuousClock.Instant) async -> Outcome {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    let timer = Task {
      do { try await clock.wait(deadline) } catch { return }
      leave(number, .timeout)
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known = state.withLock { state -> Outcome? in
          if let outcome = state.outcome { return outcome }
          if Task.isCancelled { return .failure(.cancelled) }
          // The timer may have ended before there was anything to end.
          if deadline <= clock.now() { return .failure(.timeout) }
          state.waiting[number] = continuation
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      leave(number, .cancelled)
    }
  }

  private func leave(_ number: Int, _ error: FetchError) {
    let continuation = state.withLock { $0.waiting.removeValue(forKey: number) }
    continuation?.resume(returning: .failure(error))
  }
}
