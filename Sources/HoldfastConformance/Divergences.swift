internal import HoldfastSystem

/// The cases of a suite where we answer otherwise on purpose.
///
/// They are listed in `Vectors/<suite>.divergences`, one line each: the case, a space, what we
/// do and why. Empty lines and lines that begin with `#` do not count.
package struct Divergences: Sendable {
  /// What we do and why, by case.
  package let reasons: [String: String]

  /// Reads the list of a suite; a suite without a file has no divergences.
  package static func load(for suite: String) throws(VectorError) -> Divergences {
    let path = "\(VectorSuites.own)/\(suite).divergences"
    guard System.exists(path) else { return try Divergences(text: "") }
    return try Divergences(text: VectorFile(readFrom: path).text(), path: path)
  }

  /// Reads a list. A case without a reason, or listed twice, is an error.
  package init(text: String, path: String = "divergences") throws(VectorError) {
    var reasons: [String: String] = [:]
    for line in text.split(whereSeparator: { $0.isNewline }) where !line.hasPrefix("#") {
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      guard let id = parts.first else { continue }
      guard parts.count == 2 else {
        throw .malformed(path: path, reason: "\(id) has no reason")
      }
      guard reasons.updateValue(String(parts[1]), forKey: String(id)) == nil else {
        throw .malformed(path: path, reason: "\(id) is listed twice")
      }
    }
    self.reasons = reasons
  }

  /// Compares a run with the list and returns one complaint for each surprise: a case that
  /// fails unlisted, and a listed case that passes. None means that the run is as expected.
  ///
  /// A listed case that the report does not hold is no surprise: suites are published in parts.
  package func complaints(about report: ConformanceReport) -> [String] {
    report.rows.compactMap { row in
      switch (row.outcome, reasons[row.id]) {
      case (.failed, nil):
        "\(row.id): expected \(row.expected), is \(row.actual)"
          + (row.rule.map { " [\($0)]" } ?? "")
      case (.passed, .some): "\(row.id): listed as a divergence, but does not diverge"
      default: nil
      }
    }
  }
}
