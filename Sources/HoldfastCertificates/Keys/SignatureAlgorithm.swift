public import HoldfastDER
public import HoldfastHashes

/// A signature algorithm: its identifier and the scheme it denotes.
public struct SignatureAlgorithm: DERDecodable {
  /// The OID of the algorithm.
  public let oid: OID

  /// The scheme given by the OID and the parameters; nil for an unknown algorithm, and for
  /// parameters that the algorithm does not allow.
  public let scheme: SignatureScheme?

  /// The AlgorithmIdentifier, header included.
  public let der: Bytes

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
      scheme = identifier.hasNoParameters ? named : nil
    case .rsa(let hash)?:
      // RFC 4055 §5: the parameters are NULL.
      // Departs: absent ones are noted. macOS Certificate Assistant omits them in one of the two
      // places, and Go, BoringSSL and OpenSSL accept such certificates.
      if identifier.hasNoParameters {
        deviations.append(.rsaParametersAbsent(at: identifier.whole.position))
      }
      scheme = identifier.hasNull || identifier.hasNoParameters ? .rsaPKCS1(hash) : nil
    case .pss?:
      // RFC 4055 §3.1: in a signature the parameters must be present.
      let parameters =
        identifier.parametersTag == .sequence
        ? try PSSParameters.read(identifier.parameters, in: input, &deviations) : nil
      scheme = parameters.map { .rsaPSS($0) }
    case nil: scheme = nil
    }
    oid = identifier.oid
    der = identifier.whole.rest(in: input)
  }

  /// The scheme of an OID and the parameters it takes.
  private enum Row: Sendable {
    case withoutParameters(SignatureScheme)
    case rsa(HashAlgorithm)
    case pss
  }

  private static let table = OIDTable<Row>(
    [
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
    ] + MLDSAParameterSet.allCases.map { ($0.oid, .withoutParameters(.mldsa($0))) })

  /// Whether both are the same algorithm with the same parameters. For RSA, absent parameters and
  /// NULL are equivalent.
  package func isEquivalent(to other: SignatureAlgorithm) -> Bool {
    if der == other.der { return true }
    return oid == other.oid && scheme == other.scheme && scheme != nil
  }
}

extension SignatureAlgorithm: CustomStringConvertible {
  /// `ECDSA with SHA-256`.
  public var description: String { scheme.map { "\($0)" } ?? "unknown algorithm \(oid)" }
}
