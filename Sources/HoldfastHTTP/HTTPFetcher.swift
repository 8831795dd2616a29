#if Curl
  public import HoldfastOnline
  internal import Holdfast
  internal import HoldfastCertificates
  internal import HoldfastDER
  internal import HoldfastOpenSSL

  /// Fetches for an `OnlineValidator`, with libcurl.
  ///
  /// It connects to public addresses only, and looks at the address when the socket is opened, so a
  /// name that resolves to another one meanwhile gains nothing. It sends no cookies and no
  /// credentials, and decodes no compression. Each redirect is checked as the URL was.
  ///
  /// With a proxy that check is the proxy's: it looks up the names and opens the sockets, and the
  /// fetcher sees no address but the proxy's own, which may be any. So the proxy must refuse
  /// what it should not reach, as hosts of its own network. A URL with an address is fetched through it
  /// if an allowed range contains that address, and one with a name without a dot is not.
  public final class HTTPFetcher: Fetching {
    /// The clients. The servers that strangers' chains name as those of issuers may hang, and must
    /// not use up the connections to those that CAs have signed.
    private let issuerClient: HTTPClient
    private let statusClient: HTTPClient
    /// The URL of the proxy; nil without one.
    private let proxy: String?
    /// The addresses that are not public, and may be connected to all the same.
    public let allowedRanges: [AddressRange]

    /// Creates a fetcher.
    ///
    /// - Parameters:
    ///   - ranges: Addresses that are not public, and may be connected to all the same: those of a
    ///     company's own CA.
    ///   - addresses: Addresses to connect to instead of those of the hosts' names. They are checked,
    ///     too.
    ///   - proxy: The proxy, which connects in place of this program; nil for none.
    public init(
      allowing ranges: [AddressRange] = [], addresses: [String: String] = [:],
      proxy: HTTPProxy? = nil
    ) {
      allowedRanges = ranges
      self.proxy = proxy?.description
      var options = HTTPOptions()
      options.allowsPlainHTTP = true
      options.allowsHTTP2 = false
      options.maximumRedirects = 0
      options.maximumConnectionsPerHost = 4
      options.addresses =
        proxy == nil ? .publicOnly(allowing: ranges) : HTTPAddresses()
      for (host, address) in addresses { options.addresses[host] = address }
      options.limits.headerBytes = 16 << 10
      options.proxy = proxy
      // Nothing encrypted is requested, and no server would be trusted.
      let verifier = TLSVerifier(NoTrust(), validator: PathValidator(anchors: AnchorSet([])))
      issuerClient = HTTPClient(verifier, options: options)
      statusClient = HTTPClient(verifier, options: options)
    }

    /// The ports belong to the policy of the validator.
    @available(
      *, unavailable,
      message: "set the ports of the policy: var policy = FetchPolicy(); policy.ports = [80, 8080]"
    )
    public convenience init(allowing ranges: [AddressRange] = [], ports: Set<UInt16>) {
      self.init(allowing: ranges)
    }

    /// Makes a request, and returns the body of the response.
    public func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
      var url = request.url
      var redirects = 0
      while true {
        let (body, response) = try await exchange(request, url)
        if Hop.isRedirect(response.status), let location = response.fields["Location"] {
          redirects += 1
          guard redirects <= request.maximumRedirects else {
            throw .tooManyRedirects(request.maximumRedirects)
          }
          url = try target(location, from: url, request.ports)
          continue
        }
        guard response.status == 200 || response.status == 304 && request.entityTag != nil else {
          throw FetchError.status(response.status).through(proxy)
        }
        return FetchResponse(
          body, isUnchanged: response.status == 304,
          entityTag: response.fields["ETag"], maximumAge: HTTPFetcher.maximumAge(response.fields))
      }
    }

    private func target(
      _ location: String, from url: FetchURL, _ ports: Set<UInt16>
    ) throws(FetchError) -> FetchURL {
      let text: String
      do throws(HTTPError) {
        text = try RequestURL(location, relativeTo: try RequestURL(url.text)).text
      } catch {
        throw .invalidURL(Printable.text(Printable.redacted(location)), reason: "\(error)")
      }
      return try FetchURL(text, ports: ports, ranges: allowedRanges)
    }

    /// Makes one request, and reads its body to the limit. Another body than that of a 200 is of no
    /// use: it is released, which ends the transfer, and costs nothing of the limit.
    private func exchange(
      _ request: FetchRequest, _ url: FetchURL
    ) async throws(FetchError) -> ([UInt8], HTTPResponse) {
      guard proxy == nil || url.host.isQualified else {
        throw .invalidURL(
          url.text, reason: "\(HostName.notQualified), which the proxy would look up")
      }
      var fields: HTTPFields = ["Accept-Encoding": "identity"]
      if let tag = request.entityTag { fields["If-None-Match"] = tag }
      if request.body != nil { fields["Content-Type"] = "application/ocsp-request" }
      var http = HTTPRequest(
        url.text, method: request.body == nil ? "GET" : "POST", fields: fields,
        body: request.body.map { .bytes($0) })
      http.timeout = ContinuousClock.now.duration(to: request.deadline)
      let client = request.kind == .issuers ? issuerClient : statusClient
      do throws(HTTPError) {
        let (pieces, response) = try await client.bytes(for: http)
        var body: [UInt8] = []
        guard response.status == 200 else { return (body, response) }
        var iterator = pieces.makeAsyncIterator()
        while let piece = try await iterator.next() {
          guard piece.count <= request.maximumBytes - body.count else {
            throw .bodyTooLong(limit: request.maximumBytes, host: url.host.description)
          }
          body += piece
        }
        return (body, response)
      } catch {
        throw FetchError(error).through(proxy)
      }
    }

    /// Reads max-age, or no-store and no-cache as 0. RFC 9111 §5.2.2.
    private static func maximumAge(_ fields: HTTPFields) -> Int64? {
      let directives = fields.values(of: "Cache-Control").flatMap { $0.split(separator: ",") }
        .map { String($0.filter { $0 != " " && $0 != "\t" }) }
      if directives.contains(where: {
        HTTPFields.isEqual($0, "no-store") || HTTPFields.isEqual($0, "no-cache")
      }) {
        return 0
      }
      for directive in directives where HTTPFields.isEqual(String(directive.prefix(8)), "max-age=")
      {
        return Int64(directive.dropFirst(8)).map { min(max($0, 0), 366 * 86_400) }
      }
      return nil
    }
  }

  /// Trusts no server.
  private struct NoTrust: TrustEvaluating {
    func evaluate(_ trust: ServerTrust, for host: String) throws(TrustError) -> Verdict {
      throw .rejected(reason: "fetching needs no TLS")
    }
  }

  extension FetchError {
    /// The error of a request.
    fileprivate init(_ error: HTTPError) {
      switch error {
      case .addressNotAllowed(let host, let address, let reason):
        self = .addressNotAllowed(host: host, address: address, reason: reason)
      case .noAddress(let host): self = .noAddress(host: host)
      case .unreachable(let host, let reason): self = .unreachable(host: host, reason: reason)
      case .timeout, .bodyStalled: self = .timeout
      case .cancelled: self = .cancelled
      case .bodyTooLong(let limit, _), .headersTooLong(let limit, _): self = .tooLong(limit: limit)
      case .connectionLost(_, let reason, _):
        self = .invalidResponse("the connection was lost: \(reason)")
      case .invalidResponse(_, let reason): self = .invalidResponse(reason)
      default: self = .other(error.textBesideHost)
      }
    }

    /// The error of a request through a proxy, if there is one, which names it.
    fileprivate func through(_ proxy: String?) -> FetchError {
      guard let proxy else { return self }
      return switch self {
      case .noAddress, .unreachable, .timeout, .status, .invalidResponse, .other:
        .through(proxy, self)
      default: self
      }
    }
  }
#endif
