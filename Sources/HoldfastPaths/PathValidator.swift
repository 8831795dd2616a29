public import HoldfastCertificates

/// Finds a path from a certificate to an anchor and validates it by RFC 5280 §6.
///
/// Create a validator once and use it from any number of threads. Each `validate`:
/// 1. checks the leaf by itself: validity, purpose, name, critical extensions;
/// 2. searches for issuers by name, most likely first, and checks each by itself before continuing
///    with it;
/// 3. once a path has reached an anchor, verifies the signatures, then processes the path from the
///    anchor down as in RFC 5280 §6.1: names, policies, path length.
///
/// It does not fetch anything, and checks revocation only if it is given a `Revocation`.
public struct PathValidator: Sendable {
  let configuration: Configuration

  /// The trust anchors.
  public var anchors: AnchorSet { configuration.anchors }
  /// The rules of validation.
  public var rules: ValidationRules { configuration.rules }
  /// The limits on the work of one validation.
  public var limits: Limits { configuration.limits }
  /// The revocation data, if any.
  package var revocation: Revocation? { configuration.revocation }

  /// Creates a validator that checks these requirements on issuance: `HoldfastRequirements` has the
  /// initializer for everybody, which passes all of them.
  package init(
    anchors: AnchorSet, rules: ValidationRules, limits: Limits, cache: SignatureCache?,
    revocation: Revocation?, issuance: IssuanceChecks
  ) {
    configuration = Configuration(
      anchors: anchors, rules: rules, limits: limits, cache: cache, revocation: revocation,
      issuance: issuance)
  }

  /// Returns this validator with other anchors.
  package func with(_ anchors: AnchorSet) -> PathValidator {
    PathValidator(configuration.with(anchors: anchors, revocation: revocation))
  }

  /// Returns this validator with other revocation data, nil for none.
  package func with(revocation: Revocation?) -> PathValidator {
    PathValidator(configuration.with(revocation: revocation))
  }

  private init(_ configuration: Configuration) { self.configuration = configuration }

  /// Returns the first path from the leaf of a chain to an anchor that satisfies every rule.
  ///
  /// - Parameter chain: The certificates as they were sent, the leaf first, the others in any
  ///   order. None of them is trusted. An empty chain is an error.
  /// - Parameter revocation: Revocation data to use instead of the validator's. What a handshake
  ///   tells, such as the server's stapled OCSP response, is added to it: `.handshake(staple:)`.
  /// - Parameter unreadable: What was sent and cannot be read. It changes no verdict, only reasons.
  public func validate(
    _ chain: [Certificate], for purpose: Purpose, at time: Timestamp = .now,
    revocation: Revocation? = nil, unreadable: [UnreadableCertificate] = []
  ) throws(PathError) -> ValidatedPath {
    try validate(
      chain, for: purpose, at: time, revocation: revocation, unreadable: unreadable,
      unless: { _ in nil })
  }

  /// Returns the first path that satisfies every rule and that the caller accepts.
  ///
  /// Any valid path counts: if the caller rejects the first, the search continues. The caller's
  /// reason is reported as `Rule.veto`.
  ///
  /// - Parameter logTimes: Who knows when logs saw the leaf, which root programs may ask; nil if
  ///   they are not known.
  package func validate(
    _ chain: [Certificate], for purpose: Purpose, at time: Timestamp,
    revocation: Revocation? = nil, unreadable: [UnreadableCertificate] = [],
    logTimes: LogTimes? = nil, unless objection: (ValidatedPath) -> String?
  ) throws(PathError) -> ValidatedPath {
    guard !chain.isEmpty else { throw PathError(.emptyChain, for: purpose, at: time) }
    let purposes = purpose.acceptsOneUsage ? purpose.alternatives(for: chain[0]) : []
    var builder = PathBuilder(
      chain, purposes.first ?? purpose, time, configuration.adding(revocation), Budget(limits),
      logTimes: logTimes)
    if let path = firstPath(of: &builder, unless: objection) { return path }
    // A peer has a search for each usage, in one budget; the reasons are those of the first.
    for other in purposes.dropFirst() {
      var search = PathBuilder(
        chain, other, time, configuration.adding(revocation), builder.budget, logTimes: logTimes)
      if let path = firstPath(of: &search, unless: objection) { return path }
      builder.budget = search.budget
    }
    throw builder.failure(unreadable, atMost: 2 * Attempts.maximum)
  }

  /// Returns the first path of a search that the caller accepts.
  private func firstPath(
    of builder: inout PathBuilder, unless objection: (ValidatedPath) -> String?
  ) -> ValidatedPath? {
    while let path = builder.next() {
      configuration.cache?.insert(builder.verification.newEntries)
      guard let reason = objection(path) else { return path }
      builder.reject(path, Violation(.veto, .text(reason)))
    }
    return nil
  }

