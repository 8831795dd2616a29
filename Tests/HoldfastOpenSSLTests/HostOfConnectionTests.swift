#if OpenSSL
  import CHoldfastOpenSSL
  import Holdfast
  import HoldfastCertificates
  import TestSupport
  import Testing

  @testable import HoldfastOpenSSL

  /// Which host a server must have a certificate for: never an answer of what is missing.
  @Suite("The host of a connection") struct HostOfConnectionTests {
    static let versions: [CInt] = [TLS1_2_VERSION, TLS1_3_VERSION]

    /// How a client names the host of a connection.
    private enum Naming: CaseIterable {
      case nothing, name, address, otherAddress, nameAndAddress, serverName
    }

    @Test(
      "without a host no server is accepted, with one only its server, whatever the policy",
      arguments: versions, Policy.allCases)
    func naming(version: CInt, policy: Policy) throws {
      let names = [Made.dns(MemoryMaterial.host), Made.ip(127, 0, 0, 1)]
      let verifier = try policy.verifier()
      for isClient in [false, true] {
        let leaf = try SignedCertificate.leaf(by: "Root", 1, names: names) {
          if isClient { $0.extensions.append(MemoryMaterial.purpose("1.3.6.1.5.5.7.3.2")) }
        }
        let server = try MemoryContext(.server, version, presenting: MemoryIdentity([leaf]))
        for naming in Naming.allCases {
          let client = try MemoryContext(.client, version)
          try client.verifyServers(verifier)
          let handshake = try MemoryHandshake(
            client, server, serverName: naming == .serverName ? MemoryMaterial.host : nil)
          switch naming {
          case .nothing, .serverName: break
          case .name: handshake.expect(name: MemoryMaterial.host)
          case .address: handshake.expect(address: "127.0.0.1")
          case .otherAddress: handshake.expect(address: "127.0.0.2")
          case .nameAndAddress: handshake.expect(name: MemoryMaterial.host, address: "127.0.0.1")
          }
          let ends = handshake.run()
          let expected = expected(naming, isClient: isClient, isCareless: policy == .careless)
          #expect(ends.client.decision == expected, "\(naming), \(isClient)")
          #expect(ends.client.isDone == (expected == .accepted), "\(naming), \(isClient)")
        }
      }
    }

    private func expected(_ naming: Naming, isClient: Bool, isCareless: Bool) -> Decision {
      switch naming {
      case .nothing: .noHost
      case .nameAndAddress: .severalHosts
      case _ where isCareless: .accepted
      case _ where isClient: .rejected(.extendedKeyUsage)
      case .otherAddress: .rejected(.hostName)
      case .name, .address, .serverName: .accepted
      }
    }

    /// RFC 5246 §7.4.1.4: what is resumed has the extensions of the session.
    @Test("below TLS 1.3 a requested name is no host for a resumed session", arguments: versions)
    func resumedName(version: CInt) throws {
      let server = try MemoryContext(.server, version, presenting: MemoryMaterial.server())
      let client = try MemoryContext(.client, version)
      try client.verifyServers(MemoryMaterial.verifier())
      let first = try MemoryHandshake(client, server, serverName: MemoryMaterial.host)
      #expect(first.run().client.decision == .accepted)
      let ends = try MemoryHandshake(
        client, server, serverName: MemoryMaterial.host, session: first.session
      ).run()
      #expect(ends.client.isResumed)
      #expect(ends.client.decision == (version == TLS1_3_VERSION ? .accepted : .noHost))
      #expect(ends.client.isDone == (version == TLS1_3_VERSION))
    }

    @Test("a connection that is used again has nothing of what was decided", arguments: versions)
    func again(version: CInt) throws {
      let client = try MemoryContext(.client, version)
      try client.verifyServers(MemoryMaterial.verifier(), host: MemoryMaterial.host)
      let handshake = try MemoryHandshake(
        client, MemoryContext(.server, version, presenting: MemoryMaterial.server()))
      #expect(handshake.run().client.decision == .accepted)
      handshake.clear()
      #expect(handshake.decision == .notAsked)
      let begun = handshake.begin()
      #expect(begun.decision == .notAsked && begun.peer == nil)
    }

    @Test(
      "certificates that did not pass the verifier's message callback are not judged",
      arguments: versions)
    func unseen(version: CInt) throws {
      let client = try MemoryContext(.client, version)
      try client.verifyServers(MemoryMaterial.verifier(), host: MemoryMaterial.host)
      client.replaceMessageCallback()
      let ends = try MemoryHandshake(
        client, MemoryContext(.server, version, presenting: MemoryMaterial.server())
      ).run()
      #expect(ends.client.decision == .notSeen && ends.server.alert == 46)
    }

    @Test("a context of DTLS is an error at once")
    func datagrams() throws {
      let context = try MemoryContext(.datagrams)
      do throws(TLSError) {
        try context.verifyServers(TLSVerifier { _ in throw TrustError.noHost })
        Issue.record("installed")
      } catch {
        guard case .datagrams = error else {
          Issue.record("\(error)")
          return
        }
      }
    }

    @Test("a name that is not a host is an error before its address is looked up")
    func badHost() throws {
      let client = try TLSClient(MemoryMaterial.verifier())
      do throws(TLSError) {
        _ = try client.open(to: "www example")
        Issue.record("opened")
      } catch {
        guard case .invalidHost("www example", _) = error else {
          Issue.record("\(error)")
          return
        }
      }
    }
  }
#endif
