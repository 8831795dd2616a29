internal import Holdfast

/// How many lines ended how.
struct BatchCounts: Sendable {
  private var counts = [Int](repeating: 0, count: Answer.Verdict.allCases.count)

  var all: Int { counts.reduce(0, +) }

  /// What the run ends with.
  var status: ExitStatus {
    .worst(Answer.Verdict.allCases.filter { self[$0] > 0 }.map(\.status))
  }

  /// `4 lines: 1 trusted, 3 rejected, 0 exhausted, 0 unreadable`. A mismatch of pins rejects.
  var summary: String {
    let rejected = self[.rejected] + self[.pinMismatch]
    return
      "\(all) \(all == 1 ? "line" : "lines"): \(self[.trusted]) trusted, \(rejected) rejected, "
      + "\(self[.exhausted]) exhausted, \(self[.unreadable]) unreadable"
  }

  subscript(_ verdict: Answer.Verdict) -> Int { counts[verdict.index] }

  mutating func count(_ verdict: Answer.Verdict) { counts[verdict.index] += 1 }

  static func += (a: inout BatchCounts, b: BatchCounts) {
    for index in a.counts.indices { a.counts[index] += b.counts[index] }
  }
}

extension Answer.Verdict {
  /// Its place in `allCases`. Hashing a word for each line would take longer than counting it.
  fileprivate var index: Int {
    switch self {
    case .trusted: 0
    case .rejected: 1
    case .pinMismatch: 2
    case .exhausted: 3
    case .unreadable: 4
    case .unreachable: 5
    }
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
