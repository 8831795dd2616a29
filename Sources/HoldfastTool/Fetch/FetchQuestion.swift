internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastJSON
internal import HoldfastOnline

#if Curl
  internal import HoldfastHTTP
#endif

/// What a command line lets be fetched: `--fetch`, `--cache`, `--fetch-from`, `--fetch-port`,
/// `--fetch-rate`, `--proxy`. All questions of a run share the cache and the requests on their way.
struct FetchQuestion: Sendable {
  let policy: FetchPolicy
  /// It has no anchors; each question brings its own.
  private let online: OnlineValidator
  /// Shows what is being asked; nil if that is not shown.
  private let progress: FetchProgress?

  static let kinds: Option<Set<FetchKind>?> = .word(
    "--fetch", "WHAT", "fetch over http what is missing: issuers, ocsp, crl, with commas, or all",
    expected: "issuers, ocsp and crl with commas between, or all"
  ) { text in
    if text == "all" { return Set(FetchKind.allCases) }
    let kinds = text.split(separator: ",").map { FetchKind(rawValue: String($0)) }
    return kinds.contains(nil) || kinds.isEmpty ? nil : Set(kinds.compactMap(\.self))
  }
  static let folder: Option<String?> = .file(
    "--cache", "keep what was fetched in this folder", placeholder: "FOLDER")
  static let ranges: Option<[AddressRange]> = .words(
    "--fetch-from", "RANGE",
    "also from hosts at these addresses, as 10.0.0.0/8; only from public ones otherwise",
    expected: "a range of addresses, as 10.0.0.0/8"
  ) { try? AddressRange($0) }
  static let ports: Option<[UInt16]> = .words(
    "--fetch-port", "PORT", "also from this port; only from 80 otherwise",
    expected: "a number from 1 to 65535"
  ) { UInt16($0).flatMap { $0 > 0 ? $0 : nil } }

  static let rate: Option<Int?> = .number(
    "--fetch-rate", "the most requests a second to one host; \(usualRate) otherwise", 1...1_000)
  private static let usualRate = 4

  /// Those of a command that asks servers of its own, too.
  static let ownOptions = OptionGroup("fetching", [kinds, folder, ranges, ports])
  /// The same, if they may be many.
  static let ownOptionsForMany = OptionGroup("fetching", ownOptions.options + [rate])
  static let options = OptionGroup("fetching", ownOptions.options + ProxyOption.options)
  /// Those of a command that may ask about many chains.
  static let optionsForMany = OptionGroup("fetching", options.options + [rate])

  /// The question of a command line; nil if nothing may be fetched.
  ///
  /// - Parameters:
  ///   - asksForMany: Whether it is about many chains, so that no host is asked too often.
  ///   - asksServers: Whether the command asks servers of its own, through the same proxy.
  init?(
    _ call: Invocation, asksForMany: Bool = false, asksServers: Bool = false
  ) throws(UsageError) {
    guard call.has(FetchQuestion.kinds) else {
      let group = asksServers ? FetchQuestion.ownOptionsForMany : FetchQuestion.optionsForMany
      for option in group.options where call.has(option) {
        throw .missingOption("--fetch", "WHAT")
      }
      return nil
    }
    try self.init(fetching: call, asksForMany: asksForMany)
  }

  /// The question of a command that fetches in any case.
  init(fetching call: Invocation, asksForMany: Bool = false) throws(UsageError) {
    #if Curl
      var policy = FetchQuestion.policy(call)
      if let rate = call[FetchQuestion.rate] ?? (asksForMany ? FetchQuestion.usualRate : nil) {
        policy.hostInterval = .seconds(1) / rate
      }
      self.policy = policy
      let fetcher = HTTPFetcher(
        allowing: call[FetchQuestion.ranges], proxy: try ProxyOption.proxy(call))
      // A run about many chains shows how many are done instead.
      progress =
        call.console.showsProgress && !asksForMany ? FetchProgress(of: fetcher) : nil
      let cache: FetchCache
      do throws(FetchCacheError) {
        cache =
          try call[FetchQuestion.folder].map { folder throws(FetchCacheError) in
            try FetchCache(directory: folder)
          } ?? FetchCache()
      } catch {
        throw .badInput(printable("\(error)"))
      }
      online = OnlineValidator(
        PathValidator(anchors: AnchorSet([])), fetching: progress ?? fetcher, policy: policy,
        cache: cache)
    #else
      throw .conflict("this tool was built without requests: build it with --traits Curl")
    #endif
  }

