public import HoldfastCertificates

/// A rule that a path can break: the closed list of what this library enforces.
///
/// Printed as a table, `Rule.all` is what the library claims to conform to. The values that a case
/// carries are what was found, or what was asked for; the words are in its `description`.
@nonexhaustive
public enum Rule: Sendable, Hashable {
  // The search.

  /// There is no certificate and no anchor with the issuer's name.
  case issuerNotFound
  /// The path ends with a self-issued certificate that is no anchor.
  case untrustedRoot

  // RFC 5280 §6.1.3 (a).

  /// The signature does not verify under the issuer's key.
  case signature
  /// The signature algorithm is not known here, or has parameters that it cannot have.
  case unsupportedAlgorithm
  /// The issuer's key is not known here, cannot be a key, or is of another kind than the signature.
  case unsupportedKey
  /// The algorithm inside what is signed is not the one beside the signature.
  case algorithmsDiffer
  /// The digest inside the signature is not allowed.
  case weakDigest(HashAlgorithm)
  /// The key cannot be one of its kind: an RSA modulus or exponent that is even, an exponent of 1,
  /// octets of another length, a point that is not on the curve or of small order.
  case impossibleKey
  /// The RSA key has fewer bits than allowed.
  case weakKey(bits: Int, minimum: Int)
  /// The number of bits of the RSA key is no multiple of 8.
  case unevenKey(bits: Int)
  /// The RSA key has more bits than allowed.
  case oversizedKey(bits: Int, maximum: Int)
  /// The key's curve is not allowed.
  case curveNotAllowed(NamedCurve)
  /// The kind of the key or of the signature is not allowed.
  case algorithmNotAllowed
  /// The time of validation is before this one.
  case notYetValid(Timestamp)
  /// The time of validation is after this one.
  case expired(Timestamp)
  /// The certificate is valid for longer than allowed.
  case validityTooLong(seconds: Int64, limit: Int64)
  /// The certificate is revoked: when, why, and who says so.
  indirect case revoked(CertificateRevocation)
  /// Nothing tells whether the certificate is revoked: why what was given does not.
  indirect case revocationUnknown(CertificateRevocation)
  /// No certificate has the issuer's name, though one that was given has the issuer's key
  /// identifier.
  case nameChaining

  // RFC 5280 §6.1.3 (b), (c): name constraints.

  /// A name lies outside of every permitted subtree of its form.
  indirect case nameNotPermitted(GeneralName)
  /// A name lies inside an excluded subtree.
  indirect case nameExcluded(GeneralName)
  /// A constraint has a form or a range that cannot be applied to the name that is there.
  case constraintUnsupported
  /// A constraint is not written as its form asks.
  case constraintMalformed
  /// An issuer has more subtrees of names than this.
  case constraintsTooMany(limit: Int)
  /// A name that is constrained cannot be read as its form asks.
  indirect case nameMalformed(GeneralName)

  // RFC 5280 §6.1.3 (d)–(f), as RFC 9618 has them.

  /// A policy is required, and none that is acceptable is left.
  case policyRequired
  /// A mapping from or to anyPolicy.
  case mappingOfAnyPolicy

  // RFC 5280 §6.1.4 (k)–(o).

  /// An issuer's certificate is not of version 3.
  case issuerVersion(Int)
  /// An issuer's certificate has no basic constraints.
  case basicConstraintsMissing
  /// An issuer's certificate says that it is not one of an authority.
  case notAuthority
  /// More intermediate certificates follow than this.
  case pathLength(Int)
  /// The key may not be used for this.
  case keyUsage(KeyUsage)
  /// A critical extension that is not known here.
  case unknownCriticalExtension(OID)

  // The purpose.

  /// The extended key usage does not have this purpose.
  case extendedKeyUsage(OID)
  /// There is no extended key usage where the rules ask for one.
  case extendedKeyUsageMissing
  /// The extended key usage has anyExtendedKeyUsage only, which the rules do not take.
  case extendedKeyUsageAny
  /// None of the names is the host that was asked for.
  case hostName
  /// There are no names that a host could be among.
  case noHostNames
  /// None of the names is the e-mail address that was asked for.
  case emailAddress
  /// The certificate to validate is one of an authority.
  case leafIsAuthority
  /// The certificate to validate is itself an anchor, which the rules do not take.
  case leafIsAnchor

  // What RFC 5280 §4 and the Baseline Requirements ask of whoever issues.

  /// The certificate is not of version 3.
  case version(Int)
  /// The extension must not be critical.
  case extensionCritical(OID)
  /// The extension must be critical.
  case extensionNotCritical(OID)
  /// The extension must be there.
  case extensionMissing(OID)
  /// The extension must not be in a certificate of this kind.
  case extensionMisplaced(OID)
  /// The extension does not say what it must say, or says what it must not.
  case extensionValue(OID)
  /// The issuer has no name.
  case emptyIssuer
  /// The subject has no name, and no alternative that may stand for it.
  case emptySubject
  /// keyCertSign without basic constraints of an authority.
  case certSignWithoutAuthority
  /// The common name is not one of the alternative names, letter by letter.
  case commonName
  /// A wildcard would stand for the host, but covers more names than the rules allow.
  case wildcardTooWide
  /// An oddity of the encoding that the rules do not take.
  case encoding(Finding)

  // The caller.

  /// The caller's own words about the whole path.
  case veto(String)
}

/// A rule and the certificate that broke it, as what checks throw.
package struct Broken: Error, Sendable, Hashable {
  /// The rule.
  package let rule: Rule
  /// The octets of the certificate that broke it, if they can be told.
  package let octets: Range<Int>?
  /// Which certificate of the path, 0 for the leaf. Checks leave it to the search.
  package var index: Int

  package init(_ rule: Rule, _ octets: Range<Int>? = nil, index: Int = 0) {
    self.rule = rule
    self.octets = octets
    self.index = index
  }
}

/// Why a check ends: the path is wrong, or the whole search has cost too much.
package enum Stop: Error, Sendable, Hashable {
  case broken(Broken)
  case exhausted(Exhausted)

  /// A broken rule, and the octets that broke it.
  package init(_ rule: Rule, _ octets: Range<Int>? = nil) {
    self = .broken(Broken(rule, octets))
  }
}
