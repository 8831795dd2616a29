public import HoldfastCertificates

/// How strict a validation is. What is trusted is in the `AnchorSet`, what is asked in the `Purpose`.
///
/// Start from a preset and change fields. Nothing here can make a path valid whose signatures,
/// names, validity or constraints are not.
public struct ValidationRules: Sendable {
  // Keys and signatures.

  /// The fewest bits of an RSA key, that of the anchor included.
  public var minimumRSABits = 2048
  /// The most bits of an RSA key.
  public var maximumRSABits = 8192
  /// Whether a signature may rest on SHA-1.
  public var allowsSHA1 = false
  /// The curves of ECDSA keys.
  public var curves: Curves = [.p256, .p384, .p521]
  /// The other kinds of keys and signatures.
  public var algorithms: Algorithms = [.rsaPKCS1, .rsaPSS, .ecdsa, .ed25519, .ed448]
  /// Whether the algorithms inside and beside what is signed must be the same octets.
  ///
  /// Without it, for RSA, absent parameters and NULL are the same.
  public var requiresEqualSignatureParameters = true

  // Certificates.

  /// Whether the leaf's own key must be one that the rules take.
  public var checksLeafKey = false
  /// Whether a constraint on host names may begin with a dot, which RFC 5280 does not provide for.
  public var acceptsLeadingDotInConstraints = true
  /// Whether the key usage of the leaf, if it has one, must fit the purpose.
  public var checksLeafKeyUsage = false
  /// The most subtrees of names that one issuer may have; nil for any number. What they cost is
  /// bounded by `Limits` in any case. RFC 5280 has no number; the strict presets take 2,048, which is
  /// a limit of this library and not a rule.
  public var maximumConstraintSubtrees: Int?
  /// The longest validity of the leaf in seconds; nil for any.
  public var maximumLeafValidity: Int64?
  /// Whether the leaf must say what its key is for, when a purpose is asked for.
  public var requiresExtendedKeyUsage = false
  /// Whether anyExtendedKeyUsage in the leaf stands for the purpose.
  public var acceptsAnyExtendedKeyUsage = true
  /// Whether the extended key usage of an issuer limits what is below it.
  public var nestsExtendedKeyUsage = true
  /// Whether the leaf may be a certificate of an authority.
  public var acceptsAuthorityAsLeaf = true
  /// Whether the leaf may itself be an anchor, and then needs no path.
  public var acceptsAnchorAsLeaf = true
  /// Whether an issuer of version 1 or 2, which cannot say that it is one, is taken.
  public var acceptsOldIssuers = false
  /// Which wildcards of the leaf count for a host.
  public var wildcards = WildcardRule.belowLabels(2)
  /// The oddities of serial numbers that are taken.
  public var serialNumbers = SerialNumbers.any
  /// Whether each MUST on issuance that can be seen in the certificate is asked for:
  /// RFC 5280 §4.1 and §4.2.
  public var requiresProfile = false
  /// Whether each MUST of the CA/Browser Forum's Baseline Requirements §7.1 that can be seen in the
  /// certificate is asked for, on top of the profile of RFC 5280.
  public var requiresWebProfile = false

  // The path.

  /// The most intermediate certificates, self-issued ones not counted: RFC 5280 §6.1.2 (k).
  public var maximumPathLength: Int?
  /// Whether the validity of an anchor that is a certificate counts.
  public var checksAnchorValidity = false
  /// Whether the extensions of an anchor that is a certificate constrain the path: RFC 5937.
  public var checksAnchorConstraints = true
  /// Whether an anchor that is a certificate must have basic constraints, if its extensions count.
  public var requiresAnchorBasicConstraints = false
  /// The policies that the user asks for: RFC 5280 §6.1.1 (c), (e)–(g).
  public var policies = PolicyInputs()

  /// What the caller has against a path that keeps every rule; nil for nothing.
  public var veto: (@Sendable (ValidatedPath) -> String?)?

  /// The rules of RFC 5280 alone.
  public init() {}

  /// A set of curves.
  public struct Curves: OptionSet, Sendable, Hashable {
    /// Bit n stands for the curve of that number in `NamedCurve.allCases`.
    public let rawValue: UInt16
    /// A set from its bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    /// NIST P-224.
    public static let p224 = Curves(rawValue: 1 << 1)
    /// NIST P-256.
    public static let p256 = Curves(rawValue: 1 << 2)
    /// NIST P-384.
    public static let p384 = Curves(rawValue: 1 << 3)
    /// NIST P-521.
    public static let p521 = Curves(rawValue: 1 << 4)
    /// The curve of SEC 2 §2.4.1.
    public static let secp256k1 = Curves(rawValue: 1 << 5)
    /// The three curves of RFC 5639 that are known.
    public static let brainpool = Curves(rawValue: 0b111 << 6)
  }

