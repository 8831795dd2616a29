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
      IdentityExport.form, IdentityExport.withKey, CommonOptions.output, CommonOptions.force,
      iterations, CommonOptions.daysFrom, CommonOptions.json,
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

  private static let iterations: Option<Int?> = .number(
    "--iterations", "the most iterations of one key derivation: 10000000")

  private static func identity(_ call: Invocation) throws(UsageError) -> ExitStatus {
    let files = try call.files()
    let time = call[CommonOptions.at] ?? .now
    let export = try IdentityExport(call)
    let passwords = try PasswordSource(call)
    let options = IdentityOptions(
      mostIterations: call[iterations] ?? IdentityOptions().mostIterations)
    let report = IdentityReport(files, passwords, options, at: time)
    if let export, report.failure == nil {
      return try export.write(report)
    }
    report.document.write(asJSON: call[CommonOptions.json], call.console)
    for problem in report.problems { call.console.message("holdfast: \(problem)\n") }
    return report.status
  }
}

/// What `--to` asks for.
struct IdentityExport {
  static let form: Option<Form?> = .choice("--to", "FORM", "write the certificates as")
  static let withKey: Option<Bool> = .flag(
    "--with-key", "with pem: the private keys too, unencrypted, with mode 600")

  /// What is written.
  enum Form: String, Choice { case pem, p7b }

  private let form: Form
  private let hasKey: Bool
  private let path: String?
  private let call: Invocation

  /// Nil without `--to`.
  init?(_ call: Invocation) throws(UsageError) {
    hasKey = call[IdentityExport.withKey]
    path = call[CommonOptions.output]
    self.call = call
    guard let form = call[IdentityExport.form] else {
      let others: [any CommandOption] = [
        IdentityExport.withKey, CommonOptions.output, CommonOptions.force,
      ]
      for option in others where call.has(option) {
        throw .conflict("\(option.name) goes with --to")
      }
      return nil
    }
    guard form == .pem || !hasKey else {
      throw .conflict("--with-key is for pem: PKCS #7 has no place for keys")
    }
    guard !call[CommonOptions.json] else {
      throw .conflict("--to and --json cannot be used together")
    }
    self.form = form
  }

  func write(_ report: IdentityReport) throws(UsageError) -> ExitStatus {
    let contents = report.contents
    for problem in report.problems { call.console.message("holdfast: \(problem)\n") }
    guard !hasKey || !contents.keys.isEmpty else {
      throw .badInput("\(report.name): there is no private key in it")
    }
    let certificates = contents.certificatesInPathOrder
    let lists = contents.lists.map(\.value)
    guard hasKey || !certificates.isEmpty || !lists.isEmpty else {
      throw .badInput("\(report.name): there is no certificate in it")
    }
    if form == .pem {
      var text = ""
      for key in hasKey ? contents.keys.map(\.value) : [] {
        text += PEMBlock.text(label: "PRIVATE KEY", bytes: key.pkcs8)
      }
      for certificate in certificates { text += certificate.pem }
      for list in lists { text += PEMBlock.text(label: "X509 CRL", bytes: list.der) }
      return try write(Array(text.utf8), report)
    }
    let bytes = PKCS7.der(certificates: certificates, lists: lists)
    return try write(bytes, report)
  }

  private func write(_ bytes: [UInt8], _ report: IdentityReport) throws(UsageError) -> ExitStatus {
    let isFile = path != nil && path != "-"
    guard isFile || !call.console.isTerminal || form == .pem && !hasKey else {
      throw .conflict("keys and DER are not for terminals: name a file with --output")
    }
    try FileWriter(call, isSecret: hasKey).write(bytes, to: path)
    if hasKey { call.console.message("holdfast: the private key is written unencrypted\n") }
    return report.problems.isEmpty ? .success : .notUnderstood
  }
}
