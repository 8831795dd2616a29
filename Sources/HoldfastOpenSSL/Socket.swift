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

  /// Why the addresses of a host could not be connected to.
  private struct Failures {
    private var all: [(message: String, addresses: [String])] = []

    mutating func add(_ message: String, _ address: String) {
      guard let index = all.firstIndex(where: { $0.message == message }) else {
        return all.append((message, [address]))
      }
      all[index].addresses.append(address)
    }

    /// `Connection refused (::1, 127.0.0.1)`: the message alone if the host is an address.
    func text(without host: String) -> String {
      all.map { message, addresses in
        let text = addresses.prefix(8).joined(separator: ", ")
        return addresses == [host] ? message : "\(message) (\(text))"
      }.joined(separator: "; ")
    }
  }

  /// A TCP connection that never blocks for longer than its caller allows.
  final class Socket {
    private let descriptor: CInt

    /// Takes over a descriptor, which is closed with the socket.
    init(_ descriptor: CInt) {
      self.descriptor = descriptor
    }

    deinit { _ = close(descriptor) }

    private static var stream: CInt {
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

    /// Connects to the first address of a host that answers, IPv6 and IPv4 in the resolver's order.
    ///
    /// The deadline does not bound the time of the resolver itself.
    ///
    /// - Parameter server: The host that an error names, which `host` stands for.
    static func connect(
      to host: String, port: UInt16, for server: String, until deadline: Deadline
    ) throws(TLSError) -> Socket {
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
        throw .noAddress(host: host, unsafe String(cString: gai_strerror(status)))
      }
      defer { unsafe freeaddrinfo(list) }
      var failures = Failures()
      var next = unsafe list
      while let address = unsafe next {
        var number: CInt
        let descriptor = unsafe socket(
          address.pointee.ai_family, address.pointee.ai_socktype | Socket.closedOnExecution,
          address.pointee.ai_protocol)
        if descriptor >= 0 {
          let socket = Socket(descriptor)
          number = unsafe socket.open(address.pointee.ai_addr, address.pointee.ai_addrlen, deadline)
          if number == 0 { return socket }
          if number == ETIMEDOUT, deadline.milliseconds == 0 { throw .timeout() }
        } else {
          number = errno
        }
        failures.add(unsafe String(cString: strerror(number)), unsafe text(of: address.pointee))
        unsafe next = unsafe address.pointee.ai_next
      }
      throw .unreachable(host: server, port: port, failures.text(without: server))
    }

    /// The address in numbers.
    private static func text(of info: addrinfo) -> String {
      // SAFETY: the address is of this length, and the buffer is filled with a string or left empty.
      unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { room in
        unsafe room.initialize(repeating: 0)
        unsafe _ = getnameinfo(
          info.ai_addr, info.ai_addrlen, room.baseAddress, socklen_t(room.count), nil, 0,
          NI_NUMERICHOST)
        return unsafe room.baseAddress.map { unsafe String(cString: $0) } ?? ""
      }
    }

    /// Connects; returns 0 or the error number.
    private func open(
      _ address: UnsafePointer<sockaddr>, _ length: socklen_t, _ deadline: Deadline
    ) -> CInt {
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
        let status = unsafe Darwin.connect(descriptor, address, length)
      #elseif canImport(Glibc)
        let status = unsafe Glibc.connect(descriptor, address, length)
      #elseif canImport(Musl)
        let status = unsafe Musl.connect(descriptor, address, length)
      #else
        let status = unsafe Android.connect(descriptor, address, length)
      #endif
      if status == 0 { return 0 }
      guard errno == EINPROGRESS else { return errno }
      guard wait(for: CInt(POLLOUT), deadline) else { return ETIMEDOUT }
      var number: CInt = 0
      var size = socklen_t(MemoryLayout<CInt>.size)
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
#endif
