public import HoldfastCertificates

/// Finds a path from a certificate to an anchor and validates it by RFC 5280 §6.
///
/// It is a value that is made once and used by any number of threads. What it does, in order, for
/// each `validate`:
/// 1. checks the leaf by itself: validity, purpose, name, critical extensions;
/// 2. searches issuers by name, the most likely first, each checked by itself before the search
///    goes on;
/// 3. of a path that has reached an anchor, verifies the signatures, and then goes down the path as
///    RFC 5280 §6.1 has it: names, policies, path length.
///
/// It does not fetch anything, and does not ask for revocation unless it is given a `Revocation`.
public struct PathValidator: Sendable {
  let configuration: Configuration

  /// What is trusted.
  public var anchors: AnchorSet { configuration.anchors }
  /// How strict the validation is.
  public var rules: ValidationRules { configuration.rules }
  /// What a validation may cost.
  public var limits: Limits { configuration.limits }

  /// A validator.
  ///
  /// - Parameter memory: Where signatures that verified are kept, or nil to verify all each time.
  ///   Validators may share one.
  /// - Parameter revocation: What is known of revocations, for validations that bring nothing of
  ///   their own; nil to ask for none.
  public init(
    anchors: AnchorSet, rules: ValidationRules = .webPKI, limits: Limits = .default,
    memory: SignatureMemory? = SignatureMemory(), revocation: Revocation? = nil
  ) {
    configuration = Configuration(
      anchors: anchors, rules: rules, limits: limits, memory: memory, revocation: revocation)
  }

  /// Returns the first path from `leaf` to an anchor that keeps every rule.
  ///
  /// - Parameter intermediates: Certificates that the path may go through, in any order. None of
  ///   them is trusted. That the leaf is among them, as in a chain as it was sent, does no harm.
  /// - Parameter revocation: What is known of revocations, in place of what the validator has: the
  ///   answer that this server has stapled, perhaps.
  public func validate(
    _ leaf: Certificate, intermediates: [Certificate] = [], for purpose: Purpose,
    at time: Timestamp = .now, revocation: Revocation? = nil
  ) throws(PathError) -> ValidatedPath {
    try firstPath(leaf, intermediates, purpose, time, revocation) { _ in nil }
  }

  /// Returns the first path that keeps every rule and that the caller takes.
  ///
  /// Any valid path counts: if the first is not taken, the search goes on. What the caller says
  /// against a path comes out as `Rule.veto`.
  package func validate(
    _ leaf: Certificate, intermediates: [Certificate], for purpose: Purpose, at time: Timestamp,
    revocation: Revocation? = nil, unless objection: (ValidatedPath) -> String?
  ) throws(PathError) -> ValidatedPath {
    try firstPath(leaf, intermediates, purpose, time, revocation, unless: objection)
  }

  private func firstPath(
    _ leaf: Certificate, _ intermediates: [Certificate], _ purpose: Purpose, _ time: Timestamp,
    _ revocation: Revocation?, unless objection: (ValidatedPath) -> String?
  ) throws(PathError) -> ValidatedPath {
    if let error = purpose.nameError { throw PathError(leaf, purpose, time, error) }
    guard let revocation else {
      return try PathValidator.firstPath(
        leaf, intermediates, purpose, time, configuration, unless: objection)
    }
    return try PathValidator.firstPath(
      leaf, intermediates, purpose, time, configuration.with(revocation), unless: objection)
  }

  private static func firstPath(
    _ leaf: Certificate, _ intermediates: [Certificate], _ purpose: Purpose, _ time: Timestamp,
    _ configuration: Configuration, unless objection: (ValidatedPath) -> String?
  ) throws(PathError) -> ValidatedPath {
    var builder = PathBuilder(
      leaf, intermediates, purpose, time, configuration, budget: Budget(configuration.limits))
    do throws(Stop) {
      while let path = try builder.next() {
        guard let reason = objection(path) else { return path }
        builder.reject(path, Broken(.veto(reason)))
      }
    } catch {
      if case .exhausted(let limit) = error { throw PathError(builder, limit) }
    }
    throw PathError(builder)
  }
}
