/// How a signature is made: everything but the key that is needed to verify it.
@nonexhaustive
public enum SignatureScheme: Sendable, Hashable {
  /// RSASSA-PKCS1-v1_5. RFC 4055 §5.
  case rsaPKCS1(HashAlgorithm)
  /// RSASSA-PSS. RFC 4055 §3.
  case rsaPSS(PSSParameters)
  /// ECDSA; the signature is the DER of an ECDSA-Sig-Value. RFC 5758 §3.2.
  case ecdsa(HashAlgorithm)
  /// Ed25519. RFC 8410 §3.
  case ed25519
  /// Ed448. RFC 8410 §3.
  case ed448
  /// ML-DSA. RFC 9881 §2.
  case mldsa(MLDSAParameterSet)

  /// The hash function applied to the message, or the keys that the scheme has of its own.
  private var row: (name: String, hash: HashAlgorithm?, ownKeys: OwnKeys?) {
    switch self {
    case .rsaPKCS1(let hash): ("RSA", hash, nil)
    case .rsaPSS(let parameters): ("RSASSA-PSS", parameters.hash, nil)
    case .ecdsa(let hash): ("ECDSA", hash, nil)
    case .ed25519: ("Ed25519", nil, OwnKeys(oid: "1.3.101.112", length: 32, bits: 256))
    case .ed448: ("Ed448", nil, OwnKeys(oid: "1.3.101.113", length: 57, bits: 448))
    case .mldsa(let set): (set.description, nil, set.keys)
    }
  }

  /// The schemes that have keys of their own. Keys and signatures are read by this list.
  package static let withOwnKeys: [SignatureScheme] =
    [.ed25519, .ed448]
    + MLDSAParameterSet.allCases.map { .mldsa($0) }

  /// The hash function applied to the message; nil if the scheme signs the message itself.
  package var hash: HashAlgorithm? { row.hash }

  /// The keys of the scheme; nil for RSA and ECDSA, whose keys serve several schemes.
  package var ownKeys: OwnKeys? { row.ownKeys }
}

/// The keys of a scheme that has keys of its own.
package struct OwnKeys: Sendable {
  /// The OID of keys and signatures. RFC 8410 §3, RFC 9881 §2.
  package let oid: StaticString

  /// The length of a key in bytes.
  package let length: Int

  /// The size in bits if the keys are points of a curve.
  package var bits: Int?
}

extension SignatureScheme: CustomStringConvertible {
  /// `ECDSA with SHA-256`.
  public var description: String {
    let row = row
    guard let hash = row.hash else { return row.name }
    guard case .rsaPSS(let parameters) = self else { return "\(row.name) with \(hash)" }
    return "\(row.name) with \(hash), MGF1 \(parameters.maskHash), salt \(parameters.saltLength)"
  }
}

/// The parameters of RSASSA-PSS. RFC 4055 §3.1.
public struct PSSParameters: Sendable, Hashable {
  /// The hash function for the message.
  public let hash: HashAlgorithm

  /// The hash function for the mask generation function, which is always MGF1.
  public let maskHash: HashAlgorithm

  /// The salt length in bytes.
  public let saltLength: Int

  /// Creates parameters from their parts.
  package init(hash: HashAlgorithm, maskHash: HashAlgorithm, saltLength: Int) {
    self.hash = hash
    self.maskHash = maskHash
    self.saltLength = saltLength
  }

  /// Whether a key with these parameters may verify a signature with `other`: the key prescribes
  /// the functions and the shortest salt. RFC 4055 §3.3.
  package func admits(_ other: PSSParameters) -> Bool {
    hash == other.hash && maskHash == other.maskHash && saltLength <= other.saltLength
  }
}

/// A parameter set of ML-DSA. FIPS 204 §4.
public enum MLDSAParameterSet: Sendable, Hashable, CaseIterable {
  /// ML-DSA-44.
  case mldsa44
  /// ML-DSA-65.
  case mldsa65
  /// ML-DSA-87.
  case mldsa87

  /// The lengths are those of FIPS 204 table 2.
  private var row: (name: String, keys: OwnKeys) {
    switch self {
    case .mldsa44: ("ML-DSA-44", OwnKeys(oid: "2.16.840.1.101.3.4.3.17", length: 1_312))
    case .mldsa65: ("ML-DSA-65", OwnKeys(oid: "2.16.840.1.101.3.4.3.18", length: 1_952))
    case .mldsa87: ("ML-DSA-87", OwnKeys(oid: "2.16.840.1.101.3.4.3.19", length: 2_592))
    }
  }

  /// The keys of the parameter set.
  package var keys: OwnKeys { row.keys }
}

extension MLDSAParameterSet: CustomStringConvertible {
  /// `ML-DSA-44`.
  public var description: String { row.name }
}
