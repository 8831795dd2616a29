internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastJSON

/// `verify` and `explain` with pins: the same question, asked of a `TrustManager`.
struct PinnedQuestion {
  private let answer: Result<Verdict, TrustError>
  private let question: PathQuestion

  /// Whether the pins came with the configuration of another system.
  private let isConfiguration: Bool

  /// What the table of pins says of the host.
  let selection: PinTable.Selection

  /// The question with the pins of the command line; nil if there are none.
  init?(_ question: PathQuestion, _ arguments: Arguments) throws(UsageError) {
    guard PinOptions.areGiven(arguments) else { return nil }
    guard case .host(let host)? = question.purpose.identity else {
      throw .conflict("pins are for servers: --pin and --pins go with --host")
    }
    let table = try PinOptions.table(arguments, for: host)
    let manager = TrustManager(
      pins: table, anchors: question.validator.anchors, rules: question.validator.rules,
      revocation: question.revocation?.revocation)
    self.question = question
    isConfiguration = arguments.has(PinOptions.configuration)
    selection = table.selection(for: host)
    do throws(TrustError) {
      answer = .success(
        try manager.evaluate(
          question.chain, host: "\(host)", at: question.time))
    } catch {
      answer = .failure(error)
    }
  }

  /// The answer in words, one line after the other.
  var words: String {
    switch answer {
    case .success(let verdict): "\(verdict)"
    case .failure(.unknownHost(let host)) where isConfiguration:
      "there are no pins for \(host)\n"
        + "  the system of this configuration trusts hosts without pins if their path is valid; "
        + "here they are refused"
    case .failure(let error): "\(error)"
    }
  }

  /// Advice on the configuration of pins.
  var hints: [String] {
    guard case .failure(.pinMismatch(let mismatch)) = answer else { return [] }
    return mismatch.hints.map { "\($0)" }
  }

  /// The valid paths that were looked at for pins, each with its number.
  var validPaths: [(number: Int, path: ValidatedPath)] {
    switch answer {
    case .success(let verdict):
      verdict.path.map { [(verdict.pathNumber, $0)] } ?? []
    case .failure(.pinMismatch(let mismatch)):
      mismatch.paths.enumerated().map { ($0.offset + 1, $0.element.path) }
    case .failure: []
    }
  }

  /// The answer without words.
  var status: ExitStatus {
    switch answer {
    case .success: .success
    case .failure: .rejected
    }
  }

  /// The answer of `verify`.
  func verify(isJSON: Bool, _ console: inout Console) -> ExitStatus {
    switch answer {
    case .success(let verdict):
      if isJSON {
        console.write(question.json(verdict.document))
      } else {
        console.write((verdict.path.map(PathText.trusted) ?? "") + PinnedQuestion.indented(words))
      }
    case .failure(let error):
      console.write(
        isJSON ? question.json(error.document) : "rejected: \(PinnedQuestion.lines(words))\n")
    }
    return status
  }

  /// What `explain` adds: the pins that were seen on every path, valid or not, and those expected.
  func explain(_ diagnosis: Diagnosis, isJSON: Bool, _ console: inout Console) -> ExitStatus {
    if isJSON {
      var document = diagnosis.document
      switch answer {
      case .success(let verdict): document.add("pinning", verdict.document)
      case .failure(let error): document.add("pinning", error.document)
      }
      console.write(question.json(document))
      return status
    }
    let word = status == .success ? "trusted" : "rejected"
    console.write("\npins: \(word)\n" + PinnedQuestion.indented(words))
    for (number, attempt) in diagnosis.attempts.enumerated() {
      console.write("  pins of the invalid path \(number + 1):\n")
      for place in PathPlace.places(attempt.certificates, attempt.anchor) {
        let name = place.certificate.map { PathText.name($0) } ?? PathText.name(place.name)
        console.write("    \(place.pin)  \(name)\(place.scope == .anchor ? "  (anchor)" : "")\n")
      }
    }
    return status
  }

  /// Several lines, each escaped.
  private static func lines(_ text: String) -> String {
    text.split(separator: "\n").map { printable(String($0)) }.joined(separator: "\n")
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n").map { "  \(printable(String($0)))\n" }.joined()
  }
}
