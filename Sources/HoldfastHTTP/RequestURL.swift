#if Curl
  internal import CHoldfastCurl
  internal import Holdfast

  /// A URL as libcurl reads it: the parser that decides about the host is the one that connects.
  struct RequestURL: Sendable {
    /// The whole URL. libcurl reads the same text again when it makes the request.
    let text: String
    let isEncrypted: Bool
    /// The host in canonical form.
    let host: String
    let port: String

    /// Reads an absolute URL, or one that is relative to `base`. RFC 3986.
    init(_ text: String, relativeTo base: RequestURL? = nil) throws(HTTPError) {
      // SAFETY: the handle is freed here, and so is each text that it hands out.
      guard let handle = unsafe curl_url() else { throw .other("out of memory") }
      defer { unsafe curl_url_cleanup(handle) }
      // A text with NUL would be cut by the C function.
      guard !text.utf8.contains(0) else {
        throw .invalidURL(RequestURL.redacted(text), reason: "it has a NUL byte")
      }
      for part in [base?.text, text].compactMap(\.self) {
        let status = unsafe curl_url_set(handle, CURLUPART_URL, part, UInt32(CURLU_DISALLOW_USER))
        guard status == CURLUE_OK else {
          throw unsafe .invalidURL(
            RequestURL.redacted(text), reason: String(cString: curl_url_strerror(status)))
        }
      }
      guard let scheme = unsafe RequestURL.part(CURLUPART_SCHEME, of: handle),
        let host = unsafe RequestURL.part(CURLUPART_HOST, of: handle),
        let port = unsafe RequestURL.part(CURLUPART_PORT, of: handle)
      else { throw .invalidURL(text, reason: "a part is missing") }
      self.text =
        base == nil ? text : unsafe RequestURL.part(CURLUPART_URL, of: handle) ?? text
      guard scheme == "https" || scheme == "http" else {
        throw .invalidURL(text, reason: "its scheme is \(scheme)")
      }
      do throws(HostNameError) {
        self.host = try HostName(host).description
      } catch {
        throw .invalidHost(host, error)
      }
      self.port = port
      isEncrypted = scheme == "https"
    }

    /// Returns what an error may show of a text that is not the URL of a request: without what comes
    /// before an `@`, which may be a user and a password.
    static func redacted(_ text: String) -> String {
      let bytes = Array(text.utf8)
      guard let end = bytes.lastIndex(of: 0x40) else { return text }
      let start = (2...max(end, 2)).first { index in
        index <= end && bytes[index - 2] == 0x2F && bytes[index - 1] == 0x2F
      }
      return String(decoding: bytes[..<(start ?? 0)], as: UTF8.self) + "…"
        + String(decoding: bytes[end...], as: UTF8.self)
    }

    private static func part(_ part: CURLUPart, of handle: OpaquePointer) -> String? {
      var text: UnsafeMutablePointer<CChar>? = nil
      // SAFETY: the handle is the caller's; the text is copied and freed.
      guard unsafe curl_url_get(handle, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK,
        let text = unsafe text
      else { return nil }
      defer { unsafe curl_free(text) }
      return unsafe String(cString: text)
    }

    /// Whether both have the same origin: scheme, host and port. RFC 9110 §4.3.1.
    func hasSameOrigin(as other: RequestURL) -> Bool {
      isEncrypted == other.isEncrypted && host.utf8.elementsEqual(other.host.utf8)
        && port == other.port
    }
  }
#endif
