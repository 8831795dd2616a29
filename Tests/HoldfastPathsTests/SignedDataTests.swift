import HoldfastCertificates
import HoldfastConformance
import HoldfastDER
import HoldfastSignatures
import Testing

@testable import HoldfastPaths

@Suite("Signed data")
struct SignedDataTests {
  @Test(
    "every case about keys, algorithms and signatures has BoringSSL's answer",
    .enabled(
      if: VectorSuites.has("bssl-signed-data"), "\(VectorSuites.absence(of: "bssl-signed-data"))"))
  func signedData() throws {
    var report = ConformanceReport()
    for test in try VectorSuites.cases(of: "bssl-signed-data") {
      report.add(
        try test.value("id", .string), expected: try test.value("expected", .string),
        actual: try verifies(test) ? "accept" : "reject")
    }
    let complaints = try Divergences.load(for: "bssl-signed-data").complaints(about: report)
    #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
    print("bssl-signed-data: \(report.summary)")
  }

  private func verifies(_ test: SuiteCase) throws -> Bool {
    let spki = try test.value("spki", .base64)
    let identifier = try test.value("algorithm", .base64)
    let bits = try test.value("signature_bit_string", .base64)
    let data = try test.value("data", .base64)
    do throws(DERError) {
      let key = try PublicKey(whole: spki)
      let algorithm = try SignatureAlgorithm(whole: identifier)
      var reader = DERReader(bits)
      let signature = try reader.readBitStringOfBytes(in: bits)
      try reader.finish()
      guard let verificationKey = SignatureChecks.verificationKey(key),
        let scheme = algorithm.scheme, key.verifies(scheme)
      else { return false }
      return verificationKey.verify(
        scheme, message: data.span,
        signature: signature.input.span.extracting(signature.range)) == .valid
    } catch {
      return false
    }
  }
}
