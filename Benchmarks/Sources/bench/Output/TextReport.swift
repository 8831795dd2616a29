/// Everything that was measured.
struct Results {
  var conditions: [String] = []
  var rows: [Row] = []
  var curves: [Growth.Curve] = []
  var scaling: [Scaling.Result] = []
}

/// The table as text.
struct TextReport {
  let results: Results

  var text: String {
    var lines = [results.conditions.joined(separator: "; "), TextReport.legend]
    var subject = ""
    for row in results.rows {
      if row.subject != subject {
        subject = row.subject
        lines += ["", subject]
      }
      lines += text(of: row)
    }
    if !results.curves.isEmpty { lines += ["", "grow (µs; exponent where both are large)"] }
    lines += results.curves.flatMap(text)
    if !results.scaling.isEmpty {
      lines += ["", "batch (threads: times one thread; the control says what the machine gives)"]
    }
    lines += results.scaling.map(text)
    return lines.joined(separator: "\n")
  }

  private static let legend = """
    µs of one turn: median [least, quartiles]; ratio: ours to the fastest peer in each round, its \
    median; heap: requests for memory, and the most octets in use.
    cold: only the anchors' keys are prepared; warm: the same chain again; new leaf: the issuer is \
    remembered, the leaf is new.
    """

  private func text(of row: Row) -> [String] {
    var title = "  " + row.name.padded(to: 34)
    if let ratio = row.toFastestPeer {
      title += " ratio \(ratio.median.text(3)) [\(ratio.low.text(3))–\(ratio.high.text(3))]"
    }
    if !row.note.isEmpty { title += "  (\(row.note))" }
    let goals = row.goals.compactMap { goal in
      row.value(of: goal).map { what, value, limit, decimals in
        "      \(what) \(value.text(decimals)) ≤ \(limit.text(decimals)): "
          + (value <= limit ? "met" : "NOT met")
      }
    }
    return [title] + row.figures.map(text) + goals
  }

  private func text(of figure: Figure) -> String {
    let name = "    " + figure.contender.padded(to: 10)
    if let refusal = figure.refusal { return name + " not measured: \(refusal)" }
    guard let spread = figure.spread else { return name + " a wrong answer on the way" }
    var line =
      name + spread.median.text(2).padded(to: 11, left: true)
      + "  [\(spread.least.text(2)), \(spread.low.text(2))–\(spread.high.text(2))]"
    if let count = figure.allocations { line += "  heap \(count)" }
    if let peak = figure.peak { line += ", \(peak) octets" }
    return line
  }

  private func text(of curve: Growth.Curve) -> [String] {
    let contenders = curve.points.first?.figures.map(\.contender) ?? []
    return ["  \(curve.name): \(curve.sizes.map(String.init).joined(separator: " "))"]
      + contenders.map { contender in
        let costs = curve.points.map { $0[contender]?.spread?.median.shown ?? "–" }
        var line = "    \(contender.padded(to: 10)) \(costs.joined(separator: " "))"
        if let exponent = curve.exponent(of: contender) {
          line += "  exponent \(exponent.text(2))"
          if contender == "cold" {
            line += " ≤ \(Growth.goal.text(1)): " + (exponent <= Growth.goal ? "met" : "NOT met")
          }
        }
        return line
      }
  }

  private func text(of result: Scaling.Result) -> String {
    let parts = zip(result.threads, result.ratios).map { threads, ratio in
      "\(threads): \(ratio.median.text(2)) [\(ratio.low.text(2))–\(ratio.high.text(2))]"
    }
    var line = "  " + result.name.padded(to: 34) + " " + parts.joined(separator: "  ")
    guard let control = results.scaling.first, control.name != result.name,
      let beside = result.besideControl(control), (result.threads.last ?? 1) > 1
    else { return line }
    if let place = result.threads.firstIndex(of: 2) {
      let isMet = result.ratios[place].median >= Scaling.goal
      line += "; two ≥ \(Scaling.goal.text(1)): " + (isMet ? "met" : "NOT met")
    }
    return line + "; beside the control \(beside.median.text(3))"
  }
}
