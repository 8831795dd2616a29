import HoldfastCertificates
import HoldfastDER
import HoldfastPaths
import TestSupport
import Testing

/// A CRL that its issuer signed but that cannot be read may revoke the certificate, so it must not
/// vanish. The cases `crl-unreadable-…` have the same for whole paths.
@Suite("CRLs that cannot be read") struct UnreadableCRLTests {
  private let root: Certificate
  private let leaf: Certificate

  init() throws {
    root = try SignedCertificate.root()
    leaf = try SignedCertificate.leaf(by: "Root", 1) {
      $0.serialNumberContent = [0x3A, 0x5C, 0x1B, 0x7E, 0x4D]
    }
  }

  /// A list of version 3, as no version of X.509 has it.
  private func list(
    by name: String = "Root", _ key: UInt64 = 1,
    serialNumber: [UInt8] = [0x3A, 0x5C, 0x1B, 0x7E, 0x4D],
    thisUpdate: String = "251231000000Z", nextUpdate: String? = "260201000000Z"
  ) -> [UInt8] {
    var fields = Made.der(0x02, [2]) + Made.der(0x30, Made.oid("1.2.840.10045.4.3.2"))
    fields += Made.der(0x30, Made.name("CN=\(name)"))
    fields += SignedRevocation.utc(thisUpdate) + (nextUpdate.map(SignedRevocation.utc) ?? [])
    let entry = Made.der(0x02, serialNumber) + SignedRevocation.utc("251230000000Z")
    fields += Made.der(0x30, Made.der(0x30, entry))
    return SignedCertificate.signed(Made.der(0x30, fields), by: key)
  }

  private func found(_ revocation: Revocation) throws -> CertificateRevocation {
    let path = try PathValidator(anchors: AnchorSet([root])).validate(
      [leaf], for: .server(named: SignedCertificate.host), at: SignedCertificate.time,
      revocation: revocation)
    return try #require(path.revocation.first)
  }

  @Test("a CRL in DER is added where it belongs, and the error is returned")
  func adding() throws {
    var revocation = Revocation()
    let none = revocation.addCRL(der: try SignedRevocation.list(by: "Root", 1).der)
    #expect(none == nil)
    let added = revocation.addCRL(der: list())
    let error = try #require(added)
    #expect(error.field == .version && error.problem == .der(.badValue))
    #expect(revocation.crls.count == 1 && revocation.unreadableCRLs.count == 1)
    #expect(revocation.unreadableCRLs.first?.error == error)
    #expect(revocation.unreadableCRLs.first?.der == list())
  }

