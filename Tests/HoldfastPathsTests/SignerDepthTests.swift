import HoldfastCertificates
import HoldfastDER
import TestSupport
import Testing

@testable import HoldfastPaths

/// Signers of CRLs off the path: how deep they are followed, and which of them count.
@Suite("Signers of CRLs about signers") struct SignerDepthTests {
  private let root: Certificate

  init() throws { root = try SignedCertificate.root() }

  private static func points(_ points: [UInt8]...) -> [UInt8] {
    Made.extension("2.5.29.31", Made.der(0x30, points.flatMap { Made.der(0x30, $0) }))
  }

  /// A full name of a distribution point, a URI. RFC 5280 §4.2.1.13.
  private static func name(_ uri: String) -> [UInt8] {
    Made.der(0xA0, Made.der(0xA0, Made.uri(uri)))
  }

  /// RFC 5280 §5.2.1.
  @Test("a CRL that names another key than the signer's is not taken for its")
  func otherKeyIdentifier() throws {
    let authority = try SignedCertificate.authority("CA", 2, by: "Root", 1)
    let leaf = try SignedCertificate.leaf(by: "CA", 2) { $0.serialNumber = 7 }
    let signer = try SignedRevocation.signer("CA", 40, by: "CA", 2)
    for (key, isGood) in [(40, true), (41, false)] as [(UInt64, Bool)] {
      let identifier = Made.extension(
        "2.5.29.35", Made.der(0x30, Made.der(0x80, SignedCertificate.identifier(key))))
      let path = try PathValidator(anchors: AnchorSet([root]), rules: .rfc5280).validate(
        [leaf, authority], for: .any, at: SignedCertificate.time,
        revocation: Revocation(
          crls: [try SignedRevocation.list(by: "CA", 40, extensions: identifier)],
          signers: [signer]))
      #expect(path.revocation.first?.isGood == isGood)
    }
  }

  /// The leaf, and the names of the signers of CRLs about it, each about the one before.
  private struct Ladder {
    let root: Certificate
    let authority: Certificate
    var revocation = Revocation(.required(of: .everyCertificate))
    /// The same certificates are in most of them.
    private static let cache = SignatureCache()
    /// What the last of the signers is.
    enum End { case exempt, responder, delegate }

    static func point(_ number: Int) -> [UInt8] {
      SignerDepthTests.points(SignerDepthTests.name("http://crl.example/\(number)"))
    }

    /// A CRL by the CA for one distribution point alone. RFC 5280 §5.2.5.
    private static func list(
      _ number: Int, _ entries: [(serialNumber: UInt8, extensions: [UInt8]?)] = []
    ) throws -> CRL {
      let point = Made.extension(
        "2.5.29.28", isCritical: true,
        Made.der(0x30, SignerDepthTests.name("http://crl.example/\(number)")))
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

    /// Checks a leaf of the first point, or one about which a responder says good with a key;
    /// `good`, or the rule that is broken first, and where.
    func word(
      _ responder: Certificate? = nil, key: UInt64 = 30, hasPoint: Bool = true
    ) throws -> String {
      let leaf = try SignedCertificate.leaf(by: "CA", 2) {
        $0.serialNumber = 7
        if hasPoint { $0.extensions.append(Ladder.point(1)) }
      }
      var revocation = revocation
      if let responder {
        revocation.ocspResponses.append(
          try SignedRevocation.answer(
            [SignedRevocation.single(leaf, of: authority)], by: responder, key))
      }
      do throws(PathError) {
        _ = try PathValidator(anchors: AnchorSet([root]), cache: Ladder.cache).validate(
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
      #expect(try ladder.word(responder, hasPoint: false) == expected)
    }
    // What was looked at before makes none deeper: here a responder that has not signed.
    for (count, expected) in [(4, "good"), (5, unknown)] {
      var ladder = try Ladder(signers: count, .exempt)
      #expect(try ladder.word(responder, key: 31) == expected)
      // A signer of a newer CRL, which covers keyCompromise alone.
      let scope = Made.extension(
        "2.5.29.28", isCritical: true,
        Made.der(
          0x30, SignerDepthTests.name("http://crl.example/1") + [0x83, 2, 6, 0x40]))
      ladder.revocation.crls.append(
        try SignedRevocation.list(
          by: "CA", 60, thisUpdate: "251231120000Z", extensions: scope))
      ladder.revocation.signers.append(
        try SignedRevocation.signer(
          "CA", 60, by: "CA", 2, [Made.extension("2.5.29.56", [5, 0])], serialNumber: 60))
      #expect(try ladder.word() == expected)
    }
  }

  /// PKITS 4.14.30 has a signer whose status nobody can tell.
  @Test("a signer whose points name itself alone is accepted unless it is revoked, a CA is not")
  func namesItself() throws {
    func point(_ name: String) -> [UInt8] {
      SignerDepthTests.points(Made.der(0xA2, Made.directory("CN=\(name)")))
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
