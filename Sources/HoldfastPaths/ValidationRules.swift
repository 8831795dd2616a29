public import HoldfastCertificates

/// How strict a validation is. The `AnchorSet` says what is trusted, the `Purpose` what is
/// validated.
///
/// Start from a preset and change fields. No setting makes a path valid whose signatures, names,
/// validity or constraints are not.
public struct ValidationRules: Sendable {
  /// Which keys and signatures are accepted, on the whole path.
  public var signatures = Signatures()
  /// The rules for the leaf alone.
  public var leaf = Leaf()
  /// The rules for anchors that are certificates.
  public var anchors = Anchors()
  /// Which requirements on issuing CAs are enforced on every certificate.
  public var profile = Profile.unchecked
  /// Below which anchors the schedule of the Baseline Requirements is enforced on servers.
  public var schedule = Schedule.ignored
  /// The most intermediate certificates, self-issued ones not counted: RFC 5280 §6.1.2 (k).
  public var maximumPathLength: Int?
  /// The user's policy inputs: RFC 5280 §6.1.1 (c), (e)–(g).
  public var policies = PolicyInputs()
  /// A rule of your own: returns what is wrong with a certificate, or nil.
  ///
  /// It gets the certificates of each path that satisfies every other rule, one by one, with their
  /// positions: 0 is the leaf, the last is the anchor's. A violation rejects the path, and the
  /// search tries the next. It is asked again where the reasons of a rejection are read, about a path
  /// that other rules would accept.
  public var check: (@Sendable (_ certificate: Certificate, _ index: Int) -> Violation?)?

  /// Creates the rules of RFC 5280 alone.
  public init() {}

  /// The rules for keys and signatures.
  public struct Signatures: Sendable, Hashable {
    /// The fewest bits of an RSA key, including the anchor's.
    public var minimumRSABits = 2048
    /// The most bits of an RSA key.
    public var maximumRSABits = 8192
    /// Whether a signature may use SHA-1.
    public var allowsSHA1 = false
    /// The curves of ECDSA keys.
    public var curves: Set<NamedCurve> = [.p256, .p384, .p521]
    /// The other kinds of keys and signatures.
    public var algorithms: Algorithms = [.rsaPKCS1, .rsaPSS, .ecdsa, .ed25519, .ed448]
    /// More kinds of keys and signatures, which are accepted on paths to anchors that are not public:
    /// `TrustAnchor.isPublic`.
    public var privateAlgorithms: Algorithms = []
    /// Whether the signed and the unsigned signature algorithm must be equal byte for byte.
    ///
    /// If false, absent parameters and NULL are equivalent for RSA.
    public var requiresEqualParameters = true
  }

  /// The rules for the leaf.
  public struct Leaf: Sendable, Hashable {
    /// Whether its key must be acceptable, and its key usage, if it has one, must allow the
    /// purpose.
    public var checksKeyAndUsage = false
    /// Whether its extended key usage must name the purpose: it may neither be absent nor have only
    /// anyExtendedKeyUsage.
    public var requiresExtendedKeyUsage = false
    /// Whether it may be a CA certificate.
    public var acceptsCA = true
    /// Whether it may itself be an anchor, in which case it needs no path.
    public var acceptsAnchor = true
    /// Which of its wildcards match a host.
    public var wildcards = WildcardRule.belowLabels(2)
    /// The longest validity in seconds; nil for any.
    public var maximumValidity: Int?
  }

  /// The rules for anchors.
  public struct Anchors: Sendable, Hashable {
    /// Whether the validity of an anchor's certificate is checked.
    public var checksValidity = false
    /// Whether the extensions of an anchor's certificate constrain the path: RFC 5937.
    public var checksConstraints = true
  }

  /// Below which anchors `Requirement.schedule` is enforced: the schedule binds public CAs.
  public enum Schedule: String, Sendable, Hashable {
    /// Below none.
    case ignored
    /// Below anchors that a root program is known to have decided about:
    /// `TrustAnchor.isInRootProgram`.
    case programAnchors
    /// Below anchors that are public.
    case publicAnchors
    /// Below all.
    case allAnchors
  }

  /// Requirements on issuance, which a validator could ignore; each level includes the ones before
  /// it, except where the Baseline Requirements allow what RFC 5280 does not.
  ///
  /// `Sources/Rules.md` lists them all. They are about what a certificate says, rarely about what
  /// it omits, and apply whenever it was issued.
  public enum Profile: Int, Sendable, Hashable, Comparable {
    /// Nothing.
    case unchecked
    /// Serial numbers are not negative and have at most 20 bytes, as browsers ask.
    case serialNumbers
    /// The listed requirements of RFC 5280 §4.1 and §4.2 and of the documents that update them.
    case rfc5280
    /// In addition, those of the CA/Browser Forum's Baseline Requirements §7.1, most of them on
    /// certificates of servers.
    case webPKI

    /// Whether one requires less than another.
    public static func < (a: Profile, b: Profile) -> Bool { a.rawValue < b.rawValue }
  }

