#if Curl
  public import Holdfast
  public import HoldfastOpenSSL
  internal import HoldfastSystem

  /// Makes HTTPS requests to servers that a policy trusts, with libcurl.
  ///
  /// ```swift
  /// let client = HTTPClient(manager)
  /// let (data, response) = try await client.data(for: HTTPRequest("https://api.example.com/v1"))
  /// ```
  ///
  /// The policy decides during the handshake, before a byte of the request is sent. One thread
  /// serves all requests of a client; connections and TLS sessions are used again by its later
  /// requests while the verdict about the server is valid. There are no cookies, and no credentials
  /// but those in the request. Cancelling a task ends its request with `HTTPError.cancelled`. A client
  /// is closed when it is released.
  public final class HTTPClient: Sendable {
    private let loop: TransferLoop
    private let files = FileQueue()

    /// Runs tasks on the client's thread, for tasks that wait for one response after another.
    ///
    /// ```swift
    /// let (data, _) = try await withTaskExecutorPreference(client.executor) {
    ///   try await client.data(from: "https://api.example.com/v1")
    /// }
    /// ```
    ///
    /// Otherwise each response is handed over to a thread that all tasks share, which takes as long as
    /// a small response. While such a task computes, the client's other requests wait, and if it blocks
    /// its thread for a response, that never comes: do longer work outside the preference.
    public let executor: any TaskExecutor

    /// The bytes of a streamed body that wait before the server is slowed down.
    static let streamCapacity = 256 * 1024

    /// Creates a client that trusts the servers that a verifier accepts.
    public init(_ verifier: TLSVerifier, options: HTTPOptions = HTTPOptions()) {
      loop = TransferLoop(options, HTTPDecision(verifier, options))
      executor = TransferExecutor(loop)
    }

    /// Creates a client from pins, anchors and rules.
    public convenience init(_ manager: TrustManager, options: HTTPOptions = HTTPOptions()) {
      self.init(TLSVerifier(manager), options: options)
    }

    /// Creates a client whose trust is replaced while it is used. An update closes idle connections to
    /// servers that are no longer trusted; requests that have begun end as they would have.
    public convenience init(_ trust: LiveTrust, options: HTTPOptions = HTTPOptions()) {
      self.init(TLSVerifier(trust), options: options)
    }

    /// Creates a client that needs no pins: a server must have a valid path.
    public convenience init(_ validator: PathValidator, options: HTTPOptions = HTTPOptions()) {
      self.init(TLSVerifier(validator), options: options)
    }

    /// Creates a client of workloads: a server must have one of these SPIFFE IDs, and its anchor belongs to
    /// the trust domain of the ID. The host of a URL is not compared with the certificate.
    ///
    /// ```swift
    /// let validator = PathValidator(anchors: try AnchorSet(bundles: bundles))
    /// let client = HTTPClient(validator, peer: try .id("spiffe://example.org/api"))
    /// ```
    ///
    /// - Parameter validator: The anchors, made of SPIFFE bundles, and the rules.
    public convenience init(
      _ validator: PathValidator, peer peers: SPIFFEPeers, options: HTTPOptions = HTTPOptions()
    ) {
      self.init(TLSVerifier(validator, peer: peers), options: options)
    }

    /// Creates a client that needs no pins, whose anchors and rules are replaced while it is used.
    public convenience init(_ validator: Live<PathValidator>, options: HTTPOptions = HTTPOptions())
    {
      self.init(TLSVerifier(validator), options: options)
    }

    /// Creates a client of workloads from a validator that is replaced while it is used, as SPIFFE
    /// bundles are.
    public convenience init(
      _ validator: Live<PathValidator>, peer peers: SPIFFEPeers,
      options: HTTPOptions = HTTPOptions()
    ) {
      self.init(TLSVerifier(validator, peer: peers), options: options)
    }

    /// Creates a client that needs no pins: a server must have a valid path to an anchor of the
    /// system.
    public convenience init(options: HTTPOptions = HTTPOptions()) throws(SystemAnchorsError) {
      self.init(PathValidator(anchors: try .system()), options: options)
    }

    /// Creates a client that needs no pins: a server must have a valid path to one of the anchors.
    public convenience init(
      anchors: AnchorSet, rules: ValidationRules = .webPKI, options: HTTPOptions = HTTPOptions()
    ) {
      self.init(PathValidator(anchors: anchors, rules: rules), options: options)
    }

    /// Creates a client for the hosts that have pins. Other hosts are rejected.
    ///
    /// ```swift
    /// let client = try HTTPClient(pins: ["api.example.com": ["sha256/…", "sha256/…"]])
    /// ```
    ///
    /// - Parameters:
    ///   - pins: The pins by pattern, as `PinTable` reads them: the key in use and a backup.
    ///   - anchors: The anchors; nil for the system's.
    public convenience init(
      pins: [String: [String]], anchors: AnchorSet? = nil, rules: ValidationRules = .webPKI,
      options: HTTPOptions = HTTPOptions()
    ) throws(TrustManagerError) {
      let manager = try TrustManager(pins: pins, anchors: anchors, rules: rules)
      self.init(manager, options: options)
    }

    /// Creates a client from any policy.
    ///
    /// - Parameter validator: The anchors and rules that the policy uses.
    public convenience init(
      _ policy: any TrustEvaluating, validator: PathValidator,
      options: HTTPOptions = HTTPOptions()
    ) {
      self.init(TLSVerifier(policy, validator: validator), options: options)
    }

    deinit { loop.stop() }
  }

  extension HTTPClient {
    /// Makes a request and returns the whole body with the response.
    ///
    /// - Parameter progress: Called as ``HTTPProgress`` says.
    public func data(
      for request: HTTPRequest, progress: sending ((HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> (data: [UInt8], response: HTTPResponse) {
      let limits = loop.options.limits
      let exchange = try await start(
        request, capacity: nil, limit: min(limits.dataBytes, limits.bodyBytes ?? .max), progress)
      let (data, response) = try await exchange.collect()
      return (data, response)
    }

    /// Makes a GET request and returns the whole body with the response.
    public func data(
      from url: String
    ) async throws(HTTPError) -> (data: [UInt8], response: HTTPResponse) {
      try await data(for: HTTPRequest(url))
    }

    /// Makes a request and returns the response when its header is there, with a body that is read
    /// as it arrives.
    ///
    /// - Parameter progress: Called as ``HTTPProgress`` says.
    public func bytes(
      for request: HTTPRequest, progress: sending ((HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> (body: HTTPResponseBody, response: HTTPResponse) {
      try await bytes(for: request, limit: loop.options.limits.bodyBytes, progress)
    }

    private func bytes(
      for request: HTTPRequest, limit: Int?, _ progress: sending ((HTTPProgress) -> Void)?
    ) async throws(HTTPError) -> (body: HTTPResponseBody, response: HTTPResponse) {
      let exchange = try await start(
        request, capacity: HTTPClient.streamCapacity, limit: limit, progress)
      let source = HTTPResponseBody.Source(exchange)
      let response = try await exchange.response()
      return (HTTPResponseBody(source: source), response)
    }

    /// Makes a GET request and returns the response when its header is there, with a body that is
    /// read as it arrives.
    ///
    /// - Parameter progress: Called as ``HTTPProgress`` says.
    public func bytes(
      from url: String, progress: sending ((HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> (body: HTTPResponseBody, response: HTTPResponse) {
      try await bytes(for: HTTPRequest(url), progress: progress)
    }

    /// Sends bytes as the body of a request, in place of its own, and returns the whole body of the
    /// response.
    ///
    /// - Parameters:
    ///   - request: A request of a method that has a body, such as `PUT` or `POST`. That of a new
    ///     request, `GET`, is refused.
    ///   - progress: Called as ``HTTPProgress`` says.
    public func upload(
      for request: HTTPRequest, from bytes: [UInt8],
      progress: sending ((HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> (data: [UInt8], response: HTTPResponse) {
      try await upload(.bytes(bytes), with: request, progress)
    }

    /// Sends a regular file as the body of a request, in place of its own, and returns the whole body of
    /// the response. The file is read while it is sent.
    ///
    /// - Parameters:
    ///   - request: A request of a method that has a body, such as `PUT` or `POST`. That of a new
    ///     request, `GET`, is refused.
    ///   - progress: Called as ``HTTPProgress`` says.
    public func upload(
      for request: HTTPRequest, fromFile path: String,
      progress: sending ((HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> (data: [UInt8], response: HTTPResponse) {
      try await upload(.file(path), with: request, progress)
    }

    /// Sends a body. In a GET or a HEAD it has no meaning, and a server may ignore it or take the
    /// request for an attack: RFC 9110 §9.3.1. `data(for:)` sends it, if the request has one.
    private func upload(
      _ body: HTTPBody, with request: HTTPRequest, _ progress: sending ((HTTPProgress) -> Void)?
    ) async throws(HTTPError) -> (data: [UInt8], response: HTTPResponse) {
      guard !["GET", "HEAD"].contains(request.method) else {
        throw .methodWithoutBody(request.method)
      }
      var request = request
      request.body = body
      return try await data(for: request, progress: progress)
    }

    /// Sends bytes in a POST request, and returns the whole body with the response. What a server may
    /// have received is not sent again: see ``HTTPError/wasSent``.
    ///
    /// - Parameter headers: Header fields, such as `["Content-Type": "application/json"]`.
    public func post(
      _ url: String, body: some Sequence<UInt8>, headers: HTTPFields = [:]
    ) async throws(HTTPError) -> (data: [UInt8], response: HTTPResponse) {
      try await data(
        for: HTTPRequest(url, method: "POST", fields: headers, body: .bytes(Array(body))))
    }

    /// Makes a GET request and writes the body of a successful response into a file, which gets its
    /// name when it is complete. Of other responses nothing is written, and no more than
    /// ``HTTPOptions/Limits/fileBytes``.
    ///
    /// - Parameters:
    ///   - replacing: Whether an existing file is replaced; otherwise it is an error.
    ///   - progress: Called as ``HTTPProgress`` says.
    public func download(
      from url: String, to path: String, replacing: Bool = true,
      progress: sending ((HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> HTTPResponse {
      try await download(
        for: HTTPRequest(url), to: path, replacing: replacing, progress: progress)
    }

    /// The verb belongs to the request.
    @available(
      *, unavailable,
      message: "use data(from: url), or data(for: HTTPRequest(url, method: …, body: …))"
    )
    public func get(_ url: String) async throws(HTTPError) -> HTTPResponse {
      try await data(from: url).response
    }

    /// Makes a request and writes the body of a successful response into a file, which gets its name
    /// when it is complete. Of other responses nothing is written, and no more than
    /// ``HTTPOptions/Limits/fileBytes``.
    ///
    /// - Parameters:
    ///   - replacing: Whether an existing file is replaced; otherwise it is an error.
    ///   - progress: Called as ``HTTPProgress`` says.
    public func download(
      for request: HTTPRequest, to path: String, replacing: Bool = true,
      progress: sending ((HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> HTTPResponse {
      let limits = loop.options.limits
      let (body, response) = try await bytes(
        for: request, limit: min(limits.fileBytes, limits.bodyBytes ?? .max), progress)
      guard response.isSuccess else { return response }
      // A disk may be slow, and the threads that all tasks share are few.
      try await withTaskExecutorPreference(files) { () async throws(HTTPError) in
        let file = try HTTPClient.write(path) { () throws(FileOutput.Problem) in
          try PendingFile(path, replacing: replacing)
        }
        var pieces = body.makeAsyncIterator()
        while let piece = try await pieces.next() {
          try HTTPClient.write(path) { () throws(FileOutput.Problem) in try file.append(piece) }
        }
        try HTTPClient.write(path) { () throws(FileOutput.Problem) in try file.commit() }
      }
      return response
    }

    private static func write<Value>(
      _ path: String, _ body: () throws(FileOutput.Problem) -> Value
    ) throws(HTTPError) -> Value {
      do throws(FileOutput.Problem) {
        return try body()
      } catch {
        throw .file(path: path, reason: error.description)
      }
    }

    private func start(
      _ request: HTTPRequest, capacity: Int?, limit: Int?,
      _ progress: sending ((HTTPProgress) -> Void)?
    ) async throws(HTTPError) -> Exchange {
      if let backend = TransferLoop.otherBackend { throw .unsupportedLibrary(backend) }
      let progress = ProgressFunction(progress)
      var hop = try Hop(request, loop.options)
      hop.body = try await request.body?.opened(on: files)
      let exchange = Exchange(id: loop.makeID(), capacity: capacity, on: loop)
      let deadline = (request.timeout ?? loop.options.timeout).map { ContinuousClock.now + $0 }
      loop.send(
        .start(
          TransferLoop.Job(
            exchange: exchange, hop: hop, deadline: deadline, bodyLimit: limit,
            progress: progress))
      )
      return exchange
    }
  }
#endif
