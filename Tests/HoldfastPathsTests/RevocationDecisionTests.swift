import HoldfastCertificates
import HoldfastDER
import HoldfastRequirements
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
    _ revocation: Revocation, of leaf: Certificate? = nil, rules: ValidationRules = .rfc5280
  ) throws -> CertificateRevocation {
    var checker = RevocationChecker(
      revocation, rules, anchor: TrustAnchor(root), pool: [], at: SignedCertificate.time)
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

  // MARK: Signers off the path

  /// The leaf, and the names of the signers of CRLs about it, each about the one before.
  private struct Ladder {
    let root: Certificate
    let authority: Certificate
    var revocation = Revocation(.required(of: .everyCertificate))
    /// What the last of the signers is.
    enum End { case exempt, responder, delegate }

    static func point(_ number: Int) -> [UInt8] {
      RevocationDecisionTests.points(RevocationDecisionTests.name("http://crl.example/\(number)"))
    }

    /// A CRL by the CA for one distribution point alone. RFC 5280 §5.2.5.
    private static func list(
      _ number: Int, _ entries: [(serialNumber: UInt8, extensions: [UInt8]?)] = []
    ) throws -> CRL {
      let point = Made.extension(
        "2.5.29.28", isCritical: true,
        Made.der(0x30, RevocationDecisionTests.name("http://crl.example/\(number)")))
      return try SignedRevocation.list(
        by: "CA", 40 + UInt64(number), entries, extensions: point)
    }

    init(
      signers count: Int, _ end: End,
      revoking entries: [(serialNumber: UInt8, extensions: [UInt8]?)] = []
    ) throws {
      root = try SignedCertificate.root()
      authority = try SignedCertificate.authority("CA", 2, by: "Root", 1)
      revocation.crls = [try SignedRevocation.list(by: "Root", 1)]
      for number in 1...count {
        revocation.crls.append(try Ladder.list(number, number == 1 ? entries : []))
        let isLast = number == count
        let noRevAvail = Made.extension("2.5.29.56", [5, 0])
        let signer = try SignedRevocation.signer(
          "CA", 40 + UInt64(number), by: "CA", 2,
          [isLast ? (end == .exempt ? noRevAvail : []) : Ladder.point(number + 1)],
          serialNumber: 20 + UInt64(number))
        revocation.signers.append(signer)
        guard isLast, end != .exempt else { continue }
        let responder = try SignedRevocation.responder(
          30, by: "CA", 2, end == .responder ? [SignedRevocation.noCheck] : [])
        revocation.ocspResponses = [
          try SignedRevocation.answer(
            [SignedRevocation.single(signer, of: authority)], by: responder, 30)
        ]
      }
    }

    /// Checks a leaf of the first point, or one about which a responder of that point says good;
    /// `good`, or the rule that is broken first, and where.
    func word(_ responder: Certificate? = nil) throws -> String {
      let leaf = try SignedCertificate.leaf(by: "CA", 2) {
        $0.serialNumber = 7
        if responder == nil { $0.extensions.append(Ladder.point(1)) }
      }
      var revocation = revocation
      if let responder {
        revocation.ocspResponses.append(
          try SignedRevocation.answer(
            [SignedRevocation.single(leaf, of: authority)], by: responder, 30))
      }
      do throws(PathError) {
        _ = try PathValidator(anchors: AnchorSet([root])).validate(
          [leaf, authority], for: .any, at: SignedCertificate.time, revocation: revocation)
        return "good"
      } catch {
        return error.rejections.first.map { "\($0.rule.name) \($0.index)" } ?? "\(error.cause)"
      }
    }
  }

  @Test("signers of CRLs about signers are accepted four deep, responders among them counted")
  func depth() throws {
    let unknown = "revocationUnknown 0"
    for (count, end, expected) in [
      (1, .exempt, "good"), (4, .exempt, "good"), (5, .exempt, unknown),
      (4, .responder, "good"), (3, .delegate, "good"), (4, .delegate, unknown),
    ] as [(Int, Ladder.End, String)] {
      #expect(try Ladder(signers: count, end).word() == expected, "\(count) \(end)")
    }
    let responder = try SignedRevocation.responder(30, by: "CA", 2, [Ladder.point(1)])
    for (entries, expected) in [([], "good"), ([(77, nil)], unknown)]
      as [([(UInt8, [UInt8]?)], String)]
    {
      let ladder = try Ladder(signers: 3, .exempt, revoking: entries)
      #expect(try ladder.word(responder) == expected)
    }
  }

  /// PKITS 4.14.30 has a signer whose status nobody can tell.
  @Test("a signer whose points name itself alone is accepted unless it is revoked, a CA is not")
  func namesItself() throws {
    func point(_ name: String) -> [UInt8] {
      RevocationDecisionTests.points(Made.der(0xA2, Made.directory("CN=\(name)")))
    }
    let indirect = Made.extension("2.5.29.28", isCritical: true, Made.der(0x30, [0x84, 1, 0xFF]))
    let leaf = try SignedCertificate.leaf(by: "CA", 2) { $0.extensions.append(point("Other")) }
    let signer = try SignedRevocation.signer("Other", 40, by: "CA", 2, [point("Other")])
    for (entries, pointOfAuthority, expected) in [
      ([], nil, []), ([(20, nil)], nil, [0]), ([], point("CA"), [0, 1]),
    ] as [([(UInt8, [UInt8]?)], [UInt8]?, [Int])] {
      let authority = try SignedCertificate.authority("CA", 2, by: "Root", 1) {
        $0.serialNumber = 9
        if let pointOfAuthority { $0.extensions.append(pointOfAuthority) }
      }
      let revocation = Revocation(
        .required(of: .everyCertificate),
        crls: [
          try SignedRevocation.list(by: "Root", 1),
          try SignedRevocation.list(by: "Other", 40, extensions: indirect),
          try SignedRevocation.list(by: "CA", 2, entries),
        ], signers: [signer])
      let result = Result { () throws(PathError) in
        try PathValidator(anchors: AnchorSet([root])).validate(
          [leaf, authority], for: .any, at: SignedCertificate.time, revocation: revocation)
      }
      var rejections: [PathError.Rejection] = []
      if case .failure(let error) = result { rejections = error.rejections }
      #expect(rejections.map(\.index) == expected)
      #expect(rejections.allSatisfy { $0.rule == .revocationUnknown })
    }
  }
}
