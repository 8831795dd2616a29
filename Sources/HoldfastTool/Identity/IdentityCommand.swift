internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastIdentities
internal import HoldfastJSON

extension Command {
  /// `holdfast identity`: client certificates with their keys.
  static let identityCommand = Command(
    name: "identity",
    summary: "shows the client certificates and keys of PKCS #12, PKCS #7 and PEM files",
    usage: "FILE… [--to pem|p7b [--with-key] [-o FILE]] [--password-file FILE] [--json]",
    options: PasswordSource.options + [
      Option(
        name: "--to", value: "FORM", meaning: "write the certificates as pem or p7b",
        choices: ["pem", "p7b"]),
      Option(
        name: "--with-key", meaning: "with pem: the private keys too, unencrypted, with mode 600"),
      Option(
        name: "--output", short: "-o", value: "FILE",
        meaning: "write there instead of to standard output"),
      Option(name: "--force", meaning: "replace a file that exists"),
      Option(
        name: "--iterations", value: "NUMBER",
        meaning: "the most iterations of one key derivation: 10000000"),
      Option(
        name: "--at", value: "TIME",
        meaning: "count the days left from then: 2026-03-01 or 2026-03-01T12:00:00Z"),
      .json,
    ],
    examples: [
      ("holdfast identity client.p12", "what is inside; the password is asked on the terminal"),
      (
        "holdfast identity client.p12 --password-file secret.txt --json",
        "the same for a program; an error has a kind, and status 2"
      ),
      ("holdfast identity key.pem chain.pem", "whether a key belongs to a certificate"),
      (
        "holdfast identity client.p12 --to pem --with-key -o client.pem",
        "key, leaf and chain for servers and tools that want PEM"
      ),
    ],
    run: identity)

  private static func identity(
    _ arguments: Arguments, _ console: inout Console
  ) throws(UsageError) -> ExitStatus {
    let files = try arguments.files()
    let time = try arguments.time()
    let export = try IdentityExport(arguments)
    let passwords = try PasswordSource(arguments, console)
    let options = IdentityOptions(
      mostIterations: try arguments.count("--iterations") ?? IdentityOptions().mostIterations)
    let report = IdentityReport(files, passwords, options, at: time)
    if let export, report.failure == nil {
      return try export.write(report, &console)
    }
    if arguments.has("--json") {
      console.write(report.json.lines() + [0x0A])
    } else {
      console.write(report.text)
    }
    for problem in report.problems { console.message("holdfast: \(problem)\n") }
    return report.status
  }
}

/// What `--to` asks for.
private struct IdentityExport {
  private let form: String
  private let hasKey: Bool
  private let path: String?
  private let replaces: Bool

  /// Nil without `--to`.
  init?(_ arguments: Arguments) throws(UsageError) {
    hasKey = arguments.has("--with-key")
    path = try arguments.value("--output")
    replaces = arguments.has("--force")
    guard let form = try arguments.value("--to") else {
      for option in ["--with-key", "--output", "--force"] where arguments.has(option) {
        throw .conflict("\(option) goes with --to")
      }
      return nil
    }
    guard form == "pem" || form == "p7b" else {
      throw .badValue(option: "--to", value: form, expected: "pem or p7b")
    }
    guard form == "pem" || !hasKey else {
      throw .conflict("--with-key is for pem: PKCS #7 has no place for keys")
    }
    guard !arguments.has("--json") else {
      throw .conflict("--to and --json cannot be used together")
    }
    self.form = form
  }

  func write(_ report: IdentityReport, _ console: inout Console) throws(UsageError) -> ExitStatus {
    let contents = report.contents
    for problem in report.problems { console.message("holdfast: \(problem)\n") }
    guard !hasKey || !contents.keys.isEmpty else {
      console.message("holdfast: \(report.name): there is no private key in it\n")
      return .notUnderstood
    }
    let certificates = contents.certificatesInPathOrder
    let lists = contents.lists.map(\.value)
    guard hasKey || !certificates.isEmpty || !lists.isEmpty else {
      console.message("holdfast: \(report.name): there is no certificate in it\n")
      return .notUnderstood
    }
    if form == "pem" {
      var text = ""
      for key in hasKey ? contents.keys.map(\.value) : [] {
        text += PEMBlock.text(label: "PRIVATE KEY", bytes: key.pkcs8)
      }
      for certificate in certificates { text += certificate.pem }
      for list in lists { text += PEMBlock.text(label: "X509 CRL", bytes: list.der) }
      return try write(Array(text.utf8), report, &console)
    }
    let bytes = PKCS7.der(certificates: certificates, lists: lists)
    return try write(bytes, report, &console)
  }

  private func write(
    _ bytes: [UInt8], _ report: IdentityReport, _ console: inout Console
  ) throws(UsageError) -> ExitStatus {
    let isFile = path != nil && path != "-"
    guard isFile || !console.isTerminal || form == "pem" && !hasKey else {
      throw .conflict("keys and DER are not for terminals: name a file with --output")
    }
    let writer = FileWriter(replaces: replaces, isSecret: hasKey)
    guard writer.write(bytes, to: path, &console) else { return .notUnderstood }
    if hasKey { console.message("holdfast: the private key is written unencrypted\n") }
    return report.problems.isEmpty ? .success : .notUnderstood
  }
}
