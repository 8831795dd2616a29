import HoldfastCertificates
import HoldfastDER
import HoldfastPaths
import TestSupport
import Testing

/// What is past its end, or ahead of the clock. RFC 5280 §5.1.2.4, §5.1.2.5, §5.3.1, RFC 6960 §3.2.
///
/// An expired "revoked" counts for mozpkix (`pkixocsp.cpp`) and GnuTLS, too.
@Suite("Revocations that are old or ahead of the clock") struct OldRevocationTests {
  private let root: Certificate
  private let leaf: Certificate
  /// Lists and responses end at 2026-02-01.
  private let end: Timestamp
  private let later: Timestamp
  private let hold = SignedRevocation.reason(.certificateHold)
  private let keyCompromise = SignedRevocation.reason(.keyCompromise)

  init() throws {
    root = try SignedCertificate.root()
    leaf = try SignedCertificate.leaf(by: "Root", 1) { $0.serialNumber = 9 }
    end = try #require(Timestamp("2026-02-01T00:00:00Z"))
    later = try #require(Timestamp("2026-06-01T00:00:00Z"))
  }

  private func found(_ revocation: Revocation, at time: Timestamp) -> CertificateRevocation? {
    do throws(PathError) {
      return try PathValidator(anchors: AnchorSet([root])).validate(
        [leaf], for: .server(named: SignedCertificate.host), at: time, revocation: revocation
      ).revocation.first
    } catch {
      guard case .revocation(let found)? = error.rejections.first?.violation.detail else {
        return nil
      }
      return found
    }
  }

  private func word(_ revocation: Revocation, at time: Timestamp) -> String {
    switch found(revocation, at: time)?.status {
    case .good?: "good"
    case .revoked?: "revoked"
    case .unknown?: "unknown"
    default: "nothing"
    }
  }

  private func list(
    _ extensions: [UInt8]? = nil, names serialNumber: UInt8 = 9,
    issued time: String = "251231000000Z", _ number: UInt8 = 1, base: UInt8? = nil,
    key: UInt64 = 1
  ) throws -> CRL {
    try SignedRevocation.list(
      by: "Root", key, [(serialNumber, extensions)], number: number, base: base, thisUpdate: time)
  }

  private func answer(
    _ status: [UInt8], key: UInt64 = 1, until end: String = "20260201000000Z"
  ) throws -> OCSPResponse {
    let single = SignedRevocation.single(leaf, of: root, status, until: end)
    return try SignedRevocation.answer([single], by: root, key, includesResponder: false)
  }

