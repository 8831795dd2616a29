internal import HoldfastConformance
internal import HoldfastJSON
internal import HoldfastPaths

extension Command {
  /// `holdfast conformance`: runs published suites of vectors.
  static let conformanceCommand = Command(
    name: "conformance",
    summary: "runs a published suite of vectors, or all of them",
    usage: "SUITE|all [FILE…] [--rules NAME] [--json]",
    options: [
      [
        suiteRules,
        CommonOptions.json.described("a row of JSON for each case, its closing line on stderr"),
      ]
    ],
    choices: ["all"] + ConformanceSuite.names,
    examples: """
      holdfast conformance limbo limbo.json
          x509-limbo as its publisher writes it
      holdfast conformance wycheproof testvectors_v1/
          all files of a folder; .json, .rsp and, with xz installed, .xz
      holdfast conformance all
          each suite that is found, with a table at the end
      """,
    run: conformance)

  private static let suiteRules: Option<RulePreset?> = .choice(
    "--rules", "NAME", "validate paths by these instead of the suite's own rules")

  /// What to do where no suite is found.
  private static let whatToGive =
    "name the files of a suite, or let HOLDFAST_VECTORS name the folder that holds the suites"

  private static func conformance(_ call: Invocation) throws(UsageError) -> ExitStatus {
    guard let name = call.operands.first else {
      throw .missingOption("SUITE", "(\(listed(["all"] + ConformanceSuite.names)))")
    }
    let files = Array(call.operands.dropFirst())
    let rules = call[suiteRules]
    var runs: [ConformanceRun] = []
    var isComplete = true
    if name.lowercased() == "all" {
      guard files.isEmpty else { throw .conflict("all takes no files") }
      (runs, isComplete) = ConformanceRun.all(rules, call.console)
    } else {
      let suite = try ConformanceSuite.read(name, "SUITE", also: ["all"])
      guard rules == nil || suite.takesRules else {
        throw .conflict("\(suite.rawValue) is not about paths, so there is no choice of --rules")
      }
      do throws(VectorError) {
        runs = [try ConformanceRun(suite, part: suite.rawValue, files, rules)]
      } catch .absent {
        throw .badInput("\(printable(VectorSuites.absence(of: name))); \(whatToGive)")
      } catch {
        throw .badInput(printable("\(error)"))
      }
    }
    guard runs.contains(where: { !$0.report.rows.isEmpty }) else {
      guard files.isEmpty else {
        throw .badInput("\(printable(files.joined(separator: ", "))): there are no cases")
      }
      throw .badInput("\(name): no cases found; \(whatToGive)")
    }
    let total = ConformanceRun.summary(of: runs)
    if call[CommonOptions.json] {
      for row in runs.flatMap(\.report.rows) { call.console.write(row.json.line + [0x0A]) }
      call.console.message(total + "\n")
    } else {
      for run in runs { run.show(call.console) }
      call.console.write(ConformanceRun.table(of: runs))
      call.console.write(total + "\n")
    }
    guard runs.allSatisfy({ $0.failed == 0 }) else { return .rejected }
    return isComplete ? .trusted : .unreadable
  }
}

/// One suite, or a part of it, and what came of it.
struct ConformanceRun {
  private let name: String
  private let divergences: Divergences
  let report: ConformanceReport

  init(
    _ suite: ConformanceSuite, part: String, _ files: [String],
    _ rules: RulePreset?
  ) throws(VectorError) {
    name = part
    report = try suite.run(files, part: part, rules: rules?.rules)
    if let list = suite.divergenceList(part: part, rulesName: rules?.rawValue) {
      divergences = try Divergences.load(for: list)
    } else {
      divergences = try Divergences(text: "")
    }
  }

  /// Runs every suite that is found, and names the others. Incomplete is a run in which a suite was
  /// found and could not be read.
  static func all(
    _ rules: RulePreset?, _ console: Console
  ) -> (runs: [ConformanceRun], isComplete: Bool) {
    var runs: [ConformanceRun] = []
    var isComplete = true
    for suite in ConformanceSuite.allCases {
      for part in suite.parts {
        do throws(VectorError) {
          runs.append(try ConformanceRun(suite, part: part, [], suite.takesRules ? rules : nil))
        } catch .absent {
          console.message("\(VectorSuites.absence(of: part))\n")
        } catch {
          isComplete = false
          console.message("holdfast: \(printable("\(error)"))\n")
        }
      }
    }
    return (runs, isComplete)
  }

  /// How many cases failed for no listed reason.
  var failed: Int {
    report.rows.count { $0.outcome == .failed && divergences.reasons[$0.id] == nil }
  }

  private var diverging: Int { report.failed - failed }

  /// Each failure, then the skipped cases by their reasons.
  func show(_ console: Console) {
    var skipped: [(reason: String, ids: [String])] = []
    for row in report.rows {
      if case .skipped(let reason) = row.outcome {
        if let index = skipped.firstIndex(where: { $0.reason == reason }) {
          skipped[index].ids.append(row.id)
        } else {
          skipped.append((reason, [row.id]))
        }
      } else if row.outcome == .failed, let reason = divergences.reasons[row.id] {
        console.write("DIVERGES \(printable(row.id)): \(printable(reason))\n")
      } else if let detail = row.detail {
        console.write(printable(detail) + "\n")
      }
    }
    for (reason, ids) in skipped {
      let more = ids.count > 3 ? ", …" : ""
      console.write(
        "SKIP \(ids.count) (\(printable(ids.prefix(3).joined(separator: ", ")))\(more)): "
          + "\(printable(reason))\n")
    }
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
        slowest.map { "\(printable($0.id)) (\(milliseconds($0.duration)))" } ?? "",
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

extension ConformanceSuite: Choice {}
