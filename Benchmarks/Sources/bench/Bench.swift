internal import HoldfastDER

@main
struct Bench {
  static func main() async {
    var runner = Runner()
    var (filters, file): ([String], String?) = ([], nil)
    var (portably, allocations, threads) = (false, false, false)
    var arguments = CommandLine.arguments.dropFirst().makeIterator()
    while let argument = arguments.next() {
      switch argument {
      case "--rounds":
        guard let rounds = arguments.next().flatMap(Int.init), rounds > 0 else { return usage() }
        runner.rounds = rounds
      case "--json":
        guard let path = arguments.next() else { return usage() }
        file = path
      case "--portably": portably = true
      case "--allocations": allocations = true
      case "--threads": threads = true
      case _ where argument.hasPrefix("-"): return usage()
      default: filters.append(argument)
      }
    }
    if allocations { return Processes.countAllocations() }
    if threads { return await Processes.compareThreads(rounds: runner.rounds) }
    measurePrimitives(runner, filters.filter { $0 != "validate" && $0 != "primitives" }, portably)
    if !portably, filters.isEmpty || filters.contains("validate") { validate(runner, file) }
  }

  /// Hashes and signatures, unless only another subject is asked for.
  private static func measurePrimitives(_ runner: Runner, _ filters: [String], _ portably: Bool) {
    let arguments = CommandLine.arguments
    let isAsked =
      !arguments.contains("validate") || arguments.contains("primitives") || !filters.isEmpty
    // A million entries are made only for whoever asks for them.
    let lists = filters.contains { $0.hasPrefix("list") } ? RevocationLists.benchmarks() : []
    let pins = filters.contains { $0.hasPrefix("pin") } ? Pinning.benchmarks() : []
    let all = Signatures.benchmarks(portably: portably) + lists + pins
    let benchmarks = all.filter { benchmark in
      isAsked && (filters.isEmpty || filters.contains { benchmark.name.contains($0) })
    }
    guard !benchmarks.isEmpty else { return }
    if !portably {
      print("\(OpenSSLKey.version); microseconds, medians of \(runner.rounds) rounds by turns")
      print(row("", "ours", "OpenSSL", "ratio", "quartiles", "goal"))
    }
    for benchmark in benchmarks {
      guard let result = runner.run(benchmark) else {
        print("\(benchmark.name): a wrong answer")
        continue
      }
      print(row(result))
    }
  }

  /// Whole chains.
  private static func validate(_ runner: Runner, _ file: String?) {
    guard !ChainFiles.all.isEmpty else {
      return print("validate: no vectors; HOLDFAST_VECTORS names the folder that has bench/")
    }
    let validation = Validation(runner: runner)
    let report = ValidationReport(
      conditions: validation.conditions, rows: validation.rows(),
      threads: validation.threads() ?? [])
    print(report.text)
    guard let file else { return }
    do throws(Platform.SystemError) {
      try Platform.writeFile(file, Array(report.json.utf8), replacing: true)
    } catch {
      print("\(file): \(error)")
    }
  }

  private static func usage() {
    print(
      "usage: bench [primitives] [validate] [--rounds N] [--json FILE] [--portably] "
        + "[part of a primitive's name …]")
  }

  private static func row(_ result: Measurement) -> String {
    let verdict = result.isMet.map { $0 ? "met" : "NOT met" } ?? ""
    let goal = result.goal.map { "\($0.text(result.ratio == nil ? 0 : 2)) \(verdict)" } ?? ""
    return row(
      result.name, result.ours.text(2), result.theirs?.text(2) ?? "",
      result.ratio?.median.text(3) ?? "",
      result.ratio.map { "\($0.low.text(3))–\($0.high.text(3))" } ?? "", goal + "  " + result.note)
  }

  private static func row(
    _ name: String, _ ours: String, _ theirs: String, _ ratio: String, _ spread: String,
    _ goal: String
  ) -> String {
    name.padded(to: 30) + ours.padded(to: 9, left: true) + theirs.padded(to: 9, left: true)
      + ratio.padded(to: 8, left: true) + "  " + spread.padded(to: 12) + "  " + goal
  }
}
