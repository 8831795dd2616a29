import HoldfastConformance
import TestSupport
import Testing

@Suite("NIST's known answers for SHA-1 and SHA-2")
struct CAVPTests {
  @Test("short and long messages and Monte Carlo runs have NIST's digests")
  func suite() throws {
    // A debug build takes a second for a checkpoint that otherwise takes a thousandth of it.
    let folder = CommittedVectors.path("published/sha-cavp")
    let files = try VectorFile.files(at: folder).filter { !isDebug || !$0.name.contains("Monte") }
    let report = try ConformanceSuite.shaCAVP.run(files: files)
    #expect(report.failed == 0 && report.skipped == 0, "\(report.details)")
    #expect(report.passed == (isDebug ? 967 : 1_667))
  }
}
