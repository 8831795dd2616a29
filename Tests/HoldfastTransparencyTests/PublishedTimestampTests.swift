import HoldfastCertificates
import HoldfastConformance
import HoldfastDER
import HoldfastPaths
import HoldfastTransparency
import TestSupport
import Testing

/// The suite `ct`: vectors of other projects, and real certificates.
@Suite("Published timestamps") struct PublishedTimestampTests {
  private static let isPresent = VectorSuites.has("ct")
  private static let absence = VectorSuites.absence(of: "ct")

  @Test(
    "every vector has the answer of its project, and real certificates have their logs",
    .enabled(if: isPresent, "\(absence)"))
  func suite() throws {
    let report = try ConformanceSuite.transparency.run()
    #expect(report.failed == 0, "\(report.details.joined(separator: "\n"))")
    #expect(report.rows.count { $0.id.hasPrefix("real-list/") && $0.id.count > 60 } >= 69)
    #expect(report.skipped == 0)
  }
}
