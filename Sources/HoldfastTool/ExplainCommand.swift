internal import Holdfast
internal import HoldfastCertificates

extension Command {
  /// `holdfast explain`: every path that was tried.
  static let explainCommand = Command(
    name: "explain",
    summary: "shows every path that was tried, and every rule that each breaks",
    usage: PathQuestion.usage,
    options: PathQuestion.options,
    examples: [
      ("holdfast explain chain.pem --host example.com", "the verdict, then each path"),
      (
        "holdfast explain chain.pem --host example.com --at 2027-01-01 --json",
        "the same for programs, as of New Year's Day"
      ),
    ],
    run: explain)

  private static func explain(
    _ arguments: Arguments, _ console: inout Console
  ) throws(UsageError) -> ExitStatus {
    guard let question = try PathQuestion.read(arguments, &console) else { return .notUnderstood }
    let diagnosis = question.validator.diagnose(
      question.leaf, intermediates: question.intermediates, for: question.purpose,
      at: question.time)
    if arguments.has("--json") {
      console.write(diagnosis.json + "\n")
    } else {
      console.write(text(of: diagnosis))
      console.write(question.sourcesText)
    }
    if diagnosis.path != nil { return .success }
    if case .unusableName? = diagnosis.error?.cause { return .notUnderstood }
    return .rejected
  }

  /// The verdict in one line, the paths as trees with the anchor on top, hints last.
  private static func text(of diagnosis: Diagnosis) -> String {
    var text = ""
    if let path = diagnosis.path {
      text += PathText.trusted(path)
    } else if let error = diagnosis.error {
      text += "rejected: \(printable(error.headline))\n"
    }
    if let limit = diagnosis.exhausted { text += "the search ended early: \(limit)\n" }
    for (number, attempt) in diagnosis.attempts.enumerated() {
      text += "\npath \(number + 1)\n" + tree(of: attempt)
    }
    for hint in diagnosis.error?.hints ?? [] { text += "\nhint: \(printable("\(hint)"))\n" }
    return text
  }

  private static func tree(of attempt: Diagnosis.Attempt) -> String {
    var lines = ""
    var indentation = "  "
    func broken(at index: Int) -> [PathError.Rejection] {
      attempt.broken.filter { $0.index == index }
    }
    func add(_ name: String, _ index: Int) {
      let broken = broken(at: index)
      lines += "\(indentation)\(broken.isEmpty ? "✓" : "✗") \(name)\n"
      for rejection in broken {
        let place = rejection.octets.map { ", bytes \($0.lowerBound)..<\($0.upperBound)" } ?? ""
        lines += "\(indentation)    \(printable("\(rejection.rule)"))\(place)"
        lines += " [\(rejection.rule.citation)]\n"
      }
      indentation += "  "
    }
    if let anchor = attempt.anchor, attempt.certificates.last != anchor.certificate {
      add("\(printable("\(anchor.name)"))  (anchor)", attempt.certificates.count)
    }
    for (index, certificate) in attempt.certificates.enumerated().reversed() {
      add(PathText.name(certificate), index)
    }
    return lines
  }
}
