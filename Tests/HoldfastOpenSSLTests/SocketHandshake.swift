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

    /// Connects, does `body` with the connection, and returns what the server has seen.
    ///
    /// - Parameter garbage: What the server sends after the handshake instead of a record.
    static func run(
      sending garbage: [UInt8], _ body: (TLSConnection) -> Void
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
          continuation.resume(with: Result { try serve(other, garbage) })
        }
        do {
          let connection = try TLSConnection(
            TLSClient(MemoryMaterial.verifier()), Socket(own),
            host: HostName(MemoryMaterial.host), server: MemoryMaterial.host,
            sessions: TLSSessions().place(""), Deadline(after: .seconds(20)))
          try connection.handshake()
          body(connection)
        } catch {
          Issue.record(error)
        }
      }
    }

    private static func serve(_ descriptor: CInt, _ garbage: [UInt8]) throws -> Seen {
      // SAFETY: the connection is freed and the descriptor closed here; the buffer lives for each call.
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
      if !garbage.isEmpty { unsafe _ = write(descriptor, garbage, garbage.count) }
      var (seen, bytes) = (Seen(), [UInt8](repeating: 0, count: 100))
      let count = unsafe SSL_read(ssl, &bytes, 100)
      seen.result = unsafe SSL_get_error(ssl, count)
      seen.error = TLSError.latest()
      seen.rest = unsafe read(descriptor, &bytes, 100)
      return seen
    }
  }
#endif
