/// An element of the field of 2^255 - 19, in four limbs. RFC 8032 §5.1.
///
/// Values stay below 2^256 = 2p + 38, so a carry out of the fourth limb is added back times 38.
/// Zero has three forms; only `isZero` and `canonical` use the smallest.
package struct Field25519: Invertible, Sendable, Equatable {
  var l0: UInt64
  var l1: UInt64
  var l2: UInt64
  var l3: UInt64

  @inline(__always)
  package init(_ l0: UInt64, _ l1: UInt64, _ l2: UInt64, _ l3: UInt64) {
    self.l0 = l0
    self.l1 = l1
    self.l2 = l2
    self.l3 = l3
  }

  package static var zero: Field25519 { Field25519(0, 0, 0, 0) }
  package static var one: Field25519 { Field25519(1, 0, 0, 0) }
  /// p, least significant limb first.
  package static var modulus: [UInt64] {
    [0xffff_ffff_ffff_ffed, .max, .max, 0x7fff_ffff_ffff_ffff]
  }

  /// The number below p, least significant limb first.
  package var canonical: (UInt64, UInt64, UInt64, UInt64) {
    // Bit 255 is worth 19; adding 19 more sets bit 255 exactly if the rest is p or above.
    let once = Field25519(l0, l1, l2, l3 & (.max &>> 1)).plusSmall(19 &* (l3 &>> 63))
    let probe = once.plusSmall(19)
    let result = probe.l3 &>> 63 == 1 ? probe : once
    return (result.l0, result.l1, result.l2, result.l3 & (.max &>> 1))
  }

  package var canonicalLimbs: [UInt64] {
    let (l0, l1, l2, l3) = canonical
    return [l0, l1, l2, l3]
  }

  package var isZero: Bool { canonical == (0, 0, 0, 0) }
  var isOdd: Bool { canonical.0 & 1 == 1 }

  package static func == (left: Field25519, right: Field25519) -> Bool {
    left.canonical == right.canonical
  }

  /// Creates an element from limbs of 51 bits, which may be exceeded by a few bits.
  init(limbs51 limbs: [5 of UInt64]) {
    let s0 = wide(limbs[0]) &+ wide(limbs[1] &<< 51)
    let s1 = HoldfastSignatures.add(limbs[1] &>> 13, limbs[2] &<< 38, carryOf: s0)
    let s2 = HoldfastSignatures.add(limbs[2] &>> 26, limbs[3] &<< 25, carryOf: s1)
    let s3 = HoldfastSignatures.add(limbs[3] &>> 39, limbs[4] &<< 12, carryOf: s2)
    // What is above 2^256 is times 38.
    let above = limbs[4] &>> 52 &+ high(s3)
    self = Field25519(low(s0), low(s1), low(s2), low(s3)).plusTopped(38 &* above)
  }

  /// Adds a small number; the sum stays below 2^256.
  @inline(__always)
  private func plusSmall(_ small: UInt64) -> Field25519 {
    let s0 = wide(l0) &+ wide(small)
    let s1 = add(l1, 0, carryOf: s0)
    let s2 = add(l2, 0, carryOf: s1)
    return Field25519(low(s0), low(s1), low(s2), l3 &+ high(s2))
  }

  @inline(__always)
  package static func + (left: Field25519, right: Field25519) -> Field25519 {
    var carry: UInt64 = 0
    let s0 = addWithCarry(left.l0, right.l0, &carry)
    let s1 = addWithCarry(left.l1, right.l1, &carry)
    let s2 = addWithCarry(left.l2, right.l2, &carry)
    let s3 = addWithCarry(left.l3, right.l3, &carry)
    return Field25519(s0, s1, s2, s3).plusTopped(38 &* carry)
  }

  /// Adds a multiple of 38 below 2^63 that represents a carry; a second carry comes back as 38.
  @inline(__always)
  private func plusTopped(_ addend: UInt64) -> Field25519 {
    var carry: UInt64 = 0
    let s0 = addWithCarry(l0, addend, &carry)
    let s1 = addWithCarry(l1, 0, &carry)
    let s2 = addWithCarry(l2, 0, &carry)
    let s3 = addWithCarry(l3, 0, &carry)
    // Once in 2^200 values. The number is then below the addend, so its lowest limb has room.
    return Field25519(s0 &+ 38 &* carry, s1, s2, s3)
  }

  @inline(__always)
  package static func - (left: Field25519, right: Field25519) -> Field25519 {
    let d0 = wide(left.l0) &- wide(right.l0)
    let d1 = subtract(left.l1, right.l1, borrowOf: d0)
    let d2 = subtract(left.l2, right.l2, borrowOf: d1)
    let d3 = subtract(left.l3, right.l3, borrowOf: d2)
    let e0 = wide(low(d0)) &- wide(high(d3) & 38)
    let e1 = subtract(low(d1), 0, borrowOf: e0)
    let e2 = subtract(low(d2), 0, borrowOf: e1)
    let e3 = subtract(low(d3), 0, borrowOf: e2)
    // A second time, the number is 2^256 minus less than 38, so the lowest limb does not borrow.
    return Field25519(low(e0) &- (high(e3) & 38), low(e1), low(e2), low(e3))
  }

  @inline(__always)
  package func doubled() -> Field25519 { self + self }

  @inline(never)
  package static func * (left: Field25519, right: Field25519) -> Field25519 {
    left.inlineProduct(right)
  }

  @inline(never)
  package func squared() -> Field25519 { inlineSquare }

  /// Returns the product without a call, for the steps of points.
  @inline(__always)
  func inlineProduct(_ other: Field25519) -> Field25519 {
    let a = ProductRow(l0, other.l0, other.l1, other.l2, other.l3)
    let b = ProductRow(l1, other.l0, other.l1, other.l2, other.l3, plus: a)
    let c = ProductRow(l2, other.l0, other.l1, other.l2, other.l3, plus: b)
    let d = ProductRow(l3, other.l0, other.l1, other.l2, other.l3, plus: c)
    return Field25519.folded(a.l0, b.l0, c.l0, d.l0, d.l1, d.l2, d.l3, d.l4)
  }

  /// The square, in the same way.
  @inline(__always)
  var inlineSquare: Field25519 {
    let square = WideSquare(l0, l1, l2, l3)
    return Field25519.folded(
      square.l0, square.l1, square.l2, square.l3, square.l4, square.l5, square.l6, square.l7)
  }

  /// Returns the lower half of a product plus 38 times its upper half.
  @inline(__always)
  private static func folded(
    _ t0: UInt64, _ t1: UInt64, _ t2: UInt64, _ t3: UInt64, _ t4: UInt64, _ t5: UInt64,
    _ t6: UInt64, _ t7: UInt64
  ) -> Field25519 {
    let row = ProductRow(38, t4, t5, t6, t7)
    var carry: UInt64 = 0
    let s0 = addWithCarry(t0, row.l0, &carry)
    let s1 = addWithCarry(t1, row.l1, &carry)
    let s2 = addWithCarry(t2, row.l2, &carry)
    let s3 = addWithCarry(t3, row.l3, &carry)
    return Field25519(s0, s1, s2, s3).plusTopped(38 &* (row.l4 &+ carry))
  }
}

