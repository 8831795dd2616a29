internal import HoldfastCertificates

/// A manager where an evaluator is asked for: in a composite, perhaps, or below Alamofire's manager.
///
/// The anchors and the rules are the manager's own, not those of the question. A `PinningError` comes
/// out of `verdict(on:for:)` as `TrustError.customEvaluationFailed`. A verdict outlasts its connection
/// only as far as `PinVerdict` says, so keep that one where sessions are resumed.
extension TrustManager: TrustEvaluating {
  /// Decides about what a server has shown, at the time of the question.
  public func evaluate(_ trust: ServerTrust, for host: String) throws -> Verdict {
    let verdict = try evaluate(
      trust.chain, host: host, at: trust.time, revocation: trust.revocation)
    return Verdict(
      ground(of: verdict), path: verdict.path, host: host, fingerprint: fingerprint,
      hazards: verdict.hazards)
  }

  private func ground(of verdict: PinVerdict) -> Verdict.Ground {
    guard case .matched(let match) = verdict.pinning, let pin = match.pin,
      match.index < verdict.path.certificates.count
    else { return .validPath }
    let certificate = verdict.path.certificates[match.index]
    return pin.pin.subject == .certificate
      ? .pinnedCertificate(certificate) : .pinnedKey(certificate)
  }

  /// What tells this manager from others; nil if some pins expire or begin to count one day, for then
  /// its answers depend on more than the certificates.
  public var fingerprint: PolicyFingerprint? {
    let depends = pins.entries.contains { $0.pins?.expiry != nil || $0.pins?.enforcedFrom != nil }
    return depends ? nil : ownFingerprint
  }

  /// What some entries leave unchecked.
  public var hazards: [Hazard] {
    let sets = pins.entries.compactMap(\.pins)
    var hazards: [Hazard] = []
    if sets.contains(where: { $0.mode == .reportOnly || $0.expiry?.action == .failOpen }) {
      hazards.append(.pinsAreIgnored)
    }
    if sets.contains(where: { $0.anchoring == .pinsOnly }) { hazards.append(.onlyPinsAreAnchors) }
    return hazards
  }
}

extension PinVerdict {
  fileprivate var hazards: [Hazard] {
    switch pinning {
    case .reported, .notPinned(.expired): [.pinsAreIgnored]
    default: []
    }
  }
}
