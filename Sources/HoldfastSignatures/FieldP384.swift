/// An element of the field of P-384 in Montgomery form, R = 2^384. FIPS 186-5 and SP 800-186
/// §3.2.1.4: p = 2^384 - 2^128 - 2^96 + 2^32 - 1.
///
/// The multiple of p that clears the lowest limb is that limb times 2^32 + 1, and the product with
/// p is a handful of shifts.
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
  /// R^2 mod p: multiplying by it brings a number into Montgomery form.
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

  /// By the extended Euclidean algorithm of GMP, which takes a third of the time of a power.
  package func inverted() -> FieldP384 {
    let value: InlineArray<6, UInt64> = [l0, l1, l2, l3, l4, l5]
    guard let inverse = Natural.inverse(of: value, modulo: FieldP384.modulusLimbs) else {
      return .zero
    }
    // The inverse of xR is 1/(xR): two factors R are missing.
    let number = FieldP384(inverse[0], inverse[1], inverse[2], inverse[3], inverse[4], inverse[5])
    return number * FieldP384.square * FieldP384.square
  }

  package var canonicalLimbs: [UInt64] {
    var number = self * FieldP384(1, 0, 0, 0, 0, 0)
    if !number.isBelowModulus { number = number.plusComplement(1) }
    return [number.l0, number.l1, number.l2, number.l3, number.l4, number.l5]
  }

  /// The low 384 bits of self + flag * (2^384 - p), which takes p away once a carry was dropped.
  @inline(__always)
  func plusComplement(_ flag: UInt64) -> FieldP384 {
    let mask = 0 &- flag
    let s0 = wide(l0) &+ wide(mask & 0xffff_ffff_0000_0001)
    let s1 = add(l1, mask & 0xffff_ffff, carryOf: s0)
    let s2 = add(l2, flag, carryOf: s1)
    let s3 = add(l3, 0, carryOf: s2)
    let s4 = add(l4, 0, carryOf: s3)
    let s5 = l5 &+ high(s4)
    return FieldP384(low(s0), low(s1), low(s2), low(s3), low(s4), s5)
  }

  /// The low 384 bits of self - (2^384 - p), which is self + p once a borrow was dropped.
  @inline(never)
  private func minusComplement() -> FieldP384 {
    let d0 = wide(l0) &- 0xffff_ffff_0000_0001
    let d1 = subtract(l1, 0xffff_ffff, borrowOf: d0)
    let d2 = subtract(l2, 1, borrowOf: d1)
    let d3 = subtract(l3, 0, borrowOf: d2)
    let d4 = subtract(l4, 0, borrowOf: d3)
    let d5 = subtract(l5, 0, borrowOf: d4)
    return FieldP384(low(d0), low(d1), low(d2), low(d3), low(d4), low(d5))
  }

  @inline(__always)
  package static func + (left: FieldP384, right: FieldP384) -> FieldP384 {
    let s0 = wide(left.l0) &+ wide(right.l0)
    let s1 = add(left.l1, right.l1, carryOf: s0)
    let s2 = add(left.l2, right.l2, carryOf: s1)
    let s3 = add(left.l3, right.l3, carryOf: s2)
    let s4 = add(left.l4, right.l4, carryOf: s3)
    let s5 = add(left.l5, right.l5, carryOf: s4)
    let flag = high(s5)
    let mask = 0 &- flag
    let c0 = wide(low(s0)) &+ wide(mask & 0xffff_ffff_0000_0001)
    let c1 = add(low(s1), mask & 0xffff_ffff, carryOf: c0)
    let c2 = add(low(s2), flag, carryOf: c1)
    let c3 = add(low(s3), 0, carryOf: c2)
    let c4 = add(low(s4), 0, carryOf: c3)
    let c5 = add(low(s5), 0, carryOf: c4)
    let sum = FieldP384(low(c0), low(c1), low(c2), low(c3), low(c4), low(c5))
    // Both terms lay above p: once in 2^128 values, so a branch costs nothing.
    if high(c5) != 0 { return sum.plusComplement(1) }
    return sum
  }

  @inline(__always)
  package static func - (left: FieldP384, right: FieldP384) -> FieldP384 {
    let d0 = wide(left.l0) &- wide(right.l0)
    let d1 = subtract(left.l1, right.l1, borrowOf: d0)
    let d2 = subtract(left.l2, right.l2, borrowOf: d1)
    let d3 = subtract(left.l3, right.l3, borrowOf: d2)
    let d4 = subtract(left.l4, right.l4, borrowOf: d3)
    let d5 = subtract(left.l5, right.l5, borrowOf: d4)
    let mask = high(d5)
    let e0 = wide(low(d0)) &- wide(mask & 0xffff_ffff_0000_0001)
    let e1 = subtract(low(d1), mask & 0xffff_ffff, borrowOf: e0)
    let e2 = subtract(low(d2), mask & 1, borrowOf: e1)
    let e3 = subtract(low(d3), 0, borrowOf: e2)
    let e4 = subtract(low(d4), 0, borrowOf: e3)
    let e5 = subtract(low(d5), 0, borrowOf: e4)
    let difference = FieldP384(low(e0), low(e1), low(e2), low(e3), low(e4), low(e5))
    if high(e5) != 0 { return difference.minusComplement() }
    return difference
  }

  @inline(__always)
  package func halved() -> FieldP384 {
    let mask = 0 &- (l0 & 1)
    let s0 = wide(l0) &+ wide(mask & FieldP384.p0)
    let s1 = add(l1, mask & FieldP384.p1, carryOf: s0)
    let s2 = add(l2, mask & FieldP384.p2, carryOf: s1)
    let s3 = add(l3, mask, carryOf: s2)
    let s4 = add(l4, mask, carryOf: s3)
    let s5 = add(l5, mask, carryOf: s4)
    return FieldP384(
      low(s0) &>> 1 | low(s1) &<< 63, low(s1) &>> 1 | low(s2) &<< 63,
      low(s2) &>> 1 | low(s3) &<< 63, low(s3) &>> 1 | low(s4) &<< 63,
      low(s4) &>> 1 | low(s5) &<< 63, low(s5) &>> 1 | high(s5) &<< 63)
  }

  @inline(never)
  package static func * (left: FieldP384, right: FieldP384) -> FieldP384 {
    var sum = Accumulator()
    sum.addRow(left.l0, right)
    sum.addRow(left.l1, right)
    sum.addRow(left.l2, right)
    sum.addRow(left.l3, right)
    sum.addRow(left.l4, right)
    sum.addRow(left.l5, right)
    // The sum is below 2^384 + p, so p is taken away once at most.
    return FieldP384(sum.t0, sum.t1, sum.t2, sum.t3, sum.t4, sum.t5).plusComplement(sum.t6)
  }

  /// Seven limbs of a running sum: it stays below 2^384 + p from row to row.
  private struct Accumulator {
    var t0: UInt64 = 0
    var t1: UInt64 = 0
    var t2: UInt64 = 0
    var t3: UInt64 = 0
    var t4: UInt64 = 0
    var t5: UInt64 = 0
    var t6: UInt64 = 0

    /// Adds `factor * row`, adds the multiple of p that clears the lowest limb, drops that limb.
    @inline(__always)
    mutating func addRow(_ factor: UInt64, _ row: FieldP384) {
      let r0 = multiply(factor, row.l0) &+ wide(t0)
      let r1 = multiply(factor, row.l1, plus: t1, carryOf: r0)
      let r2 = multiply(factor, row.l2, plus: t2, carryOf: r1)
      let r3 = multiply(factor, row.l3, plus: t3, carryOf: r2)
      let r4 = multiply(factor, row.l4, plus: t4, carryOf: r3)
      let r5 = multiply(factor, row.l5, plus: t5, carryOf: r4)
      let r6 = wide(t6) &+ wide(high(r5))
      t0 = low(r1)
      t1 = low(r2)
      t2 = low(r3)
      t3 = low(r4)
      t4 = low(r5)
      t5 = low(r6)
      t6 = high(r6)
      FieldP384.clear(low(r0), &t0, &t1, &t2, &t3, &t4, &t5, &t6)
    }
  }

  /// Adds the multiple of p that clears `lowest`, which is then dropped, to the six limbs above
  /// it; `carry` is what lies at the top limb's end before and after.
  @inline(__always)
  private static func clear(
    _ lowest: UInt64, _ t1: inout UInt64, _ t2: inout UInt64, _ t3: inout UInt64,
    _ t4: inout UInt64, _ t5: inout UInt64, _ t6: inout UInt64, _ carry: inout UInt64
  ) {
    let multiple = lowest &+ lowest &<< 32
    // multiple * p = multiple * 2^384 - multiple * (2^128 + 2^96 - 2^32 + 1); the lowest limb of
    // the second product is `lowest` itself.
    let left = multiple &<< 32
    let right = multiple &>> 32
    let v0 = wide(multiple) &- wide(left)
    let v1 = subtract(left, right, borrowOf: v0)
    let v2 = wide(right) &+ wide(multiple) &- (v1 &>> 127)
    let d1 = wide(t1) &- wide(low(v1))
    let d2 = subtract(t2, low(v2), borrowOf: d1)
    let d3 = subtract(t3, high(v2), borrowOf: d2)
    let d4 = subtract(t4, 0, borrowOf: d3)
    let d5 = subtract(t5, 0, borrowOf: d4)
    let d6 = wide(t6) &+ wide(multiple) &- (d5 &>> 127)
    t1 = low(d1)
    t2 = low(d2)
    t3 = low(d3)
    t4 = low(d4)
    t5 = low(d5)
    t6 = low(d6)
    carry = carry &+ high(d6)
  }
}
