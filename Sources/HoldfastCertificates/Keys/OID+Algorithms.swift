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

/// Algorithms that are known by name alone.
extension OID {
  /// The name of an algorithm that nothing verifies here, with what is true of it, and the section that
  /// defines it; the number of one that is not known.
  package var unsupportedAlgorithm: (name: String, citation: String?) {
    for row in OID.unsupportedAlgorithms {
      if row.last.contains(where: { OID("\(row.arc).\($0)") == self }) {
        return (row.name, row.citation)
      }
    }
    return ("algorithm \(self)", nil)
  }

  private static let unsupportedAlgorithms:
    [(arc: String, last: ClosedRange<Int>, name: String, citation: String?)] = [
      ("1.3.6.1.5.5.7.6", 36...36, "unsigned, which only a trust anchor may be", "RFC 9925 §4"),
      ("1.3.6.1.4.1.44363.47", 0...0, "proof of a Merkle Tree certificate" + notVerified, nil),
      ("1.3.6.1.5.5.7.6", 37...54, "composite ML-DSA" + notVerified, nil),
      ("2.16.840.1.101.3.4.3", 20...31, "SLH-DSA" + notVerified, "RFC 9909 §3"),
      ("2.16.840.1.101.3.4.3", 35...46, "HashSLH-DSA" + notVerified, "RFC 9909 §3"),
      ("2.16.840.1.101.3.4.3", 17...19, "ML-DSA with parameters, not absent", "RFC 9881 §2"),
      (
        "2.16.840.1.101.3.4.3", 32...34, "HashML-DSA, which no certificate may use", "RFC 9881 §8.3"
      ),
      ("2.16.840.1.101.3.4.3", 1...4, "DSA" + notVerified, "RFC 5758 §3.1"),
      ("2.16.840.1.101.3.4.4", 1...3, "ML-KEM, which signs nothing", "RFC 9935 §3"),
      ("1.2.840.113549.1.9.16.3", 17...17, "HSS/LMS" + notVerified, "RFC 9802 §4"),
      ("1.3.6.1.5.5.7.6", 34...35, "XMSS" + notVerified, "RFC 9802 §5"),
      ("1.2.840.10040.4", 1...3, "DSA" + notVerified, "RFC 3279 §2.2.2"),
      ("1.2.840.113549.1.1", 2...2, "RSA with MD2, which is broken", nil),
      ("1.2.840.113549.1.1", 4...4, "RSA with MD5, which is broken", nil),
      ("1.2.840.113549.1.1", 10...10, "RSASSA-PSS with unsupported parameters", "RFC 4055 §3.1"),
      ("1.3.101", 110...113, "curve key with parameters, not absent", "RFC 8410 §3"),
    ]
  private static let notVerified = ", which is not verified here"
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
