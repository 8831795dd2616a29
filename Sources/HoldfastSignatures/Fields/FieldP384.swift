/// An element of the field of P-384 in Montgomery form, R = 2^384. FIPS 186-5 and SP 800-186
/// §3.2.1.4: p = 2^384 - 2^128 - 2^96 + 2^32 - 1.
///
/// The multiple of p that clears the lowest limb is that limb times 2^32 + 1 times p, which a few
/// shifts compute.
package struct FieldP384: FixedField {
  var l0: UInt64
  var l1: UInt64
  var l2: UInt64
  var l3: UInt64
  var l4: UInt64
  var l5: UInt64

  @inline(__always)
  init(_ l0: UInt64, _ l1: UInt64, _ l2: UInt64, _ l3: UInt64, _ l4: UInt64, _ l5: UInt64) {
    self.l0 = l0
    self.l1 = l1
    self.l2 = l2
    self.l3 = l3
    self.l4 = l4
    self.l5 = l5
  }

  package static var bitCount: Int { 384 }
  package static var modulus: [UInt64] { [p0, p1, p2, .max, .max, .max] }
  @inline(__always) private static var p0: UInt64 { 0xffff_ffff }
  @inline(__always) private static var p1: UInt64 { 0xffff_ffff_0000_0000 }
  @inline(__always) private static var p2: UInt64 { 0xffff_ffff_ffff_fffe }
  private static var modulusLimbs: InlineArray<6, UInt64> {
    [p0, p1, p2, .max, .max, .max]
  }
  package static var zero: FieldP384 { FieldP384(0, 0, 0, 0, 0, 0) }
  /// R mod p.
  package static var one: FieldP384 {
    FieldP384(0xffff_ffff_0000_0001, 0xffff_ffff, 1, 0, 0, 0)
  }
  /// R^2 mod p: multiplying by it converts a number to Montgomery form.
  private static var square: FieldP384 {
    FieldP384(
      0xffff_fffe_0000_0001, 0x2_0000_0000, 0xffff_fffe_0000_0000, 0x2_0000_0000, 1, 0)
  }

  package init?(limbs: Limbs) {
    let number = FieldP384(limbs[0], limbs[1], limbs[2], limbs[3], limbs[4], limbs[5])
    guard limbs[6] | limbs[7] | limbs[8] == 0, number.isBelowModulus else { return nil }
    self = number * FieldP384.square
  }

  private var isBelowModulus: Bool {
    if l5 & l4 & l3 != .max { return true }
    if l2 != FieldP384.p2 { return l2 < FieldP384.p2 }
    if l1 != FieldP384.p1 { return l1 < FieldP384.p1 }
    return l0 < FieldP384.p0
  }

  package var isZero: Bool {
    @inline(__always) get {
      (l0 | l1 | l2 | l3 | l4 | l5) == 0
        || (l0 == FieldP384.p0 && l1 == FieldP384.p1 && l2 == FieldP384.p2
          && l3 & l4 & l5 == .max)
    }
  }

  /// Returns the inverse, by an extended Euclidean algorithm: a third of the time of a power.
  package func inverted() -> FieldP384 {
    let value: InlineArray<6, UInt64> = [l0, l1, l2, l3, l4, l5]
    guard let inverse = LimbArithmetic.inverse(of: value, modulo: FieldP384.modulusLimbs) else {
      return .zero
    }
    // The inverse of xR is 1/(xR): two factors R are missing.
    let number = FieldP384(inverse[0], inverse[1], inverse[2], inverse[3], inverse[4], inverse[5])
    return number * FieldP384.square * FieldP384.square
  }

  package var canonicalLimbs: [UInt64] {
    var number = plain
    if !number.isBelowModulus {
      var flag: UInt64 = 1
      number = number.plusComplement(&flag)
    }
    return [number.l0, number.l1, number.l2, number.l3, number.l4, number.l5]
  }

  /// The number itself, not times R, within the limbs.
  private var plain: FieldP384 { self * FieldP384(1, 0, 0, 0, 0, 0) }

  /// The number in limbs of 48 bits.
  var limbs48: [8 of UInt64] {
    let (mask, n) = (1 &<< 48 &- 1 as UInt64, plain)
    return [
      n.l0 & mask, (n.l0 &>> 48 | n.l1 &<< 16) & mask, (n.l1 &>> 32 | n.l2 &<< 32) & mask,
      n.l2 &>> 16,
      n.l3 & mask, (n.l3 &>> 48 | n.l4 &<< 16) & mask, (n.l4 &>> 32 | n.l5 &<< 32) & mask,
      n.l5 &>> 16,
    ]
  }

  /// Creates an element from limbs of 48 bits, which may be exceeded by a few bits.
  init(limbs48 limbs: [8 of UInt64]) {
    let s0 = wide(limbs[0]) &+ wide(limbs[1] &<< 48)
    let s1 = add(limbs[1] &>> 16, limbs[2] &<< 32, carryOf: s0)
    let s2 = add(limbs[2] &>> 32, limbs[3] &<< 16, carryOf: s1)
    let s3 = add(limbs[3] &>> 48 &+ limbs[4], limbs[5] &<< 48, carryOf: s2)
    let s4 = add(limbs[5] &>> 16, limbs[6] &<< 32, carryOf: s3)
    let s5 = add(limbs[6] &>> 32, limbs[7] &<< 16, carryOf: s4)
    let number = FieldP384(low(s0), low(s1), low(s2), low(s3), low(s4), low(s5))
    // What is above 2^384 is times R.
    let above = FieldP384(limbs[7] &>> 48 &+ high(s5), 0, 0, 0, 0, 0)
    self = (number + above * FieldP384.square) * FieldP384.square
  }

  /// Returns the low 384 bits of self + flag * (2^384 - p): subtracts p after a dropped carry.
  @inline(__always)
  private func plusComplement(_ flag: inout UInt64) -> FieldP384 {
    let mask = 0 &- flag
    let complement = FieldP384(mask & 0xffff_ffff_0000_0001, mask & 0xffff_ffff, flag, 0, 0, 0)
    flag = 0
    return plus(complement, &flag)
  }

  /// Returns the low 384 bits of self - flag * (2^384 - p), which adds p if a borrow was dropped.
  @inline(__always)
  private func minusComplement(_ flag: inout UInt64) -> FieldP384 {
    let mask = 0 &- flag
    let complement = FieldP384(mask & 0xffff_ffff_0000_0001, mask & 0xffff_ffff, flag, 0, 0, 0)
    flag = 0
    return minus(complement, &flag)
  }

  /// Returns the low 384 bits of self + other + carry, and sets `carry` to the carry out.
  @inline(__always)
  private func plus(_ other: FieldP384, _ carry: inout UInt64) -> FieldP384 {
    let s0 = addWithCarry(l0, other.l0, &carry)
    let s1 = addWithCarry(l1, other.l1, &carry)
    let s2 = addWithCarry(l2, other.l2, &carry)
    let s3 = addWithCarry(l3, other.l3, &carry)
    let s4 = addWithCarry(l4, other.l4, &carry)
    return FieldP384(s0, s1, s2, s3, s4, addWithCarry(l5, other.l5, &carry))
  }

  /// Returns the low 384 bits of self - other - borrow, and sets `borrow` to the borrow out.
  @inline(__always)
  private func minus(_ other: FieldP384, _ borrow: inout UInt64) -> FieldP384 {
    let d0 = subtractWithBorrow(l0, other.l0, &borrow)
    let d1 = subtractWithBorrow(l1, other.l1, &borrow)
    let d2 = subtractWithBorrow(l2, other.l2, &borrow)
    let d3 = subtractWithBorrow(l3, other.l3, &borrow)
    let d4 = subtractWithBorrow(l4, other.l4, &borrow)
    return FieldP384(d0, d1, d2, d3, d4, subtractWithBorrow(l5, other.l5, &borrow))
  }

  @inline(__always)
  package static func + (left: FieldP384, right: FieldP384) -> FieldP384 {
    var carry: UInt64 = 0
    var sum = left.plus(right, &carry).plusComplement(&carry)
    // Both terms were above p: once in 2^128 values, so a branch costs nothing.
    if carry != 0 { sum = sum.plusComplement(&carry) }
    return sum
  }

  @inline(__always)
  package static func - (left: FieldP384, right: FieldP384) -> FieldP384 {
    var borrow: UInt64 = 0
    var difference = left.minus(right, &borrow).minusComplement(&borrow)
    if borrow != 0 { difference = difference.minusComplement(&borrow) }
    return difference
  }

  @inline(__always)
  package func halved() -> FieldP384 {
    let mask = 0 &- (l0 & 1)
    var carry: UInt64 = 0
    let sum = plus(
      FieldP384(
        mask & FieldP384.p0, mask & FieldP384.p1, mask & FieldP384.p2, mask, mask, mask), &carry)
    return FieldP384(
      sum.l0 &>> 1 | sum.l1 &<< 63, sum.l1 &>> 1 | sum.l2 &<< 63,
      sum.l2 &>> 1 | sum.l3 &<< 63, sum.l3 &>> 1 | sum.l4 &<< 63,
      sum.l4 &>> 1 | sum.l5 &<< 63, sum.l5 &>> 1 | carry &<< 63)
  }
}

