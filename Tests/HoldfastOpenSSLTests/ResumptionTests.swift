#if OpenSSL
  import CHoldfastOpenSSL
  import Holdfast
  import HoldfastCertificates
  import TestSupport
  import Testing

  @testable import HoldfastOpenSSL

  /// Sessions that their owner offers: what was decided in the full handshake, and nothing else, is
  /// what a resumed one rests on.
  @Suite("Resumption, by clients and servers") struct ResumptionTests {
    static let versions: [CInt] = [TLS1_2_VERSION, TLS1_3_VERSION]
    private static let host = MemoryMaterial.host

    /// A handshake of a client that verifies servers with one that has a certificate.
    private struct Pair {
      let client: MemoryContext
      let server: MemoryContext

      func handshake(
        offering session: MemorySession? = nil, host: String = host
      ) throws -> MemoryHandshake {
        let handshake = try MemoryHandshake(client, server, serverName: host, session: session)
        try handshake.setHost(host)
        return handshake
      }

      func session() throws -> MemorySession {
        let handshake = try handshake()
        let ends = handshake.run()
        #expect(ends.client.decision == .accepted && ends.client.isDone)
        return try #require(handshake.session)
      }
    }

    /// A server whose certificate ends a day and a half later.
    private func server(_ version: CInt) throws -> (MemoryContext, leaf: Certificate) {
      let leaf = try SignedCertificate.leaf(by: "Root", 1) { $0.notAfter = "260102120000Z" }
      return (
        try MemoryContext(.server, version, presenting: MemoryIdentity([leaf])), leaf
      )
    }

    private func expectSessionRejected(
      _ handshake: MemoryHandshake, at location: SourceLocation = #_sourceLocation
    ) {
      let ends = handshake.run()
      #expect(ends.client.isResumed && !ends.client.isDone, sourceLocation: location)
      #expect(ends.client.decision == .session, sourceLocation: location)
      // certificate_unknown.
      #expect(ends.server.alert == 46, sourceLocation: location)
    }

    @Test(
      "a client resumes only what its own verifier accepted, for that host and while it holds",
      arguments: versions)
    func client(version: CInt) throws {
      let clock = MemoryClock()
      let (server, leaf) = try server(version)
      let verifier = TLSVerifier(
        try MemoryMaterial.manager(pins: [leaf]), clock: { clock.now })
      let pair = Pair(client: try MemoryContext(.client, version), server: server)
      try pair.client.verifyServers(verifier)

      let first = try pair.session()
      #expect(first.mayBeOffered(by: verifier, host: Self.host))
      #expect(!first.mayBeOffered(by: verifier, host: "localhost"))
      let resumed = try pair.handshake(offering: first).run()
      #expect(resumed.client.isResumed && resumed.client.isDone)
      #expect(resumed.client.decision == .accepted)

      expectSessionRejected(try pair.handshake(offering: pair.session(), host: "localhost"))

      let late = try pair.session()
      clock.advance(byDays: 2)
      #expect(!late.mayBeOffered(by: verifier, host: Self.host))
      expectSessionRejected(try pair.handshake(offering: late))
      let expired = try pair.handshake().run()
      #expect(expired.client.decision == .rejected(.expired) && expired.server.alert == 45)

      clock.advance(byDays: -2)
      let early = try pair.session()
      clock.advance(byDays: -1)
      expectSessionRejected(try pair.handshake(offering: early))
      clock.advance(byDays: 1)

      // Pinned to another key, and with the same pins in a verifier of its own.
      for pins in [[try SignedCertificate.leaf(by: "Root", 1) { $0.key = 102 }], [leaf]] {
        let other = Pair(client: try MemoryContext(.client, version), server: server)
        try other.client.verifyServers(
          TLSVerifier(try MemoryMaterial.manager(pins: pins), clock: { clock.now }))
        expectSessionRejected(try other.handshake(offering: pair.session()))
        #expect(
          try other.handshake().run().client.decision == (pins == [leaf] ? .accepted : .pins))
      }

      let careless = Pair(client: try MemoryContext(.client, version), server: server)
      let plain = try careless.handshake()
      #expect(plain.run().client.isDone)
      expectSessionRejected(try pair.handshake(offering: plain.session))
    }

    /// A server that verifies clients.
    private func strict(
      _ version: CInt, _ clock: MemoryClock, requiresCertificate: Bool = true
    ) throws -> MemoryContext {
      let context = try MemoryContext(.server, version, presenting: MemoryMaterial.server())
      try context.verifyClients(
        TLSVerifier(MemoryMaterial.validator(), clock: { clock.now }),
        requiresCertificate: requiresCertificate)
      return context
    }

    /// A client, whose certificate ends a day and a half later.
    private func ada(_ version: CInt) throws -> MemoryContext {
      let context = try MemoryContext(
        .client, version, presenting: MemoryMaterial.client { $0.notAfter = "260102120000Z" })
      try context.verifyServers(MemoryMaterial.verifier())
      return context
    }

    @Test("a server resumes a peer's session for the same host alone", arguments: versions)
    func peers(version: CInt) throws {
      let server = try strict(version, MemoryClock())
      let client = try MemoryContext(
        .client, version,
        presenting: MemoryMaterial.client {
          $0.extensions[0] = Made.alternativeNames([Made.dns("a.example"), Made.dns("b.example")])
        })
      try client.verifyServers(MemoryMaterial.verifier(), host: Self.host)
      func handshake(
        _ peer: String?, offering session: MemorySession? = nil
      ) throws -> (MemoryHandshake, MemoryHandshake.End) {
        let handshake = try MemoryHandshake(
          client, server, serverName: Self.host, session: session)
        if let peer { try handshake.setPeer(peer) }
        return (handshake, handshake.run().server)
      }
      let (first, ends) = try handshake("a.example")
      #expect(ends.decision == .accepted)
      let again = try handshake("a.example", offering: first.session).1
      #expect(again.isResumed && again.decision == .notAsked && again.client == nil)
      // The certificate has the other name as well, but that was not asked about.
      for peer in ["b.example", nil] {
        let ends = try handshake(peer, offering: first.session).1
        #expect(!ends.isResumed && ends.decision == .accepted)
      }
      #expect(
        try handshake("c.example", offering: first.session).1.decision == .rejected(.hostName))
    }

    @Test(
      "a server resumes its own tickets while the client's verdict holds, and no other session",
      arguments: versions)
    func server(version: CInt) throws {
      let clock = MemoryClock()
      let ada = try ada(version)
      let pair = Pair(client: ada, server: try strict(version, clock))
      let resumed = try pair.handshake(offering: pair.session()).run()
      // Nothing is decided about the client again, but who it is is known.
      #expect(resumed.server.isResumed && resumed.server.decision == .notAsked)
      #expect(resumed.server.client?.name == "Leaf" && resumed.client.client == nil)

      // The tickets of another context, and of one that requires no certificate.
      let first = try pair.session()
      for requires in [true, false] {
        let other = Pair(
          client: ada, server: try strict(version, clock, requiresCertificate: requires))
        let ends = try other.handshake(offering: first).run()
        #expect(ends.server.decision == .accepted && !ends.server.isResumed)
        #expect(ends.server.client?.name == "Leaf")
      }

      let late = try pair.session()
      clock.advance(byDays: 2)
      let ends = try pair.handshake(offering: late).run()
      #expect(ends.server.decision == .rejected(.expired) && !ends.server.isDone)
      #expect(!ends.server.isResumed && ends.client.alert == 45 && ends.server.client == nil)
      clock.advance(byDays: -2)

      // Without tickets the server would have to keep the verdicts itself: it resumes nothing.
      let stateful = Pair(client: ada, server: try strict(version, clock))
      stateful.server.keepSessions()
      let full = try stateful.handshake(offering: stateful.session()).run()
      #expect(full.server.decision == .accepted && !full.server.isResumed)
    }

    @Test("a ticket cannot ask a policy that may change, and is not resumed", arguments: versions)
    func changing(version: CInt) throws {
      let (clock, generation) = (MemoryClock(), TrustGeneration())
      let validator = try MemoryMaterial.validator()
      let server = try MemoryContext(.server, version, presenting: MemoryMaterial.server())
      try server.verifyClients(
        TLSVerifier(clock: { clock.now }) { peer in
          let path = try validator.validate(peer.question(for: .client))
          return Verdict(.validPath, host: nil, path: path, at: peer.time)
            .limited(to: generation.mark)
        }, requiresCertificate: true)
      let pair = Pair(client: try ada(version), server: server)
      let again = try pair.handshake(offering: pair.session()).run()
      #expect(again.server.decision == .accepted && !again.server.isResumed)
      #expect(again.client.isDone)
    }

    /// RFC 8446 §4.6.1: with each resumption the server issues another ticket.
    @Test("the ticket of a resumed session ends with the verdict of the first handshake")
    func renewed() throws {
      let clock = MemoryClock()
      let pair = Pair(client: try ada(TLS1_3_VERSION), server: try strict(TLS1_3_VERSION, clock))
      let second = try pair.handshake(offering: pair.session())
      let ends = second.run()
      #expect(ends.server.isResumed && ends.client.isDone)
      let ticket = try #require(second.session)
      clock.advance(byDays: 1)
      let inTime = try pair.handshake(offering: ticket).run()
      #expect(inTime.server.isResumed && inTime.client.isDone)
      clock.advance(byDays: 1)
      let late = try pair.handshake(offering: ticket).run()
      #expect(late.server.decision == .rejected(.expired) && !late.server.isResumed)
    }

    /// RFC 8446 §4.6.2.
    @Test("a ticket after a late certificate has the range of that certificate's verdict")
    func late() throws {
      let clock = MemoryClock()
      let pair = Pair(
        client: try ada(TLS1_3_VERSION),
        server: try strict(TLS1_3_VERSION, clock, requiresCertificate: false))
      pair.client.allowLateCertificates()
      func handshake(offering session: MemorySession? = nil) throws -> MemoryHandshake {
        let handshake = try pair.handshake(offering: session)
        handshake.askForNoCertificate()
        return handshake
      }
      let first = try handshake()
      #expect(first.run().server.decision == .notAsked)
      let second = try handshake(offering: first.session)
      let asked = second.runAskingLate()
      #expect(asked.server.isResumed && asked.server.decision == .accepted)
      let third = try handshake(offering: second.session).run()
      #expect(third.server.isResumed && third.server.decision == .notAsked)
      clock.advance(byDays: 2)
      let expired = try pair.handshake(offering: second.session).run()
      #expect(expired.server.decision == .rejected(.expired) && !expired.server.isResumed)
    }

    /// OpenSSL resumes before it chooses a context by the server name.
    @Test(
      "a session for one server name is resumed under no other name, and under none",
      arguments: versions, [true, false])
    func names(version: CInt, hasTickets: Bool) throws {
      let a = try strict(version, MemoryClock())
      let b = try MemoryContext(.server, version, presenting: MemoryMaterial.server())
      try b.verifyClients(
        TLSVerifier { _ in throw TrustError.rejected(reason: "none is accepted") })
      if !hasTickets { for context in [a, b] { context.keepSessions() } }
      a.chooseByName(b)
      let client = try MemoryContext(.client, version, presenting: MemoryMaterial.client())
      try client.verifyServers(MemoryMaterial.verifier(), host: Self.host)
      func run(
        _ name: String?, offering session: MemorySession? = nil
      ) throws -> (server: MemoryHandshake.End, session: MemorySession?) {
        let handshake = try MemoryHandshake(client, a, serverName: name, session: session)
        let ends = handshake.run()
        return (ends.server, handshake.session)
      }
      let first = try run("a.example")
      #expect(first.server.decision == .accepted)
      #expect(try run("b.example").server.decision == .other)
      let moved = try run("b.example", offering: first.session).server
      #expect(moved.decision == .other && !moved.isResumed && !moved.isDone)
      let again = try run("a.example", offering: run("a.example").session).server
      #expect(again.isResumed == hasTickets)
      #expect(again.decision == (hasTickets ? .notAsked : .accepted))
      let nameless = try run(nil, offering: run("a.example").session).server
      #expect(nameless.decision == .accepted && !nameless.isResumed)
    }
  }
#endif
