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
    options: [
      [CommonOptions.daysFrom, CommonOptions.json], PasswordSource.options,
      OptionGroup("writing", [form, withKey, CommonOptions.output, CommonOptions.force]),
      OptionGroup("limits", [iterations]),
    ],
    examples: """
      holdfast identity client.p12
          what is inside; the password is asked on the terminal
      holdfast identity client.p12 --password-file secret.txt --json
          the same for a program; an error has a kind, and status 3
      holdfast identity key.pem chain.pem
          whether a key belongs to a certificate
      holdfast identity client.p12 --to pem --with-key -o client.pem
          key, leaf and chain for servers and tools that want PEM
      """,
    run: identity)

  private static let iterations: Option<Int?> = .number(
    "--iterations", "the maximum number of iterations of one key derivation: 10000000")
  private static let form: Option<IdentityForm?> = .choice(
    "--to", "FORM", "write the certificates as")
  private static let withKey: Option<Bool> = .flag(
    "--with-key", "with pem: the private keys too, unencrypted, with mode 600")

  /// What is written.
  private enum IdentityForm: String, Choice { case pem, p7b }

  private static func identity(_ call: Invocation) throws(UsageError) -> ExitStatus {
    let files = try call.files()
    try checkExport(call)
    let options = IdentityOptions(
      maximumIterations: call[iterations] ?? IdentityOptions().maximumIterations)
    let report = IdentityReport(
      files, try PasswordSource(call), options, at: call[CommonOptions.at] ?? .now)
    let form = report.failure == nil ? call[form] : nil
    if form == nil { call.write(report.document, indented: true) }
    for problem in report.problems { call.console.message("holdfast: \(problem)\n") }
    guard let form else { return report.status }
    try export(report, as: form, call)
    return report.problems.isEmpty ? .trusted : .unreadable
  }

  private static func checkExport(_ call: Invocation) throws(UsageError) {
    switch call[form] {
    case nil:
      let others: [any CommandOption] = [withKey, CommonOptions.output, CommonOptions.force]
      for option in others where call.has(option) {
        throw .conflict("\(option.name) goes with --to")
      }
    case .p7b? where call[withKey]:
      throw .conflict("--with-key is for pem: PKCS #7 has no place for keys")
    case _? where call[CommonOptions.json]:
      throw .conflict("--to and --json cannot be used together")
    case _?: break
    }
  }

  private static func export(
    _ report: IdentityReport, as form: IdentityForm, _ call: Invocation
  ) throws(UsageError) {
    let hasKey = call[withKey]
    let keys = hasKey ? report.contents.keys.map(\.value) : []
    let certificates = report.contents.certificatesInPathOrder
    let crls = report.contents.crls.map(\.value)
    guard !hasKey || !keys.isEmpty else {
      throw .badInput("\(report.name): there is no private key in it")
    }
    guard hasKey || !certificates.isEmpty || !crls.isEmpty else {
      throw .badInput("\(report.name): there is no certificate in it")
    }
    let path = call[CommonOptions.output]
    let isFile = path != nil && path != "-"
    guard isFile || !call.console.isTerminal || form == .pem && !hasKey else {
      throw .conflict("keys and DER are not for terminals: name a file with --output")
    }
    let writer = FileWriter(call, isSecret: hasKey)
    switch form {
    case .pem:
      let blocks =
        keys.map { PEMBlock.text(label: "PRIVATE KEY", bytes: $0.pkcs8) } + certificates.map(\.pem)
        + crls.map { PEMBlock.text(label: CRL.label, bytes: $0.der) }
      try writer.write(blocks.joined().utf8, to: path)
    case .p7b: try writer.write(PKCS7.der(certificates: certificates, crls: crls), to: path)
    }
    if hasKey { call.console.message("holdfast: the private key is written unencrypted\n") }
  }
}
