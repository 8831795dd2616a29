internal import HoldfastCertificates

extension SignatureChecks {
  /// How many operations of the budget a signature under a key costs: as many as it takes
  /// milliseconds or so, and one for all keys that the web has. A hundred of the worst, an RSA key of
  /// 16,384 bits with the longest exponent, would take half a second.
  static func work(under key: PublicKey.Kind) -> Int {
    switch key {
    case .rsa(let modulus, let exponent), .rsaPSS(let modulus, let exponent, _):
      // Up to 4,096 bits no exponent makes it two; what is longer than 16,384 is not verified.
      guard 514...2_049 ~= modulus.count else { return 1 }
      let limbs = (modulus.count + 6) / 8
      return 1 + limbs * limbs * products(exponent) / (128 * 128 * 32)
    case .ec(.p224, _), .ec(.secp256k1, _), .ec(.brainpoolP256r1, _): return 2
    case .ec(.brainpoolP384r1, _): return 4
    case .ec(.brainpoolP512r1, _): return 10
    default: return 1
    }
  }

  /// How many squares and products a power takes: one for each bit, one for each that is set.
  private static func products(_ exponent: Octets) -> Int {
    // Exponents of more than 33 bits are not verified with.
    let power = exponent.suffix(5).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return UInt64.bitWidth - power.leadingZeroBitCount + power.nonzeroBitCount
  }
}
