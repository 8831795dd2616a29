internal import Holdfast
internal import HoldfastDER
internal import HoldfastHashes

/// batch: how much more several threads do than one with the same validator, by turns.
enum Scaling {
  /// What one chain gave for each number of threads: throughput beside that of one thread.
  struct Result {
    let name: String
    let threads: [Int]
    let ratios: [Spread]
  }

  static let goal = 1.9

  /// Runs in a process that is not pinned to one core.
  static func measure(_ runner: Runner) -> [Result] {
    let lines =
      Command.again(
        Platform.environment("BENCH_UNPINNED") ?? "", "--threads --rounds \(runner.rounds)") ?? []
    return lines.compactMap { line in
      let parts = line.split(separator: "\t")
      guard parts.count > 1 else { return nil }
      var (threads, ratios): ([Int], [Spread]) = ([], [])
      for part in parts.dropFirst() {
        let words = part.split(separator: " ")
        guard let number = words.first.flatMap({ Int($0) }),
          let ratio = Spread(words.dropFirst().compactMap(decimal))
        else { return nil }
        threads.append(number)
        ratios.append(ratio)
      }
      return Result(name: String(parts[0]), threads: threads, ratios: ratios)
    }
  }

  /// Prints the ratios of all rounds: `name TAB threads ratio ratio … TAB threads …`.
  static func print(rounds: Int) async {
    let numbers = Array(1...max(Command.cores, 1))
    // What the machine gives at this moment: threads that hash and share nothing.
    let hash = { (threads: Int) in
      await throughput(threads) {
        { HashAlgorithm.sha384.hash(Signatures.message.span)[0] < 255 }
      }
    }
    await Swift.print(line("nothing shared, a control", numbers, rounds, hash))
    for name in ["a_rsa2048", "b_p256"] {
      guard let files = ChainFiles[name] else { continue }
      let question = Question(files)
      for (state, memory) in [("cold", nil), ("warm", SignatureMemory())] {
        let validator = question.validator(memory)
        let work = { (threads: Int) in
          await throughput(threads) {
            let own = question.withOwnOctets
            return { own.isRight(validator) }
          }
        }
        await Swift.print(line("\(files.title), \(state)", numbers, rounds, work))
      }
      let validator = question.validator(nil)
      let requests = { (threads: Int) in await batch(threads > 1, question, validator) }
      guard let all = numbers.last, all > 1 else { continue }
      await Swift.print(line("\(files.title), as a batch", [1, all], rounds, requests))
    }
  }

  private static func line(
    _ name: String, _ numbers: [Int], _ rounds: Int, _ throughput: (Int) async -> Double
  ) async -> String {
    var ratios = numbers.map { _ in [Double]() }
    for _ in 0..<rounds {
      let alone = await throughput(1)
      for (place, number) in numbers.enumerated() {
        ratios[place].append(number == 1 ? 1 : await throughput(number) / alone)
      }
    }
    let parts = zip(numbers, ratios).map { number, ratios in
      "\(number) " + ratios.map { $0.text(3) }.joined(separator: " ")
    }
    return name + "\t" + parts.joined(separator: "\t")
  }

  private static let time = Duration.milliseconds(40)

  /// Turns of some work in a second by so many threads, each of which makes what is its own first.
  private static func throughput(
    _ threads: Int, _ makeWork: @escaping @Sendable () -> () -> Bool
  ) async -> Double {
    let end = ContinuousClock.now + time
    return await withTaskGroup(of: Double.self) { group in
      for _ in 0..<threads {
        group.addTask {
          let work = makeWork()
          var count = 0
          while ContinuousClock.now < end, work() { count += 1 }
          return Double(count)
        }
      }
      return await group.reduce(0, +)
    } / (time.microseconds / 1e6)
  }

  /// The same of certificates that were read before, one after another or through `validate(_:)` of
  /// many, which uses all cores.
  private static func batch(
    _ isBatch: Bool, _ question: Question, _ validator: PathValidator
  ) async -> Double {
    let requests = (0..<1_024).compactMap { _ -> PathValidator.Request? in
      let read = question.withOwnOctets.chain.compactMap { try? Certificate(der: $0) }
      return read.first.map {
        PathValidator.Request(
          $0, intermediates: Array(read.dropFirst()), for: .server(question.host),
          at: Timestamp(secondsSince1970: ChainFiles.time))
      }
    }
    let start = ContinuousClock.now
    if isBatch {
      for case .failure in await validator.validate(requests) {
        return 0
      }
    } else {
      for request in requests
      where !question.isRight(validator, [request.leaf] + request.intermediates) { return 0 }
    }
    return Double(requests.count) / ((ContinuousClock.now - start).microseconds / 1e6)
  }
}
