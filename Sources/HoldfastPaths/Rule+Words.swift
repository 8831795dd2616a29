internal import HoldfastCertificates

extension Rule: CustomStringConvertible {
  /// What is wrong with a certificate, to be read after its name: `expired at 2026-03-01T00:00:00Z`.
  public var description: String {
    switch self {
    case .issuerNotFound: "has an issuer of whom there is no certificate and no anchor"
    case .untrustedRoot: "is self-issued and no anchor"
    case .signature: "has a signature that does not verify under the issuer's key"
    case .unsupportedAlgorithm: "has a signature algorithm that is not supported"
    case .unsupportedKey: "has a key, or is signed by one, that cannot be used"
    case .algorithmsDiffer: "names one signature algorithm inside and another beside what is signed"
    case .weakDigest(let hash): "has a signature over \(hash), which is not allowed"
    case .impossibleKey: "has numbers for a key that cannot be one"
    case .weakKey(let bits, let minimum): "has a key of \(bits) bits, fewer than \(minimum)"
    case .unevenKey(let bits): "has a key of \(bits) bits, which is no multiple of 8"
    case .oversizedKey(let bits, let maximum): "has a key of \(bits) bits, more than \(maximum)"
    case .curveNotAllowed(let curve): "has a key on \(curve), which is not allowed"
    case .algorithmNotAllowed: "has an algorithm that is not allowed"
    case .notYetValid(let time): "is not valid before \(time)"
    case .expired(let time): "expired at \(time)"
    case .validityTooLong(let seconds, let limit):
      Rule.lengths(seconds, limit)
    case .revoked(let found), .revocationUnknown(let found): found.summary
    case .nameChaining:
      "has an issuer name that no certificate has, though one has the issuer's key identifier"
    case .nameNotPermitted(let name): "has a name outside of what is permitted: \(Rule.text(name))"
    case .nameExcluded(let name): "has a name that is excluded: \(Rule.text(name))"
    case .constraintUnsupported: "has a name under a constraint of a form that is not supported"
    case .constraintMalformed: "has a name under a constraint that is malformed"
    case .constraintsTooMany(let limit):
      "has a name under more than \(limit) constraints of one issuer"
    case .nameMalformed(let name): "has a constrained name that is malformed: \(Rule.text(name))"
    case .policyRequired: "leaves no acceptable policy where one is required"
    case .mappingOfAnyPolicy: "maps anyPolicy"
    case .issuerVersion(let version), .version(let version): "is of version \(version), not 3"
    case .basicConstraintsMissing: "issues, but has no basic constraints"
    case .notAuthority: "issues, but is not one of an authority"
    case .pathLength(let length): "allows \(length) intermediate certificates below it, not more"
    case .keyUsage(let usage):
      "has a key that is not for " + usage.names.joined(separator: " or ")
    default: otherWords
    }
  }

  private var otherWords: String {
    switch self {
    case .unknownCriticalExtension(let oid): "has a critical extension that is not known: \(oid)"
    case .extendedKeyUsage(let oid): "is not for \(Rule.name(ofPurpose: oid))"
    case .extendedKeyUsageMissing: "does not say what its key is for"
    case .extendedKeyUsageAny: "is for any purpose, which is not taken for the one asked for"
    case .hostName: "is for other names"
    case .noHostNames: "has no alternative names; a common name never counts"
    case .emailAddress: "is not for that e-mail address"
    case .leafIsAuthority: "is one of an authority, not of an end entity"
    case .leafIsAnchor: "is itself an anchor, which is not taken"
    case .extensionCritical(let oid): "has a critical \(Rule.name(of: oid)), which must not be"
    case .extensionNotCritical(let oid): "has a \(Rule.name(of: oid)) that is not critical"
    case .extensionMissing(let oid): "lacks \(Rule.name(of: oid))"
    case .extensionMisplaced(let oid): "must not have \(Rule.name(of: oid))"
    case .extensionValue(let oid): "has a \(Rule.name(of: oid)) with a content that must not be"
    case .emptyIssuer: "has an issuer without a name"
    case .emptySubject: "has a subject without a name"
    case .certSignWithoutAuthority: "has a key for signing certificates, but is no authority"
    case .commonName: "has a common name that is not one of its alternative names"
    case .wildcardTooWide: "has a wildcard for the host that is wider than is allowed"
    case .encoding(let finding): "is oddly encoded: \(finding)"
    case .veto(let words): "is refused by the caller: \(words)"
    // Not reached: the rest is above.
    default: name
    }
  }

  /// A name in a sentence: the whole of it stands in the rule.
  private static func text(_ name: GeneralName) -> String { name.text(limit: 512) }

  /// In days, or in seconds where the days are the same. The last second of a validity counts, hence
  /// one second more than the times differ by. RFC 5280 §4.1.2.5.
  private static func lengths(_ seconds: Int64, _ limit: Int64) -> String {
    let length = seconds + 1
    return length / 86_400 == limit / 86_400
      ? "is valid for \(length) seconds, longer than \(limit)"
      : "is valid for \(length / 86_400) days, longer than \(limit / 86_400)"
  }

  private static func name(of oid: OID) -> String { "\(CertificateError.Field.extension(oid))" }

  private static func name(ofPurpose oid: OID) -> String {
    switch oid {
    case .serverAuth: "TLS servers"
    case .clientAuth: "TLS clients"
    case .codeSigning: "code signing"
    case .emailProtection: "e-mail"
    case .timeStamping: "time stamping"
    case .ocspSigning: "OCSP signing"
    default: "\(oid)"
    }
  }
}
