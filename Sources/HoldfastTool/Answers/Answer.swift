internal import Holdfast
internal import HoldfastConfigurations
internal import HoldfastDER
internal import HoldfastOnline

/// The one answer of every command that judges certificates.
///
/// Text, page and JSON render this value. A new command answers with it too; what only some answers
/// have is a section: an optional property here, a line in `AnswerWriter`, and an entry of
/// `Documentation/answer.schema.json`.
struct Answer: Sendable {
  let verdict: Verdict
  /// The name of the broken rule, or of the case of `TrustError`; nil if nothing is wrong.
  var rule: String?
  /// The stable identifier of the error: of a request that failed, too; nil if nothing is wrong.
  var code: String?
  /// The section that states the rule.
  var citation: String?
  /// One sentence: what an engineer would say aloud.
  var reason: String
  /// What may help, the most useful first.
  var hints: [String] = []
  /// The valid path, the leaf first; else that of the nearest miss, as far as it got.
  var path: [Certificate] = []
  /// The anchor of the path, if it reaches one.
  var anchor: TrustAnchor?
  /// Whether the path is valid, even if it is rejected for another reason.
  private(set) var hasValidPath = false
  /// The paths that were tried, the nearest miss first.
  var attempts: [PathError.Attempt] = []
  /// Whether they are all that were tried.
  private(set) var hasAllRejections = false
  /// How many more paths were tried.
  var omitted = 0
  /// What is known of revocations, for each certificate of the valid path; empty if not checked.
  var revocation: [CertificateRevocation] = []
  /// What may seem to be checked, and was not.
  var unchecked: [UncheckedItem] = []
  /// What was asked.
  var input: Input

  // Sections.

  /// The limit that ended the search.
  var limit: LimitReached?
  /// The certificate policies of the valid path, if the rules ask for them.
  var policies: [OID]?
  /// What became of the pins; nil without pins.
  var pins: Pins?
  /// What the timestamps of logs prove; nil if they were not looked at.
  var transparency: TransparencyReport?
  /// The handshake and what was sent in it; nil for certificates of files.
  var connection: Connection?
  /// What was received; nil of all but `get`.
  var response: Response?
  /// How the pins of a configuration will do; nil of all but `pins simulate`.
  var forecast: PinForecast?

  /// The answer in one word. In JSON, too: these names are a promise.
  enum Verdict: String, Sendable, CaseIterable {
    case trusted, rejected, pinMismatch, exhausted, unreadable, unreachable, usage

    /// The answer for people.
    var words: String {
      switch self {
      case .pinMismatch: "wrong key"
      case .exhausted: "not decided"
      // The server may have been reached, and have ended the handshake.
      case .unreachable: "connection failed"
      case .trusted, .rejected, .unreadable, .usage: rawValue
      }
    }

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

  /// What was asked, in the words of the user.
  struct Input: Sendable {
    /// The files that were named.
    var files: [String] = []
    /// What is trusted, if the command line does not name certificates.
    var trust: String?
    /// What should be known about that.
    var remarks: [String] = []
    /// The server as `connect` was given it.
    var address: String?
    /// The line of a stream of requests, from 1.
    var line: Int?
    var purpose: Purpose?
    var time: Timestamp?
    /// What could not be read. Of revocation data it makes a status unknown.
    var unreadable: [InputProblem] = []
    /// Where what is known of revocations came from.
    var sources = RevocationSources()
    /// What was asked of servers of CAs.
    var fetched: [FetchReport] = []

    /// The host, if the purpose is a server of that name.
    var host: HostName? {
      if case .host(let host)? = purpose?.identity { host } else { nil }
    }
  }

  var status: ExitStatus { verdict.status }
  var isTrusted: Bool { verdict == .trusted }

  /// The rules that were broken, those of the nearest miss first.
  var rejections: [PathError.Rejection] { attempts.flatMap(\.rejections) }
}

/// What a `TrustManager` has decided.
typealias TrustOutcome = Result<Verdict, TrustError>

extension Answer {
  /// The answer about certificates.
  ///
  /// - Parameters:
  ///   - pins: What was expected of the host; nil without pins.
  ///   - configuration: Where the pins are from, if they came with those of other hosts.
  init(
    _ outcome: TrustOutcome, _ input: Input, pins: PinTable.Selection? = nil,
    of configuration: PinConfiguration? = nil
  ) {
    switch outcome {
    case .success(let verdict): self.init(verdict, input)
    case .failure(let error): self.init(error, input)
    }
    if let pins { self.pins = Pins(pins, outcome) }
    guard isTrusted, pins == .unknown, let configuration, let host = input.host else { return }
    hints.append(
      "the configuration has no pins for \(host), which is trusted without, as in "
        + configuration.format.name)
    unchecked.append(.pins)
  }

