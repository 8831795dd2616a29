@main
struct Bench {
  static func main() {
    var runner = Runner()
    var (filters, portably): ([String], Bool) = ([], false)
    var arguments = CommandLine.arguments.dropFirst().makeIterator()
    while let argument = arguments.next() {
      switch argument {
      case "--rounds":
        guard let rounds = arguments.next().flatMap(Int.init), rounds > 0 else { return usage() }
        runner.rounds = rounds
      case "--portably": portably = true
      case _ where argument.hasPrefix("-"): return usage()
      default: filters.append(argument)
      }
    }
    let benchmarks = Signatures.benchmarks(portably: portably).filter { benchmark in
      filters.isEmpty || filters.contains { benchmark.name.contains($0) }
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

  private static func usage() {
    print("usage: bench [--rounds N] [--portably] [part of a row's name …]")
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
