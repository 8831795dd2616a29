/// A named elliptic curve. Keys with explicit curve parameters count as unknown keys:
/// RFC 5480 §2.1.1 forbids them.
public enum NamedCurve: Sendable, Hashable, CaseIterable {
  /// NIST P-192, which is too small for use: signatures under its keys are not verified.
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

  /// The work of a verification is in operations of a budget: about one for each millisecond.
  private var row: (name: String, bits: Int, work: Int) {
    switch self {
    case .p192: ("P-192", 192, 1)
    case .p224: ("P-224", 224, 2)
    case .p256: ("P-256", 256, 1)
    case .p384: ("P-384", 384, 1)
    case .p521: ("P-521", 521, 1)
    case .secp256k1: ("secp256k1", 256, 2)
    case .brainpoolP256r1: ("brainpoolP256r1", 256, 2)
    case .brainpoolP384r1: ("brainpoolP384r1", 384, 4)
    case .brainpoolP512r1: ("brainpoolP512r1", 512, 10)
    }
  }

  /// The size in bits of the field, and of the group's order, which is the same for these curves.
  public var bits: Int { row.bits }

  /// The length of a coordinate in bytes. SEC 1 §2.3.5.
  package var coordinateLength: Int { (bits + 7) / 8 }

  /// How many operations of a budget a verification costs, about one for each millisecond.
  package var work: Int { row.work }
}

extension NamedCurve: CustomStringConvertible {
  /// `P-256`.
  public var description: String { row.name }
}
