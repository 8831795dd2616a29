package import HoldfastCertificates

/// Asks whether the certificates of a path are revoked. RFC 5280 §6.1.3 (a)(3).
///
/// It is asked once for each certificate of a path that has kept every other rule, from the leaf
/// up, and pays from the same budget.
package struct RevocationChecker: Sendable {
  /// One certificate and who issued it.
  package struct Question: Sendable {
    /// The certificate.
    package let certificate: Certificate
    /// The issuer's name.
    package let issuerName: DistinguishedName
    /// The issuer's key.
    package let issuerKey: PublicKey
    /// The issuer's certificate, unless that is an anchor without one.
    package let issuer: Certificate?
    /// Whether the certificate is the leaf.
    package let isLeaf: Bool
    /// The time of validation.
    package let time: Timestamp
  }

  /// Throws the rule that the certificate breaks.
  package let check: @Sendable (Question, inout Budget) throws(Stop) -> Void

  /// A checker from a function.
  package init(_ check: @escaping @Sendable (Question, inout Budget) throws(Stop) -> Void) {
    self.check = check
  }
}
