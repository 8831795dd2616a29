internal import Foundation

/// What one turn of a case costs, by counters that do not depend on the machine's load.
struct Counts: Equatable {
  var instructions: Int?
  var allocations: Int?
  /// References that are counted: calls of `swift_retain`.
  var retains: Int?

  /// The counters, and how far each may exceed the best: compilers and libraries change
  /// instructions and retains a little.
  static var counters: [(name: String, path: WritableKeyPath<Counts, Int?>, tolerance: Double)] {
    [
      ("instructions", \.instructions, 0.03), ("allocations", \.allocations, 0),
      ("retains", \.retains, 0.03),
    ]
  }

  /// Whether no counter exceeds another's by more than its tolerance. Those not counted pass.
  func isWithin(_ other: Counts) -> Bool {
    Counts.counters.allSatisfy { _, path, tolerance in
      guard let mine = self[keyPath: path], let limit = other[keyPath: path] else { return true }
      return Double(mine) <= Double(limit) * (1 + tolerance)
    }
  }

  var text: String {
    Counts.counters.map { self[keyPath: $0.path].map(String.init) ?? "-" }.joined(separator: " ")
  }
}

/// The best counts that any commit reached, one row for each case: a text file that is only renewed
/// for the worse with a reason.
struct BestCounts {
  private struct Row {
    var best: Counts
    var commit: String
    /// Counts that are worse than the best and accepted, and why.
    var accepted: (counts: Counts, reason: String)?
  }

  /// What a renewal of the file needs.
  struct Renewal {
    let commit: String
    /// Why counts may be worse than before; nil if none may.
    let reason: String?
  }

  private var rows: [(name: String, row: Row)] = []

  private static let head = """
    # The best instructions, allocations and retains of one turn of each case, and the commit that
    # reached them: Scripts/bench --gate compares with them, and --renew keeps what is better.
    # What is worse is accepted only with a reason, in a second line: --renew --because REASON.
    """

  /// Reads a file with lines `name instructions allocations retains commit`, each perhaps followed
  /// by a line `  accepted instructions allocations retains: reason`.
  init(readingFile path: String) {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return }
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ", maxSplits: 4).map(String.init)
      guard words.count == 5 else { Bench.fail("\(path): \(line)") }
      if words[0] == "accepted", !rows.isEmpty {
        // The colon ends the last number.
        let counts = BestCounts.counts(words[1], words[2], String(words[3].dropLast()))
        rows[rows.count - 1].row.accepted = (counts, words[4])
      } else {
        let best = BestCounts.counts(words[1], words[2], words[3])
        rows.append((words[0], Row(best: best, commit: words[4])))
      }
    }
  }

  private static func counts(_ first: String, _ second: String, _ third: String) -> Counts {
    Counts(instructions: Int(first), allocations: Int(second), retains: Int(third))
  }

  func write(to path: String) {
    var text = BestCounts.head + "\n"
    for (name, row) in rows {
      text += "\(name) \(row.best.text) \(row.commit)\n"
      if let (counts, reason) = row.accepted { text += "  accepted \(counts.text): \(reason)\n" }
    }
    do { try text.write(toFile: path, atomically: true, encoding: .utf8) } catch {
      Bench.fail("\(path): \(error)")
    }
  }

  /// Keeps what is better than the best so far, and accepts what is worse if there is a reason.
  mutating func add(_ counts: Counts, of name: String, _ renewal: Renewal) {
    guard let index = rows.firstIndex(where: { $0.name == name }) else {
      rows.append((name, Row(best: counts, commit: renewal.commit)))
      return
    }
    var row = rows[index].row
    for (_, path, _) in Counts.counters {
      guard let now = counts[keyPath: path], now < row.best[keyPath: path] ?? .max else { continue }
      row.best[keyPath: path] = now
      row.commit = renewal.commit
    }
    if counts.isWithin(row.best) {
      row.accepted = nil
    } else if row.accepted.map({ counts.isWithin($0.counts) }) != true {
      row.accepted = renewal.reason.map { (counts, $0) } ?? row.accepted
    }
    rows[index].row = row
  }

  /// Removes the rows of cases that no longer exist.
  mutating func drop(where isGone: (String) -> Bool) { rows.removeAll { isGone($0.name) } }

  /// Prints a line for each case, and returns whether none is worse than the best or what was
  /// accepted.
  func compare(_ measured: [(name: String, counts: Counts)]) -> Bool {
    var known = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.row) })
    var holds = true
    print(
      "gate".padded(to: 28)
        + "instructions       best  change  allocations  best  retains  best")
    for (name, now) in measured {
      guard let row = known.removeValue(forKey: name) else {
        print(name.padded(to: 28) + "not in the file: renew it")
        holds = false
        continue
      }
      var line = name.padded(to: 28)
      for ((counter, path, _), widths) in zip(Counts.counters, [(12, 11), (13, 6), (9, 6)]) {
        let (count, best) = (now[keyPath: path], row.best[keyPath: path])
        line += (count.map(String.init) ?? "-").padded(to: widths.0, left: true)
        line += (best.map(String.init) ?? "-").padded(to: widths.1, left: true)
        guard counter == "instructions" else { continue }
        let change = (Double(count ?? 0) / Double(max(best ?? 0, 1)) - 1) * 100
        line += "\(count == nil ? "-" : change.text(1)) %".padded(to: 8, left: true)
      }
      if !now.isWithin(row.best) {
        let isAccepted = row.accepted.map { now.isWithin($0.counts) } ?? false
        line += isAccepted ? "  accepted: \(row.accepted?.reason ?? "")" : "  TOO MANY"
        holds = holds && isAccepted
      }
      print(line)
    }
    for name in known.keys.sorted() {
      print(name.padded(to: 28) + "in the file, but not measured: renew it")
    }
    return holds && known.isEmpty
  }
}
