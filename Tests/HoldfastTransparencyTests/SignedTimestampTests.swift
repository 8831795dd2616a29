import Holdfast
import HoldfastCertificates
import HoldfastDER
import HoldfastPaths
import TestSupport
import Testing

@testable import HoldfastTransparency

/// `Vectors/transparency/signed.ndjson`: certificates with timestamps that Python made.
@Suite("Signed certificate timestamps") struct SignedTimestampTests {
  @Test("each timestamp has the expected status, by the key of the path's issuer")
  func tableHeavy() throws {
    let evaluator = TransparencyEvaluator(list: try TransparencyVectors.list(), policy: .chrome)
    var wrong: [String] = []
    let cases = try SignedCase.all()
    for test in cases where test.hasPath {
      let report = evaluator.evaluate(try test.path(), tls: test.tls, ocsp: test.ocsp)
      let found = report.results.map(\.status.name)
      if found != test.expected { wrong.append("\(test.name): \(report)") }
      if report.omitted != test.omitted { wrong.append("\(test.name): omits \(report.omitted)") }
      if let first = report.results.first, test.name.hasPrefix("leaf-index"),
        first.leafIndex != test.leafIndex
      {
        wrong.append("\(test.name): index \(first.leafIndex.map { "\($0)" } ?? "absent")")
      }
      // The second time the cache answers, and must say the same.
      let again = evaluator.evaluate(try test.path(), tls: test.tls, ocsp: test.ocsp)
      if again != report { wrong.append("\(test.name): \(again) is not \(report)") }
    }
    #expect(wrong == [])
    #expect(cases.count >= 90)
  }

  /// RFC 6962 §3.2: issuer_key_hash is that of the certificate's issuer.
  @Test("the issuer of a leaf is the next certificate of its path, or the anchor")
  func issuers() throws {
    let root = try SignedCertificate.root()
    let middle = try SignedCertificate.authority("Middle", 2, by: "Root", 1)
    let key = TrustAnchor(name: root.subject, publicKey: root.publicKey)
    for (chain, expected) in [
      ([try SignedCertificate.leaf(by: "Middle", 2), middle], middle),
      ([try SignedCertificate.leaf(by: "Root", 1)], root),
    ] {
      for anchor in [TrustAnchor(root), key] {
        let path = try PathValidator(anchors: AnchorSet([anchor]), rules: .rfc5280).validate(
          chain, for: .any, at: SignedCertificate.time)
        #expect(path.issuerKey == expected.publicKey)
      }
    }
  }

  @Test("a precertificate is never a leaf")
  func precertificate() throws {
    let test = try SignedCase.named("precertificate")
    for rules in [ValidationRules.webPKI, .rfc5280, .apple, .strict] {
      let diagnosis = PathValidator(anchors: AnchorSet([test.anchor]), rules: rules, cache: nil)
        .diagnose([test.leaf], for: .anyServer, at: test.now)
      let broken = diagnosis.attempts.flatMap(\.violations).map(\.rule)
      #expect(diagnosis.path == nil && broken.contains(.unknownCriticalExtension), "\(rules)")
    }
  }

