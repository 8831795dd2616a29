internal import Holdfast
internal import HoldfastCertificates

extension Command {
  /// `holdfast ct`: what the timestamps of a certificate prove.
  static let transparencyCommand = Command(
    name: "ct",
    summary: "verifies the timestamps that logs gave a certificate",
    usage: "FILE… --log-list LIST [--policy NAME] [--at TIME] [--json]",
    options: [
      [
        TransparencyQuestion.list, TransparencyQuestion.policy,
        CommonOptions.at.described("evaluate at this time: 2026-03-01T12:00:00Z"),
        CommonOptions.json,
      ], PasswordSource.options,
    ],
    examples: """
      holdfast ct chain.pem --log-list log_list.json
          the certificate first, its issuer among the others; by the rules of Chrome
      holdfast ct chain.pem --log-list log_list.json --policy count:2 --json
          two logs of the list, for programs
      holdfast inspect chain.pem
          the timestamps as they stand in the certificate, without a list
      """,
    isAnswer: true, run: transparency)

  private static func transparency(_ call: Invocation) throws(UsageError) -> ExitStatus {
    let evaluator = try TransparencyQuestion.evaluator(call)
    let time = call[CommonOptions.at] ?? .now
    var session = try InputSession(call)
    let files = try call.files()
    let chain = session.certificates(of: files)
    guard !session.beginsWithFailure, let leaf = chain.first else {
      throw .reported(session.problems)
    }
    // Nothing is validated: the issuer is the certificate whose key has signed the leaf.
    let issuer = chain.first { $0.subject.matches(leaf.issuer) && leaf.isSigned(by: $0) }
    let report = evaluator.evaluate(
      leaf, issuerKey: issuer?.publicKey, at: LogTime(time)...LogTime(endOf: time), isValid: false)
    let answer = Answer(
      report, about: leaf, Answer.Input(files: files, time: time, unreadable: session.problems))
    answer.write(call)
    return .worst([answer.status, session.status])
  }
}

extension Answer {
  /// The answer about timestamps alone: no path was validated, and no name compared.
  fileprivate init(_ report: TransparencyReport, about leaf: Certificate, _ input: Input) {
    let complies = report.verdict == .complies
    self.init(
      verdict: complies ? .trusted : .rejected,
      rule: complies ? nil : TrustError.transparencyName,
      citation: complies ? nil : TrustError.transparencyCitation,
      reason: report.summary, input: input)
    path = [leaf]
    unchecked = [.path, .host]
    transparency = report
  }
}
