extension Command {
  /// `holdfast explain`: every path that was tried.
  static let explainCommand = Command(
    name: "explain",
    summary: "shows every path that was tried, and every rule that each breaks",
    usage: PathQuestion.usage,
    options: PathQuestion.options + PinOptions.options + [TextStyle.option]
      + ExplanationPage.options,
    examples: """
      holdfast explain chain.pem --host example.com
          the verdict, then each path
      holdfast explain chain.pem --host example.com --at 2027-01-01 --json
          the same for programs, as of New Year's Day
      holdfast explain chain.pem --host example.com --html why.html
          a page for those who can repair it
      """,
    run: explain)

  private static func explain(_ call: Invocation) throws(UsageError) -> ExitStatus {
    let question = try PathQuestion(call)
    let explanation = Explanation(question, try PinnedQuestion(question, call))
    try explanation.writePage(call)
    question.write(explanation.document, call)
    return explanation.status
  }
}
