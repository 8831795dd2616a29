#if OpenSSL
  import CHoldfastOpenSSL
  import HoldfastCertificates
  import HoldfastDER
  import TestSupport
  import Testing

  @testable import Holdfast
  @testable import HoldfastOpenSSL

  /// Workloads with SPIFFE IDs, on both sides of a connection. X509-SVID §5.
  @Suite("Workloads, verified in memory") struct WorkloadTests {
    private static let versions: [CInt] = [TLS1_2_VERSION, TLS1_3_VERSION]

    /// The CA of `example.org` is the root with the key 1; that of `other.test` has the key 7.
    private static func validator() throws -> PathValidator {
      func anchor(_ name: String, _ key: UInt64, of domain: String) throws -> TrustAnchor {
        var constraints = TrustAnchor.Constraints()
        constraints.trustDomains = [try SPIFFETrustDomain(domain)]
        return TrustAnchor(try SignedCertificate.root(name, key), constraints: constraints)
      }
      return PathValidator(
        anchors: AnchorSet([
          try anchor("Root", 1, of: "example.org"), try anchor("Other", 7, of: "other.test"),
        ]), cache: MemoryMaterial.cache)
    }

    private static func verifier(_ peers: SPIFFEPeers) throws -> TLSVerifier {
      TLSVerifier(try validator(), peer: peers, clock: { MemoryMaterial.time })
    }

    private static func workload(
      _ names: [[UInt8]], by issuer: String = "Root", _ signer: UInt64 = 1,
      usages: [String] = ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]
    ) throws -> MemoryIdentity {
      try MemoryIdentity([
        SignedCertificate.leaf(by: issuer, signer, names: names) {
          $0.serialNumber = 5
          $0.extensions += [
            Made.extension("2.5.29.15", isCritical: true, Made.der(0x03, [7, 0x80])),
            Made.extension("2.5.29.37", Made.der(0x30, usages.flatMap { Made.oid($0) })),
          ]
        }
      ])
    }

    /// Connects two workloads, each of which verifies the other.
    private func run(
      _ version: CInt, client: MemoryIdentity, server: MemoryIdentity, clients: SPIFFEPeers,
      servers: SPIFFEPeers
    ) throws -> (client: MemoryHandshake.End, server: MemoryHandshake.End) {
      let serverContext = try MemoryContext(.server, version, presenting: server)
      try serverContext.verifyClients(Self.verifier(clients))
      let clientContext = try MemoryContext(.client, version, presenting: client)
      try clientContext.verifyServers(Self.verifier(servers), host: "10.0.0.1.example")
      return try MemoryHandshake(clientContext, serverContext).run()
    }

    @Test("each side knows the SPIFFE ID of the other, whatever the host is", arguments: versions)
    func both(version: CInt) throws {
      let ends = try run(
        version, client: Self.workload([Made.uri("spiffe://other.test/web")], by: "Other", 7),
        server: Self.workload([Made.uri("spiffe://example.org/api")]),
        clients: SPIFFEPeers(
          trustDomains: [SPIFFETrustDomain("example.org"), SPIFFETrustDomain("other.test")]),
        servers: .id("spiffe://example.org/api"))
      func verdict(_ end: MemoryHandshake.End) throws -> Verdict {
        guard case .accepted(let verdict)? = end.outcome else {
          throw MemoryContext.Unusable()
        }
        return verdict
      }
      #expect(ends.client.isDone && ends.server.isDone)
      let (server, client) = (try verdict(ends.client), try verdict(ends.server))
      #expect(server.path?.spiffeID == (try SPIFFEID("spiffe://example.org/api")))
      #expect(client.path?.spiffeID == (try SPIFFEID("spiffe://other.test/web")))
      #expect(server.logLine == "10.0.0.1.example: spiffe://example.org/api: the path is valid")
      #expect(client.logLine == "client spiffe://other.test/web: the path is valid")
      #expect(ends.server.client?.identities == ["spiffe://other.test/web"])
    }

    @Test(
      "a server that is not the workload is rejected with the alert that fits", arguments: versions)
    func servers(version: CInt) throws {
      let id = Made.uri("spiffe://example.org/api")
      let client = try Self.workload([Made.uri("spiffe://example.org/web")])
      let rows: [(MemoryIdentity, Decision, UInt8)] = [
        (try Self.workload([Made.uri("spiffe://example.org/other")]), .rejected(.spiffeID), 42),
        (try Self.workload([Made.dns("10.0.0.1.example")]), .rejected(.spiffeIDCount), 42),
        (try Self.workload([id, id]), .rejected(.spiffeIDCount), 42),
        (try Self.workload([id], by: "Other", 7), .rejected(.trustDomain), 48),
        (try Self.workload([id], usages: ["1.3.6.1.5.5.7.3.2"]), .rejected(.extendedKeyUsage), 43),
        (try MemoryMaterial.server(), .rejected(.spiffeIDCount), 42),
      ]
      for (server, decision, alert) in rows {
        let ends = try run(
          version, client: client, server: server, clients: .trustDomain("example.org"),
          servers: .id("spiffe://example.org/api"))
        #expect(ends.client.decision == decision && ends.server.alert == alert)
        #expect(!ends.client.isDone && !ends.server.isDone)
      }
    }

    @Test(
      "a client that is not the workload is rejected with the alert that fits", arguments: versions)
    func clients(version: CInt) throws {
      let id = Made.uri("spiffe://example.org/web")
      let server = try Self.workload([Made.uri("spiffe://example.org/api")])
      let rows: [(MemoryIdentity, Decision, UInt8)] = [
        (try Self.workload([Made.uri("spiffe://example.org/other")]), .rejected(.spiffeID), 42),
        (try Self.workload([id], by: "Other", 7), .rejected(.trustDomain), 48),
        (try Self.workload([id], usages: ["1.3.6.1.5.5.7.3.1"]), .rejected(.extendedKeyUsage), 43),
      ]
      for (client, decision, alert) in rows {
        let ends = try run(
          version, client: client, server: server, clients: .id("spiffe://example.org/web"),
          servers: .trustDomain("example.org"))
        #expect(ends.server.decision == decision && ends.client.alert == alert)
      }
    }

    @Test("the anchors of trust domains vouch for no server with a name, and for no other client")
    func otherPurposes() throws {
      let (host, id) = (Made.dns(MemoryMaterial.host), Made.uri("spiffe://example.org/api"))
      let workload = try Self.workload([id, host])
      let verifier = TLSVerifier(try Self.validator(), clock: { MemoryMaterial.time })
      let server = try MemoryContext(.server, presenting: workload)
      try server.verifyClients(verifier)
      let client = try MemoryContext(.client, presenting: workload)
      try client.verifyServers(verifier, host: MemoryMaterial.host)
      #expect(try MemoryHandshake(client, server).run().client.decision == .rejected(.trustDomain))
      let trusting = try MemoryContext(.client, presenting: workload)
      try trusting.verifyServers(Self.verifier(.id("spiffe://example.org/api")), host: "a.example")
      #expect(
        try MemoryHandshake(trusting, server).run().server.decision == .rejected(.trustDomain))
    }
  }
#endif
