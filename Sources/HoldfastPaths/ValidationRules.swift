public import HoldfastCertificates

/// How strict a validation is. What is trusted is in the `AnchorSet`, what is asked in the `Purpose`.
///
/// Start from a preset and change fields. Nothing here can make a path valid whose signatures,
/// names, validity or constraints are not.
public struct ValidationRules: Sendable {
  /// Which keys and signatures are accepted, on the whole path.
  public var signatures = Signatures()
  /// What is asked of the leaf alone.
  public var leaf = Leaf()
  /// What is asked of anchors that are certificates.
  public var anchors = Anchors()
  /// How much of what binds CAs when they issue is asked of every certificate.
  public var profile = Profile.unchecked
  /// The most intermediate certificates, self-issued ones not counted: RFC 5280 §6.1.2 (k).
  public var maximumPathLength: Int?
  /// The policies that the user asks for: RFC 5280 §6.1.1 (c), (e)–(g).
  public var policies = PolicyInputs()
  /// Why the caller refuses a path that keeps every rule; nil to accept it.
  public var veto: (@Sendable (ValidatedPath) -> String?)?

  /// The rules of RFC 5280 alone.
  public init() {}

  /// The rules for keys and signatures.
  public struct Signatures: Sendable, Hashable {
    /// The fewest bits of an RSA key, that of the anchor included.
    public var minimumRSABits = 2048
    /// The most bits of an RSA key.
    public var maximumRSABits = 8192
    /// Whether a signature may use SHA-1.
    public var allowsSHA1 = false
    /// The curves of ECDSA keys.
    public var curves: Set<NamedCurve> = [.p256, .p384, .p521]
    /// The other kinds of keys and signatures.
    public var algorithms: Algorithms = [.rsaPKCS1, .rsaPSS, .ecdsa, .ed25519, .ed448]
    /// Whether the algorithms inside and beside what is signed must be the same bytes.
    ///
    /// Without it, for RSA, absent parameters and NULL are the same.
    public var requiresEqualParameters = true
  }

  /// The rules for the leaf.
  public struct Leaf: Sendable, Hashable {
    /// Whether its key must be acceptable and its key usage, if it has one, must fit the purpose.
    public var checksKey = false
    /// Whether its extended key usage must have the purpose by name: it may neither be absent nor
    /// have only anyExtendedKeyUsage.
    public var requiresExtendedKeyUsage = false
    /// Whether it may be a CA certificate.
    public var acceptsCA = true
    /// Whether it may itself be an anchor, and then needs no path.
    public var acceptsAnchor = true
    /// Which of its wildcards match a host.
    public var wildcards = WildcardRule.belowLabels(2)
    /// The longest validity in seconds; nil for any.
    public var maximumValidity: Int?
  }

  /// The rules for anchors.
  public struct Anchors: Sendable, Hashable {
    /// Whether the validity of an anchor's certificate counts.
    public var checksValidity = false
    /// Whether the extensions of an anchor's certificate constrain the path: RFC 5937.
    public var checksConstraints = true
  }

  /// What is asked of certificates that a validator could ignore; each asks for what the ones before
  /// it do.
  public enum Profile: Int, Sendable, Hashable, Comparable {
    /// Nothing.
    case unchecked
    /// Serial numbers are not negative and have at most 20 bytes, as browsers ask.
    case serialNumbers
    /// Each MUST on issuance that can be seen in a certificate: RFC 5280 §4.1 and §4.2.
    case rfc5280
    /// Each MUST of the CA/Browser Forum's Baseline Requirements §7.1 besides.
    case webPKI

    /// Whether one asks for less than another.
    public static func < (a: Profile, b: Profile) -> Bool { a.rawValue < b.rawValue }
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
    rules.profile = .serialNumbers
    rules.leaf.acceptsCA = false
    rules.leaf.checksKey = true
    return rules
  }

  /// RFC 5280 §6.1, for private CAs: every algorithm that is known.
  public static var rfc5280: ValidationRules {
    var rules = ValidationRules()
    rules.signatures.curves = Set(NamedCurve.allCases).subtracting([.p192])
    rules.signatures.algorithms.insert(.mldsa)
    rules.signatures.maximumRSABits = 16_384
    return rules
  }

  /// As `.webPKI`, with what Apple's evaluation accepts besides, absent parameters of RSA beside NULL
  /// and a CA as the leaf; and as with Apple the validity of anchors counts.
  public static var apple: ValidationRules {
    var rules = ValidationRules.webPKI
    rules.signatures.requiresEqualParameters = false
    rules.leaf.acceptsCA = true
    rules.anchors.checksValidity = true
    return rules
  }

  /// As `.webPKI`, and every MUST on issuance that a validator can see.
  public static var strict: ValidationRules {
    var rules = ValidationRules.webPKI
    rules.profile = .webPKI
    rules.leaf.requiresExtendedKeyUsage = true
    rules.leaf.wildcards = .belowPublicSuffixes(.usual)
    rules.anchors.checksValidity = true
    return rules
  }

  /// As `.rfc5280`, and every MUST on issuance of RFC 5280 that a validator can see.
  public static var strictRFC5280: ValidationRules {
    var rules = ValidationRules.rfc5280
    rules.profile = .rfc5280
    rules.anchors.checksValidity = true
    return rules
  }

  /// The rules for those who sign lists and answers: what is asked of a leaf, and what the caller asks
  /// of the path, does not bind them.
  var forSigners: ValidationRules {
    var rules = self
    rules.leaf = Leaf()
    rules.leaf.checksKey = leaf.checksKey
    rules.policies = PolicyInputs()
    rules.veto = nil
    return rules
  }
}
