#if OpenSSL
  public import Holdfast

  /// What the other side of a TLS connection has shown before anything is decided.
  public struct TLSPeer: Sendable {
    /// The certificates as they were sent, in DER, the peer's own first. Nothing of them is trusted.
    public var chain: [[UInt8]]

    /// The host that the client asked for; nil on a server, where the peer is a client.
    public var host: String?

    /// The OCSP response that the server has stapled, in DER. RFC 6066 §8.
    public var staple: [UInt8]?

    /// The time at which the peer is judged.
    public var time: Timestamp

    /// What a peer has shown.
    public init(chain: [[UInt8]], host: String?, staple: [UInt8]? = nil, at time: Timestamp) {
      self.chain = chain
      self.host = host
      self.staple = staple
      self.time = time
    }
  }

  /// Why a TLS peer is refused.
  public struct TLSRefusal: Error, Sendable {
    /// The kinds of reasons.
    @nonexhaustive
    public enum Reason: Sendable {
      /// The trust decision was no.
      case notTrusted(TrustError)
      /// A client's certificate has no valid path.
      case invalidPath(PathError)
      /// A session was to be resumed for which no verdict of this policy holds any more.
      case sessionNotValid(host: String?)
      /// The name of the server is not known here, so that it cannot be compared.
      case noHost
      /// An error of the caller's own code.
      case other(any Error)
    }

    /// Why.
    public let reason: Reason

    /// The alert that the peer is sent. RFC 8446 §6.2.
    public let alert: TLSAlert

    /// The rule that the path nearest to a valid one breaks; nil if it is not the path that is wrong.
    public let rule: Rule?

    init(_ reason: Reason, _ alert: TLSAlert, rule: Rule? = nil) {
      self.reason = reason
      self.alert = alert
      self.rule = rule
    }

    /// Whether only revocation information was missing, which a stapled response may still bring.
    var mayPassWithStaple: Bool {
      if case .revocationUnknown = rule { true } else { false }
    }

    /// Whether the search for a path has reached a limit, so that there may be one.
    public var isLimitReached: Bool {
      let error: PathError?
      switch reason {
      case .notTrusted(let trust): error = trust.pathError
      case .invalidPath(let path): error = path
      default: error = nil
      }
      if case .limitReached = error?.cause { return true }
      return false
    }

    /// Whether what the peer has shown cannot be parsed.
    public var isUnreadable: Bool {
      if case .notTrusted(.invalidCertificate) = reason { true } else { false }
    }

    /// The refusal for an error that a policy has thrown.
    init(_ error: any Error) {
      switch error {
      case let refusal as TLSRefusal: self = refusal
      case let error as TrustError:
        let rule = error.pathError?.rejections.first?.rule
        self.init(.notTrusted(error), TLSAlert(rule), rule: rule)
      case let error as PathError:
        let rule = error.rejections.first?.rule
        self.init(.invalidPath(error), TLSAlert(rule), rule: rule)
      default: self.init(.other(error), .certificateUnknown)
      }
    }
  }

  extension TLSRefusal: CustomStringConvertible {
    /// Why, as the policy says it.
    public var description: String {
      switch reason {
      case .notTrusted(let error): "\(error)"
      case .invalidPath(let error): "\(error)"
      case .sessionNotValid(let host):
        "session of \(host ?? "a client") not resumed: its verdict no longer holds"
      case .noHost: "no host name to compare with the server's certificate"
      case .other(let error): "\(error)"
      }
    }
  }

  extension TrustError {
    /// Why there is no valid path, if that is why the server is not trusted.
    fileprivate var pathError: PathError? {
      if case .invalidPath(let error) = self { error } else { nil }
    }
  }

  /// The alerts with which a certificate is refused. RFC 8446 §6.2.
  public enum TLSAlert: UInt8, Sendable, CaseIterable {
    /// The certificate does not hold: its signature, its names, its pins.
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

    /// The alert for a broken rule; with no rule it is the pins or the host that do not fit.
    init(_ rule: Rule?) {
      self =
        switch rule {
        case .issuerNotFound, .untrustedRoot, .nameChaining: .unknownCA
        case .expired: .certificateExpired
        case .revoked: .certificateRevoked
        case .keyUsage, .extendedKeyUsage, .extendedKeyUsageMissing, .extendedKeyUsageAny,
          .leafIsAuthority:
          .unsupportedCertificate
        default: .badCertificate
        }
    }
  }
#endif
