import HoldfastCertificates
import HoldfastDER
import HoldfastHashes
import TestSupport
import Testing

@testable import HoldfastPaths

/// Who may sign CRLs and OCSP responses, what that costs, and what is remembered of it.
@Suite("Signers of CRLs and OCSP responses") struct RevocationSignerTests {
  private let root: Certificate
  private let authority: Certificate
  private let leaf: Certificate

  init() throws {
    root = try SignedCertificate.root()
    authority = try SignedCertificate.authority("CA", 2, by: "Root", 1) { $0.serialNumber = 9 }
    leaf = try SignedCertificate.leaf(by: "CA", 2) { $0.serialNumber = 7 }
  }

  /// `good` or `unknown` for the leaf of a valid path, or what was broken and where.
  private func word(
    _ revocation: Revocation, _ others: [Certificate] = [], cache: SignatureCache? = nil,
    limits: Limits = .default
  ) -> String {
    let validator = PathValidator(
      anchors: AnchorSet([root]), limits: limits, cache: cache)
    do throws(PathError) {
      let path = try validator.validate(
        [leaf, authority] + others, for: .server(named: SignedCertificate.host),
        at: SignedCertificate.time, revocation: revocation)
      return path.revocation[0].isGood ? "good" : "unknown"
    } catch {
      if case .limitReached(let limit) = error.cause { return "\(limit)" }
      guard let rejection = error.rejections.first else { return "\(error.cause)" }
      return "\(rejection.rule.name) at \(rejection.index)"
    }
  }

  /// A distribution point that has only the name of a CRL issuer. RFC 5280 §4.2.1.13.
  private func point(naming issuer: String) -> [UInt8] {
    let point = Made.der(0x30, Made.der(0xA2, Made.directory("CN=\(issuer)")))
    return Made.extension("2.5.29.31", Made.der(0x30, point))
  }

  /// RFC 5280 §6.3.3 (f).
  @Test("a signer that another CA below the anchor has issued does not count")
  func otherAuthority() throws {
    let other = try SignedCertificate.authority("Other", 3, by: "Root", 1)
    let signer = try SignedRevocation.signer("CA", 40, by: "Other", 3)
    let clearing = try SignedRevocation.list(by: "CA", 40, [(1, nil)])
    let own = try SignedRevocation.list(by: "CA", 2, [(7, nil)])
    var revocation = Revocation(.required(of: .leaf), crls: [clearing])
    #expect(word(revocation, [signer, other]) == "revocationUnknown at 0")
    revocation.crls.append(own)
    #expect(word(revocation, [signer, other]) == "revoked at 0")
  }

