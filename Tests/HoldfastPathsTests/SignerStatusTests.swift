import HoldfastCertificates
import HoldfastDER
import TestSupport
import Testing

@testable import HoldfastPaths

/// How far a CRL counts by the revocation status of its signer, under each demand.
@Suite("The status of CRL signers") struct SignerStatusTests {
  /// keyCertSign without cRLSign. RFC 5280 §4.2.1.3.
  private static let certificatesOnly = Made.extension(
    "2.5.29.15", isCritical: true, [0x03, 0x02, 0x02, 0x04])
  private static let demands: [Revocation.Demand] = [
    .ifAvailable, .required(of: .leaf), .required(of: .everyCertificate),
  ]

  /// The status of the leaf, which has serial number 7, on a path of the leaf alone.
  ///
  /// - Parameters:
  ///   - rootSigns: Whether the root's key may sign CRLs.
  ///   - unreadable: A CRL that cannot be read.
  private func word(
    _ demand: Revocation.Demand, rootSigns: Bool, _ crls: [CRL], _ signers: [Certificate],
    unreadable: [UInt8]? = nil
  ) throws -> String {
    let root = try SignedCertificate.authority("Root", 1, by: "Root", 1) {
      if !rootSigns { $0.extensions.append(SignerStatusTests.certificatesOnly) }
    }
    let leaf = try SignedCertificate.leaf(by: "Root", 1) { $0.serialNumber = 7 }
    let validator = PathValidator(anchors: AnchorSet([root]), rules: .rfc5280)
    var revocation = Revocation(demand, crls: crls, signers: signers)
    if let unreadable { revocation.addCRL(der: unreadable) }
    do throws(PathError) {
      let path = try validator.validate(
        [leaf], for: .server(named: SignedCertificate.host), at: SignedCertificate.time,
        revocation: revocation)
      return path.revocation[0].isGood ? "good" : "unknown"
    } catch {
      return error.rejections.first?.rule.name ?? "\(error.cause)"
    }
  }

  private func signer(
    _ key: UInt64 = 40, _ extensions: [[UInt8]] = [], serialNumber: UInt64 = 20
  ) throws -> Certificate {
    try SignedRevocation.signer(
      "Root", key, by: "Root", 1, extensions, serialNumber: serialNumber)
  }

