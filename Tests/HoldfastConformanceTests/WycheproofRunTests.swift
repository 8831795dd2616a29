import HoldfastConformance
import TestSupport
import Testing

@Suite("Wycheproof file kinds") struct WycheproofRunTests {
  private func report(
    _ algorithm: String, group: String, test: String
  ) throws -> ConformanceReport {
    let text = """
      {"algorithm": "\(algorithm)", "numberOfTests": 1, "testGroups": [
        {\(group), "tests": [{"tcId": 1, "comment": "", "flags": [], \(test)}]}]}
      """
    let file = VectorFile(name: "x.json", path: "x.json", bytes: Array(text.utf8))
    return try ConformanceSuite.wycheproof.run(files: [file])
  }

  /// RFC 6979 §A.2.5, SHA-256, message "sample".
  private static let point = """
    0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6\
    7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299
    """
  private static let signature = """
    efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716\
    f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8
    """

  @Test(
    "a key is found in old and new file formats", arguments: ["key", "publicKey"])
  func forms(member: String) throws {
    let report = try report(
      "ECDSA",
      group: """
        "type": "EcdsaP1363Verify", "sha": "SHA-256",
        "\(member)": {"curve": "secp256r1", "uncompressed": "\(Self.point)"}
        """,
      test: "\"msg\": \"73616d706c65\", \"sig\": \"\(Self.signature)\", \"result\": \"valid\"")
    #expect(report.passed == 1, "\(report.details)")
  }

  @Test(
    "r and s side by side become the shortest DER, and bytes of another length no signature",
    arguments: [
      ("0001 0002", "3006 020101 020102"), ("0080 ff7f", "3009 02020080 020300ff7f"),
      ("0000 0000", "3006 020100 020100"), ("0001 00", ""), ("0001 0002 00", ""), ("", ""),
    ])
  func sideBySide(written: String, expected: String) throws {
    let found = WycheproofGroup.derSignature(try parseHex(written), length: 2)
    #expect(found == (try parseHex(expected)))
  }

  @Test(
    "unsupported kinds are skipped by name, whatever their members are",
    arguments: [
      (
        "AES-GCM", "\"type\": \"AeadTest\", \"keySize\": 128", "\"key\": \"00\", \"tag\": \"zz\"",
        "AeadTest"
      ),
      ("AES-FF1", "\"type\": \"FpeListTest\", \"n\": 3, \"e\": [4]", "\"msg\": [1]", "FpeListTest"),
      ("ML-DSA-65", "\"type\": \"MlDsaSign\"", "\"sig\": \"00\"", "MlDsaSign"),
      ("ECDSA", "\"type\": \"EcdsaBitcoinVerify\"", "\"sig\": \"00\"", "EcdsaBitcoinVerify"),
      ("ECDSA", "\"type\": \"EcdsaVerify\", \"sha\": \"SM3\"", "\"sig\": \"00\"", "SM3"),
      ("EDDSA", "\"type\": \"EddsaVerify\"", "\"sig\": \"00\"", "no key"),
      ("ML-DSA-44", "\"type\": \"MlDsaVerify\"", "\"sig\": \"00\"", "no key"),
      (
        "RSASSA-PSS", "\"type\": \"RsassaPssVerify\", \"sha\": \"SHA-256\", \"mgf\": \"MGF9\"",
        "\"sig\": \"00\"", "MGF9"
      ),
      (
        "RSASSA-PSS",
        """
        "type": "RsassaPssVerify", "sha": "SHA-256", "mgf": "MGF1", "mgfSha": "SHAKE128", "sLen": 32
        """, "\"sig\": \"00\"", "SHAKE128 is not claimed"
      ),
      (
        "RSASSA-PSS", "\"type\": \"RsassaPssVerify\", \"sha\": \"SHAKE256\", \"mgf\": \"SHAKE256\"",
        "\"sig\": \"00\"", "SHAKE256"
      ),
      (
        "RSASSA-PKCS1-v1_5", "\"type\": \"RsassaPkcs1Verify\", \"sha\": \"SHA3-256\"",
        "\"sig\": \"00\"", "SHA3-256"
      ),
    ])
  func unclaimed(algorithm: String, group: String, test: String, reason: String) throws {
    for answer in ["valid", "invalid", "acceptable"] {
      let report = try report(
        algorithm, group: group, test: "\(test), \"result\": \"\(answer)\"")
      #expect(report.rows.count == 1)
      guard case .skipped(let said)? = report.rows.first?.outcome else {
        Issue.record("\(report.rows)")
        continue
      }
      #expect(said.contains(reason), "\(said)")
    }
  }

  @Test("a supported case without a signature is an error, not an answer")
  func withoutSignature() {
    #expect(throws: VectorError.self) {
      try report("EDDSA", group: "\"type\": \"EddsaVerify\"", test: "\"result\": \"invalid\"")
    }
  }
}
