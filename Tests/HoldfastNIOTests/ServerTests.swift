#if NIO && Curl
  import HTTPTestSupport
  import Holdfast
  import HoldfastIdentities
  import HoldfastNIO
  import HoldfastOpenSSL
  import NIOCore
  import NIOSSL
  import Testing

  /// Which clients a server of NIOSSL accepts, by certificate and by ticket. The clients are
  /// OpenSSL's, because NIOSSL's never resume.
  @Suite(
    "Clients of NIOSSL", .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"),
    .timeLimit(.minutes(10)))
  struct ServerTests {
    private static let versions: [HoldfastOpenSSL.TLSVersion] = [.tls12, .tls13]

    private func client(
      _ identity: Identity?, _ version: HoldfastOpenSSL.TLSVersion
    ) throws -> TLSClient {
      var options = TLSClient.Options()
      options.minimumVersion = version
      options.maximumVersion = version
      options.resumesSessions = true
      options.identity = identity
      return try TLSClient(TLSVerifier(try Material.manager()), options: options)
    }

    private struct Answer: Equatable {
      var text: String
      var isResumed: Bool
    }

    /// Says `world`; returns what came back, and whether a session was resumed.
    private func talk(_ client: TLSClient, to server: EchoServer) throws(TLSError) -> Answer {
      let connection = try client.connect(
        to: "localhost", port: server.port, address: "127.0.0.1")
      defer { connection.close() }
      var answer: [UInt8] = []
      do throws(TLSError) {
        try connection.write(Array("world".utf8))
        while answer.count < 11 {
          let next = try connection.read()
          if next.isEmpty { break }
          answer += next
        }
      } catch {
        if answer.isEmpty { throw error }
      }
      return Answer(
        text: String(decoding: answer, as: UTF8.self), isResumed: connection.isResumed)
    }

    /// Expects that the client gets no byte of the application, and returns the server's reason.
    private func rejection(
      _ client: TLSClient, by server: EchoServer
    ) async throws -> TrustError? {
      do throws(TLSError) {
        let answer = try talk(client, to: server)
        #expect(answer.text.isEmpty, "a byte of the application has passed")
      } catch {
        // Under TLS 1.2 the handshake fails, under TLS 1.3 the first read.
      }
      let error = try await server.firstError()
      #expect(server.takeSeen().clients.isEmpty)
      return error as? TrustError
    }

    private func server(
      _ settings: ServerSettings, _ verification: CertificateVerification = .noHostnameVerification
    ) throws -> EchoServer {
      try EchoServer(try Contexts.server("good", verification), choosing: settings.choose)
    }

    @Test("a resumed client is judged anew, and accepted while it may be", arguments: versions)
    func resumed(version: HoldfastOpenSSL.TLSVersion) throws {
      let server = try server(ServerSettings())
      let client = try client(Material.identity("client"), version)
      #expect(try talk(client, to: server) == Answer(text: "hello world", isResumed: false))
      #expect(try talk(client, to: server) == Answer(text: "hello world", isResumed: true))
      #expect(server.takeSeen().clients.allSatisfy { $0 == "client" })
    }

    @Test("a client below an intermediate is resumed with it", arguments: versions)
    func resumedBelowIntermediate(version: HoldfastOpenSSL.TLSVersion) throws {
      let server = try server(ServerSettings())
      let client = try client(Material.identity("below", with: "middle"), version)
      #expect(try talk(client, to: server) == Answer(text: "hello world", isResumed: false))
      #expect(try talk(client, to: server) == Answer(text: "hello world", isResumed: true))
      #expect(server.takeSeen().clients.allSatisfy { $0 == "below" })
    }

    @Test(
      "a client whose certificate has expired since gets in with no ticket", arguments: versions)
    func expired(version: HoldfastOpenSSL.TLSVersion) async throws {
      let settings = try ServerSettings()
      let server = try server(settings)
      let client = try client(Material.identity("client"), version)
      _ = try talk(client, to: server)
      settings.advance(days: 31)
      #expect(server.takeSeen().errors.isEmpty)
      guard case .invalidPath(let error)? = try await rejection(client, by: server) else {
        Issue.record("not rejected for its path")
        return
      }
      #expect(error.rejections.first?.rule == .expired)
    }

    @Test(
      "with a callback alone, NIOSSL lets the same client in with its ticket", arguments: versions)
    func expiredWithoutHandler(version: HoldfastOpenSSL.TLSVersion) async throws {
      let settings = try ServerSettings()
      let server = try EchoServer(
        try Contexts.server("good", .noHostnameVerification), withHandler: false,
        choosing: settings.choose)
      let client = try client(Material.identity("client"), version)
      _ = try talk(client, to: server)
      settings.advance(days: 31)
      #expect(try talk(client, to: server) == Answer(text: "hello world", isResumed: true))
      let other = try self.client(Material.identity("client"), version)
      let refused = Result { () throws(TLSError) in try talk(other, to: server) }
      #expect((try? refused.get().text) ?? "" == "", "a full handshake asks the callback")
    }

    @Test("a client that other anchors accepted is rejected with its ticket", arguments: versions)
    func otherAnchors(version: HoldfastOpenSSL.TLSVersion) async throws {
      let settings = try ServerSettings()
      let server = try server(settings)
      let client = try client(Material.identity("below", with: "middle"), version)
      _ = try talk(client, to: server)
      _ = server.takeSeen()
      // Another verifier on the same context: the same ticket key.
      try settings.use(clientsBelow: "other-root")
      guard case .invalidPath(let error)? = try await rejection(client, by: server) else {
        Issue.record("not rejected for its path")
        return
      }
      #expect(error.rejections.first?.rule == .issuerNotFound)
    }

    @Test(
      "another verifier decides for itself, by the certificate in the ticket", arguments: versions)
    func otherVerifier(version: HoldfastOpenSSL.TLSVersion) async throws {
      let settings = try ServerSettings()
      let server = try server(settings)
      let (direct, below) = (
        try client(Material.identity("client"), version),
        try client(Material.identity("below", with: "middle"), version)
      )
      for client in [direct, below] { _ = try talk(client, to: server) }
      try settings.use(clientsBelow: "root")
      #expect(try talk(direct, to: server) == Answer(text: "hello world", isResumed: true))
      _ = server.takeSeen()
      // It has not seen the intermediate, which a ticket does not give to it.
      #expect(try await rejection(below, by: server) != nil)
    }

    @Test(
      "a ticket of a server with the same key is good where the client may be accepted",
      arguments: versions)
    func sharedTicketKey(version: HoldfastOpenSSL.TLSVersion) async throws {
      let context = try Contexts.server("good", .noHostnameVerification)
      let client = try client(Material.identity("client"), version)
      let first = try EchoServer(context, choosing: ServerSettings().choose)
      _ = try talk(client, to: first)
      // At the same place, so that the client offers its ticket.
      try first.close()
      let second = try EchoServer(context, port: first.port, choosing: ServerSettings().choose)
      #expect(try talk(client, to: second) == Answer(text: "hello world", isResumed: true))
      try second.close()
      let other = try ServerSettings(clientsBelow: "other-root")
      let third = try EchoServer(context, port: first.port, choosing: other.choose)
      guard case .invalidPath(let error)? = try await rejection(client, by: third) else {
        Issue.record("not rejected for its path")
        return
      }
      #expect(error.rejections.first?.rule == .issuerNotFound)
    }

    @Test("a ticket of another server begins a full handshake", arguments: versions)
    func otherServer(version: HoldfastOpenSSL.TLSVersion) throws {
      let client = try client(Material.identity("client"), version)
      let first = try server(ServerSettings())
      _ = try talk(client, to: first)
      #expect(try talk(client, to: first).isResumed)
      // At the same place, so that the client offers its ticket.
      try first.close()
      let second = try EchoServer(
        try Contexts.server("good", .noHostnameVerification), port: first.port,
        choosing: ServerSettings().choose)
      #expect(try talk(client, to: second) == Answer(text: "hello world", isResumed: false))
    }

    @Test("a client without a certificate is rejected, unless it is optional", arguments: versions)
    func withoutCertificate(version: HoldfastOpenSSL.TLSVersion) async throws {
      let client = try client(nil, version)
      let optional = try server(ServerSettings(), .optionalVerification)
      #expect(try talk(client, to: optional) == Answer(text: "hello world", isResumed: false))
      #expect(try talk(client, to: optional).text == "hello world")
      #expect(optional.takeSeen().clients.allSatisfy { $0 == "nobody" })
      let required = try server(ServerSettings())
      _ = try await rejection(client, by: required)
    }

    @Test("a client of an unknown CA is rejected, also where certificates are optional")
    func unknownCA() async throws {
      for verification in [CertificateVerification.noHostnameVerification, .optionalVerification] {
        let server = try server(ServerSettings(clientsBelow: "other-root"), verification)
        guard
          case .invalidPath(let error)? =
            try await rejection(try client(Material.identity("client"), .tls13), by: server)
        else {
          Issue.record("not rejected for its path")
          return
        }
        #expect(error.rejections.first?.rule == .issuerNotFound)
      }
    }
  }
#endif
