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
      let verifier = TLSVerifier(challengesWith: validator) { $0.decision(under: manager) }
      return pinned(HTTPClient(verifier, options: options))
    }
  }

  extension TLSVerifier {
    /// Creates a verifier that asks as a session does, by a challenge for each server.
    fileprivate convenience init(
      challengesWith validator: PathValidator,
      _ decide: @escaping @Sendable (Challenge) -> ChallengeDecision
    ) {
      self.init { peer in
        let host = peer.host ?? ""
        var trust = try ServerTrust(
          der: peer.chain, staple: peer.staple, validator: validator, at: peer.time)
        trust.timestamps = peer.timestamps
        switch decide(Challenge(.serverTrust(trust), host: host)) {
        case .trustServer(let verdict): return verdict
        case .performDefaultHandling:
          let path = try validator.validate(
            trust.chain, for: .server(host), at: trust.time, revocation: trust.revocation,
            unreadable: trust.unreadable)
          return Verdict(.validPath, host: host, path: path, at: trust.time)
        case .cancel(let reason): throw CanceledChallenge(reason: reason)
        case .useCredential, .rejectProtectionSpace:
          throw CanceledChallenge(reason: .rejected(reason: "the policy has not decided"))
        }
      }
    }
  }
#endif
