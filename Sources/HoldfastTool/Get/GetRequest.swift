internal import HoldfastAnswers

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
      guard url.lowercased().hasPrefix("https://") else {
        throw .conflict("\(printable(word: url)): expected a URL that begins with https://")
      }
      try Self.check(HTTPRequest(url), HTTPOptions())
      guard let target = ConnectTarget(url) else {
        throw .conflict("\(printable(word: url)): expected a URL with a host")
      }
      self.target = target
      policy = try ServerPolicy(call, for: [target.host])
      var request = HTTPRequest(url)
      for text in call[GetOptions.fields] { request.fields.fields += try Self.fields(text) }
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
      try Self.check(request, options)
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

    private static func check(
      _ request: HTTPRequest, _ options: HTTPOptions
    ) throws(UsageError) {
      do throws(HTTPError) {
        try request.check(options)
      } catch {
        throw .conflict(printable("\(error)"))
      }
    }

    private static let expectedField = "expected a field, as in 'Accept: text/html'"

    /// The field that a value of `--header` is, or those of a file, one on each line. No message has
    /// what could not be understood: it may be a secret.
    private static func fields(_ text: String) throws(UsageError) -> [HTTPFields.Field] {
      guard text.utf8.first == 0x40 else {
        guard let field = field(text[...]) else {
          throw .conflict("\(GetOptions.fields.name): \(expectedField)")
        }
        return [field]
      }
      let file = String(text.dropFirst())
      let bytes = try Invocation.contents(of: file, limit: 1 << 16)
      var fields: [HTTPFields.Field] = []
      for (index, line) in String(decoding: bytes, as: UTF8.self)
        .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
      where !line.isEmpty {
        guard let field = field(line) else {
          throw .badInput("\(printable(file)), line \(index + 1): \(expectedField)")
        }
        fields.append(field)
      }
      return fields
    }

    /// The field of a line; nil if what stands before the colon is no name. It may be a part of a secret
    /// then, as in `Bearer …:…`.
    private static func field(_ text: Substring) -> HTTPFields.Field? {
      guard let colon = text.firstIndex(of: ":") else { return nil }
      let (name, value) = (String(text[..<colon]), text[colon...].dropFirst())
      guard HTTPFields.isToken(name) else { return nil }
      return HTTPFields.Field(name, String(value.drop { $0 == " " }))
    }
  }
#endif
