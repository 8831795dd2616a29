internal import Holdfast
internal import HoldfastDER
internal import Synchronization

/// What the questions of a validator share: the fetcher, the cache, requests on their way, and
/// servers that failed a moment ago.
///
/// An equal request is made once, even if many questions need it at the same time. The question that
/// starts it says in the end, with `settle`, whether the response was useful. A response that is of
/// no use to one question is not remembered: it may be what another one needs.
final class Fetches: Sendable {
  private let fetching: any Fetching
  let cache: FetchCache
  let clock: FetchClock
  /// The schedules of the hosts. What a stranger's chain names as issuers must not take the turns of
  /// what CAs have signed.
  private let issuerHosts: HostSchedule
  private let statusHosts: HostSchedule
  private let state = Mutex(State())

  private struct State {
    var pending: [FetchCache.Key: PendingFetch] = [:]
    var failures: [FetchCache.Key: (error: FetchError, end: ContinuousClock.Instant)] = [:]
  }

  /// For how long a server that failed is not asked again.
  private static let failureLifetime = Duration.seconds(60)
  private static let maximumFailures = 10_000

  init(
    _ fetching: any Fetching, _ cache: FetchCache, hostInterval: Duration,
    clock: FetchClock = .system
  ) {
    self.fetching = fetching
    self.cache = cache
    self.clock = clock
    issuerHosts = HostSchedule(interval: hostInterval)
    statusHosts = HostSchedule(interval: hostInterval)
  }

  /// What became of a request.
  enum Answer: Sendable {
    /// Another question has put it into the cache meanwhile.
    case cached(FetchCache.Entry)
    /// A response, and the request if it is this question's own, which it must settle.
    case response(PendingFetch.Outcome, own: PendingFetch?)
  }

  /// Where a response comes from.
  private enum Source {
    case cache(FetchCache.Entry)
    case failure(FetchError)
    case pending(PendingFetch, isOwn: Bool)
  }

  var allowedRanges: [AddressRange] { fetching.allowedRanges }

  /// Returns an entry of the cache that may be used now.
  func cached(_ key: FetchCache.Key) -> FetchCache.Entry? { cache.entry(key, at: clock.time()) }

  /// Makes a request, or waits for the equal one that is on its way.
  ///
  /// - Parameter known: What the question has from the cache, and is not enough.
  func fetch(
    _ key: FetchCache.Key, _ request: FetchRequest, beyond known: FetchCache.Entry?,
    until deadline: ContinuousClock.Instant
  ) async -> Answer {
    while true {
      switch source(of: key, request.maximumBytes, beyond: known) {
      case .cache(let entry): return .cached(entry)
      case .failure(let error): return .response(.failure(.failedBefore(error)), own: nil)
      case .pending(let pending, let isOwn):
        if isOwn { start(request, key, for: pending, until: deadline) }
        let outcome = await pending.outcome(until: deadline)
        // What was too long for the question that had asked may fit into this one's bytes.
        if isOwn || !pending.wasTooLong(below: request.maximumBytes) {
          return .response(outcome, own: isOwn ? pending : nil)
        }
      }
    }
  }

  private func source(
    of key: FetchCache.Key, _ maximumBytes: Int, beyond known: FetchCache.Entry?
  ) -> Source {
    state.withLock { state in
      if let failure = state.failures[key] {
        if clock.now() < failure.end { return .failure(failure.error) }
        state.failures[key] = nil
      }
      // A question that has little left of its bytes does not decide what is too long for others.
      if let pending = state.pending[key], !pending.wasTooLong(below: maximumBytes) {
        return .pending(pending, isOwn: false)
      }
      // The question has looked before; what was on its way then is in the cache now.
      let now = clock.time()
      if let entry = cache.remembered(key.entry, at: now), entry.isFresh(at: now),
        entry.confirmed != known?.confirmed || entry.body != known?.body
      {
        return .cache(entry)
      }
      let pending = PendingFetch(clock, maximumBytes: maximumBytes)
      state.pending[key] = pending
      return .pending(pending, isOwn: true)
    }
  }

  /// Makes a request when it is the turn of its host. It has its own deadline, and others may wait
  /// for it longer than the question that starts it.
  private func start(
    _ request: FetchRequest, _ key: FetchCache.Key, for pending: PendingFetch,
    until deadline: ContinuousClock.Instant
  ) {
    let now = clock.now()
    let hosts = request.kind == .issuers ? issuerHosts : statusHosts
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
        if error.isOfServer { remember(error, for: key) }
        pending.finish(.failure(error))
      }
    }
  }

  /// Remembers for a moment that a server failed. That a question ended before the answer came is
  /// no failure of the server's: the request goes on until its own deadline.
  private func remember(_ error: FetchError, for key: FetchCache.Key) {
    state.withLock { state in
      let now = clock.now()
      if state.failures.count >= Fetches.maximumFailures {
        state.failures = state.failures.filter { now < $0.value.end }
        if state.failures.count >= Fetches.maximumFailures { state.failures = [:] }
      }
      state.failures[key] = (error, now + Fetches.failureLifetime)
    }
  }

  /// Ends a request that this question has started.
  ///
  /// - Parameters:
  ///   - own: The request; meanwhile another one may have taken its place.
  ///   - useful: The response, if a validation has used it.
  ///   - used: The key under which it was of use, if that is another one.
  func settle(
    _ key: FetchCache.Key, _ own: PendingFetch?,
    useful: (value: FetchedValue, response: FetchResponse)? = nil, as used: FetchCache.Key? = nil
  ) {
    if let useful {
      cache.insert((used ?? key).entry, useful.value, useful.response, at: clock.time())
    }
    state.withLock { if own === $0.pending[key] { $0.pending[key] = nil } }
  }
}

extension FetchError {
  /// Whether the server gave no answer, or says that it has failed. Everything else depends on what
  /// was asked, and by whom.
  fileprivate var isOfServer: Bool {
    switch self {
    case .through(_, let error): error.isOfServer
    case .noAddress, .unreachable, .timeout, .invalidResponse, .status(500...599): true
    default: false
    }
  }

  /// Whether a POST may have an answer where a GET had none. RFC 6960 A.1 lets responders take POST
  /// alone, and what stands between answers a GET by itself. A server that is silent is not asked
  /// again.
  var asksForPost: Bool {
    switch self {
    case .failedBefore(let error), .through(_, let error): error.asksForPost
    case .status, .tooManyRedirects, .invalidURL, .portNotAllowed, .hostNotAllowed, .tooLong,
      .invalidResponse, .unreadable:
      true
    default: false
    }
  }
}

extension FetchError {
  /// Whether any part of the longest response may have come.
  var mayHaveCostBytes: Bool {
    switch self {
    case .through(_, let error): error.mayHaveCostBytes
    case .tooLong, .timeout, .invalidResponse, .cancelled, .other: true
    default: false
    }
  }
}
