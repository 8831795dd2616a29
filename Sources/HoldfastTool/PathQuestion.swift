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
  /// What is known of revocations, and where it came from; nil if nobody asks.
  let revocation: RevocationQuestion?
  /// What could not be read beside the leaf: it counts for nothing, and is named with the answer.
  let unreadable: [InputProblem]

  /// The options that tell a question.
  static let options =
    [
      Option(name: "--host", value: "NAME", meaning: "the DNS name or IP address of the server"),
      Option(
        name: "--purpose", value: "USE",
        meaning: "server (the default), client, code, email, time, ocsp or any",
        choices: ["server", "client", "code", "email", "time", "ocsp", "any"]),
      Option(name: "--email", value: "ADDRESS", meaning: "whose certificate, with --purpose email"),
    ] + trustOptions

  /// The options that tell what is trusted, when and how strictly.
  static let trustOptions =
    [
      Option(
        name: "--anchors", value: "FILE", meaning: "trust these certificates; may be repeated"),
      Option(name: "--system", meaning: "trust the anchors of the system, as without --anchors"),
      Option(name: "--at", value: "TIME", meaning: "judge as of then: 2026-03-01T12:00:00Z"),
      Option(
        name: "--rules", value: "NAME",
        meaning: "webPKI (the default), rfc5280, apple, strict or strictRFC5280",
        choices: ["webPKI", "rfc5280", "apple", "strict", "strictRFC5280"]),
    ] + RevocationQuestion.options + PasswordSource.options + [.json]

  /// What may follow the name of a command that takes a question.
  static let usage = "CHAIN… --host NAME [--anchors FILE]… [--crl FILE]… [--ocsp FILE]… [--json]"

  /// The question of a command line; nil if a file could not be understood, which has been said then.
  static func read(
    _ arguments: Arguments, _ console: inout Console
  ) throws(UsageError) -> PathQuestion? {
    let files = try arguments.files()
    let purpose = try readPurpose(arguments)
    let rules = try readRules(arguments)
    let time = try arguments.time()
    var chain: [Certificate] = []
    // What is asked about is the first certificate. If that cannot be read, it is not the second.
    let passwords = try PasswordSource(arguments, console)
    let session = readCertificates(files, passwords, into: &chain, &console)
    guard !session.beginsWithFailure, !chain.isEmpty else { return nil }
    var unreadable = session.problems
    guard let anchors = try readAnchors(arguments, &unreadable, &console) else { return nil }
    let revocation = try RevocationQuestion.read(arguments, &unreadable, &console)
    guard revocation.isUnderstood else { return nil }
    return PathQuestion(
      chain: chain, purpose: purpose, time: time,
      validator: PathValidator(
        anchors: anchors, rules: rules, revocation: revocation.question?.revocation),
      revocation: revocation.question, unreadable: unreadable)
  }

  /// An answer as JSON, with `unreadable`, if there is something, as its last member.
  func json(_ answer: String) -> String {
    guard !unreadable.isEmpty, answer.hasSuffix("}") else { return answer }
    let problems = String(decoding: JSONValue.array(unreadable.map(\.json)).line, as: UTF8.self)
    return "\(answer.dropLast()),\"unreadable\":\(problems)}"
  }

  private static func readCertificates(
    _ files: [String], _ passwords: PasswordSource, into certificates: inout [Certificate],
    _ console: inout Console
  ) -> InputSession {
    var session = InputSession(passwords: passwords)
    session.read(files, &console) { _, content, _ in
      if case .certificate(let certificate) = content { certificates.append(certificate) }
    }
    return session
  }

  static func readAnchors(
    _ arguments: Arguments, _ unreadable: inout [InputProblem], _ console: inout Console
  ) throws(UsageError) -> AnchorSet? {
    let files = arguments.values("--anchors")
    guard !files.isEmpty else {
      do throws(SystemAnchorsError) {
        return try AnchorSet.system()
      } catch {
        console.message("holdfast: \(printable("\(error)"))\n")
        return nil
      }
    }
    if arguments.has("--system") {
      throw .conflict("--anchors and --system cannot be used together")
    }
    // One bad root in a bundle does not discard the others; it has been named on the way.
    var certificates: [Certificate] = []
    let passwords = try PasswordSource(arguments, console)
    unreadable += readCertificates(files, passwords, into: &certificates, &console).problems
    guard !certificates.isEmpty else {
      console.message("holdfast: there is no certificate in --anchors, so nothing is trusted\n")
      return nil
    }
    return AnchorSet(certificates)
  }

  private static func readPurpose(_ arguments: Arguments) throws(UsageError) -> Purpose {
    let use = try arguments.value("--purpose") ?? "server"
    let host = try arguments.value("--host")
    let address = try arguments.value("--email")
    if host != nil && use != "server" { throw .conflict("--host goes with --purpose server") }
    if address != nil && use != "email" { throw .conflict("--email goes with --purpose email") }
    switch use {
    case "server":
      guard let host else { throw .missingOption("--host", "NAME") }
      do throws(HostNameError) {
        return try .server(host)
      } catch {
        throw .badValue(option: "--host", value: host, expected: "a host: \(error)")
      }
    case "email":
      guard let address else { throw .missingOption("--email", "ADDRESS") }
      do throws(HostNameError) {
        return try .email(address)
      } catch {
        throw .badValue(option: "--email", value: address, expected: "an e-mail address: \(error)")
      }
    default:
      guard let purpose = purposes[use] else {
        throw .badValue(
          option: "--purpose", value: use,
          expected: "server, client, code, email, time, ocsp or any")
      }
      return purpose
    }
  }

  /// The purposes that need no name.
  static let purposes: [String: Purpose] = [
    "client": .client, "code": .codeSigning, "time": .timeStamping, "ocsp": .ocspSigning,
    "any": .any,
  ]

  static func readRules(_ arguments: Arguments) throws(UsageError) -> ValidationRules {
    let name = try arguments.value("--rules") ?? "webPKI"
    guard let rules = rules[name] else {
      throw .badValue(option: "--rules", value: name, expected: ruleNames)
    }
    return rules
  }

  /// The presets of rules.
  static let rules: [String: ValidationRules] = [
    "webPKI": .webPKI, "rfc5280": .rfc5280, "apple": .apple, "strict": .strict,
    "strictRFC5280": .strictRFC5280,
  ]
  static let ruleNames = "webPKI, rfc5280, apple, strict or strictRFC5280"
}

extension Arguments {
  /// The time of `--at`, or now.
  func time() throws(UsageError) -> Timestamp {
    guard let text = try value("--at") else { return .now }
    guard let time = Timestamp(text) else {
      throw .badValue(option: "--at", value: text, expected: "a time like 2026-03-01T12:00:00Z")
    }
    return time
  }
}
