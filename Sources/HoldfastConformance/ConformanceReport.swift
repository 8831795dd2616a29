/// What a run of a suite gave, case by case.
public struct ConformanceReport: Sendable {
  /// One case.
  public struct Row: Sendable, Equatable {
    /// The case's name.
    public let id: String
    /// What the suite requires, in its own words.
    public let expected: String
    /// What we said, in the suite's words.
    public let actual: String
    /// The rule that decided, where one did.
    public let rule: String?
    /// How the case counts.
    public let outcome: Outcome
  }

  /// How a case counts.
  public enum Outcome: Sendable, Equatable {
    /// We said what the suite requires.
    case passed
    /// We said something else.
    case failed
    /// The case was not run, for this reason. Never a pass.
    case skipped(reason: String)
  }

  /// The cases, in the order of the run.
  public private(set) var rows: [Row] = []

  /// Makes an empty report.
  public init() {}

  /// Adds a case that was run. It passed if both words are the same.
  public mutating func add(
    _ id: String, expected: String, actual: String, rule: String? = nil
  ) {
    add(id, expected: expected, actual: actual, rule: rule, passed: expected == actual)
  }

  /// Adds a case that was run, where more than one answer may be right.
  public mutating func add(
    _ id: String, expected: String, actual: String, rule: String? = nil, passed: Bool
  ) {
    rows.append(
      Row(
        id: id, expected: expected, actual: actual, rule: rule,
        outcome: passed ? .passed : .failed))
  }

  /// Adds a case that was not run.
  public mutating func skip(_ id: String, expected: String, reason: String) {
    rows.append(
      Row(
        id: id, expected: expected, actual: "skipped", rule: nil,
        outcome: .skipped(reason: reason)))
  }

  /// Adds the cases of another report.
  public mutating func add(_ other: ConformanceReport) { rows += other.rows }

  /// How many cases passed.
  public var passed: Int { rows.count { $0.outcome == .passed } }
  /// How many cases failed.
  public var failed: Int { rows.count { $0.outcome == .failed } }
  /// How many cases were not run.
  public var skipped: Int { rows.count - passed - failed }

  /// The closing line.
  public var summary: String { "\(passed) passed, \(failed) failed, \(skipped) skipped" }

  /// A line for each case that failed or was not run.
  public var details: [String] { rows.compactMap(\.detail) }
}

extension ConformanceReport.Row {
  /// What to print of the case, if it did not pass.
  public var detail: String? {
    switch outcome {
    case .passed: nil
    case .failed:
      "FAIL \(id): expected \(expected), said \(actual)" + (rule.map { " [\($0)]" } ?? "")
    case .skipped(let reason): "SKIP \(id): \(reason)"
    }
  }

  /// The case as one line of JSON: `id`, `expected`, `actual`, `rule` (null where none decided)
  /// and, for a skipped case, `reason`.
  public var json: String {
    var fields = [
      "\"id\":\(quoted(id))", "\"expected\":\(quoted(expected))", "\"actual\":\(quoted(actual))",
      "\"rule\":\(rule.map(quoted) ?? "null")",
    ]
    if case .skipped(let reason) = outcome { fields.append("\"reason\":\(quoted(reason))") }
    return "{\(fields.joined(separator: ","))}"
  }

  private func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
