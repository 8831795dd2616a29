/// A report for people: a title, and lines that begin with what they are about.
///
/// Every line is escaped here, so that no caller can forget it.
struct Report {
  /// The text so far.
  private(set) var text: String

  private static let width = 18

  init(title: String) {
    text = printable(title) + "\n"
  }

  /// Adds a fact.
  mutating func line(_ subject: String, _ value: String) {
    text += "  " + Command.padded(subject, to: Report.width) + printable(value) + "\n"
  }

  /// Adds a fact of several lines, or nothing if there is none.
  mutating func lines(_ subject: String, _ values: [String]) {
    for (index, value) in values.enumerated() { line(index == 0 ? subject : "", value) }
  }
}
