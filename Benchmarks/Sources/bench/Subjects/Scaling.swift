internal import Holdfast
internal import HoldfastDER
internal import HoldfastHashes
internal import Synchronization

/// batch: how much more several threads do than one with the same validator, by turns.
enum Scaling {
  /// What one kind of work gave for each number of threads: throughput beside that of one thread.
  struct Result {
    let name: String
    let threads: [Int]
    /// A number for each round.
    let rounds: [[Double]]

    var ratios: [Spread] { rounds.compactMap { Spread($0) } }

    /// What the most threads gave beside what the control gave in the same round.
    func besideControl(_ control: Result) -> Spread? {
      guard let own = rounds.last, let others = control.rounds.last else { return nil }
      return Spread(zip(own, others).map { $0 / $1 })
    }
  }

  /// What two threads should do, beside one.
  static let goal = 1.9

  /// Runs in a process that is not pinned to one core.
  static func measure(_ runner: Runner) -> [Result] {
    let lines =
      Command.again(
        Platform.environment("BENCH_UNPINNED") ?? "", "--threads --rounds \(runner.rounds)") ?? []
    return lines.compactMap { line in
      let parts = line.split(separator: "\t")
      guard parts.count > 1 else { return nil }
      var (threads, rounds): ([Int], [[Double]]) = ([], [])
      for part in parts.dropFirst() {
        let words = part.split(separator: " ")
        guard let number = words.first.flatMap({ Int($0) }) else { return nil }
        threads.append(number)
        rounds.append(words.dropFirst().compactMap(decimal))
      }
      return Result(name: String(parts[0]), threads: threads, rounds: rounds)
    }
  }

  /// Work, and how much of it so many threads do in a second.
  private struct Work {
    let name: String
    let threads: [Int]
    let throughput: (Int) async -> Double
  }

  /// Prints the ratios of all rounds, a line for each kind of work: `name TAB threads ratio ratio …
  /// TAB threads …`. In each round all have their turn, the control first.
  static func print(rounds: Int) async {
    let all = works
    var ratios = all.map { $0.threads.map { _ in [Double]() } }
    for _ in 0..<rounds {
      for (place, work) in all.enumerated() {
        for (column, threads) in work.threads.enumerated() {
          ratios[place][column].append(threads == 1 ? 1 : await ratio(work, threads))
        }
      }
    }
    for (work, ratios) in zip(all, ratios) {
      let parts = zip(work.threads, ratios).map { threads, ratios in
        "\(threads) " + ratios.map { $0.text(3) }.joined(separator: " ")
      }
      Swift.print(work.name + "\t" + parts.joined(separator: "\t"))
    }
  }

  /// One thread, all, all and one again, several times: the machine has no time to change in between.
  private static func ratio(_ work: Work, _ threads: Int) async -> Double {
    var (alone, together) = (0.0, 0.0)
    for _ in 0..<4 {
      alone += await work.throughput(1)
      together += await work.throughput(threads)
      together += await work.throughput(threads)
      alone += await work.throughput(1)
    }
    return together / alone
  }

  private static var works: [Work] {
    let numbers = Array(1...max(Command.cores, 1))
    // What the machine gives: threads that hash and share nothing.
    var works = [
      Work(name: "nothing shared, a control", threads: numbers) { threads in
        await throughput(threads) {
          { HashAlgorithm.sha384.hash(Signatures.message.span)[0] < 255 }
        }
      }
    ]
    for name in ["a_rsa2048", "b_p256"] {
      guard let files = ChainFiles[name] else { continue }
      let question = Question(files)
      works.append(
        Work(name: "\(files.title), warm, unshared", threads: numbers) { threads in
          await throughput(threads) { validating(question, question.validator(SignatureMemory())) }
        })
      for (state, memory) in [("cold", nil), ("warm", SignatureMemory())] {
        let validator = question.validator(memory)
        works.append(
          Work(name: "\(files.title), \(state)", threads: numbers) { threads in
            await throughput(threads) { validating(question, validator) }
          })
      }
      guard let all = numbers.last, all > 1 else { continue }
      let validator = question.validator(nil)
      let requests = requests(question)
      works.append(
        Work(name: "\(files.title), as a batch", threads: [1, all]) { threads in
          await batch(threads > 1, requests, validator)
        })
    }
    return works
  }

  /// Validates the same chain again and again, from octets that no other thread has.
  private static func validating(
    _ question: Question, _ validator: PathValidator
  ) -> () -> Bool {
    let own = question.withOwnOctets
    return { own.isRight(validator) }
  }

  private static let time = Duration.milliseconds(5)

  /// Turns of some work in a second by so many threads, each of which makes what is its own first.
  private static func throughput(
    _ threads: Int, _ makeWork: @escaping @Sendable () -> () -> Bool
  ) async -> Double {
    let ready = Counter()
    return await withTaskGroup(of: Double.self) { group in
      for _ in 0..<threads {
        group.addTask {
          let work = makeWork()
          guard work(), work() else { return -.infinity }
          ready.number.add(1, ordering: .acquiringAndReleasing)
          while ready.number.load(ordering: .acquiring) < threads { await Task.yield() }
          let start = ContinuousClock.now
          var count = 0
          var elapsed = Duration.zero
          while elapsed < time {
            for _ in 0..<8 where work() { count += 1 }
            elapsed = ContinuousClock.now - start
          }
          return Double(count) / (elapsed.microseconds / 1e6)
        }
      }
      return await group.reduce(0, +)
    }
  }

  private final class Counter: Sendable {
    let number = Atomic(0)
  }

  /// The same of certificates that were read before, one after another or through `validate(_:)` of
  /// many, which uses all cores.
  private static func batch(
    _ isBatch: Bool, _ requests: [PathValidator.Request], _ validator: PathValidator
  ) async -> Double {
    let start = ContinuousClock.now
    if isBatch {
      for case .failure in (try? await validator.validate(requests)) ?? [] {
        return -.infinity
      }
    } else {
      for request in requests {
        guard
          (try? validator.validate(request.chain, for: request.purpose, at: request.time)) != nil
        else { return -.infinity }
      }
    }
    return Double(requests.count) / ((ContinuousClock.now - start).microseconds / 1e6)
  }

  private static func requests(_ question: Question) -> [PathValidator.Request] {
    (0..<512).compactMap { _ -> PathValidator.Request? in
      let read = question.withOwnOctets.chain.compactMap { try? Certificate(der: $0) }
      guard let purpose = try? Purpose.server(question.host) else { return nil }
      return PathValidator.Request(
        read, for: purpose, at: Timestamp(secondsSince1970: ChainFiles.time))
    }
  }
}