extension FieldP384 {
  @inline(never)
  package static func * (left: FieldP384, right: FieldP384) -> FieldP384 {
    let r0 = Row(left.l0, right)
    let r1 = Row(left.l1, right, plus: r0)
    let r2 = Row(left.l2, right, plus: r1)
    let r3 = Row(left.l3, right, plus: r2)
    let r4 = Row(left.l4, right, plus: r3)
    let r5 = Row(left.l5, right, plus: r4)
    return FieldP384(r0.lowest, r1.lowest, r2.lowest, r3.lowest, r4.lowest, r5.lowest)
      .reduced(with: r5.upper)
  }

  /// A row of a product: a limb times six limbs, in seven limbs.
  private struct Row {
    let lowest: UInt64
    let upper: FieldP384

    @inline(__always)
    init(_ factor: UInt64, _ row: FieldP384) {
      let p0 = multiply(factor, row.l0)
      let p1 = multiply(factor, row.l1)
      let p2 = multiply(factor, row.l2)
      let p3 = multiply(factor, row.l3)
      let p4 = multiply(factor, row.l4)
      let p5 = multiply(factor, row.l5)
      var carry: UInt64 = 0
      let s1 = addWithCarry(low(p1), high(p0), &carry)
      let s2 = addWithCarry(low(p2), high(p1), &carry)
      let s3 = addWithCarry(low(p3), high(p2), &carry)
      let s4 = addWithCarry(low(p4), high(p3), &carry)
      let s5 = addWithCarry(low(p5), high(p4), &carry)
      lowest = low(p0)
      upper = FieldP384(s1, s2, s3, s4, s5, high(p5) &+ carry)
    }

