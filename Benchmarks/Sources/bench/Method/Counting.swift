internal import CPeerSystem
internal import Foundation

/// Allocations, counted in another run of this program because counting disturbs times.
enum Counting {
  /// The library that counts; nil where it is missing.
  static var library: String? { Bench.environment["BENCH_COUNTER"] }

  /// Prints allocations and the most bytes in use of each contender, a line for each:
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

  /// Of one turn, in the mean of some, so that an allocation in some turns only is not missed.
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

  /// Adds to rows what another run counts; false if there is no counter.
  static func addAllocations(to rows: inout [Row], _ filters: [String]) -> Bool {
    guard let library else { return false }
    var counts: [String: (Int?, Int?)] = [:]
    let arguments = ["--allocations"] + filters.flatMap { ["--only", $0] }
    for line in Program.again(["LD_PRELOAD=\(library)"], arguments) ?? [] {
      let words = line.split(separator: "\t").map(String.init)
      if words.count == 3 { counts[words[2]] = (Int(words[0]), Int(words[1])) }
    }
    for row in rows.indices {
      for place in rows[row].figures.indices {
        let name = rows[row].figures[place].contender
        guard let count = counts[key(rows[row].subject, rows[row].name, name)] else { continue }
        (rows[row].figures[place].allocations, rows[row].figures[place].peak) = count
      }
    }
    return true
  }
}
