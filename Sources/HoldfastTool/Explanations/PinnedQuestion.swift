internal import Holdfast
internal import HoldfastCertificates

/// `verify` and `explain` with pins: the same question, asked of a `TrustManager`.
struct PinnedQuestion {
  private let outcome: Result<Verdict, TrustError>
  private let sources: RevocationSources

  /// Whether there are pins; else only timestamps are asked about.
  let hasPins: Bool

  /// Whether the pins came with the configuration of another system.
  private let isConfiguration: Bool

  /// What the table of pins says of the host.
  let selection: PinTable.Selection

  /// The question with the pins of the command line; nil if there are none.
  init?(_ question: PathQuestion, _ call: Invocation) throws(UsageError) {
    hasPins = PinOptions.areGiven(call)
    guard hasPins || question.transparency != nil else { return nil }
    guard case .host(let host)? = question.purpose.identity else {
      throw .conflict(
        hasPins
          ? "pins are for servers: --pin and --pins go with --host"
          : "timestamps are for servers: --log-list goes with --host")
    }
    guard let table = try PinOptions.tables(call, for: [host]).first else { return nil }
    let manager = TrustManager(
      pins: table, anchors: question.validator.anchors, rules: question.validator.rules,
      revocation: question.revocation?.revocation, transparency: question.transparency,
      otherHosts: hasPins ? .reject : .validate)
    sources = question.sources
    isConfiguration = call.has(PinOptions.configuration)
    selection = table.selection(for: host, at: question.time)
    do throws(TrustError) {
      outcome = .success(
        try manager.evaluate(
          question.chain, host: "\(host)", timestamps: question.timestamps, at: question.time))
    } catch {
      outcome = .failure(error)
    }
  }

  /// The answer in words.
  var lines: [String] {
    let words =
      switch outcome {
      case .success(let verdict): "\(verdict)"
      case .failure(.unknownHost(let host)) where isConfiguration:
        "there are no pins for \(host)\n"
          + "  the system of this configuration trusts hosts without pins if their path is valid; "
          + "here they are rejected"
      case .failure(let error): error.text(sources)
      }
    return words.split(separator: "\n").map(String.init)
  }

  /// What the timestamps of logs prove; nil if they were not looked at.
  var transparency: TransparencyReport? {
    switch outcome {
    case .success(let verdict): verdict.transparency
    case .failure(.insufficientTransparency(_, let report)): report
    case .failure: nil
    }
  }

  /// Why a chain with a valid path is rejected, in a few words.
  private var reason: String {
    if case .failure(.pinMismatch) = outcome { return "no pin matches" }
    if case .failure(.insufficientTransparency(_, let report)) = outcome {
      switch report.verdict {
      case .violates(let shortfall):
        return "there is too little transparency for \(report.policy.name): \(shortfall)"
      case .notEvaluated(let why): return "transparency was not evaluated: \(why)"
      case .complies: break
      }
    }
    return lines.first ?? ""
  }

  /// Advice on the configuration of pins.
  var hints: [String] {
    guard case .failure(.pinMismatch(let mismatch)) = outcome else { return [] }
    return mismatch.hints.map { "\($0)" }
  }

  /// The valid paths that were looked at for pins, each with its number.
  var validPaths: [(number: Int, path: ValidatedPath)] {
    switch outcome {
    case .success(let verdict):
      verdict.path.map { [(verdict.pathNumber, $0)] } ?? []
    case .failure(.pinMismatch(let mismatch)):
      mismatch.paths.enumerated().map { ($0.offset + 1, $0.element.path) }
    case .failure: []
    }
  }

  var status: ExitStatus {
    switch outcome {
    case .success: .success
    case .failure: .rejected
    }
  }

  /// The answer, for its explanation.
  var answer: Explanation.Answer {
    Explanation.Answer(
      status: status, verdict: verdict, path: validPaths.first?.path, problem: reason)
  }

  /// `trusted`, or why not, in one word.
  private var verdict: String {
    switch outcome {
    case .success: "trusted"
    case .failure(let error): error.verdict
    }
  }

  /// The answer for programs.
  private var members: Document {
    switch outcome {
    case .success(let verdict): verdict.document(sources)
    case .failure(let error): error.document(sources)
    }
  }

  /// The answer of `verify`.
  var document: Document {
    guard case .success(let verdict) = outcome else { return Document(rejected: lines, members) }
    var document = Document(title: verdict.path.map { "trusted: \($0.title)" } ?? "")
    document.addLines(nil, verdict.path?.lines(sources, verdict.transparency) ?? [])
    document.addLines(nil, lines)
    document.addLines(nil, transparency?.summaryLines ?? [])
    document.addMembers(of: members)
    return document
  }

  /// What `explain` adds: the pins that were seen on every path, valid or not, and those expected.
  func section(_ attempts: [Diagnosis.Attempt]) -> Document {
    let subject = hasPins ? "pins" : "timestamps"
    var section = Document(title: "\(subject): \(status == .success ? "trusted" : "rejected")")
    if case .failure(.invalidPath) = outcome {
      // The paths and their hints have been shown.
      section.addLines(nil, "there is no valid path on which to look for pins")
    } else {
      section.addLines(nil, lines)
      if status == .success { section.addLines(nil, transparency?.summaryLines ?? []) }
    }
    for (number, attempt) in attempts.enumerated() {
      section.addLines(nil, "pins of the invalid path \(number + 1):")
      for element in PathElement.elements(attempt.certificates, attempt.anchor) {
        let anchor = element.scope == .anchor ? "  (anchor)" : ""
        section.addLines(nil, "  \(element.pin)  \(PathText.name(element))\(anchor)")
      }
    }
    section.addMembers(of: members)
    return section
  }
}
