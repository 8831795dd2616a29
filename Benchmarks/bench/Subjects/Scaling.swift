internal import Foundation
internal import Holdfast
internal import HoldfastHashes
internal import Synchronization

/// batch: the throughput of several threads relative to one with the same validator, in turns.
enum Scaling {
  /// The measurements of one kind of work.
  struct Result: Codable {
    let name: String
    let threads: [Int]
    /// Turns per second by one thread, one number for each round.
    var alone: [Double] = []
    /// For each number of threads, the throughput relative to one thread in each round.
    var rounds: [[Double]]

    var ratios: [Spread] { rounds.compactMap { Spread($0) } }

    /// Returns the speed-up of the most threads relative to the control's in the same round.
    func besideControl(_ control: Result) -> Spread? {
      guard let own = rounds.last, let others = control.rounds.last else { return nil }
      return Spread(zip(own, others).map { $0 / $1 })
    }
  }

  /// Measures in a process that is not pinned to one core and prints its results as JSON.
  static func measure(_ runner: Runner) -> [Result] {
    let unpinned = Bench.environment["BENCH_UNPINNED"]?.split(separator: " ").map(String.init)
    let lines = Program.again(unpinned ?? [], ["--threads", "--rounds", String(runner.rounds)])
    return (lines ?? []).compactMap { line in
      try? JSONDecoder().decode(Result.self, from: Data(line.utf8))
    }
  }

  /// A kind of work, and its throughput per second for a number of threads.
  private struct Work {
    let name: String
    let threads: [Int]
    let throughput: (Int) async -> Double
  }

  /// Measures every kind of work in each round, the control first, and prints the results.
  static func print(rounds: Int) async {
    let all = works
    var results = all.map { work in
      Result(name: work.name, threads: work.threads, rounds: work.threads.map { _ in [] })
    }
    for _ in 0..<rounds {
      for (index, work) in all.enumerated() {
        for (column, threads) in work.threads.enumerated() {
          let (alone, ratio) = await compare(work, threads)
          if threads == 1 { results[index].alone.append(alone) }
          results[index].rounds[column].append(ratio)
        }
      }
    }
    for result in results {
      guard let data = try? JSONEncoder().encode(result) else { continue }
      Swift.print(String(decoding: data, as: UTF8.self))
    }
  }

  /// Alternates one thread and several at short intervals, so that the machine's load hardly
  /// changes in between.
  private static func compare(
    _ work: Work, _ threads: Int
  ) async -> (alone: Double, ratio: Double) {
    if threads == 1 { return (await work.throughput(1), 1) }
    var (alone, together) = (0.0, 0.0)
    for _ in 0..<4 {
      alone += await work.throughput(1)
      together += await work.throughput(threads)
      together += await work.throughput(threads)
      alone += await work.throughput(1)
    }
    return (alone / 8, together / alone)
  }

  private static var works: [Work] {
    let cores = Bench.environment["BENCH_CORES"].flatMap { Int($0) } ?? 1
    let numbers = Array(1...max(cores, 1))
    // The control shows the machine's own limit: threads that hash and share nothing.
    let message = Signatures.message
    var works = [
      Work(name: "nothing shared, a control", threads: numbers) { threads in
        await throughput(threads) {
          { HashAlgorithm.sha384.hash(message.span)[0] < 255 }
        }
      }
    ]
    for files in ["a_rsa2048", "b_p256"].compactMap({ ChainFiles[$0] }) {
      let question = Question(files)
      works.append(
        Work(name: "\(files.title), warm, unshared", threads: numbers) { threads in
          await throughput(threads) { validating(question, question.validator(SignatureCache())) }
        })
      for (state, cache) in [("cold", nil), ("warm", SignatureCache())] {
        let validator = question.validator(cache)
        works.append(
          Work(name: "\(files.title), \(state)", threads: numbers) { threads in
            await throughput(threads) { validating(question, validator) }
          })
      }
      guard cores > 1 else { continue }
      let (validator, requests) = (question.validator(), question.requests(512))
      for (name, actor) in [
        ("as a batch", nil), ("as a batch for the main actor", MainActor.shared),
      ] {
        works.append(
          Work(name: "\(files.title), \(name)", threads: [1, cores]) { threads in
            let start = ContinuousClock.now
            let areRight = await question.areRight(
              requests, validator, concurrency: threads, on: actor)
            guard areRight else { return -.infinity }
            return Double(requests.count) * 1e6 / (ContinuousClock.now - start).microseconds
          })
      }
    }
    return works
  }

  /// Returns work that validates the same chain repeatedly, from bytes that no other thread shares.
  private static func validating(
    _ question: Question, _ validator: PathValidator
  ) -> () -> Bool {
    var own = question
    own.chain = question.chain.map { bytes in bytes.map { $0 } }
    return { [own] in own.isRight(validator) }
  }

  private static let time = Duration.milliseconds(5)

  /// Returns the turns per second by all threads, each with work that it has made itself.
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
}
