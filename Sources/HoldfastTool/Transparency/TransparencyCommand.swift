internal import Holdfast
internal import HoldfastCertificates

extension Command {
  /// `holdfast ct`: what the timestamps of a certificate prove.
  static let transparencyCommand = Command(
    name: "ct",
    summary: "verifies the timestamps that logs gave a certificate",
    usage: "FILE… --log-list LIST [--policy NAME] [--at TIME] [--json]",
    options: [
      TransparencyQuestion.list, TransparencyQuestion.policy,
      CommonOptions.at.described("evaluate at this time: 2026-03-01T12:00:00Z"),
    ] + PasswordSource.options + [CommonOptions.json],
    examples: """
      holdfast ct chain.pem --log-list log_list.json
          the certificate first, its issuer among the others; by the rules of Chrome
      holdfast ct chain.pem --log-list log_list.json --policy count:2 --json
          two logs of the list, for programs
      holdfast inspect chain.pem
          the timestamps as they stand in the certificate, without a list
      """,
    run: transparency)

  private static func transparency(_ call: Invocation) throws(UsageError) -> ExitStatus {
    let evaluator = try TransparencyQuestion.evaluator(call)
    let time = call[CommonOptions.at] ?? .now
    var session = try InputSession(call)
    let chain = session.certificates(of: try call.files())
    guard !session.beginsWithFailure, let leaf = chain.first else { throw .reported }
    // Nothing is validated: the issuer is the certificate whose key has signed the leaf.
    let issuer = chain.first { $0.subject.matches(leaf.issuer) && leaf.isSigned(by: $0) }
    let report = evaluator.evaluate(
      leaf, issuerKey: issuer?.publicKey, at: LogTime(time)...LogTime(endOf: time), isValid: false)
    var document = Document(title: .strong(PathText.name(leaf)))
    document.add("certificate", PathText.name(leaf))
    document.add("time", "\(time)")
    document.addLines(nil, report.summaryLines)
    document.addMembers(of: report.document)
    call.console.write(call[CommonOptions.json] ? document.line + "\n" : document.text())
    switch report.verdict {
    case .complies: return session.status
    case .violates: return .rejected
    case .notEvaluated: return .notUnderstood
    }
  }
}
