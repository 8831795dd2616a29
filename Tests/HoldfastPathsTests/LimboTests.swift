import HoldfastConformance
import HoldfastPaths
import TestSupport
import Testing

@Suite(
  "x509-limbo", .enabled(if: VectorSuites.has("limbo"), "\(VectorSuites.absence(of: "limbo"))"))
struct LimboTests {
  /// The half that was published later.
  private static let second = "limbo-second"

  private func cases() throws -> [LimboCase] {
    var all = try LimboCase.load()
    if VectorSuites.has(Self.second) {
      all += try LimboCase.load(Self.second)
    } else {
      print(VectorSuites.absence(of: Self.second))
    }
    return all
  }

  @Test("under .strict rules every case has limbo's answer, or is listed")
  func strictHeavy() throws {
    let report = LimboRunner().report(try cases())
    let complaints = try Divergences.load(for: "limbo-strict").complaints(about: report)
    #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
    #expect(report.passed > 0)
    let crls = report.rows.filter { if case .skipped = $0.outcome { true } else { false } }
    #expect(crls.isEmpty)
  }

  @Test("under .webPKI rules every case has limbo's answer, or is listed with ours")
  func webPKIHeavy() throws {
    let report = LimboRunner(rules: .webPKI).report(try cases())
    let divergences = try Divergences.load(for: "limbo-webpki")
    let complaints = divergences.complaints(about: report)
    #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
    for row in report.rows where row.outcome == .failed {
      let answer = row.expected == "FAILURE" ? "accepted:" : "rejected:"
      #expect(divergences.reasons[row.id]?.hasPrefix(answer) != false, "\(row.id)")
    }
  }
}
