import HoldfastConformance
import HoldfastPaths
import TestSupport
import Testing

/// Further parts of suites, and suites that came with them, in the folder `second` beside the first
/// ones.
@Suite("Second parts of suites") struct SecondPartTests {
  private func expectNothingUnlisted(
    _ report: ConformanceReport, in list: String, count: Int
  ) throws {
    let complaints = try Divergences.load(for: list).complaints(about: report)
    #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
    #expect(report.rows.count == count)
  }

  @Test(
    "PKITS: every case has NIST's answer",
    .enabled(if: VectorSuites.has("pkits-second"), "\(VectorSuites.absence(of: "pkits-second"))"))
  func pkits() throws {
    let report = try ConformanceSuite.pkits.run(part: "pkits-second")
    #expect(report.failed == 0, "\(report.details.joined(separator: "\n"))")
    #expect(report.passed == 85 && report.rows.count == 86)
  }

  @Test(
    "Wycheproof: no answer is wrong, and unsupported kinds are skipped by name",
    .enabled(
      if: VectorSuites.has("wycheproof-second"), "\(VectorSuites.absence(of: "wycheproof-second"))"),
    arguments: [
      ("wycheproof-second", 12_459, 12_301), ("wycheproof-second-optional", 26_288, 9_113),
    ])
  func wycheproofHeavy(suite: String, count: Int, passed: Int) throws {
    let report = try ConformanceSuite.wycheproof.run(part: suite)
    #expect(report.failed == 0, "\(report.details.prefix(20))")
    #expect(report.rows.count == count && report.passed == passed)
    for row in report.rows {
      guard case .skipped(let reason) = row.outcome else { continue }
      #expect(reason.contains("not claimed"), "\(row.id): \(reason)")
    }
  }

  @Test(
    "x509test: every certificate that breaks a MUST is rejected, or is listed with a reason",
    .enabled(if: VectorSuites.has("x509test"), "\(VectorSuites.absence(of: "x509test"))"))
  func x509test() throws {
    try expectNothingUnlisted(try ConformanceSuite.x509test.run(), in: "x509test", count: 154)
  }

  /// x509test stands among them too, and has a test of its own above.
  @Test(
    "the chains of eight other projects: under .webPKI rules each answer is theirs, or is listed",
    .enabled(
      if: VectorSuites.has("other-suites.limbo"),
      "\(VectorSuites.absence(of: "other-suites.limbo"))"))
  func otherSuitesHeavy() throws {
    let cases = try LimboCase.load("other-suites.limbo").filter { !$0.id.hasPrefix("x509test::") }
    let report = LimboRunner(rules: .webPKI).report(cases)
    try expectNothingUnlisted(report, in: "other-suites", count: 519)
  }
}
