/// Fetches what certificates refer to. Any HTTP client can serve: `HTTPFetcher` of HoldfastHTTP is
/// one.
///
/// A URL may come from a certificate that is not validated, so the owner of a server can
/// make this machine send requests. A fetcher must therefore
/// * connect only to addresses that `PublicAddress` allows or `allowedRanges` contain, for a name
///   without a dot only to the latter, and check the address to which it connects, not one that it
///   resolved before;
/// * follow at most `FetchRequest.maximumRedirects`, each checked by `FetchURL` again, with
///   `FetchRequest.ports` and `allowedRanges`;
/// * send no cookies and no credentials, and decode no compression;
/// * count the bytes while it reads, and end at `FetchRequest.deadline`.
public protocol Fetching: Sendable {
  /// The addresses to which it connects although they are not public, and which URLs may have instead
  /// of a name. There are none unless a fetcher says otherwise; one that asks another fetcher has
  /// those of that one.
  var allowedRanges: [AddressRange] { get }

  /// Makes a request, and returns the body of the response.
  func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse
}

extension Fetching {
  /// No addresses.
  public var allowedRanges: [AddressRange] { [] }
}

/// What certificates refer to.
public enum FetchKind: String, Sendable, Hashable, CaseIterable {
  /// Certificates of the issuer: caIssuers of RFC 5280 §4.2.2.1.
  case issuers
  /// A response of an OCSP responder. RFC 6960.
  case ocsp
  /// A CRL of a distribution point. RFC 5280 §4.2.1.13.
  case crl

  /// The most bytes of a response. The limits are Chromium's.
  var maximumBytes: Int {
    switch self {
    case .issuers, .ocsp: 64 << 10
    case .crl: 5 << 20
    }
  }
}

/// One request of a `Fetching`.
public struct FetchRequest: Sendable {
  /// What is fetched.
  public var kind: FetchKind
  /// Where it is.
  public var url: FetchURL
  /// The body of a POST of type `application/ocsp-request`; nil for a GET.
  public var body: [UInt8]?
  /// The entity tag of what is cached: a server may answer that it has not changed. RFC 9110
  /// §13.1.2.
  public var entityTag: String?
  /// The most bytes of the response.
  public var maximumBytes: Int
  /// When the fetcher gives up.
  public var deadline: ContinuousClock.Instant
  /// The most redirects.
  public var maximumRedirects: Int
  /// The ports to which redirects may lead: those of `FetchPolicy.ports`.
  public var ports: Set<UInt16>

  /// Creates a request, as an `OnlineValidator` makes it: for the tests of a `Fetching`.
  ///
  /// - Parameters:
  ///   - body: The body of a POST of type `application/ocsp-request`; nil for a GET.
  ///   - entityTag: The entity tag of what is cached; nil if nothing is.
  ///   - maximumBytes: nil for the limit of the kind: 64 KiB, or 5 MiB for a CRL.
  ///   - deadline: nil for ten seconds from now.
  public init(
    _ kind: FetchKind, _ url: FetchURL, body: [UInt8]? = nil, entityTag: String? = nil,
    maximumBytes: Int? = nil, deadline: ContinuousClock.Instant? = nil, maximumRedirects: Int = 2,
    ports: Set<UInt16> = [80]
  ) {
    self.kind = kind
    self.url = url
    self.body = body
    self.entityTag = entityTag
    self.maximumBytes = maximumBytes ?? kind.maximumBytes
    self.deadline = deadline ?? ContinuousClock.now + .seconds(10)
    self.maximumRedirects = maximumRedirects
    self.ports = ports
  }
}

/// What was fetched.
public struct FetchResponse: Sendable {
  /// The body; empty if it has not changed.
  public var body: [UInt8]
  /// Whether the server says that what is cached has not changed. RFC 9110 §15.4.5.
  public var isUnchanged: Bool
  /// The entity tag, if the server sent one.
  public var entityTag: String?
  /// For how many seconds the server lets caches use it; nil if it does not say. RFC 9111 §5.2.2.1.
  public var maximumAge: Int64?

  /// Creates a response.
  ///
  /// - Parameters:
  ///   - body: The body; empty if `isUnchanged`.
  ///   - isUnchanged: Whether the server says that what is cached has not changed.
  ///   - maximumAge: For how many seconds the server lets caches use it; nil if it does not say.
  public init(
    _ body: [UInt8], isUnchanged: Bool = false, entityTag: String? = nil, maximumAge: Int64? = nil
  ) {
    self.body = body
    self.isUnchanged = isUnchanged
    self.entityTag = entityTag
    self.maximumAge = maximumAge
  }
}

extension FetchResponse: CustomStringConvertible {
  /// How many bytes there are, or that nothing has changed.
  public var description: String { isUnchanged ? "unchanged" : "\(body.count) bytes" }
}
