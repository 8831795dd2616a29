#if Curl
  import Holdfast
  import HoldfastHTTP
  import HTTPTestSupport
  import HoldfastIdentities
  import HoldfastOpenSSL
  import Testing

  /// The client's own certificate.
  @Suite(
    "The certificate of a client", .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"),
    .timeLimit(.minutes(10)))
  struct OwnCertificateTests {
    @Test("a client certificate that has expired is not offered, and the error says so")
    func expiredIdentity() async throws {
      let (roots, manager) = (try Material.path("root.pem"), try Material.manager())
      let late = Timestamp.now.advanced(bySeconds: 31 * 86_400)
      let verifier = TLSVerifier(
        clock: { late },
        evaluate: { peer throws in try manager.evaluate(der: peer.chain, host: peer.host ?? "") })
      let identity = try Material.identity("client")
      let client = HTTPClient(verifier, options: HTTPOptions(identity: identity))
      var options = TLSClient.Options()
      options.identity = identity
      let message =
        "the client certificate cannot be used: CN=client expired at \(identity.leaf.notAfter)"
      for version in ["--tls1.2", "--tls1.3"] {
        let server = try LoopbackServer("good", version, "--clients", roots, "--optional")
        let failure = await #expect(throws: HTTPError.self) {
          try await client.data(from: server.url("/client"))
        }
        let error = try #require(failure)
        let line = "localhost:\(server.port): \(message) code=unusable_identity"
        #expect(error.logLine == line && !error.wasSent)
        let same = #expect(throws: TLSError.self) {
          try TLSClient(verifier, options: options).connect(
            to: "localhost", port: UInt16(server.port), address: "127.0.0.1")
        }
        #expect(same.map { "\($0)" } == message)
        #expect(try await server.log().requests.isEmpty)
      }
      // It does not matter to a server that does not ask for it.
      let other = try LoopbackServer()
      _ = try await client.data(from: other.url("/hello"))
      #expect(try await other.log().requests.map(\.target) == ["/hello"])
    }
  }
#endif
