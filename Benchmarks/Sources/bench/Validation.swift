internal import HoldfastDER

/// What a contender gave, in microseconds.
struct Figure {
  let contender: String
  let times: [Double]
  var allocations: Int?

  /// The quartiles and the median; nil if an answer was wrong.
  var spread: (low: Double, median: Double, high: Double)? {
    let sorted = times.sorted()
    guard let last = sorted.last, last.isFinite else { return nil }
    return (sorted[sorted.count / 4], sorted[sorted.count / 2], sorted[sorted.count * 3 / 4])
  }
}

/// A row of the table.
struct ValidationRow {
  let name: String
  /// Ours first.
  let figures: [Figure]
  /// The largest ratio to the fastest peer, or the most microseconds.
  let goal: Double?
  let isRatio: Bool
  /// The largest ratio of warm to cold.
  var warmGoal: Double?
  var allocationGoal: Int?

  subscript(contender: String) -> Figure? { figures.first { $0.contender == contender } }

  /// Ours beside the fastest peer of each round; the median of it.
  var ratio: Double? {
    let peers = figures.filter { !["cold", "warm", "ours"].contains($0.contender) }
    guard let ours = figures.first, ours.spread != nil else { return nil }
    let ratios = ours.times.indices.compactMap { round -> Double? in
      let fastest = peers.map { $0.times[round] }.filter(\.isFinite).min()
      return fastest.map { ours.times[round] / $0 }
    }
    return ratios.isEmpty ? nil : ratios.sorted()[ratios.count / 2]
  }

  /// Warm beside cold; the median of the rounds.
  var warmth: Double? {
    guard let cold = self["cold"], let warm = self["warm"], cold.spread != nil, warm.spread != nil
    else { return nil }
    let ratios = zip(warm.times, cold.times).map { $0 / $1 }
    return ratios.sorted()[ratios.count / 2]
  }
}

/// The whole chain beside the peers, and its pieces.
struct Validation {
  let runner: Runner
  let go = GoPeer()

  func rows() -> [ValidationRow] {
    let counts = allocations()
    var rows = ChainFiles.all.map { row($0, counts) }
    for (index, piece) in Pieces.all.enumerated() {
      let figures = runner.byTurns(piece.contenders.map { ($0.name, $0.work) })
      rows.append(
        ValidationRow(
          name: piece.name, figures: counted(figures, counts["piece-\(index)"] ?? [:]),
          goal: piece.goal, isRatio: false, allocationGoal: piece.allocationGoal))
    }
    return rows
  }

  /// Lines for the table: what two threads do.
  func threads() -> [[String]]? {
    Command.again(Platform.environment("BENCH_UNPINNED") ?? "", "--threads --rounds 15")
  }

  /// What the table stands on.
  var conditions: [String] {
    var conditions = [Command.processor, "medians of \(runner.rounds) rounds, all by turns"]
    conditions += ChainPeer.versions
    conditions.append(
      go.map { "\($0.version), a process for each round" } ?? "Go: not there (golang-go)")
    if Platform.environment("BENCH_COUNTER") == nil { conditions.append("allocations: no counter") }
    return conditions
  }

  private func row(_ chain: ChainFiles, _ counts: [String: [String: Int]]) -> ValidationRow {
    var goTimes: [Double] = []
    var goAllocations: Int?
    let figures = runner.byTurns(chain.contenders.map { ($0.name, $0.work ?? { false }) }) {
      guard let go else { return }
      let result = go.measure(chain)
      goTimes.append(result?.microseconds ?? .infinity)
      goAllocations = result?.allocations
    }
    var all = counted(figures, counts[chain.name] ?? [:])
    if go != nil {
      all.append(Figure(contender: "Go", times: goTimes, allocations: goAllocations))
    }
    return ValidationRow(
      name: chain.name, figures: all, goal: 0.60, isRatio: true,
      warmGoal: chain.name.contains("rsa") ? 0.6 : chain.name.contains("p256") ? 0.4 : nil,
      allocationGoal: 40)
  }

  private func counted(_ figures: [Figure], _ counts: [String: Int]) -> [Figure] {
    figures.map {
      Figure(contender: $0.contender, times: $0.times, allocations: counts[$0.contender])
    }
  }

  private func allocations() -> [String: [String: Int]] {
    guard let counter = Platform.environment("BENCH_COUNTER") else { return [:] }
    var counts: [String: [String: Int]] = [:]
    for words in Command.again("LD_PRELOAD='\(counter)'", "--allocations") ?? []
    where words.count == 3 {
      counts[words[0], default: [:]][words[1]] = Int(words[2])
    }
    return counts
  }
}

extension Runner {
  /// The times of contenders that run by turns, and after each round something else.
  func byTurns(
    _ contenders: [(String, () -> Bool)], after: () -> Void = {}
  ) -> [Figure] {
    let counts = contenders.map { $0.1() ? count(for: $0.1) : 1 }
    var times = contenders.map { _ in [Double]() }
    for _ in 0..<rounds {
      for (place, contender) in contenders.enumerated() {
        times[place].append(time(counts[place], contender.1))
      }
      after()
    }
    return zip(contenders, times).map { Figure(contender: $0.0, times: $1) }
  }
}