  private init(_ verdict: Holdfast.Verdict, _ input: Input) {
    self.init(
      verdict: .trusted, reason: verdict.sentence(input.purpose), input: input)
    unchecked = verdict.unchecked
    transparency = verdict.transparency
    hints = verdict.warnings.map { "\($0)" }
    if let path = verdict.path { add(path) }
    reason += doubt
  }

  /// The answer about a valid path without pins; batch has thousands of them in a second.
  ///
  /// - Parameter reason: `valid` for the purpose, where the text is known.
  init(
    _ path: ValidatedPath, _ transparency: TransparencyReport?, _ input: Input,
    reason: String? = nil
  ) {
    self.init(
      verdict: .trusted, reason: reason ?? Answer.valid(path.purpose), input: input)
    unchecked = path.unchecked(beside: transparency)
    self.transparency = transparency
    add(path)
    self.reason += doubt
  }

  /// What a soft demand lets pass, in the first line: who asked should not have to look for it.
  private var doubt: String {
    guard case .unknown? = revocation.first?.status else { return "" }
    return ", but whether it was revoked is not known"
  }

  /// The reason of a valid path.
  static func valid(_ purpose: Purpose?) -> String {
    purpose.map { "valid for \($0)" } ?? "valid"
  }

  mutating func add(_ path: ValidatedPath) {
    hasValidPath = true
    self.path = path.certificates
    anchor = path.anchor
    revocation = path.revocation
    policies = path.policies
  }

  /// The answer to a line of `batch` that cannot be read.
  static func unreadable(line: Int, _ problem: String) -> Answer {
    // What is wrong may repeat a part of the line.
    Answer(verdict: .unreadable, reason: String(problem.prefix(1000)), input: Input(line: line))
  }

  static func overlong(line: Int) -> Answer {
    .unreadable(
      line: line, "the line is longer than the limit of \(BatchLines.maximumLineLength) bytes")
  }

  /// The answer of a command that can do nothing: its command line is not understood, or its input
  /// cannot be read. Those that judge nothing list in their own documents what cannot be read.
  init(_ error: UsageError, about files: [String]) {
    var input = Input(files: files.map { Printable.redacted($0) })
    if case .reported(let problems) = error { input.unreadable = problems }
    self.init(
      verdict: error.status == .usage ? .usage : .unreadable, reason: error.text, input: input)
  }

  init(_ error: TrustError, _ input: Input) {
    if case .invalidPath(let error) = error {
      self.init(error, input)
      return
    }
    let row = error.row
    self.init(
      verdict: row.verdict, rule: row.name, citation: row.citation, reason: error.sentence,
      input: input)
    code = error.code
    switch error {
    case .pinMismatch(let mismatch):
      if let path = mismatch.paths.first?.path { add(path) }
      attempts = mismatch.pathError.invalidAttempts
      hints = mismatch.hints.map { "\($0)" }
    case .insufficientTransparency(_, let report):
      transparency = report
      hints = [report.hint]
    default: break
    }
  }

  init(_ error: PathError, _ input: Input) {
    let nearest = error.attempts.first?.rejections.first
    switch error.cause {
    case .limitReached(let limit):
      self.init(
        verdict: .exhausted, rule: "limitReached", reason: error.headline, input: input)
      self.limit = limit
    case .rejected where nearest?.rule == .veto:
      // The tool has no rules of its own: what vetoes are the pins of a request.
      var reason = ""
      if case .text(let text)? = nearest?.violation.detail { reason = text }
      self.init(
        verdict: .pinMismatch, rule: "pinMismatch", citation: TrustError.pinCitation,
        reason: reason, input: input)
    case .rejected, .emptyChain, .invalidName:
      self.init(
        verdict: .rejected, rule: nearest?.rule.name, citation: nearest?.violation.citation,
        reason: error.headline(naming: input.sources.name(of:)), input: input)
    }
    code = rule == "pinMismatch" ? ErrorCode.pinMismatch.rawValue : error.code
    hints = error.hints.filter { $0 != .remedy(.veto) }.map { $0.text(of: error.leaf, input) }
    addFailures(input.fetched, nearest)
    path = nearest?.path ?? []
    anchor = nearest?.anchor
    attempts = error.invalidAttempts
    hasAllRejections = nearest?.rule != .veto
    omitted = error.omitted
  }

