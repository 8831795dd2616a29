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

  /// The hash function applied to the message; nil if the scheme signs the message itself.
  package var hash: HashAlgorithm? {
    switch self {
    case .rsaPKCS1(let hash), .ecdsa(let hash): hash
    case .rsaPSS(let parameters): parameters.hash
    case .ed25519, .ed448, .mldsa: nil
    }
  }

  /// The length of the scheme's keys in bytes, and their size in bits if they are points of a
  /// curve; nil for RSA and ECDSA, whose keys serve several schemes.
  package var ownKeys: (length: Int, bits: Int?)? {
    switch self {
    case .rsaPKCS1, .rsaPSS, .ecdsa: nil
    case .ed25519: (32, 256)
    case .ed448: (57, 448)
    case .mldsa(let set): (set.keyLength, nil)
    }
  }
}

extension SignatureScheme: CustomStringConvertible {
  /// `ECDSA with SHA-256`.
  public var description: String {
    switch self {
    case .rsaPKCS1(let hash): "RSA with \(hash)"
    case .rsaPSS(let parameters):
      "RSASSA-PSS with \(parameters.hash), MGF1 \(parameters.maskHash), salt \(parameters.saltLength)"
    case .ecdsa(let hash): "ECDSA with \(hash)"
    case .ed25519: "Ed25519"
    case .ed448: "Ed448"
    case .mldsa(let set): "\(set)"
    }
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

  /// The name, and the length of a public key in bytes. FIPS 204 table 2.
  private var row: (name: String, keyLength: Int) {
    switch self {
    case .mldsa44: ("ML-DSA-44", 1_312)
    case .mldsa65: ("ML-DSA-65", 1_952)
    case .mldsa87: ("ML-DSA-87", 2_592)
    }
  }

  /// The length of a public key in bytes. FIPS 204 table 2.
  package var keyLength: Int { row.keyLength }
}

extension MLDSAParameterSet: CustomStringConvertible {
  /// `ML-DSA-44`.
  public var description: String { row.name }
}
