internal import HoldfastConformance

extension Command {
  /// `holdfast conformance`: runs a published suite of vectors.
  static let conformanceCommand = Command(
    name: "conformance",
    summary: "runs a published suite of vectors",
    usage: "SUITE [FILE…] [--rules strict|webPKI] [--json]",
    options: [
      limboRules,
      CommonOptions.json.described("a row of JSON for each case, its closing line on stderr"),
    ],
    choices: ConformanceSuite.names,
    examples: [
      ("holdfast conformance limbo limbo.json", "x509-limbo as its publisher writes it"),
      (
        "holdfast conformance wycheproof testvectors_v1/",
        "all files of a folder; .json, .tar and, with xz installed, .xz"
      ),
      ("holdfast conformance pkits", "a suite that is found where HOLDFAST_VECTORS says"),
    ],
    run: conformance)

  private static let limboRules: Option<LimboRules> = .choice(
    "--rules", "NAME", "for limbo: every MUST, or what users get", default: .strict)

  private enum LimboRules: String, Choice {
    case strict, webPKI

    var rules: LimboRun.Rules {
      switch self {
      case .strict: .strict
      case .webPKI: .webPKI
      }
    }
  }

  private static func conformance(
    _ arguments: Arguments, _ console: inout Console
  ) throws(UsageError) -> ExitStatus {
    guard let name = arguments.operands.first else {
      throw .missingOption("SUITE", "(\(listed(ConformanceSuite.names)))")
    }
    let suite = try ConformanceSuite.read(name, "SUITE")
    let report: ConformanceReport
    let files = Array(arguments.operands.dropFirst())
    do throws(VectorError) {
      report = try suite.run(files, limboRules: arguments[limboRules].rules)
    } catch {
      console.message("holdfast: \(printable("\(error)"))\n")
      return .notUnderstood
    }
    guard !report.rows.isEmpty else {
      let place = files.isEmpty ? suite.rawValue : files.joined(separator: ", ")
      console.message("holdfast: \(printable(place)): there are no cases\n")
      return .notUnderstood
    }
    if arguments[CommonOptions.json] {
      for row in report.rows { console.write(row.json + "\n") }
      console.message(report.summary + "\n")
    } else {
      show(report, &console)
    }
    return report.failed == 0 ? .success : .rejected
  }

  /// Each failure, then the skipped cases by their reasons, then the closing line.
  private static func show(_ report: ConformanceReport, _ console: inout Console) {
    var skipped: [(reason: String, ids: [String])] = []
    for row in report.rows {
      if case .skipped(let reason) = row.outcome {
        if let index = skipped.firstIndex(where: { $0.reason == reason }) {
          skipped[index].ids.append(row.id)
        } else {
          skipped.append((reason, [row.id]))
        }
      } else if let detail = row.detail {
        console.write(printable(detail) + "\n")
      }
    }
    for (reason, ids) in skipped {
      let more = ids.count > 3 ? ", …" : ""
      console.write(
        "SKIP \(ids.count) (\(printable(ids.prefix(3).joined(separator: ", ")))\(more)): \(reason)\n"
      )
    }
    console.write(report.summary + "\n")
  }
}

extension ConformanceSuite: Choice {}
