internal import CPeerSystem
internal import Foundation
internal import HoldfastHashes

@main
struct Bench {
  static func main() async {
    guard let options = Options(CommandLine.arguments.dropFirst()) else { fail(Options.usage) }
    Vectors.restrict(to: options.vectors)
    peer_system_ignore_broken_pipes()
    switch options.errand {
    case .threads: return await Scaling.print(rounds: options.runner.rounds)
    case .allocations: return Counting.printAllocations(cases(options, Peers([])))
    case .gateInstructions: return Gate.countInstructions(options.vectors)
    case nil: break
    }
    guard !ChainFiles.all.isEmpty else {
      fail("no vectors in \(ChainFiles.folder): BENCH_VECTORS names the folder")
    }
    if let best = options.best {
      let commit = environment["BENCH_COMMIT"] ?? "unknown"
      let renewal = BestCounts.Renewal(commit: commit, reason: options.reason)
      guard Gate.holds(best, options.isRenewal ? renewal : nil) else {
        fail(
          "gate: FAILED; if there is a reason, renew it: Scripts/bench --gate --renew", status: 1)
      }
      return print("gate: held")
    }
    let results = measure(options)
    print(TextReport(results: results).text)
    guard let file = options.json else { return }
    do {
      try JSONReport(results: results).text.write(toFile: file, atomically: true, encoding: .utf8)
    } catch {
      fail("\(file): \(error)")
    }
  }

  static func fail(_ message: String, status: Int32 = 2) -> Never {
    print(message)
    exit(status)
  }

  /// Returns the requested cases.
  private static func cases(_ options: Options, _ peers: Peers) -> [Case] {
    let subjects: [(String, () -> [Case])] = [
      ("read", { Reading.cases(peers) }), ("hash", { Signatures.hashes(peers) }),
      ("verify", { Signatures.cases(peers) }), ("validate", { Validation.cases(peers) }),
      ("evaluate", Evaluation.cases), ("ct", Transparency.cases),
      ("filter", Filters.cases), ("merkle", MerkleTrees.cases), ("fetch", Fetched.cases),
      ("load", { Reading.loading(peers) }),
    ]
    let cases = subjects.flatMap { subject, make in
      options.mayWant(subject) ? make().filter(options.wants) : []
    }
    // The CRL of a million entries is measured only on demand.
    return cases
      + (options.filters.contains { $0.hasPrefix("list") } ? Reading.crls(peers) : [])
  }

  private static func measure(_ options: Options) -> Results {
    let peers = Peers()
    let runner = options.runner
    var results = Results()
    results.conditions =
      [
        processor, "\(runner.rounds) rounds by turns of \(runner.slice) ms",
        "chains of \(environment["BENCH_VECTORS_NAME"] ?? ChainFiles.folder)",
      ] + (options.vectors == .all ? [] : ["vectors: \(options.vectors)"]) + peers.versions
      + [environment["BENCH_COMMIT"].map { "Holdfast at \($0)" }].compactMap(\.self)
    results.rows = cases(options, peers).map(runner.measure)
    if !Counting.addAllocations(to: &results.rows, options.filters) {
      results.conditions.append("allocations: no counter")
    }
    if options.wants("grow") { results.curves = Growth.measure(runner, peers) }
    if options.wants("batch") { results.scaling = Scaling.measure(runner) }
    return results
  }

  static let environment = ProcessInfo.processInfo.environment

  private static var processor: String {
    let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line.map { String($0.drop { $0 != ":" }.dropFirst(2)) } ?? "unknown processor"
  }
}
