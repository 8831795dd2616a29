/// A scalar k of Ed25519 as a fraction of two numbers of about half its length: the denominator times
/// k is the numerator, or its opposite, modulo 8 * L, the number of points of edwards25519.
///
/// The denominator is odd and less than L, a prime, so it has no factor in common with 8 * L: a point
/// is neutral if and only if its multiple by the denominator is. Both numbers have about 127 bits for
/// most scalars; the numerator may have up to 256.
struct HalvedScalar {
  let numerator: UInt256
  let denominator: UInt256
  let isNegative: Bool

  /// Reads a scalar below L, and computes the fraction by Euclid's algorithm, which subtracts a power of
  /// two times the smaller number in place of a division, and ends at half the length.
  init(_ k: Limbs) {
    // 8 * L divides a + x * k and b - y * k, or a - x * k and b + y * k if they are exchanged. The sum
    // of a * y and b * x is 8 * L, so x is less than 2^128 while b has more bits.
    var a = UInt256(
      upper: 1 &<< 127, lower: pair(0xc093_18d2_e7ae_9f68, 0xa6f7_cef5_17bc_e6b2))
    var b = UInt256(upper: pair(k[2], k[3]), lower: pair(k[0], k[1]))
    var x = UInt256(upper: 0, lower: 0)
    var y = UInt256(upper: 0, lower: 1)
    var isExchanged = false
    while b.upper != 0 {
      // b is at most a. Shifted to the length of a it may be above it; by a bit less it is not.
      var shift = b.upper.leadingZeroBitCount - a.upper.leadingZeroBitCount
      if a < b.shifted(by: shift) { shift -= 1 }
      a = a.minus(b.shifted(by: shift))
      x.lower = x.lower &+ y.shifted(by: shift).lower
      if a < b {
        (a, b, x, y) = (b, a, y, x)
        isExchanged.toggle()
      }
    }
    // One of x and y is odd, because a step keeps what is in common to both: 1 at the beginning.
    let takesB = y.lower & 1 == 1
    numerator = takesB ? b : a
    denominator = takesB ? y : x
    isNegative = takesB == isExchanged
  }
}

/// A number of 256 bits.
struct UInt256 {
  var upper: UInt128
  var lower: UInt128

  @inline(__always)
  static func < (left: UInt256, right: UInt256) -> Bool {
    left.upper < right.upper || left.upper == right.upper && left.lower < right.lower
  }

  /// Returns the number times 2^shift, for a shift below 128, modulo 2^256.
  @inline(__always)
  func shifted(by shift: Int) -> UInt256 {
    let count = UInt128(truncatingIfNeeded: shift)
    return UInt256(
      upper: upper &<< count | (lower &>> 1) &>> (127 &- count), lower: lower &<< count)
  }

  /// Returns the number minus one that is not above it.
  @inline(__always)
  func minus(_ other: UInt256) -> UInt256 {
    let (difference, borrow) = lower.subtractingReportingOverflow(other.lower)
    return UInt256(upper: upper &- other.upper &- (borrow ? 1 : 0), lower: difference)
  }

  var bitCount: Int {
    upper == 0 ? 128 - lower.leadingZeroBitCount : 256 - upper.leadingZeroBitCount
  }

  var limbs: Limbs {
    [low(lower), high(lower), low(upper), high(upper), 0, 0, 0, 0, 0]
  }
}
