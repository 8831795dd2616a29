internal import Holdfast

extension Command {
  /// `holdfast explain`: every path that was tried.
  static let explainCommand = Command(
    name: "explain",
    summary: "shows every path that was tried, and every rule that each breaks",
    usage: PathQuestion.usage,
    options: PathQuestion.options,
    examples: """
      holdfast explain chain.pem --host example.com
          the verdict, then each path
      holdfast explain chain.pem --host example.com --at 2027-01-01 --json
          the same for programs, as of New Year's Day
      holdfast explain chain.pem --host example.com --html why.html
          a page for those who can repair it
      """,
    isAnswer: true, run: explain)

  private static func explain(_ call: Invocation) throws(UsageError) -> ExitStatus {
    let question = try PathQuestion(call)
    let answer = question.explained(question.answer)
    try ExplanationPage(answer, question).write(call)
    answer.write(call)
    return ExpiryWarning.status(of: answer, call)
  }
}
