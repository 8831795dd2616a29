import Foundation
import HoldfastConformance

/// `holdfast conformance SUITE FILE…`: runs a published suite of vectors.
enum ConformanceCommand {
  static let usage = """
    usage: holdfast conformance SUITE [FILE…] [--json] [--rules strict|webPKI]

    Runs a suite of vectors: \(ConformanceSuite.allCases.map(\.rawValue).joined(separator: ", ")).
    A FILE is JSON, a .tar archive, a folder, or for chains a .case file; all may end in .xz.
    Without a FILE the suite is looked for where HOLDFAST_VECTORS says.

      --json    one row of JSON per case instead of text
      --rules   for limbo: every MUST (strict, the default), or what users get (webPKI)

    Exit status: 0 all passed, 1 some failed, 2 nothing could be run.
    """

  private struct Options {
    var suite: ConformanceSuite?
    var files: [String] = []
    var isJSON = false
    var rules = LimboRun.Rules.strict
    var wantsHelp = false
  }

  /// Runs the command with the arguments after `conformance`, and returns the exit status.
  static func run(_ arguments: [String]) -> Int32 {
    var options = Options()
    if let problem = read(arguments, &options) { return complain("\(problem)\n\n\(usage)") }
    if options.wantsHelp {
      print(usage)
      return 0
    }
    guard let suite = options.suite else { return complain(usage) }
    let report: ConformanceReport
    do throws(VectorError) {
      report = try suite.run(options.files, limboRules: options.rules)
    } catch {
      return complain("holdfast: \(error)")
    }
    if options.isJSON {
      for row in report.rows { print(row.json) }
      // The rows are the output; how many there are of each kind is for whoever watches.
      FileHandle.standardError.write(Data("\(report.summary)\n".utf8))
    } else {
      show(report)
    }
    guard !report.rows.isEmpty else { return complain("holdfast: there are no cases") }
    return report.failed == 0 ? 0 : 1
  }

  /// Returns what is wrong with the arguments, or nil.
  private static func read(_ arguments: [String], _ options: inout Options) -> String? {
    var rest = arguments[...]
    var takesOptions = true
    while let argument = rest.popFirst() {
      switch argument {
      case "--" where takesOptions: takesOptions = false
      case "--json" where takesOptions: options.isJSON = true
      case "--help" where takesOptions, "-h" where takesOptions: options.wantsHelp = true
      case "--rules" where takesOptions:
        switch rest.popFirst() {
        case "strict": options.rules = .strict
        case "webPKI": options.rules = .webPKI
        case let other: return "holdfast: --rules \(other ?? ""): strict or webPKI"
        }
      case _ where takesOptions && argument.hasPrefix("-") && argument != "-":
        return "holdfast: unknown option \(argument)"
      case _ where options.suite == nil:
        guard let suite = ConformanceSuite(rawValue: argument) else {
          return "holdfast: unknown suite \(argument)"
        }
        options.suite = suite
      default: options.files.append(argument)
      }
    }
    return options.suite == nil && !options.wantsHelp ? "holdfast: no suite" : nil
  }

  private static func show(_ report: ConformanceReport) {
    var skipped: [String: [String]] = [:]
    for row in report.rows {
      if case .skipped(let reason) = row.outcome {
        skipped[reason, default: []].append(row.id)
      } else if let detail = row.detail {
        print(detail)
      }
    }
    for (reason, ids) in skipped.sorted(by: { $0.key < $1.key }) {
      let more = ids.count > 3 ? ", …" : ""
      print("SKIP \(ids.count) (\(ids.prefix(3).joined(separator: ", "))\(more)): \(reason)")
    }
    print(report.summary)
  }

  private static func complain(_ text: String) -> Int32 {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
    return 2
  }
}
