#if Curl
  internal import CHoldfastCurl
  internal import HoldfastDER

  /// A handle of libcurl, with the options that all transfers of a client have in common. It makes
  /// one transfer after the other: a new handle for each would take as long as a small request.
  /// Only the loop's thread uses it.
  @safe final class TransferHandle {
    /// The handle.
    // SAFETY: this object owns it; `deinit` frees it, and then what it points to.
    let easy: UnsafeMutableRawPointer
    /// The transfer that uses the handle now.
    var transfer: Transfer?
    /// Where libcurl writes what went wrong.
    private let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    /// The list of addresses, and the header fields of the present request.
    private var addresses: UnsafeMutablePointer<curl_slist>?
    private var fields: UnsafeMutablePointer<curl_slist>?

    /// Creates a handle for a client's transfers.
    init(_ loop: TransferLoop) throws(HTTPError) {
      guard let easy = unsafe curl_easy_init() else { throw .other("out of memory") }
      unsafe self.easy = unsafe easy
      // SAFETY: the text has room for more than its end.
      unsafe message.pointee = 0
      setCallbacks()
      try setConnection(loop)
      if let proxy = loop.options.proxy { try set(proxy) }
    }

    deinit {
      // SAFETY: no `curl_multi` has the handle any more; it is freed before what it points to.
      unsafe curl_easy_cleanup(easy)
      unsafe curl_slist_free_all(addresses)
      unsafe curl_slist_free_all(fields)
      unsafe message.deallocate()
    }

    /// What libcurl says of the last error.
    func reason(_ result: CURLcode) -> String {
      // SAFETY: the texts end with NUL.
      let text = unsafe String(cString: message)
      return unsafe text.isEmpty ? String(cString: curl_easy_strerror(result)) : text
    }

    /// A number that libcurl knows of the transfer; 0 without one.
    func number(_ info: CURLINFO) -> Int {
      // SAFETY: the handle is open.
      unsafe holdfast_number(easy, info)
    }
  }

  /// What all transfers have in common.
  extension TransferHandle {
    private func setCallbacks() {
      // SAFETY: the handle is new. It points to this object, which outlives it.
      let this = unsafe Unmanaged.passUnretained(self).toOpaque()
      for option in [
        CURLOPT_PRIVATE, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA,
        CURLOPT_PREREQDATA, CURLOPT_SSL_CTX_DATA, CURLOPT_OPENSOCKETDATA, CURLOPT_XFERINFODATA,
      ] {
        unsafe _ = holdfast_set_pointer(easy, option, this)
      }
      unsafe _ = holdfast_set_pointer(easy, CURLOPT_ERRORBUFFER, message)
      unsafe _ = holdfast_set_bytes_function(easy, CURLOPT_WRITEFUNCTION, Callback.write)
      unsafe _ = holdfast_set_bytes_function(easy, CURLOPT_HEADERFUNCTION, Callback.header)
      unsafe _ = holdfast_set_bytes_function(easy, CURLOPT_READFUNCTION, Callback.read)
      unsafe _ = holdfast_set_seek_function(easy, Callback.seek)
      unsafe _ = holdfast_set_request_function(easy, Callback.request)
      unsafe _ = holdfast_set_progress_function(easy, Callback.progress)
    }

    /// Sets how connections are made, and who decides about them.
    private func setConnection(_ loop: TransferLoop) throws(HTTPError) {
      let options = loop.options
      set(CURLOPT_NOSIGNAL, 1)
      try set(CURLOPT_PROTOCOLS_STR, options.allowsPlainHTTP ? "http,https" : "https")
      set(
        CURLOPT_HTTP_VERSION, options.allowsHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
      set(CURLOPT_QUICK_EXIT, 1)
      set(CURLOPT_CONNECTTIMEOUT_MS, options.connectTimeout.milliseconds)
      set(CURLOPT_LOW_SPEED_LIMIT, 1)
      // libcurl has no CA of its own: where Holdfast is not asked, nothing is trusted. The name is
      // Holdfast's to compare, or a policy's not to.
      try set(CURLOPT_CAINFO, nil)
      try set(CURLOPT_CAPATH, nil)
      set(CURLOPT_SSL_VERIFYHOST, 0)
      // An empty text keeps libcurl from reading the environment.
      try set(CURLOPT_PROXY, "")
      // libcurl 8.12 and later keep sessions as bytes, without their verdicts: `TLSSessions` has them.
      set(CURLOPT_SSL_SESSIONID_CACHE, 0)
      // SAFETY: the handle is open.
      guard unsafe holdfast_set_context_function(easy, Callback.context) == CURLE_OK else {
        throw .unsupportedLibrary("another TLS library")
      }
      unsafe _ = holdfast_set_socket_function(easy, Callback.socket)
      unsafe _ = holdfast_set_close_function(easy, Callback.close)
      // SAFETY: the loop owns the object, which outlives libcurl's connections.
      unsafe _ = holdfast_set_pointer(
        easy, CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(loop.sockets).toOpaque())
      let targets = options.addresses.instead.map { host, address in
        "\(TransferHandle.bracketed(host))::\(TransferHandle.target(address))"
      }
      try unsafe set(CURLOPT_CONNECT_TO, targets, &addresses)
    }

    /// Returns a host with brackets if it is an address of IPv6.
    private static func bracketed(_ host: String) -> String {
      host.utf8.contains(0x3A) && host.utf8.first != 0x5B ? "[\(host)]" : host
    }

    /// Returns an address as `CURLOPT_CONNECT_TO` has it: with brackets if it is of IPv6, a colon,
    /// and the port if it is not that of the URL.
    private static func target(_ address: String) -> String {
      let colons = address.utf8.count { $0 == 0x3A }
      let isBare = colons > 1 && address.utf8.first != 0x5B
      let hasPort = !isBare && colons > 0 && address.utf8.last != 0x5D
      return (isBare ? "[\(address)]" : address) + (hasPort ? "" : ":")
    }

    private func set(_ proxy: HTTPProxy) throws(HTTPError) {
      guard proxy.isUsable else { throw .invalidProxy(Printable.redacted(proxy.url)) }
      try set(CURLOPT_PROXY, proxy.address)
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
  }

  /// What is set for each transfer, each time, whatever the last one has set.
  extension TransferHandle {
    /// Sets how a connection is chosen, and the time limits.
    ///
    /// - Parameters:
    ///   - left: The time until the deadline; nil without one.
    ///   - isRepeated: Whether the last connection had no verdict that is valid now.
    func setChoice(idleTimeout: Duration, left: Duration?, isRepeated: Bool) {
      // Requests wait for a connection that is being made if they may share it.
      set(CURLOPT_PIPEWAIT, isRepeated ? 0 : 1)
      // Connections that are older than a second are closed, the one without a verdict too.
      set(CURLOPT_FRESH_CONNECT, isRepeated ? 1 : 0)
      set(CURLOPT_MAXLIFETIME_CONN, isRepeated ? 1 : 0)
      set(CURLOPT_LOW_SPEED_TIME, max(1, idleTimeout.milliseconds / 1000))
      set(CURLOPT_TIMEOUT_MS, left?.milliseconds ?? 0)
    }

    /// Sets the request.
    func set(_ hop: Hop, _ body: BodySource?, presentsIdentity: Bool) throws(HTTPError) {
      try set(CURLOPT_URL, hop.url.text)
      // A mark by which libcurl keeps connections with a client certificate and those without it
      // apart, as it compares the options of connections. Schannel alone heeds this one.
      set(CURLOPT_SSL_OPTIONS, presentsIdentity ? holdfast_mark_of_identity : 0)
      let (isUpload, isKnown) =
        switch hop.method {
        case "POST", "PUT", "PATCH": (true, false)
        case "GET", "HEAD": (body != nil, body == nil)
        default: (body != nil, false)
        }
      // This undoes an upload and a HEAD.
      set(CURLOPT_HTTPGET, 1)
      try set(CURLOPT_CUSTOMREQUEST, isKnown ? nil : hop.method)
      var lines = hop.fields.fields.map { field in
        // An empty field is written with a semicolon.
        field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
      }
      // libcurl undoes no coding: it takes a stream that is cut off for a whole one.
      if hop.undoesCoding { lines.append("Accept-Encoding: gzip") }
      if isUpload {
        set(CURLOPT_UPLOAD, 1)
        let count = body == nil ? 0 : body?.count
        // SAFETY: the handle is open.
        unsafe _ = holdfast_set_size(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(count ?? -1))
        // Expect would make libcurl wait for a second.
        lines.append("Expect:")
      } else if hop.method == "HEAD" {
        set(CURLOPT_NOBODY, 1)
      }
      try unsafe set(CURLOPT_HTTPHEADER, lines, &fields)
    }

    private func set(_ option: CURLoption, _ value: some BinaryInteger) {
      // SAFETY: the handle is open.
      unsafe _ = holdfast_set_number(easy, option, Int(clamping: value))
    }

    /// Sets a text, which libcurl copies.
    private func set(_ option: CURLoption, _ text: String?) throws(HTTPError) {
      guard text?.utf8.contains(0) != true else { throw .other("a NUL byte in an option") }
      // SAFETY: the handle is open, and the text lives for the call.
      let result =
        if let text {
          unsafe text.withCString { unsafe holdfast_set_text(easy, option, $0) }
        } else {
          unsafe holdfast_set_text(easy, option, nil)
        }
      guard result == CURLE_OK else {
        throw .other("libcurl lacks the option \(option.rawValue)")
      }
    }

    /// Sets a list, which libcurl does not copy: it replaces `list`, which is freed.
    private func set(
      _ option: CURLoption, _ lines: [String], _ list: inout UnsafeMutablePointer<curl_slist>?
    ) throws(HTTPError) {
      // SAFETY: libcurl forgets the old list before it is freed; the new one lives as long as it is
      // set. A line is copied; on failure the list is as before.
      unsafe _ = holdfast_set_pointer(easy, option, nil)
      unsafe curl_slist_free_all(list)
      unsafe list = nil
      for line in lines {
        guard let longer = unsafe curl_slist_append(list, line) else {
          throw .other("out of memory")
        }
        unsafe list = unsafe longer
      }
      unsafe _ = holdfast_set_pointer(easy, option, list)
    }
  }

  extension Duration {
    /// The milliseconds, at least one.
    var milliseconds: Int64 {
      let (seconds, attoseconds) = components
      return max(1, min(seconds, 1_000_000_000) * 1000 + attoseconds / 1_000_000_000_000_000)
    }
  }
#endif
