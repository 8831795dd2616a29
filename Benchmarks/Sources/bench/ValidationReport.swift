/// The table of the whole chains, as text and as JSON.
struct ValidationReport {
  let conditions: [String]
  let rows: [ValidationRow]
  /// Chain, state, median and best of what two threads do beside one.
  let threads: [[String]]

  private static let peers = ["OpenSSL", "GnuTLS", "Go"]
  private static let ours = ["cold", "warm", "ours"]

  var text: String {
    var lines = [conditions.joined(separator: "; ")]
    lines.append(
      "microseconds; cold: nothing remembered but the root's key; warm: the same "
        + "chain again, both signatures remembered")
    let chains = rows.filter(\.isRatio)
    lines.append(
      line("", ["cold", "warm"] + ValidationReport.peers + ["to fastest", "warm/cold", "allocs"]))
    for row in chains {
      let times = (["cold", "warm"] + ValidationReport.peers).map { time(row[$0]) }
      let memory = ["cold", "warm"].map { allocations(row[$0]) }.joined(separator: "/")
      let ratios = [row.ratio?.text(3) ?? "", row.warmth?.text(3) ?? ""]
      lines.append(line(row.name, times + ratios + [memory]) + "  " + verdict(row))
    }
    lines.append(line("", ["ours", "", "OpenSSL", "GnuTLS", "", "", "", "allocs"]))
    for row in rows where !row.isRatio {
      let times = [time(row["ours"]), "", time(row["OpenSSL"]), time(row["GnuTLS"]), "", "", ""]
      lines.append(
        line(row.name, times + [allocations(row["ours"])]) + "  " + verdict(row))
    }
    lines.append(line("allocations of the peers", []))
    for row in rows where !ValidationReport.peers.allSatisfy({ row[$0] == nil }) {
      let counts = ValidationReport.peers.map { allocations(row[$0]) }
      lines.append(line(row.name, ["", ""] + counts))
    }
    for words in threads where words.count == 4 {
      lines.append(
        "two threads beside one, \(words[0]) \(words[1]): \(words[2]) (best \(words[3])); "
          + "goal 1.90 \(ValidationReport.met((Double(words[2]) ?? 0) >= 1.9))")
    }
    return lines.joined(separator: "\n")
  }

  private func time(_ figure: Figure?) -> String {
    guard let figure else { return "" }
    return figure.spread?.median.text(2) ?? "wrong"
  }

  private func allocations(_ figure: Figure?) -> String {
    figure?.allocations.map(String.init) ?? ""
  }

  /// What is promised of a row, and whether it is so.
  private func verdict(_ row: ValidationRow) -> String {
    var words: [String] = []
    if let goal = row.goal, let value = row.isRatio ? row.ratio : row.figures.first?.spread?.median
    {
      words.append("\(goal.text(row.isRatio ? 2 : 1)) \(ValidationReport.met(value <= goal))")
    }
    if let goal = row.warmGoal, let value = row.warmth {
      words.append("warm \(goal.text(2)) \(ValidationReport.met(value <= goal))")
    }
    if let goal = row.allocationGoal, let count = row.figures.first?.allocations {
      words.append("allocs \(goal) \(ValidationReport.met(count <= goal))")
    }
    return words.joined(separator: "; ")
  }

  private static func met(_ isMet: Bool) -> String { isMet ? "met" : "NOT met" }

  private func line(_ name: String, _ cells: [String]) -> String {
    cells.reduce(name.padded(to: 27)) { $0 + $1.padded(to: 11, left: true) }
  }

  /// The same with the quartiles.
  var json: String {
    let rows = rows.map { row in
      var parts = ["\"name\": \(quoted(row.name))"]
      if let ratio = row.ratio { parts.append("\"ratioToFastest\": \(ratio.text(3))") }
      if let warmth = row.warmth { parts.append("\"warmToCold\": \(warmth.text(3))") }
      if let goal = row.goal { parts.append("\"goal\": \(goal.text(2))") }
      let figures = row.figures.map { "      \(quoted($0.contender)): {\(members($0))}" }
      parts.append("\"figures\": {\n\(figures.joined(separator: ",\n"))\n    }")
      return "    {" + parts.joined(separator: ", ") + "}"
    }
    let threads = threads.filter { $0.count == 4 }.map { words in
      "    {\"name\": \(quoted(words[0] + " " + words[1])), \"median\": \(words[2]), "
        + "\"best\": \(words[3])}"
    }
    return """
      {
        "conditions": [\(conditions.map(quoted).joined(separator: ", "))],
        "unit": "microseconds",
        "rows": [
      \(rows.joined(separator: ",\n"))
        ],
        "twoThreadsBesideOne": [
      \(threads.joined(separator: ",\n"))
        ]
      }

      """
  }

  private func members(_ figure: Figure) -> String {
    var parts: [String] = []
    if let spread = figure.spread {
      parts.append("\"low\": \(spread.low.text(2)), \"median\": \(spread.median.text(2))")
      parts.append("\"high\": \(spread.high.text(2)), \"rounds\": \(figure.times.count)")
    } else {
      parts.append("\"wrong\": true")
    }
    if let count = figure.allocations { parts.append("\"allocations\": \(count)") }
    return parts.joined(separator: ", ")
  }

  private func quoted(_ text: String) -> String {
    "\"" + text.filter { $0 != "\"" && $0 != "\\" && $0 >= " " } + "\""
  }
}
