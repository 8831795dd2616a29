#if Curl && canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking
  internal import HoldfastHTTP

  /// A session's request as one of `HTTPClient`.
  enum SessionRequest {
    /// Throws if the request is not one of HTTP, or Foundation hides what its task needs.
    static func check(_ task: URLSessionTask?, _ request: URLRequest) throws(URLError) {
      guard let scheme = request.url?.scheme?.lowercased(), scheme == "https" || scheme == "http"
      else {
        throw error(
          .unsupportedURL, request,
          "This session has a trust policy, which is for https and http: nothing was sent.")
      }
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
      information[NSURLErrorFailingURLErrorKey] = request.url.flatMap(URLError.shown)
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
