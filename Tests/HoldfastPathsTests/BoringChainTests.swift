import HoldfastConformance
import Testing

@Suite(
  "BoringSSL's chains",
  .enabled(
    if: VectorSuites.has("bssl-verify-chain"),
    "\(VectorSuites.absence(of: "bssl-verify-chain"))"))
struct BoringChainTests {
  @Test("every case has BoringSSL's answer, except the listed ones")
  func report() throws {
    let report = try ConformanceSuite.bsslVerifyChain.run()
    let complaints = try Divergences.load(for: "bssl-verify-chain").complaints(about: report)
    #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
    #expect(report.skipped == 0)
  }
}
