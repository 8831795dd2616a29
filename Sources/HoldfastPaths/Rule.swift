internal import HoldfastCertificates

/// A rule that a path can break. The cases are all the rules that this library enforces.
///
/// A `Violation` adds what was found in a certificate. The name of a case is the rule's name in
/// JSON and in vector files.
@nonexhaustive
public enum Rule: String, Sendable, Hashable, CaseIterable {
  // The search.

  /// No certificate and no anchor has the issuer's name.
  case issuerNotFound
  /// The path ends with a self-issued certificate that is not an anchor.
  case untrustedRoot

  // RFC 5280 §6.1.3 (a).

  /// The signature does not verify under the issuer's key.
  case signature
  /// The signature algorithm is not supported, or its parameters are invalid.
  case unsupportedAlgorithm
  /// The issuer's key is not supported, or its kind does not match the signature.
  case unsupportedKey
  /// The field signatureAlgorithm differs from the signed field signature.
  case algorithmsDiffer
  /// The digest inside the signature is not allowed.
  case weakDigest
  /// The key is invalid for its kind: an even RSA modulus or exponent, an exponent of 1, a wrong
  /// length, a point that is not on the curve or of small order.
  case impossibleKey
  /// The RSA key has fewer bits than allowed.
  case weakKey
  /// The number of bits of the RSA key is not a multiple of 8.
  case unevenKey
  /// The RSA key has more bits than allowed.
  case oversizedKey
  /// The key's curve is not allowed.
  case curveNotAllowed
  /// The kind of the key or of the signature is not allowed.
  case algorithmNotAllowed
  /// The time of validation is before notBefore.
  case notYetValid
  /// The time of validation is after notAfter.
  case expired
  /// The certificate is valid for longer than allowed.
  case validityTooLong
  /// The certificate is revoked.
  case revoked
  /// The revocation status is unknown, and the rules require it.
  case revocationUnknown
  /// No certificate has the issuer's name, though one has the issuer's key identifier.
  case nameChaining

  // RFC 5280 §6.1.3 (b), (c): name constraints.

  /// A name lies outside every permitted subtree of its form.
  case nameNotPermitted
  /// A name lies inside an excluded subtree.
  case nameExcluded
  /// A constraint has a form or a range that cannot be applied to the name.
  case constraintUnsupported
  /// A constraint is malformed for its form.
  case constraintMalformed
  /// A constrained name is malformed for its form.
  case nameMalformed

  // RFC 5280 §6.1.3 (d)–(f), as updated by RFC 9618.

  /// A policy is required, and no acceptable one is left.
  case policyRequired
  /// A policy is mapped from or to anyPolicy.
  case mappingOfAnyPolicy

  // RFC 5280 §6.1.4 (k)–(o).

  /// An issuer's certificate is not of version 3.
  case issuerVersion
  /// An issuer's certificate has no basic constraints.
  case basicConstraintsMissing
  /// An issuer's certificate says that it is not a CA.
  case notAuthority
  /// More intermediate certificates follow than the path length allows.
  case pathLength
  /// The key usage lacks what the key is used for.
  case keyUsage
  /// A critical extension is unknown.
  case unknownCriticalExtension

  // The purpose.

  /// The extended key usage lacks the purpose.
  case extendedKeyUsage
  /// There is no extended key usage, and the rules require one.
  case extendedKeyUsageMissing
  /// The extended key usage has only anyExtendedKeyUsage, which the rules do not accept.
  case extendedKeyUsageAny
  /// The host is not among the names.
  case hostName
  /// There are no subject alternative names.
  case noHostNames
  /// The e-mail address is not among the names.
  case emailAddress
  /// The certificate to validate is a CA certificate.
  case leafIsAuthority
  /// The certificate to validate is itself an anchor, which the rules do not accept.
  case leafIsAnchor

  // Requirements of RFC 5280 §4 and the Baseline Requirements on CAs.

  /// The certificate is not of version 3.
  case version
  /// The extension must not be critical.
  case extensionCritical
  /// The extension must be critical.
  case extensionNotCritical
  /// The extension is required.
  case extensionMissing
  /// The extension must not be in a certificate of this kind.
  case extensionMisplaced
  /// The extension has a value that is not allowed.
  case extensionValue
  /// The issuer has no name.
  case emptyIssuer
  /// The subject is empty, and no alternative name may take its place.
  case emptySubject
  /// keyCertSign without the basic constraints of a CA.
  case certSignWithoutAuthority
  /// A wildcard matches the host, but covers more names than the rules allow.
  case wildcardTooWide
  /// An encoding deviation that the rules do not accept.
  case encoding

