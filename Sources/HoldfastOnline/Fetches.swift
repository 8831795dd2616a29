internal import Holdfast
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
  let clock: FetchClock
  private let hosts: HostSchedule
  private let state = Mutex(State())

  private struct State {
    var pending: [FetchCache.Key: PendingFetch] = [:]
    var failures: [FetchCache.Key: (error: FetchError, end: ContinuousClock.Instant)] = [:]
  }

  /// For how long a request that failed is not repeated.
  private static let failureLifetime = Duration.seconds(60)
  private static let maximumFailures = 10_000

  init(
    _ fetching: any Fetching, _ cache: FetchCache, hostInterval: Duration,
    clock: FetchClock = .system
  ) {
    self.fetching = fetching
    self.cache = cache
    self.clock = clock
    hosts = HostSchedule(interval: hostInterval)
  }

  /// What became of a request.
  enum Answer: Sendable {
    /// Another question has put it into the cache meanwhile.
    case cached(FetchCache.Entry)
    /// A response, which this question must settle if it is its own.
    case response(PendingFetch.Outcome, isOwn: Bool)
  }

  /// Where a response comes from.
  private enum Source {
    case cache(FetchCache.Entry)
    case failure(FetchError)
    case pending(PendingFetch, isOwn: Bool)
  }

  /// Makes a request, or waits for the equal one that is on its way.
  ///
  /// - Parameter time: The time of the question, for the cache.
  func fetch(
    _ key: FetchCache.Key, _ request: FetchRequest, at time: Timestamp,
    until deadline: ContinuousClock.Instant
  ) async -> Answer {
    switch source(of: key, at: time) {
    case .cache(let entry): return .cached(entry)
    case .failure(let error): return .response(.failure(.failedBefore(error)), isOwn: false)
    case .pending(let pending, let isOwn):
      if isOwn { start(request, for: pending, until: deadline) }
      return .response(await pending.outcome(until: deadline), isOwn: isOwn)
    }
  }

  private func source(of key: FetchCache.Key, at time: Timestamp) -> Source {
    state.withLock { state in
      if let failure = state.failures[key] {
        if clock.now() < failure.end { return .failure(failure.error) }
        state.failures[key] = nil
      }
      if let pending = state.pending[key] { return .pending(pending, isOwn: false) }
      // The question has looked before; what was on its way then is in the cache now.
      if let entry = cache.remembered(key, at: time), time <= entry.refreshTime {
        return .cache(entry)
      }
      let pending = PendingFetch(clock)
      state.pending[key] = pending
      return .pending(pending, isOwn: true)
    }
  }

  /// Makes a request when it is the turn of its host. It has its own deadline, and others may wait
  /// for it longer than the question that starts it.
  private func start(
    _ request: FetchRequest, for pending: PendingFetch, until deadline: ContinuousClock.Instant
  ) {
    let now = clock.now()
    guard let turn = hosts.reserve(request.url.host, at: now, until: deadline) else {
      return pending.finish(.failure(.hostBusy(host: "\(request.url.host)")))
    }
    var request = request
    request.deadline += now.duration(to: turn)
    Task { [clock, fetching, request] in
      do throws(FetchError) {
        if turn > now {
          do { try await clock.wait(turn) } catch { throw .cancelled }
        }
        let response = try await fetching.fetch(request)
        // A fetcher may be careless.
        guard response.body.count <= request.maximumBytes else {
          throw .tooLong(limit: request.maximumBytes)
        }
        pending.finish(.success(response))
      } catch {
        pending.finish(.failure(error))
      }
    }
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
      guard case .failed(let error) = use, error.isOfServer else { return }
      if state.failures.count >= Fetches.maximumFailures {
        let now = clock.now()
        state.failures = state.failures.filter { now < $0.value.end }
        if state.failures.count >= Fetches.maximumFailures { state.failures = [:] }
      }
      state.failures[key] = (error, clock.now() + Fetches.failureLifetime)
    }
  }
}

extension FetchError {
  /// Whether the request itself failed, so that it would fail again.
  fileprivate var isOfServer: Bool {
    switch self {
    case .cancelled, .hostBusy: false
    default: true
    }
  }
}

extension FetchError {
  /// Whether any part of the longest response may have come.
  var mayHaveCostBytes: Bool {
    switch self {
    case .tooLong, .timeout, .invalidResponse, .cancelled, .other: true
    default: false
    }
  }
}
