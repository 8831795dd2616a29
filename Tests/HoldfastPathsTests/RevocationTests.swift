import Foundation
import HoldfastCertificates
import HoldfastConformance
import HoldfastDER
import HoldfastPaths
import TestSupport
import Testing

/// What `Vectors/revocation/make` has made: a small authority, its lists and its answers.
struct SmallAuthority {
  let certificates: [String: Certificate]
  let crls: [String: CRL]
  let ocspResponses: [String: OCSPResponse]
  /// The moment for which OpenSSL was asked about lists.
  let listTime = Timestamp("2026-06-01T00:00:00Z") ?? .now
  /// The moment at which the answers were made and OpenSSL was asked about them.
  let answerTime: Timestamp
  let verdicts: [[String]]

  init() throws {
    certificates = try SmallAuthority.blocks("certificates.pem").mapValues {
      try Certificate(der: $0)
    }
    crls = try SmallAuthority.blocks("lists.pem").mapValues {
      try CRL(der: $0)
    }
    ocspResponses = try SmallAuthority.blocks("answers.pem").mapValues {
      try OCSPResponse(der: $0)
    }
    let lines = try CommittedVectors.text("revocation/verdicts.txt").split(separator: "\n")
    let time = lines[1].split(separator: " ").last?.dropLast() ?? ""
    answerTime = try #require(Timestamp(String(time)))
    verdicts = lines.dropFirst(2).map { $0.split(separator: " ").map(String.init) }
  }

  static func blocks(_ file: String) throws -> [String: [UInt8]] {
    let blocks = try CommittedVectors.blocks("revocation/\(file)")
    return Dictionary(uniqueKeysWithValues: blocks.map { ($0.name, $0.der) })
  }

