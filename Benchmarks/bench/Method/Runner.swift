/// Measures cases in rounds. In each round every contender has a turn of some milliseconds, so that
/// other load on the machine affects all of them. Ratios are taken within a round.
struct Runner {
  var rounds = 21
  /// The least number of milliseconds of a contender's turn.
  var slice = 8

  func measure(_ benchmark: Case) -> Row {
    let contenders = benchmark.contenders
    var figures = contenders.map { Figure(contender: $0.name, isPeer: $0.isPeer) }
    var counts = contenders.map { _ in 0 }
    for (index, contender) in contenders.enumerated() {
      switch contender.work {
      case .here(let work): counts[index] = count(for: work)
      case .elsewhere(let peer, let inquiry):
        // A peer holds one question at a time; this measurement is its warm-up.
        if peer.answer(to: inquiry) != inquiry.answer || peer.measure(slice) == nil {
          figures[index].rejection = "no answer"
        }
      case .rejected(let reason): figures[index].rejection = reason
      }
    }
    let isDifference = Promises.goals(benchmark.subject, benchmark.name).contains { goal in
      if case .difference = goal { true } else { false }
    }
    for round in 0..<rounds {
      if isDifference {
        measureTogether(contenders, counts, &figures)
        continue
      }
      for index in order(figures, round) where figures[index].rejection == nil {
        switch contenders[index].work {
        case .here(let work): figures[index].times.append(time(counts[index], work))
        case .elsewhere(let peer, _):
          let result = peer.measure(slice)
          figures[index].times.append(result?.microseconds ?? .infinity)
          figures[index].allocations = result?.allocations
        case .rejected: break
        }
      }
    }
    for (index, contender) in contenders.enumerated() {
      guard case .elsewhere(let peer, let inquiry) = contender.work,
        figures[index].spread != nil, figures[index].allocations == nil
      else { continue }
      (figures[index].allocations, figures[index].peak) = peer.memory(of: inquiry)
    }
    return Row(
      subject: benchmark.subject, name: benchmark.name, figures: figures, note: benchmark.note)
  }

  /// Returns alternating orders, so that no contender always runs after the same one.
  private func order(_ figures: [Figure], _ turn: Int) -> [Int] {
    turn % 2 == 0 ? Array(figures.indices) : figures.indices.reversed()
  }

  /// Measures a round in which a small difference of long times is promised: turns are cut into
  /// short pieces, which all contenders take in turns, and a time is the median of its pieces.
  private func measureTogether(
    _ contenders: [Contender], _ counts: [Int], _ figures: inout [Figure]
  ) {
    let pieces = 32
    var times = figures.map { _ in [Double]() }
    for piece in 0..<pieces {
      for index in order(figures, piece) {
        guard case .here(let work) = contenders[index].work else { continue }
        times[index].append(time(max(counts[index] / pieces, 1), work))
      }
    }
    for index in figures.indices {
      if let median = Spread(times[index])?.median { figures[index].times.append(median) }
    }
  }

  /// Returns how many repetitions fill a turn; also warms up.
  private func count(for work: () -> Bool) -> Int {
    var count = 1
    while time(count, work) * Double(count) < Double(slice) * 1_000 { count *= 2 }
    return count
  }

  /// Returns the microseconds of one repetition of `work`; infinite if an answer was wrong.
  private func time(_ count: Int, _ work: () -> Bool) -> Double {
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
