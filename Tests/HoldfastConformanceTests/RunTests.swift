import HoldfastConformance
import TestSupport
import Testing

@Suite("Suite runs") struct RunTests {
  @Test(
    "every Wycheproof signature is verified, none is skipped, and all answers are right",
    .enabled(if: VectorSuites.has("wycheproof"), "\(VectorSuites.absence(of: "wycheproof"))"))
  func wycheproofHeavy() throws {
    let report = try ConformanceSuite.wycheproof.run()
    #expect(report.failed == 0 && report.skipped == 0, "\(report.details.prefix(20))")
    #expect(report.passed == 4_181)
  }

  @Test(
    "our own chains, and the flaws of other validators, get the answers that their files state",
    arguments: [("chains", 544), ("flaws", 408), ("paths", 112)])
  func chainsHeavy(folder: String, count: Int) throws {
    let root = CommittedVectors.root
    let report = try ConformanceSuite.chains.run(["\(root)/Vectors/\(folder)"])
    #expect(report.failed == 0 && report.skipped == 0, "\(report.details)")
    #expect(report.passed == count)
  }

  @Test(
    "a validator with a cache gives the same answer the second time",
    arguments: ["chains", "flaws"])
  func chainsAgainHeavy(folder: String) throws {
    let root = CommittedVectors.root
    let cases = try ChainCase.load(at: "\(root)/Vectors/\(folder)")
    let report = ChainCase.report(cases, twice: true)
    #expect(report.failed == 0, "\(report.details)")
  }

  @Test(
    "a certificate that cannot be read does not count as the rejection that a case expects",
    arguments: ["accept", "reject", "reject signature at 0", "unreadable at 1"])
  func unreadableCertificate(expected: String) throws {
    let text = """
      expect: \(expected)
      time: 2026-01-01T00:00:00Z
      purpose: any
      -----BEGIN CERTIFICATE-----
      AA==
      -----END CERTIFICATE-----
      """
    let file = VectorFile(name: "x.case", path: "somewhere/x.case", bytes: Array(text.utf8))
    let report = ChainCase.report([try ChainCase(file)])
    #expect(report.failed == 1 && report.passed == 0)
  }

  @Test(
    "a malformed case is an error that names the file",
    arguments: [
      ("", "no line \"expect:\""), ("expect: perhaps", "expect: perhaps"),
      ("expect: accept", "no certificate"),
    ])
  func malformed(text: String, reason: String) {
    let file = VectorFile(name: "x.case", path: "somewhere/x.case", bytes: Array(text.utf8))
    let error = #expect(throws: VectorError.self) { try ChainCase(file) }
    #expect(error?.description.hasPrefix("somewhere/x.case") == true)
    #expect(error?.description.contains(reason) == true)
  }

  @Test("a suite whose file is missing or malformed is an error, not an empty report")
  func unreadable() {
    for suite in ConformanceSuite.allCases {
      #expect(throws: VectorError.self, "\(suite)") { try suite.run(["/nowhere/at-all.json"]) }
    }
    let file = VectorFile(name: "x.json", path: "x.json", bytes: Array("{}".utf8))
    for suite in ConformanceSuite.allCases where suite != .shaCAVP {
      #expect(throws: VectorError.self, "\(suite)") { try suite.run(files: [file]) }
    }
  }
}
