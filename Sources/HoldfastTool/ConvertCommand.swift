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
      [form, CommonOptions.output, directory, CommonOptions.force], PasswordSource.options,
    ],
    examples: """
      holdfast convert --to der server.pem -o server.cer
          a certificate as an app bundles it
      holdfast convert --to pem *.cer -o anchors.pem
          many certificates into one bundle
      holdfast convert --to pem bundle.p7b -o chain.pem
          the certificates of a container
      holdfast convert --to der chain.pem --directory parts
          each certificate of a chain into a file of its own
      """,
    run: convert)

  private static let form: Option<EncodingForm?> = .choice("--to", "FORM", "what is written")
  private static let directory: Option<String?> = .file(
    "--directory", "with der: a file for each, 1-certificate.der and so on",
    placeholder: "DIRECTORY", use: .written)

  private enum EncodingForm: String, Choice { case pem, der }

  private static func convert(_ call: Invocation) throws(UsageError) -> ExitStatus {
    guard let form = call[form] else { throw .missingOption("--to", "pem|der") }
    let (output, directory) = (call[CommonOptions.output], call[directory])
    try call.checkOne(of: [CommonOptions.output, Self.directory])
    guard directory == nil || form == .der else {
      throw .conflict("--directory is for der: PEM goes into one file")
    }
    var items: [InputItem] = []
    var session = try InputSession(call)
    session.read(try call.files(), uses: .all) { item, _ in items.append(item) }
    guard !items.isEmpty else { throw .reported(session.problems) }
    let writer = FileWriter(call)
    if form == .pem {
      let text = items.map { PEMBlock.text(label: $0.label, bytes: $0.bytes) }.joined()
      try writer.write(text.utf8, to: output)
    } else if let directory {
      try writer.write(items, into: directory)
    } else {
      guard items.count == 1 else {
        throw .conflict(
          "there are \(items.count) of them, and DER has one to a file: name a --directory")
      }
      guard output != nil || !call.console.isTerminal else {
        throw .conflict("DER is not for terminals: name a file with --output")
      }
      try writer.write(items[0].bytes.array, to: output)
    }
    return session.status
  }
}

extension FileWriter {
  /// Writes a file for each into a directory, which is made if it is missing.
  fileprivate func write(_ items: [InputItem], into directory: String) throws(UsageError) {
    do throws(System.SystemError) {
      try System.makeDirectory(directory)
    } catch {
      throw .badInput("\(printable(directory)): \(error)")
    }
    // One file that exists does not stop the others.
    var failure: UsageError?
    for (index, item) in items.enumerated() {
      let name = "\(index + 1)-\(item.kind?.row.fileName ?? "other").der"
      do throws(UsageError) {
        try write(item.bytes.array, to: "\(directory)/\(name)")
      } catch {
        if let failure { console.message("holdfast: \(failure.text)\n") }
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
