import HoldfastCertificates
import HoldfastDER
import TestSupport
import Testing

@testable import HoldfastPaths

/// What decides among CRLs and OCSP responses, and what the facts say of the others.
@Suite("Decisions about revocation") struct RevocationDecisionTests {
  private typealias Outcome = CertificateRevocation.SourceOutcome
  private let root: Certificate
  private let leaf: Certificate

  init() throws {
    root = try SignedCertificate.root()
    leaf = try RevocationDecisionTests.leaf()
  }

  private static func leaf(_ extensions: [UInt8] = []) throws -> Certificate {
    try SignedCertificate.leaf(by: "Root", 1) {
      $0.serialNumber = 7
      if !extensions.isEmpty { $0.extensions.append(extensions) }
    }
  }

  /// What is found about a leaf of the root's, without a search.
  private func found(
    _ revocation: Revocation, of leaf: Certificate? = nil, rules: ValidationRules = .rfc5280,
    below anchor: TrustAnchor? = nil
  ) throws -> CertificateRevocation {
    var checker = RevocationChecker(
      revocation, rules, anchor: anchor ?? TrustAnchor(root), pool: [], at: SignedCertificate.time)
    return try checker.check(leaf ?? self.leaf, below: [])
  }

  private static let hold = SignedRevocation.reason(.certificateHold)
  private static let removal = SignedRevocation.reason(.removeFromCRL)

  private static func points(_ points: [UInt8]...) -> [UInt8] {
    Made.extension("2.5.29.31", Made.der(0x30, points.flatMap { Made.der(0x30, $0) }))
  }

  /// A full name of a distribution point, a URI. RFC 5280 §4.2.1.13.
  private static func name(_ uri: String) -> [UInt8] {
    Made.der(0xA0, Made.der(0xA0, Made.uri(uri)))
  }

  /// RFC 5280 §6.3.3, last paragraph.
  @Test("the issuer's complete CRL covers all reasons, although a point names some of them")
  func reasonsOfPoint() throws {
    let keyCompromise: [UInt8] = [0x81, 2, 6, 0x40]
    let leaf = try RevocationDecisionTests.leaf(
      RevocationDecisionTests.points(
        RevocationDecisionTests.name("http://crl.example/") + keyCompromise))
    let list = try SignedRevocation.list(by: "Root", 1)
    #expect(try found(Revocation(crls: [list]), of: leaf).isGood)
  }

