import HoldfastCertificates
import HoldfastDER
import HoldfastHashes
import TestSupport
import Testing

@testable import HoldfastPaths

/// Who may sign lists and answers, what that costs, and what is remembered of it.
@Suite("Signers of lists and answers") struct RevocationSignerTests {
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
    _ revocation: Revocation, _ others: [Certificate] = [], memory: SignatureMemory? = nil,
    limits: Limits = .default
  ) -> String {
    let validator = PathValidator(
      anchors: AnchorSet([root]), limits: limits, memory: memory)
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

  /// RFC 5280 §6.3.3 (f).
  @Test("only an option takes a signer that another authority below the anchor has made")
  func otherAuthority() throws {
    let other = try SignedCertificate.authority("Other", 3, by: "Root", 1)
    let signer = try SignedRevocation.signer("CA", 40, by: "Other", 3)
    let clearing = try SignedRevocation.list(by: "CA", 40, [(1, nil)])
    let own = try SignedRevocation.list(by: "CA", 2, [(7, nil)])
    var revocation = Revocation(.required(of: .leaf), lists: [clearing])
    #expect(word(revocation, [signer, other]) == "revocationUnknown at 0")
    revocation.acceptsSignersOfOtherAuthorities = true
    #expect(word(revocation, [signer, other]) == "good")
    #expect(word(revocation, [signer]) == "revocationUnknown at 0")
    // What its own issuer has revoked is revoked even then.
    revocation.lists.append(RevocationList(own))
    #expect(word(revocation, [signer, other]) == "revoked at 0")
  }

  /// RFC 5280 §4.2.1.3: cRLSign. Off the path the name and the issuer alone make no signer.
  @Test(
    "a signer of lists beside the path needs cRLSign", arguments: [nil, 0x80, 0x02] as [UInt8?])
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
      word(Revocation(.required(of: .leaf), lists: [list]), [signer])
        == (bits == 0x02 ? "good" : "revocationUnknown at 0"))
  }

  /// RFC 6960 §4.2.2.2: issued directly by the authority that issued the certificate in question.
  @Test("a responder of another issuer does not count, even with the authority's key")
  func responderOfAnotherIssuer() throws {
    for (issuer, expected) in [("CA", "good"), ("Other", "revocationUnknown at 0")] {
      let responder = try SignedRevocation.responder(30, by: issuer, 2)
      let single = SignedRevocation.single(leaf, of: authority)
      let answer = try SignedRevocation.answer([single], by: responder, 30)
      #expect(word(Revocation(.required(of: .leaf), answers: [answer])) == expected)
    }
  }

  @Test("no signer clears its own issuer, whatever the option")
  func below() throws {
    let signer = try SignedRevocation.signer("Root", 40, by: "CA", 2)
    var revocation = Revocation(
      .required(of: .everyCertificate),
      lists: [
        try SignedRevocation.list(by: "CA", 2), try SignedRevocation.list(by: "Root", 40),
      ])
    #expect(word(revocation, [signer]) == "revocationUnknown at 1")
    revocation.acceptsSignersOfOtherAuthorities = true
    #expect(word(revocation, [signer]) == "revocationUnknown at 1")
    revocation.lists[1] = RevocationList(try SignedRevocation.list(by: "Root", 1))
    #expect(word(revocation, [signer]) == "good")
  }

  @Test("two certificates for one key do not vouch for each other")
  func sameKey() throws {
    let first = try SignedRevocation.signer("CA", 40, by: "CA", 2)
    let second = try SignedCertificate(
      subject: "CN=CA", key: 40, issuer: "CN=CA", signer: 2,
      extensions: [Made.extension("2.5.29.15", isCritical: true, [0x03, 0x02, 0x01, 0x02])],
      serialNumber: 21
    ).made()
    let revocation = Revocation(
      .required(of: .everyCertificate),
      lists: [
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
          revocation: Revocation(answers: [answer]))
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
    #expect(try isGood(SignedRevocation.answer([single], by: root, 1, isBeside: false)))
  }

  @Test("of a responder nothing is remembered before its answer and the path are accepted")
  func memory() throws {
    let responder = try SignedRevocation.responder(30, by: "CA", 2)
    let single = SignedRevocation.single(leaf, of: authority)
    let answer = try SignedRevocation.answer([single], by: responder, 30)
    let forged = try SignedRevocation.answer([single], by: responder, 31)
    let fact = SignatureMemory.Fact(responder, under: authority.publicKey.der)
    func isKept(_ demand: Revocation.Demand, _ answer: OCSPResponse, _ word: String) -> [Bool] {
      let memory = SignatureMemory()
      #expect(self.word(Revocation(demand, answers: [answer]), memory: memory) == word)
      return [memory.contains(fact), memory.key(responder.publicKey.der) != nil]
    }
    // Nothing is known of the authority, so the path is refused.
    let refused = "revocationUnknown at 1"
    #expect(isKept(.required(of: .everyCertificate), answer, refused) == [false, false])
    #expect(isKept(.ifAvailable, forged, "unknown") == [false, false])
    #expect(isKept(.ifAvailable, answer, "good") == [true, true])
  }

  @Test("of a signer of lists nothing is remembered before the path is accepted")
  func memoryOfListSigners() throws {
    let signer = try SignedRevocation.signer("CA", 40, by: "CA", 2)
    let list = try SignedRevocation.list(by: "CA", 40)
    let fact = SignatureMemory.Fact(signer, under: authority.publicKey.der, tellsOfKey: true)
    func isKept(_ demand: Revocation.Demand, _ word: String) -> [Bool] {
      let memory = SignatureMemory()
      let revocation = Revocation(demand, lists: [list])
      #expect(self.word(revocation, [signer], memory: memory) == word)
      return [
        memory.contains(fact), memory.key(signer.publicKey.der) != nil,
        memory.contains(SignatureMemory.Fact(authority, under: root.publicKey.der)),
      ]
    }
    let refused = "revocationUnknown at 0"
    #expect(isKept(.required(of: .everyCertificate), refused) == [false, false, false])
    #expect(isKept(.required(of: .leaf), "good") == [true, true, true])
  }

  @Test("each signer's search, each answer's certificates and each name are paid for")
  func budget() throws {
    let list = try SignedRevocation.list(by: "CA", 99)
    let signers = try (70..<100).map { try SignedRevocation.signer("CA", UInt64($0), by: "CA", 2) }
    let revocation = Revocation(.required(of: .leaf), lists: [list], signers: signers)
    #expect(word(revocation) == "good")
    var limits = Limits()
    limits.nameComparisons = 50
    #expect(word(revocation, limits: limits) == "\(LimitReached.nameComparisons(50))")
    limits = Limits()
    limits.publicKeyOperations = 30
    #expect(
      word(Revocation(.ifAvailable, lists: [list], signers: signers), limits: limits)
        == "\(LimitReached.publicKeyOperations(30))")
    let single = SignedRevocation.single(leaf, of: authority)
    let answer = try SignedRevocation.answer(
      [[UInt8]](repeating: single, count: 100), by: authority, 2, isBeside: false)
    limits = Limits()
    #expect(word(Revocation(answers: [answer]), limits: limits) == "good")
    limits.nameComparisons = 90
    #expect(
      word(Revocation(answers: [answer]), limits: limits)
        == "\(LimitReached.nameComparisons(90))")
  }

  @Test("names of lists are paid for by their length, each time they are compared")
  func longNames() throws {
    let name = String(repeating: "x", count: 20_000)
    let lists = try (0..<100).map { _ in try SignedRevocation.list(by: name, 99) }
    let start = ContinuousClock.now
    #expect(word(Revocation(lists: lists)) == "unknown")
    var limits = Limits()
    limits.nameComparisons = 20_000
    #expect(
      word(Revocation(lists: lists), limits: limits)
        == "\(LimitReached.nameComparisons(20_000))")
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test("an answer for more certificates than the limit is refused where the first too many stands")
  func manySingles() throws {
    let single = SignedRevocation.single(leaf, of: authority)
    let last = SignedRevocation.single(leaf, of: authority, SignedRevocation.revoked)
    let most = BasicOCSPResponse.maximumResponses
    let full = try SignedRevocation.answer(
      [[UInt8]](repeating: single, count: most - 1) + [last], by: authority, 2, isBeside: false)
    #expect(word(Revocation(answers: [full])) == "revoked at 0")
    let place = try #require(
      full.basic?.responses.first?.certificateID.serialNumber.bytes.startIndex)
    let error = #expect(throws: ParseError.self) {
      try SignedRevocation.answer(
        [[UInt8]](repeating: single, count: 9_000), by: authority, 2, isBeside: false)
    }
    #expect(error?.field == .responses)
    #expect(error?.problem == .der(.tooMany(limit: most)))
    // A header before is a byte longer in the larger answer.
    let offset = try #require(error?.offset)
    #expect((offset - place) / single.count == most - 1 || (offset - place) / single.count == most)
  }
}

