internal import Holdfast

/// How many lines ended how.
struct BatchCounts: Sendable {
  private var counts: [Answer.Verdict: Int] = [:]

  var all: Int { counts.values.reduce(0, +) }

  /// What the run ends with.
  var status: ExitStatus { .worst(counts.keys.map(\.status)) }

  /// `4 lines: 1 trusted, 3 rejected, 0 exhausted, 0 unreadable`. A mismatch of pins rejects.
  var summary: String {
    let rejected = self[.rejected] + self[.pinMismatch]
    return
      "\(all) \(all == 1 ? "line" : "lines"): \(self[.trusted]) trusted, \(rejected) rejected, "
      + "\(self[.exhausted]) exhausted, \(self[.unreadable]) unreadable"
  }

  subscript(_ verdict: Answer.Verdict) -> Int { counts[verdict, default: 0] }

  mutating func count(_ verdict: Answer.Verdict) { counts[verdict, default: 0] += 1 }

  static func += (a: inout BatchCounts, b: BatchCounts) {
    a.counts.merge(b.counts, uniquingKeysWith: +)
  }
}

/// The answers to some lines, as they will be written.
struct BatchOutput: Sendable {
  var bytes: [UInt8] = []
  var counts = BatchCounts()
  /// How many bytes of input are answered.
  let inputSize: Int

  init(inputSize: Int) { self.inputSize = inputSize }
}
