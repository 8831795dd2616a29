import HoldfastCertificates
import HoldfastConformance
import HoldfastDER
import HoldfastPaths
import HoldfastTransparency
import TestSupport
import Testing

/// Every bit of what a log signs, and of its timestamp, matters.
@Suite("Flipped bits") struct FlipTests {
  private let evaluator: TransparencyEvaluator

  init() throws {
    evaluator = TransparencyEvaluator(
      list: try TransparencyVectors.list(), policy: .chrome, maximumListAge: .max)
  }

  /// Returns the bits of the signed part of a certificate with embedded timestamps that leave all
  /// of them valid if they are flipped. A certificate that can no longer be read is rejected.
  private static func unnoticed(
    in leaf: Certificate, issuerKey: PublicKey, _ evaluator: TransparencyEvaluator, at now: LogTime,
    every step: Int
  ) -> [Int] {
    let whole = evaluator.evaluate(leaf, issuerKey: issuerKey, at: now...now, isValid: false)
    let expected = whole.results.count { $0.status == .verified }
    var unnoticed: [Int] = []
    let tbs = leaf.tbs.range
    for bit in stride(from: tbs.lowerBound * 8, to: tbs.upperBound * 8, by: step) {
      var der = leaf.der
      der[bit / 8] ^= 1 << UInt8(bit % 8)
      do throws(ParseError) {
        let changed = try Certificate(der: der)
        let report = evaluator.evaluate(
          changed, issuerKey: issuerKey, at: now...now, isValid: false)
        if report.results.count(where: { $0.status == .verified }) >= expected {
          unnoticed.append(bit)
        }
      } catch {}
    }
    return unnoticed
  }

  @Test("no flipped bit of a made certificate leaves all its timestamps valid")
  func made() throws {
    let test = try SignedCase.named("embedded-three-p256")
    let unnoticed = Self.unnoticed(
      in: test.leaf, issuerKey: test.root.publicKey, evaluator, at: LogTime(test.now),
      every: isDebug ? 211 : 1)
    #expect(unnoticed == [])
  }

  @Test("no flipped bit of a timestamp by TLS leaves it valid")
  func delivered() throws {
    let test = try SignedCase.named("tls-three")
    let list = try #require(test.tls)
    let first = list[2..<4 + Int(list[2]) << 8 + Int(list[3])]
    let one = [UInt8(first.count >> 8), UInt8(first.count & 0xFF)] + first
    let path = try test.path()
    #expect(evaluator.evaluate(path, tls: one).results.map(\.status) == [.verified])
    var unnoticed: [Int] = []
    for bit in stride(from: 0, to: one.count * 8, by: isDebug ? 23 : 1) {
      var changed = one
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      let report = evaluator.evaluate(path, tls: changed)
      if report.results.contains(where: { $0.status == .verified }) { unnoticed.append(bit) }
    }
    #expect(unnoticed == [])
  }

  @Test(
    "no sampled bit of ten real certificates leaves all their timestamps valid if it is flipped",
    .enabled(if: VectorSuites.has("ct"), "\(VectorSuites.absence(of: "ct"))"))
  func real() throws { try checkReal(every: 211) }

  @Test(
    "no flipped bit of ten real certificates leaves all their timestamps valid",
    .enabled(if: VectorSuites.has("ct"), "\(VectorSuites.absence(of: "ct"))"),
    .enabled(if: !isDebug, "too slow in a debug build"))
  func realHeavy() throws { try checkReal(every: 1) }

  private func checkReal(every step: Int) throws {
    let folder = try #require(VectorSuites.path(of: "ct"))
    let list = try LogList(
      json: Platform.readFile("\(folder)/real-list/log_list-2026-01-02.json", limit: 1 << 20))
    let evaluator = TransparencyEvaluator(list: list, policy: .chrome, maximumListAge: .max)
    let cases = try VectorFile.files(at: "\(folder)/real-list/sites.json.xz").flatMap { file in
      var sites: [SuiteCase] = []
      try SuiteDocument(file, list: "sites").forEachCase { sites.append($0) }
      return sites
    }
    var count = 0
    for site in cases where count < 10 {
      guard let detail = try site.object("detail") else { continue }
      let leaf = try Certificate(der: detail.value("end_entity_cert", .base64))
      let others = try detail.value("intermediates", .list(of: .base64)).map {
        try Certificate(der: $0)
      }
      guard let issuer = others.first(where: { leaf.isSigned(by: $0) }) else { continue }
      let unnoticed = Self.unnoticed(
        in: leaf, issuerKey: issuer.publicKey, evaluator, at: LogTime(leaf.notAfter), every: step)
      #expect(unnoticed == [], "\(leaf)")
      count += 1
    }
    #expect(count == 10)
  }
}
