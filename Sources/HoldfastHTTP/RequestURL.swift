#if Curl
  internal import CHoldfastCurl
  internal import Holdfast
  internal import HoldfastDER
  internal import HoldfastOpenSSL

  /// A URL as libcurl reads it: the parser that decides about the host is the one that connects.
  struct RequestURL: Sendable {
    /// The whole URL. libcurl reads the same text again when it makes the request.
    let text: String
    let isEncrypted: Bool
    /// The host in canonical form.
    let host: String
    let port: String

    /// The host, with the port if it is not that of the scheme.
    var server: String {
      TLSError.server(host, port: port, usual: isEncrypted ? "443" : "80")
    }

    /// Reads an absolute URL, or one that is relative to `base`. RFC 3986.
    init(_ text: String, relativeTo base: RequestURL? = nil) throws(HTTPError) {
      // SAFETY: the handle is freed here, and so is each text that it hands out.
      guard let handle = unsafe curl_url() else { throw .other("out of memory") }
      defer { unsafe curl_url_cleanup(handle) }
      // A text with NUL would be cut by the C function.
      guard !text.utf8.contains(0) else {
        throw .invalidURL(Printable.redacted(text), reason: "it has a NUL byte")
      }
      for part in [base?.text, text].compactMap(\.self) {
        let status = unsafe curl_url_set(handle, CURLUPART_URL, part, UInt32(CURLU_DISALLOW_USER))
        switch status {
        case CURLUE_OK: break
        // libcurl takes the host of `localhost:8443/` for a scheme.
        case CURLUE_UNSUPPORTED_SCHEME, CURLUE_BAD_SCHEME:
          throw .invalidURL(
            Printable.redacted(text), reason: "expected a URL that begins with https://")
        case CURLUE_USER_NOT_ALLOWED:
          throw .invalidURL(
            Printable.redacted(text),
            reason: "it has a user or a password, which belong into a header field")
        default:
          throw unsafe .invalidURL(
            Printable.redacted(text), reason: String(cString: curl_url_strerror(status)))
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
