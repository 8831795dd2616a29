#if Curl
  internal import CHoldfastCurl

  /// The socket of a connection. Only the loop's thread uses it.
  final class OpenSocket {
    /// The number, which no other socket gets.
    let number: Int
    fileprivate let descriptor: curl_socket_t
    fileprivate(set) var isOpen = true
    /// The number of transfers that use the connection.
    var uses = 0
    /// Tells whether the server is still trusted; nil before the first request.
    var isTrusted: (() -> Bool)?

    fileprivate init(_ number: Int, _ descriptor: curl_socket_t) {
      self.number = number
      self.descriptor = descriptor
    }
  }

  /// The sockets that libcurl has open. Only the loop's thread uses them.
  ///
  /// libcurl keeps idle connections, and has no function that closes one of them. A socket that is shut
  /// is as one that the server has closed: the server sees the end at once, and libcurl closes it when
  /// it looks for a connection.
  final class OpenSockets {
    private var sockets: [curl_socket_t: OpenSocket] = [:]
    private var count = 0

    /// Notes a socket that was opened.
    func add(_ descriptor: curl_socket_t) -> OpenSocket {
      count += 1
      let socket = OpenSocket(count, descriptor)
      sockets[descriptor] = socket
      return socket
    }

    /// Returns the open socket with a number.
    func socket(_ number: Int) -> OpenSocket? { sockets.values.first { $0.number == number } }

    /// Closes a socket.
    func close(_ descriptor: curl_socket_t) -> CInt {
      sockets.removeValue(forKey: descriptor)?.isOpen = false
      return holdfast_close_socket(descriptor)
    }

    /// Shuts the idle sockets whose servers are no longer trusted; returns whether transfers use others
    /// that have to be looked at when these end.
    func shutUntrusted() -> Bool {
      var isPending = false
      for socket in sockets.values {
        guard let isTrusted = socket.isTrusted else { continue }
        if socket.uses > 0 {
          isPending = true
        } else if !isTrusted() {
          socket.isTrusted = nil
          holdfast_shut_socket(socket.descriptor)
        }
      }
      return isPending
    }
  }
#endif
