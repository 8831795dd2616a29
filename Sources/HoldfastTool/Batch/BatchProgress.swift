internal import HoldfastDER
internal import HoldfastSystem

/// A line on the terminal that says how far a long run has come, ten times a second at most.
struct BatchProgress: Sendable {
  private let inputSize: Int?
  private let start = ContinuousClock.now
  private var last: ContinuousClock.Instant
  private var done = 0
  private var width = 0

  /// - Parameter inputSize: How large the input is, if it is a file.
  init(inputSize: Int?) {
    self.inputSize = inputSize
    last = start
  }

  /// Says how far it has come, if it was not said just now.
  mutating func show(_ counts: BatchCounts, afterInput size: Int) {
    done += size
    let now = ContinuousClock.now
    guard now - last >= .milliseconds(100) else { return }
    last = now
    put(BatchProgress.line(counts, now - start, done: done, of: inputSize))
  }

  /// Takes the line off the terminal.
  mutating func clear() {
    if width > 0 { put("") }
    width = 0
  }

  /// `[#####     ]  50 %  120000 done, 3 rejected, 25000/s, 4 s left`.
  static func line(
    _ counts: BatchCounts, _ duration: Duration, done: Int, of size: Int?
  ) -> String {
    let seconds = max(duration / .seconds(1), 0.001)
    var text = ""
    if let size, size > 0 {
      let share = min(Double(done) / Double(size), 1)
      let marks = Int(share * 20)
      text += "[" + String(repeating: "#", count: marks)
      text += String(repeating: " ", count: 20 - marks) + "] \(Int(share * 100)) %  "
    }
    text += "\(counts.all) done, \(counts[.rejected]) rejected, "
    text += "\(Int(Double(counts.all) / seconds))/s"
    if counts[.unreadable] > 0 { text += ", \(counts[.unreadable]) unreadable" }
    if let size, done > 0, size > done {
      text += ", \(Int((seconds * Double(size - done) / Double(done)).rounded(.up))) s left"
    }
    return text
  }

  private mutating func put(_ text: String) {
    let blanks = String(repeating: " ", count: max(width - text.utf8.count, 0))
    width = text.utf8.count
    // Without a terminal there is no progress line.
    do throws(System.SystemError) {
      try System.write(Array("\r\(text)\(blanks)\(text.isEmpty ? "\r" : "")".utf8), to: 2)
    } catch {}
  }
}
