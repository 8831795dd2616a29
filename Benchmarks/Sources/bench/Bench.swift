internal import HoldfastDER

@main
struct Bench {
  static func main() async {
    guard let options = Options(CommandLine.arguments.dropFirst()) else {
      print(Options.usage)
      System.end(2)
    }
    switch options.errand {
    case .threads: return await Scaling.print(rounds: options.runner.rounds)
    case .allocations: return Reruns.printAllocations(cases(options, Peers(isAlone: true)))
    case .gateAllocations: return Gate.printAllocations()
    case .gateInstructions: return Gate.countInstructions()
    case .portably: return printPortably(options)
    case nil: break
    }
    guard !ChainFiles.all.isEmpty else {
      print("no vectors in \(ChainFiles.folder): BENCH_VECTORS names the folder")
      System.end(2)
    }
    if let baseline = options.baseline { return gate(baseline, options.isRenewal) }
    let results = measure(options)
    print(TextReport(results: results).text)
    write(results, options)
  }

  /// The cases that are asked for.
  private static func cases(_ options: Options, _ peers: Peers) -> [Case] {
    let subjects: [(String, () -> [Case])] = [
      ("read", { Reading.cases(peers) }), ("hash", { Signatures.hashes() }),
      ("verify", { Signatures.signatures() + WorstSignatures.cases() }),
      ("validate", { Validation.cases(peers) }),
      ("evaluate", { Evaluation.cases() }), ("load", { Reading.loading(peers) }),
    ]
    var cases: [Case] = []
    for (subject, make) in subjects where options.mayWant(subject) {
      cases += make().filter(options.wants)
    }
    // A million entries are made only for whoever asks for them.
    if options.filters.contains(where: { $0.hasPrefix("list") }) {
      cases += RevocationLists.cases()
    }
    return cases
  }

  private static func measure(_ options: Options) -> Results {
    let peers = Peers()
    let runner = options.runner
    var results = Results()
    results.conditions =
      [
        Command.processor, "\(runner.rounds) rounds by turns of \(runner.slice) ms",
        "chains of "
          + (Platform.environment("BENCH_VECTORS_NAME") ?? ChainFiles.folder),
      ] + peers.versions
    if Platform.environment("BENCH_COUNTER") == nil {
      results.conditions.append("allocations: no counter")
    }
    results.rows = Reruns.addAllocations(
      to: cases(options, peers).map(runner.measure), options.filters)
    if options.wants("hash"), let row = Signatures.portableRow(runner) {
      let place = results.rows.lastIndex { $0.subject == "hash" }.map { $0 + 1 }
      results.rows.insert(row, at: place ?? results.rows.count)
    }
    if options.wants("grow") {
      results.curves = Growth(runner: runner, peers: peers).measure()
    }
    if options.wants("batch") { results.scaling = Scaling.measure(runner) }
    return results
  }

  private static func write(_ results: Results, _ options: Options) {
    var files: [(path: String, text: String)] = []
    if let file = options.json { files.append((file, JSONReport(results: results).text)) }
    if let file = options.markdown { files.append((file, MarkdownReport(results: results).text)) }
    if let folder = options.svg {
      if let bars = Bars(rows: results.rows).picture {
        files.append(("\(folder)/chains.svg", bars))
      }
      if let curves = Curves(results: results).picture {
        files.append(("\(folder)/growth.svg", curves))
      }
    }
    for (path, text) in files {
      do throws(System.SystemError) {
        try System.writeFile(path, Array(text.utf8), replacing: true)
      } catch {
        print("\(path): \(error)")
        System.end(2)
      }
    }
  }

  private static func gate(_ path: String, _ isRenewal: Bool) {
    let (measured, instructions) = Gate.measure(
      in: Platform.environment("BENCH_COUNTS") ?? ".")
    if isRenewal {
      do throws(System.SystemError) {
        try Baseline.write(measured, to: path)
      } catch {
        print("\(path): \(error)")
        System.end(2)
      }
    }
    guard let baseline = Baseline(path) else {
      print("gate: no \(path); Scripts/bench --gate --renew writes it")
      System.end(2)
    }
    let (isAsBefore, isLinear) = (baseline.holds(measured), GrowthGate.holds(instructions))
    guard isAsBefore, isLinear else {
      print("gate: FAILED; if there is a reason, renew it: Scripts/bench --gate --renew")
      System.end(1)
    }
    print("gate: held")
  }

  /// A line `contender time time …` for each.
  private static func printPortably(_ options: Options) {
    guard let one = Signatures.portableHash() else { return }
    for figure in options.runner.measure(one).figures {
      print(figure.contender, figure.times.map { $0.text(4) }.joined(separator: " "))
    }
  }
}
