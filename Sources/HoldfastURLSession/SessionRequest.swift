#if Curl && canImport(FoundationNetworking)
  internal import Dispatch
  internal import Foundation
  internal import FoundationNetworking
  internal import HoldfastHTTP

  /// A session's request as one of `HTTPClient`.
  enum SessionRequest {
    /// Returns the request of a task. Throws if it is not one of HTTP, or Foundation hides what the
    /// task needs.
    static func make(
      _ task: URLSessionTask?, _ request: URLRequest
    ) throws(URLError) -> HTTPRequest {
      guard let scheme = request.url?.scheme?.lowercased(), scheme == "https" || scheme == "http"
      else {
        throw error(
          .unsupportedURL, request,
          "This session has a trust policy, which is for https and http: nothing was sent.")
      }
      if task is URLSessionDownloadTask {
        throw error(
          .unsupportedURL, request,
          "Use HTTPClient.download(for:to:), or a data task: download tasks are not supported.")
      }
      var made = try make(request)
      if task is URLSessionUploadTask, made.body == nil {
        guard let body = task?.knownBody else {
          throw error(
            .unsupportedURL, request,
            "Set httpBodyStream of the request, and use a data task: this task hides its body.")
        }
        made.body = body
      }
      return made
    }

    private static func error(
      _ code: URLError.Code, _ request: URLRequest, _ text: String
    ) -> URLError {
      var information: [String: Any] = [NSLocalizedDescriptionKey: text]
      information[NSURLErrorFailingURLErrorKey] = request.url.flatMap(URLError.shown)
      return URLError(code, userInfo: information)
    }

    private static func make(_ request: URLRequest) throws(URLError) -> HTTPRequest {
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

  extension URLSessionTask {
    /// The value of a property that is not public; nil if there is none of this name.
    ///
    /// Foundation tells a protocol the task alone, and neither its session nor the body of an upload.
    func hidden(_ name: String) -> Any? {
      var level: Mirror? = Mirror(reflecting: self)
      while let mirror = level {
        if let found = mirror.children.first(where: { $0.label == name }) { return found.value }
        level = mirror.superclassMirror
      }
      return nil
    }

    /// The body of an upload task from bytes or a file.
    fileprivate var knownBody: HTTPBody? {
      guard let body = hidden("knownBody"),
        let content = Mirror(reflecting: body).children.first?.value
      else { return nil }
      switch Mirror(reflecting: content).children.first?.value {
      case let data as DispatchData: return .bytes(Array(data))
      case let file as URL where file.isFileURL: return .file(file.path)
      default: return nil
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
