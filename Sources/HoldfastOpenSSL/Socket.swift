#if OpenSSL
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #elseif canImport(Android)
    internal import Android
  #elseif canImport(Darwin)
    internal import Darwin
  #endif

  internal import HoldfastDER

  /// The time by which an operation must finish.
  struct Deadline {
    private let end: ContinuousClock.Instant

    init(after duration: Duration) {
      end = .now + duration
    }

    /// Throws once the time has passed: a peer that always sends is never waited for.
    func check() throws(TLSError) {
      guard milliseconds > 0 else { throw .timeout() }
    }

    /// The remaining milliseconds, for `poll`.
    var milliseconds: Int32 {
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else { return 0 }
      let (seconds, attoseconds) = left.components
      return Int32(
        clamping: min(seconds, 2_000_000) * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
    }
  }

  /// A TCP connection that never blocks for longer than its caller allows.
  final class Socket: Sendable {
    private let descriptor: CInt

    /// Takes over a descriptor, which is closed with the socket.
    init(_ descriptor: CInt) {
      self.descriptor = descriptor
    }

    deinit { _ = close(descriptor) }

    /// Ends both directions. Any thread may call it; reads then find the end of the stream.
    func shut() { _ = shutdown(descriptor, CInt(SHUT_RDWR)) }

    static var stream: CInt {
      #if canImport(Glibc)
        CInt(SOCK_STREAM.rawValue)
      #else
        CInt(SOCK_STREAM)
      #endif
    }

    /// The processes that the program starts, also meanwhile in another thread, inherit no socket.
    private static var closedOnExecution: CInt {
      #if canImport(Darwin)
        0
      #elseif canImport(Glibc)
        CInt(SOCK_CLOEXEC.rawValue)
      #else
        CInt(SOCK_CLOEXEC)
      #endif
    }

    /// Begins to connect; nil if the system has no socket for it, with the reason in `errno`.
    fileprivate static func begin(_ address: Address) -> (socket: Socket, error: CInt)? {
      let descriptor = socket(
        address.family, address.kind | Socket.closedOnExecution, address.protocolNumber)
      guard descriptor >= 0 else { return nil }
      let new = Socket(descriptor)
      return (new, new.begin(address.bytes))
    }

    /// Begins to connect; returns 0, `EINPROGRESS` or another error number.
    private func begin(_ address: [UInt8]) -> CInt {
      let flags = fcntl(descriptor, F_GETFL)
      guard fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0 else { return errno }
      #if canImport(Darwin)
        // Darwin has no flag for it.
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { return errno }
      #endif
      var one: CInt = 1
      // SAFETY: the values live for the calls.
      unsafe _ = setsockopt(
        descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<CInt>.size))
      #if canImport(Darwin)
        unsafe _ = setsockopt(
          descriptor, SOL_SOCKET, SO_NOSIGPIPE, &one, socklen_t(MemoryLayout<CInt>.size))
      #endif
      // SAFETY: the bytes are a `sockaddr` of this length, which lives for the call.
      let status = unsafe address.withUnsafeBytes { bytes in
        // Android's `connect` takes no null pointer.
        guard let start = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress else {
          errno = EINVAL
          return CInt(-1)
        }
        let length = socklen_t(bytes.count)
        #if canImport(Darwin)
          return unsafe Darwin.connect(descriptor, start, length)
        #elseif canImport(Glibc)
          return unsafe Glibc.connect(descriptor, start, length)
        #elseif canImport(Musl)
          return unsafe Musl.connect(descriptor, start, length)
        #else
          return unsafe Android.connect(descriptor, start, length)
        #endif
      }
      return status == 0 ? 0 : errno
    }

    /// The error number with which a connection that was begun has ended; 0 if it is made.
    fileprivate var connectionError: CInt {
      var number: CInt = 0
      var size = socklen_t(MemoryLayout<CInt>.size)
      // SAFETY: the values live for the call.
      guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size) == 0 else {
        return errno
      }
      return number
    }

    /// Waits until the socket is ready; returns false on timeout.
    private func wait(for events: CInt, _ deadline: Deadline) -> Bool {
      while true {
        var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        // SAFETY: one request, which lives for the call.
        let count = unsafe poll(&request, 1, deadline.milliseconds)
        if count < 0, errno == EINTR { continue }
        return count > 0
      }
    }

    /// Reads the available bytes, at most `count`; none at the end of the stream.
    func read(atMost count: Int, until deadline: Deadline) throws(TLSError) -> [UInt8] {
      while true {
        try deadline.check()
        var length = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { room, filled in
          // SAFETY: at most `count` bytes are written into the room of the new array.
          unsafe length = recv(descriptor, room.baseAddress, count, 0)
          filled = max(length, 0)
        }
        if length >= 0 { return bytes }
        switch errno {
        case EINTR: continue
        case EAGAIN:
          guard wait(for: CInt(POLLIN), deadline) else { throw .timeout() }
        default: throw .closed()
        }
      }
    }

    /// Writes all bytes.
    func write(_ bytes: [UInt8], until deadline: Deadline) throws(TLSError) {
      #if canImport(Darwin)
        let flags: CInt = 0
      #else
        // A peer that has gone is an error here, not a signal to the program.
        let flags = CInt(MSG_NOSIGNAL)
      #endif
      var sent = 0
      while sent < bytes.count {
        try deadline.check()
        let start = sent
        // SAFETY: `start` lies inside of the array, which lives for the call.
        let length = unsafe bytes.withUnsafeBytes { all in
          unsafe send(descriptor, all.baseAddress?.advanced(by: start), all.count - start, flags)
        }
        if length >= 0 {
          sent += length
          continue
        }
        switch errno {
        case EINTR: continue
        case EAGAIN:
          guard wait(for: CInt(POLLOUT), deadline) else { throw .timeout() }
        default: throw .closed()
        }
      }
    }
  }

  extension Socket {
    /// How long one address is tried alone. RFC 8305 §8.
    private static let delay = Duration.milliseconds(250)
    /// The most addresses that are tried at the same time; a name can have thousands.
    private static let maximumAttempts = 16

    /// Connects to the first of several addresses that answers. Each is tried while those before it
    /// are silent, or once one has failed. RFC 8305 §5.
    ///
    /// - Parameter server: The host that an error names.
    static func connect(
      to addresses: [Address], port: UInt16, for server: String, until deadline: Deadline
    ) throws(TLSError) -> Socket {
      var failures = Failures()
      var attempts: [(socket: Socket, address: Address)] = []
      var rest = addresses[...]
      var turn = Deadline(after: .zero)
      while !rest.isEmpty || !attempts.isEmpty {
        guard deadline.milliseconds > 0 else {
          let text = failures.text(after: attempts.map(\.address.text), without: server)
          throw .timeout(from: text.isEmpty ? nil : text)
        }
        let mayBegin = !rest.isEmpty && attempts.count < maximumAttempts
        if mayBegin, attempts.isEmpty || turn.milliseconds == 0 {
          let address = rest.removeFirst()
          turn = Deadline(after: delay)
          guard let (socket, error) = begin(address) else {
            failures.add(errno, address)
            continue
          }
          switch error {
          case 0: return socket
          case EINPROGRESS: attempts.append((socket, address))
          default: failures.add(error, address)
          }
          continue
        }
        let wait = min(deadline.milliseconds, mayBegin ? turn.milliseconds : .max)
        let (indices, problem) = ended(attempts.map(\.socket), within: wait)
        guard problem == 0 else {
          for attempt in attempts { failures.add(problem, attempt.address) }
          break
        }
        for index in indices.reversed() {
          let (socket, address) = attempts[index]
          let error = socket.connectionError
          if error == 0 { return socket }
          failures.add(error, address)
          attempts.remove(at: index)
          turn = Deadline(after: .zero)
        }
      }
      throw .unreachable(host: server, port: port, failures.text(without: server))
    }

    /// Returns which sockets are connected or have failed; or an error number.
    private static func ended(
      _ sockets: [Socket], within milliseconds: CInt
    ) -> (indices: [Int], error: CInt) {
      var requests = sockets.map {
        pollfd(fd: $0.descriptor, events: Int16(POLLOUT), revents: 0)
      }
      // SAFETY: the requests live for the call, and these are as many.
      let count = unsafe poll(&requests, nfds_t(requests.count), milliseconds)
      if count < 0 { return ([], errno == EINTR ? 0 : errno) }
      return (requests.indices.filter { requests[$0].revents != 0 }, 0)
    }
  }

  /// Why the addresses of a host could not be connected to.
  private struct Failures {
    private var all: [(message: String, addresses: [String])] = []

    mutating func add(_ number: CInt, _ address: Address) {
      let message = Platform.message(forError: number)
      guard let index = all.firstIndex(where: { $0.message == message }) else {
        return all.append((message, [address.text]))
      }
      all[index].addresses.append(address.text)
    }

    /// `Connection refused (::1, 127.0.0.1)`: the message alone if the host is an address.
    ///
    /// - Parameter silent: The addresses that have not answered, which stand first.
    func text(after silent: [String] = [], without host: String) -> String {
      var parts = silent.isEmpty || silent == [host] ? [] : [Failures.list(silent)]
      parts += all.map { message, addresses in
        addresses == [host] ? message : "\(message) (\(Failures.list(addresses)))"
      }
      return parts.joined(separator: "; ")
    }

    private static func list(_ addresses: [String]) -> String {
      addresses.prefix(8).joined(separator: ", ")
    }
  }

  /// An address of a host, as the system's calls take it.
  struct Address: Sendable {
    let family: CInt
    let kind: CInt
    let protocolNumber: CInt
    /// A `sockaddr` of this family, with the port.
    let bytes: [UInt8]
    /// The address in numbers, without the port.
    let text: String
  }

  extension Address {
    /// Asks the system, whose order is that of RFC 6724.
    @Sendable static func systemAddresses(
      of host: String, port: UInt16
    ) -> Result<[Address], TLSError> {
      var hints = unsafe addrinfo()
      unsafe hints.ai_socktype = Socket.stream
      unsafe hints.ai_flags = AI_NUMERICSERV | AI_ADDRCONFIG
      var list: UnsafeMutablePointer<addrinfo>? = nil
      // SAFETY: the strings and the hints live for the call; the list is freed on every exit.
      var status = unsafe getaddrinfo(host, "\(port)", &hints, &list)
      if status != 0 {
        // Without a route AI_ADDRCONFIG hides the loopback addresses.
        unsafe hints.ai_flags = AI_NUMERICSERV
        status = unsafe getaddrinfo(host, "\(port)", &hints, &list)
      }
      guard status == 0 else {
        return .failure(.noAddress(host: host, unsafe String(cString: gai_strerror(status))))
      }
      defer { unsafe freeaddrinfo(list) }
      var addresses: [Address] = []
      var next = unsafe list
      while let info = unsafe next {
        unsafe addresses.append(Address(info.pointee))
        unsafe next = unsafe info.pointee.ai_next
      }
      return .success(addresses)
    }

    private init(_ info: addrinfo) {
      unsafe family = info.ai_family
      unsafe kind = info.ai_socktype
      unsafe protocolNumber = info.ai_protocol
      // SAFETY: the address has this length, and is copied.
      bytes = unsafe Array(
        UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen)))
      // SAFETY: the buffer is filled with a string or left empty.
      text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) {
        room in
        unsafe room.initialize(repeating: 0)
        unsafe _ = getnameinfo(
          info.ai_addr, info.ai_addrlen, room.baseAddress, socklen_t(room.count), nil, 0,
          NI_NUMERICHOST)
        return unsafe room.baseAddress.map { unsafe String(cString: $0) } ?? ""
      }
    }
  }
#endif
