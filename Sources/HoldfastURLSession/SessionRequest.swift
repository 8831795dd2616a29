#if Curl && canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking
  internal import HoldfastHTTP

  /// A session's request as one of `HTTPClient`.
  enum SessionRequest {
    /// Throws if Foundation hides what a task needs.
    static func check(_ task: URLSessionTask, _ request: URLRequest) throws(URLError) {
      if task is URLSessionDownloadTask {
        throw error(.unsupportedURL, request, "Use a data task: download tasks are not supported.")
      }
      guard task is URLSessionUploadTask, request.httpBody == nil, request.httpBodyStream == nil
      else { return }
      throw error(
        .unsupportedURL, request,
        "Set httpBody of the request and use a data task: the body of an upload task is hidden.")
    }

    private static func error(
      _ code: URLError.Code, _ request: URLRequest, _ text: String
    ) -> URLError {
      var information: [String: Any] = [NSLocalizedDescriptionKey: text]
      information[NSURLErrorFailingURLErrorKey] = request.url
      return URLError(code, userInfo: information)
    }

    static func make(_ request: URLRequest) throws(URLError) -> HTTPRequest {
      guard let url = request.url else { throw error(.badURL, request, "The request has no URL.") }
      var made = HTTPRequest(url.absoluteString, method: request.httpMethod ?? "GET")
      for (name, value) in request.allHTTPHeaderFields ?? [:] where !HTTPFields.isReserved(name) {
        made.fields[name] = value
      }
      made.idleTimeout = .milliseconds(Int(min(max(request.timeoutInterval, 1), 1e9) * 1000))
      if let body = request.httpBody {
        made.body = .bytes(Array(body))
      } else if let stream = request.httpBodyStream {
        let count = request.value(forHTTPHeaderField: "Content-Length").flatMap { Int($0) }
        made.body = .stream(StreamPieces(stream: stream), count: count)
      }
      return made
    }
  }

  /// The cookies of requests and of the redirects in between, which a session does not see.
  extension HTTPCookieStorage {
    /// Stores the cookies of a response.
    func store(_ response: HTTPResponse) {
      guard let url = URL(string: response.url) else { return }
      for value in response.fields.values(of: "Set-Cookie") {
        let cookies = HTTPCookie.cookies(
          withResponseHeaderFields: ["Set-Cookie": value], for: url)
        setCookies(cookies, for: url, mainDocumentURL: nil)
      }
    }

    /// Stores the cookies of a redirect, and sets those of the next request.
    var onRedirect: RedirectFunction {
      { response, next, fields in
        self.store(response)
        let cookies = URL(string: next).flatMap { self.cookies(for: $0) } ?? []
        fields["Cookie"] = HTTPCookie.requestHeaderFields(with: cookies)["Cookie"]
      }
    }
  }

  /// The bytes of an input stream, in pieces.
  private struct StreamPieces: AsyncSequence, @unchecked Sendable {
    // Only the task that sends the body reads it.
    let stream: InputStream

    struct AsyncIterator: AsyncIteratorProtocol {
      let stream: InputStream

      mutating func next() throws -> [UInt8]? {
        if stream.streamStatus == .notOpen { stream.open() }
        var piece = [UInt8](repeating: 0, count: 64 * 1024)
        // SAFETY: the piece has room for as many bytes.
        let count = unsafe stream.read(&piece, maxLength: piece.count)
        guard count >= 0 else { throw stream.streamError ?? URLError(.requestBodyStreamExhausted) }
        guard count > 0 else {
          stream.close()
          return nil
        }
        piece.removeLast(piece.count - count)
        return piece
      }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: stream) }
  }
#endif
