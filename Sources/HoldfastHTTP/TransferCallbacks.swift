#if Curl
  internal import CHoldfastCurl
  internal import HoldfastOpenSSL

  /// The functions that libcurl calls. Each gets its transfer, on the loop's thread.
  enum Callback {
    /// What ends a transfer when a function for bytes returns it.
    private static let failure = 0

    private static func transfer(_ argument: UnsafeMutableRawPointer?) -> Transfer? {
      // SAFETY: the argument is the object that owns the handle.
      unsafe argument.flatMap {
        unsafe Unmanaged<TransferHandle>.fromOpaque($0).takeUnretainedValue().transfer
      }
    }

    /// Called with each line of a header.
    static let header: holdfast_bytes_function = { bytes, size, count, argument in
      guard let bytes = unsafe bytes, let transfer = unsafe transfer(argument) else { return 0 }
      // SAFETY: libcurl lends the line for the call.
      let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
      return unsafe transfer.receive(line: line) ? size * count : failure
    }

    /// Called with bytes of a body.
    static let write: holdfast_bytes_function = { bytes, size, count, argument in
      guard let bytes = unsafe bytes, let transfer = unsafe transfer(argument) else { return 0 }
      // SAFETY: libcurl lends the bytes for the call.
      let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
      return switch unsafe transfer.receive(piece) {
      case .taken: size * count
      case .noRoom: transfer.pause(Int(CURL_WRITEFUNC_PAUSE))
      case .failed: failure
      }
    }

    /// Called when bytes of the request's body are needed.
    static let read: holdfast_bytes_function = { bytes, size, count, argument in
      guard let bytes = unsafe bytes, let transfer = unsafe transfer(argument) else {
        return Int(CURL_READFUNC_ABORT)
      }
      // SAFETY: libcurl lends the room for the call.
      let room = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
      return switch unsafe transfer.body?.read(into: room) {
      case nil: 0
      case .notYet: transfer.pause(Int(CURL_READFUNC_PAUSE))
      case .count(let size): transfer.noteSent(size)
      case .failed(let error): transfer.fail(error, Int(CURL_READFUNC_ABORT))
      }
    }

    /// Called when the body must be sent from its first byte again.
    static let seek: curl_seek_callback = { argument, offset, origin in
      // SAFETY: the argument is the transfer.
      guard let transfer = unsafe transfer(argument), offset == 0, origin == 0 else {
        return CURL_SEEKFUNC_FAIL
      }
      return transfer.body?.rewind() != false ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
    }

    /// Called with the context of a new connection with TLS.
    static let context: curl_ssl_ctx_callback = { _, context, argument in
      // SAFETY: libcurl lends the context, and the argument is the transfer.
      guard let context = unsafe context, let transfer = unsafe transfer(argument),
        unsafe transfer.decision.install(
          on: OpaquePointer(context), for: transfer.hop, reporting: transfer.handshakes,
          connection: transfer.openSocket?.number)
      else { return CURLE_SSL_CONNECT_ERROR }
      return CURLE_OK
    }

    /// Called to open the socket of a new connection.
    static let socket: curl_opensocket_callback = { argument, _, address in
      var bytes = [UInt8](repeating: 0, count: 16)
      // SAFETY: the argument is the transfer; libcurl lends the address, and 16 bytes are written at
      // most.
      guard let transfer = unsafe transfer(argument), let address = unsafe address else {
        return CURL_SOCKET_BAD
      }
      let count = unsafe holdfast_address_bytes(address, &bytes)
      guard transfer.mayConnect(to: Array(bytes.prefix(Int(count)))) else { return CURL_SOCKET_BAD }
      let socket = unsafe holdfast_open_socket(address)
      if socket != CURL_SOCKET_BAD { transfer.noteOpened(socket) }
      return socket
    }

    /// Called to close the socket of a connection, which may have outlived its transfers.
    static let close: curl_closesocket_callback = { argument, descriptor in
      // SAFETY: the argument is an object of the loop, which outlives libcurl's connections.
      guard let argument = unsafe argument else { return 1 }
      return unsafe Unmanaged<OpenSockets>.fromOpaque(argument).takeUnretainedValue()
        .close(descriptor)
    }

    /// Called again and again, with the number of bytes of the body that have arrived.
    static let progress: curl_xferinfo_callback = { argument, _, received, _, _ in
      // SAFETY: the argument is the transfer.
      guard let transfer = unsafe transfer(argument) else { return 1 }
      return transfer.mayGoOn(received: Int(clamping: received)) ? 0 : 1
    }

    /// Called before each request, on a new connection or on an old one.
    static let request: curl_prereq_callback = { argument, _, _, _, _ in
      // SAFETY: the argument is the transfer.
      guard let transfer = unsafe transfer(argument) else { return CURL_PREREQFUNC_ABORT }
      return transfer.mayBegin() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }
  }

  extension Transfer {
    /// What becomes of a piece of a body.
    enum Reception {
      case taken
      case noRoom
      case failed
    }

    /// Ends the transfer with an error, by the value that tells libcurl so.
    func fail<Value>(_ error: HTTPError, _ value: Value) -> Value {
      course = .fail(error)
      return value
    }

    /// Whether the request may be sent on the connection that libcurl has chosen. It is asked again
    /// where a kept connection has ended instead of an answer, and libcurl takes another one.
    func mayBegin() -> Bool {
      // SAFETY: the connection is that of this transfer, and open; in a tunnel it is the inner one.
      let connection = unsafe handle.flatMap { unsafe holdfast_tls_connection($0.easy) }
      connectionEnd = unsafe connection.flatMap { unsafe TLSVerifier.end(of: OpaquePointer($0)) }
      let mayBegin: Bool
      if hop.url.isEncrypted {
        verdict = unsafe connection.flatMap { connection in
          unsafe decision.verdict(of: OpaquePointer(connection), host: hop.url.host)
        }
        tls = unsafe connection.map { unsafe TLSVerifier.facts(of: OpaquePointer($0)) }
        mayBegin = verdict != nil
      } else {
        mayBegin =
          unsafe connection.map { connection in
            unsafe decision.allowsPlainRequest(on: OpaquePointer(connection))
          } ?? true
      }
      guard mayBegin else {
        course = .reconnect
        return false
      }
      use(
        unsafe connection.flatMap { connection in
          unsafe decision.socket(of: OpaquePointer(connection), loop.sockets)
        })
      guard !wasSent || hop.mayRepeat(options) else {
        let reason = "it ended as \(hop.method) was sent, which is not sent twice"
        return fail(.connectionLost(host: hop.url.server, reason: reason, wasSent: true), false)
      }
      wasSent = true
      return true
    }

    func noteSent(_ count: Int) -> Int {
      progress.sent = body?.sent ?? 0
      job.progress?.report(progress)
      return count
    }

    /// Takes a line of a header; false ends the transfer.
    func receive(line: UnsafeRawBufferPointer) -> Bool {
      // SAFETY: the caller's bytes live for the call.
      headerBytes += line.count
      guard headerBytes <= limits.headerBytes else {
        return fail(.headersTooLong(limit: limits.headerBytes, host: hop.url.server), false)
      }
      // After the head there may be trailers.
      guard !hasResponse else { return true }
      if unsafe line.first == 0x0D || line.first == 0x0A { return receiveHead() }
      if let problem = unsafe head.append(line: line) { return fail(invalid(problem), false) }
      return true
    }

    private func invalid(_ reason: String) -> HTTPError {
      .invalidResponse(host: hop.url.server, reason: reason)
    }

    /// Takes the end of a header: of the response, of an interim one, or of a redirect.
    private func receiveHead() -> Bool {
      let fields = head
      head = HTTPFields()
      let status = handle?.number(CURLINFO_RESPONSE_CODE) ?? 0
      // RFC 9110 §15.2.2: a server switches only to what was asked for, and libcurl would take what
      // follows for a body.
      guard status != 101 else {
        return fail(invalid("status 101, which no request asks for"), false)
      }
      let isInterim = status < 200
      let problem =
        (hop.undoesCoding ? fields.codingProblem(isInterim: isInterim) : nil)
        ?? fields.framingProblem(isInterim: isInterim, version)
      if let problem { return fail(invalid(problem), false) }
      guard !isInterim else { return true }
      self.fields = fields
      if Hop.isRedirect(status), options.maximumRedirects > 0, let location = fields["Location"] {
        course = .redirect(status: status, location: location)
        return true
      }
      if job.progress != nil, fields["Content-Encoding"] == nil {
        progress.receivedTotal = fields.contentLength
      }
      if hop.undoesCoding, fields.isGzip { gzip = GzipReader() }
      hasResponse = true
      job.exchange.receive(response(status))
      // What is announced to be too long is not begun.
      if let limit = job.bodyLimit, let length = fields.contentLength, length > limit,
        hop.method != "HEAD", status != 304, gzip == nil
      {
        return fail(.bodyTooLong(limit: limit, host: hop.url.server), false)
      }
      return true
    }

    /// The response whose header has arrived.
    func response(_ status: Int) -> HTTPResponse {
      HTTPResponse(
        status: status, fields: fields, url: hop.url.text, version: version, verdict: verdict,
        tls: tls)
    }

    var version: HTTPVersion {
      switch handle?.number(CURLINFO_HTTP_VERSION) {
      case 1: .http10
      case 3: .http2
      default: .http11
      }
    }

    /// Whether the transfer goes on after this number of bytes of the body, as they are on the wire. Work is
    /// charged although nothing may come out of it: an empty block has ten bits if its code is the fixed
    /// one, and five bytes if it is stored.
    func mayGoOn(received: Int) -> Bool {
      if case .redirect = course { return received <= Transfer.maximumDropped }
      guard gzip != nil, let limit = job.bodyLimit else { return true }
      // A coding that does not help makes a body a little longer.
      let (longest, isOver) = limit.addingReportingOverflow(limit / 16 + 64 * 1024)
      guard !isOver, received > longest else { return true }
      return fail(.bodyTooLong(limit: limit, host: hop.url.server), false)
    }

    /// Takes a piece of a body.
    func receive(_ piece: UnsafeRawBufferPointer) -> Reception {
      // SAFETY: the caller's bytes live for the call, here and below.
      let count = piece.count
      if case .redirect = course {
        // A short body is read so that the connection can be used again.
        dropped += count
        return dropped <= Transfer.maximumDropped ? .taken : .failed
      }
      guard hasResponse else { return fail(invalid("a body without a head"), .failed) }
      return unsafe gzip == nil ? deliver(piece) : decode(piece)
    }

    /// The most bytes that are decoded before the task is asked whether there is room for them.
    private static let decodedAtATime = 64 * 1024

    /// Decodes a piece of a body. After a pause libcurl hands over again what it had handed over then.
    private func decode(_ piece: UnsafeRawBufferPointer) -> Reception {
      // SAFETY: the caller's bytes live for the call, and are copied.
      let input = unsafe [UInt8](piece)
      var offset = min(decodedCount, input.count)
      while true {
        if !decoded.isEmpty {
          // SAFETY: the bytes live for the call.
          let reception = unsafe decoded.withUnsafeBytes { unsafe deliver($0) }
          guard reception == .taken else { return reception }
          decoded.removeAll(keepingCapacity: true)
        }
        do throws(GzipReader.Problem) {
          try gzip?.read(
            input.span, from: &offset, to: &decoded, limit: Transfer.decodedAtATime)
        } catch {
          return fail(invalid("its gzip stream: \(error.text)"), .failed)
        }
        decodedCount = max(decodedCount, offset)
        guard !decoded.isEmpty else { break }
      }
      decodedCount -= min(decodedCount, input.count)
      return .taken
    }

    /// Hands bytes of the body to the task.
    private func deliver(_ piece: UnsafeRawBufferPointer) -> Reception {
      // SAFETY: the caller's bytes live for the call, here and below.
      let count = piece.count
      if let limit = job.bodyLimit, count > limit - progress.received {
        return fail(.bodyTooLong(limit: limit, host: hop.url.server), .failed)
      }
      guard unsafe job.exchange.receive(piece) else { return .noRoom }
      pauses.move(id, hop.idleTimeout)
      // A body without a limit may be longer than an `Int` of 32 bits can say.
      progress.received = Int(clamping: UInt64(progress.received) + UInt64(count))
      job.progress?.report(progress)
      return .taken
    }
  }

  extension HTTPFields {
    /// Appends the field of a line of a head as it was received, with its end; returns what is wrong
    /// with it. The line of the status, and any other without a colon, has no field.
    fileprivate mutating func append(line: UnsafeRawBufferPointer) -> String? {
      // SAFETY: the caller's bytes live for the call.
      // RFC 9112 §5.2: the line may continue a value, which a client may take or reject.
      guard let first = unsafe line.first, !HTTPFields.isSpace(first) else {
        return "a header field in several lines"
      }
      guard unsafe !line.starts(with: "HTTP/".utf8), let colon = unsafe line.firstIndex(of: 0x3A)
      else { return nil }
      // RFC 9112 §5.1: readers disagree about it, and libcurl sees no Content-Length there.
      if colon > 0, unsafe HTTPFields.isSpace(line[colon - 1]) {
        return "white space after the name of a header field"
      }
      var (start, end) = (colon + 1, line.count)
      while start < end, unsafe HTTPFields.isSpace(line[start]) { start += 1 }
      while start < end, unsafe HTTPFields.isSpaceOrEnd(line[end - 1]) { end -= 1 }
      if fields.isEmpty { fields.reserveCapacity(16) }
      unsafe fields.append(
        Field(
          String(decoding: line[..<colon], as: UTF8.self),
          String(decoding: line[start..<end], as: UTF8.self)))
      return nil
    }

    private static func isSpaceOrEnd(_ byte: UInt8) -> Bool {
      isSpace(byte) || byte == 0x0D || byte == 0x0A
    }
  }
#endif
