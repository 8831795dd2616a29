public import HoldfastCertificates

/// A path that was found valid: a proof, which only a `PathValidator` can make.
public struct ValidatedPath: Sendable {
  /// The certificates, the leaf first; the anchor's own is not among them.
  public let certificates: [Certificate]

  /// The policies for which the path is valid, or nil for any: user-constrained-policy-set.
  /// RFC 5280 §6.1.6.
  public let policies: [OID]?

  init(certificates: [Certificate], policies: [OID]?) {
    self.certificates = certificates
    self.policies = policies
  }
}
