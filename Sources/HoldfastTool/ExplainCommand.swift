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
      TextStyle.option,
      Option(
        name: "--html", value: "FILE",
        meaning: "one page with pictures, all in it, beside the answer; - is standard output"),
      Option(name: "--force", meaning: "replace the file of --html if it exists"),
    ],
    examples: [
      ("holdfast explain chain.pem --host example.com", "the verdict, then each path"),
      (
        "holdfast explain chain.pem --host example.com --at 2027-01-01 --json",
        "the same for programs, as of New Year's Day"
      ),
      (
        "holdfast explain chain.pem --host example.com --html why.html",
        "a page to send to whoever can mend it"
      ),
    ],
    run: explain)

  private static func explain(
    _ arguments: Arguments, _ console: inout Console
  ) throws(UsageError) -> ExitStatus {
    let style = try TextStyle.read(arguments, console)
    let page = try arguments.value("--html")
    guard let question = try PathQuestion.read(arguments, &console) else { return .notUnderstood }
    var pinned: PinnedQuestion?
    if PinOptions.areGiven(arguments) {
      pinned = try PinnedQuestion(question, arguments, &console)
      guard pinned != nil else { return .notUnderstood }
    }
    let diagnosis = question.validator.diagnose(
      question.chain, for: question.purpose, at: question.time)
    let holdsPins = pinned.map { $0.status == .success }
    if let page {
      let writer = FileWriter(replaces: arguments.has("--force"))
      let text = ExplanationPage(
        question: question, diagnosis: diagnosis, pinned: pinned
      ).text
      guard writer.write(Array(text.utf8), to: page, &console) else { return .notUnderstood }
    }
    if page == "-" {
      // The page is the answer.
      if let pinned { return pinned.status }
    } else if arguments.has("--json") {
      if let pinned { return pinned.explain(diagnosis, isJSON: true, &console) }
      console.write(question.json(diagnosis.json) + "\n")
    } else {
      console.write(ExplanationText(style: style).text(of: diagnosis, holdsPins: holdsPins))
      console.write(question.sourcesText)
      if let pinned { return pinned.explain(diagnosis, isJSON: false, &console) }
    }
    return diagnosis.path != nil ? .success : .rejected
  }
}
