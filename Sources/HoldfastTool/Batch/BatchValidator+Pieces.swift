internal import HoldfastAnswers
internal import HoldfastCertificates

/// The lines of pieces.
extension BatchValidator {
  /// Answers each line of a piece that is not blank.
  mutating func answer(_ piece: BatchPiece) -> BatchOutput {
    var output = BatchOutput(to: piece)
    switch piece.content {
    case .lines: answerLines(of: piece, &output)
    case .overlongLine:
      let subject = Subject(number: piece.firstLine, file: piece.file)
      write(.overlong(line: piece.firstLine), subject, &output)
    case .encoded:
      let reason = "PEM or DER, not lines of JSON: holdfast verify and inspect read it"
      write(.unreadable(line: 1, reason), Subject(number: 1, file: piece.file), &output)
    }
    output.bytes = writer.take()
    return output
  }

  private mutating func answerLines(of piece: BatchPiece, _ output: inout BatchOutput) {
    let text = piece.text.span
    var number = piece.firstLine
    var start = 0
    while start < text.count {
      let end = Platform.offset(of: 0x0A, in: text, start..<text.count) ?? text.count
      let line = start..<end
      if BatchValidator.hasByteOrderMark(line, text) { start += 3 }
      var subject = Subject(number: number, file: piece.file)
      if end - start > BatchLines.maximumLineLength {
        write(.overlong(line: number), subject, &output)
      } else if !BatchValidator.isBlank(start..<end, text) {
        answer(start..<end, in: text, &subject, &output)
      }
      number += 1
      start = end + 1
    }
  }

  /// Writes an answer, and counts it.
  mutating func write(_ answer: Answer, _ subject: Subject, _ output: inout BatchOutput) {
    output.summary.add(
      answer.verdict, rule: settings.isSummarized ? answer.rule : nil, leaf: facts(of: subject))
    guard let file = subject.file else { return writer.write(answer, id: subject.id) }
    var answer = answer
    answer.input.files = [file]
    writer.write(answer, id: subject.id)
  }

  private mutating func facts(of subject: Subject) -> BatchSummary.Facts? {
    guard settings.isSummarized, let leaf = subject.leaf else { return nil }
    return facts.facts(of: leaf)
  }

  /// Whether a line begins with U+FEFF in UTF-8, which RFC 8259 §8.1 lets a parser ignore.
  private static func hasByteOrderMark(_ line: Range<Int>, _ text: Span<UInt8>) -> Bool {
    line.count >= 3 && text[line.lowerBound] == 0xEF && text[line.lowerBound + 1] == 0xBB
      && text[line.lowerBound + 2] == 0xBF
  }

  private static func isBlank(_ line: Range<Int>, _ text: Span<UInt8>) -> Bool {
    for offset in line {
      switch text[offset] {
      case 0x20, 0x09, 0x0D: continue
      default: return false
      }
    }
    return true
  }
}
