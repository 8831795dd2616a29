/// Alamofire 4's `ServerTrustPolicy`, decision for decision, for code that is ported.
///
/// Without `validateCertificateChain` the cases that pin look at nothing but the pins: not at the
/// host either, whatever `validateHost` says. And with it, pinned certificates are anchors that are
/// not compared with anything. `hazards` says so of each.
@nonexhaustive
public enum ServerTrustPolicy: Sendable {
  /// A valid path.
  case performDefaultEvaluation(validateHost: Bool)
  /// A valid path of which nothing is revoked.
  case performRevokedEvaluation(validateHost: Bool, options: RevocationEvaluator.Options)
  /// A valid path to the pinned certificates as anchors; without validation, a pinned certificate to
  /// which signatures lead.
  case pinCertificates(
    certificates: [Certificate], validateCertificateChain: Bool, validateHost: Bool)
  /// A pinned key: on a valid path, or anywhere that signatures lead to.
  case pinPublicKeys(publicKeys: [PublicKey], validateCertificateChain: Bool, validateHost: Bool)
  /// Everything is trusted.
  case disableEvaluation
  /// The answer of the caller's own function.
  case customEvaluation(@Sendable (ServerTrust, _ host: String) -> Bool)

  /// Whether the server is trusted: Alamofire's `evaluate(_:forHost:)`.
  public func evaluate(_ trust: ServerTrust, forHost host: String) -> Bool {
    do throws(TrustError) {
      _ = try evaluate(trust, for: host)
      return true
    } catch {
      return false
    }
  }
}

extension ServerTrustPolicy: TrustEvaluating {
  /// Returns why the server is trusted, or throws why it is not.
  public func evaluate(
    _ trust: ServerTrust, for host: String
  ) throws(TrustError) -> Verdict {
    guard case .pinCertificates(let certificates, true, let validateHost) = self else {
      return try evaluator.verdict(on: trust, for: host)
    }
    let purpose = validateHost ? try Purpose.server(named: host) : .anyServer
    do throws(PathError) {
      let path = try trust.validate(for: purpose, anchors: AnchorSet(certificates))
      return Verdict(
        .validPath, path: path, host: host, fingerprint: fingerprint, hazards: hazards)
    } catch {
      throw TrustError(error, host: host)
    }
  }

  /// The evaluator of Alamofire 5 that does the same; for certificates with validation, one that
  /// does nearly the same.
  private var evaluator: any TrustEvaluating {
    switch self {
    case .performDefaultEvaluation(let validateHost):
      DefaultEvaluator(validateHost: validateHost)
    case .performRevokedEvaluation(let validateHost, let options):
      RevocationEvaluator(validateHost: validateHost, options: options)
    case .pinCertificates(let certificates, let validates, let validateHost):
      PinnedCertificatesEvaluator(
        certificates: certificates, acceptSelfSignedCertificates: validates,
        performDefaultValidation: validates, validateHost: validates && validateHost)
    case .pinPublicKeys(let keys, let validates, let validateHost):
      PublicKeysEvaluator(
        keys: keys, performDefaultValidation: validates,
        validateHost: validates && validateHost)
    case .disableEvaluation: DisabledEvaluator()
    case .customEvaluation(let isTrusted): Asking(isTrusted: isTrusted)
    }
  }

  /// That of the evaluator that does the same, marked as of this kind.
  public var fingerprint: PolicyFingerprint? {
    evaluator.fingerprint.map { PolicyFingerprint(kind: "Alamofire 4", [$0.octets]) }
  }

  /// What is not checked.
  public var hazards: [Hazard] { evaluator.hazards }

  /// The caller's own function as an evaluator.
  private struct Asking: TrustEvaluating {
    let isTrusted: @Sendable (ServerTrust, _ host: String) -> Bool

    func evaluate(_ trust: ServerTrust, for host: String) throws(TrustError) -> Verdict {
      guard isTrusted(trust, host) else { throw .customEvaluationFailed(Refused()) }
      return Verdict(
        .custom("the caller's own evaluation"), certificates: [trust.leaf], host: host,
        fingerprint: nil, hazards: [], at: trust.time)
    }
  }

  /// What a function of the caller's refuses.
  private struct Refused: Error, CustomStringConvertible {
    var description: String { "the caller's own evaluation refuses the server" }
  }
}