/// What deviates in lists and answers is noted where it stands.
@Suite("Deviations of lists and answers") struct RevocationDeviationTests {
  @Test(
    "empty extensions of an entry and a UTCTime as invalidityDate are noted once, with the place")
  func lists() throws {
    let date = Made.extension("2.5.29.24", SignedRevocation.utc("251230000000Z"))
    let list = try SignedRevocation.list(
      by: "CA", 2, [(1, nil), (2, []), (3, date), (4, []), (5, date)])
    let empty = try #require(
      list.der.firstRange(of: [0x02, 1, 2] + SignedRevocation.utc("251230000000Z")))
    let value = try #require(list.der.firstRange(of: date)).upperBound - 15
    #expect(
      list.deviations == [
        .emptyEntryExtensions(at: empty.upperBound + 2), .invalidityDateInUTCTime(at: value),
      ])
    #expect(Array(list.entries).map(\.invalidityDate).compactMap { $0 }.count == 2)
    #expect(
      list.deviations.map { "\($0)" }.allSatisfy { $0.contains("[RFC 5280 §5.") })
    let plain = try SignedRevocation.list(by: "CA", 2, [(1, nil)])
    #expect(plain.deviations.isEmpty)
  }

  @Test("a criticality of FALSE that is written out is noted in entries and in answers")
  func encodedDefault() throws {
    var written = Made.extension("1.3.6.1.4.1.55738.1", isCritical: true, [0x05, 0x00])
    let place = try #require(written.firstRange(of: [0x01, 0x01, 0xFF]))
    written[place.upperBound - 1] = 0x00
    func start(in der: [UInt8]) throws -> Int {
      try #require(der.firstRange(of: written)).lowerBound + place.lowerBound
    }
    let list = try SignedRevocation.list(by: "CA", 2, [(1, written), (2, written)])
    #expect(list.deviations == [.defaultEncoded(at: try start(in: list.der))])
    let root = try SignedCertificate.root()
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    let single = SignedRevocation.single(leaf, of: root, extensions: written)
    let response = try SignedRevocation.answer([single, single], by: root, 1)
    #expect(response.basic?.deviations == [.defaultEncoded(at: try start(in: response.der))])
  }

  @Test("critical timestamps of an answer are noted, and an unknown critical extension is not")
  func answers() throws {
    let root = try SignedCertificate.root()
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    func answer(_ id: String, isCritical: Bool) throws -> BasicOCSPResponse? {
      let single = SignedRevocation.single(
        leaf, of: root,
        extensions: Made.extension(id, isCritical: isCritical, [0xDE, 0xAD, 0xBE, 0xEF]))
      return try SignedRevocation.answer([single, single], by: root, 1).basic
    }
    let timestamps = "1.3.6.1.4.1.11129.2.4.5"
    let critical = try #require(try answer(timestamps, isCritical: true))
    #expect(critical.deviations == [.criticalExtension(.ocspCertificateTimestamps)])
    #expect(critical.unknownCriticalExtension == nil)
    #expect("\(critical.deviations)".contains("signedCertificateTimestamps is critical"))
    #expect(try answer(timestamps, isCritical: false)?.deviations == [])
    let unknown = try #require(try answer("1.3.6.1.4.1.55738.1", isCritical: true))
    #expect(unknown.deviations.isEmpty)
    #expect(unknown.unknownCriticalExtension == OID("1.3.6.1.4.1.55738.1"))
  }

  @Test("empty alternative names of a certificate are noted")
  func alternativeNames() throws {
    let certificate = try SignedCertificate.leaf(
      by: "Root", 1, names: []
    ) {
      $0.extensions = [Made.extension("2.5.29.17", Made.der(0x30, []))]
    }
    #expect(certificate.deviations == [.emptyExtension(.subjectAltName)])
    #expect(certificate.extensions.subjectAlternativeNames.isEmpty)
  }
}

