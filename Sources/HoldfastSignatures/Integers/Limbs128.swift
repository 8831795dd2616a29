internal import CHoldfastInstructions

// Word arithmetic of the fixed-width fields. Carries travel in the upper half of a 128-bit sum: the
// compiler turns such chains into mul/add/adc without branches, unlike `addingReportingOverflow` of
// single words. In long chains it may reorder the terms of a sum and then move carries through
// registers; a chain that begins with the overflow of a pair of words stays whole.

@inline(__always)
func wide(_ word: UInt64) -> UInt128 {
  UInt128(_low: word, _high: 0)
}

@inline(__always)
func low(_ sum: UInt128) -> UInt64 {
  sum._low
}

@inline(__always)
func high(_ sum: UInt128) -> UInt64 {
  sum._high
}

/// Returns `x + y + carry`; `carry` is 0 or 1, before and after. For the longest chains.
@inline(__always)
func addWithCarry(_ x: UInt64, _ y: UInt64, _ carry: inout UInt64) -> UInt64 {
  let sum = holdfast_add(x, y, carry)
  carry = sum.carry
  return sum.word
}

/// Returns `x - y - borrow`; `borrow` is 0 or 1, before and after.
@inline(__always)
func subtractWithBorrow(_ x: UInt64, _ y: UInt64, _ borrow: inout UInt64) -> UInt64 {
  let difference = holdfast_subtract(x, y, borrow)
  borrow = difference.carry
  return difference.word
}

/// Returns two words as one number.
@inline(__always)
func pair(_ lower: UInt64, _ upper: UInt64) -> UInt128 {
  wide(lower) | wide(upper) &<< 64
}

/// Returns `x + y` plus the carry in the upper half of the previous sum.
@inline(__always)
func add(_ x: UInt64, _ y: UInt64, carryOf before: UInt128) -> UInt128 {
  wide(x) &+ wide(y) &+ wide(high(before))
}

/// Returns `x - y` minus the borrow in the upper half of the previous difference.
@inline(__always)
func subtract(_ x: UInt64, _ y: UInt64, borrowOf before: UInt128) -> UInt128 {
  wide(x) &- wide(y) &- (before &>> 127)
}

/// Returns `x * y + addend + carry`, which always fits.
@inline(__always)
func multiply(_ x: UInt64, _ y: UInt64, plus addend: UInt64, carryOf before: UInt128) -> UInt128 {
  wide(x) &* wide(y) &+ wide(addend) &+ wide(high(before))
}

@inline(__always)
func multiply(_ x: UInt64, _ y: UInt64) -> UInt128 {
  wide(x) &* wide(y)
}

@inline(__always)
func multiplySigned(_ x: Int64, _ y: Int64) -> Int128 {
  Int128(truncatingIfNeeded: x) &* Int128(truncatingIfNeeded: y)
}

/// One row of a product of four limbs by four: five limbs, least significant first.
struct ProductRow {
  let l0: UInt64
  let l1: UInt64
  let l2: UInt64
  let l3: UInt64
  let l4: UInt64

  /// Computes factor * (r0, r1, r2, r3).
  @inline(__always)
  init(_ factor: UInt64, _ r0: UInt64, _ r1: UInt64, _ r2: UInt64, _ r3: UInt64) {
    let a0 = multiply(factor, r0)
    let a1 = multiply(factor, r1)
    let a2 = multiply(factor, r2)
    let a3 = multiply(factor, r3)
    let p1 = wide(low(a1)) &+ wide(high(a0))
    let p2 = add(low(a2), high(a1), carryOf: p1)
    let p3 = add(low(a3), high(a2), carryOf: p2)
    l0 = low(a0)
    l1 = low(p1)
    l2 = low(p2)
    l3 = low(p3)
    l4 = high(a3) &+ high(p3)
  }

