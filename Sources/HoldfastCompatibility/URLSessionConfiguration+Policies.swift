#if Curl && canImport(FoundationNetworking)
  public import FoundationNetworking
  public import Holdfast
  public import HoldfastHTTP
  public import HoldfastIdentities
  internal import HoldfastOpenSSL
  internal import HoldfastURLSession

  extension URLSessionConfiguration {
    /// Returns a default configuration whose sessions answer challenges with a policy, such as an
    /// `AFSecurityPolicy`. A challenge that it cancels ends the request as canceled.
    ///
    /// - Parameter validator: The anchors and rules that the policy uses.
    public static func pinned(
      _ policy: any TrustEvaluating, validator: PathValidator,
      options: HTTPOptions = HTTPOptions()
    ) -> URLSessionConfiguration {
      let verifier = TLSVerifier(challengesWith: validator) { $0.decision(under: policy) }
      return pinned(HTTPClient(verifier, options: options))
    }

    /// Returns a default configuration whose sessions answer challenges as Alamofire's do.
    ///
    /// - Parameters:
    ///   - validator: The anchors and rules that the evaluators use, and that decide alone about
    ///     hosts which need no evaluator.
    ///   - identity: The credential for servers that ask for a certificate; nil for that of the
    ///     options.
    public static func pinned(
      _ manager: ServerTrustManager, validator: PathValidator, identity: Identity? = nil,
      options: HTTPOptions = HTTPOptions()
    ) -> URLSessionConfiguration {
      var options = options
      if let identity {
        options.identityForHost = { host in
          let challenge = Challenge(.clientCertificate(authorities: []), host: host)
          let decision = challenge.decision(under: manager, credential: .identity(identity))
          guard case .useCredential(.identity(let identity)) = decision else { return nil }
          return identity
        }
      }
      let verifier = TLSVerifier(challengesWith: validator, allowsReuse: manager.allowsReuse) {
        $0.decision(under: manager)
      }
      return pinned(HTTPClient(verifier, options: options))
    }
  }

  extension URLSessionConfiguration {
    /// Returns a default configuration whose sessions answer challenges as Alamofire 4's do: a host
    /// without a policy is left to the system.
    ///
    /// - Parameter validator: The anchors and rules that the policies use, and that decide alone
    ///   about hosts without one.
    public static func pinned(
      _ manager: ServerTrustPolicyManager, validator: PathValidator,
      options: HTTPOptions = HTTPOptions()
    ) -> URLSessionConfiguration {
      let verifier = TLSVerifier(challengesWith: validator, allowsReuse: manager.allowsReuse) {
        challenge in
        guard let policy = manager.serverTrustPolicy(forHost: challenge.host) else {
          return .performDefaultHandling
        }
        return challenge.decision(under: policy)
      }
      return pinned(HTTPClient(verifier, options: options))
    }

    /// Returns a default configuration whose sessions answer challenges with a policy, by the rules
    /// of Apple's platforms.
    ///
    /// - Parameter anchors: The anchors that the policy uses; nil for the system's. A `TrustManager`
    ///   has its own.
    public static func pinned(
      _ policy: any TrustEvaluating, anchors: AnchorSet? = nil,
      options: HTTPOptions = HTTPOptions()
    ) throws(SystemAnchorsError) -> URLSessionConfiguration {
      pinned(policy, validator: try .apple(anchors), options: options)
    }

    /// Returns a default configuration whose sessions answer challenges as Alamofire's do, by the
    /// rules of Apple's platforms.
    ///
    /// - Parameters:
    ///   - anchors: The anchors that the evaluators use; nil for the system's.
    ///   - identity: The credential for servers that ask for a certificate; nil for that of the
    ///     options.
    public static func pinned(
      _ manager: ServerTrustManager, anchors: AnchorSet? = nil, identity: Identity? = nil,
      options: HTTPOptions = HTTPOptions()
    ) throws(SystemAnchorsError) -> URLSessionConfiguration {
      pinned(manager, validator: try .apple(anchors), identity: identity, options: options)
    }

    /// Returns a default configuration whose sessions answer challenges as Alamofire 4's do, by the
    /// rules of Apple's platforms.
    ///
    /// - Parameter anchors: The anchors that the policies use; nil for the system's.
    public static func pinned(
      _ manager: ServerTrustPolicyManager, anchors: AnchorSet? = nil,
      options: HTTPOptions = HTTPOptions()
    ) throws(SystemAnchorsError) -> URLSessionConfiguration {
      pinned(manager, validator: try .apple(anchors), options: options)
    }
  }

  extension PathValidator {
    /// What AFNetworking and Alamofire assume: the system's anchors, and Apple's rules.
    fileprivate static func apple(
      _ anchors: AnchorSet?
    ) throws(SystemAnchorsError) -> PathValidator {
      let anchors = if let anchors { anchors } else { try AnchorSet.system() }
      return PathValidator(anchors: anchors, rules: .apple)
    }
  }

  extension TLSVerifier {
    /// Creates a verifier that asks as a session does, by a challenge for each server.
    ///
    /// - Parameter allowsReuse: Whether a verdict may be used again, also one of the system.
    fileprivate convenience init(
      challengesWith validator: PathValidator, allowsReuse: Bool = true,
      _ decide: @escaping @Sendable (Challenge) -> ChallengeDecision
    ) {
      self.init { peer in
        let host = peer.host ?? ""
        let trust = ServerTrust(
          try peer.question(for: .anyServer, pool: validator.certificatePool), validator: validator)
        let verdict: Verdict
        switch decide(Challenge(.serverTrust(trust), host: host)) {
        case .trustServer(let trusted): verdict = trusted
        case .performDefaultHandling:
          let path = try validator.validate(trust.question(for: .server(host)))
          verdict = Verdict(.validPath, host: host, path: path, at: trust.time)
        case .cancel(let reason): throw CanceledChallenge(reason: reason)
        case .useCredential, .rejectProtectionSpace:
          throw CanceledChallenge(reason: .rejected(reason: "the policy has not decided"))
        }
        return allowsReuse ? verdict : verdict.forOneConnection()
      }
    }
  }
#endif
