#if Curl && canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking
  internal import HoldfastHTTP

  /// What a session's configuration says of cookies. Foundation itself adds those of the first request.
  struct SessionCookies: Sendable {
    private let storage: HTTPCookieStorage
    private let policy: HTTPCookie.AcceptPolicy
    private let mainDocument: URL?
    /// Whether the requests that follow redirects get the cookies of the storage.
    private let areSent: Bool

    /// Nil if the request or the configuration wants none.
    init?(_ task: URLSessionTask?, _ request: URLRequest) {
      guard request.httpShouldHandleCookies, let configuration = task?.configuration,
        let storage = configuration.httpCookieStorage
      else { return nil }
      self.storage = storage
      policy = configuration.httpCookieAcceptPolicy
      mainDocument = request.mainDocumentURL
      areSent = configuration.httpShouldSetCookies
    }

    /// Stores the cookies of a response.
    func store(_ response: HTTPResponse) {
      guard let url = URL(string: response.url), accepts(url) else { return }
      for value in response.fields.values(of: "Set-Cookie") {
        let cookies = HTTPCookie.cookies(
          withResponseHeaderFields: ["Set-Cookie": value], for: url)
        storage.setCookies(cookies, for: url, mainDocumentURL: mainDocument)
      }
    }

    private func accepts(_ url: URL) -> Bool {
      switch policy {
      case .always: return true
      case .onlyFromMainDocumentDomain:
        // Without a document every request is one of its own.
        guard let main = mainDocument?.host?.lowercased() else { return true }
        guard let host = url.host?.lowercased() else { return false }
        return main == host || main.hasSuffix("." + host)
      default: return false
      }
    }

    /// Stores the cookies of a redirect, and sets those of the next request.
    func follow(_ response: HTTPResponse, to next: String, _ fields: inout HTTPFields) {
      store(response)
      guard areSent else { return }
      let cookies = URL(string: next).flatMap { storage.cookies(for: $0) } ?? []
      fields["Cookie"] = HTTPCookie.requestHeaderFields(with: cookies)["Cookie"]
    }
  }

  extension URLSessionTask {
    /// The configuration of the task's session, nil if it is not found; then there are no cookies.
    fileprivate var configuration: URLSessionConfiguration? {
      (hidden("session") as? URLSession)?.configuration
    }
  }
#endif
