/// The width-w non-adjacent form of a number: odd signed digits between -2^(width-1) and
/// 2^(width-1), of which at most one in `width` adjacent positions is not zero.
package struct SignedDigits {
  /// Room for 521 bits, the carry and the remainder of the last chunk.
  @usableFromInline static let capacity = 576
  package private(set) var digits: InlineArray<576, Int16>
  /// One more than the highest position that is not zero.
  package private(set) var count: Int

  /// Recodes `limbs`, least significant first.
  package init(_ limbs: Limbs, bits: Int, width: Int) {
    digits = InlineArray(repeating: 0)
    count = 0
    append(limbs, at: 0, bits: bits, width: width)
  }

  /// Recodes `limbs`, least significant first, with the lowest digit at `start`, above all others.
  mutating func append(_ limbs: Limbs, at start: Int, bits: Int, width: Int) {
    var position = 0
    var carry: UInt64 = 0
    while position < bits {
      let (index, shift) = (position &>> 6, UInt64(truncatingIfNeeded: position & 63))
      guard index < 9 else { break }
      if limbs[index] &>> shift & 1 == carry {
        position = position &+ 1
        continue
      }
      let taken = min(width, bits &- position)
      var window = limbs[index] &>> shift
      if Int(truncatingIfNeeded: shift) &+ taken > 64, index &+ 1 < 9 {
        window |= limbs[index &+ 1] &<< (64 &- shift)
      }
      window = (window & ((1 &<< UInt64(truncatingIfNeeded: taken)) &- 1)) &+ carry
      // A digit above half is replaced by itself minus 2^width, with a carry of one.
      carry = window &>> UInt64(truncatingIfNeeded: width &- 1) & 1
      digits[start &+ position] =
        Int16(truncatingIfNeeded: window)
        &- Int16(truncatingIfNeeded: carry &<< UInt64(truncatingIfNeeded: width))
      count = start &+ position &+ 1
      position = position &+ taken
    }
    if carry == 1 {
      digits[start &+ bits] = 1
      count = start &+ bits &+ 1
    }
  }
}
