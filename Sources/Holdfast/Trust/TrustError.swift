/// Why a server is not trusted.
///
/// The cases up to `customEvaluationFailed` are those of Alamofire's `ServerTrustFailureReason`, so
/// that code that distinguishes them can be ported as it is.
@nonexhaustive
public enum TrustError: Error, Sendable {
  /// There is no policy for this host, and every host needs one.
  case noRequiredEvaluator(host: String)
  /// No certificates are pinned, so there is nothing to compare with.
  case noCertificatesFound
  /// No keys are pinned, so there is nothing to compare with.
  case noPublicKeysFound
  /// Nobody can be validated as this host: it is none.
  case policyApplicationFailed(host: String, HostNameError)
  /// The pinned certificates cannot be anchors. For evaluators of your own: those here always can.
  case settingAnchorCertificatesFailed(host: String, [Certificate])
  /// The options of a revocation check ask for neither lists nor answers.
  case revocationPolicyCreationFailed
  /// There is no valid path.
  case trustEvaluationFailed(PathError)
  /// There is no valid path. For evaluators of your own: those here say `trustEvaluationFailed`.
  case defaultEvaluationFailed(host: String, PathError)
  /// The host is not named. For evaluators of your own: those here say `trustEvaluationFailed`.
  case hostValidationFailed(host: String, PathError)
  /// Something is revoked, or not known not to be. For evaluators of your own: those here say
  /// `trustEvaluationFailed`.
  case revocationCheckFailed(host: String, PathError)
  /// None of the pinned certificates is on a path of the server's.
  case certificatePinningFailed(
    host: String, ServerTrust, pinned: [Certificate], server: [Certificate])
  /// None of the pinned keys is in a certificate on a path of the server's.
  case publicKeyPinningFailed(host: String, ServerTrust, pinned: [PublicKey], server: [PublicKey])
  /// An evaluator that is not from here has thrown something of its own.
  case customEvaluationFailed(any Error)

  /// The server has shown no certificate at all.
  case noChain
  /// A `TrustManager` refuses the server.
  case pinning(PinningError)
  /// AFNetworking's policy refuses the server.
  case securityPolicy(SecurityPolicy.Evaluation)
}

extension TrustError: CustomStringConvertible {
  /// What is wrong, with the pins that were expected and those that were seen.
  public var description: String { "the server is not trusted: " + reason }

  private var reason: String {
    switch self {
    case .noRequiredEvaluator(let host): "there is no evaluator for \(host), which needs one"
    case .noCertificatesFound: "no certificates are pinned"
    case .noPublicKeysFound: "no public keys are pinned"
    case .policyApplicationFailed(let host, let error): "“\(host)” cannot be validated: \(error)"
    case .settingAnchorCertificatesFailed(let host, let certificates):
      "\(certificates.count) certificates cannot be anchors for \(host)"
    case .revocationPolicyCreationFailed:
      "the revocation check asks for neither lists nor OCSP answers"
    case .trustEvaluationFailed(let error): "\(error)"
    case .defaultEvaluationFailed(let host, let error):
      "the default evaluation for \(host) has failed: \(error)"
    case .hostValidationFailed(let host, let error):
      "the certificate is not for \(host): \(error)"
    case .revocationCheckFailed(let host, let error):
      "the revocation check for \(host) has failed: \(error)"
    case .certificatePinningFailed(let host, _, let pinned, let server):
      "no pinned certificate is on a path of \(host)"
        + TrustError.list("seen", server.map { "\($0.publicKey.pin) \($0.subject)" })
        + TrustError.list("pinned", pinned.map { "\($0.publicKey.pin) \($0.subject)" })
    case .publicKeyPinningFailed(let host, _, let pinned, let server):
      "no pinned key is on a path of \(host)"
        + TrustError.list("seen", server.map(\.pin))
        + TrustError.list("pinned", pinned.map(\.pin))
    case .customEvaluationFailed(let error): "\(error)"
    case .noChain: "it has shown no certificate"
    case .pinning(let error): "\(error)"
    case .securityPolicy(let evaluation): "\(evaluation)"
    }
  }

  /// A heading and a line for each.
  private static func list(_ heading: String, _ lines: [String]) -> String {
    "\n  \(heading):" + (lines.isEmpty ? " none" : lines.map { "\n    \($0)" }.joined())
  }
}
