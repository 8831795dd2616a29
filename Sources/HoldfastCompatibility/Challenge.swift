public import Holdfast
public import HoldfastIdentities

/// What a connection asks its session: who is this server, or who are you.
///
/// It is a value with the fields of Foundation's `URLAuthenticationChallenge`, and its decision is
/// what the session does with it.
public struct Challenge: Sendable {
  /// What is asked.
  public var method: Method
  /// The host that asks, or is asked about.
  public var host: String
  /// How often an answer to the same challenge has failed before.
  public var previousFailureCount: Int

  /// A challenge.
  public init(_ method: Method, host: String, previousFailureCount: Int = 0) {
    self.method = method
    self.host = host
    self.previousFailureCount = previousFailureCount
  }

  /// What is asked.
  @nonexhaustive
  public enum Method: Sendable {
    /// Whether the server is trusted: what it has shown, or nil if that is not known.
    case serverTrust(ServerTrust?)
    /// A certificate of the client's, from one of these authorities; none for any.
    case clientCertificate(authorities: [DistinguishedName])
    /// A name and a password. RFC 7617.
    case httpBasic
    /// A name and a password. RFC 7616.
    case httpDigest
    /// A name and a password, as Windows asks for it.
    case ntlm
    /// A ticket or a password. RFC 4559.
    case negotiate
    /// A form of HTML.
    case htmlForm
    /// Whatever the protocol has by default.
    case unspecified
  }
}

/// What a session does with a challenge, by the numbers of Foundation.
public enum ChallengeDisposition: Int, Sendable, Hashable, CaseIterable {
  /// The connection goes on with the credential.
  case useCredential = 0
  /// The system decides as if there were no delegate: its anchors, and no pins.
  case performDefaultHandling = 1
  /// The connection ends. This, and only this, refuses a server.
  case cancel = 2
  /// This way of authentication is passed over for the next. It refuses nothing: a server that is
  /// turned down with it is asked about again, by default, and that may well trust it.
  case rejectProtectionSpace = 3
}

/// The answer to a challenge.
@nonexhaustive
public enum ChallengeDecision: Sendable {
  /// The server is trusted. Keep the verdict for sessions that are resumed.
  case trustServer(Verdict)
  /// The client shows who it is.
  case useCredential(ClientCredential)
  /// The system decides.
  case performDefaultHandling
  /// The server is refused, and the connection ends.
  case cancel(TrustError)
  /// The credential has failed before; another way of authentication may be tried.
  case rejectProtectionSpace

  /// What the session does.
  public var disposition: ChallengeDisposition {
    switch self {
    case .trustServer, .useCredential: .useCredential
    case .performDefaultHandling: .performDefaultHandling
    case .cancel: .cancel
    case .rejectProtectionSpace: .rejectProtectionSpace
    }
  }
}

/// What a client shows of itself.
@nonexhaustive
public enum ClientCredential: Sendable {
  /// A certificate with its private key, which the TLS library signs with.
  case identity(Identity)
  /// A chain of certificates, the client's own first, whose key is elsewhere: in a card or a module.
  case certificates([Certificate])
  /// A name and a password.
  case password(user: String, password: String)
}

extension Challenge {
  /// Decides as AFNetworking's session does: the policy says whether the server is trusted, and
  /// everything else is left to the system.
  ///
  /// - Parameter policy: An `AFSecurityPolicy`, or any other evaluator.
  public func decision(under policy: any TrustEvaluating) -> ChallengeDecision {
    guard case .serverTrust(let trust) = method else { return .performDefaultHandling }
    return Challenge.decision(on: trust, for: host, policy)
  }

  /// Decides as Alamofire's session does: a server is trusted if its evaluator says so, left to the
  /// system if it has none and needs none, and refused otherwise. A credential is shown once.
  public func decision(
    under manager: ServerTrustManager, credential: ClientCredential? = nil
  ) -> ChallengeDecision {
    switch method {
    case .serverTrust(let trust):
      do {
        guard let evaluator = try manager.serverTrustEvaluator(forHost: host) else {
          return .performDefaultHandling
        }
        return Challenge.decision(on: trust, for: host, evaluator)
      } catch {
        return .cancel(error as? TrustError ?? .custom(error))
      }
    case .clientCertificate, .httpBasic, .httpDigest, .ntlm, .negotiate:
      guard previousFailureCount == 0 else { return .rejectProtectionSpace }
      guard let credential, fits(credential) else { return .performDefaultHandling }
      return .useCredential(credential)
    default: return .performDefaultHandling
    }
  }

  /// Trusts or cancels. A server of which nothing is known cannot be evaluated, so it is refused.
  ///
  /// Departs: Alamofire leaves a server trust that is nil to the system, which knows no pins.
  private static func decision(
    on trust: ServerTrust?, for host: String, _ evaluator: any TrustEvaluating
  ) -> ChallengeDecision {
    guard let trust else { return .cancel(.emptyChain(host: host)) }
    do throws(TrustError) {
      return .trustServer(try evaluator.verdict(on: trust, for: host))
    } catch {
      return .cancel(error)
    }
  }

  /// Whether a credential is of the kind that is asked for.
  private func fits(_ credential: ClientCredential) -> Bool {
    switch (method, credential) {
    case (.clientCertificate, .identity), (.clientCertificate, .certificates): true
    case (.httpBasic, .password), (.httpDigest, .password), (.ntlm, .password),
      (.negotiate, .password):
      true
    default: false
    }
  }
}
