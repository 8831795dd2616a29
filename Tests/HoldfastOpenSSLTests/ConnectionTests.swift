#if OpenSSL
  import CHoldfastOpenSSL
  import HoldfastCertificates
  import HoldfastDER
  import Testing

  @testable import HoldfastOpenSSL

  /// How a `TLSConnection` ends.
  @Suite("The end of a TLS connection", .timeLimit(.minutes(10))) struct ConnectionTests {
    @Test("a connection that is closed sends close_notify, and leaves no error in OpenSSL's queue")
    func closed() async throws {
      let seen = try await SocketHandshake.run(sending: .bytes([])) { connection in
        connection.close()
        #expect(ERR_peek_error() == 0)
        // A second time nothing happens.
        connection.close()
        #expect(ERR_peek_error() == 0)
      }
      #expect(seen.result == SSL_ERROR_ZERO_RETURN)
      #expect(seen.rest <= 0)
    }

    @Test(
      "a server that sends messages without data, and never ends, keeps no reader beyond the time",
      arguments: [.tickets, .keyUpdates] as [SocketHandshake.Sending])
    func flood(sending: SocketHandshake.Sending) async throws {
      _ = try await SocketHandshake.run(sending: sending, timeout: .milliseconds(200)) {
        connection in
        do throws(TLSError) {
          _ = try connection.read()
          Issue.record("data")
        } catch {
          guard case .timeout = error else {
            Issue.record("\(error)")
            return
          }
        }
      }
    }

    @Test("after an error of TLS the alert is sent and nothing else, and the queue is empty")
    func failed() async throws {
      // RFC 8446 §5.2: a record that cannot be decrypted.
      let garbage: [UInt8] = [23, 3, 3, 0, 32] + [UInt8](repeating: 7, count: 32)
      let seen = try await SocketHandshake.run(sending: .bytes(garbage)) { connection in
        #expect(throws: TLSError.self) { _ = try connection.read() }
        #expect(ERR_peek_error() == 0)
        // What follows an error is not the end of the stream.
        #expect(throws: TLSError.self) { _ = try connection.read() }
        #expect(throws: TLSError.self) { try connection.write([1]) }
        connection.close()
        #expect(ERR_peek_error() == 0)
      }
      // bad_record_mac. RFC 8446 §6.2.
      guard case .alert(20, host: nil) = seen.error else {
        Issue.record("\(seen)")
        return
      }
      #expect(seen.rest <= 0)
    }

    /// An error of a policy of one's own.
    private struct Odd: Error, CustomStringConvertible { var description: String { "it is odd" } }

    @Test("a rejection by a policy of one's own names the server, and a client has no name")
    func ownPolicy() {
      let line = TLSRejection(Odd(), host: "a.example").logLine
      #expect(line == "a.example: it is odd code=rejected")
      #expect(TLSRejection(Odd(), host: nil).logLine == "it is odd code=rejected")
      #expect(TLSRejection(Odd(), host: "a.example").alert == .certificateUnknown)
    }

    @Test("what a server answers to STARTTLS, and hosts, are shown without control characters")
    func texts() throws {
      let evil = "a\u{1B}[2J\u{9B}31m\u{202E}\r\nb"
      let noHost = try #require(throws: HostNameError.self) { try HostName("") }
      for error in [
        TLSError.startTLS(.smtp, answer: evil), .invalidHost(evil, noHost),
        .noAddress(host: evil, ""), .timeout(host: evil), .alert(48, host: evil),
        .unreachable(host: evil, port: 1, ""),
      ] {
        #expect("\(error)".unicodeScalars.allSatisfy(Printable.isItself), "\(error)")
        #expect("\(error)".contains("\\u{1B}[2J"))
      }
      let credentials = TLSError.invalidHost("https://me:secret@a.example", noHost)
      #expect("\(credentials)".hasPrefix("\"https://…@a.example\" is not a host"))
    }
  }
#endif