  @Test("the facts say why the status is unknown, beside a good CRL and a good response")
  func status() throws {
    let single = SignedRevocation.single(leaf, of: root)
    var revocation = Revocation(
      crls: [try SignedRevocation.list(by: "Root", 1)],
      ocspResponses: [try SignedRevocation.answer([single], by: root, 1, includesResponder: false)])
    #expect(try found(revocation).isGood)
    let added = revocation.addCRL(der: list())
    let error = try #require(added)
    let result = try found(revocation)
    guard case .unknown(.unreadableCRL) = result.status else {
      Issue.record("\(result)")
      return
    }
    #expect(
      result.facts.filter { $0.source == .unreadableCRL(0) }.map(\.outcome)
        == [.unreadable(error)])
    #expect(
      result.description.contains(
        "unreadable CRL 0: cannot be read: version: value is not allowed here at byte "))
    revocation.demand = .required(of: .leaf)
    let rejection = #expect(throws: PathError.self) { try found(revocation) }
    #expect(rejection?.rejections.first?.rule == .revocationUnknown)
  }

  @Test("a CRL that cannot name the certificate is only mentioned")
  func others() throws {
    let good = try SignedRevocation.list(by: "Root", 1)
    func outcomes(_ bytes: [UInt8]) throws -> [CertificateRevocation.SourceOutcome] {
      var revocation = Revocation(.required(of: .leaf), crls: [good])
      revocation.addCRL(der: bytes)
      let result = try found(revocation)
      #expect(result.isGood)
      return result.facts.filter { $0.source == .unreadableCRL(0) }.map(\.outcome)
    }
    func isUnreadable(_ outcome: CertificateRevocation.SourceOutcome?) -> Bool {
      if case .unreadable? = outcome { true } else { false }
    }
    let another = try outcomes(list(serialNumber: [0x3A, 0x5C, 0x1B, 0x7E, 0x4E]))
    #expect(another.count == 1 && isUnreadable(another.first))
    #expect(try outcomes(list(by: "Other", 9)) == [.otherIssuer])
  }

  /// RFC 6960 §4.2.2.2.1: a responder's certificate can be revoked.
  @Test("of a responder that such a CRL may revoke, only revocations count")
  func responder() throws {
    let responder = try SignedRevocation.responder(8, by: "Root", 1, [])
    func result(_ status: [UInt8]) throws -> CertificateRevocation {
      let single = SignedRevocation.single(leaf, of: root, status)
      var revocation = Revocation(
        ocspResponses: [try SignedRevocation.answer([single], by: responder, 8)])
      #expect(try status != SignedRevocation.good || found(revocation).isGood)
      revocation.addCRL(der: list(serialNumber: [77]))
      return try found(revocation)
    }
    let unknown = try result(SignedRevocation.good)
    #expect(unknown.facts.contains { $0.outcome == .signerUnknown } && !unknown.isGood)
    let rejection = #expect(throws: PathError.self) { try result(SignedRevocation.revoked) }
    #expect(rejection?.rejections.first?.rule == .revoked)
  }

  /// Age takes no revocation back: that of a list that can be read would count, too.
  @Test("one past its end counts until a newer list of its key does not name the certificate")
  func old() throws {
    let end = try #require(Timestamp("2025-12-31T12:00:00Z"))
    let stale = list(thisUpdate: "251101000000Z", nextUpdate: "251231120000Z")
    let single = SignedRevocation.single(leaf, of: root)
    func result(_ bytes: [UInt8], _ lists: [CRL], by responder: UInt64? = nil) throws
      -> CertificateRevocation
    {
      var revocation = Revocation(crls: lists)
      if let responder {
        revocation.ocspResponses = [
          try SignedRevocation.answer(
            [single], by: try SignedRevocation.responder(responder, by: "Root", 1), responder)
        ]
      }
      revocation.addCRL(der: bytes)
      return try found(revocation)
    }
    let alone = try result(stale, [], by: 8)
    guard case .unknown(.unreadableCRL) = alone.status else {
      Issue.record("\(alone)")
      return
    }
    let outcomes = alone.facts.filter { $0.source == .unreadableCRL(0) }.map(\.outcome)
    #expect(outcomes.first == .stale(end) && outcomes.count == 2)
    let newer = try SignedRevocation.list(by: "Root", 1)
    #expect(try result(stale, [newer]).isGood)
    #expect(try result(stale, [newer], by: 8).isGood)
    let asOld = try SignedRevocation.list(by: "Root", 1, thisUpdate: "251101000000Z")
    #expect(try !result(stale, [asOld]).isGood)
    // Another serial number, and another key.
    #expect(
      try result(
        list(serialNumber: [0x3A, 0x5C, 0x1B, 0x7E, 0x4E], nextUpdate: "251231120000Z"), [], by: 8
      ).isGood)
    // Times count only under the issuer's signature.
    #expect(try !result(list(by: "Root", 9, nextUpdate: "251231120000Z"), [newer], by: 8).isGood)
  }

  @Test("a serial number with a wrong number of zeros is still found")
  func zeros() throws {
    let good = try SignedRevocation.list(by: "Root", 1)
    var revocation = Revocation(.required(of: .leaf), crls: [good])
    revocation.addCRL(der: list(serialNumber: [0, 0, 0x3A, 0x5C, 0x1B, 0x7E, 0x4D]))
    #expect(throws: PathError.self) { try found(revocation) }
  }

  @Test("its signature is charged, and so is the search for the serial number")
  func work() throws {
    var revocation = Revocation(.required(of: .leaf))
    revocation.addCRL(der: list())
    var limits = Limits.default
    limits.publicKeyOperations = 1
    func cause() throws -> PathError.Cause? {
      let validator = PathValidator(anchors: AnchorSet([root]), limits: limits)
      let error = #expect(throws: PathError.self) {
        try validator.validate(
          [leaf], for: .server(named: SignedCertificate.host), at: SignedCertificate.time,
          revocation: revocation)
      }
      return error?.cause
    }
    #expect(try cause() == .limitReached(.publicKeyOperations(1)))
    limits.publicKeyOperations = 2
    #expect(try cause() == .rejected)
    // Each byte that is searched counts.
    limits.work = 4096
    revocation.unreadableCRLs = []
    revocation.addCRL(der: list(serialNumber: [UInt8](repeating: 1, count: 4_000)))
    #expect(try cause() == .limitReached(.work(4096)))
  }

  @Test("the search finds what is there and nothing else, whatever digits repeat")
  func search() throws {
    let error = try #require(throws: ParseError.self) { try CRL(der: list()) }
    var generator = SeededNumbers(seed: 7)
    var hits = 0
    for _ in 0..<2_000 {
      // Few different bytes, none of which is elsewhere in the list.
      func digits(_ counts: ClosedRange<Int>) -> [UInt8] {
        (0..<Int.random(in: counts, using: &generator)).map { _ in
          UInt8.random(in: 0xF1...0xF2, using: &generator)
        }
      }
      let (there, wanted) = (digits(1...24), digits(1...6))
      let isThere = there.indices.contains { there[$0...].starts(with: wanted) }
      let made = UnreadableCRL(der: list(serialNumber: there), error: error)
      #expect(made.mayName(SerialNumber(wanted)) == isThere, "\(wanted) in \(there)")
      hits += isThere ? 1 : 0
    }
    #expect(500...1_500 ~= hits)
  }

  @Test("one without nextUpdate is said to be unreadable, and nothing else")
  func noNextUpdate() throws {
    var revocation = Revocation()
    let added = revocation.addCRL(der: list(nextUpdate: nil))
    let error = try #require(added)
    #expect(try found(revocation).facts.map(\.outcome) == [.unreadable(error)])
  }

  /// RFC 5280 §6.3.3 (b)(1).
  @Test("one of an issuer that the certificate's points name counts, and each name is charged")
  func pointsOfOthers() throws {
    let other = try SignedRevocation.signer("Other", 40, by: "Root", 1)
    func leaf(_ names: String...) throws -> Certificate {
      try SignedCertificate.leaf(by: "Root", 1) {
        $0.serialNumberContent = [0x3A, 0x5C, 0x1B, 0x7E, 0x4D]
        let points = names.flatMap {
          Made.der(0x30, Made.der(0xA2, Made.directory("CN=\($0)")))
        }
        $0.extensions.append(Made.extension("2.5.29.31", Made.der(0x30, points)))
      }
    }
    func found(
      _ leaf: Certificate, _ name: String, _ limits: Limits = .default
    ) throws -> CertificateRevocation {
      var revocation = Revocation(signers: [other])
      revocation.addCRL(der: list(by: name, 40))
      let path = try PathValidator(
        anchors: AnchorSet([root]), rules: .rfc5280, limits: limits, cache: nil
      ).validate(
        [leaf], for: .server(named: SignedCertificate.host), at: SignedCertificate.time,
        revocation: revocation)
      return try #require(path.revocation.first)
    }
    guard case .unknown(.unreadableCRL) = try found(leaf("Third", "Other"), "Other").status else {
      Issue.record("a list that may revoke the certificate has vanished")
      return
    }
    let third = try found(leaf("Third"), "Other")
    #expect(third.facts.map(\.outcome) == [.otherIssuer])
    // The host's name, the issuer's name with the list's, and that with each of the points' names,
    // by their lengths: 1 and one for every 64 bytes. Then there are the bytes that are compared.
    let name = String(repeating: "x", count: 640)
    let length = Made.der(0x30, Made.name("CN=\(name)")).count
    let cost = 1 + (1 + 3) * (1 + length / 64)
    var limits = Limits.default
    limits.nameComparisons = cost + 20
    #expect(try found(leaf("A", "B", "C"), name, limits).facts.map(\.outcome) == [.otherIssuer])
    limits.nameComparisons = cost - 1
    let error = #expect(throws: PathError.self) {
      try found(leaf("A", "B", "C"), name, limits)
    }
    #expect(error?.cause == .limitReached(.work((cost - 1) * Budget.nameComparison)))
  }

  @Test("a CRL that is too long to be searched may name every certificate, and costs no search")
  func longList() throws {
    let error = try #require(throws: ParseError.self) { try CRL(der: list()) }
    func unreadable(_ count: Int) -> UnreadableCRL {
      UnreadableCRL(
        der: list(serialNumber: [UInt8](repeating: 1, count: count)), error: error)
    }
    let (short, long) = (unreadable(1_000_000), unreadable(1 << 20))
    #expect(!short.mayName(leaf.serialNumber) && short.searchLength > 1_000_000)
    #expect(long.mayName(leaf.serialNumber) && long.searchLength == 0)
  }

  @Test("any bytes make an unreadable CRL, however they are cut or changed")
  func damage() throws {
    let bytes = list()
    let error = try #require(throws: ParseError.self) { try CRL(der: bytes) }
    for length in bytes.indices {
      let cut = UnreadableCRL(der: bytes.prefix(length), error: error)
      #expect(cut.outline == nil && cut.mayName(leaf.serialNumber), "\(length)")
    }
    let validator = PathValidator(anchors: AnchorSet([root]))
    for offset in bytes.indices {
      var changed = bytes
      changed[offset] ^= 1 << UInt8(offset % 8)
      var revocation = Revocation()
      revocation.addCRL(der: changed)
      let path = try validator.validate(
        [leaf], for: .server(named: SignedCertificate.host), at: SignedCertificate.time,
        revocation: revocation)
      #expect(path.revocation.first?.isRevoked == false)
    }
  }
}