  /// What may be fetched: all kinds, unless the command line says otherwise.
  static func policy(_ call: Invocation) -> FetchPolicy {
    var policy = FetchPolicy(call[kinds] ?? Set(FetchKind.allCases))
    policy.ports.formUnion(call[ports])
    policy.settings = .commandLine
    return policy
  }

  /// Answers a request with what is fetched for it.
  ///
  /// - Parameter validator: The anchors and the rules.
  func answer(to request: Question, _ validator: PathValidator) async -> OnlineAnswer {
    defer { progress?.end() }
    return await online.with(validator).answer(to: request)
  }
}

/// A chain, and what is known beside it, with what was fetched for it.
struct FetchedInput {
  var chain: [Certificate]
  var revocation: Revocation?
  var sources: RevocationSources
  /// What was asked for.
  private(set) var reports: [FetchReport] = []
  /// The same, as answers have it.
  var notes: [Answer.Note] { reports.map { Answer.Note($0) } }
  /// What of the chain cannot be read.
  let unreadable: [UnreadableCertificate]
  /// The time to validate at. Without one in the command line it is that at which the last response
  /// had come: a responder may have signed it a moment ago.
  private(set) var time: Timestamp
  private let asksForNow: Bool

  /// - Parameter time: The time of the command line; nil for now.
  init(
    _ chain: [Certificate], _ revocation: Revocation?, _ sources: RevocationSources,
    unreadable: [UnreadableCertificate], at time: Timestamp?
  ) {
    (self.chain, self.revocation, self.sources) = (chain, revocation, sources)
    self.unreadable = unreadable
    (self.time, asksForNow) = (time ?? .now, time == nil)
  }

  /// Adds what is missing for a path, if the command line lets it be fetched.
  ///
  /// - Parameter validator: The anchors and the rules.
  mutating func fetch(
    _ question: FetchQuestion?, _ purpose: Purpose, _ validator: PathValidator
  ) {
    guard let question else { return }
    let request = request(purpose)
    add(Waiting.value { await question.answer(to: request, validator) })
  }

  /// The same, for a caller that need not block its thread.
  mutating func fetch(
    _ question: FetchQuestion, _ purpose: Purpose, _ validator: PathValidator
  ) async {
    add(await question.answer(to: request(purpose), validator))
  }

  private func request(_ purpose: Purpose) -> Question {
    Question(
      chain, for: purpose, at: asksForNow ? nil : time, revocation: revocation,
      unreadable: unreadable)
  }

  private mutating func add(_ answer: OnlineAnswer) {
    (chain, revocation, reports) = (answer.chain, answer.revocation, answer.fetches)
    time = answer.time
    for report in reports {
      switch report.source {
      case .crl(let index): sources.crls.set(report.url, at: index)
      case .ocspResponse(let index): sources.ocspResponses.set(report.url, at: index)
      default: break
      }
    }
  }
}

extension FetchSettings {
  /// The options.
  static let commandLine = FetchSettings(
    ports: FetchQuestion.ports.name, addresses: FetchQuestion.ranges.name)
}

extension FetchReport {
  /// What became of it, in the words of the command line.
  var text: String { text(.commandLine) }

  fileprivate var json: JSONValue {
    var document: Document = ["kind": kind.rawValue, "url": url]
    switch outcome {
    case .fetched(let count): document.addMembers(of: ["outcome": "fetched", "bytes": count])
    case .cached: document.add("outcome", "cached")
    case .unchanged: document.add("outcome", "unchanged")
    case .failed(let error):
      document.addMembers(of: ["outcome": "failed", "reason": error.text(.commandLine)])
    @unknown default: document.addMembers(of: ["outcome": "failed", "reason": "\(outcome)"])
    }
    return document.json
  }
}

extension Answer.Note {
  /// What was asked of a server of a CA.
  init(_ report: FetchReport) {
    var failure: String?
    if case .failed = report.outcome, report.kind == .issuers {
      failure = "not fetched: \(report.text)"
    }
    self.init(report.text, report.json, hint: failure)
  }
}

extension Answer.Input {
  /// The input with what was fetched, and the time at which it had come.
  func with(_ material: FetchedInput) -> Answer.Input {
    var input = self
    input.sources = material.sources
    input.fetched = material.notes
    input.time = material.time
    return input
  }
}

extension [String] {
  /// Sets an element, after empty ones if there are fewer.
  fileprivate mutating func set(_ text: String, at index: Int) {
    while count <= index { append("") }
    self[index] = text
  }
}
