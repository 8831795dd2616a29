/// The results as text.
struct TextReport {
  let results: Results

  var text: String {
    var lines = [results.conditions.joined(separator: "; "), TextReport.legend]
    var subject = ""
    for row in results.rows {
      if row.subject != subject { lines += ["", row.subject] }
      subject = row.subject
      lines += text(of: row)
    }
    if !results.curves.isEmpty { lines += ["", "grow (µs; exponent where both are large)"] }
    lines += results.curves.flatMap(text)
    if !results.scaling.isEmpty {
      lines += ["", "batch (turns a second by one thread; threads: times one thread)"]
    }
    return (lines + results.scaling.map(text)).joined(separator: "\n")
  }

  private static let legend = """
    µs of one turn: median [least, quartiles]; ratio: ours to the fastest peer in each round, its \
    median; heap: allocations, and the most bytes in use.
    cold: only the anchors' keys are prepared; warm: the same chain again; new leaf: the issuer is \
    remembered, the leaf is new.
    """

  private func text(of row: Row) -> [String] {
    var title = "  " + row.name.padded(to: 34)
    if let ratio = row.toFastestPeer {
      title += " ratio \(ratio.median.text(3)) [\(ratio.low.text(3))–\(ratio.high.text(3))]"
    }
    if !row.note.isEmpty { title += "  (\(row.note))" }
    let outcomes = row.outcomes.map { outcome in
      "      \(outcome.what) \(outcome.value.text(outcome.decimals)) ≤ "
        + outcome.limit.text(outcome.decimals) + (outcome.isMet ? ": met" : ": NOT met")
    }
    return [title] + row.figures.map(text) + outcomes
  }

  private func text(of figure: Figure) -> String {
    let name = "    " + figure.contender.padded(to: 10)
    if let rejection = figure.rejection { return name + " not measured: \(rejection)" }
    guard let spread = figure.spread else { return name + " a wrong answer on the way" }
    var line =
      name + spread.median.text(2).padded(to: 11, left: true)
      + "  [\(spread.least.text(2)), \(spread.low.text(2))–\(spread.high.text(2))]"
    if let count = figure.allocations { line += "  heap \(count)" }
    if let peak = figure.peak { line += ", \(peak) bytes" }
    return line
  }

  private func text(of curve: Growth.Curve) -> [String] {
    ["  \(curve.name): \(curve.sizes.map(String.init).joined(separator: " "))"]
      + curve.contenders.map { contender in
        let costs = curve.costs(of: contender).map(\.median.shown).joined(separator: " ")
        let line = "    \(contender.padded(to: 10)) \(costs)"
        guard let exponent = curve.exponent(of: contender) else { return line }
        guard contender == "cold" else { return line + "  exponent \(exponent.text(2))" }
        let verdict = exponent <= Promises.growth ? "met" : "NOT met"
        return line + "  exponent \(exponent.text(2)) ≤ \(Promises.growth): \(verdict)"
      }
  }

  private func text(of result: Scaling.Result) -> String {
    var line = "  " + result.name.padded(to: 28)
    if let alone = Spread(result.alone) {
      line += alone.median.text(0).padded(to: 9, left: true)
      if result.name.hasSuffix(", warm") {
        line += " ≥ \(Promises.throughput.text(0)): "
        line += alone.median >= Promises.throughput ? "met" : "NOT met"
      }
    }
    for (threads, ratio) in zip(result.threads, result.ratios) where threads > 1 {
      line += "  \(threads): \(ratio.median.text(2)) [\(ratio.low.text(2))–\(ratio.high.text(2))]"
    }
    guard let control = results.scaling.first, control.name != result.name,
      let beside = result.besideControl(control), (result.threads.last ?? 1) > 1
    else { return line }
    return line + "  beside the control \(beside.median.text(3))"
  }
}
