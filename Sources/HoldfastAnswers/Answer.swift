package import Holdfast
internal import HoldfastDER
package import HoldfastJSON

/// The one answer of all that judges certificates: of the tool's commands, and of `holdfast_policy_ask` in C.
///
/// Text, page and JSON render this value. What only some answers have is a section: an optional
/// property here and a line in `AnswerWriter`, or a member of a program's own `AnswerSections`; and
/// an entry of `Documentation/answer.schema.json`.
package struct Answer: Sendable {
  package let verdict: Verdict
  /// The name of the broken rule, or of the case of `TrustError`; nil if nothing is wrong.
  package var rule: String?
  /// The stable identifier of the error: of a request that failed, too; nil if nothing is wrong.
  package var code: String?
  /// The section that states the rule.
  package var citation: String?
  /// One sentence: what an engineer would say aloud.
  package var reason: String
  /// What may help, the most useful first.
  package var hints: [String] = []
  /// The valid path, the leaf first; else that of the nearest miss, as far as it got.
  package var path: [Certificate] = []
  /// The anchor of the path, if it reaches one.
  package var anchor: TrustAnchor?
  /// Whether the path is valid, even if it is rejected for another reason.
  package private(set) var hasValidPath = false
  /// The paths that were tried, the nearest miss first.
  package var attempts: [PathError.Attempt] = []
  /// Whether they are all that were tried.
  package private(set) var hasAllRejections = false
  /// How many more paths were tried.
  package var omitted = 0
  /// What is known of revocations, for each certificate of the valid path; empty if not checked.
  package var revocation: [CertificateRevocation] = []
  /// What may seem to be checked, and was not.
  package var unchecked: [UncheckedItem] = []
  /// What was asked.
  package var input: Input

  /// The version of the library and of the tool.
  package static let version: StaticString = "0.1.0"

  // Sections.

  /// The limit that ended the search.
  package var limit: LimitReached?
  /// The certificate policies of the valid path, if the rules ask for them.
  package var policies: [OID]?
  /// What became of the pins; nil without pins.
  package var pins: Pins?
  /// What the timestamps of logs prove; nil if they were not looked at.
  package var transparency: TransparencyReport?
  /// The sections of the program that answers; nil if it has none.
  package var sections: (any AnswerSections)?

  /// The answer in one word. In JSON, too: these names are a promise.
  package enum Verdict: String, Sendable, CaseIterable {
    case trusted, rejected, pinMismatch, exhausted, unreadable, unreachable, usage
  }

  /// What was asked, in the words of the user.
  package struct Input: Sendable {
    /// The files that were named.
    package var files: [String]
    /// What is trusted, if the command line does not name certificates.
    package var trust: String?
    /// What should be known about that.
    package var remarks: [String]
    /// The server as `connect` was given it.
    package var address: String?
    /// The line of a stream of requests, from 1.
    package var line: Int?
    package var purpose: Purpose?
    package var time: Timestamp?
    /// What could not be read. Of revocation data it makes a status unknown.
    package var unreadable: [Note]
    /// Where what is known of revocations came from.
    package var sources: RevocationSources
    /// What was asked of servers of CAs.
    package var fetched: [Note] = []
    /// What may help in the words of the program that answers; nil in those of the library.
    package var words: (@Sendable (Advice, Input) -> String?)?

    package init(
      files: [String] = [], trust: String? = nil, remarks: [String] = [], address: String? = nil,
      line: Int? = nil, purpose: Purpose? = nil, time: Timestamp? = nil, unreadable: [Note] = [],
      sources: RevocationSources = RevocationSources(),
      words: (@Sendable (Advice, Input) -> String?)? = nil
    ) {
      self.files = files
      self.trust = trust
      self.remarks = remarks
      self.address = address
      self.line = line
      self.purpose = purpose
      self.time = time
      self.unreadable = unreadable
      self.sources = sources
      self.words = words
    }

    /// The host, if the purpose is a server of that name.
    package var host: HostName? {
      if case .host(let host)? = purpose?.identity { host } else { nil }
    }
  }

  /// Something that happened before the answer, in words and for programs.
  package struct Note: Sendable, CustomStringConvertible {
    package let description: String
    package let json: JSONValue
    /// What it explains if an issuer is missing; nil if nothing.
    package let hint: String?

    package init(_ description: String, _ json: JSONValue, hint: String? = nil) {
      self.description = description
      self.json = json
      self.hint = hint
    }
  }

  /// What may help.
  package enum Advice {
    /// What may help against the error of a path, whose leaf this is.
    case path(PathError.Hint, leaf: Certificate?)
    /// What may help if the timestamps of logs are not enough.
    case transparency(TransparencyReport)
  }

  /// Creates an answer that is not about a path.
  package init(
    verdict: Verdict, rule: String? = nil, code: String? = nil, citation: String? = nil,
    reason: String, hints: [String] = [], input: Input
  ) {
    self.verdict = verdict
    self.rule = rule
    self.code = code
    self.citation = citation
    self.reason = reason
    self.hints = hints
    self.input = input
  }

  package var isTrusted: Bool { verdict == .trusted }

  /// The rules that were broken, those of the nearest miss first.
  package var rejections: [PathError.Rejection] { attempts.flatMap { $0.rejections } }
}

