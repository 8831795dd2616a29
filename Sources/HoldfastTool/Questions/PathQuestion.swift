internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastConfigurations
internal import HoldfastJSON

/// What `verify` is asked: a chain, what it is for, and what is trusted.
struct PathQuestion {
  /// The certificates of the command line, the leaf first; never empty.
  let chain: [Certificate]
  private(set) var input: Answer.Input
  let purpose: Purpose
  let time: Timestamp
  let validator: PathValidator
  /// The pins and the timestamps of a server; nil if neither is asked about.
  private(set) var server: ServerQuestion?
  /// The timestamps that a server has sent.
  var timestamps: [UInt8]?
  /// What of the chain cannot be read.
  var unreadable: [UnreadableCertificate] = []

  static let host: Option<HostName?> = .host("--host", "the DNS name or IP address of the server")
  static let use: Option<Use> = .choice(
    "--purpose", "USE", "what the certificate is for", default: .server)
  static let email: Option<Purpose?> = .word(
    "--email", "ADDRESS", "whose certificate, with --purpose email", expected: "an e-mail address"
  ) { text throws(HostNameError) in .email(try Mailbox(text)) }
  static let anchors: Option<[String]> = .files("--anchors", "trust these certificates")
  static let rules: Option<RulePreset> = .choice("--rules", "NAME", "how strict", default: .webPKI)

  /// The options that tell a question.
  static let options: [OptionGroup] =
    [[host, anchors, CommonOptions.at, ExpiryWarning.days, CommonOptions.json]]
    + [OptionGroup("what the certificate is for, and how strict", [use, email] + strictness)]
    + [WorkloadQuestion.options]
    + [PinOptions.options] + trustOptions + [FetchQuestion.options, ExplanationPage.options]

  /// The options that tell whom else to trust, and how strictly.
  static let strictness: [any CommandOption] = [
    TrustOption.store, TrustOption.certificates, TrustOption.merkleTrust, rules,
  ]

  /// The options for what is known of a chain beside its certificates.
  static let trustOptions = [
    RevocationQuestion.options, TransparencyQuestion.options, PasswordSource.options,
  ]

  /// What may follow the name of a command that takes a question.
  static let usage =
    "CHAIN [CA]… --host NAME [--anchors FILE]… [--crl FILE]… [--ocsp FILE]… [--json]"

  /// What a certificate is for, in the words of the command line.
  enum Use: String, Choice {
    case server, client, peer, code, email, time, ocsp, any

    /// The purpose; nil for those that need a name.
    var purpose: Purpose? {
      switch self {
      case .server, .peer, .email: nil
      case .client: .client
      case .code: .codeSigning
      case .time: .timeStamping
      case .ocsp: .ocspSigning
      case .any: .any
      }
    }
  }
}

extension RulePreset: Choice {}

extension PathQuestion {
  /// The question of a command line.
  init(_ call: Invocation) throws(UsageError) {
    try self.init(
      call, files: try call.files(), try PathQuestion.purpose(call), try FetchQuestion(call))
  }

  init(
    _ call: Invocation, files: [String], _ purpose: Purpose, _ fetch: FetchQuestion?
  ) throws(UsageError) {
    self.purpose = purpose
    var session = try InputSession(call)
    let chain = try session.chain(of: files)
    unreadable = session.unreadableCertificates
    let anchors = try PathQuestion.readAnchors(call, &session)
    // What proofs say, where they may count.
    let proofs = anchors.anchors.haveTrees ? chain.compactMap(MerkleTreeReport.init) : []
    let known = try RevocationQuestion.read(call, &session)
    let rules = call[PathQuestion.rules].rules
    var material = FetchedInput(
      chain, known?.revocation, known?.sources ?? RevocationSources(), unreadable: unreadable,
      at: call[CommonOptions.at])
    material.fetch(fetch, purpose, PathValidator(anchors: anchors.anchors, rules: rules))
    self.chain = material.chain
    time = material.time
    server = try ServerQuestion(call, purpose)
    validator = PathValidator(
      anchors: anchors.anchors, rules: rules, revocation: material.revocation
    ).with(server?.transparency)
    input = Answer.Input(
      files: files, trust: anchors.description, remarks: anchors.remarks + proofs.map { $0.text },
      purpose: purpose,
      time: time, unreadable: session.problems.map { Answer.Note($0) }, sources: material.sources,
      words: Answer.options)
    input.fetched = material.notes
  }

  /// What is asked of a validator or a manager.
  var question: Question {
    var question = Question(chain, for: purpose, at: time, unreadable: unreadable)
    question.timestamps = timestamps
    return question
  }

  /// The anchors of a command line.
  static func readAnchors(
    _ call: Invocation, _ session: inout InputSession
  ) throws(UsageError) -> TrustOption.Anchors {
    try TrustOption.addTrees(call, to: try readOtherAnchors(call, &session))
  }

