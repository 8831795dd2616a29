#if Curl
  internal import CHoldfastCurl
  internal import Holdfast
  internal import HoldfastCertificates

  /// One request and its redirects, with a new handle of libcurl for each hop. Only the loop's
  /// thread uses it.
  @safe final class Transfer {
    /// What becomes of the response that arrives.
    enum Course {
      /// It goes to the task.
      case deliver
      /// It is a redirect to this location; its body is dropped.
      case redirect(status: Int, location: String)
      /// The transfer ends with this error.
      case fail(HTTPError)
      /// The connection had no verdict that is valid now, so another one is needed.
      case reconnect
    }

    let job: TransferLoop.Job
    private let loop: TransferLoop
    private(set) var hop: Hop
    private(set) var easy: UnsafeMutableRawPointer?
    // SAFETY: libcurl reads the lists while the transfer lasts; `free` frees both.
    private var lists: [UnsafeMutablePointer<curl_slist>] = unsafe []
    private let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    private(set) var rejections = HTTPDecision.Rejections()
    var body: BodySource?
    var course = Course.deliver
    var verdict: Verdict?
    /// The header fields of the response whose header arrives, and the size of all headers.
    var fields = HTTPFields()
    var headerBytes = 0
    /// The bytes of a redirect's body that were dropped.
    var dropped = 0
    var hasResponse = false
    var progress = HTTPProgress()
    private var redirects = 0
    /// The address that was refused, if no other one could be connected to.
    private var refusedAddress: HTTPError?
    /// How often a connection without a verdict was met in this hop.
    private var reconnections = 0
    private static let maximumReconnections = 3

    init(_ job: TransferLoop.Job, on loop: TransferLoop) {
      self.job = job
      self.loop = loop
      hop = job.hop
      // SAFETY: the text has room for more than its end.
      unsafe message.pointee = 0
    }

    deinit {
      // SAFETY: the handle was removed from the loop, and is freed before what it points to.
      free()
      unsafe message.deallocate()
    }

    var id: UInt64 { job.exchange.id }
    var options: HTTPOptions { loop.options }
    var decision: HTTPDecision { loop.decision }

    private func free() {
      // SAFETY: freed once; libcurl's copies of the lists' addresses go first.
      if let easy = unsafe easy { unsafe curl_easy_cleanup(easy) }
      unsafe lists.forEach { unsafe curl_slist_free_all($0) }
      unsafe (easy, lists) = (nil, [])
    }

    /// Lets a paused transfer go on.
    func resume() {
      // SAFETY: the handle is open. In the end both directions ask their callbacks again.
      if let easy = unsafe easy { unsafe curl_easy_pause(easy, CURLPAUSE_CONT) }
    }
  }

  extension Transfer {
    /// Makes the handle of the next hop; nil if the transfer has ended instead.
    func begin() -> UnsafeMutableRawPointer? {
      free()
      do throws(HTTPError) {
        course = .deliver
        rejections = HTTPDecision.Rejections()
        (verdict, fields, headerBytes, dropped) = (nil, HTTPFields(), 0, 0)
        refusedAddress = nil
        if body == nil, let content = hop.body {
          let (loop, id) = (loop, id)
          body = try BodySource(content) { loop.send(.resume(id)) }
        }
        progress.sent = 0
        progress.sentTotal = body == nil ? nil : body?.count
        // SAFETY: this object owns the handle.
        guard let easy = unsafe curl_easy_init() else { throw .other("out of memory") }
        unsafe self.easy = unsafe easy
        unsafe try configure(easy)
        return unsafe easy
      } catch {
        end(.failure(error))
        return nil
      }
    }

    /// Sets what every transfer has in common; then the connection, then the request.
    private func configure(_ easy: UnsafeMutableRawPointer) throws(HTTPError) {
      // SAFETY: the handle is new. It points to this object, which outlives it.
      let this = unsafe Unmanaged.passUnretained(self).toOpaque()
      set(CURLOPT_NOSIGNAL, 1)
      unsafe _ = holdfast_set_pointer(easy, CURLOPT_PRIVATE, this)
      unsafe _ = holdfast_set_pointer(easy, CURLOPT_ERRORBUFFER, message)
      for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA] {
        unsafe _ = holdfast_set_pointer(easy, option, this)
      }
      unsafe _ = holdfast_set_bytes_function(easy, CURLOPT_WRITEFUNCTION, Callback.write)
      unsafe _ = holdfast_set_bytes_function(easy, CURLOPT_HEADERFUNCTION, Callback.header)
      unsafe _ = holdfast_set_bytes_function(easy, CURLOPT_READFUNCTION, Callback.read)
      unsafe _ = holdfast_set_seek_function(easy, Callback.seek)
      try unsafe configureConnection(easy, this)
      try unsafe configureProxy(easy)
      try unsafe configureRequest(easy)
    }

    /// Sets how connections are made, and who decides about them.
    private func configureConnection(
      _ easy: UnsafeMutableRawPointer, _ this: UnsafeMutableRawPointer
    ) throws(HTTPError) {
      try set(CURLOPT_PROTOCOLS_STR, options.allowsPlainHTTP ? "http,https" : "https")
      set(
        CURLOPT_HTTP_VERSION, options.allowsHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
      // Requests wait for a connection that is being made if they may share it.
      set(CURLOPT_PIPEWAIT, reconnections == 0 ? 1 : 0)
      set(CURLOPT_QUICK_EXIT, 1)
      set(CURLOPT_CONNECTTIMEOUT_MS, options.connectTimeout.milliseconds)
      set(CURLOPT_LOW_SPEED_LIMIT, 1)
      set(CURLOPT_LOW_SPEED_TIME, max(1, hop.idleTimeout.milliseconds / 1000))
      if let deadline = job.deadline {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { throw .timeout }
        set(CURLOPT_TIMEOUT_MS, left.milliseconds)
      }
      if reconnections > 0 {
        // Connections that are older than a second are closed, the one without a verdict too.
        set(CURLOPT_FRESH_CONNECT, 1)
        set(CURLOPT_MAXLIFETIME_CONN, 1)
      }
      // libcurl has no CA of its own: where Holdfast is not asked, nothing is trusted. The name is
      // Holdfast's to compare, or a policy's not to.
      try set(CURLOPT_CAINFO, nil)
      try set(CURLOPT_CAPATH, nil)
      set(CURLOPT_SSL_VERIFYHOST, 0)
      // SAFETY: the sessions are those of this loop; the callbacks get this object.
      unsafe _ = holdfast_set_pointer(easy, CURLOPT_SHARE, loop.share)
      unsafe _ = holdfast_set_pointer(easy, CURLOPT_PREREQDATA, this)
      unsafe _ = holdfast_set_request_function(easy, Callback.request)
      unsafe _ = holdfast_set_pointer(easy, CURLOPT_SSL_CTX_DATA, this)
      guard unsafe holdfast_set_context_function(easy, Callback.context) == CURLE_OK else {
        throw .unsupportedLibrary("another TLS library")
      }
      if options.addressObjection != nil {
        unsafe _ = holdfast_set_pointer(easy, CURLOPT_OPENSOCKETDATA, this)
        unsafe _ = holdfast_set_socket_function(easy, Callback.socket)
      }
      guard !options.addresses.isEmpty else { return }
      try setList(
        CURLOPT_CONNECT_TO,
        options.addresses.map { host, address in
          let target = address.utf8.contains(0x3A) && address.utf8.first != 0x5B
          return "\(host)::\(target ? "[\(address)]" : address):"
        })
    }

    private func configureProxy(_ easy: UnsafeMutableRawPointer) throws(HTTPError) {
      // An empty text keeps libcurl from reading the environment.
      try set(CURLOPT_PROXY, options.proxy?.url ?? "")
      guard let proxy = options.proxy else { return }
      let schemes = ["http://", "https://", "socks5://", "socks5h://"]
      guard schemes.contains(where: { proxy.url.utf8.starts(with: $0.utf8) }) else {
        throw .invalidProxy(proxy.url)
      }
      try set(CURLOPT_NOPROXY, "")
      set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
      // The fields of the request are for the origin alone.
      set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
      // The mark by which `HTTPDecision` knows the proxy's connection; it switches nothing off.
      set(CURLOPT_PROXY_SSL_VERIFYPEER, 0)
      set(CURLOPT_PROXY_SSL_VERIFYHOST, 0)
      try set(CURLOPT_PROXY_CAINFO, nil)
      try set(CURLOPT_PROXY_CAPATH, nil)
      if let (user, password) = proxy.credentials {
        set(CURLOPT_PROXYAUTH, 1)
        try set(CURLOPT_PROXYUSERNAME, user)
        try set(CURLOPT_PROXYPASSWORD, password)
      }
    }

    private func configureRequest(_ easy: UnsafeMutableRawPointer) throws(HTTPError) {
      try set(CURLOPT_URL, hop.url.text)
      // Every encoding that libcurl knows; the limits count what comes out.
      if hop.fields["Accept-Encoding"] == nil { try set(CURLOPT_ACCEPT_ENCODING, "") }
      if body != nil || ["POST", "PUT", "PATCH"].contains(hop.method) {
        set(CURLOPT_UPLOAD, 1)
        let count = body == nil ? 0 : body?.count
        // SAFETY: the handle is open.
        unsafe _ = holdfast_set_size(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(count ?? -1))
        try set(CURLOPT_CUSTOMREQUEST, hop.method)
      } else if hop.method == "HEAD" {
        set(CURLOPT_NOBODY, 1)
      } else if hop.method != "GET" {
        try set(CURLOPT_CUSTOMREQUEST, hop.method)
      }
      // An empty field is written with a semicolon. Expect would make libcurl wait for a second.
      try setList(
        CURLOPT_HTTPHEADER,
        ["Expect:"]
          + hop.fields.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" })
    }

    private func set(_ option: CURLoption, _ value: some BinaryInteger) {
      // SAFETY: the handle is open.
      unsafe _ = holdfast_set_number(easy, option, Int(clamping: value))
    }

    /// Sets a text, which libcurl copies.
    private func set(_ option: CURLoption, _ text: String?) throws(HTTPError) {
      guard text?.utf8.contains(0) != true else { throw .other("a NUL byte in an option") }
      // SAFETY: the text lives for the call.
      guard unsafe holdfast_set_text(easy, option, text) == CURLE_OK else {
        throw .other("libcurl lacks the option \(option.rawValue)")
      }
    }

    /// Sets a list, which libcurl does not copy.
    private func setList(_ option: CURLoption, _ lines: [String]) throws(HTTPError) {
      var list: UnsafeMutablePointer<curl_slist>? = nil
      for line in lines {
        // SAFETY: the line is copied; on failure the list is as before, and freed here.
        guard let longer = unsafe curl_slist_append(list, line) else {
          unsafe curl_slist_free_all(list)
          throw .other("out of memory")
        }
        unsafe list = unsafe longer
      }
      // SAFETY: the list lives until the handle is freed.
      if let list = unsafe list { unsafe lists.append(list) }
      unsafe _ = holdfast_set_pointer(easy, option, list)
    }
  }

  /// The end of a hop.
  extension Transfer {
    /// Whether a socket may be opened to an address.
    func mayConnect(to address: [UInt8]) -> Bool {
      guard let reason = options.addressObjection?(address) else { return true }
      let text = IPAddress(address).map { "\($0)" } ?? "no IP address"
      refusedAddress = .addressNotAllowed(host: hop.url.host, address: text, reason: reason)
      return false
    }

    /// Takes the result of a hop; returns whether another one follows.
    func finish(_ result: CURLcode) -> Bool {
      switch course {
      case .fail(let error): end(.failure(error))
      case .redirect(let status, let location):
        do throws(HTTPError) {
          redirects += 1
          guard redirects <= options.maximumRedirects else {
            throw .tooManyRedirects(options.maximumRedirects)
          }
          try hop.follow(status, to: location)
          body = nil
          reconnections = 0
          return true
        } catch {
          end(.failure(error))
        }
      case .reconnect
      where reconnections < Transfer.maximumReconnections && body?.rewind() != false:
        // Another request may be the first on the new connection.
        reconnections += 1
        return true
      case .deliver, .reconnect:
        if result == CURLE_OK {
          end(hasResponse ? .success(()) : .failure(.invalidResponse("it has no head")))
        } else {
          end(.failure(error(result)))
        }
      }
      return false
    }

    private func end(_ result: Result<Void, HTTPError>) {
      job.exchange.finish(result)
    }

    /// Returns what a result of libcurl means.
    private func error(_ result: CURLcode) -> HTTPError {
      if !hasResponse, let rejection = rejections.error { return rejection }
      // SAFETY: the handle is open, and the texts end with NUL.
      let text = unsafe String(cString: message)
      let reason = unsafe text.isEmpty ? String(cString: curl_easy_strerror(result)) : text
      switch result {
      case CURLE_OPERATION_TIMEDOUT: return .timeout
      case CURLE_COULDNT_RESOLVE_HOST: return .noAddress(host: hop.url.host)
      case CURLE_COULDNT_RESOLVE_PROXY: return .noAddress(host: options.proxy?.url ?? "")
      case CURLE_COULDNT_CONNECT:
        return refusedAddress ?? .unreachable(host: hop.url.host, reason: reason)
      case CURLE_SEND_FAIL_REWIND: return .bodyNotRepeatable
      case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE,
        CURLE_PROXY:
        let status = unsafe holdfast_number(easy, CURLINFO_HTTP_CONNECTCODE)
        if !hasResponse, status != 0, !(200..<300 ~= status) {
          return .refusedByProxy(status: status)
        }
        return .connectionLost(reason)
      case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
        CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_INITFAILED:
        return .tls(reason)
      case CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_BAD_CONTENT_ENCODING,
        CURLE_UNSUPPORTED_PROTOCOL:
        return .invalidResponse(reason)
      default: return .other(reason)
      }
    }
  }

  extension Duration {
    /// The milliseconds, at least one.
    fileprivate var milliseconds: Int64 {
      let (seconds, attoseconds) = components
      return max(1, min(seconds, 1_000_000_000) * 1000 + attoseconds / 1_000_000_000_000_000)
    }
  }
#endif
