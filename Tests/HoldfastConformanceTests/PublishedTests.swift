import HoldfastConformance
import TestSupport
import Testing

/// The suites in `Vectors/published`, which run on every clone.
@Suite("Published suites") struct PublishedTests {
  private func run(_ suite: ConformanceSuite, _ name: String) throws -> ConformanceReport {
    let root = CommittedVectors.root
    return try suite.run(["\(root)/Vectors/published/\(name)"])
  }

  @Test("PKITS: every case has NIST's answer by our table, and only DSA is skipped")
  func pkits() throws {
    let report = try run(.pkits, "pkits.json.xz")
    #expect(report.failed == 0, "\(report.details.joined(separator: "\n"))")
    #expect(report.rows.count == 249 && report.skipped == 3)
    #expect(report.rows.count { $0.expected == "reject" } == 135)
  }

  @Test("points: each has NIST's answer, except on P-192")
  func points() throws {
    let report = try run(.pointsCAVP, "cavp-ecdsa-pkv.json.xz")
    #expect(report.failed == 0 && report.passed == 96 && report.skipped == 24)
  }

  @Test(
    "signatures: each answer is NIST's or pyca's, and unsupported kinds are skipped by name",
    .enabled(if: !isDebug, "too slow in a debug build"))
  func signatures() throws {
    let report = try run(.signatures, "signatures")
    #expect(report.failed == 0 && report.passed == 2_532, "\(report.details.prefix(20))")
    var skipped: [String: Int] = [:]
    for row in report.rows {
      guard case .skipped(let reason) = row.outcome else { continue }
      #expect(reason.contains("not claimed"))
      skipped[String(row.id.prefix { $0 != " " }), default: 0] += 1
    }
    // Signatures on P-192.
    #expect(skipped == ["cavp_ecdsa_p1363.json": 75])
  }
}