  private static func readOtherAnchors(
    _ call: Invocation, _ session: inout InputSession
  ) throws(UsageError) -> TrustOption.Anchors {
    try call.checkOne(of: [anchors, TrustOption.store, WorkloadQuestion.bundles])
    if call.has(WorkloadQuestion.bundles) { return try WorkloadQuestion.anchors(call) }
    let files = call[anchors]
    guard !files.isEmpty else {
      return try TrustOption.read(call, at: call[CommonOptions.at] ?? .now)
    }
    // One bad root in a bundle does not discard the others; it has been named on the way.
    let certificates = session.certificates(of: files)
    guard !certificates.isEmpty else {
      throw .badInput("there is no certificate in --anchors, so nothing is trusted")
    }
    // What is asked of their certificates is meant, although they are not the system's.
    return TrustOption.Anchors(
      anchors: AnchorSet(certificates, arePublic: call.has(TransparencyQuestion.list)),
      description: nil)
  }

  private static func purpose(_ call: Invocation) throws(UsageError) -> Purpose {
    let (use, host, email) = (call[use], call[host], call[email])
    if let purpose = try WorkloadQuestion.purpose(call, use) { return purpose }
    if host != nil && use != .server && use != .peer {
      throw .conflict("--host goes with --purpose server or peer")
    }
    if email != nil && use != .email { throw .conflict("--email goes with --purpose email") }
    if let purpose = use.purpose ?? email { return purpose }
    guard let host else {
      throw use == .email
        ? .missingOption("--email", "ADDRESS") : .missingOption("--host", "NAME")
    }
    return use == .peer ? .peer(host) : .server(host)
  }
}

/// What is asked of servers beside their paths: pins, and the timestamps of logs.
struct ServerQuestion: Sendable {
  /// The pins for each host, by its place in the command line.
  private let pins: [PinOptions.Pins]
  /// Whether there are pins; else only timestamps are asked about.
  private let hasPins: Bool
  let transparency: TransparencyCheck?

  /// The question of a command line about some hosts.
  init(_ call: Invocation, for hosts: [HostName]) throws(UsageError) {
    transparency = try TransparencyQuestion.read(call)
    hasPins = call.has(PinOptions.configuration) || call.has(PinOptions.pin)
    pins = try PinOptions.pins(call, for: hosts)
  }

  /// The question about one purpose; nil if there are neither pins nor a list of logs.
  fileprivate init?(_ call: Invocation, _ purpose: Purpose) throws(UsageError) {
    let host: HostName? = if case .host(let name)? = purpose.identity { name } else { nil }
    try self.init(call, for: host.map { [$0] } ?? [])
    guard hasPins || transparency != nil else { return nil }
    guard purpose.workloads != nil || purpose.extendedKeyUsages.count < 2 else {
      throw .conflict("pins and timestamps are for servers, not for --purpose peer")
    }
    guard host != nil else {
      throw .conflict(
        hasPins
          ? "pins are for servers: --pin and --pins go with --host"
          : "timestamps are for servers: --log-list goes with --host")
    }
  }

  /// What decides about the host at a place.
  func manager(
    _ index: Int, _ validator: PathValidator, _ revocation: Revocation?
  ) -> TrustManager {
    if let configuration = pins[index].configuration {
      return TrustManager(
        configuration: configuration, anchors: validator.anchors, rules: validator.rules,
        revocation: revocation, transparency: transparency)
    }
    return TrustManager(
      pins: pins[index].table, anchors: validator.anchors, rules: validator.rules,
      revocation: revocation, transparency: transparency,
      otherHosts: hasPins ? .reject : .validate)
  }

  /// The answer about the host at a place.
  func answer(
    _ outcome: TrustOutcome, _ input: Answer.Input, _ index: Int, _ host: HostName,
    at time: Timestamp
  ) -> Answer {
    Answer(
      outcome, input, pins: hasPins ? pins[index].table.selection(for: host, at: time) : nil,
      of: pins[index].configuration)
  }
}

extension PathQuestion {
  /// Whether the chain is trusted, and why not; and which certificate was not judged.
  var answer: Answer {
    var answer = decision
    answer.note(chain, limit: 1 + validator.limits.candidates)
    return answer
  }

  private var decision: Answer {
    guard let server, let host = input.host else {
      do throws(PathError) {
        let path = try validator.validate(question)
        return Answer(path, nil, input)
      } catch {
        return Answer(error, input)
      }
    }
    let manager = server.manager(0, validator, validator.revocation)
    let outcome = Result { () throws(TrustError) in
      try manager.evaluate(question)
    }
    return server.answer(outcome, input, 0, host, at: time)
  }

  /// The answer with every path that was tried, and every rule that each breaks.
  func explained(_ answer: Answer) -> Answer { answer.explained(question, by: validator) }
}

extension Answer {
  /// Writes the answer: as a line of JSON or as text.
  ///
  /// Where `--html` has put a page on standard output, that is the answer, and nothing is added.
  func write(_ call: Invocation) {
    guard !call.has(ExplanationPage.file) || call[ExplanationPage.file] != "-" else { return }
    guard call[CommonOptions.json] else { return call.console.report(text(TextStyle(call))) }
    call.console.write(json)
  }

  /// The answer as one line of JSON.
  var json: String {
    var writer = AnswerWriter()
    writer.write(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
