import HoldfastCertificates
import HoldfastDER
import TestSupport
import Testing

@testable import HoldfastPaths

/// What entries of CRLs mean, each CRL signed by the root: for whom they are, whether they can be
/// processed, and what ends them. The leaf has serial number 7.
@Suite("Entries of CRLs") struct CRLEntryTests {
  private typealias Entry = (serialNumber: UInt8, extensions: [UInt8]?)

  private let root: Certificate
  private let leaf: Certificate

  init() throws {
    root = try SignedCertificate.root()
    leaf = try SignedCertificate.leaf(by: "Root", 1) { $0.serialNumber = 7 }
  }

  private func found(_ revocation: Revocation) throws -> CertificateRevocation {
    var checker = RevocationChecker(
      revocation, .rfc5280, anchor: TrustAnchor(root), pool: [], at: SignedCertificate.time)
    return try checker.check(leaf, below: [])
  }

  private func word(_ crls: [CRL]) throws -> String {
    let found = try found(Revocation(crls: crls))
    return found.isRevoked ? "revoked" : found.isGood ? "good" : "unknown"
  }

  private static func issuer(_ name: String, isCritical: Bool = true) -> [UInt8] {
    Made.extension(
      "2.5.29.29", isCritical: isCritical, Made.der(0x30, Made.directory("CN=\(name)")))
  }

  /// An issuingDistributionPoint with indirectCRL, or with onlyContainsUserCerts.
  private static func scope(isIndirect: Bool, isCritical: Bool) -> [UInt8] {
    Made.extension(
      "2.5.29.28", isCritical: isCritical, Made.der(0x30, [isIndirect ? 0x84 : 0x81, 1, 0xFF]))
  }

  /// RFC 5280 §5.3.3: the extension belongs to CRLs with indirectCRL in a critical
  /// issuingDistributionPoint. §5.3: without it, the CRL cannot be processed. §6.3.3 (j): an entry
  /// of a CRL that is not indirect is about a certificate of the CRL's issuer.
  @Test(
    "an issuer named in a direct CRL hides no revocation, and nothing in such a CRL is good",
    arguments: [
      [], scope(isIndirect: false, isCritical: true), scope(isIndirect: true, isCritical: false),
    ])
  func issuerInDirectCRL(scope: [UInt8]) throws {
    for isCritical in [true, false] {
      let other = CRLEntryTests.issuer("Other", isCritical: isCritical)
      let own = CRLEntryTests.issuer("Root", isCritical: isCritical)
      for (entries, expected) in [
        ([(7, other)], "revoked"), ([(9, other), (7, nil)], "revoked"), ([(7, own)], "revoked"),
        ([(7, nil), (9, other)], "revoked"), ([(9, other)], "unknown"), ([(9, nil)], "good"),
      ] as [([Entry], String)] {
        let list = try SignedRevocation.list(by: "Root", 1, entries, extensions: scope)
        #expect(try word([list]) == expected, "\(entries) \(isCritical)")
        let critical = CertificateRevocation.SourceOutcome.criticalExtension(.certificateIssuer)
        guard expected == "unknown" else { continue }
        #expect(try found(Revocation(crls: [list])).facts.map(\.outcome) == [critical])
      }
    }
  }

  /// RFC 5280 §5.3.3.
  @Test("in an indirect CRL an entry is about the certificates of the issuer that it names")
  func issuerInIndirectCRL() throws {
    let other = CRLEntryTests.issuer("Other")
    for (entries, expected) in [
      ([(7, other)], "good"), ([(9, other), (7, nil)], "good"),
      ([(7, nil), (9, other)], "revoked"),
      ([(9, other), (7, CRLEntryTests.issuer("Root"))], "revoked"),
    ] as [([Entry], String)] {
      let list = try SignedRevocation.list(
        by: "Root", 1, entries,
        extensions: CRLEntryTests.scope(isIndirect: true, isCritical: true))
      #expect(try word([list]) == expected, "\(entries)")
    }
  }