    /// Creates a row plus the upper limbs of the previous row.
    @inline(__always)
    init(_ factor: UInt64, _ row: FieldP384, plus before: Row) {
      let own = Row(factor, row)
      var carry: UInt64 = 0
      lowest = addWithCarry(own.lowest, before.upper.l0, &carry)
      let s1 = addWithCarry(own.upper.l0, before.upper.l1, &carry)
      let s2 = addWithCarry(own.upper.l1, before.upper.l2, &carry)
      let s3 = addWithCarry(own.upper.l2, before.upper.l3, &carry)
      let s4 = addWithCarry(own.upper.l3, before.upper.l4, &carry)
      let s5 = addWithCarry(own.upper.l4, before.upper.l5, &carry)
      upper = FieldP384(s1, s2, s3, s4, s5, own.upper.l5 &+ carry)
    }
  }

  @inline(never)
  package func squared() -> FieldP384 {
    // Each product of two different limbs once, row by row.
    let c1 = multiply(l0, l1)
    let c2 = multiply(l0, l2) &+ wide(high(c1))
    let c3 = multiply(l0, l3) &+ wide(high(c2))
    let c4 = multiply(l0, l4) &+ wide(high(c3))
    let c5 = multiply(l0, l5) &+ wide(high(c4))
    let d3 = multiply(l1, l2) &+ wide(low(c3))
    let d4 = multiply(l1, l3, plus: low(c4), carryOf: d3)
    let d5 = multiply(l1, l4, plus: low(c5), carryOf: d4)
    let d6 = multiply(l1, l5, plus: high(c5), carryOf: d5)
    let e5 = multiply(l2, l3) &+ wide(low(d5))
    let e6 = multiply(l2, l4, plus: low(d6), carryOf: e5)
    let e7 = multiply(l2, l5, plus: high(d6), carryOf: e6)
    let f7 = multiply(l3, l4) &+ wide(low(e7))
    let f8 = multiply(l3, l5, plus: high(e7), carryOf: f7)
    let g9 = multiply(l4, l5) &+ wide(high(f8))
    // Twice that, plus the squares.
    var carry: UInt64 = 0
    let lower = FieldP384(0, low(c1), low(c2), low(d3), low(d4), low(e5))
    let upper = FieldP384(low(e6), low(f7), low(f8), low(g9), high(g9), 0)
    let twiceLower = lower.plus(lower, &carry)
    let twiceUpper = upper.plus(upper, &carry)
    let (q0, q1, q2) = (multiply(l0, l0), multiply(l1, l1), multiply(l2, l2))
    let (q3, q4, q5) = (multiply(l3, l3), multiply(l4, l4), multiply(l5, l5))
    let sum = twiceLower.plus(
      FieldP384(low(q0), high(q0), low(q1), high(q1), low(q2), high(q2)), &carry)
    return sum.reduced(
      with: twiceUpper.plus(
        FieldP384(low(q3), high(q3), low(q4), high(q4), low(q5), high(q5)), &carry))
  }

