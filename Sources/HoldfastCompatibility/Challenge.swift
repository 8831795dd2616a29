public import Holdfast
internal import HoldfastDER
public import HoldfastIdentities

/// A challenge that a connection raises: whether the server is trusted, or who the client is.
///
/// It has the fields of Foundation's `URLAuthenticationChallenge`; the decision tells what the
/// session does with it.
public struct Challenge: Sendable {
  /// The kind of challenge.
  public var method: Method
  /// The host that raised the challenge, or that it is about.
  public var host: String
  /// How many times an answer to this challenge has failed before.
  public var previousFailureCount: Int

  /// Creates a challenge.
  public init(_ method: Method, host: String, previousFailureCount: Int = 0) {
    self.method = method
    self.host = host
    self.previousFailureCount = previousFailureCount
  }

  /// The kind of challenge.
  @nonexhaustive
  public enum Method: Sendable {
    /// Whether the server is trusted: what it presented, or nil if that is not known.
    case serverTrust(ServerTrust?)
    /// A client certificate, issued by one of these CAs; by any if empty.
    case clientCertificate(authorities: [DistinguishedName])
    /// A name and a password. RFC 7617.
    case httpBasic
    /// A name and a password. RFC 7616.
    case httpDigest
    /// A name and a password, in Windows' protocol.
    case ntlm
    /// A ticket or a password. RFC 4559.
    case negotiate
    /// An HTML form.
    case htmlForm
    /// The protocol's default.
    case unspecified
  }
}

/// What a session does with a challenge, with Foundation's numbers.
public enum ChallengeDisposition: Int, Sendable, Hashable, CaseIterable {
  /// The connection continues with the credential.
  case useCredential = 0
  /// The system decides as if there were no delegate: its anchors, and no pins.
  case performDefaultHandling = 1
  /// The connection ends. Only this rejects a server.
  case cancel = 2
  /// This authentication method is skipped for the next. It rejects nothing: a server turned down
  /// this way is challenged again, with default handling, which may well trust it.
  case rejectProtectionSpace = 3
}

/// The answer to a challenge.
@nonexhaustive
public enum ChallengeDecision: Sendable {
  /// The server is trusted. Keep the verdict for resumed sessions.
  case trustServer(Verdict)
  /// The client presents its credential.
  case useCredential(ClientCredential)
  /// The system decides.
  case performDefaultHandling
  /// The server is rejected, and the connection ends.
  case cancel(TrustError)
  /// The credential has failed before; another authentication method may be tried.
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

/// A credential of a client.
@nonexhaustive
public enum ClientCredential: Sendable {
  /// A certificate with its private key, with which the TLS library signs.
  case identity(Identity)
  /// A certificate chain, the client's own first, whose key is elsewhere, such as in a smart card.
  case certificates([Certificate])
  /// A name and a password.
  case password(user: String, password: String)
}

extension ClientCredential: CustomStringConvertible {
  /// What is presented, without the password.
  public var description: String {
    switch self {
    case .identity(let identity): "\(identity)"
    case .certificates(let chain): chain.first.map { "\($0)" } ?? "no certificate"
    case .password(let user, _): "the password of \(Printable.text(user))"
    }
  }
}

extension Challenge {
  /// Decides as AFNetworking's session does: the policy decides whether the server is trusted, and
  /// the system everything else.
  ///
  /// - Parameter policy: An `AFSecurityPolicy`, or any other evaluator.
  public func decision(under policy: any TrustEvaluating) -> ChallengeDecision {
    guard case .serverTrust(let trust) = method else { return .performDefaultHandling }
    return Challenge.decision(on: trust, for: host, policy)
  }

  /// Decides as Alamofire's session does: a server is trusted if its evaluator says so, left to the
  /// system if it has none and needs none, and rejected otherwise. A credential is presented once.
  ///
  /// - Parameter credential: What the client presents, if it is of the kind that the challenge asks
  ///   for; nil or another kind leaves the challenge to the system.
  public func decision(
    under manager: ServerTrustManager, credential: ClientCredential? = nil
  ) -> ChallengeDecision {
    switch method {
    case .serverTrust(let trust):
      do {
        guard let evaluator = try manager.serverTrustEvaluator(forHost: host) else {
          return .performDefaultHandling
        }
        let decision = Challenge.decision(on: trust, for: host, evaluator)
        guard case .trustServer(let verdict) = decision, !manager.allowsReuse else {
          return decision
        }
        return .trustServer(verdict.forOneConnection())
      } catch {
        return .cancel((error as? TrustError ?? .custom(error)).naming(host))
      }
    case .clientCertificate, .httpBasic, .httpDigest, .ntlm, .negotiate:
      guard previousFailureCount == 0 else { return .rejectProtectionSpace }
      guard let credential, fits(credential) else { return .performDefaultHandling }
      return .useCredential(credential)
    default: return .performDefaultHandling
    }
  }

  /// Trusts or cancels. A server trust that is nil cannot be evaluated, so it is rejected.
  ///
  /// Departs: Alamofire leaves a nil server trust to the system, which knows no pins.
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

  /// Whether a credential is of the kind that the challenge requires.
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
