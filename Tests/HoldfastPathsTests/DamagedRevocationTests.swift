import HoldfastCertificates
import HoldfastPaths
import TestSupport
import Testing

/// What was given and is damaged may be about any certificate, so it must not vanish beside what
/// says good.
@Suite("Revocation data that is damaged") struct DamagedRevocationTests {
  private let root: Certificate
  private let leaf: Certificate

  init() throws {
    root = try SignedCertificate.root()
    leaf = try SignedCertificate.leaf(by: "Root", 1)
  }

  private func found(_ revocation: Revocation) throws -> CertificateRevocation {
    let path = try PathValidator(anchors: AnchorSet([root])).validate(
      [leaf], for: .server(named: SignedCertificate.host), at: SignedCertificate.time,
      revocation: revocation)
    return try #require(path.revocation.first)
  }

  /// Damage breaks the signature, too, and may be where the issuer or the serial number is.
  @Test(
    "a damaged CRL hides what it revokes, so no other source shows that the certificate is good",
    arguments: [
      { $0.dropLast() }, { _ in [0x30, 3, 2, 1, 0] }, { _ in [] },
      { Array($0[..<30] + $0[48...]) }, { DamagedRevocationTests.changed($0, at: 6) },
      { DamagedRevocationTests.changed($0, at: 35) },
      { DamagedRevocationTests.changed($0, at: 40) },
    ] as [@Sendable ([UInt8]) -> [UInt8]])
  func damaged(by change: @Sendable ([UInt8]) -> [UInt8]) throws {
    let good = try SignedRevocation.list(by: "Root", 1)
    let revoked = try SignedRevocation.list(by: "Root", 1, [(1, nil)], number: 2)
    let single = SignedRevocation.single(leaf, of: root)
    let answer = try SignedRevocation.answer([single], by: root, 1, includesResponder: false)
    var revocation = Revocation(crls: [good], ocspResponses: [answer])
    let added = revocation.addCRL(der: change(revoked.der))
    let error = try #require(added)
    let result = try found(revocation)
    guard case .unknown(.unreadableCRL) = result.status else {
      Issue.record("\(result)")
      return
    }
    #expect(result.facts.contains { $0.outcome == .unreadable(error) })
    revocation.demand = .required(of: .leaf)
    #expect(throws: PathError.self) { try found(revocation) }
  }

  private static func changed(_ bytes: [UInt8], at offset: Int) -> [UInt8] {
    var bytes = bytes
    bytes[offset] ^= 0xFF
    return bytes
  }

  /// A list that another key has signed, and of no version that there is. RFC 5280 §5.1.2.1.
  private func forgery(_ entries: [(serialNumber: UInt8, extensions: [UInt8]?)]) throws -> [UInt8] {
    let list = try SignedRevocation.list(by: "Root", 9, entries).der
    let version = try #require(list.indices.first { list[$0...].starts(with: [2, 1, 1]) })
    return DamagedRevocationTests.changed(list, at: version + 2)
  }

  @Test("one that its issuer has not signed may be a damaged one, whatever serial numbers it has")
  func forged() throws {
    for entries: [(serialNumber: UInt8, extensions: [UInt8]?)] in [[], [(1, nil)]] {
      var revocation = Revocation(crls: [try SignedRevocation.list(by: "Root", 1)])
      revocation.addCRL(der: try forgery(entries))
      let result = try found(revocation)
      guard case .unknown(.unreadableCRL) = result.status else {
        Issue.record("\(result)")
        return
      }
      #expect(result.facts.last?.outcome == .signature)
    }
  }

  @Test("an OCSP response that cannot be read leaves the status unknown, beside all that is good")
  func response() throws {
    let single = SignedRevocation.single(leaf, of: root)
    let answer = try SignedRevocation.answer([single], by: root, 1, includesResponder: false)
    var revocation = Revocation(crls: [try SignedRevocation.list(by: "Root", 1)])
    let none = revocation.addOCSPResponse(der: answer.der)
    #expect(none == nil && revocation.ocspResponses == [answer])
    #expect(try found(revocation).isGood)
    let added = revocation.addOCSPResponse(der: answer.der.dropLast(5))
    let error = try #require(added)
    #expect("\(revocation)" == "1 CRLs, 1 OCSP responses, 0 filters; 1 cannot be read; soft-fail")
    for revocation in [revocation, Revocation.handshake(staple: answer).added(to: revocation)] {
      let result = try found(revocation)
      guard case .unknown(.unreadableResponse) = result.status else {
        Issue.record("\(result)")
        return
      }
      #expect(
        result.facts.contains {
          $0.source == .unreadableResponse(0) && $0.outcome == .unreadable(error)
            && $0.citation == error.citation
        })
    }
    revocation.demand = .required(of: .leaf)
    #expect(throws: PathError.self) { try found(revocation) }
    // RFC 5280 §6.3.3 (j): what a list that can be read revokes stays revoked.
    revocation.crls = [
      try CRL(der: SignedRevocation.list(by: "Root", 1, [(0x3A, nil)], number: 2).der)
    ]
    let other = try SignedCertificate.leaf(by: "Root", 1) { $0.serialNumberContent = [0x3A] }
    let rejection = #expect(throws: PathError.self) {
      try PathValidator(anchors: AnchorSet([root])).validate(
        [other], for: .server(named: SignedCertificate.host), at: SignedCertificate.time,
        revocation: revocation)
    }
    #expect(rejection?.rejections.first?.rule == .revoked)
  }

  @Test("damage hides no revocation: a responder that another list could revoke still says revoked")
  func damageAndResponder() throws {
    let responder = try SignedRevocation.responder(8, by: "Root", 1, [])
    let single = SignedRevocation.single(leaf, of: root, SignedRevocation.revoked)
    var revocation = Revocation(
      ocspResponses: [try SignedRevocation.answer([single], by: responder, 8)])
    revocation.addCRL(der: [0x30, 0])
    revocation.addCRL(der: try forgery([(77, nil)]))
    let rejection = #expect(throws: PathError.self) { try found(revocation) }
    #expect(rejection?.rejections.first?.rule == .revoked)
  }

  /// A responder's certificate with another tag for what is signed: it has two bytes of length.
  private func damaged(_ responder: Certificate) -> [UInt8] {
    DamagedRevocationTests.changed(responder.der, at: 4)
  }

  /// Anybody can make a response that nobody signs, so one that was fetched decides nothing by it.
  @Test("a response that was given may be signed by a certificate in it that cannot be read")
  func responderInResponse() throws {
    let responder = try SignedRevocation.responder(8, by: "Root", 1)
    let other = try SignedRevocation.responder(9, by: "Root", 1)
    let single = SignedRevocation.single(leaf, of: root, SignedRevocation.revoked)
    let readable = try SignedRevocation.answer(
      [single], by: other, 8, name: "Responder", others: damaged(responder))
    var der = try SignedRevocation.answer([single], by: responder, 8).der
    let start = try #require(der.indices.first { der[$0...].starts(with: responder.der) })
    der[start + 4] ^= 0xFF
    for (answer, outcome) in [
      (try OCSPResponse(der: der), "signerUnreadable"), (readable, "signature"),
    ] {
      var revocation = Revocation(
        crls: [try SignedRevocation.list(by: "Root", 1)], ocspResponses: [answer])
      let result = try found(revocation)
      guard case .unknown(.unreadableResponse) = result.status else {
        Issue.record("\(result)")
        continue
      }
      #expect(result.facts.contains { $0.outcome.name == outcome })
      revocation.fetchedResponses = [0]
      #expect(try found(revocation).isGood)
    }
  }
}
