#if Curl
  internal import HoldfastCertificates
  public import HoldfastOnline

  /// Which addresses a client connects to.
  ///
  /// A dictionary has addresses in place of those of the hosts' names, with a port if it is another
  /// one, as in `127.0.0.1:8443` and `[::1]:8443`. Certificates must be for the names all the same.
  ///
  /// ```swift
  /// options.addresses = ["a.example": "127.0.0.1:8443"]
  /// options.addresses = .publicOnly
  /// ```
  public struct HTTPAddresses: Sendable, ExpressibleByDictionaryLiteral {
    /// The addresses in place of those of the hosts' names.
    private(set) var instead: [String: String]

    /// The ranges that are allowed beside the public addresses; nil if every address is.
    private var ranges: [AddressRange]?

    /// Creates addresses for some hosts; to all others the client connects by their names.
    public init(_ addresses: [String: String] = [:]) { instead = addresses }

    /// Creates addresses for some hosts.
    public init(dictionaryLiteral elements: (String, String)...) {
      self.init(Dictionary(elements) { $1 })
    }

    /// Public addresses only, for URLs that strangers have written: no connection is made to an
    /// address of a private network, of this machine, of a cloud's own services, or for a name
    /// without a dot. The address is checked where the socket is opened, also after a redirect, so
    /// that a name which resolves to another address meanwhile gains nothing.
    ///
    /// With a proxy every request is refused: the proxy looks up the names, and its connections are
    /// not seen here.
    public static var publicOnly: HTTPAddresses { .publicOnly(allowing: []) }

    /// The same, with some ranges that are not public, such as those of one's own test server.
    public static func publicOnly(allowing ranges: [AddressRange]) -> HTTPAddresses {
      var addresses = HTTPAddresses()
      addresses.ranges = ranges
      return addresses
    }

    /// The address to connect to instead of those of a host's name; nil for these. It is checked, too.
    public subscript(host: String) -> String? {
      get { instead[host] }
      set { instead[host] = newValue }
    }

    /// Returns why no connection may be made for a host to an address; nil if it may.
    ///
    /// - Parameter address: 4 bytes of an IPv4 address, or 16 of an IPv6 address.
    func objection(to address: [UInt8], of host: String, hasProxy: Bool) -> String? {
      guard let ranges else { return nil }
      if hasProxy { return "the proxy's, whose own connections cannot be checked" }
      if ranges.contains(where: { $0.contains(address) }) { return nil }
      if let objection = PublicAddress.objection(to: address) { return objection }
      // The search list of a resolver may make any name of one without a dot. RFC 1123 §6.1.4.3.
      return host.utf8.contains(where: { $0 == 0x2E || $0 == 0x3A })
        ? nil : "public, where a name without a dot may not lead"
    }
  }

  extension HTTPOptions {
    /// The options for URLs that strangers have written, such as the targets of webhooks and the
    /// pictures of a preview: public addresses only, at most 3 redirects, 16 MiB of a body and a
    /// minute. <doc:StrangersURLs> says what they do not do.
    public static var publicOnly: HTTPOptions {
      var options = HTTPOptions(timeout: .seconds(60))
      options.addresses = .publicOnly
      options.maximumRedirects = 3
      options.limits.bodyBytes = 16 << 20
      return options
    }
  }
#endif
