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

  /// Creates a validator.
  ///
  /// - Parameter cache: Where verified signatures are cached, or nil to verify all of them each
  ///   time. Validators may share one.
  /// - Parameter revocation: Revocation data for validations that bring none of their own; nil not
  ///   to check revocation.
  public init(
    anchors: AnchorSet, rules: ValidationRules = .webPKI, limits: Limits = .default,
    cache: SignatureCache? = SignatureCache(), revocation: Revocation? = nil
  ) {
    configuration = Configuration(
      anchors: anchors, rules: rules, limits: limits, cache: cache, revocation: revocation,
      demands: Demand.all())
  }

  /// Returns this validator with other anchors.
  package func with(_ anchors: AnchorSet) -> PathValidator {
    PathValidator(configuration.with(anchors: anchors, revocation: revocation))
  }

  /// Returns this validator with other revocation data, nil for none.
  package func with(revocation: Revocation?) -> PathValidator {
    PathValidator(configuration.with(revocation: revocation))
  }

  /// Returns this validator with other demands.
  package func with(_ demands: [Demand]) -> PathValidator {
    PathValidator(configuration.with(demands: demands, revocation: revocation))
  }

  private init(_ configuration: Configuration) { self.configuration = configuration }

  /// Returns the first path from the leaf of a chain to an anchor that satisfies every rule.
  ///
  /// - Parameter chain: The certificates as they were sent, the leaf first, the others in any
  ///   order. None of them is trusted. An empty chain is an error.
  /// - Parameter revocation: Revocation data to use instead of the validator's. What a handshake
  ///   tells, such as the server's stapled OCSP response, is added to it: `.handshake(staple:)`.
  public func validate(
    _ chain: [Certificate], for purpose: Purpose, at time: Timestamp = .now,
    revocation: Revocation? = nil
  ) throws(PathError) -> ValidatedPath {
    try validate(Question(chain, for: purpose, at: time, revocation: revocation))
  }

  /// Returns the first path from the leaf of the chain to an anchor that satisfies every rule.
  public func validate(_ question: Question) throws(PathError) -> ValidatedPath {
    try validate(question) { (_, _, _, _) in }
  }

  /// Returns the first path that satisfies every rule, and then a demand of the caller's.
  ///
  /// Any valid path counts: if the caller rejects the first, the search continues.
  ///
  /// - Parameter demand: Asked of each path that satisfies the validator's demands.
  package func validate(
    _ question: Question, demanding demand: Demand.Check
  ) throws(PathError) -> ValidatedPath {
    let time = question.time ?? .now
    guard !question.chain.isEmpty else {
      throw PathError(.emptyChain, for: question.purpose, at: time)
    }
    var builder = PathBuilder(
      question, at: time, configuration.adding(question.revocation), Budget(limits))
    while var found = builder.next(question) {
      configuration.cache?.insert(builder.verification.newEntries)
      if builder.satisfies(demand, &found, question) { return found.takePath() }
    }
    throw builder.failure(question, atMost: 2 * Attempts.maximum)
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
  public func diagnose(
    _ chain: [Certificate], for purpose: Purpose, at time: Timestamp = .now,
    revocation: Revocation? = nil
  ) -> Diagnosis {
    diagnose(Question(chain, for: purpose, at: time, revocation: revocation))
  }

  /// Tries all paths to their end, and reports every rule that each breaks.
  public func diagnose(_ question: Question) -> Diagnosis {
    let time = question.time ?? .now
    guard !question.chain.isEmpty else {
      return Diagnosis(
        path: nil, failure: PathError(.emptyChain, for: question.purpose, at: time))
    }
    var builder = PathBuilder(
      question, at: time, configuration.adding(question.revocation), Budget(limits))
    guard let path = builder.next(question)?.path else {
      return Diagnosis(path: nil, failure: builder.failure(question, atMost: .max))
    }
    configuration.cache?.insert(builder.verification.newEntries)
    builder.gather(question)
    return Diagnosis(path: path, failure: builder.failure())
  }

  /// A path is valid for a purpose, and a server is one.
  @available(*, unavailable, message: "use validate(chain, for: .server(host))")
  public func validate(
    _ chain: [Certificate], host: String
  ) throws(PathError) -> ValidatedPath {
    try validate(chain, for: .server(host))
  }

  /// The certificates that were parsed before; nil without a cache.
  package var certificatePool: CertificatePool? { configuration.cache?.certificates }

  /// Whether a signature verifies under an issuer's key and the rules accept both. Nothing else is
  /// checked; what was verified before is not verified again.
  package func acceptsSignature(
    on child: Certificate, by issuer: Certificate, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    let key = issuer.publicKey
    guard configuration.signatures.accepts(child.signatureAlgorithm),
      configuration.signatures.accepts(key),
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
  /// What is accepted on a path to any of the anchors.
  let signatures: ValidationRules.Signatures
  let limits: Limits
  let cache: SignatureCache?
  let revocation: Revocation?
  /// What a path that was found must satisfy, in this order.
  let demands: [Demand]
  /// Whether the profile has requirements on issuance, and the demands ask for them.
  let checksProfile: Bool

  init(
    anchors: AnchorSet, rules: ValidationRules, limits: Limits = .default,
    cache: SignatureCache? = nil, revocation: Revocation? = nil, demands: [Demand]
  ) {
    self.anchors = anchors
    self.rules = rules
    signatures = rules.signatures.below(publicAnchors: anchors.arePublic)
    self.limits = limits
    self.cache = cache
    self.revocation = revocation
    self.demands = demands
    checksProfile = rules.profile >= .rfc5280 && demands.contains { $0.isProfile }
  }

  /// Returns the configuration with this revocation data, and with other anchors, rules or demands if
  /// given.
  func with(
    anchors: AnchorSet? = nil, rules: ValidationRules? = nil, demands: [Demand]? = nil,
    revocation: Revocation?
  ) -> Configuration {
    Configuration(
      anchors: anchors ?? self.anchors, rules: rules ?? self.rules, limits: limits, cache: cache,
      revocation: revocation, demands: demands ?? self.demands)
  }

  /// Returns the configuration with this revocation data in addition, if there is any.
  func adding(_ revocation: Revocation?) -> Configuration {
    guard let revocation else { return self }
    return with(revocation: revocation.added(to: self.revocation))
  }
}

/// Results that are stored in the cache only once a path is accepted as a whole.
struct NewEntries {
  /// Signatures that verified, with what is kept of them.
  var signatures: [(SignatureCache.VerifiedSignature, SignatureCache.Known)] = []
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