  // The caller.

  /// The caller rejects the whole path.
  case veto

  /// The stable name of the rule, used in JSON and vector files.
  public var name: String { rawValue }

  /// The section that states the rule. A violation may cite a more precise one.
  public var citation: String { row.citation }

  /// What is wrong, with `{}` for each value of the violation.
  package var message: String { row.message }

  /// The field that the rule is about, for violations without bytes; nil if it is not a single one.
  var field: String? { row.field }
}

extension Rule {
  /// Citation, message and field of a rule.
  private struct Row {
    let citation: String
    let message: String
    let field: String?

    init(_ citation: String, _ message: String, field: String? = nil) {
      self.citation = citation
      self.message = message
      self.field = field
    }
  }

  private var row: Row {
    switch self {
    case .issuerNotFound:
      Row("RFC 5280 §6.1.3 (a)(4)", "issuer certificate not found", field: "issuer")
    case .untrustedRoot:
      Row("RFC 5280 §6.1.1 (d)", "self-issued and not an anchor", field: "subject")
    case .signature:
      Row(
        "RFC 5280 §6.1.3 (a)(1)",
        "signature does not verify under the issuer's key", field: "signatureValue")
    case .unsupportedAlgorithm:
      Row("RFC 5280 §6.1.3 (a)(1)", "unsupported signature algorithm", field: "signatureAlgorithm")
    case .unsupportedKey:
      Row(
        "RFC 5280 §6.1.3 (a)(1)",
        "unsupported public key, or its kind does not match the signature",
        field: "subjectPublicKeyInfo")
    case .algorithmsDiffer:
      Row(
        "RFC 5280 §4.1.1.2",
        "signatureAlgorithm differs from the signed signature field", field: "signatureAlgorithm")
    case .weakDigest:
      Row(
        "CA/B BR §7.1.3.2",
        "signature uses {}, which is not allowed", field: "signatureAlgorithm")
    case .impossibleKey: Row("CA/B BR §6.1.6", "invalid public key", field: "subjectPublicKeyInfo")
    case .weakKey:
      Row("CA/B BR §6.1.5", "RSA key of {} bits, fewer than {}", field: "subjectPublicKeyInfo")
    case .unevenKey:
      Row(
        "CA/B BR §6.1.5",
        "RSA key of {} bits, not a multiple of 8", field: "subjectPublicKeyInfo")
    case .oversizedKey:
      Row("limit of the rules", "RSA key of {} bits, more than {}", field: "subjectPublicKeyInfo")
    case .curveNotAllowed:
      Row("CA/B BR §6.1.5", "public key on {}, which is not allowed", field: "subjectPublicKeyInfo")
    case .algorithmNotAllowed:
      Row("CA/B BR §7.1.3", "algorithm is not allowed", field: "subjectPublicKeyInfo")
    case .notYetValid: Row("RFC 5280 §6.1.3 (a)(2)", "not valid before {}", field: "notBefore")
    case .expired: Row("RFC 5280 §6.1.3 (a)(2)", "expired at {}", field: "notAfter")
    case .validityTooLong: Row("CA/B BR §6.3.2", "valid for {}, longer than {}", field: "validity")
    case .revoked: Row("RFC 5280 §6.1.3 (a)(3)", "{}", field: "serialNumber")
    case .revocationUnknown: Row("RFC 5280 §6.1.3 (a)(3)", "{}", field: "serialNumber")
    case .nameChaining:
      Row(
        "RFC 5280 §6.1.3 (a)(4)",
        "no certificate has the issuer's name, though one has the issuer's key identifier",
        field: "issuer")
    case .nameNotPermitted:
      Row("RFC 5280 §6.1.3 (b)", "name outside the permitted subtrees: {}", field: "subjectAltName")
    case .nameExcluded:
      Row("RFC 5280 §6.1.3 (c)", "name inside an excluded subtree: {}", field: "subjectAltName")
    case .constraintUnsupported:
      Row("RFC 5280 §4.2.1.10", "subject to a name constraint of an unsupported form")
    case .constraintMalformed: Row("RFC 5280 §4.2.1.10", "subject to a malformed name constraint")
    case .nameMalformed:
      Row(
        "RFC 5280 §4.2.1.6", "malformed name, not comparable with a name constraint: {}",
        field: "subjectAltName")
    case .policyRequired:
      Row(
        "RFC 9618 §5.5 (g)",
        "no acceptable certificate policy, and one is required", field: "certificatePolicies")
    case .mappingOfAnyPolicy:
      Row("RFC 5280 §6.1.4 (a)", "policy mapping from or to anyPolicy", field: "policyMappings")
    case .issuerVersion:
      Row(
        "RFC 5280 §6.1.4 (k)",
        "issued a certificate but has version {}, not 3", field: "version")
    case .basicConstraintsMissing:
      Row(
        "RFC 5280 §6.1.4 (k)",
        "issued a certificate but has no basic constraints", field: "basicConstraints")
    case .notAuthority:
      Row("RFC 5280 §6.1.4 (k)", "issued a certificate but is not a CA", field: "basicConstraints")
    case .pathLength:
      Row(
        "RFC 5280 §6.1.4 (l)",
        "allows at most {} intermediate certificates below it", field: "basicConstraints")
    case .keyUsage: Row("RFC 5280 §4.2.1.3", "key usage lacks {}", field: "keyUsage")
    case .unknownCriticalExtension: Row("RFC 5280 §6.1.4 (o)", "critical {} is not supported")
    case .extendedKeyUsage:
      Row("RFC 5280 §4.2.1.12", "extended key usage lacks the purpose: {}", field: "extKeyUsage")
    case .extendedKeyUsageMissing:
      Row("CA/B BR §7.1.2.7.10", "no extended key usage", field: "extKeyUsage")
    case .extendedKeyUsageAny:
      Row(
        "CA/B BR §7.1.2.7.10",
        "anyExtendedKeyUsage instead of the purpose", field: "extKeyUsage")
    case .hostName: Row("RFC 9525 §6.3", "not valid for {}", field: "subjectAltName")
    case .noHostNames:
      Row(
        "RFC 9525 §6.1",
        "no subject alternative names; the common name is ignored", field: "subjectAltName")
    case .emailAddress: Row("RFC 8550 §3", "not valid for {}", field: "subjectAltName")
    case .leafIsAuthority:
      Row(
        "CA/B BR §7.1.2.7.8",
        "a CA certificate, not an end-entity certificate", field: "basicConstraints")
    case .leafIsAnchor: Row("RFC 5280 §6.1", "is itself an anchor, which the rules do not accept")
    case .version: Row("RFC 5280 §4.1.2.1", "version {}, not 3", field: "version")
    case .extensionCritical: Row("RFC 5280 §4.2", "{} must not be critical")
    case .extensionNotCritical: Row("RFC 5280 §4.2", "{} must be critical")
    case .extensionMissing: Row("RFC 5280 §4.2", "{} is missing")
    case .extensionMisplaced: Row("RFC 5280 §4.2", "{} is not allowed in this kind of certificate")
    case .extensionValue: Row("RFC 5280 §4.2", "{} has a value that is not allowed")
    case .emptyIssuer: Row("RFC 5280 §4.1.2.4", "empty issuer name", field: "issuer")
    case .emptySubject: Row("RFC 5280 §4.1.2.6", "empty subject", field: "subject")
    case .certSignWithoutAuthority:
      Row(
        "RFC 5280 §4.2.1.9",
        "key usage has keyCertSign, but this is not a CA", field: "basicConstraints")
    case .wildcardTooWide:
      Row(
        "CA/B BR §3.2.2.6",
        "wildcard for {} covers more names than allowed", field: "subjectAltName")
    case .encoding: Row("X.690", "encoding: {}")
    case .veto: Row("the caller's veto", "refused by the caller: {}")
    }
  }
}

extension Rule: CustomStringConvertible {
  /// The message, with … in place of values.
  public var description: String {
    messageParts.joined(separator: "…")
  }

  /// The parts of the message around its values, each of which is a `{}`.
  var messageParts: [Substring] {
    // Splitting by a string would link the library of regular expressions, 1.3 MB.
    message.split(separator: "{", omittingEmptySubsequences: false).map { part in
      part.first == "}" ? part.dropFirst() : part
    }
  }
}
