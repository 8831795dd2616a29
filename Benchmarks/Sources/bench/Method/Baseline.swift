internal import HoldfastDER

/// The numbers that the gate compares with: a line `name instructions allocations` for each case.
struct Baseline {
  /// How much more instructions than written down are taken for the same: compilers and libraries
  /// move them a little. Requests for memory are counted exactly.
  static let tolerance = 0.03

  private var counts: [String: Gate.Counts] = [:]

  init?(_ path: String) {
    guard let octets = ChainFiles.octets(path) else { return nil }
    for line in String(decoding: octets, as: UTF8.self).split(separator: "\n")
    where !line.hasPrefix("#") {
      let words = line.split(separator: " ")
      guard words.count == 3 else { continue }
      counts[String(words[0])] = Gate.Counts(
        instructions: Int(words[1]), allocations: Int(words[2]))
    }
  }

  /// Writes a new one.
  static func write(
    _ measured: [(name: String, counts: Gate.Counts)], to path: String
  ) throws(System.SystemError) {
    var lines = [
      "# Instructions and requests for memory of one turn, by Scripts/bench --gate.",
      "# Renew it with Scripts/bench --gate --renew when a change moves them for a reason,",
      "# and say the reason in the commit.",
    ]
    for (name, counts) in measured {
      let numbers = [counts.instructions, counts.allocations].map { $0.map(String.init) ?? "-" }
      lines.append("\(name) \(numbers.joined(separator: " "))")
    }
    try System.writeFile(
      path, Array((lines.joined(separator: "\n") + "\n").utf8), replacing: true)
  }

  /// Prints a line for each case; whether all is as it was or better.
  func holds(_ measured: [(name: String, counts: Gate.Counts)]) -> Bool {
    var holds = true
    var known = counts
    print("gate".padded(to: 32) + "instructions    before   change   allocations  before")
    for (name, now) in measured {
      guard let before = known.removeValue(forKey: name) else {
        print(name.padded(to: 32) + "not in the baseline: renew it")
        holds = false
        continue
      }
      let (text, isFine) = compare(now, before)
      print(name.padded(to: 32) + text)
      holds = holds && isFine
    }
    for name in known.keys.sorted() {
      print(name.padded(to: 32) + "in the baseline, but not measured: renew it")
      holds = false
    }
    return holds
  }

  private func compare(
    _ now: Gate.Counts, _ before: Gate.Counts
  ) -> (text: String, isFine: Bool) {
    var (text, isFine) = ("", true)
    if let count = now.instructions, let old = before.instructions, old > 0 {
      let change = Double(count) / Double(old) - 1
      text += String(count).padded(to: 12, left: true) + String(old).padded(to: 10, left: true)
      text += "\((change * 100).text(1)) %".padded(to: 9, left: true)
      if change > Baseline.tolerance { (text, isFine) = (text + " TOO MANY", false) }
    } else {
      text += "not counted".padded(to: 31, left: true)
    }
    if let count = now.allocations, let old = before.allocations {
      text += String(count).padded(to: 14, left: true) + String(old).padded(to: 8, left: true)
      if count > old { (text, isFine) = (text + " TOO MANY", false) }
    } else {
      text += "not counted".padded(to: 22, left: true)
    }
    return (text, isFine)
  }
}
