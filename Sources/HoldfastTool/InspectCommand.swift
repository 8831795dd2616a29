internal import HoldfastCertificates
internal import HoldfastDER

extension Command {
  /// `holdfast inspect`: what stands in certificates, requests and keys.
  static let inspectCommand = Command(
    name: "inspect",
    summary: "says what stands in certificates, requests and public keys",
    usage: "FILE… [--at TIME] [--json]",
    options: [
      Option(
        name: "--at", value: "TIME",
        meaning: "count the days left from then: 2026-03-01 or 2026-03-01T12:00:00Z"),
      .json,
    ],
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
      ("holdfast inspect --at 2027-01-01 server.pem", "how it will stand on New Year's Day"),
    ],
    run: inspect)

  private static func inspect(
    _ arguments: Arguments, _ console: inout Console
  ) throws(UsageError) -> ExitStatus {
    let files = try arguments.files()
    let time = try arguments.time()
    return arguments.has("--json")
      ? inspectJSON(files, at: time, &console) : inspectText(files, at: time, &console)
  }

  private static func inspectText(
    _ files: [String], at time: Timestamp, _ console: inout Console
  ) -> ExitStatus {
    var session = InputSession()
    var isFirst = true
    session.read(files, &console) { item, content, console in
      if !isFirst { console.write("\n") }
      isFirst = false
      var report = Report(title: "\(item.place): \(item.kind.name)")
      switch content {
      case .certificate(let certificate): report.add(certificate, at: time)
      case .request(let request): report.add(request)
      case .publicKey(let key): report.add(key)
      case .other: break
      }
      console.write(report.text)
    }
    return session.status
  }

  private static func inspectJSON(
    _ files: [String], at time: Timestamp, _ console: inout Console
  ) -> ExitStatus {
    var document = JSONDocument(
      ["version": .number(1), "time": .string("\(time)")], list: "items", &console)
    var session = InputSession(complains: false)
    session.read(files, &console) { item, content, console in
      let value: JSONValue? =
        switch content {
        case .certificate(let certificate): item.json(certificate, at: time)
        case .request(let request): item.json(request)
        case .publicKey(let key): item.json(key)
        case .other: nil
        }
      if let value { document.append(value, &console) }
    }
    document.finish(session.problems, &console)
    return session.status
  }
}
