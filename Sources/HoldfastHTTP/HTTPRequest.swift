#if Curl
  internal import HoldfastDER

  /// A request.
  ///
  /// ```swift
  /// var request = HTTPRequest("https://api.example.com/v1/notes", method: "POST")
  /// request.fields["Content-Type"] = "text/plain"
  /// request.body = .bytes(Array("Hello".utf8))
  /// ```
  public struct HTTPRequest: Sendable {
    /// The URL, with the scheme `https`; `http` must be allowed by the options.
    public var url: String
    /// The method. RFC 9110 §9.
    public var method: String
    /// The header fields. Length, host and connection are set by the client.
    public var fields: HTTPFields
    /// The body; nil for none.
    public var body: HTTPBody?
    /// The time limit from the first connection to the last byte, redirects included; nil for that
    /// of the options.
    public var timeout: Duration?
    /// The longest time in which less than one byte a second is transferred, also because the program
    /// takes nothing; nil for that of the options.
    public var idleTimeout: Duration?
    /// Called with each redirect that is followed, the next URL, and the fields of the next request,
    /// which it may change.
    package var onRedirect: RedirectFunction?

    /// Creates a request. What is wrong with it is reported when it is made.
    ///
    /// - Parameter url: The URL, with the scheme `https`; `http` must be allowed by the options.
    public init(
      _ url: String, method: String = "GET", fields: HTTPFields = [:], body: HTTPBody? = nil
    ) {
      self.url = url
      self.method = method
      self.fields = fields
      self.body = body
    }
  }

  extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    /// `GET https://example.com/`: fields and body may be secret.
    public var description: String { "\(method) \(Printable.redacted(url))" }

    /// An empty mirror, so that `dump` shows no more.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The URL has no label.
    @available(*, unavailable, message: "write HTTPRequest(\"https://…\")")
    public init(url: String) { self.init(url) }

    /// The name that others have for it.
    @available(*, unavailable, renamed: "fields")
    public var headers: HTTPFields {
      get { fields }
      set { fields = newValue }
    }
  }

  extension HTTPRequest {
    /// Throws what is wrong with the request itself.
    package func check(_ options: HTTPOptions) throws(HTTPError) { _ = try Hop(self, options) }
  }

  /// What is told of redirects, on the client's thread.
  package typealias RedirectFunction =
    @Sendable (_ response: HTTPResponse, _ next: String, _ fields: inout HTTPFields) -> Void

  /// The body of a request.
  public struct HTTPBody: Sendable {
    enum Content: Sendable {
      case bytes([UInt8])
      case file(String)
      case stream(Stream)
    }

    /// Pieces that a task hands over.
    struct Stream: Sendable {
      let count: Int?
      /// Whether the pieces can be produced again.
      var isRepeatable = false
      /// Where the task runs; nil for the threads that all tasks share.
      var executor: (any TaskExecutor)?
      let produce: Producer
    }

    /// Hands each piece of a body over and waits until it is needed.
    typealias Producer =
      @Sendable (_ send: @Sendable ([UInt8]) async throws -> Void) async throws
      -> Void

    let content: Content

    /// These bytes.
    public static func bytes(_ bytes: [UInt8]) -> HTTPBody { HTTPBody(content: .bytes(bytes)) }

    /// The bytes of a regular file, which is read while they are sent. A pipe or a device is an error.
    public static func file(_ path: String) -> HTTPBody { HTTPBody(content: .file(path)) }

    /// The bytes of a sequence, which is asked for the next piece when the last one was sent. It can
    /// be sent once: a redirect that requires the body again is an error.
    ///
    /// - Parameter count: The number of bytes; nil if it is not known before. If the sequence has
    ///   another number of bytes, it is an error.
    public static func stream<Pieces: AsyncSequence & Sendable>(
      _ pieces: Pieces, count: Int? = nil
    ) -> HTTPBody where Pieces.Element == [UInt8] {
      HTTPBody(
        content: .stream(
          Stream(count: count) { send in
            for try await piece in pieces { try await send(piece) }
          }))
    }
  }

  extension HTTPBody: CustomStringConvertible {
    /// `5 bytes`, `the file notes.txt`, `a stream`.
    public var description: String {
      switch content {
      case .bytes(let bytes): "\(bytes.count) bytes"
      case .file(let path): "the file \(path)"
      case .stream: "a stream"
      }
    }
  }
#endif