  @Test("the newest CRL is verified first, then that with the highest number, then the first")
  func order() throws {
    for (first, second, expected) in [
      (("30", 9), ("31", 1), 1), (("31", 1), ("31", 2), 1),
      (("31", 2), ("31", 1), 0), (("31", 1), ("31", 1), 0),
    ] as [((String, UInt8), (String, UInt8), Int)] {
      let lists = try [first, second].map { day, number in
        try SignedRevocation.list(
          by: "Root", 1, number: number, thisUpdate: "2512\(day)000000Z")
      }
      let result = try found(Revocation(crls: lists))
      #expect(result.isGood)
      #expect(
        result.facts == [
          .init(source: .crl(expected), outcome: .notRevoked(.all)),
          .init(source: .crl(1 - expected), outcome: .redundant),
        ], "\(first) \(second)")
    }
  }

  @Test("a CRL of the issuer, where all points name others, is verified and said to be another")
  func otherIssuers() throws {
    let leaf = try RevocationDecisionTests.leaf(
      RevocationDecisionTests.points(Made.der(0xA2, Made.directory("CN=Other"))))
    for (key, outcome) in [(1, .otherDistributionPoint), (2, .signature)] as [(UInt64, Outcome)] {
      let list = try SignedRevocation.list(by: "Root", key)
      let result = try found(Revocation(crls: [list]), of: leaf)
      #expect(result.facts.map(\.outcome) == [outcome] && !result.isGood)
    }
  }

  /// RFC 5280 §5.2.4.
  @Test("a delta CRL is named beside its base if all of it counts, and ends a hold only then")
  func deltas() throws {
    func entries(_ reason: [UInt8]?) -> [(serialNumber: UInt8, extensions: [UInt8]?)] {
      guard let reason else { return [] }
      return [(7, reason)]
    }
    func found(
      _ base: [UInt8]?, _ delta: [UInt8]?, thisUpdate: String = "251231000000Z", key: UInt64 = 1
    ) throws -> CertificateRevocation {
      try self.found(
        Revocation(crls: [
          try SignedRevocation.list(by: "Root", 1, entries(base)),
          try SignedRevocation.list(
            by: "Root", key, entries(delta), number: 2, base: 1, thisUpdate: thisUpdate),
        ]))
    }
    func sources(_ found: CertificateRevocation) -> [CertificateRevocation.Source]? {
      if case .good(let evidence) = found.status { evidence.sources } else { nil }
    }
    let future = "260102000000Z"
    let time = try #require(Timestamp("2026-01-02T00:00:00Z"))
    #expect(try sources(found(nil, nil)) == [.crl(0), .crl(1)])
    let early = try found(nil, nil, thisUpdate: future)
    #expect(sources(early) == [.crl(0)])
    #expect(early.facts.contains { $0.source == .crl(1) && $0.outcome == .notYetValid(time) })
    let forged = try found(nil, nil, key: 2)
    #expect(sources(forged) == [.crl(0)])
    #expect(forged.facts.contains { $0.source == .crl(1) && $0.outcome == .signature })
    let (hold, removal) = (RevocationDecisionTests.hold, RevocationDecisionTests.removal)
    #expect(try found(hold, removal).isGood)
    #expect(try found(hold, removal, thisUpdate: future).isRevoked)
    #expect(try found(hold, removal, key: 2).isRevoked)
  }

  /// RFC 6960 §4.2.2.1: thisUpdate and nextUpdate bound a time.
  @Test("a response whose nextUpdate is before its thisUpdate is stale, and one of a moment is not")
  func moment() throws {
    let end = try #require(Timestamp("2026-01-01T00:01:00Z"))
    for (from, outcome) in [
      ("20260101000100Z", .notRevoked(.all)), ("20260101000101Z", .stale(end)),
    ] as [(String, Outcome)] {
      let single = SignedRevocation.single(
        leaf, of: root, from: from, until: "20260101000100Z")
      let answer = try SignedRevocation.answer([single], by: root, 1, includesResponder: false)
      let result = try found(Revocation(ocspResponses: [answer]))
      #expect(result.facts.map(\.outcome) == [outcome])
      #expect(result.isGood == (outcome == .notRevoked(.all)))
    }
  }

  @Test("a CRL with an algorithm that the rules reject, or that is not its key's, shows nothing")
  func algorithms() throws {
    let list = try SignedRevocation.list(by: "Root", 1, [(7, nil)])
    #expect(try found(Revocation(crls: [list])).isRevoked)
    var rules = ValidationRules.rfc5280
    rules.signatures.algorithms = [.rsaPKCS1]
    let rejected = try found(Revocation(crls: [list]), rules: rules)
    #expect(!rejected.isRevoked && rejected.facts.map(\.outcome) == [.algorithm])
    let ed25519 = "1.3.101.112"
    let inner = try SignedRevocation.list(by: "Root", 1, [(7, nil)], innerAlgorithm: ed25519)
    let other = try CRL(
      der: Made.der(
        0x30,
        inner.tbs.array + Made.der(0x30, Made.oid(ed25519))
          + Made.bits([UInt8](repeating: 1, count: 64))))
    let mismatched = try found(Revocation(crls: [other]))
    #expect(!mismatched.isRevoked && mismatched.facts.map(\.outcome) == [.algorithm])
  }

  /// RFC 5280 §5.1.1.2: the same algorithm in both places.
  @Test("a CRL whose algorithm is written in two ways is verified only if the rules let it be")
  func twoWays() throws {
    let key = try PublicKey(
      whole: Made.der(
        0x30,
        Made.der(0x30, Made.oid("1.2.840.113549.1.1.1") + [5, 0])
          + Made.bits(
            Made.der(
              0x30,
              Made.der(0x02, [0] + [UInt8](repeating: 0xFF, count: 256)) + Made.der(0x02, [3])))))
    func list(_ inner: [UInt8], _ outer: [UInt8]) throws -> CRL {
      let plain = try SignedRevocation.list(by: "Root", 1, [(7, nil)])
      let own = Made.der(0x30, Made.oid("1.2.840.10045.4.3.2"))
      var fields = Array(plain.tbs.array.dropFirst(plain.tbs.count >= 0x80 ? 3 : 2))
      fields.replaceSubrange(try #require(fields.firstRange(of: own)), with: inner)
      return try CRL(
        der: Made.der(
          0x30, Made.der(0x30, fields) + outer + Made.bits([UInt8](repeating: 1, count: 256))))
    }
    let (sha256, sha384) = ("1.2.840.113549.1.1.11", "1.2.840.113549.1.1.12")
    let absent = Made.der(0x30, Made.oid(sha256))
    let null = Made.der(0x30, Made.oid(sha256) + [5, 0])
    let other = Made.der(0x30, Made.oid(sha384) + [5, 0])
    // Nothing here is signed: a signature that is verified is wrong.
    for (inner, requiresEqual, expected) in [
      (null, true, .signature), (null, false, .signature), (absent, true, .algorithm),
      (absent, false, .signature), (other, true, .algorithm), (other, false, .algorithm),
    ] as [([UInt8], Bool, Outcome)] {
      var rules = ValidationRules.rfc5280
      rules.signatures.requiresEqualParameters = requiresEqual
      let anchor = TrustAnchor(name: root.subject, publicKey: key)
      let result = try found(
        Revocation(crls: [list(inner, null)]), rules: rules, below: anchor)
      #expect(result.facts.map(\.outcome) == [expected])
    }
  }

  /// RFC 7633 §4.2.3.1.
  @Test("a good answer that was not stapled does not stand for the one that was")
  func staple() throws {
    let promising = try RevocationDecisionTests.leaf(
      Made.extension("1.3.6.1.5.5.7.1.24", Made.der(0x30, [2, 1, 5])))
    func answer(_ status: [UInt8], from: String) throws -> OCSPResponse {
      try SignedRevocation.answer(
        [SignedRevocation.single(promising, of: root, status, from: from)], by: root, 1,
        includesResponder: false)
    }
    let known = Revocation(ocspResponses: [
      try answer(SignedRevocation.good, from: "20251231000000Z")
    ])
    for (status, isGood) in [(SignedRevocation.good, true), (SignedRevocation.unknown, false)] {
      let stapled = try answer(status, from: "20251230000000Z")
      let result = try found(.handshake(staple: stapled).added(to: known), of: promising)
      #expect(result.isGood == isGood)
      guard case .unknown(let reason) = result.status else { continue }
      #expect(reason == .mustStaple)
    }
  }

  @Test("what the server stapled is called that, and so is its absence")
  func stapleText() throws {
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    let good = try SignedRevocation.answer(
      [SignedRevocation.single(leaf, of: root)], by: root, 1, includesResponder: false)
    func text(_ staple: OCSPResponse?, _ known: Revocation) throws -> String {
      try found(.handshake(staple: staple).added(to: known), of: leaf).summary { "\($0)" }
    }
    #expect(try text(good, Revocation()).hasPrefix("is not revoked: the stapled response, issued"))
    #expect(
      try text(nil, Revocation(ocspResponses: [good])).hasPrefix(
        "is not revoked: OCSP response 0, issued"))
    #expect(
      try text(nil, Revocation()) == "has unknown revocation status: the server stapled no "
        + "response, and no CRL or filter was given")
  }

  /// RFC 6960 §3.2 (1): the name and the key of the issuer, and the serial number.
  @Test("an answer about another issuer's certificate of the same number says nothing")
  func otherIssuer() throws {
    let other = try SignedCertificate.root("Root", 2)
    for (issuer, isGood) in [(root, true), (other, false)] {
      let answer = try SignedRevocation.answer(
        [SignedRevocation.single(leaf, of: issuer)], by: root, 1, includesResponder: false)
      let result = try found(Revocation(ocspResponses: [answer]))
      #expect(result.isGood == isGood)
      #expect(result.facts.map(\.outcome) == [isGood ? .notRevoked(.all) : .otherCertificate])
    }
  }

  @Test("clocks may differ by five minutes, and filters be ten days old, if nothing else is set")
  func defaults() {
    #expect(Revocation().tolerance == 300 && Revocation().maximumFilterAge == 864_000)
  }
}
