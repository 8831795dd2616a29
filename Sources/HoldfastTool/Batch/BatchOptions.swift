internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastJSON
internal import HoldfastSystem

/// The options of `batch` for long runs: where lines come from, where answers go, and what is kept
/// of both.
enum BatchOptions {
  static let intermediates: Option<[String]> = .files(
    "--intermediates", "certificates of issuers that lines leave out; found by name")
  static let output = CommonOptions.output
  static let state: Option<String?> = .file(
    "--state",
    "record there how far the run is, to go on after it was ended in any way; needs --output",
    use: .written)
  static let summary: Option<String?> = .file(
    "--summary", "counts by verdict, rule, issuer, month and key; a name in .json or .html",
    use: .written)
  static let force = CommonOptions.force.described(
    "replace the files of --output and --summary, and begin the run of --state anew")

  static let options = OptionGroup("long runs", [output, state, summary, force])

  /// The input that a command line names.
  static func input(_ call: Invocation) throws(UsageError) -> BatchInput {
    guard !call.operands.isEmpty else { return BatchInput(paths: []) }
    let files = try call.files()
    for file in files where file != "-" && !System.exists(file) {
      try UsageError.about(file) { () throws(System.SystemError) in
        System.closeInput(try System.open(file))
      }
    }
    return BatchInput(paths: files)
  }

  /// Rejects options that do not go together, and files that could not be written.
  static func check(_ call: Invocation) throws(UsageError) {
    if call[state] == nil { try FileWriter(call).check(call[summary]) }
    if let path = call[summary], summaryFormat(of: path) == nil {
      throw .badValue(option: summary.name, value: path, expected: "a name in .json or .html")
    }
    guard call[state] != nil else { return }
    guard let output = call[output], output != "-" else {
      throw .conflict("--state needs --output FILE: what went into a pipe cannot be taken back")
    }
    guard !call.operands.isEmpty, !call.usesStandardInput else {
      throw .conflict("--state needs files of lines: standard input cannot be read again")
    }
    for path in call.operands where System.isSpecial(path) {
      throw .conflict("--state needs files of lines: \(printable(word: path)) cannot be read again")
    }
  }

  /// Opens what the answers go to, and reads how far the run has come.
  ///
  /// - Parameter unimportant: Options that do not change answers.
  static func sink(
    _ call: Invocation, _ settings: inout BatchSettings, unimportant: [any CommandOption]
  ) throws(UsageError) -> BatchSink {
    let time = settings.time ?? .now
    let run = description(call, settings, unimportant)
    guard let path = call[output], path != "-" else {
      return BatchSink(
        descriptor: call.console.isCaptured ? nil : 1, statePath: nil,
        BatchState(run: run, time: time))
    }
    guard let statePath = call[state] else {
      return BatchSink(
        descriptor: try create(path, call), statePath: nil, BatchState(run: run, time: time))
    }
    if !call[force], let known = try BatchState.read(statePath) {
      guard known.run == run else {
        throw .conflict(
          "\(printable(word: statePath)) is the state of another run: "
            + printable("holdfast batch " + known.run.joined(separator: " ")))
      }
      settings.keepTime(known.time)
      return BatchSink(
        descriptor: try open(path, after: known.length), statePath: statePath, known)
    }
    settings.keepTime(time)
    if !call[force], System.exists(path) {
      throw .badInput("\(printable(word: path)): File exists; --force replaces it")
    }
    // The state is there before the output, so that the output is never there alone.
    let state = BatchState(run: run, time: time)
    try UsageError.about(statePath) { () throws(FileOutput.Problem) in
      try state.write(to: statePath)
    }
    return BatchSink(descriptor: try open(path, after: 0), statePath: statePath, state)
  }

  /// What the answers depend on.
  private static func description(
    _ call: Invocation, _ settings: BatchSettings, _ unimportant: [any CommandOption]
  ) -> [String] {
    let carriedOut: [any CommandOption] =
      CommonOptions.everywhere.options + [force, state] + ProxyOption.options + unimportant
    let anchors = (settings.anchors ?? []).map(\.certificate)
    return call.words(without: carriedOut)
      + ["(certificates \(digest(of: anchors + settings.intermediates)))"]
  }

  private static func digest(of certificates: [Certificate?]) -> String {
    var digests: [UInt8] = []
    for certificate in certificates {
      digests += HashAlgorithm.sha256.hash(certificate?.der ?? []).array
    }
    return Hexadecimal.text(of: HashAlgorithm.sha256.hash(digests).array)
  }

  private static func create(_ path: String, _ call: Invocation) throws(UsageError) -> Int32 {
    try FileWriter(call).check(path)
    return try UsageError.about(path) { () throws(FileOutput.Problem) in
      try FileOutput.begin(path, replacing: call[force])
    }
  }

  private static func open(_ path: String, after length: Int) throws(UsageError) -> Int32 {
    let note = length == 0 ? "" : "the answers of the run cannot be continued: "
    return try UsageError.about(path, note) { () throws(FileOutput.Problem) in
      try FileOutput.resume(path, after: length)
    }
  }

  private enum SummaryFormat { case json, page }

  private static func summaryFormat(of path: String) -> SummaryFormat? {
    if path.hasSuffix(".json") || path == "-" { return .json }
    return path.hasSuffix(".html") || path.hasSuffix(".htm") ? .page : nil
  }

  /// Writes the summary, if it is asked for.
  static func write(
    _ summary: BatchSummary, _ call: Invocation, _ settings: BatchSettings
  ) throws(UsageError) {
    guard let path = call[self.summary] else { return }
    let text =
      switch summaryFormat(of: path) {
      case .page?:
        Array(BatchSummaryPage(summary: summary, basis: settings.basis(call)).text.utf8)
      default: summary.json.lines() + [0x0A]
      }
    guard path != "-" else { return call.console.write(text) }
    // A run with a state may be at its end for the second time.
    try UsageError.about(path) { () throws(FileOutput.Problem) in
      try FileOutput.write(text, to: path, replacing: call[force] || call[state] != nil)
    }
  }
}

extension BatchSink.Problem {
  /// Whether the reader of standard output has closed it.
  var isBrokenPipe: Bool {
    if case .output(let error) = self { error.isBrokenPipe } else { false }
  }

  /// What could not be written.
  func text(_ call: Invocation) -> String {
    switch self {
    case .output(let error):
      "\(call[BatchOptions.output].map { printable(word: $0) } ?? "standard output"): \(error)"
    case .state(let error): "\(printable(word: call[BatchOptions.state] ?? "")): \(error)"
    }
  }
}
