internal import Holdfast
internal import HoldfastCertificates

/// `verify` and `explain` with pins: the same question, asked of a `TrustManager`.
struct PinnedQuestion {
  private let question: PathQuestion
  private let manager: TrustManager
  private let host: HostName

  /// The question with the pins of the command line; nil if they were not understood, which has been
  /// said then.
  init?(
    _ question: PathQuestion, _ arguments: Arguments, _ console: inout Console
  ) throws(UsageError) {
    guard case .host(let host)? = question.purpose.identity else {
      throw .conflict("pins are for servers: --pin and --pins go with --host")
    }
    guard let table = try PinOptions.table(arguments, for: host, &console) else { return nil }
    self.question = question
    self.host = host
    manager = TrustManager(
      pins: table, anchors: question.validator.anchors, rules: question.validator.rules,
      revocation: question.revocation?.revocation)
  }

  private func evaluate() throws(PinningError) -> PinVerdict {
    try manager.evaluate(
      [question.leaf] + question.intermediates, host: host, at: question.time)
  }

  /// The answer in words, one line after the other.
  var words: String {
    do throws(PinningError) {
      return "\(try evaluate())"
    } catch {
      return "\(error)"
    }
  }

  /// The answer without words.
  var status: ExitStatus {
    do throws(PinningError) {
      _ = try evaluate()
      return .success
    } catch {
      return .rejected
    }
  }

  /// The answer of `verify`.
  func verify(isJSON: Bool, _ console: inout Console) -> ExitStatus {
    do throws(PinningError) {
      let verdict = try evaluate()
      if isJSON {
        console.write(verdict.json + "\n")
      } else {
        console.write(PathText.trusted(verdict.path) + PinnedQuestion.indented("\(verdict)"))
      }
      return .success
    } catch {
      console.write(isJSON ? error.json + "\n" : "rejected: \(PinnedQuestion.lines("\(error)"))\n")
      return .rejected
    }
  }

  /// What `explain` adds: the pins that were seen on every path, valid or not, and those expected.
  func explain(_ diagnosis: Diagnosis, isJSON: Bool, _ console: inout Console) -> ExitStatus {
    let answer: (json: String, text: String, status: ExitStatus)
    do throws(PinningError) {
      let verdict = try evaluate()
      answer = (verdict.json, "pins: trusted\n" + PinnedQuestion.indented("\(verdict)"), .success)
    } catch {
      answer = (
        error.json, "pins: rejected\n" + PinnedQuestion.indented("\(error)"), .rejected
      )
    }
    if isJSON {
      // The diagnosis is an object: one member more.
      console.write("\(diagnosis.json.dropLast()),\"pinning\":\(answer.json)}\n")
      return answer.status
    }
    console.write("\n" + answer.text)
    for (number, attempt) in diagnosis.attempts.enumerated() {
      console.write("  pins of the invalid path \(number + 1):\n")
      for certificate in attempt.certificates {
        console.write("    \(Pin(keyOf: certificate))  \(PathText.name(certificate))\n")
      }
      if let anchor = attempt.anchor, anchor.certificate != attempt.certificates.last {
        console.write("    \(Pin(anchor.publicKey))  \(printable("\(anchor.name)")) (anchor)\n")
      }
    }
    return answer.status
  }

  /// Several lines, each escaped.
  private static func lines(_ text: String) -> String {
    text.split(separator: "\n").map { printable(String($0)) }.joined(separator: "\n")
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n").map { "  \(printable(String($0)))\n" }.joined()
  }
}
