internal import Holdfast

extension Command {
  /// `holdfast verify`: whether a chain is trusted.
  static let verifyCommand = Command(
    name: "verify",
    summary: "says whether a chain is trusted, and if not, why",
    usage: PathQuestion.usage,
    options: PathQuestion.options + PinOptions.options + ExplanationPage.options,
    examples: """
      holdfast verify chain.pem --host example.com
          the server's certificate first, the others in any order; the system's anchors
      openssl s_client -showcerts -connect a.example:443 </dev/null | holdfast verify - --host a.example
          what a server sends
      holdfast verify client.pem --purpose client --anchors our-ca.pem
          a client's certificate under a private CA
      holdfast verify chain.pem --host example.com --crl ca.crl --revocation required
          revoked is rejected, and so is an unknown status; nothing is fetched
      holdfast verify chain.pem --host example.com --pins TrustKit.plist
          trusted, and pinned as an app has it; or which pins were seen and which expected
      """,
    run: verify)

  private static func verify(_ call: Invocation) throws(UsageError) -> ExitStatus {
    let question = try PathQuestion(call)
    let pinned = try PinnedQuestion(question, call)
    if call.has(ExplanationPage.file) {
      // Only the page needs every path; the answer is found with the first that is valid.
      try Explanation(question, pinned).writePage(call)
    }
    let (answer, status) = question.answer(pinned)
    question.write(answer, call)
    return status
  }
}

extension PathQuestion {
  /// Whether the chain is trusted, and why not.
  fileprivate func answer(_ pinned: PinnedQuestion?) -> (Document, ExitStatus) {
    if let pinned { return (pinned.document, pinned.status) }
    do throws(PathError) {
      let path = try validator.validate(chain, for: purpose, at: time)
      return (path.document(sources), .success)
    } catch {
      let lines = error.text(naming: sources.name(of:)).split(separator: "\n").map(String.init)
      return (Document(rejected: lines, error.document(sources)), .rejected)
    }
  }
}
