#if OpenSSL
  import CHoldfastOpenSSL
  import HoldfastCertificates
  import HoldfastDER
  import TestSupport
  import Testing

  @testable import Holdfast
  @testable import HoldfastOpenSSL

  /// What a client makes of what servers present, and the alerts that servers get.
  @Suite("Servers, verified in memory") struct ServerVerdictTests {
    static let versions: [CInt] = [TLS1_2_VERSION, TLS1_3_VERSION]
    private static let host = MemoryMaterial.host

    /// Connects, and compares the client's decision and the server's alert; neither side has another
    /// error.
    private func expect(
      _ name: String, _ expected: Decision, alert: UInt8? = nil, _ version: CInt,
      _ server: MemoryIdentity, _ verifier: TLSVerifier, host: String = host,
      at location: SourceLocation = #_sourceLocation
    ) throws {
      let client = try MemoryContext(.client, version)
      try client.verifyServers(verifier, host: host)
      let ends = try MemoryHandshake(
        client, MemoryContext(.server, version, presenting: server), serverName: host
      ).run()
      let name = "\(name), TLS 1.\(version - TLS1_VERSION)"
      #expect(ends.client.decision == expected, "\(name)", sourceLocation: location)
      let isAccepted = expected == .accepted
      #expect(ends.client.isDone == isAccepted, "\(name)", sourceLocation: location)
      #expect((ends.client.error == nil) == isAccepted, "\(name)", sourceLocation: location)
      #expect(ends.server.alert == alert, "\(name)", sourceLocation: location)
      #expect((ends.server.error == nil) == isAccepted, "\(name)", sourceLocation: location)
    }

    /// Under TLS 1.2 the staple follows the certificates, and OpenSSL itself chooses the alert of a
    /// rejection then: bad_certificate_status_response.
    private func late(_ alert: UInt8, _ version: CInt) -> UInt8 {
      version == TLS1_2_VERSION ? 113 : alert
    }

    @Test(
      "a chain is trusted, or its reason and the alert that fits are told", arguments: versions,
      [Policy.validator, .manager, .evaluator])
    func chains(version: CInt, policy: Policy) throws {
      let (issuer, verifier) = (try MemoryMaterial.issuer(), try policy.verifier())
      let others: [[UInt8]] = (0..<600).map { number in Made.dns("host-\(number).example.com") }
      let many = [Made.dns(Self.host)] + others
      let other = try MemoryMaterial.leaf(names: [Made.dns("other.example")])
      // The CAs have the keys 10 to 17; each issues the next.
      var deep = [try SignedCertificate.authority("CA 10", 10, by: "Root", 1)]
      for key in UInt64(11)...17 {
        deep.insert(
          try SignedCertificate.authority("CA \(key)", key, by: "CA \(key - 1)", key - 1), at: 0)
      }
      deep.insert(try SignedCertificate.leaf(by: "CA 17", 17), at: 0)
      let selfSigned = try SignedCertificate(
        subject: "CN=Leaf", key: 100, issuer: "CN=Leaf", signer: 100,
        extensions: [Made.alternativeNames(Made.dns(Self.host))]
      ).made()
      let rows: [(String, [Certificate], Decision, UInt8?)] = [
        ("good", [try MemoryMaterial.leaf(), issuer], .accepted, nil),
        ("601 names", [try MemoryMaterial.leaf(names: many), issuer], .accepted, nil),
        ("eight CAs", deep, .accepted, nil),
        ("another host", [other, issuer], .rejected(.hostName), 42),
        (
          "expired", [try MemoryMaterial.leaf { $0.notAfter = "251231000000Z" }, issuer],
          .rejected(.expired), 45
        ),
        ("without its issuer", [try MemoryMaterial.leaf()], .rejected(.issuerNotFound), 48),
        ("self-signed", [selfSigned], .rejected(.untrustedRoot), 48),
        (
          "a client's",
          [
            try MemoryMaterial.leaf {
              $0.extensions.append(MemoryMaterial.purpose("1.3.6.1.5.5.7.3.2"))
            }, issuer,
          ], .rejected(.extendedKeyUsage), 43
        ),
      ]
      for (name, chain, decision, alert) in rows {
        try expect(name, decision, alert: alert, version, MemoryIdentity(chain), verifier)
      }
    }

    @Test("the host is that of the connection, a name or an address", arguments: versions)
    func hosts(version: CInt) throws {
      let v6 = Made.der(0x87, [UInt8](repeating: 0, count: 15) + [1])
      let names = [Made.dns("*.example.com"), Made.ip(127, 0, 0, 1), v6]
      let server = try MemoryIdentity([
        try MemoryMaterial.leaf(names: names), try MemoryMaterial.issuer(),
      ])
      let verifier = try MemoryMaterial.verifier()
      for host in ["www.example.com", "WWW.EXAMPLE.COM", "127.0.0.1", "::1"] {
        try expect(host, .accepted, version, server, verifier, host: host)
      }
      for host in ["example.com", "a.b.example.com", "127.0.0.2", "::2"] {
        try expect(
          host, .rejected(.hostName), alert: 42, version, server, verifier, host: host)
      }
    }

    @Test("any kind of key that TLS has may be the server's", arguments: versions)
    func keys(version: CInt) throws {
      for (kind, group) in [("RSA", nil), ("EC", "P-256"), ("EC", "P-384"), ("ED25519", nil)] {
        let key = try MemoryKey(kind, group: group)
        let leaf = try MemoryMaterial.leaf { $0.publicKeyInfo = key.publicKeyInfo }
        var server = try MemoryIdentity([leaf, MemoryMaterial.issuer()])
        server.key = key
        try expect(kind, .accepted, version, server, MemoryMaterial.verifier())
        let pinned = TLSVerifier(
          try MemoryMaterial.manager(pins: [leaf]), clock: { MemoryMaterial.time })
        try expect("\(kind), pinned", .accepted, version, server, pinned)
      }
    }

    @Test(
      "a pinned server has one of the pinned keys, or gets bad_certificate", arguments: versions)
    func pins(version: CInt) throws {
      let issuer = try MemoryMaterial.issuer()
      let (leaf, backup) = (
        try MemoryMaterial.leaf(), try MemoryMaterial.leaf { $0.key = 101 }
      )
      func verifier(_ pins: Certificate...) throws -> TLSVerifier {
        TLSVerifier(try MemoryMaterial.manager(pins: pins), clock: { MemoryMaterial.time })
      }
      let server = try MemoryIdentity([leaf, issuer])
      try expect("the key", .accepted, version, server, verifier(leaf, backup))
      try expect("the CA", .accepted, version, server, verifier(issuer))
      try expect("the anchor", .accepted, version, server, verifier(MemoryMaterial.root()))
      try expect("another key", .pins, alert: 42, version, server, verifier(backup))
      let renewed = try MemoryIdentity([backup, issuer], key: 101)
      try expect("the backup in use", .accepted, version, renewed, verifier(leaf, backup))
      // What a server merely sends is not on the path: RFC 7469 §2.6.
      let padded = try MemoryIdentity([leaf, issuer, backup])
      try expect("sent along", .pins, alert: 42, version, padded, verifier(backup))
    }

    @Test(
      "a staple says good or revoked, and is missed only if the status is required",
      arguments: versions, [Policy.validator, .manager, .evaluator])
    func staples(version: CInt, policy: Policy) throws {
      let (leaf, issuer) = (try MemoryMaterial.leaf(), try MemoryMaterial.issuer())
      func answer(
        _ status: [UInt8] = SignedRevocation.good, by key: UInt64 = 2,
        until: String = "20260201000000Z"
      ) throws -> OCSPResponse {
        try SignedRevocation.answer(
          [SignedRevocation.single(leaf, of: issuer, status, until: until)], by: issuer, key,
          includesResponder: false)
      }
      let rows: [(String, OCSPResponse?, Decision, Decision)] = [
        ("good", try answer(), .accepted, .accepted),
        (
          "revoked", try answer(SignedRevocation.revoked), .rejected(.revoked), .rejected(.revoked)
        ),
        ("forged", try answer(by: 3), .accepted, .rejected(.revocationUnknown)),
        (
          "expired", try answer(until: "20251231120000Z"), .accepted,
          .rejected(.revocationUnknown)
        ),
        (
          "unknown", try answer(SignedRevocation.unknown), .accepted, .rejected(.revocationUnknown)
        ),
        ("absent", nil, .accepted, .rejected(.revocationUnknown)),
      ]
      func alert(_ decision: Decision) -> UInt8? {
        switch decision {
        case .accepted: nil
        case .rejected(.revoked): late(44, version)
        default: late(42, version)
        }
      }
      for (name, staple, optional, required) in rows {
        let server = try MemoryIdentity([leaf, issuer], staple: staple)
        try expect(name, optional, alert: alert(optional), version, server, policy.verifier())
        try expect(
          "\(name), required", required, alert: alert(required), version, server,
          policy.verifier(Revocation(.required(of: .leaf))))
        // What a handshake tells is not ignored, whatever the verifier knows.
        try expect(
          "\(name), ignored", optional, alert: alert(optional), version, server,
          policy.verifier(Revocation(.ignored)))
      }
    }

    /// RFC 7633 §4.
    @Test(
      "a certificate that promises a staple is rejected without a good one", arguments: versions)
    func mustStaple(version: CInt) throws {
      let feature = Made.extension("1.3.6.1.5.5.7.1.24", Made.der(0x30, [2, 1, 5]))
      let leaf = try MemoryMaterial.leaf { $0.extensions.append(feature) }
      let issuer = try MemoryMaterial.issuer()
      func answer(until: String = "20260201000000Z") throws -> OCSPResponse {
        try SignedRevocation.answer(
          [SignedRevocation.single(leaf, of: issuer, until: until)], by: issuer, 2,
          includesResponder: false)
      }
      func expect(
        _ name: String, _ decision: Decision, _ staple: OCSPResponse?,
        _ revocation: Revocation? = nil
      ) throws {
        let server = try MemoryIdentity([leaf, issuer], staple: staple)
        let alert: UInt8? =
          switch decision {
          case .accepted: nil
          // No staple would help, so it is not waited for.
          case .rejected(.revoked): 44
          default: late(42, version)
          }
        try self.expect(
          name, decision, alert: alert, version, server, Policy.validator.verifier(revocation))
      }
      let missed = Decision.rejected(.revocationUnknown)
      try expect("absent", missed, nil)
      try expect("good", .accepted, answer())
      try expect("expired", missed, answer(until: "20251231120000Z"))
      try expect("absent, good by other means", missed, nil, Revocation(ocspResponses: [answer()]))
      let crls = [try SignedRevocation.list(by: "Root", 1)]
      try expect(
        "good, and the CA by its CRL", .accepted, answer(),
        Revocation(.required(of: .everyCertificate), crls: crls))
      try expect(
        "good, and the CA revoked", .rejected(.revoked), answer(),
        Revocation(crls: [try SignedRevocation.list(by: "Root", 1, [(9, nil)])]))
    }

    @Test(
      "a filter decides before the staple has arrived, and a staple after it", arguments: versions)
    func filters(version: CInt) throws {
      let issuer = try MemoryMaterial.issuer()
      // 2025-12-31, noon, in milliseconds.
      let (log, end) = ([UInt8](repeating: 7, count: 32), UInt64(1_767_182_400_000))
      var builder = ClubcardBuilder()
      builder.add(log: log, 1_700_000_000_000...end)
      builder.blocks = [
        ClubcardBuilder.Block(Pin(keyOf: issuer).digest, revoked: [[5]], good: [[6], [7]])
      ]
      let filter = RevocationFilter(
        base: try Clubcard(builder.file(version: 4), name: "20251231-0-default.filter"))
      let optional = try Policy.validator.verifier(Revocation(filters: [filter]))
      let required = try Policy.validator.verifier(
        Revocation(.required(of: .leaf), filters: [filter]))
      func leaf(_ serialNumber: UInt64, at time: UInt64) throws -> Certificate {
        try MemoryMaterial.leaf {
          $0.serialNumber = serialNumber
          $0.extensions.append(Made.timestamps([(log, time)]))
        }
      }
      let revoked = try MemoryIdentity([leaf(5, at: end - 1), issuer])
      let good = try MemoryIdentity([leaf(6, at: end - 1), issuer])
      let new = try leaf(7, at: end + 1)
      for verifier in [optional, required] {
        try expect("revoked", .rejected(.revoked), alert: 44, version, revoked, verifier)
        try expect("good", .accepted, version, good, verifier)
      }
      let newer = try MemoryIdentity([new, issuer])
      try expect("newer", .accepted, version, newer, optional)
      try expect(
        "newer, required", .rejected(.revocationUnknown), alert: late(42, version), version, newer,
        required)
      let answer = try SignedRevocation.answer(
        [SignedRevocation.single(new, of: issuer)], by: issuer, 2, includesResponder: false)
      try expect(
        "newer, required, stapled", .accepted, version,
        MemoryIdentity([new, issuer], staple: answer), required)
    }

    @Test("timestamps in extension 18 count, and are missed only if required", arguments: versions)
    func timestamps(version: CInt) throws {
      let (leaf, issuer) = (try MemoryMaterial.leaf(), try MemoryMaterial.issuer())
      let logs = try TwoLogs()
      let list = try LogList(json: Array(logs.json.utf8))
      func verifier(_ check: TransparencyCheck) throws -> TLSVerifier {
        TLSVerifier(
          try MemoryMaterial.manager(transparency: check), clock: { MemoryMaterial.time })
      }
      let required = try verifier(.requireSoftFail(list, .count(2)))
      var server = try MemoryIdentity([leaf, issuer])
      // A staple could have brought some.
      let alert = late(42, version)
      try expect("none", .transparency, alert: alert, version, server, required)
      try expect("none, reported", .accepted, version, server, verifier(.report(list, .count(2))))
      server.timestamps = logs.timestamps(of: leaf)
      try expect("two", .accepted, version, server, required)
      server.timestamps = logs.timestamps(of: issuer)
      try expect("of another", .transparency, alert: alert, version, server, required)
    }

    private func client() throws -> MemoryHandshake {
      let client = try MemoryContext(.client)
      try client.verifyServers(MemoryMaterial.verifier(), host: MemoryMaterial.host)
      return try MemoryHandshake(
        client, MemoryContext(.server, presenting: MemoryMaterial.server()))
    }

    /// RFC 8446 §4.4.2.1: extensions apply to the certificate that they come with.
    @Test("timestamps that come with a CA's certificate are not those of the server's own")
    func timestampsOfCA() throws {
      let client = try client()
      #expect(client.receive(timestamps: [1], ofCertificate: 1) == nil)
      #expect(client.receive(timestamps: [2], ofCertificate: 0) == [2])
      #expect(client.receive(timestamps: [3], ofCertificate: 1) == [2])
    }

    @Test("certificates of which OpenSSL has another number are not those of the connection")
    func otherNumber() throws {
      func vector(_ bytes: [UInt8]) -> [UInt8] {
        [0, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
      }
      // RFC 5246 §7.4.2.
      let list = vector(try MemoryMaterial.server().chain.flatMap { vector($0.der) })
      let message = try #require(CertificateMessage([11] + vector(list), hasExtensions: false))
      #expect(message.certificates.count == 1)
      #expect(Decision(try client().verify(message)) == .notSeen)
    }
  }

  /// Two logs, and what they sign.
  private struct TwoLogs {
    private let logs: [(key: UInt64, pin: Pin, publicKey: [UInt8])]

    init() throws {
      logs = try [UInt64]([50, 51]).map { key in
        let publicKey = try SignedCertificate.leaf(by: "Root", 1) { $0.key = key }.publicKey
        return (key, Pin(publicKey), publicKey.der.array)
      }
    }

    /// A list of both, in the format of Chrome and Apple.
    var json: String {
      let operators = logs.map { log in
        """
        {"name": "Operator \(log.key)", "logs": [{"description": "\(log.key)", "mmd": 86400,
        "log_id": "\(Base64.text(of: log.pin.digest))", "key": "\(Base64.text(of: log.publicKey))",
        "url": "https://log.example/",
        "state": {"usable": {"timestamp": "2024-01-01T00:00:00Z"}}}]}
        """
      }
      return """
        {"version": "1", "log_list_timestamp": "2025-12-31T00:00:00Z",
        "operators": [\(operators.joined(separator: ","))]}
        """
    }

    /// A SignedCertificateTimestampList. RFC 6962 §3.2, §3.3.
    func timestamps(of leaf: Certificate) -> [UInt8] {
      func number(_ value: UInt64, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
      }
      func vector(_ size: Int, _ bytes: [UInt8]) -> [UInt8] {
        number(UInt64(bytes.count), size) + bytes
      }
      let time = number(1_767_182_400_000, 8)
      let items = logs.flatMap { log in
        let signed = [0, 0] + time + [0, 0] + vector(3, leaf.der) + vector(2, [])
        let signature = SignedCertificate.signature(of: signed, by: log.key)
        return vector(
          2, [0] + log.pin.digest + time + vector(2, []) + [4, 3] + vector(2, signature))
      }
      return vector(2, items)
    }
  }
#endif
