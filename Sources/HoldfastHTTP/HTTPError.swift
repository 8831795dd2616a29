#if Curl
  public import Holdfast
  internal import HoldfastDER
  public import HoldfastOpenSSL

  /// Why a request has no response, or a response no end.
  ///
  /// The errors of servers name the host of the request that failed, after redirects the last one,
  /// and its port if it is not that of the scheme.
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
    /// An upload was asked for with this method, whose body has no meaning. RFC 9110 §9.3.1, §9.3.2.
    case methodWithoutBody(String)
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
    /// The proxy at this URL has answered the request for a tunnel to the host with this status.
    /// RFC 9110 §9.3.6.
    case refusedByProxy(String, status: Int, host: String)
    /// The client certificate cannot be used, or it has expired, and the server asks for it.
    case unusableIdentity(TLSError, host: String)
    /// A redirect from `https:` leads to `http:`.
    case redirectNotEncrypted(to: String)
    /// A redirect would send the body of the request to another origin, which the options forbid.
    case redirectToOtherOrigin(to: String)
    /// There are more redirects than the options allow.
    case tooManyRedirects(Int, host: String)
    /// The request must be sent again, and its body can be produced only once.
    case bodyNotRepeatable(host: String)
    /// The headers of the response are longer than the limit, in bytes.
    case headersTooLong(limit: Int, host: String)
    /// The body of the response, after decompression, is longer than the limit, in bytes.
    case bodyTooLong(limit: Int, host: String)
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
    /// A time limit has passed before the host had answered.
    case timeout(host: String, wasSent: Bool)
    /// For as long as the options allow, the program has taken nothing of the response's body, or
    /// given nothing of the request's.
    case bodyStalled(host: String)
    /// A second iterator, or a second task, reads the body of a response.
    case bodyReadTwice
    /// The task was cancelled. This stands for a `CancellationError`, which `throws(HTTPError)` cannot
    /// throw.
    case cancelled
    /// TLS has failed for another reason than trust; with the message of libcurl.
    case tls(host: String, reason: String)
    /// The server has asked for a client certificate, the options have none for it, and the server has
    /// ended the connection; with libcurl's message.
    case noClientCertificate(host: String, reason: String)
    /// The connection has ended before the response was complete; with libcurl's message.
    case connectionLost(host: String, reason: String, wasSent: Bool)
    /// The response breaks the rules of its protocol; with libcurl's message.
    case invalidResponse(host: String, reason: String)
    /// The library libcurl on this system is not built on OpenSSL, but on this.
    case unsupportedLibrary(String)
    /// Another error of libcurl, with its message.
    case other(String, host: String? = nil)
  }

  extension HTTPError: HoldfastError {
    /// The stable identifier of what is wrong.
    public var code: String {
      let code: ErrorCode
      switch self {
      case .notTrusted(let error): return error.code
      case .proxyNotTrusted: code = .proxyNotTrusted
      case .invalidURL: code = .invalidURL
      case .invalidHost: code = .invalidHost
      case .notEncrypted: code = .notEncrypted
      case .invalidMethod: code = .invalidMethod
      case .methodWithoutBody: code = .methodWithoutBody
      case .invalidField: code = .invalidField
      case .invalidProxy: code = .invalidProxy
      case .refusedByProxy: code = .refusedByProxy
      case .unusableIdentity: code = .unusableIdentity
      case .redirectNotEncrypted: code = .redirectNotEncrypted
      case .redirectToOtherOrigin: code = .redirectToOtherOrigin
      case .tooManyRedirects: code = .tooManyRedirects
      case .bodyNotRepeatable: code = .bodyNotRepeatable
      case .headersTooLong: code = .headersTooLong
      case .bodyTooLong: code = .bodyTooLong
      case .requestBody: code = .requestBody
      case .file: code = .file
      case .noAddress: code = .noAddress
      case .addressNotAllowed: code = .addressNotAllowed
      case .unreachable: code = .unreachable
      case .timeout: code = .timeout
      case .bodyStalled: code = .bodyStalled
      case .bodyReadTwice: code = .bodyReadTwice
      case .cancelled: code = .cancelled
      case .noClientCertificate: code = .noClientCertificate
      case .tls(_, let reason):
        code =
          alert.map(TLSAlertText.code) ?? (TLSAlertText.saysNotTLS(reason) ? .notTLS : .tls)
      case .connectionLost: code = alert.map(TLSAlertText.code) ?? .connectionLost
      case .invalidResponse: code = .invalidResponse
      case .unsupportedLibrary: code = .unsupportedLibrary
      case .other: code = .other
      }
      return code.rawValue
    }

    /// Whether the next attempt may succeed. It may be made if `wasSent` is false, or the request is
    /// idempotent.
    public var isTransient: Bool {
      switch self {
      case .noAddress, .unreachable, .timeout: true
      case .connectionLost: alert == nil
      case .refusedByProxy(_, let status, _): status == 429 || status >= 500
      case .notTrusted(let error), .proxyNotTrusted(let error): error.isTransient
      case .invalidURL, .invalidHost, .notEncrypted, .invalidMethod, .methodWithoutBody,
        .invalidField, .invalidProxy, .unusableIdentity, .redirectNotEncrypted,
        .redirectToOtherOrigin, .tooManyRedirects, .bodyNotRepeatable, .headersTooLong,
        .bodyTooLong, .requestBody, .file, .addressNotAllowed, .bodyStalled, .bodyReadTwice,
        .cancelled, .tls, .noClientCertificate, .invalidResponse, .unsupportedLibrary, .other:
        false
      }
    }

    /// The host and the port, the code, what is known, and the message.
    public var fields: [(key: String, value: String)] {
      let server = host.map { shown($0) }
      return switch self {
      case .notTrusted(let error): error.fields
      case .proxyNotTrusted(let error): fields(message: "proxy: \(error.logLine)")
      case .requestBody(let error as any HoldfastError):
        fields(message: "the body of the request: \(error.logLine)")
      case .noAddress(let host), .unreachable(let host, _):
        fields(server: shown(host), message: textBesideHost)
      case .addressNotAllowed(let host, let address, _):
        fields(server: shown(host), message: textBesideHost, [(key: "address", value: address)])
      case .refusedByProxy(let proxy, let status, _):
        fields(
          server: server, message: textBesideHost,
          [(key: "proxy", value: shown(proxy)), (key: "status", value: "\(status)")])
      case .timeout(_, let wasSent), .connectionLost(_, _, let wasSent):
        fields(server: server, message: textBesideHost, [(key: "sent", value: "\(wasSent)")])
      default: fields(server: server, message: textBesideHost)
      }
    }

    /// What is wrong, in one plain sentence.
    public var summary: String {
      switch self {
      case .invalidURL, .invalidProxy: "The address is not valid."
      case .invalidHost(_, let error): error.summary
      case .notEncrypted, .redirectNotEncrypted: "The connection would not be encrypted."
      case .invalidMethod, .methodWithoutBody, .invalidField, .bodyNotRepeatable, .requestBody,
        .redirectToOtherOrigin:
        "The request could not be sent."
      case .notTrusted(let error), .proxyNotTrusted(let error): error.summary
      case .refusedByProxy: "The proxy does not allow the connection."
      case .unusableIdentity(let error, _): error.summary
      case .tooManyRedirects(_, let host): "\(host) redirects too often."
      case .headersTooLong(_, let host), .bodyTooLong(_, let host):
        "The answer of \(host) is too long."
      case .file(let path, _): "The file \(shown(path)) could not be read or written."
      case .noAddress(let host): "There is no server of the name \(host)."
      case .unreachable(let host, _), .addressNotAllowed(let host, _, _):
        "\(host) cannot be reached."
      case .timeout(let host, _): "\(host) did not answer in time."
      case .bodyStalled: "This program took too long to go on."
      case .bodyReadTwice: "This program has read an answer twice."
      case .cancelled: "The request was cancelled."
      case .tls(let host, _):
        alert.map { TLSAlertText.summary(of: $0, from: host) }
          ?? "No secure connection to \(host) could be made."
      case .noClientCertificate(let host, _):
        "\(host) accepts only programs that have a certificate."
      case .connectionLost(let host, _, _):
        alert.map { TLSAlertText.summary(of: $0, from: host) } ?? "\(host) ended the connection."
      case .invalidResponse(let host, _): "The answer of \(host) is damaged."
      case .unsupportedLibrary, .other: "The request could not be made."
      }
    }

    /// Whether the server may have received the request, or a part of it, and so may have acted on it:
    /// a program repeats what is not idempotent only if this is false. RFC 9110 §9.2.2.
    public var wasSent: Bool {
      switch self {
      case .timeout(_, let wasSent), .connectionLost(_, _, let wasSent): wasSent
      // An alert is about the handshake. A server that only closes may have read a request before.
      case .noClientCertificate: alert == nil
      case .invalidURL, .invalidHost, .notEncrypted, .invalidMethod, .methodWithoutBody,
        .invalidField, .notTrusted, .proxyNotTrusted, .invalidProxy, .refusedByProxy,
        .unusableIdentity, .noAddress, .addressNotAllowed, .unreachable, .tls,
        .unsupportedLibrary:
        false
      case .redirectNotEncrypted, .redirectToOtherOrigin, .tooManyRedirects, .bodyNotRepeatable,
        .headersTooLong, .bodyTooLong, .requestBody, .file, .bodyStalled, .bodyReadTwice,
        .cancelled, .invalidResponse, .other:
        true
      }
    }

    /// The server's alert, if one has ended the connection.
    private var alert: UInt8? {
      switch self {
      case .tls(_, let reason), .noClientCertificate(_, let reason),
        .connectionLost(_, let reason, _):
        TLSAlertText.alert(in: reason)
      default: nil
      }
    }

    /// This error, of a server that has asked for a client certificate and was given none: that is
    /// what it is about, if the server says so or may mean it. Below TLS 1.3 it sends
    /// handshake_failure (RFC 5246 §7.4.6), and some only close the connection.
    var lackingClientCertificate: HTTPError {
      let missing = alert.flatMap(TLSAlertText.missingCertificate)
      return switch self {
      case .connectionLost(let host, let reason, _) where alert == nil || missing != nil,
        .tls(let host, let reason) where missing != nil:
        .noClientCertificate(host: host, reason: reason)
      default: self
      }
    }

    /// What a failure means: an alert in words, a peer without TLS, or this.
    private func meaning(of reason: String, else failure: String) -> String {
      if let alert { return TLSAlertText.description(of: alert) }
      if TLSAlertText.saysNotTLS(reason) { return "the server does not speak TLS" }
      return "\(failure): \(reason)"
    }

    /// What went wrong. What a server or the caller wrote is shown with control characters escaped.
    public var description: String {
      switch self {
      case .noAddress(let host): "\(shown(host)) has no address"
      case .addressNotAllowed(let host, let address, let reason):
        "\(shown(host)) is at \(address), which is \(reason)"
      case .unreachable(let host, let reason): "cannot connect to \(shown(host)): \(shown(reason))"
      default: (host.map { "\(shown($0)): " } ?? "") + textBesideHost
      }
    }

    /// The server, as the error names it in front of what is said of it.
    private var host: String? {
      switch self {
      case .unusableIdentity(_, let host), .tooManyRedirects(_, let host),
        .bodyNotRepeatable(let host), .headersTooLong(_, let host), .bodyTooLong(_, let host),
        .refusedByProxy(_, _, let host), .timeout(let host, _), .bodyStalled(let host),
        .tls(let host, _), .noClientCertificate(let host, _),
        .connectionLost(let host, _, _), .invalidResponse(let host, _):
        host
      case .other(_, let host): host
      default: nil
      }
    }

    /// What went wrong, beside the name of the host.
    package var textBesideHost: String {
      switch self {
      case .invalidURL(let text, let reason):
        "\"\(shown(text))\" cannot be requested: \(shown(reason))"
      case .invalidHost(let host, let error): "\"\(shown(host))\" is not a host: \(error)"
      case .notEncrypted(let url): "\(shown(url)) is not encrypted; allowsPlainHTTP is false"
      case .invalidMethod(let method): "\"\(shown(method))\" is not a method"
      case .methodWithoutBody(let method):
        "\(shown(method)) has no body: an upload is a PUT or a POST"
      case .invalidField(let name): "the header field \"\(shown(name))\" cannot be sent"
      case .notTrusted(let error): "\(error)"
      case .proxyNotTrusted(let error): "proxy: \(error)"
      case .invalidProxy(let url): "\"\(shown(url))\" is not the URL of a proxy"
      case .refusedByProxy(let proxy, let status, _):
        "the proxy \(shown(proxy)) answered CONNECT with status \(status)"
      case .unusableIdentity(let error, _): "\(error)"
      case .redirectNotEncrypted(let url): "the redirect to \(shown(url)) is not encrypted"
      case .redirectToOtherOrigin(let url):
        "the redirect to \(shown(url)) would send the body to another origin"
      case .tooManyRedirects(let limit, _): "more than \(limit) redirects"
      case .bodyNotRepeatable: "the body of the request can be sent only once"
      case .headersTooLong(let limit, _): "the headers of the response exceed \(limit) bytes"
      case .bodyTooLong(let limit, _): "the body of the response exceeds \(limit) bytes"
      case .requestBody(let error): "the body of the request: \(error)"
      case .file(let path, let reason): "\(shown(path)): \(reason)"
      case .noAddress: "no address"
      case .addressNotAllowed(_, let address, let reason):
        "the address \(address) is not allowed: \(reason)"
      case .unreachable(_, let reason): "cannot connect: \(shown(reason))"
      case .timeout: "no answer in time"
      case .bodyStalled: "the program has taken or given no bytes of a body in time"
      case .bodyReadTwice: "the body of a response can be read by one iterator, in one task"
      case .cancelled: "cancelled"
      case .tls(_, let reason): shown(meaning(of: reason, else: "TLS failed"))
      case .noClientCertificate(_, let reason):
        alert.flatMap(TLSAlertText.missingCertificate)
          ?? shown(
            "\(TLSAlertText.noCertificateGiven): "
              + meaning(of: reason, else: "the connection was lost"))
      case .connectionLost(_, let reason, _):
        shown(meaning(of: reason, else: "the connection was lost"))
      case .invalidResponse(_, let reason): "invalid response: \(shown(reason))"
      case .unsupportedLibrary(let backend):
        "libcurl is built on \(shown(backend)), and Holdfast needs one on OpenSSL 3"
      case .other(let reason, _): "libcurl: \(shown(reason))"
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