  @Test("the deliveries are told apart, and every result says what it is about")
  func deliveries() throws {
    let test = try SignedCase.named("all-deliveries")
    let evaluator = TransparencyEvaluator(list: try TransparencyVectors.list(), policy: .chrome)
    let report = evaluator.evaluate(try test.path(), tls: test.tls, ocsp: test.ocsp)
    #expect(report.results.map(\.delivery) == [.embedded, .tls, .ocsp])
    #expect(report.results.map(\.operatorName) == ["Aleph", "Beth", "Gimel"])
    #expect(report.results.map(\.state?.kind) == [.usable, .usable, .qualified])
    #expect(report.earliestProvableIssuance == LogTime("2026-05-01T00:00:00.000Z"))
    #expect(
      "\(report.results[1])" == "tls, b1 of Beth at 2026-05-01T00:00:00.000Z: verified")
  }

  /// RFC 6962 §3.2: the TBSCertificate without the timestamps, with the lengths as DER has them.
  @Test("a logged certificate has its lengths anew, in the shortest form")
  func lengths() throws {
    func made(_ count: Int, _ timestamps: [[UInt8]]) throws -> Certificate {
      try SignedCertificate.leaf(by: "Root", 1, names: []) {
        $0.hasKeyIdentifiers = false
        $0.signature = (Made.der(0x30, Made.oid("1.2.840.10045.4.3.2")), [0])
        let other = Made.extension("1.2.3.4", [UInt8](repeating: 5, count: count))
        $0.extensions = [other] + timestamps
      }
    }
    let timestamps = Made.timestamps([([UInt8](repeating: 1, count: 32), 1)])
    // Around those with which the list of extensions, or the field that has it, takes 128 bytes.
    for count in 100..<130 {
      let plain = try made(count, [])
      let entry = LogEntry(
        precertificateOf: try made(count, [timestamps]), issuerKey: plain.publicKey.der)
      #expect(entry?.content == plain.tbs.array, "\(count)")
    }
  }

  @Test("the timestamps of a response are found beside its other extensions")
  func otherExtensions() throws {
    let root = try SignedCertificate.root()
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    var timestamps = Made.timestamps([([UInt8](repeating: 1, count: 32), 1)])
    let place = try #require(timestamps.firstRange(of: Made.oid("1.3.6.1.4.1.11129.2.4.2")))
    timestamps.replaceSubrange(place, with: Made.oid("1.3.6.1.4.1.11129.2.4.5"))
    let single = SignedRevocation.single(
      leaf, of: root, extensions: Made.extension("1.2.3.4", [5, 0]) + timestamps)
    let answer = try SignedRevocation.answer([single], by: root, 1)
    let path = try PathValidator(anchors: AnchorSet([root]), rules: .rfc5280).validate(
      [leaf], for: .anyServer, at: SignedCertificate.time)
    let report = TransparencyEvaluator(list: try TransparencyVectors.list(), policy: .chrome)
      .evaluate(path, ocsp: answer)
    #expect(report.results.map(\.status) == [.unknownLog])
    #expect(report.results.map(\.delivery) == [.ocsp])
  }

  @Test("only logs that are approved now prove when a certificate existed")
  func proofs() throws {
    let evaluator = TransparencyEvaluator(list: try TransparencyVectors.list(), policy: .chrome)
    func earliest(_ name: String) throws -> LogTime? {
      let test = try SignedCase.named(name)
      return evaluator.evaluate(try test.path(), tls: test.tls).earliestProvableIssuance
    }
    #expect(try earliest("embedded-three") == LogTime("2026-05-01T00:00:00Z"))
    for name in [
      "pending", "retired-later", "retired-before", "next-second", "other-time", "unknown-log",
    ] {
      #expect(try earliest(name) == (name == "unknown-log" ? LogTime("2026-05-01T00:00:00Z") : nil))
    }
  }

  @Test("without a list every timestamp is of an unknown log, and nothing is evaluated")
  func withoutList() throws {
    let test = try SignedCase.named("embedded-three")
    let evaluator = TransparencyEvaluator(
      list: Result { () throws(LogListError) in try LogList(json: [0x5B]) }, policy: .chrome)
    let report = evaluator.evaluate(try test.path())
    #expect(report.results.map(\.status) == [.unknownLog, .unknownLog, .unknownLog])
    guard case .notEvaluated(.unreadableList) = report.verdict else {
      Issue.record("\(report)")
      return
    }
  }

  @Test("a certificate that is itself an anchor has an issuer only if it is self-issued")
  func leafAsAnchor() throws {
    let test = try SignedCase.named("embedded-three")
    let evaluator = TransparencyEvaluator(list: try TransparencyVectors.list(), policy: .chrome)
    let path = try PathValidator(anchors: AnchorSet([test.leaf]), rules: .rfc5280, cache: nil)
      .validate([test.leaf], for: .anyServer, at: test.now)
    #expect(
      evaluator.evaluate(path).results.map(\.status)
        == [TimestampResult.Status](repeating: .badSignature(.unknownIssuer), count: 3))
  }

  @Test("a timestamp cut at any length is malformed, and says where")
  func cuts() throws {
    let test = try SignedCase.named("tls-three")
    let list = try #require(test.tls)
    let first = Array(list[4..<4 + Int(list[2]) << 8 + Int(list[3])])
    _ = try SignedCertificateTimestamp(first)
    for count in first.indices {
      let error = #expect(throws: TimestampError.self) {
        try SignedCertificateTimestamp(first.prefix(count))
      }
      #expect(error?.problem == .truncated && error.map { $0.offset <= count } == true)
      #expect(error.map { "\($0)".contains("RFC 6962 §3.2") } == true)
    }
    let longer = #expect(throws: TimestampError.self) {
      try SignedCertificateTimestamp(first + [0])
    }
    #expect(longer?.problem == .trailingData && longer?.offset == first.count)
  }

  @Test("a list cut at any length loses what is cut off, and keeps nothing of it")
  func listCuts() throws {
    let test = try SignedCase.named("tls-three")
    let list = try #require(test.tls)
    for count in list.indices {
      let cut = Bytes(Array(list.prefix(count)))
      let items = SignedCertificateTimestamp.items(ofList: cut, maximum: 64).items
      #expect(items.count == 1)
      #expect(throws: TimestampError.self) { try items[0].get() }
    }
  }
}
