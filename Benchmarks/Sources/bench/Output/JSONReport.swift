/// Everything that was measured, as JSON. The README may only quote what stands in such a file.
struct JSONReport {
  let results: Results

  var text: String {
    """
    {
      "conditions": \(array(results.conditions.map(quoted))),
      "unit": "microseconds",
      "rows": \(lines(results.rows.map(row))),
      "curves": \(lines(results.curves.map(curve))),
      "threads": \(lines(results.scaling.map(scaling)))
    }

    """
  }

  private func row(_ row: Row) -> String {
    var members = [("subject", quoted(row.subject)), ("name", quoted(row.name))]
    if let ratio = row.toFastestPeer { members.append(("toFastestPeer", spread(ratio, 4))) }
    let goals = row.goals.compactMap { goal in
      row.value(of: goal).map { what, value, limit, _ in
        object([
          ("what", quoted(what)), ("value", value.text(4)), ("goal", limit.text(2)),
          ("isMet", value <= limit ? "true" : "false"),
        ])
      }
    }
    if !goals.isEmpty { members.append(("goals", array(goals))) }
    if !row.note.isEmpty { members.append(("note", quoted(row.note))) }
    members.append(("figures", object(row.figures.map { ($0.contender, figure($0)) })))
    return object(members)
  }

  private func figure(_ figure: Figure) -> String {
    var members: [(String, String)] = [("isPeer", figure.isPeer ? "true" : "false")]
    if let refusal = figure.refusal { members.append(("refused", quoted(refusal))) }
    if let times = figure.spread {
      members.append(("time", spread(times, 3)))
      members.append(("rounds", String(figure.times.count)))
    } else if figure.refusal == nil {
      members.append(("refused", quoted("a wrong answer on the way")))
    }
    if let count = figure.allocations { members.append(("allocations", String(count))) }
    if let peak = figure.peak { members.append(("peakOctets", String(peak))) }
    return object(members)
  }

  private func curve(_ curve: Growth.Curve) -> String {
    let contenders = curve.points.first?.figures.map(\.contender) ?? []
    let costs = contenders.map { contender in
      let points = zip(curve.sizes, curve.points).compactMap { size, row in
        row[contender]?.spread.map { array([String(size), $0.median.text(3)]) }
      }
      var members = [("points", array(points))]
      if let exponent = curve.exponent(of: contender) {
        members.append(("exponent", exponent.text(3)))
      }
      return (contender, object(members))
    }
    return object([("name", quoted(curve.name)), ("costs", object(costs))])
  }

  private func scaling(_ result: Scaling.Result) -> String {
    let points = zip(result.threads, result.ratios).map { threads, ratio in
      object([("threads", String(threads)), ("timesOne", spread(ratio, 3))])
    }
    var members = [("name", quoted(result.name)), ("points", array(points))]
    if let beside = results.scaling.first.flatMap(result.besideControl) {
      members.append(("besideControl", spread(beside, 3)))
    }
    return object(members)
  }

  private func spread(_ spread: Spread, _ decimals: Int) -> String {
    object([
      ("least", spread.least.text(decimals)), ("low", spread.low.text(decimals)),
      ("median", spread.median.text(decimals)), ("high", spread.high.text(decimals)),
    ])
  }

  private func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\(quoted($0.0)): \($0.1)" }.joined(separator: ", ") + "}"
  }

  private func array(_ elements: [String]) -> String {
    "[" + elements.joined(separator: ", ") + "]"
  }

  private func lines(_ elements: [String]) -> String {
    elements.isEmpty ? "[]" : "[\n    " + elements.joined(separator: ",\n    ") + "\n  ]"
  }

  private func quoted(_ text: String) -> String {
    "\"" + text.filter { $0 != "\"" && $0 != "\\" && $0 >= " " } + "\""
  }
}
