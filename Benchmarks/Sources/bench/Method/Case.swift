/// The same work done by several contenders, ours first.
struct Case {
  /// read, hash, verify, validate, evaluate or load.
  let subject: String
  let name: String
  var contenders: [Contender]
  /// What the library promises; none for a row that is for information.
  var goals: [Goal] = []
  /// What to say beside the row.
  var note = ""

  /// Whether a difference between contenders is promised, all of whom are here.
  var isDifference: Bool {
    goals.contains { goal in
      if case .difference = goal { return true }
      return false
    }
  }
}

/// One who does the work of a case.
struct Contender {
  let name: String
  var isPeer = false
  let work: Work

  enum Work {
    /// Does the work once; false if the answer is wrong.
    case here(() -> Bool)
    /// Work of another program: what readies it, done once before the rounds, and what
    /// measures it for some milliseconds.
    case elsewhere(ready: () -> Bool, measure: (Int) -> (microseconds: Double, allocations: Int?)?)
    /// Not measured: it gives another answer, or none, and which.
    case refused(String)
  }

  static func ours(_ name: String = "ours", _ work: @escaping () -> Bool) -> Contender {
    Contender(name: name, work: work() && work() ? .here(work) : .refused("a wrong answer"))
  }
}

/// A promise about a row.
enum Goal {
  /// The most of the first contender's time in that of the fastest peer.
  case toFastestPeer(Double)
  /// The most of one contender's time in that of another.
  case ratio(of: String, to: String, Double)
  /// The most microseconds of one contender above another.
  case difference(of: String, to: String, Double)
  /// The most microseconds of one contender on a machine where OpenSSL takes as many as the last
  /// number says: a time that does not depend on the machine.
  case scaled(of: String, Double, openSSL: Double)
  /// The most microseconds of the first contender.
  case microseconds(Double)
  /// The most requests for memory of the first contender.
  case allocations(Int)
}

/// What a contender gave.
struct Figure {
  let contender: String
  let isPeer: Bool
  /// Microseconds of one turn, a number for each round.
  var times: [Double] = []
  /// Requests for memory, and the most octets in use at a time, of one turn.
  var allocations: Int?
  var peak: Int?
  /// Why there are no times.
  var refusal: String?

  /// Nil if nothing was measured or an answer was wrong.
  var spread: Spread? { Spread(times) }
}

/// What numbers of several rounds have in common.
struct Spread {
  let least: Double
  let low: Double
  let median: Double
  let high: Double

  /// Nil for no numbers, and if one of them stands for a wrong answer.
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
  let goals: [Goal]
  let note: String

  subscript(contender: String) -> Figure? { figures.first { $0.contender == contender } }

  /// Ours beside the fastest peer of each round.
  var toFastestPeer: Spread? {
    guard let ours = figures.first, ours.spread != nil else { return nil }
    let peers = figures.filter { $0.isPeer && $0.spread != nil }
    return Spread(
      ours.times.indices.compactMap { round -> Double? in
        let fastest = peers.map { $0.times[round] }.min()
        return fastest.map { ours.times[round] / $0 }
      })
  }

  /// One contender beside another, in each round.
  func ratio(of one: String, to other: String) -> Spread? {
    guard let one = self[one], let other = self[other], one.spread != nil, other.spread != nil
    else { return nil }
    return Spread(zip(one.times, other.times).map { $0 / $1 })
  }

  /// What a goal is about, and what was found; nil if nothing was.
  func value(of goal: Goal) -> (what: String, value: Double, goal: Double, decimals: Int)? {
    switch goal {
    case .toFastestPeer(let most):
      return toFastestPeer.map { ("to the fastest peer", $0.median, most, 2) }
    case .ratio(let one, let other, let most):
      return ratio(of: one, to: other).map { ("\(one)/\(other)", $0.median, most, 2) }
    case .difference(let one, let other, let most):
      guard let one = self[one], let other = self[other], one.spread != nil, other.spread != nil
      else { return nil }
      return Spread(zip(one.times, other.times).map { $0 - $1 }).map {
        ("µs more than \(other.contender)", $0.median, most, 2)
      }
    case .scaled(let one, let most, let openSSL):
      return ratio(of: one, to: "OpenSSL").map {
        ("\(one) where OpenSSL takes \(openSSL.shown)", $0.median * openSSL, most, 1)
      }
    case .microseconds(let most):
      return figures.first?.spread.map { ("µs", $0.median, most, 1) }
    case .allocations(let most):
      return figures.first?.allocations.map { ("allocations", Double($0), Double(most), 0) }
    }
  }
}
