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
  /// An X25519 key. RFC 8410 §3.
  package static let x25519: OID = "1.3.101.110"
  /// An X448 key. RFC 8410 §3.
  package static let x448: OID = "1.3.101.111"
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

  /// RFC 5480 §2.1.1.1, SEC 2 §2.4.1, RFC 5639 §4.1.
  package var oid: OID {
    switch self {
    case .p192: "1.2.840.10045.3.1.1"
    case .p224: "1.3.132.0.33"
    case .p256: "1.2.840.10045.3.1.7"
    case .p384: "1.3.132.0.34"
    case .p521: "1.3.132.0.35"
    case .secp256k1: "1.3.132.0.10"
    case .brainpoolP256r1: "1.3.36.3.3.2.8.1.1.7"
    case .brainpoolP384r1: "1.3.36.3.3.2.8.1.1.11"
    case .brainpoolP512r1: "1.3.36.3.3.2.8.1.1.13"
    }
  }
}

extension HashAlgorithm {
  /// The OID of SHA-1. RFC 3279 §2.1.
  static let sha1Identifier: OID = "1.3.14.3.2.26"

  /// The OIDs of the hash functions that certificates and OCSP use. RFC 4055 §2.1, FIPS 180-4.
  static let identifiers: [(hash: HashAlgorithm, oid: OID)] = [
    (.sha1, sha1Identifier),
    (.sha224, "2.16.840.1.101.3.4.2.4"),
    (.sha256, "2.16.840.1.101.3.4.2.1"),
    (.sha384, "2.16.840.1.101.3.4.2.2"),
    (.sha512, "2.16.840.1.101.3.4.2.3"),
    (.sha512_224, "2.16.840.1.101.3.4.2.5"),
    (.sha512_256, "2.16.840.1.101.3.4.2.6"),
  ]
}
