/// An element of the field of P-256 in Montgomery form, R = 2^256. FIPS 186-5 and SP 800-186
/// §3.2.1.3: p = 2^256 - 2^224 + 2^192 + 2^96 - 1.
///
/// p is -1 modulo 2^64, so the multiple of p that clears the lowest limb is that limb times p. The
/// limbs of p are so simple that shifts compute it.
package struct FieldP256: FixedField {
  var l0: UInt64
  var l1: UInt64
  var l2: UInt64
  var l3: UInt64

  @inline(__always)
  init(_ l0: UInt64, _ l1: UInt64, _ l2: UInt64, _ l3: UInt64) {
    self.l0 = l0
    self.l1 = l1
    self.l2 = l2
    self.l3 = l3
  }

  package static var bitCount: Int { 256 }
  package static var modulus: [UInt64] { [.max, 0xffff_ffff, 0, topLimb] }
  private static var modulusLimbs: InlineArray<4, UInt64> {
    [.max, 0xffff_ffff, 0, topLimb]
  }
  package static var zero: FieldP256 { FieldP256(0, 0, 0, 0) }
  /// R mod p.
  package static var one: FieldP256 {
    FieldP256(1, 0xffff_ffff_0000_0000, .max, 0xffff_fffe)
  }
  /// R^2 mod p: multiplying by it converts a number to Montgomery form.
  private static var square: FieldP256 {
    FieldP256(3, 0xffff_fffb_ffff_ffff, 0xffff_ffff_ffff_fffe, 0x4_ffff_fffd)
  }
  @inline(__always)
  private static var topLimb: UInt64 { 0xffff_ffff_0000_0001 }

  package init?(limbs: Limbs) {
    let number = FieldP256(limbs[0], limbs[1], limbs[2], limbs[3])
    guard limbs[4] | limbs[5] | limbs[6] | limbs[7] | limbs[8] == 0, number.isBelowModulus else {
      return nil
    }
    self = number * FieldP256.square
  }

  private var isBelowModulus: Bool {
    if l3 != FieldP256.topLimb { return l3 < FieldP256.topLimb }
    if l2 != 0 { return false }
    if l1 != 0xffff_ffff { return l1 < 0xffff_ffff }
    return l0 < .max
  }

  package var isZero: Bool {
    @inline(__always) get {
      (l0 | l1 | l2 | l3) == 0
        || (l0 == .max && l1 == 0xffff_ffff && l2 == 0 && l3 == FieldP256.topLimb)
    }
  }

  /// Returns the inverse, by an extended Euclidean algorithm: a third of the time of a power.
  package func inverted() -> FieldP256 {
    let value: InlineArray<4, UInt64> = [l0, l1, l2, l3]
    guard let inverse = LimbArithmetic.inverse(of: value, modulo: FieldP256.modulusLimbs) else {
      return .zero
    }
    // The inverse of xR is 1/(xR): two factors R are missing.
    let number = FieldP256(inverse[0], inverse[1], inverse[2], inverse[3])
    return number * FieldP256.square * FieldP256.square
  }

  package var canonicalLimbs: [UInt64] {
    var number = self * FieldP256(1, 0, 0, 0)
    if !number.isBelowModulus { number = number.plusComplement(1) }
    return [number.l0, number.l1, number.l2, number.l3]
  }

  /// The number times 2^288 in limbs of 48 bits.
  var limbs48: [6 of UInt64] {
    let mask = 1 &<< 48 &- 1 as UInt64
    // 2^288 mod p.
    let n = self * FieldP256(0x1_0000_0000, 0, .max, 0xffff_fffe_ffff_ffff)
    return [
      n.l0 & mask, (n.l0 &>> 48 | n.l1 &<< 16) & mask, (n.l1 &>> 32 | n.l2 &<< 32) & mask,
      n.l2 &>> 16, n.l3 & mask, n.l3 &>> 48,
    ]
  }

  /// Creates an element from limbs of 48 bits of the number times 2^288, which may be exceeded by a
  /// few bits.
  init(limbs48 limbs: [6 of UInt64]) {
    let s0 = wide(limbs[0]) &+ wide(limbs[1] &<< 48)
    let s1 = add(limbs[1] &>> 16, limbs[2] &<< 32, carryOf: s0)
    let s2 = add(limbs[2] &>> 32, limbs[3] &<< 16, carryOf: s1)
    let s3 = add(limbs[3] &>> 48 &+ limbs[4], limbs[5] &<< 48, carryOf: s2)
    let number = FieldP256(low(s0), low(s1), low(s2), low(s3))
    // What is above 2^256 is times R. The number has 2^32 too much of R: 2^224 / R is 2^-32.
    let above = FieldP256(limbs[5] &>> 16 &+ high(s3), 0, 0, 0)
    self = (number + above * FieldP256.square) * FieldP256(0, 0, 0, 1 &<< 32)
  }

  /// Returns the low 256 bits of self + flag * (2^256 - p): subtracts p after a dropped carry.
  @inline(__always)
  private func plusComplement(_ flag: UInt64) -> FieldP256 {
    let mask = 0 &- flag
    let s0 = wide(l0) &+ wide(flag)
    let s1 = add(l1, mask & 0xffff_ffff_0000_0000, carryOf: s0)
    let s2 = add(l2, mask, carryOf: s1)
    let s3 = l3 &+ (mask & 0xffff_fffe) &+ high(s2)
    return FieldP256(low(s0), low(s1), low(s2), s3)
  }

  @inline(__always)
  package static func + (left: FieldP256, right: FieldP256) -> FieldP256 {
    let s0 = wide(left.l0) &+ wide(right.l0)
    let s1 = add(left.l1, right.l1, carryOf: s0)
    let s2 = add(left.l2, right.l2, carryOf: s1)
    let s3 = add(left.l3, right.l3, carryOf: s2)
    let flag = high(s3)
    let mask = 0 &- flag
    let c0 = wide(low(s0)) &+ wide(flag)
    let c1 = add(low(s1), mask & 0xffff_ffff_0000_0000, carryOf: c0)
    let c2 = add(low(s2), mask, carryOf: c1)
    let c3 = add(low(s3), mask & 0xffff_fffe, carryOf: c2)
    let sum = FieldP256(low(c0), low(c1), low(c2), low(c3))
    // Both terms were above p: once in 2^32 values, so a branch costs nothing.
    if high(c3) != 0 { return sum.plusComplement(1) }
    return sum
  }

  @inline(__always)
  package static func - (left: FieldP256, right: FieldP256) -> FieldP256 {
    let (d, borrow) = pair(left.l0, left.l1).subtractingReportingOverflow(
      pair(right.l0, right.l1))
    let d2 = wide(left.l2) &- wide(right.l2) &- (borrow ? 1 : 0)
    let d3 = subtract(left.l3, right.l3, borrowOf: d2)
    let mask = high(d3)
    let (e, carry) = d.addingReportingOverflow(pair(mask, mask &>> 32))
    let e2 = wide(low(d2)) &+ (carry ? 1 : 0)
    let e3 = d3 &+ wide(mask & FieldP256.topLimb) &+ e2 &>> 64
    let difference = FieldP256(low(e), high(e), low(e2), low(e3))
    // Still negative, which requires that `right` was above p.
    if high(e3) != 0 { return difference.minusComplement() }
    return difference
  }

  /// Returns the low 256 bits of self - (2^256 - p), which is self + p if a borrow was dropped.
  @inline(never)
  private func minusComplement() -> FieldP256 {
    let d0 = wide(l0) &- 1
    let d1 = subtract(l1, 0xffff_ffff_0000_0000, borrowOf: d0)
    let d2 = subtract(l2, .max, borrowOf: d1)
    let d3 = subtract(l3, 0xffff_fffe, borrowOf: d2)
    return FieldP256(low(d0), low(d1), low(d2), low(d3))
  }

  @inline(__always)
  package func halved() -> FieldP256 {
    let mask = 0 &- (l0 & 1)
    let s0 = wide(l0) &+ wide(mask)
    let s1 = add(l1, mask & 0xffff_ffff, carryOf: s0)
    let s2 = add(l2, 0, carryOf: s1)
    let s3 = add(l3, mask & FieldP256.topLimb, carryOf: s2)
    return FieldP256(
      low(s0) &>> 1 | low(s1) &<< 63, low(s1) &>> 1 | low(s2) &<< 63,
      low(s2) &>> 1 | low(s3) &<< 63, low(s3) &>> 1 | high(s3) &<< 63)
  }

  @inline(never)
  package static func * (left: FieldP256, right: FieldP256) -> FieldP256 {
    let (r0, r1, r2, r3) = (right.l0, right.l1, right.l2, right.l3)
    let a = ProductRow(left.l0, r0, r1, r2, r3)
    let b = ProductRow(left.l1, r0, r1, r2, r3, plus: a)
    let c = ProductRow(left.l2, r0, r1, r2, r3, plus: b)
    let d = ProductRow(left.l3, r0, r1, r2, r3, plus: c)
    return reduced(a.l0, b.l0, c.l0, d.l0, d.l1, d.l2, d.l3, d.l4)
  }

  @inline(never)
  package func squared() -> FieldP256 {
    let square = WideSquare(l0, l1, l2, l3)
    return FieldP256.reduced(
      square.l0, square.l1, square.l2, square.l3, square.l4, square.l5, square.l6, square.l7)
  }
}