/// The sections that only one program has. A class, because a program without the runtime of Swift
/// has no other values of unknown type.
package protocol AnswerSections: AnyObject, Sendable {
  /// The members of the document, after those of all answers.
  func members(of answer: Answer) -> [JSONValue.Member]
  /// What is unchecked, if it is not what `Answer.unchecked` lists.
  var unchecked: [String]? { get }
}

/// What a `TrustManager` has decided.
package typealias TrustOutcome = Result<Holdfast.Verdict, TrustError>

extension Answer {
  /// The answer about a server.
  ///
  /// - Parameter pins: What was expected of the host; nil without pins.
  package init(_ outcome: TrustOutcome, _ input: Input, pins: PinTable.Selection? = nil) {
    switch outcome {
    case .success(let verdict): self.init(verdict, input)
    case .failure(let error): self.init(error, input)
    }
    if let pins { self.pins = Pins(pins, outcome) }
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
  package init(
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
  package static func valid(_ purpose: Purpose?) -> String {
    purpose.map { "valid for \($0)" } ?? "valid"
  }

  package mutating func add(_ path: ValidatedPath) {
    hasValidPath = true
    self.path = path.certificates
    anchor = path.anchor
    revocation = path.revocation
    policies = path.policies
  }

  package init(_ error: TrustError, _ input: Input) {
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
      hints = [input.words?(.transparency(report), input) ?? report.hint]
    default: break
    }
  }

  package init(_ error: PathError, _ input: Input) {
    let nearest = error.attempts.first?.rejections.first
    switch error.cause {
    case .limitReached(let limit):
      self.init(
        verdict: .exhausted, rule: "limitReached", reason: error.headline, input: input)
      self.limit = limit
    case .rejected where nearest?.rule == .veto:
      // No program of ours has rules of its own: what vetoes are the pins of a request.
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
    hints = error.hints.filter { $0 != .remedy(.veto) }.map {
      input.words?(.path($0, leaf: error.leaf), input) ?? "\($0)"
    }
    // A status that was asked for in vain says so itself.
    if nearest?.rule == .issuerNotFound { hints = input.fetched.compactMap { $0.hint } + hints }
    path = nearest?.path ?? []
    anchor = nearest?.anchor
    attempts = error.invalidAttempts
    hasAllRejections = nearest?.rule != .veto
    omitted = error.omitted
  }

  /// Notes which certificate of the chain was not judged, and that the chain has an unusual order.
  ///
  /// - Parameter limit: How many certificates the search looks at, because each is compared with all.
  package mutating func note(_ chain: [Certificate], limit: Int) {
    let looked = Array(chain.prefix(limit))
    if isTrusted, let other = looked.first(where: { $0.beginsOtherChain(than: looked) }) {
      hints.append(
        "\(PathText.name(other)) is no CA, has issued none of the others, and was not judged: ask "
          + "about each chain by itself")
    }
    noteOrder(of: looked)
  }

  /// Notes that the certificates of the path did not come in its order: some clients do not sort them.
  /// RFC 8446 §4.4.2.
  package mutating func noteOrder(of chain: [Certificate]) {
    guard isTrusted else { return }
    let shown = path + (anchor?.certificate.map { [$0] } ?? [])
    let places = shown.compactMap { chain.firstIndex(of: $0) }
    guard let late = zip(places, places.dropFirst()).first(where: { $0 > $1 }) else { return }
    hints.append(
      "the order of the chain is unusual: \(PathText.name(chain[late.1])) stands before "
        + "\(PathText.name(chain[late.0])), which it has issued; put the leaf first, and each issuer "
        + "after what it has issued (RFC 8446 §4.4.2)")
  }
}

extension Answer {
  /// The answer with every path that was tried, and every rule that each breaks.
  package func explained(_ question: Question, by validator: PathValidator) -> Answer {
    guard !hasAllRejections else { return self }
    let diagnosis = validator.diagnose(question)
    var answer = self
    answer.attempts = diagnosis.attempts
    answer.omitted = diagnosis.error?.omitted ?? 0
    answer.limit = diagnosis.limitReached
    guard !isTrusted else { return answer }
    if let path = diagnosis.path, !hasValidPath {
      answer.add(path)
    } else if !hasValidPath, let nearest = answer.attempts.first {
      (answer.path, answer.anchor) = (nearest.certificates, nearest.anchor)
    }
    if hints.isEmpty, let error = diagnosis.error { answer.hints = error.hints(input) }
    return answer
  }
}

extension PathError {
  /// What may help, in the words of the program that answers.
  fileprivate func hints(_ input: Answer.Input) -> [String] {
    hints.map { input.words?(.path($0, leaf: leaf), input) ?? "\($0)" }
  }
}

extension Certificate {
  /// Whether it belongs to another chain than the given one: it is no CA, as far as its version lets it
  /// say that, and has issued none of these.
  package func beginsOtherChain(than chain: [Certificate]) -> Bool {
    version == 3 && !isCA && self != chain.first
      && !chain.contains { $0 != self && $0.issuer.matches(subject) }
  }
}

extension PathError {
  /// The attempts that break a rule of their own: the caller vetoes what breaks no other.
  fileprivate var invalidAttempts: [Attempt] {
    attempts.filter { $0.violations.contains { $0.rule != .veto } }
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
  fileprivate var firstLine: String { String(prefix { $0 != "\n" }) }
}
