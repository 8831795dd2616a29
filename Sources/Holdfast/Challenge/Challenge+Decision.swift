extension Challenge {
  /// Decides as AFNetworking's session does: the policy says whether the server is trusted, and
  /// everything else is left to the system.
  ///
  /// - Parameter policy: A `SecurityPolicy`, or any other evaluator.
  public func decision(under policy: any TrustEvaluating) -> ChallengeDecision {
    guard case .serverTrust(let trust) = method else { return .performDefaultHandling }
    return Challenge.decision(on: trust, for: host, policy)
  }

  /// Decides as Alamofire's session does: a server is trusted if its evaluator says so, left to the
  /// system if it has none and needs none, and refused otherwise. A credential is shown once.
  public func decision(
    under manager: EvaluatorManager, credential: ClientCredential? = nil
  ) -> ChallengeDecision {
    switch method {
    case .serverTrust(let trust):
      do throws(TrustError) {
        guard let evaluator = try manager.evaluator(for: host) else {
          return .performDefaultHandling
        }
        return Challenge.decision(on: trust, for: host, evaluator)
      } catch {
        return .cancel(error)
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
    guard let trust else { return .cancel(.noChain) }
    do throws(TrustError) {
      return .trustServer(try evaluator.verdict(on: trust, for: host))
    } catch {
      return .cancel(error)
    }
  }

  /// Whether a credential is of the kind that is asked for.
  private func fits(_ credential: ClientCredential) -> Bool {
    switch (method, credential) {
    case (.clientCertificate, .certificates): true
    case (.httpBasic, .password), (.httpDigest, .password), (.ntlm, .password),
      (.negotiate, .password):
      true
    default: false
    }
  }
}
