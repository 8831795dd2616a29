/// What those share who bring requests, answer them and take the answers in the order of the
/// requests: tasks in `OrderedAnswers`, threads in the tool.
///
/// No function waits. Where there is nothing yet, the answer is nil, and `wake`, if there is one, is
/// called once it is worth asking again. Memory is bounded by the weight of the requests whose
/// answers were not yet taken.
package final class OrderedWork<Request: Sendable, Answer: Sendable>: Sendable {
  package typealias Wake = @Sendable () -> Void

  /// A request or its answer, which may hold much and goes from hand to hand.
  package final class Numbered<Value: Sendable>: Sendable {
    fileprivate let number: Int
    fileprivate let weight: Int
    package let value: Value

    fileprivate init(number: Int, weight: Int, value: Value) {
      (self.number, self.weight, self.value) = (number, weight, value)
    }

    /// Returns the answer to this request.
    package func with<Other>(_ value: Other) -> OrderedWork<Request, Answer>.Numbered<Other> {
      .init(number: number, weight: weight, value: value)
    }
  }

  private struct State: Sendable {
    var requests: [Numbered<Request>] = []
    var answers: [Int: Numbered<Answer>] = [:]
    /// How many requests were posted, and how many answers were taken.
    var posted = 0
    var taken = 0
    /// The weight of all requests but those whose answers are done with.
    var weight = 0
    /// The weight of the answers that were taken last.
    var weightTaken = 0
    /// How the requests ended.
    var end: Result<Void, any Error>?
    var isStopped = false

    /// Those that wait for room, for a request and for an answer.
    var sources: [Wake] = []
    var workers: [Wake] = []
    var takers: [Wake] = []
  }

  private let room: Int
  private let state = Guarded(State())

  /// - Parameter room: Maximum weight of the requests whose answers were not yet taken; one alone
  ///   may be heavier.
  package init(room: Int) {
    self.room = room
  }

  /// Adds a request if there is room; false if the work was stopped.
  package func post(_ request: Request, weight: Int = 1, orWake wake: Wake?) -> Bool? {
    // Those who wait are woken outside of the lock, which they take at once.
    let (isPosted, worker): (Bool?, Wake?) = state.withLock { state in
      guard !state.isStopped else { return (false, nil) }
      guard state.weight == 0 || state.weight + weight <= room else {
        if let wake { state.sources.append(wake) }
        return (nil, nil)
      }
      state.requests.append(Numbered(number: state.posted, weight: weight, value: request))
      state.weight += weight
      state.posted += 1
      return (true, state.workers.popLast())
    }
    worker?()
    return isPosted
  }

  /// Returns requests that wait; none at the end. Of few it returns fewer, so that those who answer
  /// come to an end together.
  ///
  /// - Parameter sharers: How many answer requests.
  package func nextRun(
    _ maximum: Int = 1, among sharers: Int = 1, orWake wake: Wake?
  ) -> [Numbered<Request>]? {
    state.withLock { state in
      guard !state.requests.isEmpty || state.end != nil else {
        if let wake { state.workers.append(wake) }
        return nil
      }
      let run = Array(
        state.requests.prefix(min(maximum, max(state.requests.count / (2 * sharers), 1))))
      state.requests.removeFirst(run.count)
      return run
    }
  }

  /// Adds the answers to some requests; returns whether who takes them was woken.
  @discardableResult
  package func add(_ answers: [Numbered<Answer>]) -> Bool {
    let taker: Wake? = state.withLock { state in
      for answer in answers { state.answers[answer.number] = answer }
      return state.answers[state.taken] == nil ? nil : state.takers.popLast()
    }
    taker?()
    return taker != nil
  }

  /// Returns the answers that come next, none at the end. Those that were taken before are done
  /// with.
  package func takeAnswers(orWake wake: Wake?) -> Result<[Numbered<Answer>], any Error>? {
    let source: Wake? = state.withLock { state in
      state.weight -= state.weightTaken
      state.weightTaken = 0
      return state.sources.popLast()
    }
    source?()
    return state.withLock { state in
      guard !state.isStopped else { return .failure(CancellationError()) }
      var answers: [Numbered<Answer>] = []
      while let answer = state.answers.removeValue(forKey: state.taken) {
        answers.append(answer)
        state.weightTaken += answer.weight
        state.taken += 1
      }
      if !answers.isEmpty { return .success(answers) }
      if state.taken == state.posted, let end = state.end { return end.map { [] } }
      if let wake { state.takers.append(wake) }
      return nil
    }
  }

  /// Ends the requests.
  package func end(_ end: Result<Void, any Error>) {
    wakeAll { state in state.end = state.end ?? end }
  }

  /// Ends all work.
  package func stop() {
    wakeAll { state in
      state.isStopped = true
      state.requests = []
      state.end = state.end ?? .failure(CancellationError())
    }
  }

  /// Wakes all that wait, after a change.
  private func wakeAll(after change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      defer { (state.sources, state.workers, state.takers) = ([], [], []) }
      return state.sources + state.workers + state.takers
    }
    for wake in waiting { wake() }
  }
}