/// Names that cannot be compared.
@Suite("Doubt about names") struct NameDoubtTests {
  private func name(_ attributes: (UInt8, String)...) throws -> DistinguishedName {
    try DistinguishedName(
      der: Made.der(
        0x30,
        attributes.flatMap {
          Made.der(0x31, Made.der(0x30, Made.oid("2.5.4.3") + Made.der($0, Array($1.utf8))))
        }))
  }

  /// RFC 5280 §7.1 asks for RFC 4518, which maps control characters to nothing (§2.2) and folds the
  /// letters of all scripts; TeletexString has no agreed characters (RFC 5280 §4.1.2.4).
  @Test("a name may be another if what can be compared agrees")
  func doubt() throws {
    let utf8 = try name((0x0C, "Root"), (0x0C, "CA"))
    #expect(try utf8.mayMatch(name((0x13, " ROOT"), (0x0C, "ca"))))
    #expect(try utf8.mayMatch(name((0x14, "Root"), (0x0C, "CA"))))
    #expect(try utf8.mayMatch(name((0x0C, "Root"), (0x0C, "C\u{1}A"))))
    #expect(try utf8.mayMatch(name((0x0C, "Root"), (0x1A, "CA"))))
    #expect(try name((0x0C, "Ä")).mayMatch(name((0x0C, "ä"))))
    #expect(try !utf8.mayMatch(name((0x14, "Root"), (0x0C, "CB"))))
    #expect(try !utf8.mayMatch(name((0x0C, "Root"))))
    #expect(try !utf8.mayMatch(name((0x0C, "Root"), (0x0C, "C A"))))
  }

  @Test("a name matches another that cannot be compared only byte by byte")
  func matching() throws {
    let teletex = try name((0x14, "Lists"))
    #expect(try teletex.matches(name((0x14, "Lists"))))
    #expect(try !teletex.matches(name((0x14, "LISTS"))))
    #expect(try !teletex.matches(name((0x0C, "Lists"))))
    #expect(try !name((0x0C, "Lists")).matches(name((0x0C, "Lists\u{1}"))))
    #expect(try !name((0x0C, "Ä")).matches(name((0x0C, "ä"))))
  }
}
