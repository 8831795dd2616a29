public import HoldfastDER
public import HoldfastHashes

/// The algorithm of a signature: its identifier as it stands, and what it says.
public struct SignatureAlgorithm: Sendable, Hashable {
  /// The name of the algorithm.
  public let oid: OID

  /// What the name and the parameters say.
  public let scheme: Scheme

  /// The AlgorithmIdentifier as it stands, header included.
  public let der: Octets

  /// Signature algorithms, with all that must be known to verify.
  @nonexhaustive
  public enum Scheme: Sendable, Hashable {
    /// RSASSA-PKCS1-v1_5. RFC 4055 §5.
    case rsaPKCS1(HashAlgorithm)
    /// RSASSA-PSS. RFC 4055 §3.
    case rsaPSS(PSSParameters)
    /// ECDSA. RFC 5758 §3.2.
    case ecdsa(HashAlgorithm)
    /// Ed25519. RFC 8410 §3.
    case ed25519
    /// Ed448. RFC 8410 §3.
    case ed448
    /// ML-DSA-44. RFC 9881 §2.
    case mldsa44
    /// ML-DSA-65. RFC 9881 §2.
    case mldsa65
    /// ML-DSA-87. RFC 9881 §2.
    case mldsa87
    /// Anything else, or one of these with parameters that it cannot have.
    case unknown
  }

  /// Reads an algorithm from its encoding, which must be nothing but that.
  public init(der: [UInt8]) throws(DERError) {
    let input = der
    var reader = DERCursor(input)
    var findings: [Finding] = []
    try self.init(&reader, in: input, &findings)
    try reader.finish()
  }

  init(_ reader: inout DERCursor, in input: [UInt8], _ findings: inout [Finding])
    throws(DERError)
  {
    self.init(try Raw(&reader, in: input, &findings), in: input)
  }

  init(_ raw: Raw, in input: [UInt8]) {
    oid = raw.oid
    scheme = raw.scheme
    der = raw.whole.rest(in: input)
  }

  /// An algorithm without a reference to the input.
  struct Raw {
    let oid: OID
    let scheme: Scheme
    let whole: DERCursor

    init(
      _ reader: inout DERCursor, in input: borrowing [UInt8], _ findings: inout [Finding]
    ) throws(DERError) {
      let identifier = try AlgorithmIdentifier(&reader, in: input)
      oid = identifier.oid
      whole = identifier.whole
      scheme = try SignatureAlgorithm.scheme(identifier, in: input, &findings)
    }
  }

  private static func scheme(
    _ identifier: AlgorithmIdentifier, in input: [UInt8], _ findings: inout [Finding]
  ) throws(DERError) -> Scheme {
    switch identifier.oid {
    case OID.ecdsaWithSHA256: return identifier.hasNoParameters ? .ecdsa(.sha256) : .unknown
    case OID.sha256WithRSA: return rsa(.sha256, identifier, &findings)
    case OID.ecdsaWithSHA384: return identifier.hasNoParameters ? .ecdsa(.sha384) : .unknown
    case OID.sha384WithRSA: return rsa(.sha384, identifier, &findings)
    case OID.sha512WithRSA: return rsa(.sha512, identifier, &findings)
    case OID.sha1WithRSA, OID.sha1WithRSASignature: return rsa(.sha1, identifier, &findings)
    case OID.rsaPSS:
      // RFC 4055 §3.1: in a signature the parameters must be present.
      guard identifier.parametersTag == .sequence else { return .unknown }
      switch try PSSParameters.read(identifier.parameters, in: input, &findings) {
      case .known(let parameters): return .rsaPSS(parameters)
      case .unknown: return .unknown
      }
    default: return otherScheme(identifier, &findings)
    }
  }

  private static func otherScheme(
    _ identifier: AlgorithmIdentifier, _ findings: inout [Finding]
  ) -> Scheme {
    let scheme: Scheme =
      switch identifier.oid {
      case OID.ed25519: .ed25519
      case OID.ed448: .ed448
      case OID.mldsa44: .mldsa44
      case OID.mldsa65: .mldsa65
      case OID.mldsa87: .mldsa87
      case OID.ecdsaWithSHA512: .ecdsa(.sha512)
      case OID.ecdsaWithSHA224: .ecdsa(.sha224)
      case OID.ecdsaWithSHA1: .ecdsa(.sha1)
      default: .unknown
      }
    if scheme != .unknown { return identifier.hasNoParameters ? scheme : .unknown }
    switch identifier.oid {
    case OID.sha224WithRSA: return rsa(.sha224, identifier, &findings)
    case OID.sha512_224WithRSA: return rsa(.sha512_224, identifier, &findings)
    case OID.sha512_256WithRSA: return rsa(.sha512_256, identifier, &findings)
    default: return .unknown
    }
  }

  /// RFC 4055 §5: the parameters are NULL.
  ///
  /// Departs: absent ones are read with a finding. macOS Certificate Assistant leaves them out in
  /// one of the two places, and Go, BoringSSL and OpenSSL read such certificates.
  private static func rsa(
    _ hash: HashAlgorithm, _ identifier: AlgorithmIdentifier, _ findings: inout [Finding]
  ) -> Scheme {
    if identifier.hasNull { return .rsaPKCS1(hash) }
    guard identifier.hasNoParameters else { return .unknown }
    findings.append(.rsaParametersAbsent(at: identifier.whole.position))
    return .rsaPKCS1(hash)
  }

  /// Whether both name the same algorithm with the same parameters, where for the RSA family absent
  /// parameters and NULL say the same.
  public func isEquivalent(to other: SignatureAlgorithm) -> Bool {
    if der == other.der { return true }
    return oid == other.oid && scheme == other.scheme && scheme != .unknown
  }
}

extension SignatureAlgorithm: CustomStringConvertible {
  /// `ECDSA with SHA-256`.
  public var description: String {
    switch scheme {
    case .rsaPKCS1(let hash): "RSA with \(hash)"
    case .rsaPSS(let parameters):
      "RSASSA-PSS with \(parameters.hash), MGF1 \(parameters.maskHash), salt \(parameters.saltLength)"
    case .ecdsa(let hash): "ECDSA with \(hash)"
    case .ed25519: "Ed25519"
    case .ed448: "Ed448"
    case .mldsa44: "ML-DSA-44"
    case .mldsa65: "ML-DSA-65"
    case .mldsa87: "ML-DSA-87"
    case .unknown: "unknown algorithm \(oid)"
    }
  }
}
