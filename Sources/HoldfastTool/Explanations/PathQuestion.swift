internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastJSON

/// What `verify` and `explain` are asked: a chain, what it is for, and what is trusted.
struct PathQuestion {
  /// The certificates of the command line, the leaf first; never empty.
  let chain: [Certificate]
  let purpose: Purpose
  let time: Timestamp
  let validator: PathValidator
  /// What is known of revocations, and where it came from; nil if the question is without them.
  let revocation: RevocationQuestion?
  /// Where what is known of revocations came from.
  var sources: RevocationSources { revocation?.sources ?? RevocationSources() }
  /// What could not be read beside the leaf: it counts for nothing, and is named with the answer.
  let unreadable: [InputProblem]
  /// Whether timestamps are looked at; nil if not.
  var transparency: TransparencyCheck?
  /// The timestamps that a server sent beside its certificate.
  var timestamps: [UInt8]?

  static let host: Option<HostName?> = .host("--host", "the DNS name or IP address of the server")
  static let use: Option<Use> = .choice(
    "--purpose", "USE", "what the certificate is for", default: .server)
  static let email: Option<Purpose?> = .email("--email", "whose certificate, with --purpose email")
  static let anchors: Option<[String]> = .files("--anchors", "trust these certificates")
  static let system: Option<Bool> = .flag(
    "--system", "trust the anchors of the system, as without --anchors")
  static let rules: Option<RulePreset> = .choice("--rules", "NAME", "how strict", default: .webPKI)

  /// The options that tell a question.
  static let options: [any CommandOption] = [host, use, email] + trustOptions

  /// The options that tell what is trusted, when and how strictly.
  static let trustOptions: [any CommandOption] =
    [anchors, system, CommonOptions.at, rules] + RevocationQuestion.options
    + TransparencyQuestion.options
    + PasswordSource.options + [CommonOptions.json]

  /// What may follow the name of a command that takes a question.
  static let usage = "CHAIN… --host NAME [--anchors FILE]… [--crl FILE]… [--ocsp FILE]… [--json]"

  /// What a certificate is for, in the words of the command line.
  enum Use: String, Choice {
    case server, client, code, email, time, ocsp, any

    /// The purpose; nil for those that need a name.
    var purpose: Purpose? {
      switch self {
      case .server, .email: nil
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
  /// Writes an answer: as a line of JSON, with `unreadable`, if there is something, as its last
  /// member, or as text.
  ///
  /// Where `--html` has put a page on standard output, that is the answer, and nothing is added.
  func write(_ answer: Document, _ call: Invocation) {
    guard !call.has(ExplanationPage.file) || call[ExplanationPage.file] != "-" else {
      return
    }
    var answer = answer
    if !unreadable.isEmpty { answer.add("unreadable", unreadable) }
    call.console.write(
      call[CommonOptions.json]
        ? answer.line + "\n" : answer.text(TextStyle(call)))
  }

  /// The question of a command line.
  init(_ call: Invocation) throws(UsageError) {
    let files = try call.files()
    purpose = try PathQuestion.purpose(call)
    time = call[CommonOptions.at] ?? .now
    var session = try InputSession(call)
    let chain = session.certificates(of: files)
    // What is asked about is the first certificate. If that cannot be read, it is not the second.
    guard !session.beginsWithFailure, !chain.isEmpty else { throw .reported }
    self.chain = chain
    let anchors = try PathQuestion.readAnchors(call, &session)
    revocation = try RevocationQuestion.read(call, &session)
    validator = PathValidator(
      anchors: anchors, rules: call[PathQuestion.rules].rules,
      revocation: revocation?.revocation)
    unreadable = session.problems
    transparency = try TransparencyQuestion.read(call)
  }

  /// The anchors of a command line.
  static func readAnchors(
    _ call: Invocation, _ session: inout InputSession
  ) throws(UsageError) -> AnchorSet {
    let files = call[anchors]
    guard !files.isEmpty else {
      do throws(SystemAnchorsError) {
        return try AnchorSet.system()
      } catch {
        throw .badInput(printable("\(error)"))
      }
    }
    if call[system] { throw .conflict("--anchors and --system cannot be used together") }
    // One bad root in a bundle does not discard the others; it has been named on the way.
    let certificates = session.certificates(of: files)
    guard !certificates.isEmpty else {
      throw .badInput("there is no certificate in --anchors, so nothing is trusted")
    }
    // What is asked of their certificates is meant, although they are not the system's.
    return AnchorSet(certificates, arePublic: call.has(TransparencyQuestion.list))
  }

  private static func purpose(_ call: Invocation) throws(UsageError) -> Purpose {
    let (use, host, email) = (call[use], call[host], call[email])
    if host != nil && use != .server { throw .conflict("--host goes with --purpose server") }
    if email != nil && use != .email { throw .conflict("--email goes with --purpose email") }
    if let purpose = use.purpose ?? email { return purpose }
    guard let host else {
      throw use == .email
        ? .missingOption("--email", "ADDRESS") : .missingOption("--host", "NAME")
    }
    return .server(host)
  }
}