  /// OpenJDK's CircularCRLOneLevel and CircularCRLTwoLevel: a CA whose key signs no CRLs has all of
  /// them signed by a second key, the status of whose certificate is in its own CRLs alone.
  @Test(
    "a signer whose status only its own CRL can have counts under every demand", arguments: demands)
  func circular(demand: Revocation.Demand) throws {
    let clean = try SignedRevocation.list(by: "Root", 40)
    let revoking = try SignedRevocation.list(by: "Root", 40, [(7, nil)])
    let signer = try signer()
    #expect(try word(demand, rootSigns: false, [clean], [signer]) == "good")
    #expect(try word(demand, rootSigns: false, [revoking], [signer]) == "revoked")
    // A second signer can tell: what it revokes no longer signs, what it does not name does.
    let second = try self.signer(50, serialNumber: 21)
    let others: [([(serialNumber: UInt8, extensions: [UInt8]?)], String)] = [
      ([(20, nil)], "unknown"), ([(21, nil)], "good"), ([(9, nil)], "good"),
    ]
    for (entries, expected) in others {
      let list = try SignedRevocation.list(
        by: "Root", 50, entries, extensions: SignerStatusTests.authoritiesOnly)
      let word = try word(demand, rootSigns: false, [clean, list], [signer, second])
      let isRequired = expected == "unknown" && demand != .ifAvailable
      #expect(word == (isRequired ? "revocationUnknown" : expected), "\(entries)")
    }
    // So can a list that cannot be read, whatever it says.
    var unreadable = try SignedRevocation.list(by: "Root", 1, [(20, nil)]).der
    let version = try #require(
      unreadable.indices.first { unreadable[$0...].starts(with: [2, 1, 1]) })
    unreadable[version + 2] = 7
    let doubted = try word(
      demand, rootSigns: false, [clean], [signer], unreadable: unreadable)
    #expect(doubted == (demand == .ifAvailable ? "unknown" : "revocationUnknown"))
  }

  /// A CRL that does not cover the leaf, and the signer neither: it shows what is revoked.
  private static let authoritiesOnly = Made.extension(
    "2.5.29.28", isCritical: true, Made.der(0x30, [0x83, 2, 6, 0x40]))

  /// RFC 5280 §6.3.3 (f), §6.1.3 (a)(3).
  @Test("of a signer of unknown status revocations count under every demand", arguments: demands)
  func unknownStatus(demand: Revocation.Demand) throws {
    let clean = try SignedRevocation.list(by: "Root", 40)
    let revoking = try SignedRevocation.list(by: "Root", 40, [(7, nil)])
    let own = try SignedRevocation.list(
      by: "Root", 1, extensions: SignerStatusTests.authoritiesOnly)
    let rest = try SignedRevocation.list(
      by: "Root", 1, [(20, nil)], extensions: SignerStatusTests.authoritiesOnly)
    let signer = try signer()
    let isStrict = demand == .required(of: .everyCertificate)
    let expected = isStrict ? "revocationUnknown" : "good"
    #expect(try word(demand, rootSigns: true, [clean], [signer]) == expected)
    #expect(try word(demand, rootSigns: true, [revoking], [signer]) == "revoked")
    #expect(try word(demand, rootSigns: true, [clean, own], [signer]) == expected)
    // A revoked signer shows nothing at all.
    let rejected = demand == .ifAvailable ? "unknown" : "revocationUnknown"
    #expect(try word(demand, rootSigns: true, [revoking, rest], [signer]) == rejected)
  }

  /// RFC 5280 §4.2.1.13, RFC 6960 §3.1: where its certificate says that its status is elsewhere, it
  /// can be known.
  @Test("a signer whose certificate names another source of its status must be known to be good")
  func otherSources() throws {
    let clean = try SignedRevocation.list(by: "Root", 40)
    let responder = Made.extension(
      "1.3.6.1.5.5.7.1.1",
      Made.der(
        0x30,
        Made.der(0x30, Made.oid("1.3.6.1.5.5.7.48.1") + Made.uri("http://ocsp.example/"))))
    let point = Made.extension(
      "2.5.29.31", Made.der(0x30, Made.der(0x30, Made.der(0xA2, Made.directory("CN=Other")))))
    for extensions in [responder, point] {
      let signer = try signer(40, [extensions])
      #expect(
        try word(.required(of: .everyCertificate), rootSigns: false, [clean], [signer])
          == "revocationUnknown")
      #expect(try word(.required(of: .leaf), rootSigns: false, [clean], [signer]) == "good")
    }
  }

  @Test("why the CRL of a signer of unknown status does not count is said")
  func text() throws {
    let root = try SignedCertificate.root()
    let leaf = try SignedCertificate.leaf(by: "Root", 1) { $0.serialNumber = 7 }
    var checker = RevocationChecker(
      Revocation(
        .required(of: .everyCertificate), crls: [try SignedRevocation.list(by: "Root", 40)],
        signers: [try signer()]),
      .rfc5280, anchor: TrustAnchor(root), pool: [], at: SignedCertificate.time)
    #expect(
      try checker.check(leaf, below: []).facts.map { "\($0)" } == [
        "CRL 0: has a signer whose own revocation status is unknown [RFC 5280 §6.3.3 (f)]"
      ])
  }

  /// RFC 6960 §4.2.2.2, RFC 5280 §6.3.3 (f).
  @Test("why the signer does not count is said: revoked, in question itself, not readable")
  func texts() throws {
    let root = try SignedCertificate.root()
    let authority = try SignedCertificate.authority("CA", 2, by: "Root", 1) { $0.serialNumber = 9 }
    let leaf = try SignedCertificate.leaf(by: "CA", 2) { $0.serialNumber = 7 }
    func facts(_ revocation: Revocation) throws -> [String] {
      var checker = RevocationChecker(
        revocation, .rfc5280, anchor: TrustAnchor(root), pool: [], at: SignedCertificate.time)
      return try checker.check(leaf, below: [authority]).facts.map { "\($0)" }
    }
    let single = SignedRevocation.single(leaf, of: authority)
    let responder = try SignedRevocation.responder(30, by: "CA", 2, [])
    let answer = try SignedRevocation.answer([single], by: responder, 30)
    let revoking = try SignedRevocation.list(by: "CA", 2, [(77, nil)])
    let rejected = try facts(Revocation(crls: [revoking], ocspResponses: [answer])).first
    #expect(
      rejected == """
        OCSP response 0: has a signer whose certificate is not accepted: was revoked at \
        2025-12-30T00:00:00Z: CRL 0, issued at 2025-12-31T00:00:00Z [RFC 6960 §4.2.2.2]
        """)

    let leafKey = SignedCertificate(issuer: "", signer: 0).key
    let itself = try SignedCertificate(
      subject: "CN=CA", key: leafKey, issuer: "CN=CA", signer: 2,
      extensions: [Made.extension("2.5.29.15", isCritical: true, [0x03, 0x02, 0x01, 0x02])],
      serialNumber: 20
    ).made()
    let list = try SignedRevocation.list(by: "CA", leafKey)
    #expect(
      try facts(Revocation(crls: [list], signers: [itself])) == [
        "CRL 0: has a signer that would vouch for itself [RFC 5280 §6.3.3 (f)]"
      ])

    var der = answer.der
    let start = try #require(der.indices.first { der[$0...].starts(with: responder.der) })
    der[start + 4] ^= 0xFF
    let damaged = try OCSPResponse(der: der)
    let problem = try #require(damaged.basic?.unreadableCertificates.first)
    #expect(
      try facts(Revocation(ocspResponses: [damaged])) == [
        """
        OCSP response 0: has no known signer, and a certificate in it that cannot be read: \
        \(problem.finding) [RFC 6960 §4.2.2.2]
        """
      ])
  }
}
