internal import HoldfastAnswers

/// A line on the terminal that says how far a long run has come, ten times a second at most.
struct BatchProgress: Sendable {
  private let inputSize: Int?
  /// How many lines were answered before.
  private let earlier: Int
  private let start = ContinuousClock.now
  private var last: ContinuousClock.Instant
  private var done = 0
  private var line = ProgressLine()

  /// - Parameters:
  ///   - inputSize: How many bytes are to be read, if it is known.
  ///   - earlier: How many lines were answered by the run that goes on.
  init(inputSize: Int?, earlier: Int = 0) {
    self.inputSize = inputSize
    self.earlier = earlier
    last = start
  }

  /// Says how far it has come, if it was not said just now.
  mutating func show(_ counts: BatchCounts, afterInput size: Int) {
    done += size
    let now = ContinuousClock.now
    guard now - last >= .milliseconds(100) else { return }
    last = now
    line.show(
      BatchProgress.line(counts, now - start, earlier: earlier, done: done, of: inputSize))
  }

  /// Takes the line off the terminal.
  mutating func clear() { line.clear() }

  /// `[#####     ]  50 %  120000 done, 3 rejected, 25000/s, 4 s left`.
  static func line(
    _ counts: BatchCounts, _ duration: Duration, earlier: Int = 0, done: Int, of size: Int?
  ) -> String {
    let seconds = max(duration / .seconds(1), 0.001)
    var text = ProgressLine.bar(done: done, of: size)
    text += "\(counts.all) done, \(counts[.rejected]) rejected, "
    text += "\(Int(Double(counts.all - earlier) / seconds))/s"
    if counts[.unreadable] > 0 { text += ", \(counts[.unreadable]) unreadable" }
    text += ProgressLine.rest(after: seconds, done: done, of: size)
    return text
  }
}
