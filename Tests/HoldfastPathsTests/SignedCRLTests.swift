import HoldfastCertificates
import HoldfastDER
import TestSupport
import Testing

@testable import HoldfastPaths

/// Lists that no CA issues, each signed by the root for a leaf of serial number 7.
@Suite("Generated CRLs") struct SignedCRLTests {
  private let root: Certificate
  private let leaf: Certificate

  init() throws {
    root = try SignedCertificate.root()
    leaf = try SignedCertificate.leaf(by: "Root", 1) { $0.serialNumber = 7 }
  }

  /// What is found of the leaf, whether it is rejected for it or not.
  private func found(
    _ crls: [CRL], about leaf: Certificate? = nil, _ rules: ValidationRules = .webPKI,
    at time: Timestamp = SignedCertificate.time
  ) throws -> CertificateRevocation {
    do throws(PathError) {
      let path = try PathValidator(anchors: AnchorSet([root]), rules: rules).validate(
        [leaf ?? self.leaf], for: .any, at: time, revocation: Revocation(crls: crls))
      return path.revocation[0]
    } catch {
      guard case .revocation(let found)? = error.rejections.first?.violation.detail else {
        throw error
      }
      return found
    }
  }

  private func word(_ found: CertificateRevocation) -> String {
    found.isRevoked ? "revoked" : found.isGood ? "good" : "unknown"
  }

  private func outcomes(
    _ found: CertificateRevocation
  ) -> [CertificateRevocation.Source: [CertificateRevocation.SourceOutcome]] {
    Dictionary(grouping: found.facts) { $0.source }.mapValues { $0.map(\.outcome) }
  }

  private func list(
    _ number: UInt8, base: UInt8? = nil, _ reasons: [RevocationReason?] = [], key: UInt64 = 1
  ) throws -> CRL {
    try SignedRevocation.list(
      by: "Root", key, reasons.map { (7, $0.map { SignedRevocation.reason($0) }) },
      number: number, base: base)
  }

  /// RFC 5280 §6.3.3 (d), (e): the list covers none of the point's reasons, so it shows nothing of a
  /// certificate that it does not name.
  @Test("a list for other reasons than those of the distribution point shows what it revokes")
  func otherReasons() throws {
    let place = Made.der(0xA0, Made.der(0xA0, Made.der(0x86, Array("http://crl.example/1".utf8))))
    // keyCompromise, and superseded.
    let point = Made.der(0x30, place + [0x81, 2, 6, 0x40])
    let scope = Made.der(0x30, place + [0x83, 2, 3, 0x08])
    let leaf = try SignedCertificate.leaf(by: "Root", 1) {
      $0.serialNumber = 7
      $0.extensions.append(Made.extension("2.5.29.31", Made.der(0x30, point)))
    }
    for (serialNumber, expected) in [(UInt8(7), "revoked"), (9, "unknown")] {
      let list = try SignedRevocation.list(
        by: "Root", 1, [(serialNumber, SignedRevocation.reason(.superseded))],
        extensions: Made.extension("2.5.29.28", isCritical: true, scope))
      #expect(word(try found([list], about: leaf)) == expected)
    }
  }

  /// RFC 5280 §6.3.3 (b)(2)(ii), (iii): whether the certificate is a CA's, version 1 does not say.
  @Test("a list for CAs or for others alone shows of a certificate of version 1 what it revokes")
  func versionOne() throws {
    var request = SignedCertificate(
      subject: "CN=old", key: 5, issuer: "CN=Root", signer: 1, serialNumber: 7)
    request.hasKeyIdentifiers = false
    let leaf = try request.made()
    #expect(leaf.version == 1)
    for tag in [UInt8(0x81), 0x82] {
      let scope = Made.extension(
        "2.5.29.28", isCritical: true, Made.der(0x30, [tag, 1, 0xFF]))
      for (serialNumber, expected) in [(UInt8(7), "revoked"), (9, "unknown")] {
        let list = try SignedRevocation.list(
          by: "Root", 1, [(serialNumber, nil)], extensions: scope)
        #expect(word(try found([list], about: leaf, .rfc5280)) == expected)
      }
    }
  }