extension FieldP256 {
  /// Returns a product of eight limbs times 1 / 2^256. Four times, adds to the lower half the
  /// multiple of p that clears the lowest limb, which is that limb times p; then adds the upper
  /// half.
  @inline(__always)
  private static func reduced(
    _ z0: UInt64, _ z1: UInt64, _ z2: UInt64, _ z3: UInt64, _ z4: UInt64, _ z5: UInt64,
    _ z6: UInt64, _ z7: UInt64
  ) -> FieldP256 {
    var half = FieldP256(z0, z1, z2, z3)
    half.clearLowest()
    half.clearLowest()
    half.clearLowest()
    half.clearLowest()
    let (s, carry) = pair(half.l0, half.l1).addingReportingOverflow(pair(z4, z5))
    let s2 = wide(half.l2) &+ wide(z6) &+ (carry ? 1 : 0)
    let s3 = add(half.l3, z7, carryOf: s2)
    // The sum is below 2^256 + p, so p is subtracted at most once.
    let mask = 0 &- high(s3)
    let (d, borrow) = s.subtractingReportingOverflow(pair(mask, mask &>> 32))
    let upper =
      pair(low(s2), low(s3)) &- pair(0, mask & FieldP256.topLimb) &- (borrow ? 1 : 0)
    return FieldP256(low(d), high(d), low(upper), high(upper))
  }

  /// Replaces the element with (self + l0 * p) / 2^64, which is again below 2^256.
  @inline(__always)
  private mutating func clearLowest() {
    let shifted = wide(l0) &<< 32
    // l0 times the highest limb of p, which is 2^64 - 2^32 + 1.
    let top = pair(l0, l0) &- shifted
    let s1 = wide(l1) &+ wide(low(shifted))
    let s2 = add(l2, high(shifted), carryOf: s1)
    let s3 = add(l3, low(top), carryOf: s2)
    self = FieldP256(low(s1), low(s2), low(s3), high(top) &+ high(s3))
  }
}
