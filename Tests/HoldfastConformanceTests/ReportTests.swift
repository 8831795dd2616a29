import HoldfastConformance
import HoldfastJSON
import Testing

@Suite("Reports and divergences") struct ReportTests {
  private static func report() -> ConformanceReport {
    var report = ConformanceReport()
    report.add("suite::right", expected: "accept", actual: "accept")
    report.add("suite::wrong", expected: "accept", actual: "reject", rule: "expired")
    report.skip("suite::later", expected: "accept", reason: "needs \"dsa\"")
    return report
  }

  @Test("a skipped case counts as neither passed nor failed")
  func counts() {
    #expect(Self.report().summary == "1 passed, 1 failed, 1 skipped")
    #expect(
      Self.report().details == [
        "FAIL suite::wrong: expected accept, said reject [expired]",
        "SKIP suite::later: needs \"dsa\"",
      ])
  }

  @Test("a row is one line of JSON")
  func json() {
    #expect(
      Self.report().rows.map { String(decoding: $0.json().line, as: UTF8.self) } == [
        #"{"id":"suite::right","expected":"accept","actual":"accept","rule":null}"#,
        #"{"id":"suite::wrong","expected":"accept","actual":"reject","rule":"expired"}"#,
        #"{"id":"suite::later","expected":"accept","actual":"skipped","rule":null,"#
          + #""reason":"needs \"dsa\""}"#,
      ])
  }

  @Test("a case that fails unlisted and a listed case that passes are complaints")
  func complaints() throws {
    let none = try Divergences(text: "")
    #expect(
      none.complaints(about: Self.report()) == [
        "suite::wrong: expected accept, is reject [expired]"
      ])
    let listed = try Divergences(text: "# why\n\nsuite::wrong rejected: it ran out\n")
    #expect(listed.complaints(about: Self.report()) == [])
    let stale = try Divergences(text: "suite::wrong it ran out\r\nsuite::right no reason left")
    #expect(
      stale.complaints(about: Self.report()) == [
        "suite::right: listed as a divergence, but does not diverge"
      ])
  }

  @Test("a divergence needs a reason and is listed once")
  func badLists() {
    for text in ["a", "a b\na c"] {
      #expect(throws: VectorError.self) { try Divergences(text: text) }
    }
  }

  @Test("every committed list of divergences is well formed")
  func committedLists() throws {
    for suite in ConformanceSuite.allCases {
      for part in suite.parts {
        for rules in [nil, "webPKI"] {
          guard let list = suite.divergenceList(part: part, rulesName: rules) else { continue }
          _ = try Divergences.load(for: list)
        }
      }
    }
  }
}
