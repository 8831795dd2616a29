internal import Holdfast

extension Command {
  /// `holdfast verify`: whether a chain is trusted.
  static let verifyCommand = Command(
    name: "verify",
    summary: "says whether a chain is trusted, and if not, why",
    usage: PathQuestion.usage,
    options: PathQuestion.options,
    examples: """
      holdfast verify chain.pem --host example.com
          the server's certificate first, the others in any order; the system's anchors
      openssl s_client -showcerts -connect a.example:443 </dev/null | holdfast verify - --host a.example
          what a server sends
      holdfast verify client.pem --purpose client --anchors our-ca.pem
          a client's certificate under a private CA
      holdfast verify chain.pem --host example.com --crl ca.crl --revocation required
          revoked is rejected, and so is an unknown status; --fetch crl asks for CRLs
      holdfast verify chain.pem --host example.com --pins TrustKit.plist
          trusted, and pinned as an app has it; or which pins were seen and which expected
      """,
    isAnswer: true, run: verify)

  private static func verify(_ call: Invocation) throws(UsageError) -> ExitStatus {
    let question = try PathQuestion(call)
    let answer = question.answer
    if call.has(ExplanationPage.file) {
      // Only the page needs every path; the answer is found with the first that is valid.
      try ExplanationPage(question.explained(answer), question).write(call)
    }
    (call[CommonOptions.verbose] ? question.explained(answer) : answer).write(call)
    return ExpiryWarning.status(of: answer, call)
  }
}
