import HoldfastCertificates
import HoldfastDER
import HoldfastHashes
import HoldfastPaths
import TestSupport
import Testing

/// Stapled answers and those who sign them, with signatures made here.
@Suite("Generated revocation data") struct SignedRevocationTests {
  private let root: Certificate
  /// A leaf that promises a stapled answer.
  private let promising: Certificate

  init() throws {
    root = try SignedCertificate.root()
    promising = try SignedRevocationTests.leaf(features: [5])
  }

  /// RFC 7633 §4.2.3.
  private static func leaf(features: [UInt8]) throws -> Certificate {
    let list = Made.der(0x30, features.flatMap { Made.der(0x02, [$0]) })
    return try SignedCertificate.leaf(by: "Root", 1) {
      $0.extensions.append(Made.extension("1.3.6.1.5.5.7.1.24", list))
    }
  }

  private func word(
    _ leaf: Certificate, _ revocation: Revocation?, _ intermediates: [Certificate] = []
  ) -> String {
    do throws(PathError) {
      let path = try PathValidator(anchors: AnchorSet([root])).validate(
        [leaf] + intermediates, for: .server(named: SignedCertificate.host),
        at: SignedCertificate.time, revocation: revocation)
      return path.revocation.first.map { $0.isGood ? "good" : "unknown" } ?? "not asked"
    } catch {
      return error.rejections.first?.rule.name ?? "\(error.cause)"
    }
  }

  /// An answer about a leaf of the root's. RFC 6960 §4.2.1.
  private func answer(
    about leaf: Certificate, signedBy key: UInt64, status: [UInt8] = [0x80, 0],
    certificates: [Certificate] = [], trailing: [UInt8] = []
  ) throws -> OCSPResponse {
    func time(_ text: String) -> [UInt8] { Made.der(0x18, Array(text.utf8)) }
    func hash(_ bytes: [UInt8]) -> [UInt8] {
      Made.der(0x04, HashAlgorithm.sha1.hash(bytes).array)
    }
    let signer = certificates.first?.publicKey ?? root.publicKey
    let name = Made.der(0x30, Made.oid("1.3.14.3.2.26") + [5, 0])
    let id =
      name + hash(leaf.issuer.der.array) + hash(root.publicKey.bytes.array)
      + Made.der(0x02, leaf.serialNumber.bytes.array)
    let single =
      Made.der(0x30, id) + status + time("20251231000000Z")
      + Made.der(0xA0, time("20260201000000Z"))
    let tbs = Made.der(
      0x30,
      Made.der(0xA2, hash(signer.bytes.array)) + time("20251231000000Z")
        + Made.der(0x30, Made.der(0x30, single)))
    let sent =
      certificates.isEmpty
      ? [] : Made.der(0xA0, Made.der(0x30, certificates.flatMap(\.der)))
    let basic =
      Made.oid("1.3.6.1.5.5.7.48.1.1")
      + Made.der(0x04, SignedCertificate.signed(tbs, by: key, sent + trailing))
    return try OCSPResponse(
      der: Made.der(0x30, [0x0A, 1, 0] + Made.der(0xA0, Made.der(0x30, basic))))
  }

  @Test("a must-staple leaf is rejected without a stapled response if revocation is checked")
  func mustStaple() throws {
    let nothing = Revocation()
    #expect(word(promising, nil) == "not asked")
    #expect(word(promising, Revocation(.ignored)) == "not asked")
    #expect(word(promising, nothing) == "revocationUnknown")
    var lenient = nothing
    lenient.honorsMustStaple = false
    #expect(word(promising, lenient) == "unknown")
    // status_request_v2 alone promises no answer of this kind.
    #expect(word(try Self.leaf(features: [17]), nothing) == "unknown")
    #expect(word(try Self.leaf(features: [17, 5]), nothing) == "revocationUnknown")
    #expect(word(try SignedCertificate.leaf(by: "Root", 1), nothing) == "unknown")
  }

