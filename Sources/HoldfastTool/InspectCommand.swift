internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastJSON

extension Command {
  /// `holdfast inspect`: the contents of certificates, requests, keys, CRLs and OCSP messages.
  static let inspectCommand = Command(
    name: "inspect",
    summary: "shows the contents of certificates, requests, keys, CRLs and OCSP messages",
    usage: "FILE… [--at TIME] [--entries NUMBER] [--password-file FILE] [--json]",
    options: [CommonOptions.daysFrom, entries] + PasswordSource.options + [CommonOptions.json],
    examples: """
      holdfast inspect chain.pem
          every certificate of a chain, with its pin
      openssl s_client -showcerts -connect example.com:443 </dev/null | holdfast inspect -
          what a server sends; the text between the blocks does not matter
      holdfast inspect --json *.der | jq '.items[].notAfter'
          one field of many files
      holdfast inspect client.p12 bundle.p7b
          the certificates and CRLs of containers
      holdfast inspect --entries 5 ca.crl
          a CRL, and its first entries
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
    var isFirst = true
    session.read(files, uses: .all) { item, content in
      guard let document = document(item, content, at: time, entries ?? (isJSON ? 10_000 : 20))
      else { return }
      json?.append(document.json)
      if !isJSON { call.console.write((isFirst ? "" : "\n") + document.text()) }
      isFirst = false
    }
    json?.finish(session.problems)
    return session.status
  }

  private static func document(
    _ item: InputItem, _ content: InputItem.Content, at time: Timestamp, _ entries: Int
  ) -> Document? {
    var document = Document(item)
    switch content {
    case .certificate(let certificate): document.add(certificate, at: time)
    case .request(let request): document.add(request)
    case .publicKey(let key): document.add(key)
    case .crl(let crl): document.add(crl, at: time, entries: entries)
    case .ocspResponse(let response): document.add(response, at: time)
    case .ocspRequest(let request): document.add(request)
    case .privateKey: return nil
    }
    return document
  }
}
