#if Curl
  public import Holdfast
  internal import HoldfastDER
  package import HoldfastOpenSSL
  internal import Synchronization

  /// The status and the header fields of a response.
  public struct HTTPResponse: Sendable {
    /// The status code. RFC 9110 §15.
    public let status: Int
    /// The header fields.
    public let fields: HTTPFields
    /// The URL that was requested last, after redirects.
    public let url: String
    /// The version of the protocol.
    public let version: HTTPVersion
    /// Why the server is trusted; nil if the connection was not encrypted.
    public let verdict: Verdict?
    /// What was agreed on in the handshake; nil if the connection was not encrypted.
    package let tls: TLSFacts?

    /// Whether the server has asked for a client certificate when the connection was made. If it was
    /// given none, a status such as 400 or 403 may say that it wants one. In a resumed session it does
    /// not ask.
    public var requestsClientCertificate: Bool { tls?.requestsClientCertificate == true }

    /// How long the server asks to wait before the next request, from now on; nil if it does not. A
    /// time that has passed is zero. RFC 9110 §10.2.3.
    public var retryAfter: Duration? { retryAfter(from: .now) }

    func retryAfter(from now: Timestamp) -> Duration? {
      guard let text = fields["Retry-After"] else { return nil }
      if let time = HTTPDate.time(text, now: now) {
        return .seconds(max(0, time.seconds(since: now)))
      }
      guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
      return .seconds(UInt32(text) ?? .max)
    }

    /// Whether the status is one of success, 200 to 299.
    public var isSuccess: Bool { 200..<300 ~= status }
  }

  /// A version of HTTP.
  public enum HTTPVersion: String, Sendable, Hashable, CaseIterable {
    /// RFC 1945.
    case http10 = "HTTP/1.0"
    /// RFC 9112.
    case http11 = "HTTP/1.1"
    /// RFC 9113.
    case http2 = "HTTP/2"
  }

  /// How much of a request and its response has been transferred.
  ///
  /// A function that is told of it is called on the client's thread, which it must not block. It may
  /// keep what it needs in a variable that nothing else uses.
  public struct HTTPProgress: Sendable, Hashable {
    /// The number of bytes of the request's body that were sent.
    public internal(set) var sent = 0
    /// The length of the request's body; nil if it is not known.
    public internal(set) var sentTotal: Int?
    /// The number of bytes of the response's body that were received, after decompression.
    public internal(set) var received = 0
    /// The length of the response's body; nil if it is not known, or the body is compressed.
    public internal(set) var receivedTotal: Int?
  }

  extension HTTPProgress: CustomStringConvertible {
    /// How much of the response is there, or of the request as long as nothing is, from 0 to 1; nil
    /// if its length is not known.
    public var fraction: Double? {
      let (part, whole) = received > 0 ? (received, receivedTotal) : (sent, sentTotal)
      guard let whole, whole > 0 else { return nil }
      return min(Double(part) / Double(whole), 1)
    }

    /// `received 1024 of 4096 bytes`, or what is sent as long as nothing is received.
    public var description: String {
      let (word, part, whole) =
        received > 0 ? ("received", received, receivedTotal) : ("sent", sent, sentTotal)
      return "\(word) \(part)\(whole.map { " of \($0)" } ?? "") bytes"
    }
  }

  /// What is told of a transfer, one call at a time. It may keep what it needs.
  final class ProgressFunction: Sendable {
    private let function: Mutex<(HTTPProgress) -> Void>

    init?(_ function: sending ((HTTPProgress) -> Void)?) {
      guard let function else { return nil }
      self.function = Mutex(function)
    }

    func report(_ progress: HTTPProgress) { function.withLock { $0(progress) } }
  }

  extension HTTPResponse: CustomStringConvertible {
    /// `200 https://example.com/ (HTTP/2)`.
    public var description: String {
      "\(status) \(Printable.redacted(url)) (\(version.rawValue))"
    }

    /// The name that Foundation has for it.
    @available(*, unavailable, renamed: "status")
    public var statusCode: Int { status }

    /// The name that others have for it.
    @available(*, unavailable, renamed: "fields")
    public var headers: HTTPFields { fields }
  }

  /// The bytes of a response, in pieces, as they arrive. The server is slowed down if they are not
  /// taken. It can be read once: a second iterator gets an error.
  ///
  /// The transfer ends when the body is released, or the task that reads it is cancelled.
  public struct HTTPResponseBody: AsyncSequence, Sendable {
    let source: Source

    /// An iterator over the pieces.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let source: Source
      let isFirst: Bool

      /// Returns the next piece; nil after the last one.
      public mutating func next() async throws(HTTPError) -> [UInt8]? {
        try await source.next(isFirst)
      }

      /// Returns the next piece; nil after the last one.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws(HTTPError) -> [UInt8]? {
        try await source.next(isFirst)
      }
    }

    /// Creates the iterator.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(source: source, isFirst: source.take())
    }

    /// Cancels the transfer when nothing reads it any more.
    final class Source: Sendable {
      let exchange: Exchange
      private let isTaken = Guarded(false)

      init(_ exchange: Exchange) { self.exchange = exchange }
      deinit { exchange.cancel() }

      /// Returns the next piece to the first iterator.
      func next(_ isFirst: Bool) async throws(HTTPError) -> [UInt8]? {
        guard isFirst else { throw .bodyReadTwice }
        return try await exchange.next()
      }

      /// Whether this is the first iterator.
      func take() -> Bool {
        isTaken.withLock { isTaken in
          defer { isTaken = true }
          return !isTaken
        }
      }
    }
  }
#endif