  @Test("only a good stapled response satisfies must-staple")
  func stapled() throws {
    func stapled(_ answer: OCSPResponse) -> Revocation {
      Revocation(crls: [], ocspResponses: [answer])
    }
    #expect(word(promising, stapled(try answer(about: promising, signedBy: 1))) == "good")
    let revoked = Made.der(0xA1, Made.der(0x18, Array("20251230000000Z".utf8)))
    #expect(
      word(promising, stapled(try answer(about: promising, signedBy: 1, status: revoked)))
        == "revoked")
    #expect(
      word(promising, stapled(try answer(about: promising, signedBy: 1, status: [0x82, 0])))
        == "revocationUnknown")
    // Another key, and another certificate.
    #expect(
      word(promising, stapled(try answer(about: promising, signedBy: 2))) == "revocationUnknown")
    let other = try SignedCertificate.leaf(by: "Root", 1) { $0.serialNumber = 7 }
    #expect(
      word(promising, stapled(try answer(about: other, signedBy: 1))) == "revocationUnknown")
  }

  /// RFC 6960 §4.2.1: nothing follows the certificates.
  @Test("a response with data after its certificates is rejected")
  func trailing() throws {
    _ = try answer(about: promising, signedBy: 1, certificates: [root])
    for certificates in [[], [root]] {
      let error = #expect(throws: ParseError.self) {
        try answer(
          about: promising, signedBy: 1, certificates: certificates, trailing: [0x05, 0x00])
      }
      #expect(error?.field == .basicResponse)
    }
  }

  /// RFC 5280 §5.3.1 ends at 10.
  @Test("a reason of two bytes is rejected")
  func longReason() throws {
    let reason = Made.extension("2.5.29.21", [0x0A, 2, 1, 0])
    #expect(throws: ParseError.self) {
      try SignedRevocation.list(by: "Root", 1, [(1, reason)])
    }
  }

  @Test("the facts say which CRL names the certificate as revoked, since when and why")
  func revokedByList() throws {
    let reason = Made.extension("2.5.29.21", [0x0A, 1, 1])
    let list = try SignedRevocation.list(by: "Root", 1, [(1, reason)])
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    let error = #expect(throws: PathError.self) {
      try PathValidator(anchors: AnchorSet([root])).validate(
        [leaf], for: .server(named: SignedCertificate.host), at: SignedCertificate.time,
        revocation: Revocation(crls: [list]))
    }
    guard case .revocation(let found) = error?.rejections.first?.violation.detail else {
      Issue.record("no revocation in \(String(describing: error))")
      return
    }
    let since = try #require(Timestamp("2025-12-30T00:00:00Z"))
    #expect(
      found.facts.contains {
        $0.source == .crl(0) && $0.outcome == .revoked(at: since, reason: .keyCompromise)
      })
  }

  /// RFC 6960 §4.2.2.2.
  private func responder(
    _ key: UInt64, issuer: String = "Root", signer: UInt64 = 1, purpose: String = "9",
    isExempt: Bool
  ) throws -> Certificate {
    let usage = Made.extension(
      "2.5.29.37", Made.der(0x30, Made.oid("1.3.6.1.5.5.7.3.\(purpose)")))
    let noCheck = Made.extension("1.3.6.1.5.5.7.48.1.5", [5, 0])
    let request = SignedCertificate(
      subject: "CN=Responder", key: key, issuer: "CN=\(issuer)", signer: signer,
      extensions: [usage] + (isExempt ? [noCheck] : []), serialNumber: 77)
    return try request.made()
  }

  private func list(revoking serialNumbers: [UInt8]) throws -> CRL {
    func time(_ text: String) -> [UInt8] { Made.der(0x17, Array(text.utf8)) }
    let entries = serialNumbers.flatMap {
      Made.der(0x30, Made.der(0x02, [$0]) + time("251230000000Z"))
    }
    var fields = Made.der(0x02, [1]) + Made.der(0x30, Made.oid("1.2.840.10045.4.3.2"))
    fields += Made.der(0x30, Made.name("CN=Root"))
    fields += time("251231000000Z") + time("260201000000Z")
    if !entries.isEmpty { fields += Made.der(0x30, entries) }
    let number = Made.extension("2.5.29.20", Made.der(0x02, [1]))
    fields += Made.der(0xA0, Made.der(0x30, number))
    return try CRL(der: SignedCertificate.signed(Made.der(0x30, fields), by: 1))
  }

  @Test("a responder answers only for the issuer that delegated to it")
  func delegates() throws {
    func word(_ responder: Certificate, key: UInt64 = 30) throws -> String {
      let answer = try answer(about: promising, signedBy: key, certificates: [responder])
      return self.word(promising, Revocation(crls: [], ocspResponses: [answer]))
    }
    #expect(try word(responder(30, isExempt: true)) == "good")
    #expect(try word(responder(30, isExempt: false)) == "good")
    #expect(try word(responder(30, isExempt: true), key: 31) == "revocationUnknown")
    #expect(try word(responder(30, purpose: "1", isExempt: true)) == "revocationUnknown")
    #expect(try word(responder(30, signer: 2, isExempt: true)) == "revocationUnknown")
    #expect(
      try word(responder(30, issuer: "Other", signer: 2, isExempt: true)) == "revocationUnknown")
  }

  /// RFC 6960 §4.2.2.2.1.
  @Test("a CRL may revoke a responder, unless its certificate has id-pkix-ocsp-nocheck")
  func noCheck() throws {
    let plain = try SignedCertificate.leaf(by: "Root", 1)
    let revoked = Made.der(0xA1, Made.der(0x18, Array("20251230000000Z".utf8)))
    for (isExempt, isRevoked, isBelieved) in [
      (true, true, true), (true, false, true), (false, false, true), (false, true, false),
    ] {
      let responder = try responder(30, isExempt: isExempt)
      let list = try list(revoking: isRevoked ? [77] : [])
      func word(_ leaf: Certificate, _ status: [UInt8]) throws -> String {
        let answer = try answer(
          about: leaf, signedBy: 30, status: status, certificates: [responder])
        return self.word(leaf, Revocation(crls: [list], ocspResponses: [answer]))
      }
      // What is not believed leaves the list to speak, and a promise of an answer unkept.
      #expect(try word(promising, [0x80, 0]) == (isBelieved ? "good" : "revocationUnknown"))
      #expect(try word(plain, revoked) == (isBelieved ? "revoked" : "good"))
    }
  }

  /// RFC 9608 §4: with noRevAvail the status is not asked for.
  @Test("noRevAvail keeps CRLs from revoking a responder, and does not cancel must-staple")
  func noRevocationAvailable() throws {
    let noRevAvail = Made.extension("2.5.29.56", [5, 0])
    let responder = try SignedRevocation.responder(30, by: "Root", 1, [noRevAvail])
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    let answer = try SignedRevocation.answer(
      [SignedRevocation.single(leaf, of: root)], by: responder, 30)
    let revocation = Revocation(
      .required(of: .leaf), crls: [try list(revoking: [77])], ocspResponses: [answer])
    let path = try PathValidator(anchors: AnchorSet([root])).validate(
      [leaf], for: .any, at: SignedCertificate.time, revocation: revocation)
    #expect(path.revocation[0].facts.map(\.outcome).first == .notRevoked(.all))

    for features in [[], [5]] as [[UInt8]] {
      let list = Made.der(0x30, features.flatMap { Made.der(0x02, [$0]) })
      let leaf = try SignedCertificate.leaf(by: "Root", 1) {
        $0.extensions += [noRevAvail, Made.extension("1.3.6.1.5.5.7.1.24", list)]
      }
      #expect(
        word(leaf, Revocation())
          == (features.isEmpty ? "unknown" : "revocationUnknown"))
    }
  }

  @Test("a truncated CRL or response is rejected")
  func truncated() throws {
    let list = try list(revoking: [7, 77])
    let der = list.der
    #expect(list.der.count > 100)
    let answer = try answer(about: promising, signedBy: 1).der
    for count in 0..<der.count {
      #expect(throws: ParseError.self) {
        try CRL(der: Array(der.prefix(count)))
      }
    }
    for count in 0..<answer.count {
      #expect(throws: ParseError.self) {
        try OCSPResponse(der: Array(answer.prefix(count)))
      }
    }
  }
}