  /// Tries all paths to their end, and reports every rule that each breaks.
  ///
  /// Validates, and throws nothing: `error` is what `validate` would have thrown. In contrast to
  /// `validate`, it goes on after the first valid path.
  ///
  /// - Parameters:
  ///   - chain: The certificates as they were sent, the leaf first, the others in any order.
  ///     Without any, the diagnosis has only an error.
  ///   - revocation: Revocation data to use instead of the validator's, as for `validate`.
  ///   - unreadable: What was sent and cannot be read.
  public func diagnose(
    _ chain: [Certificate], for purpose: Purpose, at time: Timestamp = .now,
    revocation: Revocation? = nil, unreadable: [UnreadableCertificate] = []
  ) -> Diagnosis {
    diagnose(
      chain, for: purpose, at: time, revocation: revocation, unreadable: unreadable, logTimes: nil)
  }

  /// Tries all paths to their end, and asks when logs saw the leaf if a root program does.
  package func diagnose(
    _ chain: [Certificate], for purpose: Purpose, at time: Timestamp, revocation: Revocation?,
    unreadable: [UnreadableCertificate] = [], logTimes: LogTimes?
  ) -> Diagnosis {
    guard !chain.isEmpty else {
      return Diagnosis(nil, PathError(.emptyChain, for: purpose, at: time))
    }
    let purposes = purpose.acceptsOneUsage ? purpose.alternatives(for: chain[0]) : []
    var builder = PathBuilder(
      chain, purposes.first ?? purpose, time, configuration.adding(revocation), Budget(limits),
      logTimes: logTimes)
    var path = builder.next()
    for other in purposes.dropFirst() where path == nil {
      var search = PathBuilder(
        chain, other, time, configuration.adding(revocation), builder.budget, logTimes: logTimes)
      path = search.next()
      if path == nil { builder.budget = search.budget } else { builder = search }
    }
    guard let path else { return Diagnosis(nil, builder.failure(unreadable, atMost: .max)) }
    configuration.cache?.insert(builder.verification.newEntries)
    builder.gather()
    return Diagnosis(path, builder.failure())
  }
}

extension PathValidator {
  /// Whether a signature verifies under an issuer's key and the rules accept both. Nothing else is
  /// checked; what was verified before is not verified again.
  package func acceptsSignature(
    on child: Certificate, by issuer: Certificate, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    let key = issuer.publicKey
    guard rules.signatures.accepts(child.signatureAlgorithm), rules.signatures.accepts(key),
      let scheme = child.signatureScheme, key.verifies(scheme)
    else { return false }
    // Charged before the look-up, so that no result depends on what was validated earlier.
    try budget.spendPublicKeyOperation(SignatureChecks.work(under: key))
    return [false, true].contains { coversOwnKey in
      configuration.cache?.contains(.init(child, under: key.der, coversOwnKey: coversOwnKey))
        ?? false
    } || child.isSigned(by: issuer)
  }
}

/// The state that all validations of one validator share.
final class Configuration: Sendable {
  let anchors: AnchorSet
  let rules: ValidationRules
  let limits: Limits
  let cache: SignatureCache?
  let revocation: Revocation?
  /// The requirements on issuance; nil if the path is that of a signer of CRLs or OCSP responses,
  /// which need not follow them, nor what root programs demand.
  let issuance: IssuanceChecks?

  init(
    anchors: AnchorSet, rules: ValidationRules, limits: Limits = .default,
    cache: SignatureCache? = nil, revocation: Revocation? = nil, issuance: IssuanceChecks?
  ) {
    self.anchors = anchors
    self.rules = rules
    self.limits = limits
    self.cache = cache
    self.revocation = revocation
    self.issuance = issuance
  }

  /// Returns the configuration with this revocation data, and with other anchors or rules if given.
  func with(
    anchors: AnchorSet? = nil, rules: ValidationRules? = nil, revocation: Revocation?
  ) -> Configuration {
    Configuration(
      anchors: anchors ?? self.anchors, rules: rules ?? self.rules, limits: limits, cache: cache,
      revocation: revocation, issuance: issuance)
  }

  /// Returns the configuration with this revocation data in addition, if there is any.
  func adding(_ revocation: Revocation?) -> Configuration {
    guard let revocation else { return self }
    return with(revocation: revocation.added(to: self.revocation))
  }
}

/// Results that are stored in the cache only once a path is accepted as a whole.
struct NewEntries {
  /// Signatures that verified.
  var signatures: [SignatureCache.VerifiedSignature] = []
  /// The keys that verified them.
  var keys: [PreparedKey] = []

  /// Adds the results of another check.
  mutating func add(_ other: NewEntries) {
    signatures += other.signatures
    keys += other.keys
  }
}

extension PathValidator: CustomStringConvertible {
  /// The anchors: `139 anchors`.
  public var description: String { "\(anchors)" }
}
