internal import HoldfastSystem

/// A line on the terminal that is written again and again.
struct ProgressLine: Sendable {
  private var width = 0

  /// Shows a text instead of the last one.
  mutating func show(_ text: String) {
    let blanks = String(repeating: " ", count: max(width - text.utf8.count, 0))
    width = text.utf8.count
    // Without a terminal there is no progress line.
    do throws(System.SystemError) {
      try System.write(Array("\r\(text)\(blanks)\(text.isEmpty ? "\r" : "")".utf8), to: 2)
    } catch {}
  }

  /// Takes the line off the terminal.
  mutating func clear() {
    if width > 0 { show("") }
  }
}

/// What the lines of several commands have in common.
extension ProgressLine {
  /// `[#####     ]  50 %  `, if it is known how much there is.
  static func bar(done: Int, of size: Int?) -> String {
    guard let size, size > 0 else { return "" }
    let share = min(Double(done) / Double(size), 1)
    let marks = Int(share * 20)
    return "[" + String(repeating: "#", count: marks)
      + String(repeating: " ", count: 20 - marks) + "] \(Int(share * 100)) %  "
  }

  /// `, 4 s left`, if that can be known.
  static func rest(after seconds: Double, done: Int, of size: Int?) -> String {
    guard let size, done > 0, size > done else { return "" }
    return ", \(Int((seconds * Double(size - done) / Double(done)).rounded(.up))) s left"
  }
}