  /// RFC 5280 §6.3.3 (b)(2)(ii), (iii).
  @Test("a list for users or for CAs alone says nothing of others, and one for neither of all")
  func kinds() throws {
    let authority = try SignedCertificate.authority("CA", 5, by: "Root", 1) { $0.serialNumber = 7 }
    var request = SignedCertificate(
      subject: "CN=old", key: 5, issuer: "CN=Root", signer: 1, serialNumber: 7)
    request.hasKeyIdentifiers = false
    let old = try request.made()
    // The name of the implicit distribution point: RFC 5280 §6.3.3, last paragraph.
    let name = Made.der(0xA0, Made.der(0xA0, Made.directory("CN=Root")))
    for (scope, certificate, expected) in [
      ([0x81, 1, 0xFF], leaf, "good"), ([0x81, 1, 0xFF], authority, "unknown"),
      ([0x82, 1, 0xFF], leaf, "unknown"), ([0x82, 1, 0xFF], authority, "good"),
      (name, leaf, "good"), (name, authority, "good"), (name, old, "good"),
    ] as [([UInt8], Certificate, String)] {
      let extensions = Made.extension("2.5.29.28", isCritical: true, Made.der(0x30, scope))
      let list = try SignedRevocation.list(by: "Root", 1, extensions: extensions)
      let found = try found([list], about: certificate, .rfc5280)
      #expect(word(found) == expected, "\(scope) \(certificate)")
      if expected == "unknown" { #expect(found.facts.map(\.outcome) == [.otherKind]) }
    }
  }

  /// RFC 5280 §5.3.3: the names of an entry are those of the issuer's certificate and its
  /// issuerAltName.
  @Test("an entry whose issuer has no directory name may be about any certificate of its number")
  func namelessIssuer() throws {
    let indirect = Made.extension("2.5.29.28", isCritical: true, Made.der(0x30, [0x84, 1, 0xFF]))
    for (names, expected) in [
      (Made.directory("CN=Root"), "revoked"), (Made.directory("CN=Other"), "good"),
      (Made.uri("http://ca.example/"), "unknown"),
    ] {
      let issuer = Made.extension("2.5.29.29", isCritical: true, Made.der(0x30, names))
      let list = try SignedRevocation.list(by: "Root", 1, [(7, issuer)], extensions: indirect)
      let found = try found([list])
      #expect(word(found) == expected)
      if expected == "unknown" { #expect(found.facts.map(\.outcome) == [.ambiguousIssuer]) }
    }
  }

  /// A complete list or, with a base, a delta CRL, and why it names the leaf.
  struct Given: Sendable, CustomStringConvertible {
    var number: UInt8
    var base: UInt8?
    var reason: RevocationReason?
    var key: UInt64 = 1

    var description: String { "\(number) (\(base.map { "\($0)" } ?? "complete")) \(reason as Any)" }
  }

  /// RFC 5280 §5.2.4: a delta CRL lists all changes since its base, its number is above that of
  /// the complete list, and both are signed with the same key. §5.3.1: only a hold ends. That two
  /// delta CRLs have the same number §5.2.3 forbids; the worse counts.
  @Test(
    "for a hold the newest delta CRL counts, for a revocation any delta CRL",
    arguments: [
      ([Given(number: 1), Given(number: 2, base: 1, reason: .certificateHold)], "revoked"),
      (
        [
          Given(number: 1), Given(number: 2, base: 1, reason: .certificateHold),
          Given(number: 3, base: 1),
        ], "good"
      ),
      (
        [
          Given(number: 1), Given(number: 2, base: 1, reason: .keyCompromise),
          Given(number: 3, base: 1),
        ], "revoked"
      ),
      (
        [
          Given(number: 1, reason: .certificateHold),
          Given(number: 2, base: 1, reason: .removeFromCRL),
        ], "good"
      ),
      (
        [
          Given(number: 1, reason: .certificateHold),
          Given(number: 2, base: 1, reason: .removeFromCRL), Given(number: 2, base: 1),
        ], "revoked"
      ),
      (
        [
          Given(number: 2, reason: .certificateHold),
          Given(number: 2, base: 1, reason: .removeFromCRL),
        ], "revoked"
      ),
      (
        [
          Given(number: 1, reason: .certificateHold),
          Given(number: 3, base: 2, reason: .removeFromCRL),
        ], "revoked"
      ),
      ([Given(number: 1), Given(number: 2, base: 1, reason: .keyCompromise, key: 2)], "good"),
      (
        [
          Given(number: 1, reason: .certificateHold),
          Given(number: 2, base: 1, reason: .removeFromCRL, key: 2),
        ], "revoked"
      ),
    ] as [([Given], String)])
  func deltas(crls given: [Given], word: String) throws {
    let crls = try given.map { next in
      try list(next.number, base: next.base, next.reason.map { [$0] } ?? [], key: next.key)
    }
    #expect(self.word(try found(crls)) == word)
    #expect(self.word(try found(crls.reversed())) == word)
  }

  /// RFC 5280 §5.1.2.4: thisUpdate is the time of issue. That the number falls meanwhile §5.2.3
  /// forbids; the time counts.
  @Test("a newer CRL ends a hold even if its number is lower, an older CRL never does")
  func numberAgainstTime() throws {
    let hold = SignedRevocation.reason(.certificateHold)
    func isRevoked(
      onHold held: (day: String, number: UInt8), silent: (day: String, number: UInt8)
    ) throws -> Bool {
      let crls = [
        try SignedRevocation.list(
          by: "Root", 1, [(7, hold)], number: held.number, thisUpdate: held.day + "000000Z"),
        try SignedRevocation.list(
          by: "Root", 1, number: silent.number, thisUpdate: silent.day + "000000Z"),
      ]
      let words = [word(try found(crls)), word(try found(crls.reversed()))]
      #expect(words[0] == words[1] && words[0] != "unknown")
      return words[0] == "revoked"
    }
    #expect(try !isRevoked(onHold: ("251230", 2), silent: ("251231", 1)))
    #expect(try !isRevoked(onHold: ("251230", 2), silent: ("251231", 2)))
    #expect(try isRevoked(onHold: ("251231", 1), silent: ("251230", 2)))
    // Of two lists from the same time the number decides.
    #expect(try !isRevoked(onHold: ("251231", 1), silent: ("251231", 2)))
    #expect(try isRevoked(onHold: ("251231", 2), silent: ("251231", 1)))
    #expect(try isRevoked(onHold: ("251231", 1), silent: ("251231", 1)))
  }

  /// RFC 5280 §5.3.1: no later entry takes back a revocation that is no hold.
  @Test("of several entries for one certificate a permanent revocation counts")
  func entries() throws {
    for others: [RevocationReason] in [[.certificateHold], [.removeFromCRL]] {
      for reasons in [[.keyCompromise] + others, others + [.keyCompromise]] {
        let status = try found([try list(1, reasons)]).status
        guard case .revoked(_, let reason, _) = status else {
          Issue.record("\(status)")
          continue
        }
        #expect(reason == .keyCompromise)
      }
    }
    #expect(try found([try list(1, [.removeFromCRL, .certificateHold])]).isRevoked)
  }

  @Test("the facts say what each CRL contributed, and the evidence has the delta CRL")
  func facts() throws {
    let complete = try list(3)
    let passedOver = [
      complete, try list(2), try list(4, base: 1), try list(5, base: 1), try list(6, base: 4),
      try SignedRevocation.list(by: "Other", 2, number: 9, base: 1),
    ]
    let found = try found(passedOver)
    guard case .good(let evidence) = found.status else {
      Issue.record("\(found)")
      return
    }
    #expect(evidence.sources == [.crl(0), .crl(3)])
    #expect(
      outcomes(found) == [
        .crl(0): [.notRevoked(.all)], .crl(1): [.redundant], .crl(2): [.redundant],
        .crl(3): [.notRevoked(.all)], .crl(4): [.deltaWithoutBase], .crl(5): [.otherIssuer],
      ])
    // Delta CRLs are told by what they say, even if an older one counts no longer.
    let date = try #require(Timestamp("2025-12-30T00:00:00Z"))
    let ended = try self.found([
      list(1), list(2, base: 1, [.certificateHold]), list(3, base: 1, [.removeFromCRL]),
    ])
    #expect(
      outcomes(ended) == [
        .crl(0): [.notRevoked(.all)], .crl(2): [.removed],
        .crl(1): [.revoked(at: date, reason: .certificateHold)],
      ])
  }

