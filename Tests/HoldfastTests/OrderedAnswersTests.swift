import Holdfast
import HoldfastDER
import Testing

/// Answers to a stream of requests.
@Suite("Answers to a stream of requests", .timeLimit(.minutes(10))) struct OrderedAnswersTests {
  private let validator: PathValidator
  private let chain: [Certificate]

  init() throws {
    validator = PathValidator(anchors: try PinChains.anchors())
    chain = try PinChains.chain("good")
  }

  private func request(_ host: String) throws -> Question {
    Question(chain, for: try .server(host), at: PinChains.time)
  }

  /// A stream of numbers, as far as they are asked for.
  private struct Numbers: AsyncSequence, AsyncIteratorProtocol, Sendable {
    struct Broken: Error {}
    let asked: Guarded<Int>.Shared
    var end = Int.max
    var isBroken = false
    private var next = 0

    init(_ asked: Guarded<Int>.Shared, end: Int = .max, isBroken: Bool = false) {
      (self.asked, self.end, self.isBroken) = (asked, end, isBroken)
    }

    func makeAsyncIterator() -> Numbers { self }

    mutating func next() async throws -> Int? {
      guard next < end else {
        if isBroken { throw Broken() }
        return nil
      }
      next += 1
      asked.count.withLock { $0 += 1 }
      return next - 1
    }
  }

  @Test(
    "the answers come in the order of the requests", arguments: [1, 2, 7], [0, 1, 16, 17, 1000])
  func order(concurrency: Int, count: Int) async throws {
    let kinds = [try request("good.com"), try request("other.com")]
    let requests = AsyncStream<Question> { continuation in
      for number in 0..<count { continuation.yield(kinds[number % 2]) }
      continuation.finish()
    }
    var rules: [Rule?] = []
    for try await answer in validator.answers(to: requests, concurrency: concurrency) {
      switch answer {
      case .success: rules.append(nil)
      case .failure(let error): rules.append(error.rejections.first?.rule)
      }
    }
    #expect(rules == (0..<count).map { [nil, .hostName][$0 % 2] })
  }

  @MainActor @Test("an actor takes the same answers, in the same order")
  func onAnActor() async throws {
    let (asked, numbers) = (Guarded<Int>.Shared(), 0..<1_000)
    let answers = OrderedAnswers(to: Numbers(asked, end: numbers.count), concurrency: 2) { -$0 }
    var taken: [Int] = []
    for try await answer in answers {
      MainActor.assertIsolated()
      taken.append(answer)
    }
    #expect(taken == numbers.map { -$0 })
    var others = answers.makeAsyncIterator()
    #expect(try await others.next() == 0)
    #expect(try await others.next(isolation: MainActor.shared) == -1)
  }

  @Test("a manager answers a stream by the pins of each host, and only about servers")
  func pinned() async throws {
    let pins = [
      "good.com": try PinSet([Pin(keyOf: chain[0])], backup: .waived),
      "*.good.com": try PinSet([Pin(digest: Array(0..<32))], backup: .waived),
    ]
    let manager = TrustManager(pins: try PinTable(pins), anchors: validator.anchors)
    let purposes = [try Purpose.server("good.com"), .client, .anyServer]
    let questions = AsyncStream<Question> { continuation in
      for purpose in purposes {
        continuation.yield(Question(chain, for: purpose, at: PinChains.time))
      }
      continuation.finish()
    }
    var answers: [String] = []
    for try await answer in manager.answers(to: questions, concurrency: 2) {
      switch answer {
      case .success(let verdict):
        if case .pinned = verdict.reason { answers.append("pinned") }
      case .failure(.noHost): answers.append("no host")
      case .failure(let error): answers.append("\(error)")
      }
    }
    #expect(answers == ["pinned", "no host", "no host"])
  }

  @Test("a request is answered before the next one has come")
  func live() async throws {
    let (requests, source) = AsyncStream<Question>.makeStream()
    var answers = validator.answers(to: requests, concurrency: 2).makeAsyncIterator()
    for _ in 0..<20 {
      source.yield(try request("good.com"))
      #expect(try await answers.next() != nil)
    }
    source.finish()
    #expect(try await answers.next() == nil)
  }

  @Test("no more requests are taken than there is room for")
  func bounded() async throws {
    let asked = Guarded<Int>.Shared()
    let answers = OrderedAnswers(to: Numbers(asked), concurrency: 2, room: 5) { $0 }
    var iterator = answers.makeAsyncIterator()
    #expect(asked.count.withLock { $0 } == 0)
    for number in 0..<100 {
      #expect(try await iterator.next() == number)
      try await Task.sleep(for: .milliseconds(1))
      // Ten have room, one waits for it.
      #expect(asked.count.withLock { $0 } <= number + 12)
    }
  }

  @Test("an error of the requests comes after the answers to those before it")
  func broken() async throws {
    let requests = Numbers(Guarded<Int>.Shared(), end: 30, isBroken: true)
    var numbers: [Int] = []
    await #expect(throws: Numbers.Broken.self) {
      for try await number in OrderedAnswers(to: requests, concurrency: 3, room: 2, { $0 }) {
        numbers.append(number)
      }
    }
    #expect(numbers == Array(0..<30))
  }

  @Test("a cancelled task gets CancellationError, also while it waits")
  func cancelled() async throws {
    let (requests, source) = AsyncStream<Question>.makeStream()
    let task = Task { [validator] in
      for try await _ in validator.answers(to: requests, concurrency: 2) {}
    }
    source.yield(try request("good.com"))
    try await Task.sleep(for: .milliseconds(20))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("when the answers are given up, no more requests are taken")
  func abandoned() async throws {
    let asked = Guarded<Int>.Shared()
    let answers = OrderedAnswers(to: Numbers(asked), concurrency: 2, room: 5) { $0 }
    for try await number in answers where number == 20 { break }
    try await Task.sleep(for: .milliseconds(20))
    let count = asked.count.withLock { $0 }
    try await Task.sleep(for: .milliseconds(20))
    #expect(asked.count.withLock { $0 } == count && count <= 32)
  }
}

extension Guarded<Int> {
  /// A count that several own.
  fileprivate final class Shared: Sendable {
    let count = Guarded(0)
  }
}
