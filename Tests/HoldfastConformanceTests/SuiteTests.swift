import HoldfastConformance
import Testing

/// Why a test does not run, in the line that says that it was skipped.
private func absence(_ suite: String) -> Comment { "\(VectorSuites.absence(of: suite))" }

/// Whether the suite is the published half whose numbers stand here, and not another selection.
private func isVisibleHalf(_ suite: String) -> Bool {
  VectorSuites.path(of: suite)?.contains("/\(suite)-visible.") ?? false
}

/// Each suite has the number of cases that its publisher states.
@Suite("vector suites") struct SuiteTests {
  @Test("every suite is found, or its absence is printed")
  func inventory() {
    for suite in VectorSuites.absent { print(VectorSuites.absence(of: suite)) }
    let present = VectorSuites.known.count - VectorSuites.absent.count
    print("vector suites: \(present) of \(VectorSuites.known.count) present")
  }

  @Test("limbo", .enabled(if: VectorSuites.has("limbo"), absence("limbo")))
  func limbo() throws {
    let cases = try LimboCase.load()
    guard isVisibleHalf("limbo") else { return #expect(!cases.isEmpty) }
    #expect(cases.count == 1394)
    #expect(cases.count { $0.expected == .success } == 174)
    #expect(cases.allSatisfy { !$0.trustedCertificates.isEmpty })
  }

  @Test(
    "limbo's annotations",
    .enabled(if: VectorSuites.has("limbo-annotations"), absence("limbo-annotations")))
  func limboAnnotations() throws {
    let annotations = try LimboAnnotation.load()
    guard isVisibleHalf("limbo-annotations") else { return #expect(!annotations.isEmpty) }
    #expect(annotations.count == 1394)
    #expect(annotations.values.count { $0.bettertls != nil } == 1252)
  }

  @Test("PKITS", .enabled(if: VectorSuites.has("pkits"), absence("pkits")))
  func pkits() throws {
    let suite = try PKITS.load()
    guard isVisibleHalf("pkits") else { return #expect(!suite.tests.isEmpty) }
    #expect(suite.tests.count == 163)
    #expect(suite.tests.count { $0.expected == .accept } == 77)
    #expect(suite.certificates.count == 277 && suite.crls.count == 124)
  }

  @Test("Wycheproof", .enabled(if: VectorSuites.has("wycheproof"), absence("wycheproof")))
  func wycheproof() throws {
    let files = try WycheproofFile.load()
    #expect(files.allSatisfy { $0.count == $0.numberOfTests })
    let keys = files.flatMap(\.groups).map(\.publicKey)
    #expect(
      keys.allSatisfy { $0.modulus != nil || $0.uncompressedPoint != nil || $0.encoded != nil })
  }

  @Test("SHA digests of CAVP", .enabled(if: VectorSuites.has("sha-cavp"), absence("sha-cavp")))
  func digests() throws {
    let files = try CAVPDigestFile.load()
    let expected = ["SHA1", "SHA224", "SHA256", "SHA384", "SHA512", "SHA512_224", "SHA512_256"]
    #expect(Set(files.map(\.algorithm)) == Set(expected))
    for file in files {
      #expect(file.messages.allSatisfy { $0.digest.count == file.digestLength })
      #expect(file.messages.isEmpty || file.messages.first?.bytes == [])
      #expect(file.monteCarlo.map { $0.seed.count == file.digestLength } ?? true)
    }
    guard isVisibleHalf("sha-cavp") else { return #expect(!files.isEmpty) }
    #expect(files.count == 14)
    #expect(files.reduce(0) { $0 + $1.count } == 1411)
  }

  @Test("bssl-crl", .enabled(if: VectorSuites.has("bssl-crl"), absence("bssl-crl")))
  func bsslCrl() throws { #expect(try CRLCase.load().count == 66) }

  @Test(
    "bssl-der-parsing",
    .enabled(if: VectorSuites.has("bssl-der-parsing"), absence("bssl-der-parsing")))
  func bsslDerParsing() throws { #expect(try DERParsingCase.load().count == 302) }

  @Test(
    "bssl-name-match", .enabled(if: VectorSuites.has("bssl-name-match"), absence("bssl-name-match"))
  )
  func bsslNameMatch() throws {
    let count = try NameMatchCase.load().count
    #expect(count == 576 || (!isVisibleHalf("bssl-name-match") && count > 0))
  }

  @Test("bssl-ocsp", .enabled(if: VectorSuites.has("bssl-ocsp"), absence("bssl-ocsp")))
  func bsslOcsp() throws {
    let count = try OCSPCase.load().count
    #expect(count == 19 || (!isVisibleHalf("bssl-ocsp") && count > 0))
  }

  @Test(
    "bssl-signature-algorithm",
    .enabled(if: VectorSuites.has("bssl-signature-algorithm"), absence("bssl-signature-algorithm")))
  func bsslSignatureAlgorithm() throws { #expect(try SignatureAlgorithmCase.load().count == 63) }

  @Test(
    "bssl-signed-data",
    .enabled(if: VectorSuites.has("bssl-signed-data"), absence("bssl-signed-data")))
  func bsslSignedData() throws { #expect(try SignedDataCase.load().count == 32) }

  @Test(
    "bssl-verify-chain",
    .enabled(if: VectorSuites.has("bssl-verify-chain"), absence("bssl-verify-chain")))
  func bsslVerifyChain() throws { #expect(try VerifyChainCase.load().count == 197) }

  @Test(
    "cavp-ecdsa-pkv", .enabled(if: VectorSuites.has("cavp-ecdsa-pkv"), absence("cavp-ecdsa-pkv")))
  func cavpEcdsaPkv() throws { #expect(try PublicKeyValidationCase.load().count == 120) }

  @Test(
    "certificate-corpus",
    .enabled(if: VectorSuites.has("certificate-corpus"), absence("certificate-corpus")))
  func certificateCorpus() throws {
    let count = try CorpusCertificate.load().count
    #expect(count == 672 || (!isVisibleHalf("certificate-corpus") && count > 0))
  }
}
