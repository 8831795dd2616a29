#if OpenSSL
  import CHoldfastOpenSSL
  import Foundation
  import HoldfastCertificates
  import Testing

  @testable import HoldfastOpenSSL

  /// A `TLSConnection` over a pair of sockets, with a server of libssl on the other.
  enum SocketHandshake {
    /// What the server has seen once the handshake was complete.
    struct Seen: Sendable {
      /// What its first reading came to, of `SSL_get_error`.
      var result: CInt = 0
      /// The alert that it got.
      var error: TLSError?
      /// The number of bytes that came after that; negative if the socket was reset.
      var rest = 0
    }

    /// What the server does after the handshake, before it reads.
    enum Sending: Sendable {
      /// It sends these bytes, which need not be a record.
      case bytes([UInt8])
      /// It sends tickets, or requests for new keys (RFC 8446 §4.6.3), as long as the socket is open.
      case tickets, keyUpdates
    }

    /// Connects, does `body` with the connection, and returns what the server has seen.
    ///
    /// - Parameters:
    ///   - timeout: The longest wait for data.
    ///   - verifier: That of the client; nil for one that trusts the server.
    static func run(
      sending: Sending, timeout: Duration = .seconds(20), by verifier: TLSVerifier? = nil,
      _ body: (TLSConnection) -> Void
    ) async throws -> Seen {
      var pair: [CInt] = [0, 0]
      // SAFETY: two numbers are written into the array, which lives for the call.
      guard unsafe socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &pair) == 0 else {
        throw MemoryContext.Unusable()
      }
      let other = pair[1]
      let own = pair[0]
      return try await withCheckedThrowingContinuation { continuation in
        // Both sides block: the server has a thread of its own.
        Thread.detachNewThread {
          continuation.resume(with: Result { try serve(other, sending) })
        }
        do {
          var options = TLSClient.Options()
          options.timeout = timeout
          let connection = try TLSConnection(
            TLSClient(verifier ?? MemoryMaterial.verifier(), options: options), Socket(own),
            host: HostName(MemoryMaterial.host), server: MemoryMaterial.host,
            sessions: TLSSessions().place(""), Deadline(after: .seconds(300)))
          try connection.handshake()
          body(connection)
        } catch {
          Issue.record(error)
        }
      }
    }

    private static func serve(_ descriptor: CInt, _ sending: Sending) throws -> Seen {
      // SAFETY: the connection is freed and the descriptor closed here; what is lent lives for each call.
      // A client that has closed its socket must not end the process.
      var signals = sigset_t()
      unsafe sigemptyset(&signals)
      unsafe sigaddset(&signals, SIGPIPE)
      unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
      let context = try MemoryContext(.server, presenting: try MemoryMaterial.server())
      // The client may have closed its socket by then.
      context.sendNoTickets()
      let ssl = unsafe try context.makeConnection()
      defer {
        unsafe SSL_free(ssl)
        _ = close(descriptor)
      }
      unsafe SSL_set_fd(ssl, descriptor)
      guard unsafe SSL_accept(ssl) == 1 else { throw MemoryContext.Unusable() }
      switch sending {
      case .bytes(let bytes): unsafe _ = write(descriptor, bytes, bytes.count)
      case .tickets, .keyUpdates:
        // OpenSSL does not say that a ticket found the socket closed: the client's close_notify does.
        var byte: UInt8 = 0
        while unsafe recv(descriptor, &byte, 1, CInt(MSG_PEEK | MSG_DONTWAIT)) < 0 {
          let isSent =
            if case .tickets = sending {
              unsafe SSL_new_session_ticket(ssl) == 1
            } else {
              unsafe SSL_key_update(ssl, SSL_KEY_UPDATE_NOT_REQUESTED) == 1
            }
          guard isSent, unsafe SSL_do_handshake(ssl) == 1 else { break }
        }
      }
      var (seen, bytes) = (Seen(), [UInt8](repeating: 0, count: 100))
      let count = unsafe SSL_read(ssl, &bytes, 100)
      seen.result = unsafe SSL_get_error(ssl, count)
      seen.error = TLSError.latest()
      seen.rest = unsafe read(descriptor, &bytes, 100)
      return seen
    }
  }
#endif
