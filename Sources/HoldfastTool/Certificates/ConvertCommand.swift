internal import HoldfastAnswers
internal import HoldfastCertificates
internal import HoldfastIdentities
internal import HoldfastSystem

extension Command {
  /// `holdfast convert`: PEM to DER and back, containers, and keys out of them.
  static let convertCommand = Command(
    name: "convert",
    summary: "turns PEM into DER and back, and takes containers apart",
    usage: "--to pem|der|p7b FILE… [--with-key] [-o FILE | --directory DIRECTORY] [--force]",
    options: [
      [form, withKey, CommonOptions.output, directory, CommonOptions.force],
      OptionGroup("passwords", PasswordSource.options.options + [PasswordSource.iterations]),
    ],
    examples: """
      holdfast convert --to der server.pem -o server.cer
          a certificate as an app bundles it
      holdfast convert --to pem bundle.p7b -o chain.pem
          the certificates of a container
      holdfast convert --to pem --with-key client.p12 -o client.pem
          key, leaf and chain for servers and tools that want PEM
      holdfast convert --to pem *.cer -o anchors.pem
          many certificates into one bundle
      holdfast convert --to der chain.pem --directory parts
          each certificate of a chain into a file of its own
      """,
    readsCertificates: true, run: convert)

  private static let form: Option<EncodingForm?> = .choice("--to", "FORM", "what is written")
  private static let withKey: Option<Bool> = .flag(
    "--with-key", "with pem: the private keys first, unencrypted, with mode 600")
  private static let directory: Option<String?> = .file(
    "--directory", "with der: a file for each, 1-certificate.der and so on",
    placeholder: "DIRECTORY", use: .written)

  private enum EncodingForm: String, Choice { case pem, der, p7b }

  private static func convert(_ call: Invocation) throws(UsageError) -> ExitStatus {
    guard let form = call[form] else { throw .missingOption("--to", "pem|der|p7b") }
    let (output, directory, hasKeys) = (
      call[CommonOptions.output], call[directory], call[withKey]
    )
    try call.checkOne(of: [CommonOptions.output, Self.directory])
    guard directory == nil || form == .der else {
      throw .conflict("--directory is for der: PEM and PKCS #7 go into one file")
    }
    guard !hasKeys || form == .pem else { throw .conflict("--with-key is for pem") }
    var items: [(item: InputItem, content: InputItem.Content)] = []
    var session = try InputSession(call)
    session.read(
      try call.files(), uses: hasKeys ? [.all, .privateKeys, .encryptedKeys, .everyKey] : .all
    ) { items.append(($0, $1)) }
    guard !items.isEmpty else { throw .reported(session.problems) }
    let writer = FileWriter(call, isSecret: hasKeys)
    if let directory {
      try writer.write(items.map(\.item), into: directory)
      return session.status
    }
    let isText = form == .pem && !hasKeys
    guard isText || output != nil && output != "-" || !call.console.isTerminal else {
      throw .conflict("keys and DER are not for terminals: name a file with --output")
    }
    switch form {
    case .pem:
      let keys = items.compactMap { $0.content.pemOfKey }
      guard !hasKeys || !keys.isEmpty else {
        throw .badInput("\(names(call)): there is no private key in it")
      }
      let others = items.filter { $0.content.pemOfKey == nil }.map {
        PEMBlock.text(label: $0.item.label, bytes: $0.item.bytes)
      }
      try writer.write((keys + others).joined().utf8, to: output)
      if hasKeys { call.console.message("holdfast: the private key is written unencrypted\n") }
    case .der:
      guard items.count == 1 else {
        throw .conflict(
          "there are \(items.count) of them, and DER has one to a file: name a --directory")
      }
      try writer.write(items[0].item.bytes.array, to: output)
    case .p7b:
      var (certificates, crls): ([Certificate], [CRL]) = ([], [])
      for (_, content) in items {
        if case .certificate(let certificate) = content { certificates.append(certificate) }
        if case .crl(let crl) = content { crls.append(crl) }
      }
      guard !certificates.isEmpty || !crls.isEmpty else {
        throw .badInput("\(names(call)): there is no certificate in it")
      }
      guard certificates.count + crls.count == items.count else {
        throw .badInput("\(names(call)): p7b has only certificates and CRLs, and not all are")
      }
      try writer.write(PKCS7.der(certificates: certificates, crls: crls), to: output)
    }
    return session.status
  }

  private static func names(_ call: Invocation) -> String {
    call.operands.map { $0 == "-" ? "standard input" : printable(word: $0) }.joined(separator: ", ")
  }
}

extension InputItem.Content {
  /// A private key as PEM; nil of all else.
  fileprivate var pemOfKey: String? {
    guard case .privateKey(let key) = self else { return nil }
    return PEMBlock.text(label: "PRIVATE KEY", bytes: key.pkcs8)
  }
}

extension FileWriter {
  /// Writes a file for each into a directory, which is made if it is missing.
  fileprivate func write(_ items: [InputItem], into directory: String) throws(UsageError) {
    try UsageError.about(directory) { () throws(System.SystemError) in
      try System.makeDirectory(directory)
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