  /// Notes that the certificates of the path did not come in its order: some clients do not sort them.
  /// RFC 8446 §4.4.2.
  mutating func noteOrder(of chain: [Certificate]) {
    guard isTrusted else { return }
    let places = (path + [anchor?.certificate].compactMap(\.self)).compactMap(chain.firstIndex)
    guard let late = zip(places, places.dropFirst()).first(where: { $0 > $1 }) else { return }
    hints.append(
      "the order of the chain is unusual: \(PathText.name(chain[late.1])) stands before "
        + "\(PathText.name(chain[late.0])), which it has issued; put the leaf first, and each issuer "
        + "after what it has issued (RFC 8446 §4.4.2)")
  }

  /// Says which requests for an issuer have failed, if one is missing. A status that was asked for in
  /// vain says so itself.
  private mutating func addFailures(_ reports: [FetchReport], _ nearest: PathError.Rejection?) {
    guard nearest?.rule == .issuerNotFound else { return }
    let failed = reports.filter { report in
      if case .failed = report.outcome { report.kind == .issuers } else { false }
    }
    hints = failed.map { "not fetched: \($0.text)" } + hints
  }
}

extension PathError {
  /// The attempts that break a rule of their own: the caller vetoes what breaks no other.
  fileprivate var invalidAttempts: [Attempt] {
    attempts.filter { $0.violations.contains { $0.rule != .veto } }
  }
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
    case .acceptedBy(let preset): return "--rules \(preset) accepts it"
    case .isAnchorItself: return "--rules rfc5280 accepts a server that is its own trust anchor"
    default: return "\(self)"
    }
  }
}

extension Holdfast.Verdict {
  /// Why it is trusted.
  fileprivate func sentence(_ purpose: Purpose?) -> String {
    let valid = Answer.valid(purpose)
    switch reason {
    case .validPath: return valid
    case .pinned(let match): return "\(valid), pinned: \(match)"
    case .reported: return "\(valid), but no pin matches, which is only reported"
    case .excluded(let pattern): return "\(valid), and excluded from pinning by \(pattern)"
    case .pinsExpired(let time): return "\(valid); the pins expired at \(time)"
    default: return "\(reason)"
    }
  }
}

extension TrustError {
  /// Key pinning.
  fileprivate static let pinCitation = "RFC 7469 §2.6"

  /// The rule of a rejection that is not about the path, the section, and what the answer is.
  fileprivate var row: (name: String, citation: String?, verdict: Answer.Verdict) {
    switch self {
    case .invalidHost: ("invalidHost", nil, .rejected)
    case .noHost: ("noHost", nil, .rejected)
    case .emptyChain: ("emptyChain", nil, .rejected)
    case .invalidCertificate: ("invalidCertificate", nil, .unreadable)
    case .invalidStaple: ("invalidStaple", nil, .rejected)
    case .unknownHost: ("unknownHost", TrustError.pinCitation, .rejected)
    case .invalidPath: ("invalidPath", nil, .rejected)
    case .pinMismatch, .noPinFound: ("pinMismatch", TrustError.pinCitation, .pinMismatch)
    case .pinsExpired: ("pinsExpired", TrustError.pinCitation, .rejected)
    // What a TLS client does with timestamps.
    case .insufficientTransparency: ("insufficientTransparency", "RFC 6962 §3.3", .rejected)
    case .rejected: ("rejected", nil, .rejected)
    case .custom: ("custom", nil, .rejected)
    @unknown default: ("rejected", nil, .rejected)
    }
  }

  /// What is wrong, in one line.
  fileprivate var sentence: String {
    switch self {
    case .insufficientTransparency(_, let report): report.summary
    case .unknownHost(let host): "there are no pins for \(host)"
    default: "\(self)".firstLine
    }
  }
}

extension String {
  /// The text up to its first line break.
  var firstLine: String { String(prefix { $0 != "\n" }) }
}
