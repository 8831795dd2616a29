internal import Holdfast
internal import HoldfastAnswers

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
      holdfast verify chain.pem --host example.com -v --html why.html
          every path that was tried, and each rule that it breaks; a page for those who can repair it
      holdfast verify client.pem --purpose client --anchors our-ca.pem
          a client's certificate under a private CA
      holdfast verify chain.pem --host example.com --crl ca.crl --revocation required
          revoked is rejected, and so is an unknown status; --fetch crl asks for CRLs
      holdfast verify chain.pem --host example.com --pins TrustKit.plist
          trusted, and pinned as an app has it; or which pins were seen and which expected
      """,
    readsCertificates: true, run: verify)

  private static func verify(_ call: Invocation) throws(UsageError) -> ExitStatus {
    if let url = call.operands.first(where: { $0.hasPrefix("https://") }) {
      throw .conflict(
        "\(printable(word: url)) is a server, and not a file: holdfast connect asks it")
    }
    let question = try PathQuestion(call)
    var answer = question.answer
    // The answer is found with the first path that is valid; only these need every path.
    if call[CommonOptions.verbose] || call.has(ExplanationPage.file) {
      let explained = question.explained(answer)
      try ExplanationPage(explained, question).write(call)
      if call[CommonOptions.verbose] { answer = explained }
    }
    answer.write(call)
    return ExpiryWarning.status(of: answer, call)
  }
}
