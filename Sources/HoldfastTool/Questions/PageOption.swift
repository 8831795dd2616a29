internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastSystem

/// `--html`: an answer as one page.
extension ExplanationPage {
  static let file: Option<String?> = .file(
    "--html", "one page with pictures, all in it, beside the answer; - is standard output",
    use: .written)

  /// The options of `verify` for the page.
  static let options = OptionGroup(
    "page", [file, CommonOptions.force.described("replace the file of --html if it exists")])

  /// The page about an answer with all that was tried.
  init(_ answer: Answer, _ question: PathQuestion) {
    self.init(
      answer, question.question, by: question.validator,
      ahead: System.offsetOfLocalTime(atSecondsSince1970:))
  }

  /// Writes the page if a command line asks for it.
  func write(_ call: Invocation) throws(UsageError) {
    guard let path = call[ExplanationPage.file] else { return }
    try FileWriter(call).write(text.utf8, to: path)
  }
}
