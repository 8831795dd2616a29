// Word arithmetic of the fixed-width fields. Carries travel in the upper half of a 128-bit sum:
// the compiler turns such chains into mul/add/adc without a branch, which it does not do for
// `addingReportingOverflow`.

@inline(__always)
func wide(_ word: UInt64) -> UInt128 {
  UInt128(truncatingIfNeeded: word)
}

@inline(__always)
func low(_ sum: UInt128) -> UInt64 {
  UInt64(truncatingIfNeeded: sum)
}

@inline(__always)
func high(_ sum: UInt128) -> UInt64 {
  UInt64(truncatingIfNeeded: sum &>> 64)
}

/// `x + y` plus the carry that the sum before it left in its upper half.
@inline(__always)
func add(_ x: UInt64, _ y: UInt64, carryOf before: UInt128) -> UInt128 {
  wide(x) &+ wide(y) &+ wide(high(before))
}

/// `x - y` minus the borrow that the difference before it left in its upper half.
@inline(__always)
func subtract(_ x: UInt64, _ y: UInt64, borrowOf before: UInt128) -> UInt128 {
  wide(x) &- wide(y) &- (before &>> 127)
}

/// `x * y + addend + carry`, which always fits.
@inline(__always)
func multiply(_ x: UInt64, _ y: UInt64, plus addend: UInt64, carryOf before: UInt128) -> UInt128 {
  wide(x) &* wide(y) &+ wide(addend) &+ wide(high(before))
}

@inline(__always)
func multiply(_ x: UInt64, _ y: UInt64) -> UInt128 {
  wide(x) &* wide(y)
}

/// Room for a number of any of the curves here, least significant limb first.
package typealias Limbs = InlineArray<9, UInt64>

/// Reads a number of which the most significant octet comes first; nil if it takes more than
/// nine limbs.
func limbs(bigEndian octets: Span<UInt8>) -> Limbs? {
  var result = Limbs(repeating: 0)
  var shift: UInt64 = 0
  var index = 0
  for position in stride(from: octets.count &- 1, through: 0, by: -1) {
    let octet = UInt64(octets[position])
    if index < 9 {
      result[index] |= octet &<< shift
    } else if octet != 0 {
      return nil
    }
    shift = (shift &+ 8) & 63
    if shift == 0 { index = index &+ 1 }
  }
  return result
}
