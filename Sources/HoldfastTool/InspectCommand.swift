internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastJSON

extension Command {
  /// `holdfast inspect`: what stands in certificates, requests, keys, revocation lists and answers.
  static let inspectCommand = Command(
    name: "inspect",
    summary: "says what stands in certificates, requests, keys, CRLs and OCSP messages",
    usage: "FILE… [--at TIME] [--entries NUMBER] [--password-file FILE] [--json]",
    options: [CommonOptions.daysFrom, entries] + PasswordSource.options + [CommonOptions.json],
    examples: [
      ("holdfast inspect chain.pem", "every certificate of a chain, with its pin"),
      (
        "openssl s_client -showcerts -connect example.com:443 </dev/null | holdfast inspect -",
        "what a server sends; the text between the blocks does not matter"
      ),
      (
        "holdfast inspect --json *.der | jq '.items[].notAfter'",
        "one field of many files"
      ),
      ("holdfast inspect client.p12 bundle.p7b", "the certificates and lists of containers"),
      ("holdfast inspect --entries 5 ca.crl", "a revocation list, and its first entries"),
      ("holdfast inspect --at 2027-01-01 server.pem", "how it will stand on New Year's Day"),
    ],
    run: inspect)

  private static let entries: Option<Int?> = .number(
    "--entries", "how many entries of a CRL are shown: 20, or 10000 in JSON")

  private static func inspect(
    _ arguments: Arguments, _ console: inout Console
  ) throws(UsageError) -> ExitStatus {
    let files = try arguments.files()
    let time = arguments[CommonOptions.at] ?? .now
    let entries = arguments[entries]
    let passwords = try PasswordSource(arguments, console)
    return arguments[CommonOptions.json]
      ? inspectJSON(files, passwords, at: time, entries: entries ?? 10_000, &console)
      : inspectText(files, passwords, at: time, entries: entries ?? 20, &console)
  }

  private static func inspectText(
    _ files: [String], _ passwords: PasswordSource, at time: Timestamp, entries: Int,
    _ console: inout Console
  ) -> ExitStatus {
    var session = InputSession(uses: .all, passwords: passwords)
    var isFirst = true
    session.read(files, &console) { item, content, console in
      if !isFirst { console.write("\n") }
      isFirst = false
      var report = Report(title: "\(item.place): \(item.kind.name)")
      switch content {
      case .certificate(let certificate): report.add(certificate, at: time)
      case .request(let request): report.add(request)
      case .publicKey(let key): report.add(key)
      case .revocationList(let list): report.add(list, at: time, entries: entries)
      case .ocspResponse(let answer): report.add(answer, at: time)
      case .ocspRequest(let request): report.add(request)
      case .privateKey, .other: break
      }
      console.write(report.text)
    }
    return session.status
  }

  private static func inspectJSON(
    _ files: [String], _ passwords: PasswordSource, at time: Timestamp, entries: Int,
    _ console: inout Console
  ) -> ExitStatus {
    var document = JSONDocument(
      ["version": .number(1), "time": .string("\(time)")], list: "items", &console)
    var session = InputSession(complains: false, uses: .all, passwords: passwords)
    session.read(files, &console) { item, content, console in
      let value: JSONValue? =
        switch content {
        case .certificate(let certificate): item.json(certificate, at: time)
        case .request(let request): item.json(request)
        case .publicKey(let key): item.json(key)
        case .revocationList(let list): item.json(list, at: time, entries: entries)
        case .ocspResponse(let answer): item.json(answer, at: time)
        case .ocspRequest(let request): item.json(request)
        case .privateKey, .other: nil
        }
      if let value { document.append(value, &console) }
    }
    document.finish(session.problems, &console)
    return session.status
  }
}
