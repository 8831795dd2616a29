/// An error of this library. All its public errors conform.
///
/// `description` tells an engineer what was found, where, and which document forbids it; `logLine` is
/// the first of it on one line, with the host. `summary` can be shown to the people who use a program:
///
/// ```swift
/// print((error as? any HoldfastError)?.summary ?? "No secure connection could be made.")
/// ```
public protocol HoldfastError: Error, Loggable {
  /// What is wrong, in one plain sentence.
  var summary: String { get }
}

/// A value whose `description` may have several lines, and that also fits on one line of a log.
///
/// All errors of this library conform, and the answers that list something: verdicts, mismatched
/// pins, sets and tables of pins, reports.
public protocol Loggable: CustomStringConvertible {
  /// What a log needs, on one line: the host once, where there is one, and each fact once.
  ///
  /// ```swift
  /// logger.warning("\(error.logLine)")
  /// ```
  var logLine: String { get }
}

extension Loggable {
  /// The description on one line. A line that ends with a colon introduces the next; other lines are
  /// separated by semicolons.
  public var logLine: String { Self.onOneLine(description) }

  /// Returns a text on one line.
  package static func onOneLine(_ lines: String) -> String {
    var text = ""
    for line in lines.split(separator: "\n") {
      let words = line.split(separator: " ").joined(separator: " ")
      guard !words.isEmpty else { continue }
      if !text.isEmpty { text += text.hasSuffix(":") ? " " : "; " }
      text += words
    }
    return text
  }
}
