import HoldfastConformance
import TestSupport
import Testing

@Suite("NIST's known answers for SHA-1 and SHA-2")
struct CAVPTests {
  @Test(
    "messages and Monte Carlo runs have the digests of sha-cavp",
    .enabled(if: VectorSuites.has("sha-cavp"), "\(VectorSuites.absence(of: "sha-cavp"))"))
  func suite() throws {
    // A debug build takes a second for a checkpoint that otherwise takes a thousandth of it.
    let files = try VectorSuites.files(of: "sha-cavp").filter {
      !isDebug || !$0.name.contains("Monte")
    }
    let report = try ConformanceSuite.shaCAVP.run(files: files)
    #expect(report.failed == 0 && report.skipped == 0, "\(report.details)")
    #expect(report.passed >= (isDebug ? 711 : 1_411))
  }
}
