internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastConfigurations
internal import HoldfastDER

/// What answers of commands have besides those of all programs: their sections, their status, and hints
/// that name options.
extension Answer.Verdict {
  /// What the process ends with.
  var status: ExitStatus {
    switch self {
    case .trusted: .trusted
    case .rejected, .pinMismatch, .exhausted: .rejected
    case .unreadable: .unreadable
    case .unreachable: .unreachable
    case .usage: .usage
    }
  }
}

extension Answer {
  var status: ExitStatus { verdict.status }

  /// The answer about a server.
  ///
  /// - Parameters:
  ///   - pins: What was expected of the host; nil without pins.
  ///   - configuration: Where the pins are from, if they came with those of other hosts.
  init(
    _ outcome: TrustOutcome, _ input: Input, pins: PinTable.Selection?,
    of configuration: PinConfiguration?
  ) {
    self.init(outcome, input, pins: pins)
    guard isTrusted, pins == .unknown, let configuration, let host = input.host else { return }
    hints.append(
      "the configuration has no pins for \(host), which is trusted without, as in "
        + configuration.format.name)
    unchecked.append(.pins)
  }

  /// The answer of a command that can do nothing: its command line is not understood, or its input
  /// cannot be read. Those that judge nothing list in their own documents what cannot be read.
  init(_ error: UsageError, about files: [String]) {
    var input = Input(files: files.map { Printable.redacted($0) })
    if case .reported(let problems) = error { input.unreadable = problems.map { Note($0) } }
    self.init(
      verdict: error.status == .usage ? .usage : .unreadable, reason: error.text, input: input)
  }

  /// What may help, by options and by files as the user named them.
  static let options: @Sendable (Advice, Input) -> String? = { advice, input in
    switch advice {
    case .path(let hint, let leaf): hint.text(of: leaf, input)
    case .transparency(let report): report.optionHint
    }
  }
}

extension Answer.Note {
  /// What could not be read.
  init(_ problem: InputProblem) { self.init("\(problem)", problem.json) }
}

extension PathError.Hint {
  /// The hint in the words of the command line: its options, and the files as the user named them.
  func text(of leaf: Certificate?, _ input: Answer.Input) -> String {
    // A request has members instead of options.
    guard input.line == nil else { return "\(self)" }
    switch self {
    case .unknownRoot(let root, _) where root == leaf:
      if let file = input.files.first {
        return "to trust it, add --anchors \(printable(word: file)) --rules rfc5280"
      }
      // A server's certificate has no file until it is saved.
      return "to trust it: holdfast connect \(input.address ?? "HOST") --save-chain FILE, "
        + "then --anchors FILE --rules rfc5280"
    case .unknownRoot: return "if it is yours, trust it: --anchors with a file that has it"
    case .missingIntermediate(_, let locations), .missingRoot(_, let locations):
      var options: [String] = []
      if case .missingRoot = self { options.append("--anchors FILE trusts it") }
      if input.fetched.isEmpty && !locations.isEmpty { options.append("--fetch issuers gets it") }
      return "\(self)" + (options.isEmpty ? "" : " (\(options.joined(separator: ", ")))")
    case .anchorWithOtherKey:
      return "\(self) (--anchors with a file that has it)"
    case .noBundle(let domain): return "\(self): --spiffe-bundle \(domain)=FILE"
    case .acceptedBy(let preset): return "--rules \(preset) accepts it"
    case .limit(let limit): return limit.remedy
    case .isAnchorItself: return "--rules rfc5280 accepts a server that is its own trust anchor"
    default: return "\(self)"
    }
  }
}

extension TransparencyReport {
  /// What helps if it does not comply, by options.
  fileprivate var optionHint: String {
    switch verdict {
    case .violates where lacksIssuer || results.isEmpty: hint
    case .complies, .violates: "\(hint): --policy"
    case .notEvaluated(.listFromTheFuture):
      "\(hint), or --at; --ct require-soft-fail trusts without a list that can be used"
    case .notEvaluated:
      "give a newer list: --log-list; --ct require-soft-fail trusts without one that can be used"
    }
  }

  /// The summary, a line for each timestamp, and the earliest provable issuance.
  var summaryLines: [Line] {
    let mark = result == "complies" ? "✓" : result == "violates" ? "✗" : "-"
    var lines = ["\(mark) \(summary)"]
    lines += results.map { "\($0.isCounted ? "✓" : "-") \($0)" }
    if omitted > 0 { lines.append("\(omitted) more timestamps were not looked at") }
    if let earliest = earliestProvableIssuance { lines.append("issued at \(earliest) or before") }
    return lines.map { Line(printable($0)) }
  }
}
