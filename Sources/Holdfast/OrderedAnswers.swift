/// Answers to the requests of a stream, in their order, found by several tasks at once.
///
/// An error of the stream of requests is thrown after the answers to the requests before it. If the
/// task that takes the answers is cancelled, `CancellationError` is thrown. No work is done before
/// the first answer is asked for, or after the iterator has gone.
public struct OrderedAnswers<Requests: AsyncSequence & Sendable, Answer: Sendable>: AsyncSequence,
  Sendable
where Requests.Element: Sendable {
  private let requests: Requests
  private let concurrency: Int
  private let room: Int
  private let answer: @Sendable (Requests.Element) -> Answer

  /// A task switch costs as much as several validations with cached signatures.
  private static var maximumRun: Int { 16 }

  /// - Parameter room: Maximum number of requests, for each task, whose answers were not yet taken.
  package init(
    to requests: Requests, concurrency: Int, room: Int = 64,
    _ answer: @escaping @Sendable (Requests.Element) -> Answer
  ) {
    self.requests = requests
    self.concurrency = Swift.max(concurrency, 1)
    self.room = room * self.concurrency
    self.answer = answer
  }

  /// Returns an iterator, which has its own tasks.
  public func makeAsyncIterator() -> Iterator { Iterator(answers: self) }

  /// The answers, one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let answers: OrderedAnswers
    fileprivate var tasks: Tasks<Requests.Element, Answer>?
    fileprivate var ready: ArraySlice<OrderedWork<Requests.Element, Answer>.Numbered<Answer>> = []

    /// Returns the next answer; nil if all requests are answered.
    public mutating func next() async throws -> Answer? { try await next(isolation: nil) }

    /// Returns the next answer, on the actor that asks; nil if all requests are answered.
    ///
    /// `for try await` asks so. To leave the main actor for each answer and come back would take longer
    /// than many a validation.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Answer? {
      let tasks = tasks ?? answers.start()
      self.tasks = tasks
      if ready.isEmpty { ready = try await tasks.takeAnswers()[...] }
      return ready.popFirst()?.value
    }
  }

  /// Starts the task that takes the requests and those that answer them.
  private func start() -> Tasks<Requests.Element, Answer> {
    let work = OrderedWork<Requests.Element, Answer>(room: room)
    let source = Task { [requests] in
      do {
        for try await request in requests {
          guard await wait({ work.post(request, orWake: $0) }) else { return }
        }
        work.end(.success(()))
      } catch {
        work.end(.failure(error))
      }
    }
    for _ in 0..<concurrency {
      Task { [answer, concurrency] in
        while true {
          let run = await wait {
            work.nextRun(Self.maximumRun, among: concurrency, orWake: $0)
          }
          if run.isEmpty { return }
          // Else who takes the answers, and so makes room for requests, waits for a free thread.
          if work.add(run.map { $0.with(answer($0.value)) }) { await Task.yield() }
        }
      }
    }
    return Tasks(work: work, source: source)
  }
}

/// Returns the value of `attempt`, which is called again whenever the task is woken until it has
/// one. The first call is without a way to wake the task, which costs an allocation.
private func wait<Value: Sendable>(
  _ attempt: ((@Sendable () -> Void)?) -> Value?
) async -> Value {
  if let value = attempt(nil) { return value }
  while true {
    var value: Value?
    await withCheckedContinuation { continuation in
      value = attempt { continuation.resume() }
      if value != nil { continuation.resume() }
    }
    if let value { return value }
  }
}

/// The tasks of an iterator, which end with it.
private final class Tasks<Request: Sendable, Answer: Sendable>: Sendable {
  private let work: OrderedWork<Request, Answer>
  private let source: Task<Void, Never>

  init(work: OrderedWork<Request, Answer>, source: Task<Void, Never>) {
    self.work = work
    self.source = source
  }

  deinit { stop() }

  func takeAnswers() async throws -> [OrderedWork<Request, Answer>.Numbered<Answer>] {
    try await withTaskCancellationHandler {
      try await wait { work.takeAnswers(orWake: $0) }.get()
    } onCancel: {
      stop()
    }
  }

  private func stop() {
    work.stop()
    source.cancel()
  }
}

/// Validation of many chains.
extension PathValidator {
  /// Validates the chains of a stream, several at once, and returns the answers in the order of the
  /// questions.
  ///
  /// ```swift
  /// for try await answer in validator.answers(to: questions, concurrency: 2) {
  ///   switch answer {
  ///   case .success(let path): print("trusted: \(path)")
  ///   case .failure(let error): print("rejected: \(error)")
  ///   }
  /// }
  /// ```
  ///
  /// A question is answered without waiting for the next one to come. Memory is bounded: if the
  /// answers are not taken, no more questions are taken. A task that is cancelled while it takes them
  /// gets `CancellationError`.
  ///
  /// - Parameter concurrency: Maximum number of validations at the same time; less than 1 counts as
  ///   1.
  public func answers<Questions: AsyncSequence & Sendable>(
    to questions: Questions, concurrency: Int
  ) -> OrderedAnswers<Questions, Result<ValidatedPath, PathError>>
  where Questions.Element == Question {
    OrderedAnswers(to: questions, concurrency: concurrency) { question in
      Result { () throws(PathError) in try validate(question) }
    }
  }
}

extension TrustManager {
  /// Evaluates the chains of a stream of questions about servers, several at once, and returns the
  /// answers in the order of the questions, as `PathValidator.answers(to:concurrency:)` does.
  ///
  /// - Parameter concurrency: Maximum number of evaluations at the same time; less than 1 counts as
  ///   1.
  public func answers<Questions: AsyncSequence & Sendable>(
    to questions: Questions, concurrency: Int
  ) -> OrderedAnswers<Questions, Result<Verdict, TrustError>>
  where Questions.Element == Question {
    OrderedAnswers(to: questions, concurrency: concurrency) { question in
      Result { () throws(TrustError) in try evaluate(question) }
    }
  }
}