  func certificate(_ name: String) throws -> Certificate { try #require(certificates[name]) }
  func list(_ name: String) throws -> CRL { try #require(crls[name]) }
  func answer(_ name: String) throws -> OCSPResponse { try #require(ocspResponses[name]) }

  /// What the validator says: `good`, `revoked`, `unknown`, or another broken rule.
  func verdict(
    _ leaf: String, _ revocation: Revocation, at time: Timestamp,
    cache: SignatureCache? = nil
  ) throws -> (word: String, words: String) {
    let validator = PathValidator(
      anchors: AnchorSet([try certificate("root")]), rules: .rfc5280, cache: cache)
    let leaf = try certificate(leaf)
    let others = [try certificate("ca"), try certificate("signer")]
    do throws(PathError) {
      let path = try validator.validate(
        [leaf] + others, for: .any, at: time, revocation: revocation)
      return (path.revocation[0].isGood ? "good" : "unknown", "\(path.revocation)")
    } catch {
      guard let violation = error.rejections.first?.violation,
        case .revocation(let found)? = violation.detail
      else { return ("\(error)", "") }
      return (violation.rule == .revoked ? "revoked" : "unknown", "\(found)")
    }
  }
}

@Suite("Revocation")
struct RevocationTests {
  @Test(
    "BoringSSL's CRLs and OCSP responses have BoringSSL's answers, except the listed ones",
    .enabled(
      if: VectorSuites.has("bssl-crl") && VectorSuites.has("bssl-ocsp"),
      "\(VectorSuites.absence(of: "bssl-crl")) \(VectorSuites.absence(of: "bssl-ocsp"))"))
  func boringSSL() throws {
    let crls = try ConformanceSuite.bsslCRL.run()
    let complaints = try Divergences.load(for: "bssl-crl").complaints(about: crls)
    #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
    #expect(crls.passed > 0)
    let responses = try ConformanceSuite.bsslOCSP.run()
    let others = try Divergences.load(for: "bssl-ocsp").complaints(about: responses)
    #expect(others.isEmpty, "\(others.joined(separator: "\n"))")
    #expect(responses.passed > 0)
  }

  @Test(
    "OpenSSL gives the same status for every certificate with every set of CRLs and every response"
  )
  func openSSLHeavy() throws {
    let authority = try SmallAuthority()
    var report = ConformanceReport()
    for line in authority.verdicts {
      let (kind, leaf, given) = (line[0], line[1], line[2])
      var revocation = Revocation()
      if kind == "list" {
        revocation.demand = .required(of: .everyCertificate)
        revocation.crls = try (["root"] + given.split(separator: ",").map(String.init)).map {
          try authority.list($0)
        }
      } else {
        revocation.demand = .required(of: .leaf)
        revocation.ocspResponses = [try authority.answer(given)]
      }
      let found = try authority.verdict(
        leaf, revocation, at: kind == "list" ? authority.listTime : authority.answerTime)
      report.add(
        "\(kind)/\(leaf)/\(given)", expected: line[3], actual: found.word, rule: found.words)
    }
    let complaints = try Divergences.load(for: "revocation").complaints(about: report)
    #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
    #expect(report.passed > 700)
  }

  @Test("a revoked certificate is rejected, and an unknown status passes unless it is required")
  func demands() throws {
    let authority = try SmallAuthority()
    let complete = [try authority.list("complete"), try authority.list("root")]
    func verdict(_ leaf: String, _ demand: Revocation.Demand, _ crls: [CRL]) throws
      -> String
    {
      try authority.verdict(leaf, Revocation(demand, crls: crls), at: authority.listTime).word
    }
    #expect(try verdict("keys", .ifAvailable, complete) == "revoked")
    #expect(try verdict("keys", .required(of: .leaf), complete) == "revoked")
    #expect(try verdict("good", .ifAvailable, complete) == "good")
    #expect(try verdict("good", .ifAvailable, []) == "unknown")
    #expect(try verdict("good", .required(of: .leaf), []) == "unknown")
    #expect(try verdict("good", .required(of: .leaf), [complete[0]]) == "good")
    #expect(try verdict("good", .required(of: .everyCertificate), [complete[0]]) == "unknown")
    #expect(try verdict("good", .required(of: .everyCertificate), complete) == "good")
    let validator = PathValidator(anchors: AnchorSet([try authority.certificate("root")]))
    let path = try validator.validate(
      [try authority.certificate("keys"), try authority.certificate("ca")], for: .any,
      at: authority.listTime, revocation: Revocation(.ignored, crls: complete))
    #expect(path.revocation.isEmpty)
  }

  @Test("the validity window of a response is enforced, and the tolerance widens both ends")
  func windows() throws {
    let authority = try SmallAuthority()
    func word(_ seconds: Int64, tolerance: Int64 = 0, age: Int64? = nil) throws -> String {
      var revocation = Revocation(
        .required(of: .leaf), crls: [], ocspResponses: [try authority.answer("good-by-name-sha1")])
      revocation.tolerance = tolerance
      revocation.maximumAge = age
      let start = try #require(
        authority.answer("good-by-name-sha1").basic?.responses.first?.thisUpdate)
      return try authority.verdict("good", revocation, at: start.advanced(bySeconds: seconds)).word
    }
    #expect(try word(0) == "good")
    #expect(try word(-1) == "unknown")
    #expect(try word(-1, tolerance: 1) == "good")
    #expect(try word(100, age: 100) == "good")
    #expect(try word(101, age: 100) == "unknown")
    #expect(try word(101, tolerance: 1, age: 100) == "good")
  }

  @Test("a response must repeat the nonce of the request")
  func nonces() throws {
    let authority = try SmallAuthority()
    let several = try authority.answer("several")
    var revocation = Revocation(.required(of: .leaf), crls: [], ocspResponses: [several])
    revocation.nonce = several.basic?.nonce?.array
    #expect(try authority.verdict("good", revocation, at: authority.answerTime).word == "good")
    revocation.nonce?[0] ^= 1
    #expect(try authority.verdict("good", revocation, at: authority.answerTime).word == "unknown")
    revocation.ocspResponses = [try authority.answer("good-by-name-sha1")]
    #expect(try authority.verdict("good", revocation, at: authority.answerTime).word == "unknown")
  }

  @Test("of a response and a CRL the newer one counts if it says revoked, and both are reported")
  func sources() throws {
    let authority = try SmallAuthority()
    let crls = [try authority.list("complete")]
    let good = Revocation(
      .required(of: .leaf), crls: crls, ocspResponses: [try authority.answer("good-by-name-sha1")])
    // The lists are stale by now; the answer speaks.
    let found = try authority.verdict("good", good, at: authority.answerTime)
    #expect(found.word == "good" && found.words.contains("CRL 0: expired at"))
    #expect(found.words.contains("OCSP response 0: says that the certificate is not revoked"))
    let other = Revocation(
      .required(of: .leaf), crls: crls, ocspResponses: [try authority.answer("keys-by-name-sha1")])
    let told = try authority.verdict("good", other, at: authority.listTime)
    #expect(told.word == "good" && told.words.contains("OCSP response 0: is not about this"))
  }
}

@Suite("Changed bits in signed revocation data")
struct RevocationFaultTests {
  /// RFC 9608 §4.
  @Test("noRevAvail makes the status not applicable")
  func noRevocationAvailable() throws {
    let root = CommittedVectors.root
    let file = "\(root)/Vectors/chains/no-revocation-available.case"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let certificates = CertificateBundle(Array(text.utf8)).certificates
    let validator = PathValidator(anchors: AnchorSet(certificates.suffix(1)), rules: .rfc5280)
    let path = try validator.validate(
      Array(certificates.dropLast()), for: .any,
      at: try #require(Timestamp("2026-01-01T00:00:00Z")),
      revocation: Revocation(.required(of: .leaf)))
    #expect(path.revocation.first?.status == .notApplicable)
    #expect(path.revocation.first?.facts == [])
    #expect(
      path.revocation.first.map { "\($0)" } == "has no revocation information (noRevAvail)")
  }

  @Test("no CRL with a changed bit decides about a certificate")
  func listsHeavy() throws {
    let authority = try SmallAuthority()
    let root = try authority.list("root")
    let der = try authority.list("complete").der
    var count = 0
    try flip(der) { bytes in
      let list: CRL
      do throws(ParseError) { list = try CRL(der: bytes) } catch { return }
      let revocation = Revocation(
        .required(of: .everyCertificate), crls: [root, list])
      let found = try authority.verdict("good", revocation, at: authority.listTime)
      #expect(found.word == "unknown")
      count += 1
    }
    #expect(count > der.count, "few of the changed CRLs can be read")
  }

  @Test("no response with a changed bit decides about a certificate")
  func answersHeavy() throws {
    let authority = try SmallAuthority()
    let answer = try authority.answer("good-by-issuer-sha1")
    var count = 0
    try flip(answer.der) { bytes in
      let changed: OCSPResponse
      do throws(ParseError) { changed = try OCSPResponse(der: bytes) } catch { return }
      // The certificates beside an answer are not signed, and the issuer needs none.
      guard
        changed.basic?.tbs != answer.basic?.tbs
          || changed.basic?.signature != answer.basic?.signature
      else { return }
      let revocation = Revocation(.required(of: .leaf), crls: [], ocspResponses: [changed])
      let found = try authority.verdict("good", revocation, at: authority.answerTime)
      #expect(found.word == "unknown")
      count += 1
    }
    #expect(count > answer.der.count, "few of the changed responses can be read")
  }

  private func flip(_ der: [UInt8], _ body: ([UInt8]) throws -> Void) throws {
    var bytes = der
    for offset in der.indices {
      for bit in 0..<8 {
        bytes[offset] ^= 1 << bit
        try body(bytes)
        bytes[offset] ^= 1 << bit
      }
    }
  }
}
