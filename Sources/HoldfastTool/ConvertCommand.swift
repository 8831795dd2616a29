internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastSystem

extension Command {
  /// `holdfast convert`: PEM to DER and back.
  static let convertCommand = Command(
    name: "convert",
    summary: "turns PEM into DER and DER into PEM, and takes PKCS #12 and PKCS #7 apart",
    usage: "--to pem|der FILE… [-o FILE | --directory DIRECTORY] [--force]",
    options: [
      Option(name: "--to", value: "FORM", meaning: "pem or der", choices: ["pem", "der"]),
      Option(
        name: "--output", short: "-o", value: "FILE",
        meaning: "write there instead of to standard output"),
      Option(
        name: "--directory", value: "DIRECTORY",
        meaning: "with der: a file for each, 1-certificate.der and so on"),
      Option(name: "--force", meaning: "replace files that exist"),
    ] + PasswordSource.options,
    examples: [
      ("holdfast convert --to der server.pem -o server.cer", "a certificate as an app bundles it"),
      ("holdfast convert --to pem *.cer -o anchors.pem", "many certificates into one bundle"),
      ("holdfast convert --to pem bundle.p7b -o chain.pem", "the certificates of a container"),
      (
        "holdfast convert --to der chain.pem --directory parts",
        "each certificate of a chain into a file of its own"
      ),
    ],
    run: convert)

  private static func convert(
    _ arguments: Arguments, _ console: inout Console
  ) throws(UsageError) -> ExitStatus {
    guard let form = try arguments.value("--to") else { throw .missingOption("--to", "pem|der") }
    guard form == "pem" || form == "der" else {
      throw .badValue(option: "--to", value: form, expected: "pem or der")
    }
    let output = try arguments.value("--output")
    let directory = try arguments.value("--directory")
    guard output == nil || directory == nil else {
      throw .conflict("--output and --directory cannot be used together")
    }
    guard directory == nil || form == "der" else {
      throw .conflict("--directory is for der: PEM goes into one file")
    }
    var items: [InputItem] = []
    var session = InputSession(uses: .all, passwords: try PasswordSource(arguments, console))
    session.read(try arguments.files(), &console) { item, _, _ in items.append(item) }
    guard !items.isEmpty else { return .notUnderstood }
    let writer = FileWriter(replaces: arguments.has("--force"))
    if form == "pem" {
      let text = items.map { PEMBlock.text(label: $0.kind.label, bytes: $0.octets) }.joined()
      return writer.write(Array(text.utf8), to: output, &console) ? session.status : .notUnderstood
    }
    if let directory {
      return writer.write(items, into: directory, &console) ? session.status : .notUnderstood
    }
    guard items.count == 1 else {
      throw .conflict(
        "there are \(items.count) of them, and DER has one to a file: name a --directory")
    }
    guard output != nil || !console.isTerminal else {
      throw .conflict("DER is not for terminals: name a file with --output")
    }
    return writer.write(items[0].octets.array, to: output, &console)
      ? session.status : .notUnderstood
  }
}

extension FileWriter {
  /// Writes a file for each into a directory, which is made if it is missing.
  fileprivate func write(
    _ items: [InputItem], into directory: String, _ console: inout Console
  ) -> Bool {
    do throws(System.SystemError) {
      try System.makeDirectory(directory)
    } catch {
      console.message("holdfast: \(printable(directory)): \(error)\n")
      return false
    }
    var wroteAll = true
    for (index, item) in items.enumerated() {
      let name = "\(index + 1)-\(item.kind.fileName).der"
      wroteAll = write(item.octets.array, to: "\(directory)/\(name)", &console) && wroteAll
    }
    return wroteAll
  }
}

extension InputItem.Kind {
  /// The word for it in the name of a file.
  fileprivate var fileName: String {
    switch self {
    case .certificate: "certificate"
    case .request: "request"
    case .publicKey, .rsaPublicKey: "key"
    case .revocationList: "crl"
    case .ocspResponse: "ocsp"
    case .ocspRequest: "ocsp-request"
    case .privateKey, .other: "other"
    }
  }
}
