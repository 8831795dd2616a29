package import HoldfastCertificates

/// The requirements on how certificates are issued, beyond RFC 5280 §6.1: those of a profile and of
/// the schedule.
///
/// `HoldfastRequirements` has them, and creates validators with this value. Each function returns all
/// violations, in the order in which they are reported.
package final class IssuanceChecks: Sendable {
  package typealias Profile = ValidationRules.Profile

  /// Returns what a certificate of a kind breaks by itself.
  let profile: @Sendable (Certificate, CertificateKinds, Profile) -> [Violation]
  /// Returns what a certificate breaks beside its issuer.
  let link: @Sendable (Certificate, IssuerOnPath, Profile) -> [Violation]
  /// Returns what the certificate of a server breaks of what counted when it was issued.
  let schedule: @Sendable (Certificate) -> [Violation]

  package init(
    profile: @escaping @Sendable (Certificate, CertificateKinds, Profile) -> [Violation],
    link: @escaping @Sendable (Certificate, IssuerOnPath, Profile) -> [Violation],
    schedule: @escaping @Sendable (Certificate) -> [Violation]
  ) {
    self.profile = profile
    self.link = link
    self.schedule = schedule
  }
}

/// Kinds of certificates on a path.
package struct CertificateKinds: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The certificate of a server: the leaf, if that is the purpose.
  package static let server = CertificateKinds(rawValue: 1 << 0)
  /// The certificate of another end entity.
  package static let other = CertificateKinds(rawValue: 1 << 1)
  /// The certificate of a CA.
  package static let issuer = CertificateKinds(rawValue: 1 << 2)
  /// The certificate of an anchor.
  package static let anchor = CertificateKinds(rawValue: 1 << 3)

  package static let endEntity: CertificateKinds = [.server, .other]
  package static let authority: CertificateKinds = [.issuer, .anchor]
  package static let all: CertificateKinds = [.endEntity, .authority]
}

/// The issuer of a certificate on a path.
package struct IssuerOnPath {
  package let name: DistinguishedName
  package let publicKey: PublicKey
  /// Its certificate; nil for an anchor without one.
  package let certificate: Certificate?

  /// - Parameter certificate: The next on the path; nil if the anchor is the issuer.
  init(_ certificate: Certificate?, below anchor: TrustAnchor) {
    let own = certificate ?? anchor.certificate
    self.certificate = own
    name = own?.subject ?? anchor.name
    publicKey = own?.publicKey ?? anchor.publicKey
  }
}
