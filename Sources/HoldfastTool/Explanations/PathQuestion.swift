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
  /// What could not be read beside the leaf: it counts for nothing, and is named with the answer.
  let unreadable: [InputProblem]

  static let host: Option<HostName?> = .host("--host", "the DNS name or IP address of the server")
  static let use: Option<Use> = .choice(
    "--purpose", "USE", "what the certificate is for", default: .server)
  static let email: Option<Purpose?> = .value(
    "--email", "ADDRESS", "whose certificate, with --purpose email"
  ) { text throws(ValueError) in
    do throws(HostNameError) {
      return try .email(text)
    } catch {
      throw .unexpected(text, expected: "an e-mail address: \(error)")
    }
  }
  static let anchors: Option<[String]> = .files("--anchors", "trust these certificates")
  static let system: Option<Bool> = .flag(
    "--system", "trust the anchors of the system, as without --anchors")
  static let rules: Option<RulePreset> = .choice(
    "--rules", "NAME", "how strict", default: .webPKI)

  /// The options that tell a question.
  static let options: [any CommandOption] = [host, use, email] + trustOptions

  /// The options that tell what is trusted, when and how strictly.
  static let trustOptions: [any CommandOption] =
    [anchors, system, CommonOptions.at, rules] + RevocationQuestion.options
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

/// The presets of rules.
enum RulePreset: String, Choice {
  case webPKI, rfc5280, apple, strict, strictRFC5280

  /// The rules of the preset.
  var rules: ValidationRules {
    switch self {
    case .webPKI: .webPKI
    case .rfc5280: .rfc5280
    case .apple: .apple
    case .strict: .strict
    case .strictRFC5280: .strictRFC5280
    }
  }
}

extension PathQuestion {
  /// Writes an answer: as a line of JSON, with `unreadable`, if there is something, as its last
  /// member, or as text that says which list and which OCSP response is which.
  ///
  /// Where `--html` has put a page on standard output, that is the answer, and nothing is added.
  func write(_ answer: Document, _ arguments: Arguments, _ console: inout Console) {
    guard !arguments.has(ExplanationPage.file) || arguments[ExplanationPage.file] != "-" else {
      return
    }
    var answer = answer
    answer.addLines(nil, revocation?.sources ?? [])
    if !unreadable.isEmpty { answer.add("unreadable", unreadable) }
    console.write(
      arguments[CommonOptions.json]
        ? answer.line + "\n" : answer.text(TextStyle(arguments, console)))
  }

  /// The question of a command line.
  init(_ arguments: Arguments, _ console: inout Console) throws(UsageError) {
    let files = try arguments.files()
    purpose = try PathQuestion.purpose(arguments)
    time = arguments[CommonOptions.at] ?? .now
    let passwords = try PasswordSource(arguments, console)
    var session = InputSession(passwords: passwords)
    let chain = session.certificates(of: files, &console)
    // What is asked about is the first certificate. If that cannot be read, it is not the second.
    guard !session.beginsWithFailure, !chain.isEmpty else { throw .reported }
    self.chain = chain
    var unreadable = session.problems
    let anchors = try PathQuestion.readAnchors(arguments, &unreadable, &console)
    revocation = try RevocationQuestion.read(arguments, &unreadable, &console)
    validator = PathValidator(
      anchors: anchors, rules: arguments[PathQuestion.rules].rules,
      revocation: revocation?.revocation)
    self.unreadable = unreadable
  }

  /// The anchors of a command line.
  static func readAnchors(
    _ arguments: Arguments, _ unreadable: inout [InputProblem], _ console: inout Console
  ) throws(UsageError) -> AnchorSet {
    let files = arguments[anchors]
    guard !files.isEmpty else {
      do throws(SystemAnchorsError) {
        return try AnchorSet.system()
      } catch {
        throw .badInput(printable("\(error)"))
      }
    }
    if arguments[system] { throw .conflict("--anchors and --system cannot be used together") }
    // One bad root in a bundle does not discard the others; it has been named on the way.
    var session = InputSession(passwords: try PasswordSource(arguments, console))
    let certificates = session.certificates(of: files, &console)
    unreadable += session.problems
    guard !certificates.isEmpty else {
      throw .badInput("there is no certificate in --anchors, so nothing is trusted")
    }
    return AnchorSet(certificates)
  }

  private static func purpose(_ arguments: Arguments) throws(UsageError) -> Purpose {
    let (use, host, email) = (arguments[use], arguments[host], arguments[email])
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
