#if Curl
  internal import Holdfast
  internal import HoldfastHTTP

  /// What a command line asks for.
  struct GetRequest: Sendable {
    let target: ConnectTarget
    let policy: ServerPolicy
    let request: HTTPRequest
    let options: HTTPOptions
    /// Where the body goes; nil for standard output.
    let file: String?
    let replaces: Bool
    /// When everything must have ended; nil if never.
    let deadline: ContinuousClock.Instant?

    init(_ call: Invocation) throws(UsageError) {
      guard call.operands.count == 1, let url = call.operands.first else {
        let advice = call.has(ConnectOptions.identity) ? ConnectRequest.oneFile : ""
        throw .conflict("name one URL\(advice)")
      }
      guard url.lowercased().hasPrefix("https://"), let target = ConnectTarget(url) else {
        throw .conflict("\(printable(url)): expected a URL that begins with https://")
      }
      self.target = target
      policy = try ServerPolicy(call, for: [target.host])
      var request = HTTPRequest(url)
      for text in call[GetOptions.fields] { request.fields.fields.append(try Self.field(text)) }
      deadline = call[GetOptions.time].map { ContinuousClock.now + .seconds($0) }
      self.request = request
      var options = HTTPOptions()
      options.limits.bodyBytes = call[GetOptions.size]
      options.limits.fileBytes = call[GetOptions.size] ?? GetOptions.fileBytes
      options.proxy = try ProxyOption.proxy(call)
      if let other = call[ConnectOptions.target] {
        options.addresses["\(target.host)"] = other.name
      }
      options.identity = try ConnectRequest.readIdentity(call, policy.passwords)
      self.options = options
      do throws(HTTPError) {
        try request.check(options)
      } catch {
        throw .conflict(printable("\(error)"))
      }
      let file = call[CommonOptions.output]
      self.file = file == "-" ? nil : file
      replaces = call[CommonOptions.force]
      try FileWriter(call).check(self.file)
    }

    /// The request, with the time that is left.
    func next() -> HTTPRequest {
      var next = request
      next.timeout = deadline.map { ContinuousClock.now.duration(to: $0) }
      return next
    }

    private static func field(_ text: String) throws(UsageError) -> HTTPFields.Field {
      guard let colon = text.firstIndex(of: ":") else {
        throw .badValue(
          option: GetOptions.fields.name, value: text,
          expected: "a field, as in 'Accept: text/html'")
      }
      let value = text[colon...].dropFirst()
      return HTTPFields.Field(String(text[..<colon]), String(value.drop { $0 == " " }))
    }
  }
#endif
