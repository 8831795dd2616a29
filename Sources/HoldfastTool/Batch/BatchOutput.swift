internal import Holdfast
internal import HoldfastAnswers

/// How many lines ended how.
struct BatchCounts: Sendable {
  private var counts: [Answer.Verdict: Int] = [:]

  var all: Int { counts.values.reduce(0, +) }

  /// What the run ends with.
  var status: ExitStatus {
    .worst(Answer.Verdict.ofLines.filter { self[$0] > 0 }.map(\.status))
  }

  /// `4 lines: 1 trusted, 3 rejected, 0 not decided, 0 unreadable`. A mismatch of pins rejects.
  var summary: String {
    let lines = "\(all) \(all == 1 ? "line" : "lines"): "
    let rejected = self[.rejected] + self[.pinMismatch]
    return lines + "\(self[.trusted]) trusted, \(rejected) rejected, "
      + "\(self[.exhausted]) not decided, \(self[.unreadable]) unreadable"
  }

  subscript(_ verdict: Answer.Verdict) -> Int {
    get { counts[verdict, default: 0] }
    set { counts[verdict] = newValue }
  }

  static func += (a: inout BatchCounts, b: BatchCounts) {
    a.counts.merge(b.counts, uniquingKeysWith: +)
  }
}

extension Answer.Verdict {
  /// Those that a line may have.
  static let ofLines = allCases.filter { $0 != .usage }
}

/// The answers to a piece, as they will be written.
struct BatchOutput: Sendable {
  var bytes: [UInt8] = []
  /// What the answers come to; without `--summary` only the verdicts.
  var summary = BatchSummary()
  /// How many bytes of input are answered.
  let inputSize: Int
  /// The place after the piece.
  let end: BatchPosition

  init(to piece: BatchPiece) {
    inputSize = piece.text.count
    end = piece.end
  }
}
