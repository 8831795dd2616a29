internal import CPeerSystem
internal import Foundation

/// Counts allocations, in another run of this program because counting disturbs times.
enum Counting {
  /// The library that counts; nil if it is missing.
  static var library: String? { Bench.environment["BENCH_COUNTER"] }

  /// Prints the allocations and the peak memory of each contender, one line each:
  /// `allocations TAB bytes TAB row and contender`.
  static func printAllocations(_ cases: [Case]) {
    for one in cases {
      for contender in one.contenders {
        guard case .here(let work) = contender.work, let count = allocations(work) else { continue }
        print(
          "\(count.number)\t\(count.peak)\t" + key(one.subject, one.name, contender.name))
      }
    }
  }

  private static func key(_ subject: String, _ name: String, _ contender: String) -> String {
    "\(subject): \(name): \(contender)"
  }

  /// Counts the allocations of one turn, as the mean of several, in case only some turns allocate.
  static func allocations(_ work: () -> Bool) -> (number: Int, peak: Int)? {
    let turns = 16
    for _ in 0..<turns { _ = work() }
    let before = peer_system_allocations()
    _ = peer_system_peak()
    guard before >= 0 else { return nil }
    for _ in 0..<turns { _ = work() }
    let asked = Int(peer_system_allocations() - before)
    return ((asked + turns / 2) / turns, Int(peer_system_peak()))
  }

  /// Adds the counts of another run to the rows; returns false if there is no counter.
  static func addAllocations(to rows: inout [Row], _ filters: [String]) -> Bool {
    guard let library else { return false }
    var counts: [String: (Int?, Int?)] = [:]
    let arguments = ["--allocations"] + filters.flatMap { ["--only", $0] }
    for line in Program.again(["LD_PRELOAD=\(library)"], arguments) ?? [] {
      let words = line.split(separator: "\t").map(String.init)
      if words.count == 3 { counts[words[2]] = (Int(words[0]), Int(words[1])) }
    }
    for row in rows.indices {
      for index in rows[row].figures.indices {
        let name = rows[row].figures[index].contender
        guard let count = counts[key(rows[row].subject, rows[row].name, name)] else { continue }
        (rows[row].figures[index].allocations, rows[row].figures[index].peak) = count
      }
    }
    return true
  }
}
