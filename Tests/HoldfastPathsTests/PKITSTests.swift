import HoldfastConformance
import Testing

@Suite("PKITS", .enabled(if: VectorSuites.has("pkits"), "\(VectorSuites.absence(of: "pkits"))"))
struct PKITSTests {
  @Test("every case has NIST's answer, revocation and policies included")
  func report() throws {
    let report = try ConformanceSuite.pkits.run()
    #expect(report.failed == 0, "\(report.details.joined(separator: "\n"))")
    #expect(report.passed > 0)
    for row in report.rows {
      guard case .skipped(let reason) = row.outcome else { continue }
      #expect(reason.contains("DSA"), "\(row.id)")
    }
  }
}
