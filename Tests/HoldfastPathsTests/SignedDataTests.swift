import HoldfastCertificates
import HoldfastConformance
import HoldfastDER
import HoldfastSignatures
import Testing

@testable import HoldfastPaths

@Suite("Signed data")
struct SignedDataTests {
  @Test(
    "BoringSSL's keys, algorithms and signatures have its answers",
    .enabled(
      if: VectorSuites.has("bssl-signed-data"), "\(VectorSuites.absence(of: "bssl-signed-data"))"))
  func signedData() throws {
    var report = ConformanceReport()
    for test in try SignedDataCase.load() {
      report.add(
        test.id, expected: test.expected.rawValue, actual: verifies(test) ? "accept" : "reject")
    }
    let complaints = try Divergences.load(for: "bssl-signed-data").complaints(about: report)
    #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
    print("bssl-signed-data: \(report.summary)")
  }

  private func verifies(_ test: SignedDataCase) -> Bool {
    do throws(DERError) {
      let key = try PublicKey(der: test.publicKey.bytes)
      let algorithm = try SignatureAlgorithm(der: test.algorithm.bytes)
      let bits = test.signatureBitString.bytes
      var reader = DERReader(bits)
      let signature = try reader.readBitStringOfBytes(in: bits)
      try reader.finish()
      guard let verificationKey = SignatureChecks.verificationKey(key),
        let scheme = SignatureChecks.scheme(algorithm.scheme, for: key.kind)
      else { return false }
      return verificationKey.verify(
        scheme, message: test.data.bytes.span,
        signature: signature.input.span.extracting(signature.range)) == .valid
    } catch {
      return false
    }
  }
}
