internal import HoldfastConformance
internal import HoldfastDER
internal import HoldfastPaths

/// One suite, or a part of it, and what came of it.
struct ConformanceRun {
  private let name: String
  private let divergences: Divergences
  let report: ConformanceReport

  init(
    _ suite: ConformanceSuite, part: String, _ files: [String], _ rules: RulePreset?
  ) throws(VectorError) {
    name = part
    report = try suite.run(files, part: part, rules: rules?.rules)
    if let list = suite.divergenceList(part: part, rulesName: rules?.rawValue) {
      divergences = try Divergences.load(for: list)
    } else {
      divergences = try Divergences(text: "")
    }
  }

  /// How many cases failed for no listed reason.
  var failed: Int {
    report.rows.count { $0.outcome == .failed && divergences.reasons[$0.id] == nil }
  }

  private var diverging: Int { report.failed - failed }

  /// Each failure, then the skipped cases by their reasons.
  var text: String {
    var text = ""
    var skipped: [(reason: String, ids: [String])] = []
    for row in report.rows {
      if case .skipped(let reason) = row.outcome {
        if let index = skipped.firstIndex(where: { $0.reason == reason }) {
          skipped[index].ids.append(row.id)
        } else {
          skipped.append((reason, [row.id]))
        }
      } else if row.outcome == .failed, let reason = divergences.reasons[row.id] {
        text += "DIVERGES \(Printable.text(row.id)): \(Printable.text(reason))\n"
      } else if let detail = row.detail {
        text += Printable.text(detail) + "\n"
      }
    }
    for (reason, ids) in skipped {
      let more = ids.count > 3 ? ", …" : ""
      text +=
        "SKIP \(ids.count) (\(Printable.text(ids.prefix(3).joined(separator: ", ")))\(more)): "
        + "\(Printable.text(reason))\n"
    }
    return text
  }

  /// The closing line.
  static func summary(of runs: [ConformanceRun]) -> String {
    func sum(_ count: (ConformanceRun) -> Int) -> Int { runs.reduce(0) { $0 + count($1) } }
    let diverging = sum { $0.diverging }
    return "\(sum { $0.report.passed }) passed, \(sum { $0.failed }) failed, "
      + (diverging > 0 ? "\(diverging) diverging, " : "")
      + "\(sum { $0.report.skipped }) skipped"
  }

  /// A line for each run: counts, time, and the case that took longest.
  static func table(of runs: [ConformanceRun]) -> String {
    var lines = [["suite", "passed", "failed", "diverging", "skipped", "ms", "slowest case (ms)"]]
    for run in runs {
      let rows = run.report.rows
      let slowest = rows.max { $0.duration < $1.duration }
      let total = rows.reduce(.zero) { $0 + $1.duration }
      lines.append([
        run.name, "\(run.report.passed)", "\(run.failed)", "\(run.diverging)",
        "\(run.report.skipped)", milliseconds(total),
        slowest.map { "\(Printable.text($0.id)) (\(milliseconds($0.duration)))" } ?? "",
      ])
    }
    let widths = (0..<7).map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      let cells = line.enumerated().map { column, word in
        let blanks = String(repeating: " ", count: widths[column] - word.count)
        // Names to the left, numbers to the right.
        return column == 0 ? word + blanks : column == 6 ? word : blanks + word
      }
      return cells.joined(separator: "  ") + "\n"
    }.joined()
  }

  private static func milliseconds(_ duration: Duration) -> String {
    "\(Int((duration / .milliseconds(1)).rounded(.up)))"
  }
}
