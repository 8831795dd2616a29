/// What is fetched for a question, and how much.
public struct FetchPolicy: Sendable {
  /// What is fetched. Asking an OCSP responder tells the CA, and all who read the network, which
  /// host is visited; a CRL tells less, and missing issuers little.
  public var kinds: Set<FetchKind>
  /// The limits of one question.
  public var budget = FetchBudget()
  /// The time limit of one request.
  public var requestTimeout: Duration = .seconds(10)
  /// The ports of URLs, and of redirects. CAs use 80.
  public var ports: Set<UInt16> = [80]
  /// The most redirects of one request.
  public var maximumRedirects = 2
  /// The shortest time between two requests to one host, for programs that ask about many chains.
  /// It holds for all questions that share requests; a redirect does not count for its new host, and
  /// requests for issuers have turns of their own, because anybody's chain can ask for them. A request
  /// whose turn would come after the end of its question is not made.
  public var hostInterval: Duration = .zero

  /// How the reasons of what is not fetched name what would allow it.
  package var settings = FetchSettings.library

  /// Creates a policy.
  public init(_ kinds: Set<FetchKind> = Set(FetchKind.allCases)) {
    self.kinds = kinds
  }

  /// Whether the status of certificates is asked for.
  var asksForStatus: Bool { kinds.contains(.ocsp) || kinds.contains(.crl) }
}

/// How much one question may fetch, whatever the certificates demand. What caches have costs
/// nothing.
public struct FetchBudget: Sendable, Hashable {
  /// The most requests.
  public var requests = 6
  /// The most requests for issuers among them.
  public var issuerRequests = 3
  /// The most bytes of all responses.
  public var bytes = 8 << 20
  /// The time limit of all requests.
  public var time: Duration = .seconds(15)

  /// Creates the default budget.
  public init() {}

  /// A part of a budget that is used up, with its value.
  public enum Limit: Sendable, Hashable {
    /// Requests.
    case requests(Int)
    /// Requests for issuers.
    case issuerRequests(Int)
    /// Bytes.
    case bytes(Int)
    /// Time.
    case time(Duration)
  }
}

extension FetchBudget.Limit: CustomStringConvertible {
  /// `6 requests are the limit of a question`.
  public var description: String {
    let amount =
      switch self {
      case .requests(let count): "\(count) requests are"
      case .issuerRequests(let count): "\(count) requests for issuers are"
      case .bytes(let count): "\(count) bytes are"
      case .time(let duration): "\(duration) are"
      }
    return "\(amount) the limit of a question"
  }
}
