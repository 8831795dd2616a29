internal import Foundation

/// The results as JSON, one line for each row. The README may only quote numbers from such a file.
struct JSONReport {
  let results: Results

  var text: String {
    """
    {
      "conditions": \(line(results.conditions)),
      "unit": "microseconds",
      "rows": \(lines(results.rows.map(row))),
      "curves": \(lines(results.curves.map(curve))),
      "threads": \(lines(results.scaling.map(scaling)))
    }

    """
  }

  private func line(_ value: Any) -> String {
    let data = try? JSONSerialization.data(
      withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
    return data.map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }

  private func lines(_ values: [[String: Any?]]) -> String {
    let lines = values.map { "    " + line($0.compactMapValues(\.self)) }
    return lines.isEmpty ? "[]" : "[\n" + lines.joined(separator: ",\n") + "\n  ]"
  }

  private func row(_ row: Row) -> [String: Any?] {
    let goals = row.outcomes.map { outcome -> [String: Any] in
      [
        "what": outcome.what, "value": number(outcome.value), "goal": outcome.limit,
        "isMet": outcome.isMet,
      ]
    }
    return [
      "subject": row.subject, "name": row.name, "note": row.note.isEmpty ? nil : row.note,
      "toFastestPeer": row.toFastestPeer.map(spread), "goals": goals.isEmpty ? nil : goals,
      "figures": Dictionary(uniqueKeysWithValues: row.figures.map { ($0.contender, figure($0)) }),
    ]
  }

  private func figure(_ figure: Figure) -> [String: Any] {
    let wrong = figure.spread == nil ? "a wrong answer on the way" : nil
    let members: [String: Any?] = [
      "isPeer": figure.isPeer, "rejected": figure.rejection ?? wrong,
      "time": figure.spread.map(spread),
      "rounds": figure.times.isEmpty ? nil : figure.times.count,
      "allocations": figure.allocations, "peakBytes": figure.peak,
    ]
    return members.compactMapValues(\.self)
  }

  private func curve(_ curve: Growth.Curve) -> [String: Any?] {
    let costs = curve.contenders.map { contender in
      let members: [String: Any?] = [
        "points": curve.costs(of: contender).map { [Double($0.size), number($0.median)] },
        "exponent": curve.exponent(of: contender).map(number),
      ]
      return (contender, members.compactMapValues(\.self))
    }
    return ["name": curve.name, "costs": Dictionary(uniqueKeysWithValues: costs)]
  }

  private func scaling(_ result: Scaling.Result) -> [String: Any?] {
    let points = zip(result.threads, result.ratios).map { threads, ratio -> [String: Any] in
      ["threads": threads, "timesOne": spread(ratio)]
    }
    return [
      "name": result.name, "points": points,
      "turnsPerSecond": Spread(result.alone).map { number($0.median) },
      "besideControl": results.scaling.first.flatMap(result.besideControl).map(spread),
    ]
  }

  private func spread(_ spread: Spread) -> [String: Double] {
    [
      "least": number(spread.least), "low": number(spread.low), "median": number(spread.median),
      "high": number(spread.high),
    ]
  }

  /// Four decimals are enough for nanoseconds and ratios.
  private func number(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
}
