#if Curl
  public import Holdfast
  internal import HoldfastDER
  public import HoldfastIdentities
  internal import HoldfastOpenSSL

  /// The settings of a client.
  public struct HTTPOptions: Sendable {
    /// Whether URLs with the scheme `http` may be requested. A redirect never leads from `https` to
    /// `http`.
    public var allowsPlainHTTP = false
    /// Whether HTTP/2 is offered. RFC 9113.
    public var allowsHTTP2 = true
    /// How many redirects are followed; with 0, a redirect is a response like any other.
    public var maximumRedirects = 10
    /// Whether a redirect may send the body of the request to another origin, as 307 and 308 do;
    /// otherwise it is an error. The origin must be trusted in any case, but what the body has in it
    /// goes where a server says.
    public var sendsBodiesToOtherOrigins = false
    /// The methods of requests that are sent again if a kept connection ends instead of an answer:
    /// servers close idle connections at any moment. The server may have the request already, so these
    /// are methods for which twice is the same as once. RFC 9110 §9.2.2. A body that can be read only
    /// once is never sent twice.
    public var repeatedMethods: Set<String> = ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]
    /// The field User-Agent of requests that have none; nil to send none. RFC 9110 §10.1.5.
    public var userAgent: String? = "Holdfast"
    /// The most connections to one host and port. Other requests wait.
    public var maximumConnectionsPerHost = 6
    /// The most connections in all, idle ones included.
    public var maximumConnections = 64
    /// The time limit for a connection and its handshake.
    public var connectTimeout: Duration = .seconds(15)
    /// The longest time in which less than one byte a second is transferred, also because the program
    /// takes nothing of a body, or has nothing to send.
    public var idleTimeout: Duration = .seconds(60)
    /// The time limit from the first connection to the last byte; nil for none.
    public var timeout: Duration?
    /// The limits of responses.
    public var limits = Limits()
    /// The proxy; nil for none. Variables of the environment have no effect.
    public var proxy: HTTPProxy?
    /// The client certificate for the origin of a request's URL, if that is trusted and asks for one;
    /// nil for none. A redirect to another origin leaves it behind.
    public var identity: Identity?
    /// The client certificate in place of `identity`, if it is replaced while the client is used. After
    /// an update new requests are sent on connections with the new one.
    public var liveIdentity: Live<Identity>?
    /// The client certificate for a host whose server asks for one, in place of `identity`; nil for
    /// none. It is asked for the hosts to which redirects lead, too, and must always give the same
    /// answer: connections are used again.
    public var identityForHost: (@Sendable (_ host: String) -> Identity?)?
    /// Which addresses connections are made to: `.publicOnly` for strangers' URLs, or a dictionary of
    /// addresses in place of those of the hosts' names.
    public var addresses: HTTPAddresses = [:]

    /// The limits of responses, against servers that never end.
    public struct Limits: Sendable {
      /// The most bytes of header fields of one response.
      public var headerBytes = 64 * 1024
      /// The most bytes, after decompression, of a body that is returned as a whole.
      public var dataBytes = 64 * 1024 * 1024
      /// The most bytes, after decompression, of a body that is written into a file: a small body can
      /// grow to one that fills the disk.
      public var fileBytes = 1024 * 1024 * 1024
      /// The most bytes, after decompression, of any body; nil for no limit. What arrives counts, too,
      /// so that a body which grows to nothing ends.
      public var bodyBytes: Int?

      /// Creates the limits: 64 KiB of headers, 64 MiB in memory, 1 GiB in a file.
      public init() {}
    }

    /// Creates options that are the default ones but for these.
    ///
    /// - Parameters:
    ///   - identity: The client certificate for the origin of a request's URL, if that is trusted and
    ///     asks for one; nil for none.
    ///   - timeout: The time limit from the first connection to the last byte; nil for none.
    ///   - proxy: The proxy; nil for none.
    public init(
      identity: Identity? = nil, timeout: Duration? = nil, proxy: HTTPProxy? = nil
    ) {
      self.identity = identity
      self.timeout = timeout
      self.proxy = proxy
    }

    /// A server is always verified; which one is trusted is the policy's to say.
    @available(
      *, unavailable,
      message: "name the server's CA: HTTPClient(anchors: try AnchorSet(file: \"ca.pem\"))"
    )
    public var insecureSkipVerify: Bool {
      get { false }
      set {}
    }

    /// A self-signed server is trusted as an anchor of its own.
    @available(
      *, unavailable,
      message: "trust it: HTTPClient(anchors: try AnchorSet(file: \"server.pem\"), rules: .rfc5280)"
    )
    public var acceptSelfSigned: Bool {
      get { false }
      set {}
    }
  }
#endif
