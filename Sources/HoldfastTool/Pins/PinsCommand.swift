internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastConfigurations
internal import HoldfastJSON

/// What `pins` does.
enum PinsAction: String, Choice { case lint, simulate, convert }

/// The options of `pins` alone.
enum PinsOptions {
  static let chains: Option<[String]> = .files(
    "--chain", "what a host shows or is going to show, the server's certificate first")
  static let host: Option<HostName?> = .host("--host", "the host, where CONFIG does not name it")
  static let from: Option<Timestamp?> = .time("--from", "where it begins; now without it")
  static let to: Option<Timestamp?> = .word(
    "--to", "TIME", "where it ends; when the last chain expires, or after two years, without it",
    expected: "a time like 2026-03-01T12:00:00Z; for a format, use --to-format"
  ) { Timestamp($0) }
  static let target: Option<PinConfiguration.Format?> = .choice(
    "--to-format", "NAME", "what is written")
  static let place: Option<Place?> = .choice(
    "--place", "PLACE", "for nsPinnedDomains: where pins for any place count")

  /// The options of one action alone.
  static let own: [(PinsAction, [any CommandOption])] = [
    (.lint, [CommonOptions.at.described("validate at this time")]),
    (
      .simulate,
      [
        from, to, PathQuestion.anchors.described("trust these; may be repeated"),
        TrustOption.store, TrustOption.certificates,
      ]
    ),
    (.convert, [target, place, CommonOptions.output, CommonOptions.force]),
  ]

  /// Where a pin counts in `NSPinnedDomains`.
  enum Place: String, Choice {
    case leaf, authority

    var scope: PinScope {
      switch self {
      case .leaf: .leaf
      case .authority: .authority
      }
    }
  }
}

extension Command {
  /// `holdfast pins`: looks through configurations of pins, ahead in time, and from one into
  /// another.
  static let pinsCommand = Command(
    name: "pins",
    summary: "checks configurations of pins, looks ahead, converts them",
    usage:
      "\(PinsAction.names.joined(separator: "|")) CONFIG [--chain FILE]… [--host NAME] "
      + "[--to-format NAME] [--json]",
    options: [
      [
        PinsOptions.chains, PinsOptions.host, PinOptions.format, PinOptions.expired,
        CommonOptions.json,
      ]
    ] + PinsOptions.own.map { OptionGroup($0.rawValue, $1) },
    choices: PinsAction.names,
    examples: """
      holdfast pins lint TrustKit.plist
          what will hurt: no backup, expired, misspelt
      holdfast pins lint network_security_config.xml --chain chain.pem
          the same beside the chain that a host shows: hashes of the wrong thing, no way back
      holdfast pins simulate Info.plist --chain now.pem --chain next.pem --to 2028-01-01
          when it breaks, and who is locked out when a key is replaced
      holdfast pins convert TrustKit.plist --to-format android -o network_security_config.xml
          the same pins for another system; what is lost goes to standard error
      """,
    run: pins)

  private static func pins(_ call: Invocation) throws(UsageError) -> ExitStatus {
    let operands = call.operands
    guard operands.count == 2 else {
      throw .conflict("name what to do (\(listed(PinsAction.names))) and one CONFIG")
    }
    let action = try PinsAction.read(operands[0], "pins")
    for (other, options) in PinsOptions.own where other != action {
      guard let option = options.first(where: call.has) else { continue }
      throw .conflict("\(option.name) is for pins \(other), not for \(action)")
    }
    let configuration = try PinOptions.read(operands[1], call, host: call[PinsOptions.host])
    guard action == .simulate || configuration.format == .curl || !call.has(PinsOptions.host) else {
      throw .conflict(
        "--host is for simulate, and for pins of curl, which name no host: this configuration does")
    }
    var chains: [[Certificate]] = []
    var session = try InputSession(call)
    for file in call[PinsOptions.chains] {
      let chain = session.certificates(of: [file])
      guard !chain.isEmpty else { throw .reported(session.problems) }
      chains.append(chain)
    }
    switch action {
    case .lint: return lint(configuration, chains, call)
    case .simulate: return try simulate(configuration, chains, call)
    case .convert: return try convert(configuration, call)
    }
  }

  /// `findings` has `severity`, `name`, `subject` and `message` of each; the worst is the first.
  private static func lint(
    _ configuration: PinConfiguration, _ chains: [[Certificate]], _ call: Invocation
  ) -> ExitStatus {
    let findings = PinLint.findings(
      of: configuration, chains: chains, at: call[CommonOptions.at] ?? .now)
    let isClean = findings.allSatisfy { $0.severity == .note }
    let count = configuration.table.entries.count
    var document = Document(
      title: "\(configuration.format.name): \(count) \(count == 1 ? "entry" : "entries")")
    document.add("version", 1)
    document.add("format", configuration.format.rawValue)
    document.add("entries", count)
    document.addLines("findings", findings)
    if isClean {
      document.addLines(
        nil, "no error and no warning, \(findings.count) note\(findings.count == 1 ? "" : "s")")
    }
    call.write(document)
    return isClean ? .trusted : .rejected
  }

  private static func convert(
    _ configuration: PinConfiguration, _ call: Invocation
  ) throws(UsageError) -> ExitStatus {
    guard let format = call[PinsOptions.target] else {
      throw .missingOption("--to-format", "(\(listed(PinConfiguration.Format.names)))")
    }
    let written: PinConfiguration.Written
    do throws(ConfigurationError) {
      written = try configuration.written(as: format, placing: call[PinsOptions.place]?.scope)
    } catch {
      let isPlaced =
        call.has(PinsOptions.place)
        || (try? PinConfiguration.write(configuration.table, as: format, placing: .leaf)) == nil
      let reason = "\(error)" + (isPlaced ? "" : " with --place leaf or --place authority")
      call.console.message("holdfast: \(printable(reason))\n")
      let answer = Answer(
        verdict: .rejected, reason: reason,
        input: Answer.Input(files: Array(call.operands.dropFirst())))
      if call[CommonOptions.json] { answer.write(call) }
      return .rejected
    }
    for loss in written.losses { call.console.message("holdfast: \(printable("\(loss)"))\n") }
    let text = written.text.hasSuffix("\n") ? written.text : written.text + "\n"
    try FileWriter(call).write(text.utf8, to: call[CommonOptions.output])
    return .trusted
  }
}

extension PinFinding: DocumentValue {
  var json: JSONValue {
    .object([
      "severity": .string(severity.name), "name": .string(name), "subject": .string(subject),
      "message": .string(message),
    ])
  }
}
