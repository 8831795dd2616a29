/// The same work in two libraries, or in one alone.
struct Benchmark {
  let name: String
  /// The largest ratio ours/theirs, or the most microseconds if there is no peer, that
  /// the library promises; nil for a row that is only for information.
  let goal: Double?
  /// Does the work once; false if the answer is wrong.
  let ours: () -> Bool
  let theirs: (() -> Bool)?
  /// What to say beside the row.
  var note = ""
}

/// What a benchmark gave, in microseconds.
struct Measurement {
  let name: String
  let ours: Double
  let theirs: Double?
  /// The median of the rounds' ratios, and the lowest and highest quartile.
  let ratio: (low: Double, median: Double, high: Double)?
  let goal: Double?
  let note: String

  var isMet: Bool? { goal.map { (ratio?.median ?? ours) <= $0 } }
}

/// Runs benchmarks in rounds, ours and theirs by turns, so that whatever else the machine
/// does falls on both.
struct Runner {
  var rounds = 21
  /// How long each side of a round lasts at least.
  var slice = Duration.milliseconds(8)

  func run(_ benchmark: Benchmark) -> Measurement? {
    guard benchmark.ours(), benchmark.theirs?() ?? true else { return nil }
    let ourCount = count(for: benchmark.ours)
    let theirCount = benchmark.theirs.map(count) ?? 0
    var (ours, theirs, ratios): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<rounds {
      let our = time(ourCount, benchmark.ours)
      ours.append(our)
      guard let work = benchmark.theirs else { continue }
      let their = time(theirCount, work)
      theirs.append(their)
      ratios.append(our / their)
    }
    ratios.sort()
    let hasPeer = !ratios.isEmpty
    return Measurement(
      name: benchmark.name, ours: median(ours), theirs: hasPeer ? median(theirs) : nil,
      ratio: hasPeer
        ? (ratios[ratios.count / 4], median(ratios), ratios[ratios.count * 3 / 4]) : nil,
      goal: benchmark.goal, note: benchmark.note)
  }

  /// How many times fill a slice; warms up as well.
  func count(for work: () -> Bool) -> Int {
    var count = 1
    while true {
      let microseconds = time(count, work) * Double(count)
      if microseconds > Double(slice.components.attoseconds) / 1e12 { return count }
      count *= 2
    }
  }

  /// Microseconds for one turn of `work`.
  func time(_ count: Int, _ work: () -> Bool) -> Double {
    let start = ContinuousClock.now
    var isRight = true
    for _ in 0..<count where !work() { isRight = false }
    let elapsed = (ContinuousClock.now - start).components
    guard isRight else { return .infinity }
    return (Double(elapsed.seconds) * 1e6 + Double(elapsed.attoseconds) / 1e12) / Double(count)
  }

  private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

extension Double {
  /// The number with so many decimals.
  func text(_ decimals: Int) -> String {
    guard isFinite else { return "wrong" }
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int(self * Double(scale) + 0.5)
    guard decimals > 0 else { return String(scaled) }
    let fraction = String(scaled % scale)
    let zeros = String(repeating: "0", count: decimals - fraction.count)
    return "\(scaled / scale).\(zeros)\(fraction)"
  }
}

extension String {
  func padded(to width: Int, left: Bool = false) -> String {
    let spaces = String(repeating: " ", count: Swift.max(0, width - count))
    return left ? spaces + self : self + spaces
  }
}