  /// RFC 5280 §4.2.1.3: cRLSign. Off the path the name and the issuer alone make no signer.
  @Test(
    "a CRL signer outside the path needs cRLSign", arguments: [nil, 0x80, 0x02] as [UInt8?])
  func keyUsage(bits: UInt8?) throws {
    let usage = bits.map {
      Made.extension("2.5.29.15", isCritical: true, [0x03, 0x02, $0 == 0x80 ? 7 : 1, $0])
    }
    let signer = try SignedCertificate(
      subject: "CN=CA", key: 40, issuer: "CN=CA", signer: 2,
      extensions: usage.map { [$0] } ?? [], serialNumber: 20
    ).made()
    let list = try SignedRevocation.list(by: "CA", 40)
    #expect(
      word(Revocation(.required(of: .leaf), crls: [list]), [signer])
        == (bits == 0x02 ? "good" : "revocationUnknown at 0"))
  }

  /// RFC 6960 §4.2.2.2: issued directly by the authority that issued the certificate in question.
  @Test("a responder of another issuer does not count, even with the CA's key")
  func responderOfAnotherIssuer() throws {
    for (issuer, expected) in [("CA", "good"), ("Other", "revocationUnknown at 0")] {
      let responder = try SignedRevocation.responder(30, by: issuer, 2)
      let single = SignedRevocation.single(leaf, of: authority)
      let answer = try SignedRevocation.answer([single], by: responder, 30)
      #expect(word(Revocation(.required(of: .leaf), ocspResponses: [answer])) == expected)
    }
  }

  /// RFC 5280 §4.2.1.12: both extensions must allow the use. RFC 6960 §4.2.2.2 asks for the
  /// purpose.
  @Test(
    "a responder with key usage may sign with its key",
    arguments: [(0x80, true), (0x40, true), (0x20, false)] as [(UInt8, Bool)])
  func keyUsageOfResponder(bits: UInt8, maySign: Bool) throws {
    let unused = UInt8(bits.trailingZeroBitCount)
    let usage = Made.extension("2.5.29.15", isCritical: true, [0x03, 0x02, unused, bits])
    let responder = try SignedRevocation.responder(30, by: "CA", 2, [usage])
    let single = SignedRevocation.single(leaf, of: authority)
    let answer = try SignedRevocation.answer([single], by: responder, 30)
    #expect(
      word(Revocation(.required(of: .leaf), ocspResponses: [answer]))
        == (maySign ? "good" : "revocationUnknown at 0"))
  }

  /// RFC 6960 §4.2.2.3: the responder's name must correspond to the key that signs.
  @Test("a response that names another responder does not count, even if the issuer signed it")
  func otherResponder() throws {
    let single = SignedRevocation.single(leaf, of: authority)
    func answer(_ responder: Certificate, _ name: String? = nil) throws -> String {
      let answer = try SignedRevocation.answer(
        [single], by: responder, 2, name: name, includesResponder: false)
      return word(Revocation(.required(of: .leaf), ocspResponses: [answer]))
    }
    #expect(try answer(authority) == "good")
    #expect(try answer(authority, "CA") == "good")
    #expect(try answer(root) == "revocationUnknown at 0")
    #expect(try answer(authority, "Root") == "revocationUnknown at 0")
  }

  /// Each is asked about by itself, so that their number does not count as a depth.
  @Test("six responders whose certificates CRLs may revoke are all accepted")
  func manyResponders() throws {
    let single = SignedRevocation.single(leaf, of: authority)
    let ocspResponses = try (30..<36).map { key in
      try SignedRevocation.answer(
        [single], by: SignedRevocation.responder(key, by: "CA", 2, []), key)
    }
    let path = try PathValidator(anchors: AnchorSet([root])).validate(
      [leaf, authority], for: .any, at: SignedCertificate.time,
      revocation: Revocation(ocspResponses: ocspResponses))
    let outcomes = path.revocation[0].facts.map(\.outcome)
    #expect(outcomes == Array(repeating: .notRevoked(.all), count: 6))
  }

  /// RFC 6960 §2.2 leaves it to the client; `Revocation` says that an answer counts before lists.
  @Test("a responder's unknown status is not overruled by a CRL")
  func unknownToResponder() throws {
    let single = SignedRevocation.single(leaf, of: authority, SignedRevocation.unknown)
    let answer = try SignedRevocation.answer([single], by: authority, 2, includesResponder: false)
    var revocation = Revocation(
      .required(of: .leaf), crls: [try SignedRevocation.list(by: "CA", 2)], ocspResponses: [answer])
    #expect(word(revocation) == "revocationUnknown at 0")
    revocation.ocspResponses = []
    #expect(word(revocation) == "good")
  }

  @Test("the facts say why a response does not count, each once and at most 64")
  func facts() throws {
    func outcomes(_ ocspResponses: [OCSPResponse]) throws -> [CertificateRevocation.SourceOutcome] {
      let path = try PathValidator(anchors: AnchorSet([root])).validate(
        [leaf, authority], for: .any, at: SignedCertificate.time,
        revocation: Revocation(ocspResponses: ocspResponses))
      return path.revocation[0].facts.map(\.outcome)
    }
    func answer(_ singles: [UInt8]..., by key: UInt64 = 2) throws -> OCSPResponse {
      try SignedRevocation.answer(singles, by: authority, key, includesResponder: false)
    }
    let good = SignedRevocation.single(leaf, of: authority)
    let past = try #require(Timestamp("2025-12-31T12:00:00Z"))
    let stale = SignedRevocation.single(leaf, of: authority, until: "20251231120000Z")
    #expect(try outcomes([answer(good, good)]) == [.notRevoked(.all)])
    #expect(try outcomes([answer(stale)]) == [.stale(past)])
    #expect(try outcomes([answer(good, by: 3)]) == [.signature])
    let many = try Array(repeating: answer(good), count: 65)
    #expect(try outcomes(many) == Array(repeating: .notRevoked(.all), count: 64))
  }

  @Test("no signer can vouch for its own issuer")
  func below() throws {
    let signer = try SignedRevocation.signer("Root", 40, by: "CA", 2)
    var revocation = Revocation(
      .required(of: .everyCertificate),
      crls: [
        try SignedRevocation.list(by: "CA", 2), try SignedRevocation.list(by: "Root", 40),
      ])
    #expect(word(revocation, [signer]) == "revocationUnknown at 1")
    revocation.crls[1] = try SignedRevocation.list(by: "Root", 1)
    #expect(word(revocation, [signer]) == "good")
  }

  /// RFC 5280 §6.3.3 (f): the path of a list's issuer is one of its name.
  @Test("a CRL in the name of another issuer does not count with the key of the CA")
  func nameOfAnotherIssuer() throws {
    let leaf = try SignedCertificate.leaf(by: "CA", 2) {
      $0.extensions.append(point(naming: "Other"))
    }
    let other = try SignedRevocation.signer("Other", 40, by: "CA", 2)
    let indirect = Made.extension(
      "2.5.29.28", isCritical: true, Made.der(0x30, Made.der(0x84, [0xFF])))
    for (key, outcome) in [(40, .notRevoked(.all)), (2, .signature)]
      as [(UInt64, CertificateRevocation.SourceOutcome)]
    {
      let list = try SignedRevocation.list(by: "Other", key, extensions: indirect)
      let path = try PathValidator(anchors: AnchorSet([root])).validate(
        [leaf, authority, other], for: .any, at: SignedCertificate.time,
        revocation: Revocation(crls: [list]))
      #expect(path.revocation[0].isGood == (key == 40))
      #expect(path.revocation[0].facts.map(\.outcome) == [outcome])
    }
  }

  /// The list that revokes the CA is signed by `revoker`, and only a list signed with key 40 shows
  /// that `revoker` is not revoked. While a signer of the leaf's list with key 40 is in question,
  /// that list does not count.
  @Test("a signer that is not accepted while another is in question may be accepted after that")
  func orderOfSigners() throws {
    let first = try SignedRevocation.signer("CA", 40, by: "CA", 2)
    let revoker = try SignedRevocation.signer("Root", 50, by: "Root", 1)
    let noRevAvail = Made.extension("2.5.29.56", [5, 0])
    let clearing = try SignedRevocation.signer("Root", 40, by: "Root", 1, [noRevAvail])
    let crls = [
      try SignedRevocation.list(by: "CA", 40), try SignedRevocation.list(by: "CA", 2),
      try SignedRevocation.list(by: "Root", 40),
      try SignedRevocation.list(by: "Root", 50, [(9, nil)]),
    ]
    func word(_ crls: [CRL]) -> String {
      self.word(
        Revocation(.required(of: .everyCertificate), crls: crls), [first, revoker, clearing])
    }
    #expect(word(Array(crls.prefix(3))) == "good")
    #expect(word(crls) == "revoked at 1")
    #expect(word(crls.reversed()) == "revoked at 1")
  }

  @Test("two certificates for one key do not vouch for each other")
  func sameKey() throws {
    let first = try SignedRevocation.signer("CA", 40, by: "CA", 2)
    let second = try SignedRevocation.signer("CA", 40, by: "CA", 2, serialNumber: 21)
    let revocation = Revocation(
      .required(of: .everyCertificate),
      crls: [
        try SignedRevocation.list(by: "CA", 40), try SignedRevocation.list(by: "Root", 1),
      ])
    #expect(word(revocation, [first, second]) == "revocationUnknown at 0")
  }

  @Test("a responder does not answer for its own certificate")
  func responderForItself() throws {
    let responder = try SignedRevocation.responder(30, by: "Root", 1)
    func isGood(_ answer: OCSPResponse) -> Bool {
      do throws(PathError) {
        let path = try PathValidator(anchors: AnchorSet([root])).validate(
          [responder], for: .any, at: SignedCertificate.time,
          revocation: Revocation(ocspResponses: [answer]))
        return path.revocation[0].isGood
      } catch {
        Issue.record("\(error)")
        return false
      }
    }
    let single = SignedRevocation.single(responder, of: root)
    #expect(try !isGood(SignedRevocation.answer([single], by: responder, 30)))
    let other = try SignedRevocation.responder(31, by: "Root", 1)
    #expect(try isGood(SignedRevocation.answer([single], by: other, 31)))
    #expect(try isGood(SignedRevocation.answer([single], by: root, 1, includesResponder: false)))
  }

  @Test("nothing about a responder is cached before its response and the path are accepted")
  func cache() throws {
    let responder = try SignedRevocation.responder(30, by: "CA", 2)
    let single = SignedRevocation.single(leaf, of: authority)
    let answer = try SignedRevocation.answer([single], by: responder, 30)
    let forged = try SignedRevocation.answer([single], by: responder, 31)
    let fact = SignatureCache.VerifiedSignature(responder, under: authority.publicKey.der)
    func isKept(
      _ demand: Revocation.Demand, _ answer: OCSPResponse, _ word: String
    ) throws -> [Bool] {
      let cache = SignatureCache()
      // Parsed again, so that its signature is not verified yet.
      let answer = try OCSPResponse(der: answer.der)
      #expect(self.word(Revocation(demand, ocspResponses: [answer]), cache: cache) == word)
      return [cache.contains(fact), cache.key(responder.publicKey.der) != nil]
    }
    // Nothing is known of the authority, so the path is rejected.
    let rejected = "revocationUnknown at 1"
    #expect(try isKept(.required(of: .everyCertificate), answer, rejected) == [false, false])
    #expect(try isKept(.ifAvailable, forged, "unknown") == [false, false])
    #expect(try isKept(.ifAvailable, answer, "good") == [true, true])
  }

  @Test("nothing about a CRL signer is cached before the path is accepted")
  func memoryOfListSigners() throws {
    let signer = try SignedRevocation.signer("CA", 40, by: "CA", 2)
    let list = try SignedRevocation.list(by: "CA", 40)
    let fact = SignatureCache.VerifiedSignature(
      signer, under: authority.publicKey.der, coversOwnKey: true)
    func isKept(_ demand: Revocation.Demand, _ word: String) throws -> [Bool] {
      let cache = SignatureCache()
      // Parsed again, so that its signature is not verified yet.
      let revocation = Revocation(demand, crls: [try CRL(der: list.der)])
      #expect(self.word(revocation, [signer], cache: cache) == word)
      return [
        cache.contains(fact), cache.key(signer.publicKey.der) != nil,
        cache.contains(SignatureCache.VerifiedSignature(authority, under: root.publicKey.der)),
      ]
    }
    let rejected = "revocationUnknown at 0"
    #expect(try isKept(.required(of: .everyCertificate), rejected) == [false, false, false])
    #expect(try isKept(.required(of: .leaf), "good") == [true, true, true])
  }

  @Test(
    "each signer's search, each response's certificates and each name are charged to the budget")
  func budget() throws {
    let list = try SignedRevocation.list(by: "CA", 99)
    let signers = try (70..<100).map { try SignedRevocation.signer("CA", UInt64($0), by: "CA", 2) }
    let revocation = Revocation(.required(of: .leaf), crls: [list], signers: signers)
    #expect(word(revocation) == "good")
    var limits = Limits()
    limits.nameComparisons = 50
    #expect(word(revocation, limits: limits) == "\(LimitReached.work(50 * Budget.nameComparison))")
    limits = Limits()
    limits.publicKeyOperations = 30
    #expect(
      word(Revocation(.ifAvailable, crls: [list], signers: signers), limits: limits)
        == "\(LimitReached.publicKeyOperations(30))")
    let single = SignedRevocation.single(leaf, of: authority)
    let answer = try SignedRevocation.answer(
      [[UInt8]](repeating: single, count: 100), by: authority, 2, includesResponder: false)
    limits = Limits()
    #expect(word(Revocation(ocspResponses: [answer]), limits: limits) == "good")
    limits.nameComparisons = 90
    #expect(
      word(Revocation(ocspResponses: [answer]), limits: limits)
        == "\(LimitReached.work(90 * Budget.nameComparison))")
  }

  @Test("names of CRLs are charged by their length for each comparison")
  func longNames() throws {
    let name = String(repeating: "x", count: 20_000)
    let crls = try (0..<100).map { _ in try SignedRevocation.list(by: name, 99) }
    #expect(word(Revocation(crls: crls)) == "unknown")
    var limits = Limits()
    limits.nameComparisons = 20_000
    #expect(
      word(Revocation(crls: crls), limits: limits)
        == "\(LimitReached.work(20_000 * Budget.nameComparison))")
  }

  @Test("the name of a responder is charged by its length for each comparison")
  func longResponder() throws {
    let single = SignedRevocation.single(leaf, of: authority)
    let answer = try SignedRevocation.answer(
      [single], by: authority, 2, name: String(repeating: "x", count: 20_000),
      includesResponder: false)
    let signers = try (30..<40).map { try SignedRevocation.responder($0, by: "CA", 2) }
    var limits = Limits()
    limits.nameComparisons = 3_000
    #expect(
      word(Revocation(ocspResponses: [answer], signers: signers), limits: limits)
        == "\(LimitReached.work(3_000 * Budget.nameComparison))")
  }

  @Test("a response about more certificates than the limit is rejected at the first excess entry")
  func manySingles() throws {
    let single = SignedRevocation.single(leaf, of: authority)
    let last = SignedRevocation.single(leaf, of: authority, SignedRevocation.revoked)
    let maximum = BasicOCSPResponse.maximumResponses
    let full = try SignedRevocation.answer(
      [[UInt8]](repeating: single, count: maximum - 1) + [last], by: authority, 2,
      includesResponder: false)
    #expect(word(Revocation(ocspResponses: [full])) == "revoked at 0")
    let start = try #require(
      full.basic?.responses.first?.certificateID.serialNumber.bytes.startIndex)
    let error = #expect(throws: ParseError.self) {
      try SignedRevocation.answer(
        [[UInt8]](repeating: single, count: 9_000), by: authority, 2, includesResponder: false)
    }
    #expect(error?.field == .responses)
    #expect(error?.problem == .der(.tooMany(limit: maximum)))
    // A header before is a byte longer in the larger answer.
    let offset = try #require(error?.offset)
    #expect(
      (offset - start) / single.count == maximum - 1 || (offset - start) / single.count == maximum)
  }
}
