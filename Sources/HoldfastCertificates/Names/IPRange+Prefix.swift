extension IPRange {
  /// A number that is equal for all addresses that agree in version and leading bits, for indices.
  package static func prefixHash(of address: IPAddress, _ prefixLength: Int) -> UInt64 {
    let highBits = address.isVersion6 ? min(prefixLength, 64) : 32 + prefixLength
    let lowBits = address.isVersion6 ? max(prefixLength - 64, 0) : 0
    // A shift by 64 gives zero in Swift, as it should for a prefix of no bits.
    let high = (address.high >> UInt64(64 - highBits)) << UInt64(64 - highBits)
    let low = (address.low >> UInt64(64 - lowBits)) << UInt64(64 - lowBits)
    let length = UInt64(prefixLength) &+ (address.isVersion6 ? 256 : 0)
    let mixed = (high ^ length) &* 0x9E37_79B9_7F4A_7C15 ^ low
    return (mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9
  }

  /// The same number for the block itself.
  package var prefixHash: UInt64 { IPRange.prefixHash(of: address, prefixLength) }
}
