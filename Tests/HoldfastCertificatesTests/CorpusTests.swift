import Foundation
import HoldfastCertificates
import HoldfastConformance
import HoldfastDER
import Testing

@Suite("Third-party certificates")
struct CorpusTests {
  @Test(
    "certificates that all parsers accept are read, or listed, those that all reject are rejected, and the fields agree",
    .enabled(
      if: VectorSuites.has("certificate-corpus"),
      "\(VectorSuites.absence(of: "certificate-corpus"))"))
  func corpus() throws { try run("certificate-corpus", count: 672, passed: 669, agreed: 483) }

  @Test(
    "certificates of the second half of the corpus are read or rejected likewise",
    .enabled(
      if: VectorSuites.has("certificate-corpus-second"),
      "\(VectorSuites.absence(of: "certificate-corpus-second"))"))
  func second() throws {
    try run("certificate-corpus-second", count: 671, passed: 669, agreed: 467)
  }

  /// - Parameter agreed: The certificates about which the parsers of the corpus agree.
  private func run(_ part: String, count: Int, passed: Int, agreed: Int) throws {
    let report = try ConformanceSuite.certificateCorpus.run(part: part)
    try expectNothingUnlisted(report, of: "certificate-corpus")
    #expect(report.rows.count == count && report.passed == passed)
    #expect(report.rows.count { $0.expected != "varies" } == agreed)
  }

  private static let systemBundle = "/etc/ssl/certs/ca-certificates.crt"

  @Test(
    "every root of the system's bundle is read",
    .enabled(
      if: FileManager.default.fileExists(atPath: systemBundle),
      "ABSENT: \(systemBundle), so the system's roots were not read"))
  func systemRoots() throws {
    let bundle = CertificateBundle(try Platform.readFile(Self.systemBundle, limit: 16 << 20))
    #expect(bundle.errors.isEmpty, "\(bundle.errors)")
    #expect(bundle.certificates.count > 50)
  }
}
