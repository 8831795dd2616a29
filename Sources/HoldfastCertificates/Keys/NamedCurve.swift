internal import HoldfastDER

/// A named elliptic curve. Keys with explicit curve parameters count as unknown keys:
/// RFC 5480 §2.1.1 forbids them.
public enum NamedCurve: Sendable, Hashable, CaseIterable {
  /// NIST P-192, which is too small for use.
  case p192
  /// NIST P-224.
  case p224
  /// NIST P-256.
  case p256
  /// NIST P-384.
  case p384
  /// NIST P-521.
  case p521
  /// The curve of SEC 2 §2.4.1.
  case secp256k1
  /// RFC 5639 §3.4.
  case brainpoolP256r1
  /// RFC 5639 §3.6.
  case brainpoolP384r1
  /// RFC 5639 §3.7.
  case brainpoolP512r1

  /// Returns the curve with an OID; nil if it is not supported.
  package init?(_ oid: OID) {
    guard let curve = NamedCurve.table[oid] else { return nil }
    self = curve
  }

  private static let table = OIDTable(allCases.map { ($0.row.oid, $0) })

  private var row: (oid: OID, name: String, bits: Int) {
    switch self {
    case .p192: (.p192, "P-192", 192)
    case .p224: (.p224, "P-224", 224)
    case .p256: (.p256, "P-256", 256)
    case .p384: (.p384, "P-384", 384)
    case .p521: (.p521, "P-521", 521)
    case .secp256k1: (.secp256k1, "secp256k1", 256)
    case .brainpoolP256r1: (.brainpoolP256r1, "brainpoolP256r1", 256)
    case .brainpoolP384r1: (.brainpoolP384r1, "brainpoolP384r1", 384)
    case .brainpoolP512r1: (.brainpoolP512r1, "brainpoolP512r1", 512)
    }
  }

  /// The size of the field in bits.
  public var bits: Int { row.bits }
}

extension NamedCurve: CustomStringConvertible {
  /// `P-256`.
  public var description: String { row.name }
}
