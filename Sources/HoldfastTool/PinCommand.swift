internal import HoldfastCertificates
internal import HoldfastIdentities
internal import HoldfastJSON

extension Command {
  /// `holdfast pin`: the pins of whatever holds a public key.
  static let pinCommand = Command(
    name: "pin",
    summary: "prints the pins of certificates, keys, requests and chains",
    usage: "FILE… [--hex | --curl | --json] [--password-file FILE]",
    options: [hexadecimal, curl] + PasswordSource.options + [CommonOptions.json],
    examples: [
      ("holdfast pin chain.pem", "one line for each certificate: the pin, then its subject"),
      ("holdfast pin backup.csr", "a backup pin, before there is a certificate for the key"),
      ("holdfast pin key.pem", "the pin of a private key: that of its public part"),
      ("holdfast pin client.p12", "the pins of the keys and certificates of a PKCS #12 file"),
      (
        "curl --pinnedpubkey \"$(holdfast pin --curl leaf.pem | cut -d' ' -f1)\" https://example.com",
        "a connection that is pinned to the leaf"
      ),
    ],
    run: pin)

  private static let hexadecimal: Option<Bool> = .flag(
    "--hex", "64 hexadecimal digits instead of sha256/ and base64")
  private static let curl: Option<Bool> = .flag(
    "--curl", "sha256// and base64, for curl's --pinnedpubkey")

  private static func pin(
    _ arguments: Arguments, _ console: inout Console
  ) throws(UsageError) -> ExitStatus {
    let files = try arguments.files()
    let chosen = [hexadecimal, curl, CommonOptions.json].filter(arguments.has).map(\.name)
    guard chosen.count <= 1 else {
      throw .conflict(chosen.joined(separator: " and ") + " cannot be used together")
    }
    let passwords = try PasswordSource(arguments, console)
    if arguments[CommonOptions.json] { return pinJSON(files, passwords, &console) }
    let notation: PinText.Notation =
      arguments[hexadecimal] ? .hexadecimal : arguments[curl] ? .curl : .standard
    return pinText(files, passwords, notation, &console)
  }

  private static func pinText(
    _ files: [String], _ passwords: PasswordSource, _ notation: PinText.Notation,
    _ console: inout Console
  ) -> ExitStatus {
    var session = InputSession(uses: .pinned, passwords: passwords)
    session.read(files, &console) { _, content, console in
      guard let key = content.publicKey else { return }
      console.write("\(PinText(key).text(notation))  \(printable(content.label))\n")
    }
    return session.status
  }

  /// Each element of `pins` has `file`, `kind`, `block`, `line` and `start` as `inspect` has them,
  /// `subject` (null for a bare key), `key`, and the pin as `pin`, `hex` and `curl`.
  private static func pinJSON(
    _ files: [String], _ passwords: PasswordSource, _ console: inout Console
  ) -> ExitStatus {
    var document = JSONDocument(["version": .number(1)], list: "pins", &console)
    var session = InputSession(
      complains: false, uses: .pinned, passwords: passwords)
    session.read(files, &console) { item, content, console in
      guard let key = content.publicKey else { return }
      let pin = PinText(key)
      var facts = Document(item)
      facts.add("subject", content.subject.map { "\($0)" })
      facts.add("key", "\(key)")
      facts.add("pin", pin.text())
      facts.add("hex", pin.text(.hexadecimal))
      facts.add("curl", pin.text(.curl))
      document.append(facts.json, &console)
    }
    document.finish(session.problems, &console)
    return session.status
  }
}

extension InputItem.Content {
  fileprivate var publicKey: PublicKey? {
    switch self {
    case .certificate(let certificate): certificate.publicKey
    case .request(let request): request.publicKey
    case .publicKey(let key): key
    case .privateKey(let key): key.publicKey
    case .revocationList, .ocspResponse, .ocspRequest, .other: nil
    }
  }

  fileprivate var subject: DistinguishedName? {
    switch self {
    case .certificate(let certificate): certificate.subject
    case .request(let request): request.subject
    case .publicKey, .privateKey, .revocationList, .ocspResponse, .ocspRequest, .other: nil
    }
  }

  /// Whose key it is, as far as that is known.
  fileprivate var label: String {
    switch self {
    case .certificate(let certificate):
      // RFC 5280 §4.1.2.6: a certificate whose subject is empty has its names in the extension.
      certificate.subject.isEmpty
        ? certificate.extensions.subjectAlternativeNames.first.map { "\($0)" } ?? "(empty)"
        : "\(certificate.subject)"
    case .request(let request):
      (request.subject.isEmpty ? "(empty)" : "\(request.subject)") + " (request)"
    case .publicKey(let key): "(public key, \(key))"
    case .privateKey(let key): "(private key, \(key.kind))"
    case .revocationList, .ocspResponse, .ocspRequest: ""
    case .other(let name): name
    }
  }
}
