public import HoldfastDER
public import HoldfastHashes

/// A signature algorithm: its identifier and the scheme it denotes.
public struct SignatureAlgorithm: DERDecodable {
  /// The OID of the algorithm.
  public let oid: OID

  /// The scheme given by the OID and the parameters.
  public let scheme: Scheme

  /// The AlgorithmIdentifier, header included.
  public let der: Bytes

  /// The signature schemes, with everything needed to verify.
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
    /// Any other algorithm, or parameters that the algorithm does not allow.
    case unknown
  }

  /// Parses an AlgorithmIdentifier; throws if other bytes follow it.
  package init(der: [UInt8]) throws(DERError) {
    var reader = DERReader(der)
    var ignored: [EncodingDeviation] = []
    try self.init(&reader, in: der, &ignored)
    try reader.finish()
  }

  /// Reads an AlgorithmIdentifier.
  public init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    let identifier = try AlgorithmIdentifier(&reader, in: input)
    switch SignatureAlgorithm.table[identifier.oid] {
    case .withoutParameters(let named)?:
      scheme = identifier.hasNoParameters ? named : .unknown
    case .rsa(let hash)?:
      // RFC 4055 §5: the parameters are NULL.
      // Departs: absent ones are noted. macOS Certificate Assistant omits them in one of the two
      // places, and Go, BoringSSL and OpenSSL accept such certificates.
      if identifier.hasNoParameters {
        deviations.append(.rsaParametersAbsent(at: identifier.whole.position))
      }
      scheme = identifier.hasNull || identifier.hasNoParameters ? .rsaPKCS1(hash) : .unknown
    case .pss?:
      // RFC 4055 §3.1: in a signature the parameters must be present.
      let parameters =
        identifier.parametersTag == .sequence
        ? try PSSParameters.read(identifier.parameters, in: input, &deviations) : nil
      scheme = parameters.map { .rsaPSS($0) } ?? .unknown
    case nil: scheme = .unknown
    }
    oid = identifier.oid
    der = identifier.whole.rest(in: input)
  }

  /// The scheme of an OID and the parameters it takes.
  private enum Row: Sendable {
    case withoutParameters(Scheme)
    case rsa(HashAlgorithm)
    case pss
  }

  private static let table = OIDTable<Row>([
    (.sha256WithRSA, .rsa(.sha256)), (.sha384WithRSA, .rsa(.sha384)),
    (.sha512WithRSA, .rsa(.sha512)), (.sha1WithRSA, .rsa(.sha1)),
    (.sha1WithRSASignature, .rsa(.sha1)), (.sha224WithRSA, .rsa(.sha224)),
    (.sha512_224WithRSA, .rsa(.sha512_224)), (.sha512_256WithRSA, .rsa(.sha512_256)),
    (.rsaPSS, .pss),
    (.ecdsaWithSHA256, .withoutParameters(.ecdsa(.sha256))),
    (.ecdsaWithSHA384, .withoutParameters(.ecdsa(.sha384))),
    (.ecdsaWithSHA512, .withoutParameters(.ecdsa(.sha512))),
    (.ecdsaWithSHA224, .withoutParameters(.ecdsa(.sha224))),
    (.ecdsaWithSHA1, .withoutParameters(.ecdsa(.sha1))),
    (.ed25519, .withoutParameters(.ed25519)), (.ed448, .withoutParameters(.ed448)),
    (.mldsa44, .withoutParameters(.mldsa44)), (.mldsa65, .withoutParameters(.mldsa65)),
    (.mldsa87, .withoutParameters(.mldsa87)),
  ])

  /// Whether both are the same algorithm with the same parameters. For RSA, absent parameters and
  /// NULL are equivalent.
  package func isEquivalent(to other: SignatureAlgorithm) -> Bool {
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
