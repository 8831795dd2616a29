package import HoldfastDER
package import HoldfastHashes

/// Key types and their parameters.
extension OID {
  /// An RSA key. RFC 3279 §2.3.1.
  package static let rsaEncryption: OID = "1.2.840.113549.1.1.1"
  /// RSASSA-PSS, for keys and signatures. RFC 4055 §3.1.
  package static let rsaPSS: OID = "1.2.840.113549.1.1.10"
  /// The mask generation function of PSS. RFC 4055 §2.2.
  package static let mgf1: OID = "1.2.840.113549.1.1.8"
  /// An elliptic curve key. RFC 5480 §2.1.1.
  package static let ecPublicKey: OID = "1.2.840.10045.2.1"
  /// The curve P-192. RFC 5480 §2.1.1.1.
  package static let p192: OID = "1.2.840.10045.3.1.1"
  /// The curve P-256. RFC 5480 §2.1.1.1.
  package static let p256: OID = "1.2.840.10045.3.1.7"
  /// The curve P-224. RFC 5480 §2.1.1.1.
  package static let p224: OID = "1.3.132.0.33"
  /// The curve P-384. RFC 5480 §2.1.1.1.
  package static let p384: OID = "1.3.132.0.34"
  /// The curve P-521. RFC 5480 §2.1.1.1.
  package static let p521: OID = "1.3.132.0.35"
  /// The curve secp256k1. SEC 2 §2.4.1.
  package static let secp256k1: OID = "1.3.132.0.10"
  /// The curve brainpoolP256r1. RFC 5639 §4.1.
  package static let brainpoolP256r1: OID = "1.3.36.3.3.2.8.1.1.7"
  /// The curve brainpoolP384r1. RFC 5639 §4.1.
  package static let brainpoolP384r1: OID = "1.3.36.3.3.2.8.1.1.11"
  /// The curve brainpoolP512r1. RFC 5639 §4.1.
  package static let brainpoolP512r1: OID = "1.3.36.3.3.2.8.1.1.13"
  /// An X25519 key. RFC 8410 §3.
  package static let x25519: OID = "1.3.101.110"
  /// An X448 key. RFC 8410 §3.
  package static let x448: OID = "1.3.101.111"
  /// Ed25519, for keys and signatures. RFC 8410 §3.
  package static let ed25519: OID = "1.3.101.112"
  /// Ed448, for keys and signatures. RFC 8410 §3.
  package static let ed448: OID = "1.3.101.113"
  /// ML-DSA-44, for keys and signatures. RFC 9881 §2.
  package static let mldsa44: OID = "2.16.840.1.101.3.4.3.17"
  /// ML-DSA-65, for keys and signatures. RFC 9881 §2.
  package static let mldsa65: OID = "2.16.840.1.101.3.4.3.18"
  /// ML-DSA-87, for keys and signatures. RFC 9881 §2.
  package static let mldsa87: OID = "2.16.840.1.101.3.4.3.19"
  /// A DSA key. RFC 3279 §2.3.2.
  package static let dsa: OID = "1.2.840.10040.4.1"
}

extension NamedCurve {
  /// Returns the curve with an OID; nil if it is not supported.
  package init?(_ oid: OID) {
    guard let curve = NamedCurve.table[oid] else { return nil }
    self = curve
  }

  private static let table = OIDTable(allCases.map { ($0.oid, $0) })

  private var oid: OID {
    switch self {
    case .p192: .p192
    case .p224: .p224
    case .p256: .p256
    case .p384: .p384
    case .p521: .p521
    case .secp256k1: .secp256k1
    case .brainpoolP256r1: .brainpoolP256r1
    case .brainpoolP384r1: .brainpoolP384r1
    case .brainpoolP512r1: .brainpoolP512r1
    }
  }
}

extension MLDSAParameterSet {
  /// Returns the parameter set with an OID; nil if there is none.
  package init?(_ oid: OID) {
    guard let set = MLDSAParameterSet.allCases.first(where: { $0.oid == oid }) else { return nil }
    self = set
  }

  /// The OID of keys and signatures. RFC 9881 §2.
  var oid: OID {
    switch self {
    case .mldsa44: .mldsa44
    case .mldsa65: .mldsa65
    case .mldsa87: .mldsa87
    }
  }
}

/// Signature algorithms. RFC 3279, RFC 4055, RFC 5758, FIPS 202.
extension OID {
  /// SHA-1 with RSA.
  package static let sha1WithRSA: OID = "1.2.840.113549.1.1.5"
  /// SHA-256 with RSA.
  package static let sha256WithRSA: OID = "1.2.840.113549.1.1.11"
  /// SHA-384 with RSA.
  package static let sha384WithRSA: OID = "1.2.840.113549.1.1.12"
  /// SHA-512 with RSA.
  package static let sha512WithRSA: OID = "1.2.840.113549.1.1.13"
  /// SHA-224 with RSA.
  package static let sha224WithRSA: OID = "1.2.840.113549.1.1.14"
  /// SHA-512/224 with RSA. RFC 8017 appendix C.
  package static let sha512_224WithRSA: OID = "1.2.840.113549.1.1.15"
  /// SHA-512/256 with RSA. RFC 8017 appendix C.
  package static let sha512_256WithRSA: OID = "1.2.840.113549.1.1.16"
  /// SHA-1 with RSA, an older OID.
  package static let sha1WithRSASignature: OID = "1.3.14.3.2.29"
  /// ECDSA with SHA-1.
  package static let ecdsaWithSHA1: OID = "1.2.840.10045.4.1"
  /// ECDSA with SHA-224.
  package static let ecdsaWithSHA224: OID = "1.2.840.10045.4.3.1"
  /// ECDSA with SHA-256.
  package static let ecdsaWithSHA256: OID = "1.2.840.10045.4.3.2"
  /// ECDSA with SHA-384.
  package static let ecdsaWithSHA384: OID = "1.2.840.10045.4.3.3"
  /// ECDSA with SHA-512.
  package static let ecdsaWithSHA512: OID = "1.2.840.10045.4.3.4"
}

/// Hash functions. RFC 4055 §2.1, FIPS 202.
extension OID {
  /// SHA-1.
  package static let sha1: OID = "1.3.14.3.2.26"
  /// SHA-256.
  package static let sha256: OID = "2.16.840.1.101.3.4.2.1"
  /// SHA-384.
  package static let sha384: OID = "2.16.840.1.101.3.4.2.2"
  /// SHA-512.
  package static let sha512: OID = "2.16.840.1.101.3.4.2.3"
  /// SHA-224.
  package static let sha224: OID = "2.16.840.1.101.3.4.2.4"
  /// SHA-512/224.
  package static let sha512_224: OID = "2.16.840.1.101.3.4.2.5"
  /// SHA-512/256.
  package static let sha512_256: OID = "2.16.840.1.101.3.4.2.6"
}
