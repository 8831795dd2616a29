import HoldfastCertificates
import HoldfastDER
import HoldfastFilters
import HoldfastHashes
import TestSupport
import Testing

@testable import HoldfastPaths

/// Filters beside CRLs and OCSP responses: which source wins, what is demanded, what is said.
@Suite("Revocation filters") struct FilterRevocationTests {
  private static let log = [UInt8](repeating: 0x10, count: 32)
  /// The last millisecond that the filters cover: the day before the tests' time.
  private static let end = UInt64(1_767_139_200_000)  // 2025-12-31T00:00:00Z

  private let root: Certificate
  private let leaf: Certificate

  init() throws {
    root = try SignedCertificate.root()
    leaf = try FilterRevocationTests.leaf()
  }

  private static func leaf(
    by issuer: String = "Root", _ signer: UInt64 = 1, at time: UInt64? = end - 1,
    _ change: (inout SignedCertificate) -> Void = { _ in }
  ) throws -> Certificate {
    try SignedCertificate.leaf(by: issuer, signer) {
      if let time { $0.extensions.append(Made.timestamps([(log, time)])) }
      change(&$0)
    }
  }

  private enum Listing { case good, revoked, absent }

  private func card(
    _ listing: Listing, _ name: String = "20251231-0-default.filter", until end: UInt64 = end,
    issuer: Certificate? = nil, serial: [UInt8] = [1]
  ) throws -> Clubcard {
    var builder = ClubcardBuilder()
    builder.add(log: FilterRevocationTests.log, 1_700_000_000_000...end)
    let key = (issuer ?? root).publicKey.der
    var block = ClubcardBuilder.Block(
      HashAlgorithm.sha256.hash(key.input, in: key.range).array, revoked: [[2]], good: [[3]])
    switch listing {
    case .good: block.good.append(serial)
    case .revoked: block.revoked.append(serial)
    case .absent: block.issuer = [UInt8](repeating: 9, count: 32)
    }
    builder.blocks = [block]
    return try Clubcard(
      builder.file(version: 4), name: name, isDelta: Clubcard.isDelta(named: name))
  }

  private func filter(_ listing: Listing) throws -> RevocationFilter {
    RevocationFilter(base: try card(listing))
  }

  /// The status of the leaf, or the rule that rejects the path, and what the sources say.
  private func status(
    _ revocation: Revocation, of leaf: Certificate? = nil, _ intermediates: [Certificate] = []
  ) -> String {
    do throws(PathError) {
      let path = try PathValidator(anchors: AnchorSet([root])).validate(
        [leaf ?? self.leaf] + intermediates, for: .server(named: SignedCertificate.host),
        at: SignedCertificate.time, revocation: revocation)
      return path.revocation.first.map { $0.summary { "\($0)" } } ?? "not asked"
    } catch {
      guard let violation = error.rejections.first?.violation else { return "\(error)" }
      guard case .revocation(let found) = violation.detail else { return "\(error)" }
      return "\(violation.rule.name): \(found.summary { "\($0)" })"
    }
  }

  /// A list of version 3, as no version of X.509 has it, that names the leaf.
  private static let unreadableList: [UInt8] = {
    var fields = Made.der(0x02, [2]) + Made.der(0x30, Made.oid("1.2.840.10045.4.3.2"))
    fields += Made.der(0x30, Made.name("CN=Root"))
    fields += SignedRevocation.utc("251231000000Z") + SignedRevocation.utc("260201000000Z")
    let entry = Made.der(0x02, [1]) + SignedRevocation.utc("251230000000Z")
    fields += Made.der(0x30, Made.der(0x30, entry))
    return SignedCertificate.signed(Made.der(0x30, fields), by: 1)
  }()

  private let name = "20251231-0-default.filter"
  private let covers = "which covers until 2025-12-31T00:00:00Z"

