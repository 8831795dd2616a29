#if OpenSSL
  import CHoldfastOpenSSL
  import Foundation
  import Holdfast
  import TestSupport
  import Testing

  @testable import HoldfastOpenSSL

  /// What was decided before the trust was replaced.
  @Suite("Trust that is replaced, in libssl", .timeLimit(.minutes(10))) struct LiveTrustTests {
    private static let versions: [CInt] = [TLS1_2_VERSION, TLS1_3_VERSION]
    private let host = MemoryMaterial.host

    private func client(_ trust: LiveTrust, _ version: CInt) throws -> (TLSVerifier, MemoryContext)
    {
      let verifier = TLSVerifier(trust, clock: { MemoryMaterial.time })
      let context = try MemoryContext(.client, version)
      try context.verifyServers(verifier)
      return (verifier, context)
    }

    @Test(
      "a connection and its session are judged again after an update, resumed ones too",
      arguments: versions)
    func judgedAgain(version: CInt) throws {
      let leaf = try SignedCertificate.leaf(by: "Root", 1) { $0.serialNumber = 2 }
      let (good, bad) = (
        try MemoryMaterial.manager(pins: [leaf]),
        try MemoryMaterial.manager(pins: [SignedCertificate.leaf(by: "Root", 1) { $0.key = 102 }])
      )
      let trust = LiveTrust(good)
      let (verifier, client) = try client(trust, version)
      let server = try MemoryContext(.server, version, presenting: MemoryMaterial.server())
      func handshake(offering session: MemorySession? = nil) throws -> MemoryHandshake {
        let handshake = try MemoryHandshake(client, server, serverName: host, session: session)
        try handshake.setHost(host)
        return handshake
      }
      let first = try handshake()
      #expect(first.run().client.decision == .accepted)
      let session = try #require(first.session)
      let second = try handshake(offering: session)
      #expect(second.run().client.isResumed)
      for connection in [first, second] {
        // The first request follows the handshake, and is judged again if an update came between.
        trust.update(good)
        #expect(connection.mayRequest(verifier, host: host))
        trust.update(good)
        #expect(connection.mayRequest(verifier, host: host))
      }
      trust.update(good)
      #expect(session.mayBeOffered(by: verifier, host: host))
      #expect(try handshake(offering: session).run().client.decision == .accepted)

      trust.update(bad)
      #expect(!first.mayRequest(verifier, host: host) && !second.mayRequest(verifier, host: host))
      #expect(!session.mayBeOffered(by: verifier, host: host))
      let refused = try handshake(offering: session).run()
      #expect(refused.client.isResumed && refused.client.decision == .session)
      #expect(try handshake().run().client.decision == .pins)
    }

    @Test("a verdict of before an update serves no first request after it", arguments: versions)
    func firstRequest(version: CInt) throws {
      let trust = LiveTrust(try MemoryMaterial.manager())
      let (verifier, client) = try client(trust, version)
      let server = try MemoryContext(.server, version, presenting: MemoryMaterial.server())
      let handshake = try MemoryHandshake(client, server, serverName: host)
      try handshake.setHost(host)
      #expect(handshake.run().client.decision == .accepted)
      trust.update(
        try MemoryMaterial.manager(pins: [SignedCertificate.leaf(by: "Root", 1) { $0.key = 102 }]))
      #expect(!handshake.mayRequest(verifier, host: host))
    }

    @Test(
      "a server resumes tickets until its trust is updated, and then asks for a certificate",
      arguments: versions)
    func tickets(version: CInt) throws {
      let trust = Live(try MemoryMaterial.validator())
      let server = try MemoryContext(.server, version, presenting: MemoryMaterial.server())
      try server.verifyClients(TLSVerifier(trust, clock: { MemoryMaterial.time }))
      let client = try MemoryContext(.client, version, presenting: MemoryMaterial.client())
      try client.verifyServers(MemoryMaterial.verifier(), host: host)
      func handshake(
        offering session: MemorySession? = nil
      ) throws -> (MemoryHandshake.End, MemorySession?) {
        let handshake = try MemoryHandshake(client, server, serverName: host, session: session)
        return (handshake.run().server, handshake.session)
      }
      let session = try handshake().1
      let (again, renewed) = try handshake(offering: session)
      #expect(again.isResumed && again.isDone)

      trust.update(try MemoryMaterial.validator())
      for ticket in [session, renewed] {
        let ends = try handshake(offering: ticket).0
        #expect(!ends.isResumed && ends.decision == .accepted)
      }
      let current = try handshake().1
      #expect(try handshake(offering: current).0.isResumed)
      trust.update(
        PathValidator(
          anchors: AnchorSet([try SignedCertificate.authority("Other", 7, by: "Other", 7)]),
          rules: .rfc5280))
      let ends = try handshake(offering: current).0
      #expect(!ends.isResumed && !ends.isDone && ends.decision == .rejected(.issuerNotFound))
    }

    @Test("an idle connection to a server that is no longer trusted is closed by the update itself")
    func idle() async throws {
      let trust = LiveTrust(try MemoryMaterial.manager())
      let other = try MemoryMaterial.manager(
        pins: [SignedCertificate.leaf(by: "Root", 1) { $0.key = 102 }])
      let verifier = TLSVerifier(trust, clock: { MemoryMaterial.time })
      let seen = try await SocketHandshake.run(
        sending: .bytes([]), by: verifier
      ) { connection in
        do {
          trust.update(trust.value)
          try connection.write([1])
          trust.update(other)
        } catch {
          Issue.record(error)
        }
        for _ in 0..<2 {
          do throws(TLSError) {
            _ = try connection.read()
            Issue.record("data")
          } catch {
            guard case .rejected(let rejection) = error, case .notTrusted = rejection.reason else {
              Issue.record(error)
              return
            }
          }
        }
      }
      // The byte, and then the end.
      #expect(seen.result == SSL_ERROR_NONE && seen.rest == 0)
    }
  }
#endif
