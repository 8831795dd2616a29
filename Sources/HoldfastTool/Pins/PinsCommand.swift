internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastConfigurations
internal import HoldfastJSON

extension Command {
  /// `holdfast pins`: looks through configurations of pins, ahead in time, and from one into another.
  static let pinsCommand = Command(
    name: "pins",
    summary: "checks configurations of pins, looks ahead, and converts them",
    usage: "lint|simulate|convert CONFIG [--chain FILE]… [--host NAME] [--json]",
    options: [
      Option(
        name: "--chain", value: "FILE",
        meaning: "what a host shows or is going to show, the server's certificate first"),
      Option(name: "--host", value: "NAME", meaning: "the host, where CONFIG does not name it"),
      PinOptions.format,
      Option(
        name: "--expired", value: "ACTION",
        meaning: "what is done with expired pins: refuse (the default), report or ignore"),
      Option(name: "--at", value: "TIME", meaning: "lint: judge as of then"),
      Option(name: "--from", value: "TIME", meaning: "simulate: where it begins; now without it"),
      Option(name: "--to", value: "TIME", meaning: "simulate: where it ends; two years without it"),
      Option(
        name: "--anchors", value: "FILE", meaning: "simulate: trust these; may be repeated"),
      Option(name: "--system", meaning: "simulate: trust the system's, as without --anchors"),
      Option(name: "--to-format", value: "NAME", meaning: "convert: the format to write"),
      Option(
        name: "--place", value: "PLACE",
        meaning: "convert to nsPinnedDomains: leaf or authority, for pins that count anywhere"),
      .json,
    ],
    examples: [
      ("holdfast pins lint TrustKit.plist", "what will hurt: no backup, expired, misspelt"),
      (
        "holdfast pins lint network_security_config.xml --chain chain.pem",
        "the same beside the chain that a host shows: hashes of the wrong thing, no way back"
      ),
      (
        "holdfast pins simulate Info.plist --chain now.pem --chain next.pem --to 2028-01-01",
        "when it breaks, and who is locked out when a key is replaced"
      ),
      (
        "holdfast pins convert TrustKit.plist --to-format android",
        "the same pins for another system; what is lost goes to standard error"
      ),
    ],
    run: pins)

  private static func pins(
    _ arguments: Arguments, _ console: inout Console
  ) throws(UsageError) -> ExitStatus {
    let words = arguments.operands
    guard words.count == 2 else {
      throw .conflict("name what to do (lint, simulate or convert) and one CONFIG")
    }
    guard ["lint", "simulate", "convert"].contains(words[0]) else {
      throw .badValue(option: "pins", value: words[0], expected: "lint, simulate or convert")
    }
    guard
      let configuration = try PinOptions.configuration(
        words[1], arguments, host: try arguments.value("--host"), &console)
    else { return .notUnderstood }
    var chains: [[Certificate]] = []
    for file in arguments.values("--chain") {
      var session = InputSession()
      var chain: [Certificate] = []
      session.read([file], &console) { _, content, _ in
        if case .certificate(let certificate) = content { chain.append(certificate) }
      }
      guard !chain.isEmpty else { return .notUnderstood }
      chains.append(chain)
    }
    switch words[0] {
    case "lint": return try lint(configuration, chains, arguments, &console)
    case "simulate": return try simulate(configuration, chains, arguments, &console)
    default: return try convert(configuration, arguments, &console)
    }
  }

  /// `findings` has `severity`, `name`, `subject` and `words` of each; the worst is the first.
  private static func lint(
    _ configuration: PinConfiguration, _ chains: [[Certificate]], _ arguments: Arguments,
    _ console: inout Console
  ) throws(UsageError) -> ExitStatus {
    let findings = PinLint.findings(of: configuration, chains: chains, at: try arguments.time())
    let isClean = findings.allSatisfy { $0.severity == .note }
    let count = configuration.table.entries.count
    if arguments.has("--json") {
      let rows = findings.map { finding in
        JSONValue.object([
          "severity": .string("\(finding.severity)"), "name": .string(finding.name),
          "subject": .string(finding.subject), "words": .string(finding.words),
        ])
      }
      let document = JSONValue.object([
        "version": .number(1), "format": .string(configuration.format.rawValue),
        "entries": .number(count), "findings": .array(rows),
      ])
      console.write(document.lines())
      console.write("\n")
    } else {
      console.write(
        "\(configuration.format.name): \(count) \(count == 1 ? "entry" : "entries")\n")
      for finding in findings { console.write("  \(printable("\(finding)"))\n") }
      if isClean { console.write("nothing to worry about\n") }
    }
    return isClean ? .success : .rejected
  }

  private static func convert(
    _ configuration: PinConfiguration, _ arguments: Arguments, _ console: inout Console
  ) throws(UsageError) -> ExitStatus {
    let formats = PinConfiguration.Format.allCases.map(\.rawValue).joined(separator: ", ")
    guard let name = try arguments.value("--to-format") else {
      throw .missingOption("--to-format", formats)
    }
    guard let format = PinConfiguration.Format(rawValue: name) else {
      throw .badValue(option: "--to-format", value: name, expected: formats)
    }
    var placing: PinScope?
    switch try arguments.value("--place") {
    case nil: break
    case "leaf"?: placing = .leaf
    case "authority"?: placing = .authority
    case let other?:
      throw .badValue(option: "--place", value: other, expected: "leaf or authority")
    }
    let time = try arguments.time()
    do throws(ConfigurationError) {
      let written = try PinConfiguration.write(
        configuration.table, as: format, placing: placing, at: time)
      for loss in written.losses { console.message("holdfast: \(printable("\(loss)"))\n") }
      console.write(written.text.hasSuffix("\n") ? written.text : written.text + "\n")
      return .success
    } catch {
      console.message("holdfast: \(printable("\(error)"))\n")
      return .rejected
    }
  }
}
