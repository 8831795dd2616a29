internal import Foundation

/// The same work done by several contenders, ours first.
struct Case {
  /// read, hash, verify, validate, evaluate, ct, filter, merkle, fetch or load.
  let subject: String
  let name: String
  var contenders: [Contender]
  /// A remark shown with the row.
  var note = ""
}

/// An implementation that does the work of a case.
struct Contender {
  let name: String
  var isPeer = false
  let work: Work

  enum Work {
    /// Does the work once; false if the answer is wrong.
    case here(() -> Bool)
    /// Another program does the work.
    case elsewhere(Peer, Inquiry)
    /// Not measured, with the reason: a wrong answer or none.
    case rejected(String)
  }

  static func ours(_ name: String = "ours", _ work: @escaping () -> Bool) -> Contender {
    Contender(name: name, work: work() && work() ? .here(work) : .rejected("a wrong answer"))
  }
}

/// The measurements of a contender.
struct Figure {
  let contender: String
  let isPeer: Bool
  /// Microseconds of one turn, one number for each round.
  var times: [Double] = []
  /// The allocations of one turn, and its peak memory in bytes.
  var allocations: Int?
  var peak: Int?
  /// Why there are no times.
  var rejection: String?

  /// Nil if nothing was measured or an answer was wrong.
  var spread: Spread? { Spread(times) }
}

/// The median and the spread of the numbers of several rounds.
struct Spread {
  let least: Double
  let low: Double
  let median: Double
  let high: Double

  /// Nil if there are no numbers, or if one is infinite, which marks a wrong answer.
  init?(_ values: [Double]) {
    let sorted = values.sorted()
    guard let first = sorted.first, let last = sorted.last, last.isFinite else { return nil }
    (least, low) = (first, sorted[sorted.count / 4])
    (median, high) = (sorted[sorted.count / 2], sorted[sorted.count * 3 / 4])
  }
}

/// A row of the table.
struct Row {
  let subject: String
  let name: String
  /// Ours first.
  var figures: [Figure]
  let note: String

  subscript(contender: String) -> Figure? { figures.first { $0.contender == contender } }

  /// The ratio of our time to that of the fastest peer in each round.
  var toFastestPeer: Spread? {
    guard let ours = figures.first, ours.spread != nil else { return nil }
    let peers = figures.filter { $0.isPeer && $0.spread != nil }
    return Spread(
      ours.times.indices.compactMap { round in
        peers.map { $0.times[round] }.min().map { ours.times[round] / $0 }
      })
  }

  /// Compares two contenders round by round.
  func compared(
    _ one: String, _ other: String, _ compare: (Double, Double) -> Double
  ) -> Spread? {
    guard let one = self[one], let other = self[other], one.spread != nil, other.spread != nil
    else { return nil }
    return Spread(zip(one.times, other.times).map(compare))
  }
}

/// All measurements of a run.
struct Results {
  var conditions: [String] = []
  var rows: [Row] = []
  var curves: [Growth.Curve] = []
  var scaling: [Scaling.Result] = []
}

extension Double {
  /// Returns the number with a number of decimals.
  func text(_ decimals: Int) -> String { String(format: "%.\(decimals)f", self) }

  /// The number with about three significant digits, as in tables.
  var shown: String { text(self < 10 ? 2 : self < 100 ? 1 : 0) }
}

extension String {
  func padded(to width: Int, left: Bool = false) -> String {
    let spaces = String(repeating: " ", count: Swift.max(0, width - count))
    return left ? spaces + self : self + spaces
  }
}
