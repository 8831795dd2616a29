public import Holdfast

/// Alamofire's dot syntax: `["example.com": .pinnedCertificates(certificates: …)]`.
extension ServerTrustEvaluating where Self == DefaultTrustEvaluator {
  /// A `DefaultTrustEvaluator`.
  public static var `default`: Self { Self() }
  /// A `DefaultTrustEvaluator`.
  public static func `default`(validateHost: Bool) -> Self { Self(validateHost: validateHost) }
}

extension ServerTrustEvaluating where Self == RevocationTrustEvaluator {
  /// A `RevocationTrustEvaluator`.
  public static var revocationChecking: Self { Self() }
  /// A `RevocationTrustEvaluator`.
  public static func revocationChecking(
    performDefaultValidation: Bool = true, validateHost: Bool = true,
    options: RevocationTrustEvaluator.Options = .any
  ) -> Self {
    Self(
      performDefaultValidation: performDefaultValidation, validateHost: validateHost,
      options: options)
  }
}

extension ServerTrustEvaluating where Self == PinnedCertificatesTrustEvaluator {
  /// A `PinnedCertificatesTrustEvaluator`.
  public static func pinnedCertificates(
    certificates: [Certificate], acceptSelfSignedCertificates: Bool = false,
    performDefaultValidation: Bool = true, validateHost: Bool = true
  ) -> Self {
    Self(
      certificates: certificates, acceptSelfSignedCertificates: acceptSelfSignedCertificates,
      performDefaultValidation: performDefaultValidation, validateHost: validateHost)
  }
}

extension ServerTrustEvaluating where Self == PublicKeysTrustEvaluator {
  /// A `PublicKeysTrustEvaluator`.
  public static func publicKeys(
    keys: [PublicKey], performDefaultValidation: Bool = true, validateHost: Bool = true
  ) -> Self {
    Self(
      keys: keys, performDefaultValidation: performDefaultValidation, validateHost: validateHost)
  }
}

extension ServerTrustEvaluating where Self == DisabledTrustEvaluator {
  /// A `DisabledTrustEvaluator`.
  public static var disabled: Self { Self() }
}

extension ServerTrustEvaluating where Self == CompositeTrustEvaluator {
  /// A `CompositeTrustEvaluator`.
  public static func composite(evaluators: [any ServerTrustEvaluating]) -> Self {
    Self(evaluators: evaluators)
  }
  /// A `CompositeTrustEvaluator`.
  public static func composite(_ evaluators: any ServerTrustEvaluating...) -> Self {
    Self(evaluators: evaluators)
  }
}