  /// RFC 5280 §5.2, §5.3: a CRL with a critical extension that is unknown shows nothing. What its
  /// issuer has signed as revoked counts all the same.
  @Test("an unknown critical extension, of a CRL or of an entry, leaves only revocations")
  func unknownCritical() throws {
    let id = "1.3.6.1.4.1.55738.1"
    let unknown = Made.extension(id, isCritical: true, [5, 0])
    let harmless = Made.extension(id, [5, 0])
    for (entries, extensions, expected) in [
      ([(7, unknown)], [], "revoked"), ([(9, unknown), (7, nil)], [], "revoked"),
      ([(7, nil)], unknown, "revoked"), ([(9, unknown)], [], "unknown"),
      ([(9, nil)], unknown, "unknown"), ([], unknown, "unknown"),
      ([(9, harmless)], harmless, "good"),
    ] as [([Entry], [UInt8], String)] {
      let list = try SignedRevocation.list(by: "Root", 1, entries, extensions: extensions)
      #expect(try word([list]) == expected, "\(entries) \(extensions)")
      guard expected == "unknown" else { continue }
      #expect(
        try found(Revocation(crls: [list])).facts.map(\.outcome)
          == [.criticalExtension(try #require(OID(id)))])
    }
    // Neither is undone by an OCSP response that says good.
    let good = try SignedRevocation.answer(
      [SignedRevocation.single(leaf, of: root)], by: root, 1, includesResponder: false)
    let list = try SignedRevocation.list(by: "Root", 1, [(7, unknown)])
    #expect(try found(Revocation(crls: [list], ocspResponses: [good])).isRevoked)
  }

  /// RFC 6960 §4.4: what cannot be processed is not relied upon.
  @Test("an unknown critical extension of an OCSP response leaves only revocations")
  func unknownCriticalInResponse() throws {
    let unknown = Made.extension("1.3.6.1.4.1.55738.1", isCritical: true, [5, 0])
    for (status, isRevoked) in [
      (SignedRevocation.good, false), (SignedRevocation.revoked, true),
    ] {
      let answer = try SignedRevocation.answer(
        [SignedRevocation.single(leaf, of: root, status, extensions: unknown)], by: root, 1,
        includesResponder: false)
      let found = try found(Revocation(ocspResponses: [answer]))
      #expect(found.isRevoked == isRevoked && !found.isGood)
    }
  }

  /// RFC 5280 §5.3.1: a hold ends by what is newer. What cannot be processed, or is from the future,
  /// shows revocations alone, and ends none.
  @Test("a delta CRL that shows only revocations ends no hold of an older one")
  func limitedDelta() throws {
    let hold = SignedRevocation.reason(.certificateHold)
    let unknown = Made.extension("1.3.6.1.4.1.55738.1", isCritical: true, [5, 0])
    let base = try SignedRevocation.list(by: "Root", 1, number: 1)
    let onHold = try SignedRevocation.list(by: "Root", 1, [(7, hold)], number: 2, base: 1)
    let limited = try SignedRevocation.list(
      by: "Root", 1, number: 3, base: 1, extensions: unknown)
    let whole = try SignedRevocation.list(by: "Root", 1, number: 3, base: 1)
    #expect(try word([base, onHold]) == "revoked")
    #expect(try word([base, onHold, limited]) == "revoked")
    #expect(try word([base, limited]) == "good")
    #expect(try word([base, onHold, whole]) == "good")
    let future = try SignedRevocation.list(
      by: "Root", 1, number: 3, base: 1, thisUpdate: "260115000000Z")
    #expect(try word([base, onHold, future]) == "revoked")
    // One that counts in full, older than one that does not, ends it.
    let newer = try SignedRevocation.list(
      by: "Root", 1, number: 4, base: 1, extensions: unknown)
    #expect(try word([base, onHold, whole, newer]) == "good")
    let again = try SignedRevocation.list(
      by: "Root", 1, [(7, hold)], number: 4, base: 1, extensions: unknown)
    #expect(try word([base, whole, again]) == "revoked")
  }

  /// RFC 5280 §5.3.1: a certificate is removed from a CRL when its hold ends or when it expires.
  @Test(
    "a delta CRL that removes a certificate ends a hold, and no other revocation",
    arguments: [nil, 0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11] as [UInt8?])
  func removal(reason: UInt8?) throws {
    let extensions = reason.map { SignedRevocation.reason(RevocationReason(rawValue: $0)) }
    let removal = SignedRevocation.reason(.removeFromCRL)
    let crls = [
      try SignedRevocation.list(by: "Root", 1, [(7, extensions)]),
      try SignedRevocation.list(by: "Root", 1, [(7, removal)], number: 2, base: 1),
    ]
    for crls in [crls, crls.reversed()] {
      #expect(try word(crls) == (reason == 6 ? "good" : "revoked"))
    }
    // Nor does a removal of what an older delta CRL has revoked.
    let older = [
      try SignedRevocation.list(by: "Root", 1, number: 1),
      try SignedRevocation.list(by: "Root", 1, [(7, extensions)], number: 2, base: 1),
      try SignedRevocation.list(by: "Root", 1, [(7, removal)], number: 3, base: 1),
    ]
    #expect(try word(older) == (reason == 6 ? "good" : "revoked"))
  }

  /// The entries are of 2025-12-30, the CRL of the day before.
  @Test("a revocation with a date after its CRL counts at once, and is not said to be past")
  func futureDate() throws {
    func text(_ thisUpdate: String, _ reason: RevocationReason? = nil) throws -> String {
      let list = try SignedRevocation.list(
        by: "Root", 1, [(7, reason.map { SignedRevocation.reason($0) })], thisUpdate: thisUpdate)
      return "\(try found(Revocation(crls: [list])).status)"
    }
    let date = "2025-12-30T00:00:00Z"
    #expect(try text("251229000000Z") == "is listed as revoked from \(date) on")
    #expect(
      try text("251229000000Z", .keyCompromise)
        == "is listed as revoked from \(date) on (keyCompromise)")
    #expect(try text("251230000000Z") == "was revoked at \(date)")
    #expect(try text("251231000000Z", .superseded) == "was revoked at \(date) (superseded)")
  }
}
