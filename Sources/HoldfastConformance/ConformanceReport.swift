internal import HoldfastDER
package import HoldfastJSON

/// What a run of a suite gave, case by case.
package struct ConformanceReport: Sendable {
  /// One case.
  package struct Row: Sendable, Equatable {
    /// The case's name.
    package let id: String
    /// What the suite requires, in its own words.
    package let expected: String
    /// What we said, in the suite's words.
    package let actual: String
    /// The rule that decided, where one did.
    package let rule: String?
    /// How the case counts.
    package let outcome: Outcome
    /// How long it took since the case before it, with reading it.
    package let duration: Duration
  }

  /// How a case counts.
  package enum Outcome: Sendable, Equatable {
    /// We said what the suite requires.
    case passed
    /// We said something else.
    case failed
    /// The case was not run, for this reason. Never a pass.
    case skipped(reason: String)
  }

  /// The cases, in the order of the run.
  package private(set) var rows: [Row] = []
  private var lastCase = Platform.uptime()

  /// Makes an empty report.
  package init() {}

  /// Adds a case that was run. It passed if both words are the same, or if `passed` says so.
  package mutating func add(
    _ id: String, expected: String, actual: String, rule: String? = nil, passed: Bool? = nil
  ) {
    let hasPassed = passed ?? (expected == actual)
    append(id, expected, actual, rule, hasPassed ? .passed : .failed)
  }

  /// Adds a case of a document that states its `id` and what is `expected`.
  mutating func add(
    _ test: SuiteCase, actual: String, rule: String? = nil, passed: Bool? = nil
  ) throws(VectorError) {
    let (id, expected) = (try test.value("id", .string), try test.value("expected", .string))
    add(id, expected: expected, actual: actual, rule: rule, passed: passed)
  }

  /// Adds a case that was not run.
  package mutating func skip(_ id: String, expected: String, reason: String) {
    append(id, expected, "skipped", nil, .skipped(reason: reason))
  }

  private mutating func append(
    _ id: String, _ expected: String, _ actual: String, _ rule: String?, _ outcome: Outcome
  ) {
    let now = Platform.uptime()
    rows.append(
      Row(
        id: id, expected: expected, actual: actual, rule: rule, outcome: outcome,
        duration: now - lastCase))
    lastCase = now
  }

  /// How many cases passed.
  package var passed: Int { rows.count { $0.outcome == .passed } }
  /// How many cases failed.
  package var failed: Int { rows.count { $0.outcome == .failed } }
  /// How many cases were not run.
  package var skipped: Int { rows.count - passed - failed }

  /// The closing line.
  package var summary: String { "\(passed) passed, \(failed) failed, \(skipped) skipped" }

  /// A line for each case that failed or was not run.
  package var details: [String] { rows.compactMap { $0.detail } }
}

extension ConformanceReport.Row {
  /// What to print of the case, if it did not pass.
  package var detail: String? {
    switch outcome {
    case .passed: nil
    case .failed:
      "FAIL \(id): expected \(expected), said \(actual)" + (rule.map { " [\($0)]" } ?? "")
    case .skipped(let reason): "SKIP \(id): \(reason)"
    }
  }

  /// The case as JSON: `id`, `expected`, `actual`, `rule` (null where none decided), on demand
  /// `microseconds` and, for a skipped case, `reason`.
  package func json(withTime isTimed: Bool = false) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init(name: "id", value: .string(id)), .init(name: "expected", value: .string(expected)),
      .init(name: "actual", value: .string(actual)), .init(name: "rule", value: .optional(rule)),
    ]
    if isTimed {
      let time = "\(Int(duration / .microseconds(1)))"
      members.append(.init(name: "microseconds", value: .number(time)))
    }
    if case .skipped(let reason) = outcome {
      members.append(.init(name: "reason", value: .string(reason)))
    }
    return .object(members)
  }
}
