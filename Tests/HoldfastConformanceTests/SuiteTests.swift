import HoldfastConformance
import Testing

/// Why a test does not run, in the line that says that it was skipped.
private func absence(_ suite: String) -> Comment { "\(VectorSuites.absence(of: suite))" }

/// Whether the suite is the published half whose numbers stand here, and not another selection.
private func isVisibleHalf(_ suite: String) -> Bool {
  VectorSuites.path(of: suite)?.contains("/\(suite)-visible") ?? false
}

/// Each suite has the number of cases that its publisher states.
@Suite("Vector suites") struct SuiteTests {
  @Test("every suite is found, or its absence is printed")
  func inventory() {
    let absent = VectorSuites.known.filter { !VectorSuites.has($0) }
    for suite in absent { print(VectorSuites.absence(of: suite)) }
    let present = VectorSuites.known.count - absent.count
    print("vector suites: \(present) of \(VectorSuites.known.count) present")
  }

  @Test("limbo", .enabled(if: VectorSuites.has("limbo"), absence("limbo")))
  func limbo() throws {
    let cases = try LimboCase.load()
    guard isVisibleHalf("limbo") else { return #expect(!cases.isEmpty) }
    #expect(cases.count == 1394)
    #expect(cases.count(where: \.isValid) == 174)
    #expect(cases.allSatisfy { !$0.anchors.isEmpty })
  }

  @Test("PKITS", .enabled(if: VectorSuites.has("pkits"), absence("pkits")))
  func pkits() throws {
    let cases = try VectorSuites.cases(of: "pkits")
    guard isVisibleHalf("pkits") else { return #expect(!cases.isEmpty) }
    #expect(cases.count == 163)
    #expect(try cases.count { try $0.value("expected", .string) == "accept" } == 77)
  }

  @Test("Wycheproof", .enabled(if: VectorSuites.has("wycheproof"), absence("wycheproof")))
  func wycheproof() throws {
    let keys = try WycheproofGroup.load().map(\.key)
    #expect(!keys.isEmpty)
    #expect(
      keys.allSatisfy { $0.modulus != nil || $0.uncompressedPoint != nil || $0.encoded != nil })
  }

  @Test("bssl-crl", .enabled(if: VectorSuites.has("bssl-crl"), absence("bssl-crl")))
  func bsslCrl() throws { #expect(try VectorSuites.cases(of: "bssl-crl").count == 66) }

  @Test(
    "bssl-der-parsing",
    .enabled(if: VectorSuites.has("bssl-der-parsing"), absence("bssl-der-parsing")))
  func bsslDerParsing() throws {
    #expect(try VectorSuites.cases(of: "bssl-der-parsing").count == 302)
  }

  @Test(
    "bssl-name-match", .enabled(if: VectorSuites.has("bssl-name-match"), absence("bssl-name-match"))
  )
  func bsslNameMatch() throws {
    let count = try VectorSuites.cases(of: "bssl-name-match").count
    #expect(count == 576 || (!isVisibleHalf("bssl-name-match") && count > 0))
  }

  @Test("bssl-ocsp", .enabled(if: VectorSuites.has("bssl-ocsp"), absence("bssl-ocsp")))
  func bsslOcsp() throws {
    let count = try VectorSuites.cases(of: "bssl-ocsp").count
    #expect(count == 19 || (!isVisibleHalf("bssl-ocsp") && count > 0))
  }

  @Test(
    "bssl-signature-algorithm",
    .enabled(if: VectorSuites.has("bssl-signature-algorithm"), absence("bssl-signature-algorithm")))
  func bsslSignatureAlgorithm() throws {
    #expect(try VectorSuites.cases(of: "bssl-signature-algorithm").count == 63)
  }

  @Test(
    "bssl-signed-data",
    .enabled(if: VectorSuites.has("bssl-signed-data"), absence("bssl-signed-data")))
  func bsslSignedData() throws {
    #expect(try VectorSuites.cases(of: "bssl-signed-data").count == 32)
  }

  @Test(
    "bssl-verify-chain",
    .enabled(if: VectorSuites.has("bssl-verify-chain"), absence("bssl-verify-chain")))
  func bsslVerifyChain() throws {
    #expect(try VectorSuites.cases(of: "bssl-verify-chain").count == 197)
  }

  @Test(
    "cavp-ecdsa-pkv", .enabled(if: VectorSuites.has("cavp-ecdsa-pkv"), absence("cavp-ecdsa-pkv")))
  func cavpEcdsaPkv() throws { #expect(try VectorSuites.cases(of: "cavp-ecdsa-pkv").count == 120) }

  @Test(
    "certificate-corpus",
    .enabled(if: VectorSuites.has("certificate-corpus"), absence("certificate-corpus")))
  func certificateCorpus() throws {
    let count = try VectorSuites.cases(of: "certificate-corpus").count
    #expect(count == 672 || (!isVisibleHalf("certificate-corpus") && count > 0))
  }
}
