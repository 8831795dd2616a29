#if Curl && canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
  public import Holdfast
  public import HoldfastHTTP
  internal import Synchronization

  extension URLSessionConfiguration {
    /// Returns a default configuration whose sessions trust the servers that a manager trusts.
    ///
    /// ```swift
    /// let session = URLSession(configuration: .pinned(manager))
    /// let (data, response) = try await session.data(from: url)
    /// ```
    ///
    /// Each call makes a client that remains for the lifetime of the process: keep the configuration.
    public static func pinned(
      _ manager: TrustManager, options: HTTPOptions = HTTPOptions()
    ) -> URLSessionConfiguration {
      pinned(HTTPClient(manager, options: options))
    }

    /// Returns a default configuration whose sessions trust the servers that a manager trusts, which is
    /// replaced while they are used.
    public static func pinned(
      _ trust: LiveTrust, options: HTTPOptions = HTTPOptions()
    ) -> URLSessionConfiguration {
      pinned(HTTPClient(trust, options: options))
    }

    /// Returns a default configuration whose sessions make their requests with a client.
    public static func pinned(_ client: HTTPClient) -> URLSessionConfiguration {
      let configuration = URLSessionConfiguration.default
      configuration.protocolClasses = [PinnedURLProtocol.type(for: client)]
      return configuration
    }
  }

  /// Serves the requests of a `URLSession` with an `HTTPClient`, whose policy decides about servers.
  ///
  /// `URLSessionConfiguration.pinned(_:)` installs it. Data tasks and upload tasks with `httpBody` or
  /// `httpBodyStream` are served, in all forms: async, with a callback, with a delegate. Download
  /// tasks, and upload tasks with a body of their own, end with an error before anything is sent,
  /// because Foundation hides what they need. Redirects are followed inside, so a delegate does not
  /// see them. Requests with other schemes than `https` and `http` end with an error, as WebSocket tasks
  /// do. Errors are `URLError`s with the `TrustError` as the underlying error.
  open class PinnedURLProtocol: URLProtocol {
    private var loading: Task<Void, Never>?
    private weak var answer: Answer?

    /// Returns a class for `URLSessionConfiguration.protocolClasses` that uses a client. It and the
    /// client remain for the lifetime of the process, as classes do.
    public static func type(for client: HTTPClient) -> AnyClass { Registry.type(for: client) }

    /// The client of this class; nil for the base class, which serves nothing.
    class var client: HTTPClient? { nil }

    /// Whether there is a client. Requests of all schemes are taken: Foundation has protocols for other
    /// schemes, which know no policy. They end with an error.
    override open class func canInit(with request: URLRequest) -> Bool { client != nil }

    /// Returns the request as it is.
    override open class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Begins the transfer.
    override open func startLoading() {
      let answer = Answer(self)
      self.answer = answer
      do {
        guard let client = Self.client else { throw URLError(.unsupportedURL) }
        var made = try SessionRequest.make(task, request)
        let cookies = SessionCookies(task, request)
        made.onRedirect = { cookies?.follow($0, to: $1, &$2) }
        loading = Task { [made] in
          do throws(HTTPError) {
            // As a whole: of several pieces Foundation hands a callback only the last one.
            let (data, response) = try await client.data(for: made)
            cookies?.store(response)
            try answer.receive(response)
            if !data.isEmpty { answer.receive(data) }
            answer.finish()
          } catch {
            answer.fail(URLError(error, url: made.url))
          }
        }
      } catch {
        answer.fail(error)
      }
    }

    /// Cancels the transfer.
    override open func stopLoading() {
      answer?.stop()
      loading?.cancel()
    }
  }

  /// What a protocol tells its session.
  private final class Answer: @unchecked Sendable {
    // One task at a time calls the session, which queues what it is told.
    private let owner: PinnedURLProtocol
    /// Whether the session needs to be told nothing more. Once it has stopped a protocol it forgets
    /// the task, and a word about it would end the process.
    private let hasEnded = Mutex(false)

    init(_ owner: PinnedURLProtocol) { self.owner = owner }

    func stop() { hasEnded.withLock { $0 = true } }

    /// Tells the session, unless it has stopped.
    private func tell(isLast: Bool = false, _ body: (any URLProtocolClient) -> Void) {
      hasEnded.withLock { hasEnded in
        guard !hasEnded, let client = owner.client else { return }
        hasEnded = isLast
        body(client)
      }
    }

    func receive(_ response: HTTPResponse) throws(HTTPError) {
      guard let url = URL(string: response.url) else {
        throw .invalidURL(response.url, reason: "Foundation cannot read it")
      }
      let fields = Dictionary(response.fields.fields.map { ($0.name, $0.value) }) { "\($0), \($1)" }
      guard
        let head = HTTPURLResponse(
          url: url, statusCode: response.status, httpVersion: response.version.rawValue,
          headerFields: fields)
      else {
        throw .invalidResponse(host: url.host ?? "", reason: "Foundation cannot read its head")
      }
      tell { $0.urlProtocol(owner, didReceive: head, cacheStoragePolicy: .notAllowed) }
    }

    func receive(_ data: [UInt8]) {
      tell { $0.urlProtocol(owner, didLoad: Data(data)) }
    }

    func finish() { tell(isLast: true) { $0.urlProtocolDidFinishLoading(owner) } }

    func fail(_ error: any Error) {
      tell(isLast: true) { $0.urlProtocol(owner, didFailWithError: error) }
    }
  }

  /// The clients, each with a class of its own: a session makes the protocols itself, and their
  /// class is all that it passes on.
  private enum Registry {
    private static let clients = Mutex<[ObjectIdentifier: HTTPClient]>([:])

    static func client(of type: AnyClass) -> HTTPClient? {
      clients.withLock { $0[ObjectIdentifier(type)] }
    }

    static func type(for client: HTTPClient) -> AnyClass {
      clients.withLock { clients in
        let type: AnyClass = type(numbered: clients.count, Zero.self)
        clients[ObjectIdentifier(type)] = client
        return type
      }
    }

    /// Makes a class from the binary digits of a number.
    private static func type<Digits>(numbered number: Int, _: Digits.Type) -> AnyClass {
      guard number > 0 else { return NumberedURLProtocol<Digits>.self }
      return number % 2 == 0
        ? type(numbered: number / 2, Even<Digits>.self)
        : type(numbered: number / 2, Odd<Digits>.self)
    }

    private enum Zero {}
    private enum Even<Digits> {}
    private enum Odd<Digits> {}

    private final class NumberedURLProtocol<Digits>: PinnedURLProtocol {
      override class var client: HTTPClient? { Registry.client(of: self) }
    }
  }
#endif
