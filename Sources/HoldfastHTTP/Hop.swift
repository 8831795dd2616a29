#if Curl
  /// One request of a chain of redirects: the first one, or what a redirect makes of it.
  struct Hop: Sendable {
    var url: RequestURL
    var method: String
    var fields: HTTPFields
    /// The body, once it is open.
    var body: OpenBody?
    /// Whether no redirect has led to another origin than that of the request.
    private(set) var isAtFirstOrigin = true
    let idleTimeout: Duration
    private let onRedirect: RedirectFunction?

    /// Reads a request, and checks it.
    init(_ request: HTTPRequest, _ options: HTTPOptions) throws(HTTPError) {
      url = try RequestURL(request.url)
      guard url.isEncrypted || options.allowsPlainHTTP else { throw .notEncrypted(request.url) }
      guard HTTPFields.isToken(request.method), request.method != "CONNECT" else {
        throw .invalidMethod(request.method)
      }
      method = request.method
      fields = request.fields
      if fields["User-Agent"] == nil { fields["User-Agent"] = options.userAgent }
      try fields.check()
      idleTimeout = request.idleTimeout ?? options.idleTimeout
      onRedirect = request.onRedirect
    }

    /// Whether the request may be sent again although the server may have it. RFC 9110 §9.2.2.
    func mayRepeat(_ options: HTTPOptions) -> Bool {
      options.repeatedMethods.contains(method) && body?.isRepeatable != false
    }

    /// Whether the client asks for a coding of the body, and undoes it.
    var undoesCoding: Bool { fields["Accept-Encoding"] == nil }

    /// The fields that a request keeps on its way to another origin. Any other may be a credential.
    private static let harmless = [
      "Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Cache-Control",
      "Content-Encoding", "Content-Language", "Content-Type", "If-Match", "If-Modified-Since",
      "If-None-Match", "If-Range", "If-Unmodified-Since", "Pragma", "Range", "User-Agent",
    ]

    /// Whether a status is that of a redirect that can be followed. RFC 9110 §15.4.
    static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

    /// Makes the request that follows a redirect. RFC 9110 §15.4.
    mutating func follow(
      _ response: HTTPResponse, to location: String, _ options: HTTPOptions
    ) throws(HTTPError) {
      let status = response.status
      let target = try RequestURL(location, relativeTo: url)
      guard target.isEncrypted || !url.isEncrypted else {
        throw .redirectNotEncrypted(to: target.text)
      }
      let becomesGet =
        status == 303 ? method != "HEAD" : (status == 301 || status == 302) && method == "POST"
      if becomesGet {
        (method, body) = ("GET", nil)
        fields.fields.removeAll { field in
          [
            "Content-Encoding", "Content-Language", "Content-Location", "Content-Type", "Digest",
            "Last-Modified",
          ].contains { HTTPFields.isEqual($0, field.name) }
        }
      }
      if body?.isRepeatable == false { throw .bodyNotRepeatable(host: url.server) }
      if !target.hasSameOrigin(as: url) {
        isAtFirstOrigin = false
        guard body == nil || options.sendsBodiesToOtherOrigins else {
          throw .redirectToOtherOrigin(to: target.text)
        }
        fields.fields.removeAll { field in
          !Hop.harmless.contains { HTTPFields.isEqual($0, field.name) }
        }
      }
      url = target
      onRedirect?(response, target.text, &fields)
    }
  }
#endif
