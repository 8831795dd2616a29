/// The curves on which ECDSA signatures are verified.
package enum CurveID: Sendable, Hashable, CaseIterable {
  case p224
  case p256
  case p384
  case p521
  case secp256k1
  case brainpoolP256r1
  case brainpoolP384r1
  case brainpoolP512r1

  /// The length of a coordinate in bytes: SEC 1 §2.3.5.
  package var coordinateLength: Int {
    switch self {
    case .p224: 28
    case .p256, .secp256k1, .brainpoolP256r1: 32
    case .p384, .brainpoolP384r1: 48
    case .brainpoolP512r1: 64
    case .p521: 66
    }
  }

  /// The bit length of the group's order, which for these curves equals that of the field.
  package var orderBits: Int {
    self == .p521 ? 521 : coordinateLength * 8
  }
}
