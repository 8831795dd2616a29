/// A server was trusted: as whom, by which policy, why and for how long.
///
/// A TLS session that is resumed shows no certificates (RFC 8446 §2.2), so nobody evaluates
/// anything then. Keep the verdict with the session, and ask `isStillValid(for:under:at:)` before
/// it is resumed.
public struct Verdict: Sendable {
  /// The host that was asked for, in the form in which hosts are compared if it is one; nil if the
  /// policy was asked without.
  public let host: String?

  /// Which policy has said so; nil if it cannot be told from others.
  public let fingerprint: PolicyFingerprint?

  /// Why the server is trusted.
  public let ground: Ground

  /// The valid path to an anchor; nil if none was asked for.
  public let path: ValidatedPath?

  /// The certificates that the verdict rests on, the leaf first: those of the path, or, where none
  /// was validated, those that signatures lead to.
  public let certificates: [Certificate]

  /// What was not checked.
  public let hazards: [Hazard]

  /// The time that was asked for.
  public let time: Timestamp

  /// From when to when the same answer would be given; nil if time has no part in it.
  public let lifetime: ClosedRange<Timestamp>?

  /// Why a server is trusted.
  @nonexhaustive
  public enum Ground: Sendable {
    /// There is a valid path to an anchor, and nothing else was asked.
    case validPath
    /// This certificate of the path is pinned.
    case pinnedCertificate(Certificate)
    /// The key of this certificate of the path is pinned.
    case pinnedKey(Certificate)
    /// What a `TrustManager` has said.
    case pins(PinVerdict)
    /// Everything is trusted.
    case disabled
    /// Every one of several evaluators trusts it.
    case all([Verdict])
    /// The words of somebody's own evaluator.
    case custom(String)
  }

  /// A verdict that rests on a valid path.
  ///
  /// - Parameter host: The host, if the policy was asked for one.
  public init(
    _ ground: Ground, path: ValidatedPath, host: String?, fingerprint: PolicyFingerprint?,
    hazards: [Hazard] = []
  ) {
    self.init(
      ground, host: host, fingerprint: fingerprint, path: path, certificates: path.certificates,
      hazards: hazards, time: path.time, lifetime: path.lifetime)
  }

  /// A verdict for which no path was validated.
  public init(
    _ ground: Ground, certificates: [Certificate], host: String?,
    fingerprint: PolicyFingerprint?, hazards: [Hazard], at time: Timestamp
  ) {
    self.init(
      ground, host: host, fingerprint: fingerprint, path: nil, certificates: certificates,
      hazards: hazards, time: time, lifetime: nil)
  }

  init(
    _ ground: Ground, host: String?, fingerprint: PolicyFingerprint?, path: ValidatedPath?,
    certificates: [Certificate], hazards: [Hazard], time: Timestamp,
    lifetime: ClosedRange<Timestamp>?
  ) {
    self.ground = ground
    self.host = host.map { Verdict.canonical($0) ?? $0 }
    self.fingerprint = fingerprint
    self.path = path
    self.certificates = certificates
    self.hazards = hazards
    self.time = time
    self.lifetime = lifetime
  }
}

extension Verdict {
  /// Whether the policy would say the same of the same certificates: for a session that is resumed,
  /// or a connection that is used again.
  ///
  /// It does not hold for another host, for a policy that has changed, or beyond the validity of the
  /// certificates; with revocation it holds for no other moment than its own. Anchors and rules are
  /// not part of the policy: with others, ask again.
  public func isStillValid(
    for host: String?, under policy: any TrustEvaluating, at time: Timestamp = .now
  ) -> Bool {
    guard let fingerprint, fingerprint == policy.fingerprint else { return false }
    if let lifetime, !lifetime.contains(time) { return false }
    guard let host else { return self.host == nil }
    // What is no host is not the same as anything, itself included.
    guard let asked = Verdict.canonical(host) else { return false }
    return asked == self.host
  }

  /// The form in which hosts are compared; nil if the text is none.
  private static func canonical(_ host: String) -> String? {
    do throws(HostNameError) {
      return try HostName(host).description
    } catch {
      return nil
    }
  }
}

extension ValidatedPath {
  /// From when to when all of its certificates are valid; an anchor that was not current when the path
  /// was validated has no part in it. What is known of revocations may change at any time.
  var lifetime: ClosedRange<Timestamp> {
    guard revocation.isEmpty else { return time...time }
    var first = leaf.notBefore
    var last = leaf.notAfter
    for certificate in certificates.dropFirst() where certificate.isCurrent(at: time) {
      first = Swift.max(first, certificate.notBefore)
      last = Swift.min(last, certificate.notAfter)
    }
    // A leaf that is its own anchor need not be current, and the time itself is always inside.
    return Swift.min(first, time)...Swift.max(last, time)
  }
}
