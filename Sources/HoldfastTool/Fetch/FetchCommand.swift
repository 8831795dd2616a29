internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastJSON
internal import HoldfastOnline

extension Command {
  /// `holdfast fetch`: what certificates refer to, and what comes.
  static let fetchCommand = Command(
    name: "fetch",
    summary: "fetches what a path lacks, and shows what could be fetched",
    usage: "CHAIN [CA]… [--anchors FILE]… [--fetch WHAT] [--cache FOLDER] [--dry-run] [--json]",
    options: [
      [dryRun, staple, PathQuestion.anchors, CommonOptions.at, CommonOptions.json],
      FetchQuestion.options, OptionGroup("trust and strictness", PathQuestion.strictness),
      OptionGroup("files", [CommonOptions.force.described("replace the file of --staple")]),
    ],
    examples: """
      holdfast fetch server.pem --dry-run
          the URLs of issuers, OCSP responders and CRLs, and which of them would be asked
      holdfast fetch server.pem --fetch issuers,crl
          what came, and whether the chain is valid with it; all kinds without the option
      holdfast fetch chain.pem --staple /etc/nginx/staple.der --force
          for a timer: a fresh OCSP response for ssl_stapling_file, if it is good
      """,
    readsCertificates: true, run: fetch)

  private static let dryRun: Option<Bool> = .flag("--dry-run", "send no request")
  private static let staple: Option<String?> = .file(
    "--staple", "write the OCSP response of the first certificate, if it is good", use: .written)

  private static func fetch(_ call: Invocation) throws(UsageError) -> ExitStatus {
    if call[dryRun] {
      try call.checkOne(of: [dryRun, staple])
      var session = try InputSession(call)
      show(try session.chain(of: try call.files()), call)
      return session.status
    }
    let files = try call.files()
    try FileWriter(call).check(call[staple])
    let question = try PathQuestion(
      call, files: files, .any, try FetchQuestion(fetching: call))
    let answer = question.answer
    answer.write(call)
    guard let file = call[staple] else { return answer.status }
    guard let response = question.goodResponse(answer) else {
      call.console.message(
        "holdfast: no OCSP response says good, so \(printable(word: file)) is not written\n")
      return .rejected
    }
    try FileWriter(call).write(response, to: file)
    return answer.status
  }

  /// Shows what certificates refer to, and what of it would be asked for.
  private static func show(_ chain: [Certificate], _ call: Invocation) {
    let documents = chain.map { certificate in
      var document = Document(title: Line(PathText.name(certificate)))
      document.add("sha256", certificate.sha256)
      document.add(
        "offers",
        FetchKind.allCases.flatMap { kind in
          certificate.locations(of: kind).map { offer(kind, $0, call, &document) }
        })
      return document
    }
    guard call[CommonOptions.json] else {
      for document in documents { call.console.report(document.text(TextStyle(call))) }
      return
    }
    var json = JSONDocument(call, list: "items")
    for document in documents { json.append(document.json) }
    json.finish([])
  }

  /// What is at a URL, for programs; for people a line is added.
  private static func offer(
    _ kind: FetchKind, _ url: String, _ call: Invocation, _ document: inout Document
  ) -> Document {
    let policy = FetchQuestion.policy(call)
    var problem: String?
    do throws(FetchError) {
      _ = try FetchURL(url, ports: policy.ports, ranges: call[FetchQuestion.ranges])
      if !policy.kinds.contains(kind) { problem = "not among --fetch" }
    } catch {
      problem = error.text(.commandLine)
    }
    document.add(kind.rawValue, nil, url + (problem.map { "  (\($0))" } ?? ""))
    return ["kind": kind.rawValue, "url": url, "problem": problem]
  }
}

extension PathQuestion {
  /// The OCSP response by which the first certificate is not revoked, in DER.
  fileprivate func goodResponse(_ answer: Answer) -> [UInt8]? {
    guard case .good(let evidence)? = answer.revocation.first?.status,
      case .ocspResponse(let index)? = evidence.sources.first
    else { return nil }
    return validator.revocation?.ocspResponses[index].der
  }
}
