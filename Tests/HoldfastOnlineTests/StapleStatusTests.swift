import Foundation
import Holdfast
import HoldfastCertificates
import HoldfastOnline
import TestSupport
import Testing

/// What is said of a stapled response: what OpenSSL says of it, never what it claims to be.
@Suite("The stapled response") struct StapleStatusTests {
  private let certificates: [String: Certificate]
  private let answers: [String: [UInt8]]
  private let validator: PathValidator
  /// The time of OpenSSL's verdicts.
  private let time = Timestamp("2026-11-21T13:40:40Z") ?? .now

  init() throws {
    var certificates: [String: Certificate] = [:]
    for block in try CommittedVectors.blocks("revocation/certificates.pem") {
      certificates[block.name] = try Certificate(der: block.der)
    }
    var answers: [String: [UInt8]] = [:]
    for block in try CommittedVectors.blocks("revocation/answers.pem") {
      answers[block.name] = block.der
    }
    self.certificates = certificates
    self.answers = answers
    validator = PathValidator(
      anchors: AnchorSet([try #require(certificates["root"])]), rules: .rfc5280)
  }

  private func status(
    _ answer: [UInt8], of leaf: String = "good", at time: Timestamp? = nil,
    _ validator: PathValidator? = nil
  ) throws -> StapleStatus {
    let chain = [try #require(certificates[leaf]), try #require(certificates["ca"])]
    return StapleStatus(
      of: answer, for: chain, try HostName("a.example"), at: time ?? self.time,
      validator ?? self.validator)
  }

  @Test("the status is OpenSSL's, and unusable where OpenSSL does not verify the response")
  func likeOpenSSLHeavy() throws {
    let text = try String(
      contentsOfFile: CommittedVectors.path("revocation/verdicts.txt"), encoding: .utf8)
    var counts: [StapleStatus: Int] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("answer ") {
      let words = line.split(separator: " ").map(String.init)
      // It has no path to the root.
      if words[1] == "stranger" { continue }
      let expected: StapleStatus =
        switch words[3...].joined(separator: " ") {
        case "good": .good
        case "revoked": .revoked
        case "unknown": .unknown
        default: .unusable
        }
      let found = try status(try #require(answers[words[2]]), of: words[1])
      #expect(found == expected, "\(line)")
      counts[found, default: 0] += 1
    }
    #expect(counts[.good, default: 0] > 5 && counts[.revoked, default: 0] > 20)
    #expect(counts[.unusable, default: 0] > 200)
  }

  @Test("a forged and an unreadable response are unusable, and an early one unless it says revoked")
  func unusable() throws {
    for name in ["good-by-issuer-sha256", "keys-by-issuer-sha256"] {
      let leaf = String(name.prefix(4))
      let der = try #require(answers[name])
      let basic = try #require(try OCSPResponse(der: der).basic)
      var forged = der
      forged[basic.signature.range.upperBound - 1] ^= 1
      #expect(try status(forged, of: leaf) == .unusable)
      // -ndays 9000, from the day of the verdicts.
      #expect(try status(der, of: leaf, at: Timestamp("2060-01-01")) == .unusable)
      // Before thisUpdate; the time of the revocation has come.
      #expect(
        try status(der, of: leaf, at: Timestamp("2026-11-20"))
          == (leaf == "keys" ? .revoked : .unusable))
      #expect(try status(Array(der.dropLast()), of: leaf) == .unusable)
    }
    // tryLater: RFC 6960 §4.2.1.
    #expect(try status([0x30, 3, 0x0A, 1, 3]) == .unusable)
    #expect(try status([]) == .unusable)
  }

  @Test("a response that is older than the validator allows shows only that it is revoked")
  func maximumAge() throws {
    let later = time.advanced(bySeconds: 2 * 86_400)
    var revocation = Revocation()
    revocation.maximumAge = 86_400
    let strict = PathValidator(
      anchors: validator.anchors, rules: .rfc5280, revocation: revocation)
    for (leaf, expected) in [("good", StapleStatus.unusable), ("keys", .revoked)] {
      let der = try #require(answers["\(leaf)-by-issuer-sha256"])
      #expect(try status(der, of: leaf, at: later, strict) == expected)
      #expect(try status(der, of: leaf, at: later) == (leaf == "good" ? .good : .revoked))
    }
  }

  @Test("good, revoked and unknown are told apart")
  func words() throws {
    let made = try Published()
    for (status, expected) in [
      (SignedRevocation.good, StapleStatus.good), (SignedRevocation.revoked, .revoked),
      (SignedRevocation.unknown, .unknown),
    ] {
      let answer = try SignedRevocation.answer(
        [SignedRevocation.single(made.leaf, of: made.intermediate, status)],
        by: made.intermediate, 2, includesResponder: false)
      let found = StapleStatus(
        of: answer.der, for: [made.leaf, made.intermediate], try HostName(SignedCertificate.host),
        at: SignedCertificate.time, made.offline)
      #expect(found == expected)
    }
  }

  @Test("without a path to an anchor no response counts")
  func noPath() throws {
    let anchors = AnchorSet([try #require(certificates["stranger"])])
    let der = try #require(answers["good-by-issuer-sha256"])
    #expect(
      try status(der, PathValidator(anchors: anchors, rules: .rfc5280)) == .unusable)
  }
}
