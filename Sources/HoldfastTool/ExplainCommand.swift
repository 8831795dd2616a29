internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastJSON

extension Command {
  /// `holdfast explain`: every path that was tried.
  static let explainCommand = Command(
    name: "explain",
    summary: "shows every path that was tried, and every rule that each breaks",
    usage: PathQuestion.usage,
    options: PathQuestion.options + PinOptions.options + [
      TextStyle.option, ExplanationPage.file,
      CommonOptions.force.described("replace the file of --html if it exists"),
    ],
    examples: [
      ("holdfast explain chain.pem --host example.com", "the verdict, then each path"),
      (
        "holdfast explain chain.pem --host example.com --at 2027-01-01 --json",
        "the same for programs, as of New Year's Day"
      ),
      (
        "holdfast explain chain.pem --host example.com --html why.html",
        "a page for those who can repair it"
      ),
    ],
    run: explain)

  private static func explain(
    _ arguments: Arguments, _ console: inout Console
  ) throws(UsageError) -> ExitStatus {
    let style = TextStyle(arguments, console)
    let page = arguments[ExplanationPage.file]
    let question = try PathQuestion(arguments, &console)
    let pinned = try PinnedQuestion(question, arguments)
    let diagnosis = question.validator.diagnose(
      question.chain, for: question.purpose, at: question.time)
    let holdsPins = pinned.map { $0.status == .success }
    if let page {
      let text = ExplanationPage(question: question, diagnosis: diagnosis, pinned: pinned).text
      try FileWriter(replaces: arguments[CommonOptions.force])
        .write(Array(text.utf8), to: page, &console)
    }
    if page == "-" {
      // The page is the answer.
      if let pinned { return pinned.status }
    } else if arguments[CommonOptions.json] {
      if let pinned { return pinned.explain(diagnosis, isJSON: true, &console) }
      console.write(question.json(diagnosis.document))
    } else {
      console.write(ExplanationText(style: style).text(of: diagnosis, holdsPins: holdsPins))
      console.write(question.sourcesText)
      if let pinned { return pinned.explain(diagnosis, isJSON: false, &console) }
    }
    return diagnosis.path != nil ? .success : .rejected
  }
}
