internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastIdentities
internal import HoldfastJSON

extension Command {
  /// `holdfast inspect`: the contents of certificates, requests, keys, CRLs and OCSP messages.
  static let inspectCommand = Command(
    name: "inspect",
    summary: "shows the contents of certificates, requests, keys, CRLs, OCSP messages and filters, "
      + "or what a server sends",
    usage: "FILE|HOST… [--at TIME] [--entries NUMBER] [--password-file FILE] [--json]",
    options: [
      [CommonOptions.daysFrom, ExpiryWarning.days, entries, CommonOptions.json],
      PasswordSource.options,
    ],
    examples: """
      holdfast inspect chain.pem
          every certificate of a chain, with its pin
      holdfast inspect example.com
          what a server sends, which nothing verifies
      openssl s_client -showcerts -connect example.com:443 </dev/null | holdfast inspect -
          the same by openssl; the text between the blocks does not matter
      holdfast inspect --json *.der | jq '.items[].notAfter'
          one field of many files
      holdfast inspect client.p12 bundle.p7b
          the certificates and CRLs of containers
      holdfast inspect --entries 5 ca.crl
          a CRL, and its first entries
      holdfast inspect /var/cache/upki/revocation/*.filter
          which logs and issuers the filters of upki cover
      holdfast inspect --at 2027-01-01 server.pem
          its validity on New Year's Day
      """,
    run: inspect)

  private static let entries: Option<Int?> = .number(
    "--entries", "how many entries of a CRL are shown: 20, or 10000 in JSON")

  private static func inspect(_ call: Invocation) throws(UsageError) -> ExitStatus {
    let files = try call.files()
    let time = call[CommonOptions.at] ?? .now
    let entries = call[entries]
    let isJSON = call[CommonOptions.json]
    var session = try InputSession(call, complains: !isJSON)
    let facts: KeyValuePairs<String, JSONValue> = [
      "version": .number(1), "time": .string("\(time)"),
    ]
    var json = isJSON ? JSONDocument(facts, list: "items", call.console) : nil
    let style = TextStyle(call)
    var isFirst = true
    var certificates: [Certificate] = []
    let uses: InputUse =
      session.passwords.given == nil ? .inspected : .inspected.union(.encryptedKeys)
    let limit = entries ?? (isJSON ? 10_000 : 20)
    func write(_ document: Document) {
      json?.append(document.json)
      if !isJSON { call.console.report((isFirst ? "" : "\n") + document.text(style)) }
      isFirst = false
    }
    for file in files {
      if Clubcard.isLikely(file: file) {
        do throws(FilterError) {
          write(Document(try Clubcard(file: file), in: file, entries: limit))
        } catch {
          session.fail(InputProblem(error, in: file))
        }
        continue
      }
      session.read([file], uses: uses) { item, content in
        if case .certificate(let certificate) = content { certificates.append(certificate) }
        write(document(item, content, at: time, limit))
      }
    }
    json?.finish(session.problems)
    return ExpiryWarning.status(session.status, certificates, at: time, call)
  }

  private static func document(
    _ item: InputItem, _ content: InputItem.Content, at time: Timestamp, _ entries: Int
  ) -> Document {
    var document = Document(item)
    switch content {
    case .certificate(let certificate): document.add(certificate, at: time)
    case .request(let request): document.add(request)
    case .publicKey(let key): document.add(key)
    case .crl(let crl): document.add(crl, at: time, entries: entries)
    case .ocspResponse(let response): document.add(response, at: time)
    case .ocspRequest(let request): document.add(request)
    case .privateKey(let key):
      document.add("key", "privateKey", "\(key.kind)")
      document.add("pin", "pin", key.publicKey.map { "\(Pin($0))" })
    }
    return document
  }
}
