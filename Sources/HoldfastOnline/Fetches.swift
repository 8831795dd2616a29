internal import HoldfastDER
internal import Synchronization

/// What the questions of a validator share: the fetcher, the cache, requests on their way, and
/// those that failed a moment ago.
///
/// An equal request is made once, even if many questions need it at the same time. The question that
/// starts it says in the end, with `settle`, whether the response was useful.
final class Fetches: Sendable {
  private let fetching: any Fetching
  let cache: FetchCache
  private let state = Mutex(State())

  private struct State {
    var pending: [FetchCache.Key: PendingFetch] = [:]
    var failures: [FetchCache.Key: (error: FetchError, end: ContinuousClock.Instant)] = [:]
  }

  /// For how long a request that failed is not repeated.
  private static let failureLifetime = Duration.seconds(60)
  private static let maximumFailures = 10_000

  init(_ fetching: any Fetching, _ cache: FetchCache) {
    self.fetching = fetching
    self.cache = cache
  }

  /// A response, and whether this question must settle it.
  struct Answer: Sendable {
    let outcome: PendingFetch.Outcome
    let isOwn: Bool
  }

  /// Makes a request, or waits for the equal one that is on its way.
  func fetch(
    _ key: FetchCache.Key, _ request: FetchRequest, until deadline: ContinuousClock.Instant
  ) async -> Answer {
    let (pending, isOwn, failure) = state.withLock { state in
      if let failure = state.failures[key] {
        if ContinuousClock.now < failure.end {
          return (PendingFetch?.none, false, FetchError?.some(failure.error))
        }
        state.failures[key] = nil
      }
      if let pending = state.pending[key] { return (pending, false, nil) }
      let pending = PendingFetch()
      state.pending[key] = pending
      return (pending, true, nil)
    }
    guard let pending else {
      return Answer(outcome: .failure(.failedBefore(failure ?? .timeout)), isOwn: false)
    }
    if isOwn {
      // The request has its own deadline, and others may wait for it longer than this question.
      let fetching = fetching
      Task {
        do throws(FetchError) {
          pending.finish(.success(try await fetching.fetch(request)))
        } catch {
          pending.finish(.failure(error))
        }
      }
    }
    return Answer(outcome: await pending.outcome(until: deadline), isOwn: isOwn)
  }

  /// What became of a response.
  enum Use {
    case useful(FetchedValue, FetchResponse)
    case failed(FetchError)
    /// No validation looked at it.
    case unused
  }

  /// Ends a request that this question has started.
  func settle(_ key: FetchCache.Key, _ use: Use, at time: Timestamp) {
    if case .useful(let value, let response) = use {
      cache.insert(key, value, response, at: time)
    }
    state.withLock { state in
      state.pending[key] = nil
      guard case .failed(let error) = use, error != .cancelled else { return }
      if state.failures.count >= Fetches.maximumFailures {
        let now = ContinuousClock.now
        state.failures = state.failures.filter { now < $0.value.end }
        if state.failures.count >= Fetches.maximumFailures { state.failures = [:] }
      }
      state.failures[key] = (error, ContinuousClock.now + Fetches.failureLifetime)
    }
  }
}