extension Field25519 {
  /// Returns the element squared `count` times.
  func squared(times count: Int) -> Field25519 {
    var result = self
    for _ in 0..<count { result = result.squared() }
    return result
  }

  /// Returns the power 2^252 - 3 = (p - 5) / 8, used for square roots: RFC 8032 §5.1.3.
  func raisedForRoot() -> Field25519 {
    // xN is the power 2^N - 1.
    let x1 = self
    let x2 = x1.squared() * x1
    let x4 = x2.squared(times: 2) * x2
    let x5 = x4.squared() * x1
    let x10 = x5.squared(times: 5) * x5
    let x20 = x10.squared(times: 10) * x10
    let x40 = x20.squared(times: 20) * x20
    let x50 = x40.squared(times: 10) * x10
    let x100 = x50.squared(times: 50) * x50
    let x200 = x100.squared(times: 100) * x100
    let x250 = x200.squared(times: 50) * x50
    return x250.squared(times: 2) * x1
  }

  /// Returns the inverse; zero for zero.
  package func inverted() -> Field25519 {
    let (l0, l1, l2, l3) = canonical
    let value: InlineArray<4, UInt64> = [l0, l1, l2, l3]
    let modulus: InlineArray<4, UInt64> = [
      0xffff_ffff_ffff_ffed, .max, .max, 0x7fff_ffff_ffff_ffff,
    ]
    guard let inverse = LimbArithmetic.inverse(of: value, modulo: modulus) else { return .zero }
    return Field25519(inverse[0], inverse[1], inverse[2], inverse[3])
  }
}
