import Foundation
package import HoldfastDER

/// A part of the article that shows what errors say: the lines of the table below a heading.
///
/// `Scripts/golden` writes the part anew.
package struct ErrorTable {
  private static let head = [
    "| error | for users: `summary` | for a log: `logLine` | `description` |", "|---|---|---|---|",
  ]

  /// The lines that the article has.
  package let found: [String]
  /// The lines that it must have.
  package let expected: [String]

  /// - Parameter heading: The text of the heading, which is the last before the table.
  package init(_ heading: String, _ rows: [(name: String, error: any HoldfastError)]) throws {
    try self.init(
      heading, in: "WhatErrorsSay", Self.head + rows.map { Self.row($0.name, $0.error) })
  }

  /// - Parameter codes: Each code with what it means.
  package init(_ heading: String, codes: [(code: String, meaning: String)]) throws {
    let head = ["| code | meaning |", "|---|---|"]
    try self.init(
      heading, in: "ErrorCodes", head + codes.map { "| `\($0.code)` | \($0.meaning) |" })
  }

  private init(_ heading: String, in article: String, _ table: [String]) throws {
    expected = table
    let path = "\(CommittedVectors.root)/Sources/Holdfast/Holdfast.docc/\(article).md"
    var lines = try String(contentsOfFile: path, encoding: .utf8)
      .components(separatedBy: "\n")
    guard let start = lines.firstIndex(of: "### \(heading)") else {
      found = []
      return
    }
    let first = start + 2
    let last = lines[first...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
    found = GoldenFile.isRenewed ? expected : Array(lines[first..<last])
    guard GoldenFile.isRenewed else { return }
    lines.replaceSubrange(first..<last, with: expected)
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
  }

  private static func row(_ name: String, _ error: any HoldfastError) -> String {
    let text = "\(error)"
    let lines = text.split(separator: "\n")
    let description =
      "\(text) code=\(error.code)" == error.logLine
      ? "the same" : lines.map { "`\($0.drop { $0 == " " })`" }.joined(separator: "<br>")
    let cells = [name, error.summary, "`\(error.logLine)`", description]
    return "| "
      + cells.map { $0.map { $0 == "|" ? "\\|" : "\($0)" }.joined() }
      .joined(separator: " | ") + " |"
  }
}
