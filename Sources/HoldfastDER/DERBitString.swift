/// A BIT STRING: octets, of whose last one some low bits do not count.
public struct DERBitString: Sendable, Hashable {
  /// The octets, without the count of unused bits before them.
  public let octets: Octets

  /// How many low bits of the last octet do not count: 0 to 7, all of them zero.
  public let unusedBits: Int

  @inlinable
  package init(octets: Octets, unusedBits: Int) {
    self.octets = octets
    self.unusedBits = unusedBits
  }

  /// Whether a bit is set. Bit 0 is the highest of the first octet; bits beyond the end are not set.
  public subscript(bit: Int) -> Bool {
    guard bit >= 0, bit < octets.count * 8 else { return false }
    return octets[octets.startIndex + bit / 8] & (0x80 >> UInt8(bit % 8)) != 0
  }

  /// Whether the last bit is set, as X.690 §11.2.2 asks of a list of named bits.
  public var hasNoTrailingZeros: Bool {
    guard let last = octets.last else { return true }
    return last & (1 << UInt8(unusedBits)) != 0
  }
}
