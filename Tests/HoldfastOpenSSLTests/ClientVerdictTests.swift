#if OpenSSL
  import CHoldfastOpenSSL
  import Holdfast
  import HoldfastCertificates
  import TestSupport
  import Testing

  @testable import HoldfastOpenSSL

  /// What a server makes of the certificates of clients.
  @Suite("Clients, verified in memory") struct ClientVerdictTests {
    static let versions: [CInt] = [TLS1_2_VERSION, TLS1_3_VERSION]

    /// - Parameter peer: The host that the server sets; nil for a plain client.
    private func run(
      _ version: CInt, _ identity: MemoryIdentity?, requiresCertificate: Bool = true,
      _ verifier: TLSVerifier? = nil, peer: String? = nil
    ) throws -> (client: MemoryHandshake.End, server: MemoryHandshake.End) {
      let server = try MemoryContext(.server, version, presenting: MemoryMaterial.server())
      try server.verifyClients(
        verifier ?? MemoryMaterial.verifier(), requiresCertificate: requiresCertificate)
      let client = try MemoryContext(.client, version, presenting: identity)
      try client.verifyServers(MemoryMaterial.verifier(), host: MemoryMaterial.host)
      let handshake = try MemoryHandshake(client, server)
      if let peer { try handshake.setPeer(peer) }
      return handshake.run()
    }

    @Test("a client is let in, or gets the alert that fits the reason", arguments: versions)
    func certificates(version: CInt) throws {
      let below = try MemoryMaterial.client(by: "Issuer", 2)
      var whole = below
      whole.chain.append(try MemoryMaterial.issuer())
      let rows: [(String, MemoryIdentity, Decision, UInt8?)] = [
        ("good", try MemoryMaterial.client(), .accepted, nil),
        ("below a CA", whole, .accepted, nil),
        ("without its issuer", below, .rejected(.issuerNotFound), 48),
        (
          "expired", try MemoryMaterial.client { $0.notAfter = "251231000000Z" },
          .rejected(.expired), 45
        ),
        (
          "foreign", try MemoryMaterial.client(by: "Foreign", 7), .rejected(.issuerNotFound), 48
        ),
        (
          "a server's",
          try MemoryMaterial.client {
            $0.extensions[1] = MemoryMaterial.purpose("1.3.6.1.5.5.7.3.1")
          }, .rejected(.extendedKeyUsage), 43
        ),
      ]
      for (name, identity, decision, alert) in rows {
        let ends = try run(version, identity)
        #expect(ends.server.decision == decision, "\(name)")
        #expect(ends.server.isDone == (decision == .accepted), "\(name)")
        #expect(ends.client.alert == alert, "\(name)")
        #expect((ends.client.error == nil) == (alert == nil), "\(name)")
      }
    }

    @Test("a client without a certificate is let in only if none is required", arguments: versions)
    func missing(version: CInt) throws {
      let required = try run(version, nil)
      #expect(required.server.decision == .notAsked && !required.server.isDone)
      // RFC 8446 §4.4.2.4: certificate_required; below TLS 1.3 handshake_failure.
      #expect(required.client.alert == (version == TLS1_3_VERSION ? 116 : 40))
      let optional = try run(version, nil, requiresCertificate: false)
      #expect(optional.server.decision == .notAsked && optional.server.isDone)
      #expect(optional.client.error == nil)
      let bad = try run(
        version, MemoryMaterial.client(by: "Foreign", 7), requiresCertificate: false)
      #expect(bad.server.decision == .rejected(.issuerNotFound) && !bad.server.isDone)
    }

    @Test("a client is told the names of the CAs, unless they are not to be named")
    func authorities() throws {
      let root = Array(try MemoryMaterial.root().subject.der)
      for (verifier, isNamed, expected) in [
        (try MemoryMaterial.verifier(), true, [root]),
        (try MemoryMaterial.verifier(), false, []),
        // It has no validator whose anchors could be named.
        (TLSVerifier { _ in throw TrustError.noHost }, true, []),
      ] {
        let server = try MemoryContext(.server, presenting: MemoryMaterial.server())
        try server.verifyClients(verifier, namesAuthorities: isNamed)
        let client = try MemoryContext(.client, presenting: MemoryMaterial.client())
        try client.verifyServers(MemoryMaterial.verifier(), host: MemoryMaterial.host)
        let handshake = try MemoryHandshake(client, server)
        _ = handshake.run()
        #expect(handshake.authorities == expected)
      }
    }

    /// RFC 8446 §4.2.4.
    @Test("names of CAs are sent up to 16 KiB in all, and once if a verifier is installed twice")
    func manyAuthorities() throws {
      // The header of the name and of its one attribute.
      let long = try SignedCertificate.root(String(repeating: "x", count: 8_000))
      let overhead = long.subject.der.count - 8_000
      for (length, isSent) in [(16_384, true), (16_385, false)] {
        let names = zip(["x", "y"], [8_192, length - 8_192]).map { letter, count in
          String(repeating: letter, count: count - overhead)
        }
        let roots = try names.map { try SignedCertificate.root($0, 50) }
        #expect(roots.reduce(0) { $0 + $1.subject.der.count } == length)
        let verifier = TLSVerifier(PathValidator(anchors: AnchorSet(roots)))
        let server = try MemoryContext(.server, presenting: MemoryMaterial.server())
        for _ in 0..<2 { try server.verifyClients(verifier) }
        let client = try MemoryContext(.client, presenting: MemoryMaterial.client())
        try client.verifyServers(MemoryMaterial.verifier(), host: MemoryMaterial.host)
        let handshake = try MemoryHandshake(client, server)
        _ = handshake.run()
        let sent = handshake.authorities
        #expect(
          Set(sent) == (isSent ? Set(roots.map { Array($0.subject.der) }) : [])
            && sent.count == (isSent ? 2 : 0))
      }
    }

    /// X.501 lets a name have values of any type; OpenSSL reads no INTEGER there.
    @Test("a CA whose name OpenSSL cannot read is an error before any connection")
    func unreadableAuthority() throws {
      let attribute = Made.der(0x30, Made.oid("2.5.4.3") + [2, 1, 7])
      let name = try DistinguishedName(der: Made.der(0x30, Made.der(0x31, attribute)))
      let anchor = TrustAnchor(name: name, publicKey: try MemoryMaterial.root().publicKey)
      let verifier = TLSVerifier(PathValidator(anchors: AnchorSet([anchor])))
      let server = try MemoryContext(.server, presenting: MemoryMaterial.server())
      try server.verifyClients(verifier, namesAuthorities: false)
      let error = #expect(throws: TLSError.self) { try server.verifyClients(verifier) }
      guard case .openSSL = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test("a server's verdict names its client")
    func client() throws {
      let ends = try run(TLS1_3_VERSION, MemoryMaterial.client())
      guard case .accepted(let verdict) = ends.server.outcome else {
        Issue.record("\(ends.server)")
        return
      }
      let client = try #require(verdict.client)
      #expect(try client.leaf == MemoryMaterial.client().chain[0])
      #expect(client.name == client.leaf.subject.commonName)
      guard case .accepted(let server) = ends.client.outcome else {
        Issue.record("\(ends.client)")
        return
      }
      #expect(server.client == nil)
    }

    @Test("a verifier of servers rejects a client, and says what it is for", arguments: versions)
    func wrongRole(version: CInt) throws {
      let manager = TLSVerifier(try MemoryMaterial.manager(), clock: { MemoryMaterial.time })
      let ends = try run(version, MemoryMaterial.client(), manager)
      #expect(ends.server.decision == .servers && ends.client.alert == 46)
      // Pins and policies are about servers, and a peer is a client here.
      let peer = try run(version, MemoryMaterial.client(), manager, peer: "client.example")
      #expect(peer.server.decision == .servers && peer.client.alert == 46)
    }

    @Test(
      "a server that connects has its name and a certificate for servers or clients",
      arguments: versions)
    func peers(version: CInt) throws {
      let host = "client.example"
      func identity(_ usage: Int) throws -> MemoryIdentity {
        try MemoryMaterial.client {
          $0.extensions[1] = MemoryMaterial.purpose("1.3.6.1.5.5.7.3.\(usage)")
        }
      }
      let rows: [(String, MemoryIdentity, String, Decision, UInt8?)] = [
        ("a server's", try identity(1), host, .accepted, nil),
        ("a client's", try identity(2), host, .accepted, nil),
        ("a code signer's", try identity(3), host, .rejected(.extendedKeyUsage), 43),
        ("another's", try identity(1), "other.example", .rejected(.hostName), 42),
      ]
      for (name, identity, host, decision, alert) in rows {
        let ends = try run(version, identity, peer: host)
        #expect(ends.server.decision == decision, "\(name)")
        #expect(ends.client.alert == alert, "\(name)")
        guard case .accepted(let verdict)? = ends.server.outcome else { continue }
        #expect(verdict.host == host, "\(name)")
      }
    }
  }
#endif
