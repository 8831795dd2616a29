public import Holdfast

/// Why something was not fetched, or is of no use.
@nonexhaustive
public enum FetchError: Error, Sendable, Hashable {
  /// The URL is not one that is fetched.
  case invalidURL(String, reason: String)
  /// The port of the URL is not among `FetchPolicy.ports`.
  case portNotAllowed(String, port: UInt16)
  /// The host of the URL is an address, or a name without a dot, and `Fetching.allowedRanges` do not
  /// allow it.
  case hostNotAllowed(String, reason: String)
  /// The text is not a range of addresses.
  case invalidRange(String)
  /// The host resolves to this address, which is not public.
  case addressNotAllowed(host: String, address: String, reason: String)
  /// The host has no address.
  case noAddress(host: String)
  /// No connection could be made.
  case unreachable(host: String, reason: String)
  /// There were more redirects than this.
  case tooManyRedirects(Int)
  /// The response is longer than this.
  case tooLong(limit: Int)
  /// No response came in time.
  case timeout
  /// The server answered with this status.
  case status(Int)
  /// The server did not keep to HTTP, or ended the connection.
  case invalidResponse(String)
  /// What came cannot be read as what was asked for.
  case unreadable(String)
  /// What came can be read, and does not help.
  case notUseful(String)
  /// One question would take more requests, bytes or seconds than its budget has.
  case budgetExhausted(FetchBudget.Limit)
  /// By `FetchPolicy.hostInterval`, the turn of the request comes after the end of its question.
  case hostBusy(host: String)
  /// The same request failed a moment ago for this reason, and was not repeated.
  indirect case failedBefore(FetchError)
  /// A request to this URL failed for this reason: where no report beside it has the URL.
  indirect case at(String, FetchError)
  /// A request through the proxy at this URL failed for this reason.
  indirect case through(String, FetchError)
  /// The question was cancelled.
  case cancelled
  /// The fetcher failed for another reason.
  case other(String)
}

extension FetchError: HoldfastError {
  /// The stable identifier of what is wrong.
  public var code: String {
    let code: ErrorCode
    switch self {
    case .failedBefore(let error), .at(_, let error), .through(_, let error): return error.code
    case .invalidURL: code = .invalidURL
    case .portNotAllowed: code = .portNotAllowed
    case .hostNotAllowed, .addressNotAllowed: code = .addressNotAllowed
    case .invalidRange: code = .invalidRange
    case .noAddress: code = .noAddress
    case .unreachable: code = .unreachable
    case .tooManyRedirects: code = .tooManyRedirects
    case .tooLong: code = .bodyTooLong
    case .timeout: code = .timeout
    case .status: code = .status
    case .invalidResponse: code = .invalidResponse
    case .unreadable, .notUseful: code = .notUseful
    case .budgetExhausted: code = .budgetExhausted
    case .hostBusy: code = .hostBusy
    case .cancelled: code = .cancelled
    case .other: code = .other
    }
    return code.rawValue
  }

  /// Whether the server may answer in a moment.
  public var isTransient: Bool {
    switch self {
    case .failedBefore(let error), .at(_, let error), .through(_, let error): error.isTransient
    case .noAddress, .unreachable, .timeout, .hostBusy: true
    case .status(let status): status == 429 || status >= 500
    case .invalidURL, .portNotAllowed, .hostNotAllowed, .invalidRange, .addressNotAllowed,
      .tooManyRedirects, .tooLong, .invalidResponse, .unreadable, .notUseful, .budgetExhausted,
      .cancelled, .other:
      false
    }
  }

  /// The host or the URL, and what is wrong.
  public var fields: [(key: String, value: String)] {
    switch self {
    case .at(let url, let error):
      fields(server: error.server, message: "\(self)", [(key: "url", value: Printable.text(url))])
    default:
      // The host stands in front.
      fields(server: server, message: text(beside: server.map { "http://\($0)/" } ?? ""))
    }
  }

  /// The host that the error names, with a port that is not the usual one.
  private var server: String? {
    switch self {
    case .failedBefore(let error), .at(_, let error), .through(_, let error): error.server
    case .addressNotAllowed(let host, _, _), .noAddress(let host), .unreachable(let host, _),
      .hostBusy(let host):
      Printable.text(host)
    default: nil
    }
  }

  /// What is wrong, in one plain sentence.
  public var summary: String {
    switch self {
    case .invalidURL, .portNotAllowed, .hostNotAllowed:
      "A certificate refers to an address that is not fetched."
    case .invalidRange: "The text is not a range of addresses."
    case .addressNotAllowed: "A certificate refers to a machine that is not public."
    case .noAddress, .unreachable, .timeout, .status: "A server of a CA did not answer."
    case .tooManyRedirects, .tooLong, .invalidResponse, .unreadable, .notUseful:
      "The answer of a CA's server is of no use."
    case .budgetExhausted: "The certificates would need too many requests."
    case .hostBusy: "A server of a CA was asked for much just now."
    case .failedBefore(let error), .at(_, let error): error.summary
    case .through(let proxy, let error):
      Self.text(ofProxy: proxy, error) == nil ? error.summary : "The proxy cannot be used."
    case .cancelled: "The request was cancelled."
    case .other: "The request could not be made."
    }
  }

