public import HoldfastDER

/// An elliptic curve that has a name. Keys with written-out parameters are read as unknown keys:
/// RFC 5480 §2.1.1 forbids them.
public enum NamedCurve: Sendable, Hashable, CaseIterable {
  /// NIST P-192, too small to be used.
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

  /// The curve with this identifier, if it is one of these.
  public init?(_ oid: OID) {
    switch oid {
    case .p256: self = .p256
    case .p384: self = .p384
    case .p521: self = .p521
    case .p224: self = .p224
    case .p192: self = .p192
    case .secp256k1: self = .secp256k1
    case .brainpoolP256r1: self = .brainpoolP256r1
    case .brainpoolP384r1: self = .brainpoolP384r1
    case .brainpoolP512r1: self = .brainpoolP512r1
    default: return nil
    }
  }

  /// The size of the field in bits.
  public var bits: Int {
    switch self {
    case .p192: 192
    case .p224: 224
    case .p256, .secp256k1, .brainpoolP256r1: 256
    case .p384, .brainpoolP384r1: 384
    case .brainpoolP512r1: 512
    case .p521: 521
    }
  }
}

extension NamedCurve: CustomStringConvertible {
  /// `P-256`.
  public var description: String {
    switch self {
    case .p192: "P-192"
    case .p224: "P-224"
    case .p256: "P-256"
    case .p384: "P-384"
    case .p521: "P-521"
    case .secp256k1: "secp256k1"
    case .brainpoolP256r1: "brainpoolP256r1"
    case .brainpoolP384r1: "brainpoolP384r1"
    case .brainpoolP512r1: "brainpoolP512r1"
    }
  }
}