  /// Computes the row plus the upper four limbs of the previous row. Two carry chains, one for the
  /// row and one for the sum, are shorter than a chain for each product.
  @inline(__always)
  init(_ factor: UInt64, _ r0: UInt64, _ r1: UInt64, _ r2: UInt64, _ r3: UInt64, plus before: Self)
  {
    let row = ProductRow(factor, r0, r1, r2, r3)
    let (s, carry) = pair(before.l1, before.l2).addingReportingOverflow(pair(row.l0, row.l1))
    let s2 = wide(before.l3) &+ wide(row.l2) &+ (carry ? 1 : 0)
    let s3 = add(before.l4, row.l3, carryOf: s2)
    l0 = low(s)
    l1 = high(s)
    l2 = low(s2)
    l3 = low(s3)
    l4 = row.l4 &+ high(s3)
  }
}

/// The square of four limbs: eight limbs, least significant first.
struct WideSquare {
  let l0: UInt64
  let l1: UInt64
  let l2: UInt64
  let l3: UInt64
  let l4: UInt64
  let l5: UInt64
  let l6: UInt64
  let l7: UInt64

  @inline(__always)
  init(_ r0: UInt64, _ r1: UInt64, _ r2: UInt64, _ r3: UInt64) {
    // The products of two different limbs once: those of r0, and the others, each in a chain of
    // carries; their sum; doubled; with the squares.
    let (c1, c2, c3) = (multiply(r0, r1), multiply(r0, r2), multiply(r0, r3))
    let (d3, d4, d5) = (multiply(r1, r2), multiply(r1, r3), multiply(r2, r3))
    let (q0, q1, q2, q3) = (multiply(r0, r0), multiply(r1, r1), multiply(r2, r2), multiply(r3, r3))
    var carry: UInt64 = 0
    let s2 = addWithCarry(low(c2), high(c1), &carry)
    let s3 = addWithCarry(low(c3), high(c2), &carry)
    let s4 = high(c3) &+ carry
    carry = 0
    let t4 = addWithCarry(low(d4), high(d3), &carry)
    let t5 = addWithCarry(low(d5), high(d4), &carry)
    let t6 = high(d5) &+ carry
    carry = 0
    let u3 = addWithCarry(s3, low(d3), &carry)
    let u4 = addWithCarry(s4, t4, &carry)
    let u5 = addWithCarry(t5, 0, &carry)
    let u6 = t6 &+ carry
    carry = 0
    let z1 = addWithCarry(low(c1), low(c1), &carry)
    let z2 = addWithCarry(s2, s2, &carry)
    let z3 = addWithCarry(u3, u3, &carry)
    let z4 = addWithCarry(u4, u4, &carry)
    let z5 = addWithCarry(u5, u5, &carry)
    let z6 = addWithCarry(u6, u6, &carry)
    let z7 = carry
    carry = 0
    l0 = low(q0)
    l1 = addWithCarry(z1, high(q0), &carry)
    l2 = addWithCarry(z2, low(q1), &carry)
    l3 = addWithCarry(z3, high(q1), &carry)
    l4 = addWithCarry(z4, low(q2), &carry)
    l5 = addWithCarry(z5, high(q2), &carry)
    l6 = addWithCarry(z6, low(q3), &carry)
    l7 = z7 &+ high(q3) &+ carry
  }
}

/// A number for any of the curves here, least significant limb first.
package typealias Limbs = InlineArray<9, UInt64>

/// Reads a number of at most 72 bytes, least significant byte first.
func limbs(littleEndian bytes: Span<UInt8>) -> Limbs {
  var result = Limbs(repeating: 0)
  for index in 0..<min(72, bytes.count) {
    result[index / 8] |= UInt64(bytes[index]) &<< UInt64(8 * (index % 8))
  }
  return result
}

/// Reads a number, most significant byte first; nil if it needs more than nine limbs.
func limbs(bigEndian bytes: Span<UInt8>) -> Limbs? {
  for index in 0..<max(bytes.count - 72, 0) where bytes[index] != 0 { return nil }
  return Limbs { Montgomery.limb(at: $0, bigEndian: bytes) }
}
