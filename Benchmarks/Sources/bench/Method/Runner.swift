/// Measures cases in rounds. In each round every contender has a turn of some milliseconds, so that
/// whatever else the machine does falls on all of them, and a ratio is one of a round.
struct Runner {
  var rounds = 21
  /// How long a turn of a contender lasts at least.
  var slice = 8

  func measure(_ benchmark: Case) -> Row {
    var figures = benchmark.contenders.map { Figure(contender: $0.name, isPeer: $0.isPeer) }
    var counts: [Int] = []
    for (place, contender) in benchmark.contenders.enumerated() {
      switch contender.work {
      case .here(let work): counts.append(count(for: work))
      case .elsewhere(let ready, let measure):
        counts.append(0)
        // Its own warm-up.
        if !ready() || measure(slice) == nil { figures[place].refusal = "no answer" }
      case .refused(let reason):
        counts.append(0)
        figures[place].refusal = reason
      }
    }
    if benchmark.isDifference {
      measureTogether(benchmark, counts, &figures)
    }
    for round in 0..<rounds where !benchmark.isDifference {
      // There and back, so that no contender always has the same neighbour before it.
      let places = figures.indices
      for place in round % 2 == 0 ? Array(places) : places.reversed()
      where figures[place].refusal == nil {
        turn(benchmark.contenders[place], counts[place], &figures[place])
      }
    }
    return Row(
      subject: benchmark.subject, name: benchmark.name, figures: figures, goals: benchmark.goals,
      note: benchmark.note)
  }

  /// A small difference of times that are long: the turns are cut into short pieces, which all have by
  /// turns, and a time is the median of its pieces.
  private func measureTogether(_ benchmark: Case, _ counts: [Int], _ figures: inout [Figure]) {
    let pieces = 32
    for _ in 0..<rounds {
      var times = figures.map { _ in [Double]() }
      for piece in 0..<pieces {
        let places = figures.indices
        for place in piece % 2 == 0 ? Array(places) : places.reversed() {
          guard case .here(let work) = benchmark.contenders[place].work else { continue }
          times[place].append(time(max(counts[place] / pieces, 1), work))
        }
      }
      for place in figures.indices {
        if let median = Spread(times[place])?.median { figures[place].times.append(median) }
      }
    }
  }

  private func turn(_ contender: Contender, _ count: Int, _ figure: inout Figure) {
    switch contender.work {
    case .here(let work): figure.times.append(time(count, work))
    case .elsewhere(_, let measure):
      let result = measure(slice)
      figure.times.append(result?.microseconds ?? .infinity)
      figure.allocations = result?.allocations
    case .refused: break
    }
  }

  /// How many times fill a turn; warms up as well.
  func count(for work: () -> Bool) -> Int {
    var count = 1
    while time(count, work) * Double(count) < Double(slice) * 1_000 { count *= 2 }
    return count
  }

  /// Microseconds for one turn of `work`.
  func time(_ count: Int, _ work: () -> Bool) -> Double {
    let start = ContinuousClock.now
    var isRight = true
    for _ in 0..<count where !work() { isRight = false }
    let elapsed = (ContinuousClock.now - start).microseconds
    return isRight ? elapsed / Double(count) : .infinity
  }
}

extension Duration {
  var microseconds: Double {
    Double(components.seconds) * 1e6 + Double(components.attoseconds) / 1e12
  }
}

extension Double {
  /// The number with so many decimals.
  func text(_ decimals: Int) -> String {
    guard isFinite, magnitude < 1e12 else { return "wrong" }
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int((magnitude * Double(scale)).rounded())
    let sign = self < 0 && scaled > 0 ? "-" : ""
    guard decimals > 0 else { return sign + String(scaled) }
    let fraction = String(scaled % scale)
    let zeros = String(repeating: "0", count: decimals - fraction.count)
    return "\(sign)\(scaled / scale).\(zeros)\(fraction)"
  }

  /// The number with three digits that count, as tables show it.
  var shown: String { text(self < 10 ? 2 : self < 100 ? 1 : 0) }
}

extension String {
  func padded(to width: Int, left: Bool = false) -> String {
    let spaces = String(repeating: " ", count: Swift.max(0, width - count))
    return left ? spaces + self : self + spaces
  }
}
