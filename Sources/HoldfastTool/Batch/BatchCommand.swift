internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastConfigurations
internal import HoldfastSystem

extension Command {
  /// `holdfast batch`: a request a line in, a verdict a line out.
  static let batchCommand = Command(
    name: "batch",
    summary: "validates many chains: a line of JSON each, in and out",
    usage: "[FILE | FOLDER]… [--anchors FILE]… [--at TIME] [--rules NAME] [--pin PIN]…",
    options: [
      [
        PathQuestion.anchors.described(
          "trust these certificates, unless a line has its own; may be repeated"),
        CommonOptions.at.described("validate at this time, unless a line has a time"),
        BatchOptions.intermediates, jobs,
      ], OptionGroup("trust and strictness", PathQuestion.strictness), BatchOptions.options,
      PinOptions.options, RevocationQuestion.options,
      TransparencyQuestion.options, FetchQuestion.optionsForMany,
    ],
    examples: """
      holdfast batch --anchors roots.pem < requests.ndjson > verdicts.ndjson
          the verdicts come in the order of the requests, on all cores
      echo '{"id": 1, "chain": ["MII…"], "host": "a.example"}' | holdfast batch
          chain is base64 of DER, the leaf first; host null is a server of any name
      holdfast batch --anchors roots.pem --intermediates ca.pem leaves.ndjson
          lines may leave out the certificates of ca.pem
      {"chain": […], "purpose": "client", "anchors": ["MII…"], "pins": ["sha256/…"]}
          time, rules, crls, ocsp, filters and revocation may stand in a line, too
      holdfast batch requests.ndjson --fetch issuers,crl --cache ~/.cache/holdfast
          completes chains and asks for CRLs, each once for all lines, and few at a time from a host
      {"version":1,"id":1,"verdict":"rejected","rule":"expired","reason":"…",…}
          the answer, as `holdfast generate schema` describes it; a blank line has none
      holdfast batch live/ --anchors roots.pem
          a file of certificates, PEM or DER, is one chain, the leaf first, of a server of any name
      holdfast batch corpus/ --output verdicts.ndjson --state run.json --summary run.html
          all files of a folder; the same command goes on where a run was killed
      """,
    run: batch)

  private static let jobs: Option<Int?> = .number(
    "--jobs", "how many threads; as many as there are cores, or 16 with --fetch", 1...256)

  /// With `--fetch` lines wait for servers most of the time.
  private static let fetchingThreads = 16

  private static func batch(_ call: Invocation) throws(UsageError) -> ExitStatus {
    guard !call.operands.isEmpty || !call.usesStandardInput else {
      throw .conflict("standard input can be read only once")
    }
    let input = try BatchOptions.input(call)
    try BatchOptions.check(call)
    var settings = try readSettings(call)
    let sink = try BatchOptions.sink(call, &settings, unimportant: [jobs])
    defer { sink.close() }
    guard !sink.state.isComplete else {
      return try finish(BatchRun.Outcome(sink: sink), call, settings)
    }
    let earlier = sink.state.summary.counts.all
    let threads =
      call[jobs]
      ?? (settings.fetch == nil ? min(System.processorCount, 256) : fetchingThreads)
    let progress =
      call.console.showsProgress
      ? BatchProgress(inputSize: input.size(after: sink.state.position), earlier: earlier) : nil
    if !call.console.isCaptured {
      System.returnLargeBlocks()
      System.noteInterrupt()
    }
    let run = BatchRun(
      input: input, settings: settings, threads: threads, sink: sink)
    let outcome = run.run(progress)
    if let problem = outcome.inputProblem { throw problem }
    return try finish(outcome, call, settings, earlier: earlier)
  }

