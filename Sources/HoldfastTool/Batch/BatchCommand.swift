internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastConfigurations
internal import HoldfastDER
internal import HoldfastSystem

extension Command {
  /// `holdfast batch`: a request a line in, a verdict a line out.
  static let batchCommand = Command(
    name: "batch",
    summary: "judges many chains: a JSON request per line in, a JSON verdict per line out",
    usage: "[FILE] [--anchors FILE]… [--at TIME] [--rules NAME] [--pin PIN]…",
    options: [
      Option(
        name: "--anchors", value: "FILE",
        meaning: "trust these certificates, unless a line has its own; may be repeated"),
      Option(name: "--system", meaning: "trust the anchors of the system, as without --anchors"),
      Option(name: "--at", value: "TIME", meaning: "judge as of then, unless a line has a time"),
      Option(
        name: "--rules", value: "NAME",
        meaning: "\(PathQuestion.ruleNames), unless a line says; webPKI",
        choices: ["webPKI", "rfc5280", "apple", "strict", "strictRFC5280"]),
      Option(
        name: "--pin", value: "PIN",
        meaning: "a pin, unless a line has its own: sha256/BASE64; may be repeated"),
    ] + PinOptions.ofConfigurations + RevocationQuestion.options + [
      Option(
        name: "--jobs", value: "NUMBER", meaning: "how many threads; as many as there are cores")
    ],
    examples: [
      (
        "holdfast batch --anchors roots.pem < requests.ndjson > verdicts.ndjson",
        "the verdicts come in the order of the requests, on all cores"
      ),
      (
        #"echo '{"id": 1, "chain": ["MII…"], "host": "a.example"}' | holdfast batch"#,
        "chain is base64 of DER, the leaf first; host null is a server of any name"
      ),
      (
        #"{"chain": […], "purpose": "client", "anchors": ["MII…"], "pins": ["sha256/…"]}"#,
        "time, rules, crls, ocsp and revocation may stand in a line, too"
      ),
      (
        #"{"id":1,"verdict":"rejected","path":["ab12…"],"rule":"expired","reason":"…",…}"#,
        "the answer; verdict is trusted, rejected, exhausted or unreadable; a blank line has none"
      ),
    ],
    run: batch)

  private static func batch(
    _ arguments: Arguments, _ console: inout Console
  ) throws(UsageError) -> ExitStatus {
    guard arguments.operands.count <= 1 else { throw .conflict("one file of requests at a time") }
    let path = arguments.operands.first ?? "-"
    guard let defaults = try readDefaults(arguments, &console) else { return .notUnderstood }
    let threads = try arguments.count("--jobs") ?? System.processorCount
    guard 1...256 ~= threads else {
      throw .badValue(option: "--jobs", value: "\(threads)", expected: "a number from 1 to 256")
    }
    do throws(System.SystemError) {
      let descriptor = try System.open(path)
      let progress =
        console.showsProgress ? BatchProgress(inputSize: System.size(descriptor)) : nil
      if !console.isCaptured {
        System.ignoreBrokenPipes()
        System.returnLargeBlocks()
        System.noteInterrupt()
      }
      let pipeline = BatchPipeline(
        defaults, threads: threads, captures: console.isCaptured, progress: progress)
      let outcome = try pipeline.run(descriptor)
      return finish(outcome, &console)
    } catch {
      console.message("holdfast: \(printable(path)): \(error)\n")
      return .notUnderstood
    }
  }

  /// Says what it came to.
  private static func finish(
    _ outcome: BatchPipeline.Outcome, _ console: inout Console
  ) -> ExitStatus {
    let counts = outcome.counts
    console.write(outcome.captured)
    if let failure = outcome.failure {
      console.message("holdfast: standard output: \(failure)\n")
      return .notUnderstood
    }
    let seconds = max(outcome.duration / .seconds(1), 0.001)
    let wasInterrupted = !console.isCaptured && System.wasInterrupted
    let end =
      wasInterrupted ? "interrupted after " : outcome.lostReader ? "the reader has gone after " : ""
    console.message(
      "holdfast: \(end)\(counts.all) \(counts.all == 1 ? "line" : "lines"): "
        + "\(counts.trusted) trusted, \(counts.rejected) rejected, \(counts.exhausted) exhausted, "
        + "\(counts.unreadable) unreadable; \(Int(Double(counts.all) / seconds)) per second\n")
    if wasInterrupted { return .interrupted }
    if counts.unreadable > 0 { return .notUnderstood }
    return counts.trusted == counts.all ? .success : .rejected
  }

  private static func readDefaults(
    _ arguments: Arguments, _ console: inout Console
  ) throws(UsageError) -> BatchDefaults? {
    let rules = try arguments.value("--rules") ?? "webPKI"
    _ = try PathQuestion.readRules(arguments)
    let time = try arguments.value("--at") == nil ? nil : try arguments.time()
    let pins = try PinOptions.set(arguments)
    var table: PinTable?
    if let file = try arguments.value("--pins") {
      guard pins == nil else {
        throw .conflict("--pins has the pins of all hosts: --pin cannot add to them")
      }
      table = try PinOptions.configuration(file, arguments, host: nil, &console)?.table
      guard table != nil else { return nil }
    }
    // What cannot be read has been named on standard error, and is not repeated with every line.
    var unreadable: [InputProblem] = []
    let revocation = try RevocationQuestion.read(arguments, &unreadable, &console)
    guard revocation.isUnderstood else { return nil }
    var anchors: AnchorSet?
    if arguments.has("--anchors") || arguments.has("--system") {
      anchors = try PathQuestion.readAnchors(arguments, &unreadable, &console)
      guard anchors != nil else { return nil }
    } else {
      // Lines may bring their own; those that do not are answered that there are none.
      do throws(SystemAnchorsError) { anchors = try AnchorSet.system() } catch {}
    }
    return BatchDefaults(
      anchors: anchors?.anchors.compactMap(\.certificate), rules: rules, time: time,
      revocation: revocation.question?.revocation, pins: pins, table: table)
  }
}
