public import HoldfastCertificates
public import HoldfastPaths

extension PathValidator {
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
    self.init(
      anchors: anchors, rules: rules, limits: limits, cache: cache, revocation: revocation,
      issuance: .all)
  }

  /// A path is valid for a purpose, and a server is one.
  @available(*, unavailable, message: "use validate(chain, for: .server(host))")
  public func validate(
    _ chain: [Certificate], host: String
  ) throws(PathError) -> ValidatedPath {
    try validate(chain, for: .server(host))
  }
}

extension IssuanceChecks {
  /// The checks of all requirements.
  fileprivate static let all = IssuanceChecks(
    profile: { certificate, kind, profile in
      Requirement.profile.lazy.filter { $0.kinds.contains(kind) && $0.isIn(profile) }
        .flatMap { $0.violations(by: certificate) }
    },
    link: { certificate, issuer, profile in
      Requirement.links.lazy.filter { $0.isIn(profile) }
        .flatMap { $0.violations(by: certificate, below: issuer) }
    },
    schedule: { leaf in
      Requirement.schedule.lazy.filter { $0.applies(toIssuanceAt: leaf.notBefore) }
        .flatMap { $0.violations(by: leaf) }
    })
}
