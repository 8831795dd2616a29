public import Holdfast
internal import HoldfastPaths

/// Alamofire 4's `ServerTrustPolicy`, decision for decision, for ported code.
///
/// Without `validateCertificateChain` the pinning cases check nothing but the pins, not even the
/// host, whatever `validateHost` says. With it, pinned certificates are only anchors and are not
/// compared. The verdict's `unchecked` says so.
@nonexhaustive
public enum ServerTrustPolicy: Sendable {
  /// A valid path.
  case performDefaultEvaluation(validateHost: Bool)
  /// A valid path on which nothing is revoked.
  case performRevokedEvaluation(
    validateHost: Bool, revocationFlags: RevocationTrustEvaluator.Options)
  /// A valid path to the pinned certificates as anchors; without validation, a pinned certificate
  /// that signatures link to the leaf.
  case pinCertificates(
    certificates: [Certificate], validateCertificateChain: Bool, validateHost: Bool)
  /// A pinned key on a valid path; without validation, in a certificate that signatures link to the
  /// leaf.
  case pinPublicKeys(publicKeys: [PublicKey], validateCertificateChain: Bool, validateHost: Bool)
  /// Every server is trusted.
  case disableEvaluation
  /// The result of the caller's own function.
  case customEvaluation(@Sendable (_ serverTrust: ServerTrust, _ host: String) -> Bool)

  /// Whether the server is trusted: Alamofire's method.
  public func evaluate(_ serverTrust: ServerTrust, forHost host: String) -> Bool {
    do throws(TrustError) {
      _ = try evaluate(serverTrust, for: host)
      return true
    } catch {
      return false
    }
  }

  /// Returns the certificates of the files `*.cer`, `*.crt`, `*.der` and `*.pem` in a folder.
  ///
  /// - Throws: At the first file that cannot be read, or if there is no certificate.
  public static func certificates(in folder: String) throws(ParseError) -> [Certificate] {
    try Certificate.certificates(inFolder: folder)
  }

  /// Returns the keys of the certificates in a folder.
  public static func publicKeys(in folder: String) throws(ParseError) -> [PublicKey] {
    try certificates(in: folder).map(\.publicKey)
  }
}

extension ServerTrustPolicy: TrustEvaluating {
  /// True: what a closure decides holds for one connection in any case.
  public var allowsReuse: Bool { true }

  /// Returns why the server is trusted, or throws why it is not.
  public func evaluate(_ trust: ServerTrust, for host: String) throws(TrustError) -> Verdict {
    switch self {
    case .performDefaultEvaluation(let validateHost):
      return try ValidationSettings(validateHost: validateHost).verdict(on: trust, host)
    case .performRevokedEvaluation(let validateHost, let options):
      return try RevocationTrustEvaluator(validateHost: validateHost, options: options)
        .evaluate(trust, for: host)
    case .pinCertificates(let certificates, true, let validateHost):
      let anchors = AnchorSet(certificates)
      return try ValidationSettings(validateHost: validateHost, anchors: anchors).verdict(
        on: trust, host)
    case .pinCertificates(let certificates, false, _):
      return try Self.linked(certificates).evaluate(trust, for: host)
    case .pinPublicKeys(let keys, let validates, let validateHost):
      return try Self.pinned(keys, validates, validateHost).evaluate(trust, for: host)
    case .disableEvaluation: return DisabledTrustEvaluator().evaluate(trust, for: host)
    case .customEvaluation(let isTrusted):
      guard isTrusted(trust, host) else {
        throw .rejected(reason: "the caller's own evaluation rejects the server")
      }
      return Verdict(
        .custom("the caller's own evaluation"), host: host, path: nil,
        certificates: Array(trust.question.chain.prefix(1)), at: trust.time
      ).forOneConnection()
    }
  }

  private static func linked(_ certificates: [Certificate]) -> PinnedCertificatesTrustEvaluator {
    PinnedCertificatesTrustEvaluator(
      certificates: certificates, performDefaultValidation: false, validateHost: false)
  }

  private static func pinned(
    _ keys: [PublicKey], _ validatesChain: Bool, _ validateHost: Bool
  ) -> PublicKeysTrustEvaluator {
    PublicKeysTrustEvaluator(
      keys: keys, performDefaultValidation: validatesChain,
      validateHost: validatesChain && validateHost)
  }
}

extension ServerTrustPolicy: CustomStringConvertible {
  /// What is required, and what is not checked.
  public var description: String {
    switch self {
    case .performDefaultEvaluation(let validateHost):
      "\(DefaultTrustEvaluator(validateHost: validateHost))"
    case .performRevokedEvaluation(let validateHost, let options):
      "\(RevocationTrustEvaluator(validateHost: validateHost, options: options))"
    case .pinCertificates(let certificates, true, let validateHost):
      ValidationSettings(validateHost: validateHost).words(
        and: "its anchor is \(ValidationSettings.one(of: certificates.count, "certificate"))")
    case .pinCertificates(let certificates, false, _): "\(Self.linked(certificates))"
    case .pinPublicKeys(let keys, let validates, let validateHost):
      "\(Self.pinned(keys, validates, validateHost))"
    case .disableEvaluation: "\(DisabledTrustEvaluator())"
    case .customEvaluation: "the caller's own evaluation"
    }
  }
}

/// Alamofire 4's table of policies by host; a host without one is left to the system.
open class ServerTrustPolicyManager: @unchecked Sendable, CustomStringConvertible {
  /// The policies by host.
  public let policies: [String: ServerTrustPolicy]

  /// Creates a manager with a policy for each host.
  ///
  /// - Parameter policies: The policies by host, which is compared verbatim: `API.example.com` does
  ///   not find the policy of `api.example.com`, and is left to the system.
  public init(policies: [String: ServerTrustPolicy]) { self.policies = policies }

  /// Whether a verdict may be used again on a connection or a session that is kept. False for a
  /// subclass: override it and return true if a host always has the same policy.
  open var allowsReuse: Bool { type(of: self) == ServerTrustPolicyManager.self }

  /// Returns the policy of a host; nil if it has none. Override it for wildcards.
  open func serverTrustPolicy(forHost host: String) -> ServerTrustPolicy? { policies[host] }

  /// A line for each host, with what is required of it, and what happens to others.
  public var description: String {
    let lines = policies.map { "\($0.key): \($0.value)" }.sorted()
    return (lines + ["other hosts are left to the system, without pins"]).joined(separator: "\n")
  }
}
