/// Asks for a valid path to an anchor of the system: Alamofire's `DefaultTrustEvaluator`.
public struct DefaultEvaluator: TrustEvaluating, Hashable {
  /// Whether the certificate must be for the host.
  public var validateHost: Bool

  /// An evaluator that asks for a valid path.
  public init(validateHost: Bool = true) {
    self.validateHost = validateHost
  }

  /// Returns the valid path, or throws why there is none.
  public func evaluate(
    _ trust: ServerTrust, for host: String
  ) throws(TrustError) -> Verdict {
    let purpose = validateHost ? try Purpose.server(named: host) : .anyServer
    do throws(PathError) {
      let path = try trust.validate(for: purpose)
      return Verdict(
        .validPath, path: path, host: host, fingerprint: fingerprint, hazards: hazards)
    } catch {
      throw TrustError(error, host: host)
    }
  }

  /// By whether the host counts.
  public var fingerprint: PolicyFingerprint? {
    validateHost ? DefaultEvaluator.withHost : DefaultEvaluator.withoutHost
  }

  // Every answer has one, so they are made once.
  private static let withHost = PolicyFingerprint(kind: "default", [[1]])
  private static let withoutHost = PolicyFingerprint(kind: "default", [[0]])

  /// The host, if it is not asked for.
  public var hazards: [Hazard] { validateHost ? [] : [.hostIsNotChecked] }
}

/// Trusts every server, whoever it is: Alamofire's `DisabledTrustEvaluator`.
///
/// It is for tests against machines that nobody vouches for. The verdict says that nothing was
/// checked, in `hazards`; to accept a certificate of your own making use
/// `PinnedCertificatesEvaluator` with `acceptSelfSignedCertificates`.
public struct DisabledEvaluator: TrustEvaluating, Hashable {
  /// An evaluator that evaluates nothing.
  public init() {}

  /// Returns a verdict that says that nothing was checked.
  public func evaluate(_ trust: ServerTrust, for host: String) -> Verdict {
    Verdict(
      .disabled, certificates: [trust.leaf], host: host, fingerprint: fingerprint,
      hazards: hazards, at: trust.time)
  }

  /// Always the same.
  public var fingerprint: PolicyFingerprint? { PolicyFingerprint(kind: "disabled") }

  /// Everything.
  public var hazards: [Hazard] { [.everythingIsTrusted] }
}

/// Asks several evaluators, all of which must trust the server: Alamofire's
/// `CompositeTrustEvaluator`.
///
/// None of them can change what the next one sees, so their order decides only whose refusal is
/// reported.
public struct CompositeEvaluator: TrustEvaluating {
  /// The evaluators, in the order in which they are asked.
  public let evaluators: [any TrustEvaluating]

  /// An evaluator made of others. Without any it trusts every server, as Alamofire's does.
  public init(_ evaluators: [any TrustEvaluating]) {
    self.evaluators = evaluators
  }

  /// Returns what all of them have said, or throws the first refusal.
  public func evaluate(
    _ trust: ServerTrust, for host: String
  ) throws(TrustError) -> Verdict {
    var verdicts: [Verdict] = []
    for evaluator in evaluators { verdicts.append(try evaluator.verdict(on: trust, for: host)) }
    let best = verdicts.first { $0.path != nil } ?? verdicts.first
    return Verdict(
      .all(verdicts), host: host, fingerprint: fingerprint, path: best?.path,
      certificates: best?.certificates ?? [trust.leaf], hazards: hazards, time: trust.time,
      lifetime: CompositeEvaluator.lifetime(of: verdicts, at: trust.time))
  }

  /// The time for which all hold, and the time of the question in any case.
  private static func lifetime(
    of verdicts: [Verdict], at time: Timestamp
  ) -> ClosedRange<Timestamp>? {
    let all = verdicts.compactMap(\.lifetime)
    guard let first = all.map(\.lowerBound).max(), let last = all.map(\.upperBound).min() else {
      return nil
    }
    return min(first, time)...max(last, time)
  }

  /// Those of the evaluators, in any order; nil if one has none.
  public var fingerprint: PolicyFingerprint? {
    let all = evaluators.compactMap { $0.fingerprint?.octets }
    guard all.count == evaluators.count else { return nil }
    return PolicyFingerprint(
      kind: "all", all.sorted { $0.lexicographicallyPrecedes($1) })
  }

  /// What none of them checks.
  public var hazards: [Hazard] {
    guard let first = evaluators.first else { return [.everythingIsTrusted] }
    if evaluators.contains(where: { $0.hazards.contains(.everythingIsRefused) }) {
      return [.everythingIsRefused]
    }
    // Whoever trusts everything leaves the checks to the others.
    let others = evaluators.filter { !$0.hazards.contains(.everythingIsTrusted) }
    guard let checker = others.first else { return first.hazards }
    return checker.hazards.filter { hazard in
      others.allSatisfy { $0.hazards.contains(hazard) }
    }
  }
}
