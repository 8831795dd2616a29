internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastSystem

extension Command {
  /// `holdfast batch`: a request a line in, a verdict a line out.
  static let batchCommand = Command(
    name: "batch",
    summary: "validates many chains: a JSON request per line in, a JSON verdict per line out",
    usage: "[FILE] [--anchors FILE]… [--at TIME] [--rules NAME] [--pin PIN]…",
    options: [
      [
        PathQuestion.anchors.described(
          "trust these certificates, unless a line has its own; may be repeated"),
        TrustOption.store, TrustOption.certificates, PathQuestion.system,
        CommonOptions.at.described("validate at this time, unless a line has a time"),
        PathQuestion.rules, jobs,
      ], PinOptions.options, RevocationQuestion.options, TransparencyQuestion.options,
      FetchQuestion.optionsForMany,
    ],
    examples: """
      holdfast batch --anchors roots.pem < requests.ndjson > verdicts.ndjson
          the verdicts come in the order of the requests, on all cores
      echo '{"id": 1, "chain": ["MII…"], "host": "a.example"}' | holdfast batch
          chain is base64 of DER, the leaf first; host null is a server of any name
      {"chain": […], "purpose": "client", "anchors": ["MII…"], "pins": ["sha256/…"]}
          time, rules, crls, ocsp, filters and revocation may stand in a line, too
      holdfast batch requests.ndjson --fetch issuers,crl --cache ~/.cache/holdfast
          completes chains and asks for CRLs, each once for all lines, and few at a time from a host
      {"version":1,"id":1,"verdict":"rejected","rule":"expired","reason":"…",…}
          the answer, as `holdfast schema` describes it; a blank line has none
      """,
    run: batch)

  private static let jobs: Option<Int?> = .number(
    "--jobs", "how many threads; as many as there are cores, or 16 with --fetch", 1...256)

  private static func batch(_ call: Invocation) throws(UsageError) -> ExitStatus {
    guard call.operands.count <= 1 else { throw .conflict("one file of requests at a time") }
    guard !call.operands.isEmpty || !call.usesStandardInput else {
      throw .conflict("standard input can be read only once")
    }
    let path = call.operands.first ?? "-"
    let defaults = try readDefaults(call)
    let threads =
      call[jobs]
      ?? (defaults.fetch == nil ? min(System.processorCount, 256) : FetchQuestion.batchThreads)
    let descriptor: Int32
    do throws(System.SystemError) {
      descriptor = try System.open(path)
    } catch {
      throw .badInput("\(printable(path)): \(error)")
    }
    let progress =
      call.console.showsProgress ? BatchProgress(inputSize: System.size(descriptor)) : nil
    if !call.console.isCaptured {
      System.returnLargeBlocks()
      System.noteInterrupt()
    }
    let run = BatchRun(
      descriptor: descriptor, defaults: defaults, threads: threads,
      captures: call.console.isCaptured)
    let outcome = run.run(progress)
    if let error = outcome.inputError { throw .badInput("\(printable(path)): \(error)") }
    return finish(outcome, call.console)
  }

  /// Reports the counts.
  private static func finish(_ outcome: BatchRun.Outcome, _ console: Console) -> ExitStatus {
    let counts = outcome.counts
    console.write(outcome.captured)
    if let error = outcome.outputError, !error.isBrokenPipe {
      console.message("holdfast: standard output: \(error)\n")
      return .unreadable
    }
    let seconds = max(outcome.duration / .seconds(1), 0.001)
    let wasInterrupted = !console.isCaptured && System.wasInterrupted
    let end =
      wasInterrupted
      ? "interrupted after " : outcome.outputError == nil ? "" : "the reader has gone after "
    console.note(
      "holdfast: \(end)\(counts.summary); "
        + "\(Int(Double(counts.all) / seconds)) per second\n")
    return wasInterrupted ? .interrupted : counts.status
  }

  private static func readDefaults(_ call: Invocation) throws(UsageError) -> BatchDefaults {
    let (pins, table) = try PinOptions.given(call)
    // What cannot be read is named on standard error, and is not repeated with every line.
    var session = try InputSession(call)
    let revocation = try RevocationQuestion.read(call, &session)
    var anchors: TrustOption.Anchors?
    do throws(UsageError) {
      anchors = try PathQuestion.readAnchors(call, &session)
    } catch {
      // Lines may have their own anchors; without the system's the others are unreadable.
      let options: [any CommandOption] = [
        PathQuestion.anchors, TrustOption.store, PathQuestion.system,
      ]
      guard !options.contains(where: call.has), case .badInput = error else { throw error }
    }
    for remark in anchors?.remarks ?? [] {
      call.console.message("holdfast: \(printable(remark))\n")
    }
    return BatchDefaults(
      anchors: anchors?.anchors.anchors, trust: anchors?.description,
      rules: call[PathQuestion.rules].rawValue, time: call[CommonOptions.at],
      revocation: revocation?.revocation, pins: pins, table: table,
      transparency: try TransparencyQuestion.read(call),
      fetch: try FetchQuestion(call, asksForMany: true))
  }
}
