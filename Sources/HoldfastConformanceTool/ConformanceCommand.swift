internal import HoldfastConformance
internal import HoldfastDER
internal import HoldfastJSON
internal import HoldfastPaths

/// The command line of `holdfast-conformance`, and where it writes.
struct ConformanceCommand {
  /// Writes what was found.
  let result: (String) -> Void
  /// Writes what went wrong.
  let message: (String) -> Void

  /// What the process ends with; the numbers are those of `holdfast`.
  enum Status: Int32 {
    case passed = 0
    /// A case failed that is not listed as a divergence.
    case failed = 1
    case usage = 2
    /// A suite could not be read, or there was none.
    case unreadable = 3
  }

  /// Why nothing was run.
  private enum Problem: Error {
    case usage(String)
    case unreadable(String)
  }

  static let usage = """
    Runs a published suite of vectors, or all of them.

    usage: holdfast-conformance SUITE|all [FILE…] [--rules NAME] [--json [--times]]

      --rules NAME  validate paths by these instead of the suite's own rules:
                    \(listed(RulePreset.allCases.map { $0.rawValue }))
      --json        a row of JSON for each case, its closing line on standard error
      --times       with the microseconds since the case before it

    SUITE is one of
      \(suites).
    Without a FILE a suite is looked for in the folder that HOLDFAST_VECTORS names,
    and in Vectors of the working folder.

    examples:
      holdfast-conformance limbo limbo.json
          x509-limbo as its publisher writes it
      holdfast-conformance wycheproof testvectors_v1/
          all files of a folder; .json, .rsp and, with xz installed, .xz
      holdfast-conformance all
          each suite that is found, with a table at the end

    Exit status: 0 all passed; 1 a case failed; 2 the command line is not
    understood; 3 a suite cannot be read.

    """

  /// The names, four to a line.
  private static let suites: String = {
    let names = ConformanceSuite.allCases.map { $0.rawValue }
    return stride(from: 0, to: names.count, by: 4).map {
      names[$0..<min($0 + 4, names.count)].joined(separator: ", ")
    }.joined(separator: ",\n  ")
  }()

  /// What to do where no suite is found.
  private static let whatToGive =
    "name the files of a suite, or let HOLDFAST_VECTORS name the folder that holds the suites"

  /// Runs a command line.
  func run(_ words: [String]) -> Status {
    do throws(Problem) {
      return try answer(words)
    } catch {
      switch error {
      case .usage(let reason):
        message("holdfast-conformance: \(reason); --help shows how it is used\n")
        return .usage
      case .unreadable(let reason):
        message("holdfast-conformance: \(reason)\n")
        return .unreadable
      }
    }
  }

  private func answer(_ words: [String]) throws(Problem) -> Status {
    var (operands, rules): ([String], RulePreset?) = ([], nil)
    var (isJSON, isTimed) = (false, false)
    var rest = words[...]
    while let word = rest.popFirst() {
      let rulesPrefix = "--rules="
      switch word {
      case "-h", "--help":
        result(Self.usage)
        return .passed
      case "--json": isJSON = true
      case "--times": isTimed = true
      case "--rules":
        guard let name = rest.popFirst() else { throw .usage("--rules needs a NAME") }
        rules = try Self.choice(name, "--rules")
      case _ where word.hasPrefix(rulesPrefix):
        rules = try Self.choice(String(word.dropFirst(rulesPrefix.count)), "--rules")
      case "--":
        operands += rest
        rest = []
      case _ where word.hasPrefix("-"): throw .usage("unknown option \(Printable.text(word))")
      default: operands.append(word)
      }
    }
    guard let name = operands.first else { throw .usage("name a SUITE, or all") }
    let (runs, isComplete) = try runs(of: name, Array(operands.dropFirst()), rules)
    show(runs, asJSON: isJSON, withTimes: isTimed)
    guard runs.allSatisfy({ $0.failed == 0 }) else { return .failed }
    return isComplete ? .passed : .unreadable
  }

  private func runs(
    of name: String, _ files: [String], _ rules: RulePreset?
  ) throws(Problem) -> ([ConformanceRun], isComplete: Bool) {
    var (runs, isComplete): ([ConformanceRun], Bool) = ([], true)
    if name.lowercased() == "all" {
      guard files.isEmpty else { throw .usage("all takes no files") }
      for suite in ConformanceSuite.allCases {
        for part in suite.parts {
          // A suite that cannot be read does not stop the others.
          do throws(VectorError) {
            runs.append(try ConformanceRun(suite, part: part, [], suite.takesRules ? rules : nil))
          } catch .absent {
            message("\(VectorSuites.absence(of: part))\n")
          } catch {
            isComplete = false
            message("holdfast-conformance: \(Printable.text("\(error)"))\n")
          }
        }
      }
    } else {
      let suite: ConformanceSuite = try Self.choice(name, "SUITE")
      guard rules == nil || suite.takesRules else {
        throw .usage("\(suite.rawValue) is not about paths, so there is no choice of --rules")
      }
      do throws(VectorError) {
        runs = [try ConformanceRun(suite, part: suite.rawValue, files, rules)]
      } catch .absent {
        throw .unreadable("\(VectorSuites.absence(of: suite.rawValue)); \(Self.whatToGive)")
      } catch {
        throw .unreadable(Printable.text("\(error)"))
      }
    }
    guard runs.contains(where: { !$0.report.rows.isEmpty }) else {
      throw .unreadable(
        files.isEmpty
          ? "\(name): no cases found; \(Self.whatToGive)"
          : "\(Printable.text(files.joined(separator: ", "))): there are no cases")
    }
    return (runs, isComplete)
  }

  private func show(_ runs: [ConformanceRun], asJSON isJSON: Bool, withTimes isTimed: Bool) {
    let total = ConformanceRun.summary(of: runs)
    guard !isJSON else {
      for row in runs.flatMap({ $0.report.rows }) {
        result(String(decoding: row.json(withTime: isTimed).line, as: UTF8.self) + "\n")
      }
      return message(total + "\n")
    }
    for run in runs { result(run.text) }
    result(ConformanceRun.table(of: runs) + total + "\n")
  }

  /// The value of a name. As in `holdfast`, neither case nor hyphens matter.
  private static func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ text: String, _ option: String
  ) throws(Problem) -> Value {
    func folded(_ name: String) -> String { name.lowercased().filter { $0 != "-" && $0 != "_" } }
    guard let value = Value.allCases.first(where: { folded($0.rawValue) == folded(text) }) else {
      let names = Value.allCases.map { $0.rawValue }
      throw .usage("\(option) \(Printable.text(text)): expected \(listed(names))")
    }
    return value
  }

  /// `a, b or c`.
  private static func listed(_ names: [String]) -> String {
    names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }
}