  /// A set of signature algorithms.
  public struct Algorithms: OptionSet, Sendable, Hashable {
    /// The algorithms as bits.
    public let rawValue: UInt16
    /// Creates a set from its bits.
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

    /// Every algorithm that is verified here.
    static let all = Algorithms([.rsaPKCS1, .rsaPSS, .ecdsa]).union(
      Algorithms(SignatureScheme.withOwnKeys.map { Algorithms($0) }))

    /// The set of the algorithm that a scheme belongs to.
    init(_ scheme: SignatureScheme) {
      switch scheme {
      case .rsaPKCS1: self = .rsaPKCS1
      case .rsaPSS: self = .rsaPSS
      case .ecdsa: self = .ecdsa
      case .ed25519: self = .ed25519
      case .ed448: self = .ed448
      case .mldsa: self = .mldsa
      }
    }
  }

  /// Rules for the web: RFC 5280, and those of the CA/Browser Forum's Baseline Requirements that
  /// browsers enforce, below anchors of root programs also those of the day of issuance. CAs of your
  /// own may use ML-DSA, public ones may not: CA/B BR §6.1.5.
  public static var webPKI: ValidationRules {
    var rules = ValidationRules()
    rules.signatures.privateAlgorithms = [.mldsa]
    rules.profile = .serialNumbers
    rules.leaf.acceptsCA = false
    rules.leaf.checksKeyAndUsage = true
    rules.schedule = .programAnchors
    return rules
  }

  /// Rules for private CAs: RFC 5280 §6.1, with every supported algorithm.
  public static var rfc5280: ValidationRules {
    var rules = ValidationRules()
    rules.signatures.curves = Set(NamedCurve.allCases).subtracting([.p192])
    rules.signatures.algorithms = .all
    rules.signatures.maximumRSABits = 16_384
    return rules
  }

  /// Like `.webPKI`, but as in Apple's evaluation: absent RSA parameters and NULL are equivalent,
  /// the leaf may be a CA, and the validity of anchors is checked. Apple's limit of 825 days, and
  /// that an extended key usage names servers, are `leaf.maximumValidity` and
  /// `leaf.requiresExtendedKeyUsage`, which this leaves alone.
  public static var apple: ValidationRules {
    var rules = ValidationRules.webPKI
    rules.signatures.requiresEqualParameters = false
    rules.signatures.privateAlgorithms = []
    rules.leaf.acceptsCA = true
    rules.anchors.checksValidity = true
    rules.schedule = .ignored
    return rules
  }

  /// Like `.webPKI`, with the requirements on issuance of `Profile.webPKI`, an extended key usage
  /// that names the purpose, and the validity of anchors.
  ///
  /// Wildcards below public suffixes match, as in `.webPKI`, unless `leaf.wildcards` has your list:
  /// `.belowPublicSuffixes(PublicSuffixes(list: text))`.
  public static var strict: ValidationRules {
    var rules = ValidationRules.webPKI
    rules.profile = .webPKI
    rules.schedule = .publicAnchors
    rules.leaf.requiresExtendedKeyUsage = true
    rules.anchors.checksValidity = true
    return rules
  }

  /// Like `.rfc5280`, with the requirements on issuance of `Profile.rfc5280`, and the validity of
  /// anchors.
  public static var strictRFC5280: ValidationRules {
    var rules = ValidationRules.rfc5280
    rules.profile = .rfc5280
    rules.anchors.checksValidity = true
    return rules
  }

  /// The rules for signers of CRLs and OCSP responses, without the requirements on leaves and the
  /// caller's own on paths.
  var forSigners: ValidationRules {
    var rules = self
    rules.leaf = Leaf()
    rules.leaf.checksKeyAndUsage = leaf.checksKeyAndUsage
    rules.policies = PolicyInputs()
    rules.check = nil
    return rules
  }

  /// The profile of paths for a purpose. The Baseline Requirements bind certificates of servers and
  /// their CAs, CA/B BR §1.1, and so those for any use.
  func profile(for purpose: Purpose) -> Profile {
    purpose.mayBeOfServers ? profile : min(profile, .rfc5280)
  }
}

/// The user's policy inputs: RFC 5280 §6.1.1.
public struct PolicyInputs: Sendable, Hashable {
  /// The acceptable policies; nil for any: user-initial-policy-set.
  public var acceptable: [OID]?
  /// Whether a policy is required from the start: initial-explicit-policy.
  public var requiresExplicitPolicy = false
  /// Whether policies may not be mapped: initial-policy-mapping-inhibit.
  public var inhibitsMapping = false
  /// Whether anyPolicy is ignored: initial-any-policy-inhibit.
  public var inhibitsAnyPolicy = false

  /// Creates inputs that accept any policy and require none.
  public init() {}
}

/// The presets by name, for the tool and for files that choose one.
package enum RulePreset: String, CaseIterable, Sendable {
  case webPKI, rfc5280, apple, strict, strictRFC5280

  /// The rules of the preset.
  package var rules: ValidationRules {
    switch self {
    case .webPKI: .webPKI
    case .rfc5280: .rfc5280
    case .apple: .apple
    case .strict: .strict
    case .strictRFC5280: .strictRFC5280
    }
  }
}