  /// Returns (self + upper * 2^384) / 2^384 by Montgomery's reduction. The result is below
  /// 2^384 + p; p is subtracted if it reaches 2^384.
  @inline(__always)
  private func reduced(with upper: FieldP384) -> FieldP384 {
    var lower = self
    lower.clearLowestLimb()
    lower.clearLowestLimb()
    lower.clearLowestLimb()
    lower.clearLowestLimb()
    lower.clearLowestLimb()
    lower.clearLowestLimb()
    var carry: UInt64 = 0
    return lower.plus(upper, &carry).plusComplement(&carry)
  }

  /// Adds the multiple of p that clears the lowest limb, and drops that limb. The value stays below
  /// 2^384: p times one limb is added, and 64 bits are dropped.
  @inline(__always)
  private mutating func clearLowestLimb() {
    let multiple = l0 &+ l0 &<< 32
    // multiple * p = multiple * 2^384 - multiple * (2^128 + 2^96 - 2^32 + 1); the lowest limb of
    // the second product is `l0` itself.
    let left = multiple &<< 32
    let right = multiple &>> 32
    var borrow: UInt64 = 0
    _ = subtractWithBorrow(multiple, left, &borrow)
    let v1 = subtractWithBorrow(left, right, &borrow)
    var carry: UInt64 = 0
    let sum = addWithCarry(right, multiple, &carry)
    var second: UInt64 = 0
    let v2 = subtractWithBorrow(sum, borrow, &second)
    borrow = 0
    l0 = subtractWithBorrow(l1, v1, &borrow)
    l1 = subtractWithBorrow(l2, v2, &borrow)
    l2 = subtractWithBorrow(l3, carry &- second, &borrow)
    l3 = subtractWithBorrow(l4, 0, &borrow)
    l4 = subtractWithBorrow(l5, 0, &borrow)
    l5 = multiple &- borrow
  }
}