  @Test("each answer of a filter is said with its file")
  func answers() throws {
    #expect(
      status(Revocation(filters: [try filter(.good)])) == "is not revoked: \(name), \(covers)")
    #expect(
      status(Revocation(filters: [try filter(.revoked)]))
        == "revoked: is revoked: \(name), \(covers)")
    let unknown = "has unknown revocation status: none of the given sources can be used"
    #expect(
      status(Revocation(filters: [try filter(.absent)]))
        == "\(unknown) (\(name): does not cover certificates of this issuer)")
    for (leaf, reason) in [
      (
        try FilterRevocationTests.leaf(at: FilterRevocationTests.end + 1),
        "issued after the filter of 2025-12-31T00:00:00Z"
      ),
      (
        try FilterRevocationTests.leaf(at: 1_699_999_999_999),
        "issued before the filter begins at 2023-11-14T22:13:20Z"
      ),
      (try FilterRevocationTests.leaf(at: nil), "it has no timestamps of logs in it"),
      (
        try FilterRevocationTests.leaf(at: nil) {
          $0.extensions.append(Made.timestamps([([UInt8](repeating: 7, count: 32), 1)]))
        }, "its timestamps are of other logs"
      ),
    ] {
      #expect(
        status(Revocation(filters: [try filter(.revoked)]), of: leaf)
          == "\(unknown) (\(name): does not cover the certificate: \(reason))")
    }
    #expect(
      status(Revocation())
        == "has unknown revocation status: no CRL, OCSP response or filter was given")
  }

  @Test("the facts name the filter, its outcome and the description of its format")
  func facts() throws {
    let late = try FilterRevocationTests.leaf(at: FilterRevocationTests.end + 1)
    let path = try PathValidator(anchors: AnchorSet([root])).validate(
      [late], for: .server(named: SignedCertificate.host), at: SignedCertificate.time,
      revocation: Revocation(filters: [try filter(.good)]))
    #expect(
      path.revocation.first?.facts.map { "\($0) \($0.outcome.name)" } == [
        "\(name): does not cover the certificate: issued after the filter of "
          + "2025-12-31T00:00:00Z [IACR ePrint 2025/610] notCovered"
      ])
    #expect(
      path.revocation.first?.facts.map(\.outcome) == [
        .notCovered(
          .issuedAfter(
            LogTime(millisecondsSince1970: Int64(FilterRevocationTests.end))))
      ])
  }

  @Test("a filter is charged for the issuer's key, and for the places that are looked at")
  func charges() throws {
    // The host's name, a key of 91 bytes, and a place for each timestamp and one more in each file;
    // then there are the bytes that are compared.
    let cost = 1 + (1 + 91 / 64) + 2 * 2
    let revocation = Revocation(filters: [
      RevocationFilter(
        base: try card(.good), deltas: [try card(.good, "20251231-1-default.filter.delta")])
    ])
    for (maximum, isReached) in [(cost + 20, false), (cost - 1, true)] {
      var limits = Limits.default
      limits.nameComparisons = maximum
      let validator = PathValidator(
        anchors: AnchorSet([root]), rules: .rfc5280, limits: limits, cache: nil)
      let result = Result { () throws(PathError) in
        try validator.validate(
          [leaf], for: .server(named: SignedCertificate.host), at: SignedCertificate.time,
          revocation: revocation)
      }
      var cause: PathError.Cause?
      if case .failure(let error) = result { cause = error.cause }
      #expect(cause == (isReached ? .limitReached(.work(maximum * Budget.nameComparison)) : nil))
    }
  }

  @Test("a filter's revocation stands against a fresher CRL and a fresher OCSP response")
  func revokedAgainstGood() throws {
    let crl = try SignedRevocation.list(by: "Root", 1, thisUpdate: "251231120000Z")
    let response = try SignedRevocation.answer(
      [SignedRevocation.single(leaf, of: root)], by: root, 1)
    for revocation in [
      Revocation(crls: [crl], filters: [try filter(.revoked)]),
      Revocation(ocspResponses: [response], filters: [try filter(.revoked)]),
      Revocation(crls: [crl], filters: [try filter(.good), try filter(.revoked)]),
    ] {
      #expect(status(revocation) == "revoked: is revoked: \(name), \(covers)")
    }
  }

  @Test("a CRL's revocation stands against a filter's good, and tells when")
  func revokedByCRL() throws {
    let crl = try SignedRevocation.list(
      by: "Root", 1, [(1, SignedRevocation.reason(.keyCompromise))])
    for listing in [Listing.good, .revoked] {
      #expect(
        status(Revocation(crls: [crl], filters: [try filter(listing)]))
          == "revoked: was revoked at 2025-12-30T00:00:00Z (keyCompromise): CRL 0, "
          + "issued at 2025-12-31T00:00:00Z")
    }
    let hold = try SignedRevocation.list(
      by: "Root", 1, [(1, SignedRevocation.reason(.certificateHold))])
    #expect(
      status(Revocation(crls: [hold], filters: [try filter(.good)]))
        == "revoked: was revoked at 2025-12-30T00:00:00Z (certificateHold): CRL 0, "
        + "issued at 2025-12-31T00:00:00Z")
    #expect(
      status(Revocation(crls: [hold], filters: [try filter(.revoked)]))
        == "revoked: is revoked: \(name), \(covers)")
  }

  @Test("an OCSP response that does not know the certificate leaves it to the filter")
  func unknownToResponder() throws {
    let response = try SignedRevocation.answer(
      [SignedRevocation.single(leaf, of: root, [0x82, 0])], by: root, 1)
    #expect(
      status(
        Revocation(.required(of: .leaf), ocspResponses: [response], filters: [try filter(.good)]))
        == "is not revoked: \(name), \(covers); OCSP response 0: says that the responder does not "
        + "know the certificate")
    #expect(
      status(Revocation(ocspResponses: [response], filters: [try filter(.absent)]))
        == "has unknown revocation status: the responder does not know the certificate "
        + "(OCSP response 0: says that the responder does not know the certificate; \(name): does "
        + "not cover certificates of this issuer)")
  }

  @Test("a good CRL or OCSP response decides before a good filter")
  func goodEverywhere() throws {
    let crl = try SignedRevocation.list(by: "Root", 1)
    #expect(
      status(Revocation(crls: [crl], filters: [try filter(.good)]))
        == "is not revoked: CRL 0, issued at 2025-12-31T00:00:00Z")
    #expect(
      status(Revocation(crls: [crl], filters: [try filter(.absent)]))
        == "is not revoked: CRL 0, issued at 2025-12-31T00:00:00Z")
  }

  @Test("a filter does not take the place of a CRL that cannot be read, or of a demanded staple")
  func others() throws {
    var revocation = Revocation(.required(of: .leaf), filters: [try filter(.good)])
    revocation.addCRL(der: FilterRevocationTests.unreadableList)
    #expect(
      status(revocation).hasPrefix(
        "revocationUnknown: has unknown revocation status: a CRL that may name the certificate "))
    revocation.filters = [try filter(.revoked)]
    #expect(status(revocation) == "revoked: is revoked: \(name), \(covers)")
    let staple = Made.extension(
      "1.3.6.1.5.5.7.1.24", Made.der(0x30, Made.der(0x02, [5])))
    let promising = try FilterRevocationTests.leaf { $0.extensions.append(staple) }
    #expect(
      status(Revocation(filters: [try filter(.good)]), of: promising)
        .hasPrefix("revocationUnknown: has unknown revocation status: must-staple"))
    #expect(
      status(Revocation(filters: [try filter(.revoked)]), of: promising)
        .hasPrefix("revoked: is revoked"))
  }

  @Test("filters alone fulfill the demands about a leaf, and about every covered certificate")
  func demands() throws {
    let good = [try filter(.good)]
    let absent = [try filter(.absent)]
    for demand in [Revocation.Demand.ifAvailable, .required(of: .leaf)] {
      #expect(status(Revocation(demand, filters: good)).hasPrefix("is not revoked"))
      #expect(
        status(Revocation(demand, filters: [try filter(.revoked)])).hasPrefix("revoked: "))
    }
    #expect(status(Revocation(.ifAvailable, filters: absent)).hasPrefix("has unknown"))
    #expect(
      status(Revocation(.required(of: .leaf), filters: absent)).hasPrefix("revocationUnknown: "))
    #expect(status(Revocation(.ignored, filters: [try filter(.revoked)])) == "not asked")

    let authority = try SignedCertificate.authority("CA", 2, by: "Root", 1)
    let below = try FilterRevocationTests.leaf(by: "CA", 2)
    let filters = [RevocationFilter(base: try card(.good, issuer: authority))]
    #expect(
      status(Revocation(.required(of: .leaf), filters: filters), of: below, [authority])
        .hasPrefix("is not revoked"))
    #expect(
      status(Revocation(.required(of: .everyCertificate), filters: filters), of: below, [authority])
        == "revocationUnknown: has unknown revocation status: none of the given sources can be used "
        + "(\(name): does not cover the certificate: it has no timestamps of logs in it)")
    // The leaf alone below the anchor is every certificate.
    #expect(
      status(Revocation(.required(of: .everyCertificate), filters: good))
        .hasPrefix("is not revoked"))
  }

  @Test("a filter that is old, or from the future, shows only revocations")
  func ages() throws {
    var revocation = Revocation(filters: [try filter(.good)])
    revocation.tolerance = 0
    revocation.maximumFilterAge = 86_400
    #expect(status(revocation).hasPrefix("is not revoked"))
    revocation.maximumFilterAge = 86_399
    let old =
      "has unknown revocation status: none of the given sources can be used (\(name): is older "
      + "than allowed: issued at 2025-12-31T00:00:00Z)"
    #expect(status(revocation) == old)
    revocation.filters = [try filter(.absent)]
    #expect(status(revocation) == old)
    revocation.filters = [try filter(.revoked)]
    #expect(status(revocation) == "revoked: is revoked: \(name), \(covers)")
    revocation.maximumFilterAge = 86_399
    revocation.tolerance = 1
    revocation.filters = [try filter(.good)]
    #expect(status(revocation).hasPrefix("is not revoked"))

    let time = UInt64(SignedCertificate.time.secondsSince1970) * 1000
    for (end, isUsed) in [(time + 999, true), (time + 1000, false)] {
      func status(_ listing: Listing) throws -> String {
        var revocation = Revocation(filters: [
          RevocationFilter(base: try card(listing, until: end))
        ])
        revocation.tolerance = 0
        return self.status(revocation)
      }
      #expect(try status(.good).hasPrefix("is not revoked") == isUsed)
      #expect(try status(.good).contains("is not valid before 2026-01-01T00:00:01Z") != isUsed)
      #expect(try status(.absent).contains("is not valid before 2026-01-01T00:00:01Z") != isUsed)
      #expect(try status(.revoked).hasPrefix("revoked: is revoked: \(name), which covers until"))
    }
    // What is current of a filter goes on answering.
    let delta = try card(.absent, "20260102-0-default.filter.delta", until: time + 86_400_000)
    #expect(
      status(Revocation(filters: [RevocationFilter(base: try card(.good), deltas: [delta])]))
        == "is not revoked: \(name), \(covers)")
  }

  @Test("a delta revokes what its base calls good, and says good of what is newer than its base")
  func deltas() throws {
    let delta = "20251231-1-default.filter.delta"
    let later = FilterRevocationTests.end + 3_600_000
    let base = try card(.good)
    #expect(
      status(
        Revocation(filters: [
          RevocationFilter(
            base: base,
            deltas: [
              try card(.revoked, delta, until: later),
              try card(.good, "20251231-2-default.filter.delta", until: later + 1000),
            ])
        ])) == "revoked: is revoked: \(delta), which covers until 2025-12-31T01:00:00Z")
    let young = try FilterRevocationTests.leaf(at: FilterRevocationTests.end + 1000)
    #expect(
      status(
        Revocation(filters: [
          RevocationFilter(base: base, deltas: [try card(.good, delta, until: later)])
        ]), of: young) == "is not revoked: \(delta), which covers until 2025-12-31T01:00:00Z")
    // An old base with a new delta is not old.
    let old = try card(.good, until: FilterRevocationTests.end - 30 * 86_400_000)
    let leaf = try FilterRevocationTests.leaf(at: FilterRevocationTests.end - 40 * 86_400_000)
    #expect(
      status(
        Revocation(filters: [
          RevocationFilter(base: old, deltas: [try card(.good, delta, until: later)])
        ]), of: leaf
      ).hasPrefix("is not revoked: \(delta)"))
  }

  @Test("without the files before it, a delta shows only revocations")
  func gaps() throws {
    let names = (1...3).map { "20251231-\($0)-default.filter.delta" }
    let damaged = FilterError(.truncated, in: names[0], at: 7)
    let missing =
      "has unknown revocation status: none of the given sources can be used "
    func filters(
      _ files: [Result<Clubcard, FilterError>]
    ) -> Revocation { Revocation(filters: RevocationFilter.all(of: files)) }
    let young = try FilterRevocationTests.leaf(at: FilterRevocationTests.end + 1000)
    let later = FilterRevocationTests.end + 3_600_000
    let good = try card(.good, names[1], until: later)
    #expect(
      status(filters([.success(try card(.good)), .failure(damaged), .success(good)]), of: young)
        == missing + "(\(names[0]): ends too early at byte 7; \(name): does not cover the "
        + "certificate: issued after the filter of 2025-12-31T00:00:00Z)")
    // What the base covers, it still answers.
    #expect(
      status(filters([.success(try card(.good)), .failure(damaged), .success(good)]))
        == "is not revoked: \(name), \(covers)")
    #expect(
      status(
        filters([
          .success(try card(.good)), .failure(damaged),
          .success(try card(.revoked, names[2], until: later)),
        ]))
        == "revoked: is revoked: \(names[2]), which covers until 2025-12-31T01:00:00Z")
    #expect(
      status(filters([.success(good)]))
        == missing + "(\(names[1]): does not cover the certificate: an earlier file of the filter "
        + "is missing)")
    #expect(
      status(filters([.failure(FilterError(.otherHash, in: name)), .success(good)]))
        == missing + "(\(name): is not the file that the manifest lists; \(names[1]): does not "
        + "cover the certificate: an earlier file of the filter is missing)")
  }
}
