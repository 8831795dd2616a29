#if OpenSSL
  internal import CHoldfastOpenSSL
  public import Holdfast
  public import HoldfastIdentities
  internal import HoldfastCertificates

  /// A version of TLS.
  public enum TLSVersion: String, Sendable, CaseIterable {
    /// RFC 5246.
    case tls12 = "TLSv1.2"
    /// RFC 8446.
    case tls13 = "TLSv1.3"

    var number: CInt {
      switch self {
      case .tls12: TLS1_2_VERSION
      case .tls13: TLS1_3_VERSION
      }
    }
  }

  /// A small blocking TLS client for tools, tests and scripts; a `TLSVerifier` decides about
  /// servers.
  ///
  /// It is not a networking framework: a service keeps its NIO, curl or OpenSSL and installs the
  /// verifier. One client serves any number of threads; each connection belongs to one thread.
  @safe public final class TLSClient: Sendable {
    /// The options of a client.
    public struct Options: Sendable {
      /// The oldest version that is accepted.
      public var minimumVersion = TLSVersion.tls12
      /// The newest version that is offered.
      public var maximumVersion = TLSVersion.tls13
      /// The ALPN protocols to offer, in order of preference. RFC 7301.
      public var applicationProtocols: [String] = []
      /// The certificate for servers that ask for one. Once it has expired, a connection to such a server
      /// fails with `unusableIdentity` before it is sent.
      public var identity: Identity?
      /// Whether sessions are cached and resumed.
      public var resumesSessions = false
      /// The time limit for connecting, the look-up of the name included, and for each later read or
      /// write.
      public var timeout: Duration = .seconds(10)

      /// Creates the default options: TLS 1.2 and 1.3, no protocols, no identity, no resumption,
      /// ten seconds.
      public init() {}
    }

    let verifier: TLSVerifier
    let options: Options
    // SAFETY: an SSL_CTX is reference-counted and may be shared by threads once it is set up, as it
    // is after `init`; it is freed with this object.
    nonisolated(unsafe) let context: OpaquePointer
    private let sessions = TLSSessions()
    /// The connections to judge again after a change of the policy.
    let connections = OpenConnections()
    private let observation: TrustGeneration.Observation?

    /// Creates a client.
    public init(_ verifier: TLSVerifier, options: Options = Options()) throws(TLSError) {
      // SAFETY: this object owns the new context; if something below fails, `deinit` frees it.
      guard let context = unsafe SSL_CTX_new(TLS_client_method()) else { throw .latest() }
      self.verifier = verifier
      self.options = options
      observation = verifier.changes?.observe { [connections] in connections.reconsider() }
      unsafe self.context = unsafe context
      unsafe _ = SSL_CTX_set_options(context, UInt64(holdfast_client_options))
      guard
        unsafe holdfast_set_versions(
          context, options.minimumVersion.number, options.maximumVersion.number) == 1
      else { throw .latest() }
      try setProtocols()
      if let identity = options.identity { try unsafe identity.installOnClient(context) }
      if options.resumesSessions { unsafe TLSSessions.keep(on: context) }
      unsafe try verifier.installOnClient(
        context, ContextRecord(verifier, .client, ownCertificate: options.identity?.leaf))
    }

    /// Creates a client from pins, anchors and rules.
    public convenience init(
      _ manager: TrustManager, options: Options = Options()
    ) throws(TLSError) {
      try self.init(TLSVerifier(manager), options: options)
    }

    /// Creates a client whose trust is replaced while it is used. An update closes idle connections to
    /// servers that are no longer trusted before it returns; a read or a write in progress ends as it
    /// would have, and the next one throws `rejected`.
    public convenience init(
      _ trust: LiveTrust, options: Options = Options()
    ) throws(TLSError) {
      try self.init(TLSVerifier(trust), options: options)
    }

    /// Creates a client that needs no pins: a server must have a valid path.
    public convenience init(
      _ validator: PathValidator, options: Options = Options()
    ) throws(TLSError) {
      try self.init(TLSVerifier(validator), options: options)
    }

    deinit {
      // SAFETY: this object owns the context; connections have references of their own.
      unsafe SSL_CTX_free(context)
    }

    /// Connects, performs the handshake, and returns a connection to a trusted server. The addresses
    /// of a name are tried in turns, the next one beside those that are silent: RFC 8305.
    ///
    /// - Parameters:
    ///   - host: The name or address that the certificate must be for; sent as SNI if it is a name.
    ///   - address: Where to connect, if that is not `host`: a name or an address, without a port.
    ///   - startTLS: The protocol that starts in clear text; nil to begin with TLS. It does not
    ///     change the port.
    public func connect(
      to host: String, port: UInt16 = 443, address: String? = nil, startTLS: StartTLS? = nil
    ) throws(TLSError) -> TLSConnection {
      let connection = try open(to: host, port: port, address: address, startTLS: startTLS)
      try connection.handshake()
      return connection
    }

    /// Connects without a handshake, for callers that inspect what a rejected server sent.
    ///
    /// - Parameters:
    ///   - host: The name or address that the certificate must be for; sent as SNI if it is a name.
    ///   - address: Where to connect, if that is not `host`: a name or an address, without a port.
    ///   - startTLS: The protocol that starts in clear text; nil to begin with TLS. It does not
    ///     change the port.
    public func open(
      to host: String, port: UInt16 = 443, address: String? = nil, startTLS: StartTLS? = nil
    ) throws(TLSError) -> TLSConnection {
      let name: HostName
      do throws(HostNameError) {
        name = try HostName(host)
      } catch {
        throw .invalidHost(host, error)
      }
      let target = address ?? name.address?.description ?? host
      let deadline = Deadline(after: options.timeout)
      let server = TLSError.server(
        "\(name)", port: "\(port)", usual: "\(startTLS?.port ?? 443)")
      do throws(TLSError) {
        let addresses = try Address.resolve(target, port: port, until: deadline)
        let socket = try Socket.connect(
          to: addresses, port: port, for: "\(name)", until: deadline)
        try startTLS?.negotiate(on: socket, until: deadline)
        return try TLSConnection(
          self, socket, host: name, server: server,
          sessions: sessions.place("\(name) \(target):\(port)"), deadline)
      } catch {
        throw error.naming(server)
      }
    }

    private func setProtocols() throws(TLSError) {
      guard !options.applicationProtocols.isEmpty else { return }
      var wire: [UInt8] = []
      for name in options.applicationProtocols {
        guard 1...255 ~= name.utf8.count else {
          throw .openSSL("\"\(name)\" is not an ALPN protocol")
        }
        wire += [UInt8(name.utf8.count)] + name.utf8
      }
      // SAFETY: the bytes are copied.
      guard unsafe SSL_CTX_set_alpn_protos(context, wire, UInt32(wire.count)) == 0 else {
        throw .latest()
      }
    }
  }
#endif
