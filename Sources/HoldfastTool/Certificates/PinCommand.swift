internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastIdentities
internal import HoldfastJSON

extension Command {
  /// `holdfast pin`: the pins of whatever holds a public key.
  static let pinCommand = Command(
    name: "pin",
    summary: "prints the pins of certificates, keys, requests and servers",
    usage: "FILE|FOLDER|HOST:PORT… [--hex | --curl | --json] [--password-file FILE]",
    options: [
      [hexadecimal, curl, ServerInput.connect, CommonOptions.json], PasswordSource.options,
    ],
    examples: """
      holdfast pin chain.pem
          one line for each certificate: the pin, then its subject
      holdfast pin api.example.com:443
          the pins of what a server sends, which nothing verifies
      holdfast pin backup.csr
          a backup pin, before there is a certificate for the key
      holdfast pin key.pem
          the pin of a private key: that of its public part
      holdfast pin client.p12
          the pins of the keys and certificates of a PKCS #12 file
      curl --pinnedpubkey "$(holdfast pin --curl leaf.pem | cut -d' ' -f1)" https://example.com
          a connection that is pinned to the leaf
      """,
    readsCertificates: true, run: pin)

  private static let hexadecimal: Option<Bool> = .flag(
    "--hex", "64 hexadecimal digits instead of sha256/ and base64")
  private static let curl: Option<Bool> = .flag(
    "--curl", "sha256// and base64, for curl's --pinnedpubkey")

  /// In JSON each element of `pins` has `file`, `kind`, `block`, `line` and `start` as `inspect`
  /// has them, `subject` (null for a bare key), `key`, and the pin as `pin`, `hex` and `curl`.
  private static func pin(_ call: Invocation) throws(UsageError) -> ExitStatus {
    let files = try call.filesInFolders()
    let uses = try ServerInput.uses(.pinned, call)
    try call.checkOne(of: [hexadecimal, curl, CommonOptions.json])
    let notation: Pin.Notation = call[hexadecimal] ? .hexadecimal : call[curl] ? .curl : .standard
    let isJSON = call[CommonOptions.json]
    var session = try InputSession(call, complains: !isJSON)
    var json = isJSON ? JSONDocument(call, list: "pins") : nil
    session.read(files, uses: uses) { item, content throws(InputProblem) in
      guard let (key, subject, label) = content.owner else {
        guard case .privateKey(let key) = content else { return }
        throw InputProblem(
          location: item.location,
          problem: "\(key) without its public part; pin its certificate or public key instead")
      }
      let pin = Pin(key)
      guard isJSON else {
        return call.console.write("\(pin.text(notation))  \(printable(label))\n")
      }
      var facts = Document(item)
      facts.addMembers(of: [
        "subject": subject, "key": "\(key)", "pin": pin.text(), "hex": pin.text(.hexadecimal),
        "curl": pin.text(.curl),
      ])
      json?.append(facts.json)
    }
    json?.finish(session.problems)
    return session.status
  }
}

extension InputItem.Content {
  /// The key, and whose it is, as far as that is known: for programs, and for people; nil for what
  /// has no key.
  fileprivate var owner: (key: PublicKey, subject: DistinguishedName?, label: String)? {
    switch self {
    case .certificate(let certificate):
      let subject = certificate.subject
      // RFC 5280 §4.1.2.6: a certificate whose subject is empty has its names in the extension.
      let name = certificate.extensions.subjectAlternativeNames.first.map { "\($0)" } ?? "(empty)"
      return (certificate.publicKey, subject, subject.isEmpty ? name : "\(subject)")
    case .request(let request):
      let name = request.subject.isEmpty ? "(empty)" : "\(request.subject)"
      return (request.publicKey, request.subject, "\(name) (request)")
    case .publicKey(let key): return (key, nil, "(public key, \(key))")
    case .privateKey(let key):
      return key.publicKey.map { ($0, nil, "(private key, \(key.kind))") }
    case .crl, .ocspResponse, .ocspRequest, .container: return nil
    }
  }
}
