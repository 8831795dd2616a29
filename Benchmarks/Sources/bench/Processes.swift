internal import Holdfast

/// What this program does when it is called again by itself.
enum Processes {
  /// Prints how often each contender asks for memory: `row contender count`.
  static func countAllocations() {
    for chain in ChainFiles.all {
      for (name, work) in chain.contenders {
        if let work, let count = allocations(work) { print(chain.name, name, count) }
      }
    }
    for (index, piece) in Pieces.all.enumerated() {
      for (name, work) in piece.contenders {
        if let count = allocations(work) { print("piece-\(index)", name, count) }
      }
    }
  }

  private static func allocations(_ work: () -> Bool) -> Int? {
    let turns = 16
    for _ in 0..<turns { _ = work() }
    guard let before = Command.allocations else { return nil }
    for _ in 0..<turns { _ = work() }
    guard let after = Command.allocations else { return nil }
    return (after - before + turns / 2) / turns
  }

  /// Prints how much more two threads do than one with the same validator, by turns: `chain
  /// state median best`.
  static func compareThreads(rounds: Int) async {
    for name in ["a_rsa2048", "b_p256"] {
      for (state, memory) in [("cold", nil), ("warm", SignatureMemory())] {
        guard let chain = ChainFiles(name), let validator = chain.validator(memory: memory) else {
          continue
        }
        var ratios: [Double] = []
        for _ in 0..<rounds {
          let one = await throughput(1, chain, validator)
          let two = await throughput(2, chain, validator)
          ratios.append(two / one)
        }
        ratios.sort()
        print(name, state, ratios[ratios.count / 2].text(3), ratios[ratios.count - 1].text(3))
      }
    }
  }

  /// Validations in 40 ms by so many threads.
  private static func throughput(
    _ threads: Int, _ chain: ChainFiles, _ validator: PathValidator
  ) async -> Double {
    let end = ContinuousClock.now + .milliseconds(40)
    return await withTaskGroup(of: Double.self) { group in
      for _ in 0..<threads {
        group.addTask {
          var count = 0
          while ContinuousClock.now < end, chain.isValid(validator) { count += 1 }
          return Double(count)
        }
      }
      return await group.reduce(0, +)
    }
  }
}
