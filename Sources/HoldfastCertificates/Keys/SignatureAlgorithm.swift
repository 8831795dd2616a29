public import HoldfastDER
public import HoldfastHashes

/// A signature algorithm: its identifier and the scheme it denotes.
public struct SignatureAlgorithm: Sendable, Hashable, DERDecodable {
  /// The OID of the algorithm.
  public let oid: OID

  /// The scheme given by the OID and the parameters; nil for an unknown algorithm, and for
  /// parameters that the algorithm does not allow.
  public let scheme: SignatureScheme?

  /// The AlgorithmIdentifier, header included.
  public let der: Bytes

  /// Reads an AlgorithmIdentifier.
  package init(
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

  /// RFC 3279 §2.2, RFC 4055 §5, RFC 5758 §3, RFC 8017 appendix C.
  private static let table = OIDTable<Row>(
    [
      ("1.2.840.113549.1.1.11", .rsa(.sha256)),
      ("1.2.840.113549.1.1.12", .rsa(.sha384)),
      ("1.2.840.113549.1.1.13", .rsa(.sha512)),
      ("1.2.840.113549.1.1.5", .rsa(.sha1)),
      ("1.3.14.3.2.29", .rsa(.sha1)),  // an older OID
      ("1.2.840.113549.1.1.14", .rsa(.sha224)),
      ("1.2.840.113549.1.1.15", .rsa(.sha512_224)),
      ("1.2.840.113549.1.1.16", .rsa(.sha512_256)),
      (.rsaPSS, .pss),
      ("1.2.840.10045.4.3.2", .withoutParameters(.ecdsa(.sha256))),
      ("1.2.840.10045.4.3.3", .withoutParameters(.ecdsa(.sha384))),
      ("1.2.840.10045.4.3.4", .withoutParameters(.ecdsa(.sha512))),
      ("1.2.840.10045.4.3.1", .withoutParameters(.ecdsa(.sha224))),
      ("1.2.840.10045.4.1", .withoutParameters(.ecdsa(.sha1))),
    ] + SignatureScheme.identifiers.map { ($0.oid, .withoutParameters($0.scheme)) })

  /// What is wrong with the parameters, and the section that says which are right; nil if nothing is,
  /// the algorithm is unknown, or the parameters of RSASSA-PSS name what is not supported.
  package var wrongParameters: (finding: String, citation: String)? {
    guard scheme == nil, let row = SignatureAlgorithm.table[oid] else { return nil }
    var reader = DERReader(der)
    do throws(DERError) {
      let parameters = try AlgorithmIdentifier(&reader, in: der.input)
      let found =
        parameters.hasNull
        ? "NULL parameters" : parameters.hasNoParameters ? "no parameters" : "wrong parameters"
      return switch row {
      case .withoutParameters(.ecdsa): ("\(found), which must be absent", "RFC 5758 §3.2")
      case .withoutParameters(.mldsa): ("\(found), which must be absent", "RFC 9881 §2")
      case .withoutParameters: ("\(found), which must be absent", "RFC 8410 §3")
      case .rsa: ("\(found), which must be NULL", "RFC 4055 §5")
      case .pss where parameters.hasNull || parameters.hasNoParameters:
        ("\(found), which must name digest, mask and salt", "RFC 4055 §3.1")
      case .pss: nil
      }
    } catch {
      return nil
    }
  }

  /// Whether both are the same algorithm with the same parameters. For RSA, absent parameters and
  /// NULL are equivalent.
  package func isEquivalent(to other: SignatureAlgorithm) -> Bool {
    if der == other.der { return true }
    return oid == other.oid && scheme == other.scheme && scheme != nil
  }
}

extension SignatureScheme {
  /// The schemes that have keys of their own, and the OIDs of both.
  package static let identifiers: [(oid: OID, scheme: SignatureScheme)] =
    withOwnKeys.compactMap { scheme in
      scheme.ownKeys.map { (OID(stringLiteral: $0.oid), scheme) }
    }

  /// Returns the scheme whose own keys have an OID; nil if there is none.
  package init?(ofKeys oid: OID) {
    guard let row = SignatureScheme.identifiers.first(where: { $0.oid == oid }) else { return nil }
    self = row.scheme
  }
}

extension SignatureAlgorithm: CustomStringConvertible {
  /// `ECDSA with SHA-256`.
  public var description: String {
    if let scheme { return "\(scheme)" }
    return switch oid {
    case "1.3.6.1.4.1.44363.47.0": "proof in a Merkle tree"
    case "1.3.6.1.5.5.7.6.36": "no signature"  // RFC 9925 §3
    default: "unknown algorithm \(oid)"
    }
  }
}
