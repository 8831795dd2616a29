#if Curl
  public import Holdfast
  internal import HoldfastDER
  public import HoldfastOpenSSL

  /// Why a request has no response, or a response no end.
  @nonexhaustive
  public enum HTTPError: Error, Sendable {
    /// The text is not an `https:` or `http:` URL without user and password; with the reason. What
    /// comes before an `@` is left out of the text.
    case invalidURL(String, reason: String)
    /// The host of the URL is neither a name in ASCII nor an address.
    case invalidHost(String, HostNameError)
    /// The URL has the scheme `http`, which the options do not allow.
    case notEncrypted(String)
    /// The method is not a token. RFC 9110 §9.1.
    case invalidMethod(String)
    /// The name of a header field is not a token, its value has a line break, or the field is one
    /// that the client itself sets. RFC 9110 §5.
    case invalidField(String)
    /// The server is not trusted. No byte of the request was sent to it.
    case notTrusted(TrustError)
    /// The HTTPS proxy is not trusted, or there is no policy for it.
    case proxyNotTrusted(TrustError)
    /// The proxy's URL cannot be used. What comes before an `@` is left out of it: name and password
    /// are an argument of their own.
    case invalidProxy(String)
    /// The proxy has answered the request for a tunnel with this status. RFC 9110 §9.3.6.
    case refusedByProxy(status: Int)
    /// The client certificate cannot be used.
    case unusableIdentity(TLSError)
    /// A redirect from `https:` leads to `http:`.
    case redirectNotEncrypted(to: String)
    /// A redirect would send the body of the request to another origin, which the options forbid.
    case redirectToOtherOrigin(to: String)
    /// There are more redirects than the options allow.
    case tooManyRedirects(Int)
    /// The request must be sent again, and its body can be produced only once.
    case bodyNotRepeatable
    /// The headers of the response are longer than the limit, in bytes.
    case headersTooLong(limit: Int)
    /// The body of the response, after decompression, is longer than the limit, in bytes.
    case bodyTooLong(limit: Int)
    /// The body of the request has failed with this error, or is not as long as it claims to be.
    case requestBody(any Error)
    /// A file cannot be read or written; with the system's message.
    case file(path: String, reason: String)
    /// The host's name has no address.
    case noAddress(host: String)
    /// The host is at this address, to which no connection may be made.
    case addressNotAllowed(host: String, address: String, reason: String)
    /// The server accepts no connections; with libcurl's message.
    case unreachable(host: String, reason: String)
    /// A time limit has passed.
    case timeout
    /// The task was cancelled.
    case cancelled
    /// TLS has failed for another reason than trust; with the message of libcurl.
    case tls(String)
    /// The connection has ended before the response was complete; with libcurl's message.
    case connectionLost(String)
    /// The response breaks the rules of its protocol; with libcurl's message.
    case invalidResponse(String)
    /// The library libcurl on this system is not built on OpenSSL, but on this.
    case unsupportedLibrary(String)
    /// Another error of libcurl, with its message.
    case other(String)
  }

  extension HTTPError: HoldfastError {
    /// What is wrong, in one plain sentence.
    public var summary: String {
      switch self {
      case .invalidURL, .invalidProxy: "The address is not valid."
      case .invalidHost(_, let error): error.summary
      case .notEncrypted, .redirectNotEncrypted: "The connection would not be encrypted."
      case .invalidMethod, .invalidField, .bodyNotRepeatable, .requestBody, .redirectToOtherOrigin:
        "The request could not be sent."
      case .notTrusted(let error), .proxyNotTrusted(let error): error.summary
      case .refusedByProxy: "The proxy does not allow the connection."
      case .unusableIdentity(let error): error.summary
      case .tooManyRedirects: "The server redirects too often."
      case .headersTooLong, .bodyTooLong: "The answer of the server is too long."
      case .file: "A file could not be read or written."
      case .noAddress: "There is no server of this name."
      case .unreachable, .addressNotAllowed: "The server cannot be reached."
      case .timeout: "The server did not answer in time."
      case .cancelled: "The request was cancelled."
      case .tls where clientProblem != nil, .connectionLost where clientProblem != nil:
        "The server accepts only clients whose certificate it knows."
      case .tls: "No secure connection could be made."
      case .connectionLost: "The server ended the connection."
      case .invalidResponse: "The answer of the server is damaged."
      case .unsupportedLibrary, .other: "The request could not be made."
      }
    }

    /// What the server's alert says about the client's certificate; nil for every other error.
    /// RFC 8446 §6.2.
    package var clientProblem: String? {
      let reason: String
      switch self {
      case .tls(let text), .connectionLost(let text): reason = text
      default: return nil
      }
      if reason.contains("alert certificate required") {
        return "the server requires a client certificate"
      }
      let alerts = ["unknown ca", "bad certificate", "certificate expired", "certificate unknown"]
      return alerts.contains { reason.contains("alert \($0)") }
        ? "the server does not accept the client certificate" : nil
    }

    /// What went wrong. What a server or the caller wrote is shown with control characters escaped.
    public var description: String {
      switch self {
      case .invalidURL(let text, let reason):
        "\"\(shown(text))\" cannot be requested: \(shown(reason))"
      case .invalidHost(let host, let error): "\"\(shown(host))\" is no host: \(error)"
      case .notEncrypted(let url): "\(shown(url)) is not encrypted; allowsPlainHTTP is false"
      case .invalidMethod(let method): "\"\(shown(method))\" is no method"
      case .invalidField(let name): "the header field \"\(shown(name))\" cannot be sent"
      case .notTrusted(let error): "\(error)"
      case .proxyNotTrusted(let error): "proxy: \(error)"
      case .invalidProxy(let url): "\"\(shown(url))\" is no proxy"
      case .refusedByProxy(let status): "the proxy answered CONNECT with status \(status)"
      case .unusableIdentity(let error): "\(error)"
      case .redirectNotEncrypted(let url): "the redirect to \(shown(url)) is not encrypted"
      case .redirectToOtherOrigin(let url):
        "the redirect to \(shown(url)) would send the body to another origin"
      case .tooManyRedirects(let limit): "more than \(limit) redirects"
      case .bodyNotRepeatable: "the body of the request can be sent only once"
      case .headersTooLong(let limit): "the headers of the response exceed \(limit) bytes"
      case .bodyTooLong(let limit): "the body of the response exceeds \(limit) bytes"
      case .requestBody(let error): "the body of the request: \(error)"
      case .file(let path, let reason): "\(shown(path)): \(reason)"
      case .noAddress(let host): "\(shown(host)) has no address"
      case .addressNotAllowed(let host, let address, let reason):
        "\(shown(host)) is at \(address), which is \(reason)"
      case .unreachable(let host, let reason): "cannot connect to \(shown(host)): \(shown(reason))"
      case .timeout: "no answer in time"
      case .cancelled: "cancelled"
      case .tls(let reason): "\(clientProblem ?? "TLS failed"): \(shown(reason))"
      case .connectionLost(let reason):
        "\(clientProblem ?? "the connection was lost"): \(shown(reason))"
      case .invalidResponse(let reason): "invalid response: \(shown(reason))"
      case .unsupportedLibrary(let backend):
        "libcurl is built on \(shown(backend)), and Holdfast needs one on OpenSSL 3"
      case .other(let reason): "libcurl: \(shown(reason))"
      }
    }

    private func shown(_ text: String) -> String { Printable.text(text) }
  }

  /// A body whose length is not what it claims to be.
  struct WrongLength: Error, CustomStringConvertible {
    let claimed: Int
    var description: String { "it does not have the \(claimed) bytes that were announced" }
  }
#endif
