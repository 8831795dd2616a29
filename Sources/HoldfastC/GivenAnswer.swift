internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastBase

/// An answer that a C program holds.
final class GivenAnswer: Sendable {
  private let judgment: Judgment
  private let judge: Judge
  /// The policy that made it. It is kept, so that no later one can be taken for it.
  private let policy: Policy
  private let lent = Guarded(Lent())

  /// What was borrowed so far, and the answer if it was looked at.
  private struct Lent: Sendable {
    var answer: Answer?
    var texts: [Text: LentBytes] = [:]
    var certificates: [Int: LentBytes] = [:]
  }

  /// The texts of an answer, by the numbers of `holdfast.h`.
  enum Text: UInt32, Sendable {
    case reason = 1
    case summary = 2
    case logLine = 3
    case code = 4
    case json = 5
    case page = 6
  }

  init(_ asked: AskedQuestion, _ judge: Judge, _ policy: Policy) {
    judgment = judge.judgment(asked)
    self.judge = judge
    self.policy = policy
  }

  private func answer(_ lent: inout Lent) -> Answer {
    if let known = lent.answer { return known }
    let made = judgment.answer()
    lent.answer = made
    return made
  }

  var isTrusted: Bool {
    if case .success = judgment.outcome { true } else { false }
  }

  /// The number of the verdict in `holdfast.h`.
  var verdict: Int32 {
    isTrusted ? 1 : lent.withLock { number(of: answer(&$0).verdict) }
  }

  private func number(of verdict: Answer.Verdict) -> Int32 {
    switch verdict {
    case .trusted: 1
    case .rejected: 2
    case .pinMismatch: 3
    case .exhausted: 4
    case .unreadable: 5
    // What has no server and no command line ends with none of these.
    case .unreachable, .usage: 2
    }
  }

  func lend(_ text: Text) -> LentBytes {
    lent.withLock { lent in
      if let known = lent.texts[text] { return known }
      let made = LentBytes(bytes(of: text, answer(&lent)))
      lent.texts[text] = made
      return made
    }
  }

  /// Returns the certificate at a place of the path; nil beyond its end.
  func lendCertificate(_ index: Int) -> LentBytes? {
    lent.withLock { lent in
      if let known = lent.certificates[index] { return known }
      let path = answer(&lent).path
      guard path.indices.contains(index) else { return nil }
      let made = LentBytes(path[index].der)
      lent.certificates[index] = made
      return made
    }
  }

  private func bytes(of text: Text, _ answer: Answer) -> [UInt8] {
    switch (text, judgment.outcome) {
    case (.reason, _): Array(answer.reason.utf8)
    case (.summary, .success): Array(answer.reason.utf8)
    case (.summary, .failure(let error)): Array(error.summary.utf8)
    case (.logLine, .success(let verdict)): Array(verdict.logLine.utf8)
    case (.logLine, .failure(let error)): Array(error.logLine.utf8)
    case (.code, _): Array((answer.code ?? "").utf8)
    case (.json, _): json(answer)
    case (.page, _): Array(page(answer).utf8)
    }
  }

  /// The document on one line.
  private func json(_ answer: Answer) -> [UInt8] {
    var writer = AnswerWriter()
    writer.write(answer)
    return writer.bytes.dropLast()
  }

  /// The page. Only here all paths are looked for, and not only the first that is valid.
  private func page(_ answer: Answer) -> String {
    guard let question = judgment.question else { return ExplanationPage.text(of: answer) }
    let validator = judge.manager.validator
    let explained = answer.explained(question, by: validator)
    return ExplanationPage(explained, question, by: validator, ahead: { _ in 0 }).text
  }

  /// Until when the verdict may be used again; nil if not at all.
  var end: Timestamp? {
    if case .success(let verdict) = judgment.outcome { verdict.validity.upperBound } else { nil }
  }

  /// Whether the verdict may be used again for a host.
  func holds(_ policy: Policy, _ host: String, at time: Timestamp) -> Bool {
    guard case .success(let verdict) = judgment.outcome, policy === self.policy else {
      return false
    }
    return verdict.isValid(for: host, at: time)
  }
}
