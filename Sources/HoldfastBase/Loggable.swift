/// A value whose `description` may have several lines, and that also fits on one line of a log.
///
/// All errors of this library conform, and the answers that list something: verdicts, mismatched
/// pins, sets and tables of pins, reports.
public protocol Loggable: CustomStringConvertible {}

extension Loggable {
  /// The description on one line. A line that ends with a colon introduces the next; other lines are
  /// separated by semicolons.
  ///
  /// ```swift
  /// logger.warning("\(error.logLine)")
  /// ```
  public var logLine: String {
    var text = ""
    for line in description.split(separator: "\n") {
      let words = line.split(separator: " ").joined(separator: " ")
      guard !words.isEmpty else { continue }
      if !text.isEmpty { text += text.hasSuffix(":") ? " " : "; " }
      text += words
    }
    return text
  }
}