  /// Writes the summary, and reports the counts.
  private static func finish(
    _ outcome: BatchRun.Outcome, _ call: Invocation, _ settings: BatchSettings, earlier: Int = 0
  ) throws(UsageError) -> ExitStatus {
    let (counts, console) = (outcome.counts, call.console)
    console.write(outcome.sink.captured)
    if let problem = outcome.outputProblem, !problem.isBrokenPipe {
      console.message("holdfast: \(problem.text(call))\n")
      return .unreadable
    }
    let wasInterrupted = !console.isCaptured && System.wasInterrupted
    if !wasInterrupted, outcome.outputProblem == nil {
      try BatchOptions.write(outcome.sink.state.summary, call, settings)
    }
    let end =
      outcome.sink.state.isComplete && outcome.duration == .zero
      ? "the run is complete: "
      : wasInterrupted
        ? "interrupted after " : outcome.outputProblem == nil ? "" : "the reader has gone after "
    let seconds = max(outcome.duration / .seconds(1), 0.001)
    let speed = "; \(Int(Double(counts.all - earlier) / seconds)) per second"
    console.note(
      "holdfast: \(end)\(counts.summary)\(outcome.duration == .zero ? "" : speed)\n")
    return wasInterrupted ? .interrupted : counts.status
  }

  private static func readSettings(_ call: Invocation) throws(UsageError) -> BatchSettings {
    let (pins, configuration) = try PinOptions.given(call)
    var session = try InputSession(call)
    let revocation = try RevocationQuestion.read(call, &session)
    // What else cannot be read has been named by now, and is not named with each answer.
    let unreadable = session.problems
    var anchors: TrustOption.Anchors?
    do throws(UsageError) {
      anchors = try PathQuestion.readAnchors(call, &session)
    } catch {
      // Lines may have their own anchors; without the system's the others are unreadable.
      let options: [any CommandOption] = [
        PathQuestion.anchors, TrustOption.store, TrustOption.merkleTrust,
      ]
      guard !options.contains(where: call.has), case .badInput = error else { throw error }
    }
    for remark in anchors?.remarks ?? [] {
      call.console.message("holdfast: \(printable(remark))\n")
    }
    var pool = try InputSession(call)
    let intermediates = pool.certificates(of: call[BatchOptions.intermediates])
    return BatchSettings(
      anchors: anchors?.anchors.anchors, trust: anchors?.description,
      intermediates: intermediates, unreadableIntermediates: pool.unreadableCertificates,
      unreadable: unreadable,
      rules: call[PathQuestion.rules].rawValue, time: call[CommonOptions.at],
      revocation: revocation?.revocation, sources: revocation?.sources ?? RevocationSources(),
      pins: pins, configuration: configuration,
      transparency: try TransparencyQuestion.read(call),
      fetch: try FetchQuestion(call, asksForMany: true),
      isSummarized: call.has(BatchOptions.summary))
  }
}

/// The settings of lines that have none of their own, and what is done with the lines.
struct BatchSettings: Sendable {
  /// nil if there are none, and each line must have its own.
  let anchors: [TrustAnchor]?
  /// What these are, in words; nil if the command line names certificates.
  let trust: String?
  /// The intermediates that lines may leave out.
  let intermediates: [Certificate]
  /// Those that cannot be read. Each may be the issuer that a line lacks.
  let unreadableIntermediates: [UnreadableCertificate]
  /// What of the revocation data of the command line cannot be read. It belongs to every answer.
  let unreadable: [InputProblem]
  let rules: String
  /// nil for the moment at which the line is validated.
  var time: Timestamp?
  let revocation: Revocation?
  /// Where that came from.
  let sources: RevocationSources
  let pins: PinSet?
  /// The pins of each host, as a configuration has them.
  let configuration: PinConfiguration?
  /// Whether timestamps are looked at; nil if not.
  let transparency: TransparencyCheck?
  /// What may be fetched; nil for nothing.
  let fetch: FetchQuestion?
  /// Whether rules, issuers, months and keys are counted.
  let isSummarized: Bool

  /// How lines are validated that say nothing of it themselves.
  func basis(_ call: Invocation) -> String {
    let files = (call[PathQuestion.anchors] + [call[TrustOption.store]].compactMap(\.self))
    return "rules \(rules); time \(time.map { "\($0)" } ?? "the moment of each line"); "
      + "trust: \(trust ?? files.joined(separator: ", "))"
  }

  /// Keeps the time of a run for lines without one. What is fetched now says what has been known
  /// since, and the time of a run may be days ago.
  mutating func keepTime(_ time: Timestamp) {
    if fetch == nil { self.time = time }
  }
}
