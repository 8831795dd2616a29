#if OpenSSL
  public import Holdfast

  /// What the peer of a TLS connection presented: the input of a decision.
  public struct TLSPeer: Sendable {
    /// The certificates as they were sent, in DER, the peer's own first. None of them is trusted.
    public var chain: [[UInt8]]

    /// Who the peer is. The connection decides it, never the absence of a name.
    public var role: Role

    /// The OCSP response that the server stapled, in DER. RFC 6066 §8.
    public var staple: [UInt8]?

    /// The data of the server's TLS extension 18: timestamps of logs. RFC 6962 §3.3.1.
    public var timestamps: [UInt8]?

    /// The time of the evaluation.
    public var time: Timestamp

    /// Who the peer of a connection is.
    public enum Role: Sendable, Hashable {
      /// A server, which must have a certificate for this host, a name or an address.
      case server(host: String)
      /// A client.
      case client
      /// A client that is a server itself, which must have a certificate for this host: what a server
      /// set for the connection with `TLSVerifier.setHost(_:of:)`.
      case peer(host: String)
    }

    /// The host that the peer must have a certificate for; nil for a client without one.
    public var host: String? {
      switch role {
      case .server(let host), .peer(let host): host
      case .client: nil
      }
    }

    /// Creates the input of a decision.
    ///
    /// - Parameters:
    ///   - chain: The certificates as they were sent, in DER, the peer's own first.
    ///   - staple: The OCSP response that the server stapled, in DER; nil if it stapled none.
    ///   - timestamps: The data of the server's TLS extension 18; nil if it sent none.
    public init(
      chain: [[UInt8]], role: Role, staple: [UInt8]? = nil, timestamps: [UInt8]? = nil,
      at time: Timestamp
    ) {
      self.chain = chain
      self.role = role
      self.staple = staple
      self.timestamps = timestamps
      self.time = time
    }
  }

  extension TLSPeer {
    /// Returns the question that the handshake asks, for a purpose such as `.server(host)`. Only a
    /// server is asked for a staple.
    ///
    /// - Throws: If the peer's own certificate or the staple cannot be read.
    public func question(for purpose: Purpose) throws(TrustError) -> Question {
      try question(for: purpose, pool: nil)
    }

    /// Returns the same question, but certificates in the pool are not parsed again.
    package func question(
      for purpose: Purpose, pool: CertificatePool?
    ) throws(TrustError) -> Question {
      switch role {
      case .server:
        try Question(
          der: chain, staple: staple, timestamps: timestamps, for: purpose, at: time, pool: pool)
      case .client, .peer: try Question(client: chain, for: purpose, at: time, pool: pool)
      }
    }
  }

  extension TLSPeer: CustomStringConvertible {
    /// `server example.com, 2 certificates`.
    public var description: String {
      let peer = host.map { "server \($0)" } ?? "client"
      return "\(peer), \(chain.count == 1 ? "1 certificate" : "\(chain.count) certificates")"
    }
  }

  extension TLSOutcome: CustomStringConvertible {
    /// The verdict, or why there is none.
    public var description: String {
      switch self {
      case .accepted(let verdict): "\(verdict)"
      case .rejected(let rejection): "\(rejection)"
      }
    }
  }

  /// Why a TLS peer is rejected.
  public struct TLSRejection: Error, Sendable {
    /// The kinds of reasons.
    @nonexhaustive
    public enum Reason: Sendable {
      /// The peer is not trusted.
      case notTrusted(TrustError)
      /// A client's certificate has no valid path.
      case invalidPath(PathError)
      /// A session cannot be resumed, because it has no verdict of this policy that is still valid.
      case sessionNotValid(host: String?)
      /// There is no host to compare with the certificate: the client has set none.
      case noHost
      /// A verifier of pins or of a policy, which are about servers, was asked about a client or about
      /// a server that connects.
      case verifiesServers
      /// The verifier is installed for the other side of the connection: `installOnClient` on a
      /// server would not ask for the certificates of clients.
      case wrongSide
      /// The connection has both a name and an address to compare, and a verdict is about one host.
      case severalHosts(String, String)
      /// The certificates are not known as they were sent, because the message callback of
      /// `TLSVerifier` was replaced, or the connection was made from a context without it.
      case certificatesNotSeen
    }

    /// The reason.
    public let reason: Reason

    /// The alert sent to the peer. RFC 8446 §6.2.
    public let alert: TLSAlert

    /// The rule broken by the path nearest to a valid one; nil if the path is not the problem.
    public let rule: Rule?

    init(_ reason: Reason, _ alert: TLSAlert, rule: Rule? = nil) {
      self.reason = reason
      self.alert = alert
      self.rule = rule
    }

    /// Whether only revocation information was missing, or timestamps that the policy accepts in a
    /// stapled response, so that one may still provide it.
    var mayPassWithStaple: Bool {
      if case .notTrusted(.insufficientTransparency(_, let report)) = reason {
        return report.policy.requirements.contains { $0.deliveries.contains(.ocsp) }
      }
      return if case .revocationUnknown = rule { true } else { false }
    }

    /// Creates the rejection for an error that a policy threw.
    ///
    /// - Parameter host: The server's host; nil if the peer is a client.
    init(_ error: any Error, host: String?) {
      switch error {
      case let rejection as TLSRejection: self = rejection
      case let error as TrustError:
        let rule = error.pathError?.rejections.first?.rule
        self.init(.notTrusted(error.naming(host)), TLSAlert(rule), rule: rule)
      case let error as PathError:
        let rule = error.rejections.first?.rule
        self.init(.invalidPath(error), TLSAlert(rule), rule: rule)
      default:
        self.init(.notTrusted(TrustError.custom(error).naming(host)), .certificateUnknown)
      }
    }
  }

  extension TLSRejection: HoldfastError {
    /// The stable identifier of what is wrong.
    public var code: String {
      switch reason {
      case .notTrusted(let error): error.code
      case .invalidPath(let error): error.code
      case .sessionNotValid: ErrorCode.sessionNotValid.rawValue
      case .noHost: ErrorCode.noHost.rawValue
      case .verifiesServers: ErrorCode.verifiesServers.rawValue
      case .wrongSide: ErrorCode.wrongSide.rawValue
      case .severalHosts: ErrorCode.severalHosts.rawValue
      case .certificatesNotSeen: ErrorCode.certificatesNotSeen.rawValue
      }
    }

    /// Whether a new connection may succeed: the next handshake is a full one.
    public var isTransient: Bool {
      switch reason {
      case .sessionNotValid: true
      case .notTrusted(let error): error.isTransient
      case .invalidPath, .noHost, .verifiesServers, .wrongSide, .severalHosts, .certificatesNotSeen:
        false
      }
    }

    /// The host, the code, what is known, and the message.
    public var fields: [(key: String, value: String)] {
      switch reason {
      case .notTrusted(let error): error.fields
      case .invalidPath(let error): error.fields
      case .sessionNotValid(let host):
        fields(server: host, message: "session not resumed: its verdict no longer holds")
      case .noHost, .verifiesServers, .wrongSide, .severalHosts, .certificatesNotSeen:
        fields(message: "\(self)")
      }
    }

    /// Returns the rejection with the server of the connection.
    func at(_ server: String) -> TLSRejection {
      switch reason {
      case .notTrusted(let error): TLSRejection(.notTrusted(error.at(server)), alert, rule: rule)
      default: self
      }
    }

    /// What is wrong, in one plain sentence.
    public var summary: String {
      switch reason {
      case .notTrusted(let error): error.summary
      case .invalidPath(let error): error.summary
      case .sessionNotValid: "The earlier connection is too old to be resumed."
      case .verifiesServers: "The program's TLS configuration is wrong."
      case .noHost, .severalHosts, .certificatesNotSeen, .wrongSide:
        "The server could not be identified."
      }
    }

    /// The reason, in the policy's words.
    public var description: String {
      switch reason {
      case .notTrusted(let error): "\(error)"
      case .invalidPath(let error): "\(error)"
      case .sessionNotValid(let host):
        "session of \(host ?? "a client") not resumed: its verdict no longer holds"
      case .noHost: "no host to compare with the peer's certificate"
      case .verifiesServers:
        "this verifier decides about servers; for those who connect, make one of a PathValidator"
      case .wrongSide:
        "the verifier is installed for the other side of the connection: servers need installOnServer, "
          + "clients installOnClient"
      case .severalHosts(let name, let address):
        "both \(name) and \(address) are set as the host of the connection"
      case .certificatesNotSeen:
        "the certificates are not known as they were sent: OpenSSL's message callback is not the "
          + "verifier's"
      }
    }
  }

  extension TrustError {
    /// The error of the path search, if that is why the server is not trusted.
    fileprivate var pathError: PathError? {
      if case .invalidPath(let error) = self { error } else { nil }
    }
  }

  /// The alerts for rejected certificates. RFC 8446 §6.2.
  public enum TLSAlert: UInt8, Sendable, CaseIterable {
    /// The certificate is wrong: its signature, its names or its pins.
    case badCertificate = 42
    /// The certificate is not for this use.
    case unsupportedCertificate = 43
    /// A certificate is revoked.
    case certificateRevoked = 44
    /// A certificate has expired.
    case certificateExpired = 45
    /// Any other reason.
    case certificateUnknown = 46
    /// No path to a trusted CA.
    case unknownCA = 48

    /// Creates the alert for a broken rule; without a rule, the pins or the host do not match.
    init(_ rule: Rule?) {
      self =
        switch rule {
        case .issuerNotFound, .untrustedRoot, .nameChaining, .trustDomain: .unknownCA
        case .expired: .certificateExpired
        case .revoked: .certificateRevoked
        case .keyUsage, .extendedKeyUsage, .extendedKeyUsageMissing, .extendedKeyUsageAny,
          .leafIsCA, .leafNotFirst:
          .unsupportedCertificate
        default: .badCertificate
        }
    }
  }
#endif
