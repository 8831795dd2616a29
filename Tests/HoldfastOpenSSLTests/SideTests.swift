#if OpenSSL
  import CHoldfastOpenSSL
  import Holdfast
  import Testing

  @testable import HoldfastOpenSSL

  /// A verifier of servers does not serve a server, nor the other way around.
  @Suite("Sides of a connection") struct SideTests {
    static let versions: [CInt] = [TLS1_2_VERSION, TLS1_3_VERSION]

    private func isWrongSide(_ install: () throws(TLSError) -> Void) -> Bool {
      do throws(TLSError) {
        try install()
        return false
      } catch {
        return if case .wrongSide = error { true } else { false }
      }
    }

    private func isWrongSide(_ outcome: TLSOutcome?) -> Bool {
      if case .rejected(let rejection) = outcome, case .wrongSide = rejection.reason {
        true
      } else {
        false
      }
    }

    @Test("a context of the other side is an error at once")
    func contexts() throws {
      let verifier = try MemoryMaterial.verifier()
      for (kind, isClient, isServer) in [
        (MemoryContext.Kind.client, true, false), (.server, false, true), (.both, true, true),
      ] {
        let context = try MemoryContext(kind)
        let client = isWrongSide { () throws(TLSError) in
          try context.verifyServers(verifier, host: MemoryMaterial.host)
        }
        let server = isWrongSide { () throws(TLSError) in
          try context.verifyClients(verifier)
        }
        #expect(client == !isClient, "\(kind)")
        #expect(server == !isServer, "\(kind)")
      }
    }

    @Test(
      "on a context of both sides, a server with a client's verifier lets no client in",
      arguments: versions, [true, false])
    func server(version: CInt, presents: Bool) throws {
      let server = try MemoryContext(.both, version, presenting: try MemoryMaterial.server())
      try server.verifyServers(MemoryMaterial.verifier())
      let client = try MemoryContext(
        .client, version, presenting: presents ? try MemoryMaterial.client() : nil)
      let ends = try MemoryHandshake(client, server, serverName: MemoryMaterial.host).run()
      #expect(!ends.server.isDone)
      #expect(isWrongSide(ends.server.outcome))
      guard case .alert(TLSAlert.certificateUnknown.rawValue, host: nil) = ends.client.error else {
        Issue.record("\(String(describing: ends.client.error))")
        return
      }
    }

    @Test(
      "that server lets no client in either if its callback for server names was replaced",
      arguments: versions, [true, false])
    func replaced(version: CInt, presents: Bool) throws {
      for requestsStaple in [false, true] {
        let server = try MemoryContext(.both, version, presenting: try MemoryMaterial.server())
        try server.verifyServers(MemoryMaterial.verifier())
        server.replaceServerNameCallback()
        let client = try MemoryContext(
          .client, version, presenting: presents ? try MemoryMaterial.client() : nil)
        if requestsStaple { try client.verifyServers(MemoryMaterial.verifier()) }
        let ends = try MemoryHandshake(client, server, serverName: MemoryMaterial.host).run()
        #expect(!ends.server.isDone && ends.server.error != nil)
        #expect(isWrongSide(ends.server.outcome) == presents)
        guard case .alert = ends.client.error else {
          Issue.record("\(String(describing: ends.client.error))")
          return
        }
      }
    }

    @Test(
      "on a context of both sides, a client with a server's verifier trusts no server",
      arguments: versions)
    func client(version: CInt) throws {
      let server = try MemoryContext(.server, version, presenting: try MemoryMaterial.server())
      let client = try MemoryContext(.both, version)
      try client.verifyClients(MemoryMaterial.verifier())
      let ends = try MemoryHandshake(client, server, serverName: MemoryMaterial.host).run()
      #expect(!ends.client.isDone)
      #expect(isWrongSide(ends.client.outcome))
    }

    @Test(
      "each side verifies the other, on contexts of its side and of both", arguments: versions,
      [MemoryContext.Kind.client, .both])
    func right(version: CInt, kind: MemoryContext.Kind) throws {
      let server = try MemoryContext(
        kind == .both ? .both : .server, version, presenting: try MemoryMaterial.server())
      try server.verifyClients(MemoryMaterial.verifier())
      for presents in [true, false] {
        let client = try MemoryContext(
          kind, version, presenting: presents ? try MemoryMaterial.client() : nil)
        try client.verifyServers(
          MemoryMaterial.verifier(), host: MemoryMaterial.host)
        let ends = try MemoryHandshake(client, server).run()
        guard case .accepted = ends.client.outcome else {
          Issue.record("\(String(describing: ends.client))")
          return
        }
        if presents {
          #expect(ends.client.isDone && ends.server.isDone)
          #expect(ends.client.error == nil && ends.server.error == nil)
          guard case .accepted = ends.server.outcome else {
            Issue.record("\(String(describing: ends.server))")
            return
          }
        } else {
          // RFC 8446 §4.4.2.4: certificate_required; below TLS 1.3 handshake_failure.
          let alert: UInt8 = version == TLS1_3_VERSION ? 116 : 40
          guard !ends.server.isDone, case .alert(alert, host: nil) = ends.client.error else {
            Issue.record("\(ends)")
            return
          }
        }
      }
    }
  }
#endif