  /// What is wrong, beside a URL: what that says is not said again. After a redirect the error may be
  /// about another URL or host.
  func text(beside url: String, _ settings: FetchSettings = .library) -> String {
    switch self {
    case .invalidURL(url, let reason): "not fetched: \(reason)"
    case .portNotAllowed(url, let port): "not fetched: \(settings.text(ofPort: port))"
    case .hostNotAllowed(url, let reason): "not fetched: \(settings.text(ofAddress: reason))"
    case .addressNotAllowed(let host, let address, let reason) where Self.isHost(host, of: url):
      "the address \(address) is not asked: it is \(settings.text(ofAddress: reason))"
    case .noAddress(let host) where Self.isHost(host, of: url): "the host has no address"
    case .unreachable(let host, let reason) where Self.isHost(host, of: url):
      "cannot connect: \(reason)"
    case .hostBusy(let host) where Self.isHost(host, of: url):
      "not asked: too many requests to this host at once"
    case .failedBefore(let error):
      "not asked again, a moment ago: \(error.text(beside: url, settings))"
    case .at(url, let error): error.text(beside: url, settings)
    case .through(let proxy, let error):
      Self.text(ofProxy: proxy, error) ?? "through the proxy \(proxy): "
        + error.text(beside: url, settings)
    default: text(settings)
    }
  }

  /// What is wrong with a proxy itself; nil of what is not said of it.
  private static func text(ofProxy proxy: String, _ error: FetchError) -> String? {
    switch error {
    case .noAddress(proxy): "the proxy \(proxy) has no address"
    case .unreachable(proxy, let reason): "cannot connect to the proxy \(proxy): \(reason)"
    // RFC 9110 §15.5.8.
    case .status(407): "the proxy \(proxy) answered with status 407"
    default: nil
    }
  }

  /// Whether a URL is one of this host, with the same port if that is said.
  private static func isHost(_ host: String, of url: String) -> Bool {
    let mark = "://".utf8
    guard let end = url.utf8.firstIndex(of: 0x3A), url.utf8[end...].starts(with: mark) else {
      return false
    }
    let rest = url.utf8[end...].dropFirst(mark.count)
    return rest.starts(with: host.utf8)
      && rest.dropFirst(host.utf8.count).first.map { ":/?#".utf8.contains($0) } ?? true
  }

  /// What is wrong.
  public var description: String { text(.library) }

  /// What is wrong, with these names for what allows more.
  package func text(_ settings: FetchSettings) -> String {
    switch self {
    case .invalidURL(let text, let reason): "\"\(text)\" is not fetched: \(reason)"
    case .portNotAllowed(let url, let port):
      "\"\(url)\" is not fetched: \(settings.text(ofPort: port))"
    case .hostNotAllowed(let url, let reason):
      "\"\(url)\" is not fetched: \(settings.text(ofAddress: reason))"
    case .invalidRange(let text): "\"\(text)\" is not a range of addresses, such as 10.0.0.0/8"
    case .addressNotAllowed(let host, let address, let reason):
      "\(host) is at \(address), which is \(settings.text(ofAddress: reason))"
    case .noAddress(let host): "\(host) has no address"
    case .unreachable(let host, let reason): "cannot connect to \(host): \(reason)"
    case .tooManyRedirects(let limit): "more than \(limit) redirects"
    case .tooLong(let limit): "the response exceeds \(limit) bytes"
    case .timeout: "no answer in time"
    case .status(let status): "the server answered with status \(status)"
    case .invalidResponse(let reason): "invalid response: \(reason)"
    case .unreadable(let reason): "it cannot be read: \(reason)"
    case .notUseful(let reason): "it does not help: \(reason)"
    case .budgetExhausted(let limit): "not asked: \(limit)"
    case .hostBusy(let host): "not asked: too many requests to \(host) at once"
    case .failedBefore(let error): "not asked again, a moment ago: \(error.text(settings))"
    case .at(let url, let error): "\(url): \(error.text(beside: url, settings))"
    case .through(let proxy, let error):
      Self.text(ofProxy: proxy, error) ?? "through the proxy \(proxy): \(error.text(settings))"
    case .cancelled: "cancelled"
    case .other(let reason): reason
    }
  }
}

/// How texts name what allows more to be fetched: the library's names, or options of a command line.
package struct FetchSettings: Sendable, Hashable {
  private let ports: String
  private let addresses: String

  package init(ports: String, addresses: String) {
    self.ports = ports
    self.addresses = addresses
  }

  static let library = FetchSettings(
    ports: "FetchPolicy.ports", addresses: "HTTPFetcher(allowing:)")

  fileprivate func text(ofPort port: UInt16) -> String {
    "its port is \(port); allow it with \(ports)"
  }

  fileprivate func text(ofAddress reason: String) -> String {
    "\(reason); allow it with \(addresses)"
  }
}