  /// RFC 5280 §5.2.4: a delta CRL counts only together with its base. §5.2: nor does the base, with
  /// a critical extension that it must not have.
  @Test("of a base that shows only revocations, the delta CRL shows no more")
  func deltaOfLimitedBase() throws {
    let forbidden = Made.extension("2.5.29.35", isCritical: true, Made.der(0x30, []))
    let base = try SignedRevocation.list(by: "Root", 1, extensions: forbidden)
    let silent = try found([base, list(2, base: 1)])
    #expect(word(silent) == "unknown")
    #expect(
      outcomes(silent) == [
        .crl(0): [.criticalExtension(.authorityKeyIdentifier)], .crl(1): [.deltaWithoutBase],
      ])
    #expect(try found([base, list(2, base: 1, [.keyCompromise])]).isRevoked)
  }

  /// RFC 5280 §5.1.1.2: the field MUST contain the same algorithm identifier as the signature
  /// field.
  @Test("a CRL that names two algorithms does not count, even if RSA's parameters may differ")
  func algorithms() throws {
    let list = try SignedRevocation.list(
      by: "Root", 1, [(7, nil)], innerAlgorithm: "1.2.840.10045.4.3.3")
    for rules in [ValidationRules.webPKI, .apple] {
      let found = try found([list], rules)
      #expect(word(found) == "unknown")
      #expect(found.facts.map(\.outcome) == [.algorithm])
    }
  }

  /// RFC 5280 §5.1.2.5: the next list will be issued no later than nextUpdate.
  @Test("a CRL counts until the second before its nextUpdate and the tolerance")
  func lastMoment() throws {
    let last = try #require(Timestamp("2026-02-01T00:00:00Z"))
    let list = try list(1)
    // Five minutes are the tolerance.
    #expect(try found([list], at: last.advanced(bySeconds: 299)).isGood)
    let found = try found([list], at: last.advanced(bySeconds: 300))
    #expect(word(found) == "unknown")
    #expect(found.facts.map(\.outcome) == [.stale(last)])
  }

  @Test("a CRL or response signed with a key that the rules reject does not count")
  func keys() throws {
    let answer = try SignedRevocation.answer(
      [SignedRevocation.single(leaf, of: root)], by: root, 1, includesResponder: false)
    let revocation = Revocation(crls: [try list(1)], ocspResponses: [answer])
    var rules = ValidationRules.webPKI
    for (curves, word) in [([.p256], "good"), ([.p384], "unknown")] as [(Set<NamedCurve>, String)] {
      rules.signatures.curves = curves
      var checker = RevocationChecker(
        revocation, rules, anchor: TrustAnchor(root), pool: [], at: SignedCertificate.time)
      let found = try checker.check(leaf, below: [root])
      #expect(self.word(found) == word)
      #expect(found.facts.map(\.outcome).contains(.algorithm) == (word == "unknown"))
    }
  }

  @Test("a signature is cached under 16 keys, and a right key is not evicted by wrong ones")
  func verdicts() throws {
    let keys = try (1...17).map { try SignedCertificate.root("Root", $0).publicKey }
    let verdicts = SignatureVerdicts()
    verdicts.keep(true, under: keys[0])
    for key in keys.dropFirst() { verdicts.keep(false, under: key) }
    let known = keys.map { verdicts.verdict(under: $0) }
    #expect(known == [true] + Array(repeating: false, count: 15) + [nil])
    verdicts.keep(true, under: keys[16])
    #expect(verdicts.verdict(under: keys[16]) == true)
    #expect(keys.count { verdicts.verdict(under: $0) != nil } == 16)
  }
}