  /// A set of kinds of signatures.
  public struct Algorithms: OptionSet, Sendable, Hashable {
    /// The kinds as bits.
    public let rawValue: UInt16
    /// A set from its bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    /// RSASSA-PKCS1-v1_5.
    public static let rsaPKCS1 = Algorithms(rawValue: 1 << 0)
    /// RSASSA-PSS.
    public static let rsaPSS = Algorithms(rawValue: 1 << 1)
    /// ECDSA.
    public static let ecdsa = Algorithms(rawValue: 1 << 2)
    /// Ed25519.
    public static let ed25519 = Algorithms(rawValue: 1 << 3)
    /// Ed448.
    public static let ed448 = Algorithms(rawValue: 1 << 4)
    /// ML-DSA-44, ML-DSA-65 and ML-DSA-87.
    public static let mldsa = Algorithms(rawValue: 1 << 5)
  }

  /// Which serial numbers are taken.
  public enum SerialNumbers: Sendable, Hashable {
    /// Every one that can be read.
    case any
    /// Every one but those above 20 octets and negative ones.
    case notNegative
    /// Positive ones of at most 20 octets: RFC 5280 §4.1.2.2.
    case positive
  }
}

/// What the user asks of policies: RFC 5280 §6.1.1.
public struct PolicyInputs: Sendable, Hashable {
  /// The policies that are acceptable; nil for any: user-initial-policy-set.
  public var acceptable: [OID]?
  /// Whether a policy is required from the start: initial-explicit-policy.
  public var requiresExplicitPolicy = false
  /// Whether policies may not be mapped: initial-policy-mapping-inhibit.
  public var inhibitsMapping = false
  /// Whether anyPolicy counts for nothing: initial-any-policy-inhibit.
  public var inhibitsAnyPolicy = false

  /// Nothing is asked: any policy, and none is required.
  public init() {}
}

extension ValidationRules {
  /// The web's: RFC 5280, and of the CA/Browser Forum's Baseline Requirements what browsers enforce.
  public static var webPKI: ValidationRules {
    var rules = ValidationRules()
    rules.acceptsAuthorityAsLeaf = false
    rules.serialNumbers = .notNegative
    rules.checksLeafKey = true
    rules.checksLeafKeyUsage = true
    return rules
  }

  /// RFC 5280 §6.1, for private authorities: every algorithm that is known.
  public static var rfc5280: ValidationRules {
    var rules = ValidationRules()
    rules.curves = [.p224, .p256, .p384, .p521, .secp256k1, .brainpool]
    rules.algorithms.insert(.mldsa)
    rules.maximumRSABits = 16_384
    return rules
  }

  /// As `.webPKI`, with what Apple's evaluation takes besides, absent parameters of RSA beside NULL
  /// and an authority as the leaf; and as with Apple the validity of anchors counts.
  public static var apple: ValidationRules {
    var rules = ValidationRules.webPKI
    rules.requiresEqualSignatureParameters = false
    rules.acceptsAuthorityAsLeaf = true
    rules.checksAnchorValidity = true
    return rules
  }

  /// As `.webPKI`, and every MUST on issuance that a validator can see.
  public static var strict: ValidationRules {
    var rules = ValidationRules.webPKI
    rules.requiresProfile = true
    rules.requiresWebProfile = true
    rules.requiresExtendedKeyUsage = true
    rules.acceptsAnyExtendedKeyUsage = false
    rules.serialNumbers = .positive
    rules.wildcards = .belowPublicSuffixes(.usual)
    rules.checksAnchorValidity = true
    rules.acceptsLeadingDotInConstraints = false
    rules.maximumConstraintSubtrees = 2048
    return rules
  }

  /// As `.rfc5280`, and every MUST on issuance of RFC 5280 that a validator can see.
  public static var strictRFC5280: ValidationRules {
    var rules = ValidationRules.rfc5280
    rules.requiresProfile = true
    rules.serialNumbers = .positive
    rules.checksAnchorValidity = true
    rules.acceptsLeadingDotInConstraints = false
    rules.maximumConstraintSubtrees = 2048
    return rules
  }
}
