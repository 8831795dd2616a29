internal import HoldfastDER

/// What this program does when it is called again by itself: counts that would disturb times.
enum Reruns {
  /// Prints how often each contender asks for memory and how much it has in use at most, a line for
  /// each: `subject TAB case TAB contender TAB count TAB octets`.
  static func printAllocations(_ cases: [Case]) {
    for one in cases {
      for contender in one.contenders {
        guard case .here(let work) = contender.work, let count = allocations(work) else { continue }
        print(
          [one.subject, one.name, contender.name, String(count.number), String(count.peak)]
            .joined(separator: "\t"))
      }
    }
  }

  /// Of one turn, in the mean of some, so that what is asked for now and then is not missed.
  static func allocations(_ work: () -> Bool) -> (number: Int, peak: Int)? {
    let turns = 16
    for _ in 0..<turns { _ = work() }
    guard let before = Command.allocations, Command.peak != nil else { return nil }
    for _ in 0..<turns { _ = work() }
    guard let after = Command.allocations, let peak = Command.peak else { return nil }
    return ((after - before + turns / 2) / turns, peak)
  }

  /// Adds to rows what another run of this program counts; nothing if there is no counter.
  static func addAllocations(to rows: [Row], _ filters: [String]) -> [Row] {
    guard let counter = Platform.environment("BENCH_COUNTER") else { return rows }
    let only = filters.map { "--only '\($0)'" }.joined(separator: " ")
    var counts: [String: (number: Int?, peak: Int?)] = [:]
    for line in Command.again("LD_PRELOAD='\(counter)'", "--allocations \(only)") ?? [] {
      let words = line.split(separator: "\t").map(String.init)
      guard words.count == 5 else { continue }
      counts[words[0...2].joined(separator: "\t")] = (Int(words[3]), Int(words[4]))
    }
    return rows.map { row in
      var row = row
      for place in row.figures.indices {
        let key = [row.subject, row.name, row.figures[place].contender].joined(separator: "\t")
        guard let count = counts[key] else { continue }
        row.figures[place].allocations = count.number
        row.figures[place].peak = count.peak
      }
      return row
    }
  }
}