  @Test("a CRL past its nextUpdate that revokes counts, and the evidence says how old it is")
  func oldList() throws {
    for reason in [nil, keyCompromise] {
      let revocation = Revocation(crls: [try list(reason)])
      let result = try #require(found(revocation, at: later))
      guard case .revoked(_, _, let evidence) = result.status else {
        Issue.record("\(result)")
        continue
      }
      #expect(evidence.thisUpdate == Timestamp("2025-12-31T00:00:00Z"))
      #expect(evidence.expired == end)
      #expect(
        result.summary { "\($0)" }.hasSuffix(
          ": CRL 0, issued at 2025-12-31T00:00:00Z, expired at 2026-02-01T00:00:00Z"))
      let current = try #require(found(revocation, at: SignedCertificate.time))
      guard case .revoked(_, _, let evidence) = current.status else {
        Issue.record("\(current)")
        continue
      }
      #expect(evidence.expired == nil)
    }
  }

  @Test("a CRL past its nextUpdate shows neither a hold nor that a certificate is good")
  func oldHold() throws {
    for list in [try list(hold), try list(names: 7)] {
      let result = try #require(found(Revocation(crls: [list]), at: later))
      #expect(result.facts.map(\.outcome) == [.stale(end)])
      #expect(!result.isRevoked && !result.isGood)
    }
  }

  @Test("a CRL that is older than allowed still revokes, and shows no hold")
  func maximumAge() throws {
    for (extensions, expected) in [(keyCompromise, "revoked"), (hold, "unknown")] {
      var revocation = Revocation(crls: [try list(extensions)])
      revocation.maximumAge = 60
      #expect(word(revocation, at: SignedCertificate.time) == expected)
    }
  }

  @Test("an old revocation ends with a newer CRL of the same key that does not repeat it")
  func superseded() throws {
    let old = try list(keyCompromise, issued: "250601000000Z")
    func listed(_ time: String, key: UInt64 = 1, _ number: UInt8 = 2) throws -> CRL {
      try list(names: 7, issued: time, number, key: key)
    }
    let between = end.advanced(bySeconds: -3_600)
    var short = Revocation(crls: [old])
    short.maximumAge = 60 * 86_400
    // Both lists end at the same moment, so the old one is too old rather than stale.
    #expect(word(short, at: between) == "revoked")
    short.crls.append(try listed("251231000000Z"))
    #expect(word(short, at: between) == "good")
    short.crls[1] = try listed("250601000000Z", 1)
    #expect(word(short, at: between) == "revoked", "it is not newer")
    short.crls[1] = try listed("251231000000Z", key: 66)
    #expect(word(short, at: between) == "revoked", "it is of another key")
    short.crls[1] = try listed("251231000000Z")
    #expect(word(short, at: later) == "revoked", "it has expired, too")
  }

  @Test("a good answer ends a hold that is older, and none that is newer, in whatever list it is")
  func holdsOfTwoLists() throws {
    let single = SignedRevocation.single(leaf, of: root, from: "20251201000000Z")
    let good = try SignedRevocation.answer([single], by: root, 1, includesResponder: false)
    let older = try list(hold, issued: "250601000000Z")
    let newer = try list(hold, issued: "251231000000Z", 5, base: 5)
    let lists = [
      ([older], "good"), ([newer], "revoked"), ([older, newer], "revoked"),
      ([newer, older], "revoked"),
    ]
    for (crls, expected) in lists {
      let revocation = Revocation(crls: crls, ocspResponses: [good])
      #expect(word(revocation, at: SignedCertificate.time) == expected, "\(crls.count)")
    }
  }

  @Test("which of two good answers of one moment comes first does not matter to an old revocation")
  func sameMoment() throws {
    let single = SignedRevocation.single(leaf, of: root, until: "20270201000000Z")
    let responder = try SignedRevocation.responder(77, by: "Root", 1)
    let answers = [
      try SignedRevocation.answer([single], by: root, 1, includesResponder: false),
      try SignedRevocation.answer([single], by: responder, 77),
    ]
    let old = try list(keyCompromise, issued: "250601000000Z")
    // The issuer's own answer takes back what its key signed; that of another key alone does not.
    for (given, expected) in [
      ([answers[0]], "good"), ([answers[1]], "revoked"), (answers, "good"),
      (answers.reversed(), "good"),
    ] {
      #expect(word(Revocation(crls: [old], ocspResponses: given), at: later) == expected)
    }
  }

  @Test("an OCSP response past its nextUpdate that revokes counts, until a newer one of its key")
  func oldResponse() throws {
    let revoked = try answer(SignedRevocation.revoked)
    let result = try #require(found(Revocation(ocspResponses: [revoked]), at: later))
    guard case .revoked(_, _, let evidence) = result.status else {
      Issue.record("\(result)")
      return
    }
    #expect(evidence.expired == end)
    let newer = try list(names: 7, issued: "260101000000Z", 2)
    #expect(word(Revocation(crls: [newer], ocspResponses: [revoked]), at: later) == "revoked")
    let held = Made.der(
      0xA1, SignedRevocation.time("20251230000000Z") + Made.der(0xA0, Made.der(0x0A, [6])))
    #expect(word(Revocation(ocspResponses: [try answer(held)]), at: later) == "unknown")
    #expect(
      word(Revocation(ocspResponses: [try answer(held)]), at: SignedCertificate.time) == "revoked")
    #expect(
      word(Revocation(ocspResponses: [try answer(SignedRevocation.good)]), at: later) == "unknown")
    #expect(
      word(Revocation(ocspResponses: [try answer(SignedRevocation.revoked, key: 66)]), at: later)
        == "unknown", "it is forged")
  }

  @Test("a revoked answer without the nonce of the request counts, a good one does not")
  func nonce() throws {
    for (status, expected) in [
      (SignedRevocation.revoked, "revoked"), (SignedRevocation.good, "unknown"),
    ] {
      var revocation = Revocation(ocspResponses: [try answer(status)])
      revocation.nonce = [1, 2, 3, 4]
      #expect(word(revocation, at: SignedCertificate.time) == expected)
    }
  }

  @Test("what was revoked until now is revoked, although the clock is behind that of the source")
  func slowClock() throws {
    let before = try #require(Timestamp("2025-12-30T12:00:00Z"))
    let earlier = try #require(Timestamp("2025-12-29T00:00:00Z"))
    for revocation in [
      Revocation(crls: [try list(keyCompromise)]),
      Revocation(ocspResponses: [try answer(SignedRevocation.revoked)]),
    ] {
      // Both are of 2025-12-31, and the certificate was revoked on 2025-12-30.
      #expect(word(revocation, at: before) == "revoked")
      #expect(word(revocation, at: earlier) == "unknown")
    }
    #expect(word(Revocation(crls: [try list(hold)]), at: before) == "unknown")
    #expect(word(Revocation(crls: [try list(names: 7)]), at: before) == "unknown")
  }

  @Test("clocks may differ by five minutes, if nothing else is set")
  func skew() throws {
    let start = try #require(Timestamp("2025-12-31T00:00:00Z"))
    for revocation in [
      Revocation(crls: [try list(names: 7)]),
      Revocation(ocspResponses: [try answer(SignedRevocation.good)]),
    ] {
      #expect(word(revocation, at: start.advanced(bySeconds: -300)) == "good")
      #expect(word(revocation, at: start.advanced(bySeconds: -301)) == "unknown")
      #expect(word(revocation, at: end.advanced(bySeconds: 299)) == "good")
      #expect(word(revocation, at: end.advanced(bySeconds: 300)) == "unknown")
      var exact = revocation
      exact.tolerance = 0
      #expect(word(exact, at: start.advanced(bySeconds: -1)) == "unknown")
      #expect(word(exact, at: end) == "unknown")
    }
  }

  @Test("a delta CRL that revokes counts without its base, and one that does not shows nothing")
  func deltaAlone() throws {
    let time = SignedCertificate.time
    #expect(word(Revocation(crls: [try list(keyCompromise, 2, base: 1)]), at: time) == "revoked")
    #expect(word(Revocation(crls: [try list(names: 7, 2, base: 1)]), at: time) == "unknown")
    let removal = SignedRevocation.reason(.removeFromCRL)
    #expect(word(Revocation(crls: [try list(removal, 2, base: 1)]), at: time) == "unknown")
    let forged = try #require(
      found(Revocation(crls: [try list(keyCompromise, 2, base: 1, key: 66)]), at: time))
    #expect(forged.facts.map(\.outcome) == [.signature])
  }

  @Test("an old delta CRL revokes, and neither holds nor releases")
  func oldDelta() throws {
    let base = try list(names: 7)
    for (extensions, expected) in [(keyCompromise, "revoked"), (hold, "unknown")] {
      let delta = try list(extensions, 2, base: 1)
      #expect(word(Revocation(crls: [base, delta]), at: later) == expected)
    }
    // The base is as old: what it holds is as unknown as what the delta releases.
    let released = try list(SignedRevocation.reason(.removeFromCRL), 2, base: 1)
    #expect(word(Revocation(crls: [try list(hold), released]), at: later) == "unknown")
  }

  // MARK: Signers that expired after they signed

  @Test("what a responder signed before it expired revokes, and shows neither a hold nor good")
  func oldResponder() throws {
    let held = Made.der(
      0xA1, SignedRevocation.time("20251230000000Z") + Made.der(0xA0, Made.der(0x0A, [6])))
    let rows: [([UInt8], String)] = [
      (SignedRevocation.revoked, "revoked"), (held, "unknown"), (SignedRevocation.good, "unknown"),
    ]
    for (status, expected) in rows {
      // The response is past its end, too, or goes on being current.
      for responseEnd in ["20260201000000Z", "20261201000000Z"] {
        let single = SignedRevocation.single(leaf, of: root, status, until: responseEnd)
        func word(until end: String, _ others: [Certificate] = []) throws -> String {
          let responder = try SignedRevocation.responder(8, by: "Root", 1, until: end)
          var revocation = Revocation(
            ocspResponses: [try SignedRevocation.answer([single], by: responder, 8)])
          revocation.signers = others
          return self.word(revocation, at: later)
        }
        #expect(try word(until: "260301000000Z") == expected)
        // It had expired when it signed.
        #expect(try word(until: "251230000000Z") == "unknown")
        guard responseEnd == "20261201000000Z", status != held else { continue }
        // A newer certificate of its key says all that it said.
        let renewed = try SignedRevocation.responder(8, by: "Root", 1)
        #expect(
          try word(until: "260301000000Z", [renewed])
            == (status == SignedRevocation.good ? "good" : "revoked"))
      }
    }
    let responder = try SignedRevocation.responder(8, by: "Root", 1, until: "260301000000Z")
    let single = SignedRevocation.single(
      leaf, of: root, SignedRevocation.revoked, until: "20261201000000Z")
    let result = found(
      Revocation(ocspResponses: [try SignedRevocation.answer([single], by: responder, 8)]),
      at: later)
    guard case .revoked(_, _, let evidence)? = result?.status else {
      Issue.record("\(String(describing: result))")
      return
    }
    #expect(evidence.expired == Timestamp("2026-03-01T00:00:00Z"))
  }

  @Test("what a signer of CRLs signed before it expired revokes, and shows neither a hold nor good")
  func oldSigner() throws {
    func word(_ list: CRL, until end: String, _ others: [Certificate] = []) throws -> String {
      var revocation = Revocation(crls: [list])
      revocation.signers =
        [try SignedRevocation.signer("Root", 40, by: "Root", 1, until: end)] + others
      return self.word(revocation, at: later)
    }
    for reason in [nil, keyCompromise] {
      let list = try list(reason, key: 40)
      #expect(try word(list, until: "260301000000Z") == "revoked")
      #expect(try word(list, until: "251230000000Z") == "unknown")
    }
    #expect(try word(try list(hold, key: 40), until: "260301000000Z") == "unknown")
    #expect(try word(try list(names: 7, key: 40), until: "260301000000Z") == "unknown")
    // While it is current, all of it counts.
    let time = SignedCertificate.time
    var revocation = Revocation(crls: [try list(names: 7, key: 40)])
    revocation.signers = [
      try SignedRevocation.signer("Root", 40, by: "Root", 1, until: "251231120000Z"),
      try SignedRevocation.signer("Root", 40, by: "Root", 1),
    ]
    #expect(self.word(revocation, at: time) == "good")
    revocation.signers.removeLast()
    #expect(self.word(revocation, at: time) == "unknown")
  }

  /// The sources are current until 2026-02-01, and newer ones of the same signer would not help.
  @Test("an expired signer is the reason, not the source that it signed")
  func reasonIsSigner() throws {
    let end = "251231120000Z"
    let responder = try SignedRevocation.responder(8, by: "Root", 1, until: end)
    let single = SignedRevocation.single(leaf, of: root)
    let answer = try SignedRevocation.answer([single], by: responder, 8)
    var lists = Revocation(crls: [try list(names: 7, key: 40)])
    lists.signers = [try SignedRevocation.signer("Root", 40, by: "Root", 1, until: end)]
    let text = "has a signer whose certificate expired at 2025-12-31T12:00:00Z"
    for (revocation, expected) in [
      (Revocation(ocspResponses: [answer]), "OCSP response 0: \(text) [RFC 6960 §4.2.2.2]"),
      (lists, "CRL 0: \(text) [RFC 5280 §6.3.3 (f)]"),
    ] {
      let facts = try #require(found(revocation, at: SignedCertificate.time)).facts
      #expect(facts.map { "\($0)" } == [expected])
    }
  }
}
