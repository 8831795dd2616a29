/// An integer modulo p = 2^448 − 2^224 − 1, the field of edwards448.
/// RFC 8032 §5.2.
///
/// Eight limbs of 56 bits, the least first. The number is not reduced to its
/// least form between operations. A limb is *tight* when it is below
/// 2^56 + 2^16, as products leave it; a sum of two such numbers and a
/// difference stay below 2^60, which is what a product takes. No operation
/// normalises in between: the bounds stand at each function.
struct Ed448Field {
  var l0: UInt64, l1: UInt64, l2: UInt64, l3: UInt64
  var l4: UInt64, l5: UInt64, l6: UInt64, l7: UInt64

  static let zero = Ed448Field(0)
  static let one = Ed448Field(1)

  /// −d, where d = −39081 is the coefficient of the curve. RFC 8032 §5.2.
  static let minusD: UInt64 = 39_081

  private static var mask: UInt64 { (1 &<< 56) &- 1 }

  @inline(__always)
  init(
    _ l0: UInt64, _ l1: UInt64, _ l2: UInt64, _ l3: UInt64,
    _ l4: UInt64, _ l5: UInt64, _ l6: UInt64, _ l7: UInt64
  ) {
    self.l0 = l0
    self.l1 = l1
    self.l2 = l2
    self.l3 = l3
    self.l4 = l4
    self.l5 = l5
    self.l6 = l6
    self.l7 = l7
  }

  /// A number below 2^56.
  init(_ small: UInt64) {
    self.init(small, 0, 0, 0, 0, 0, 0, 0)
  }

  /// Reads 56 octets, the least first; `nil` unless they are there and the
  /// number is below p. RFC 8032 §5.2.3 (1).
  init?(_ octets: Span<UInt8>) {
    guard octets.count == 56 else { return nil }
    var limbs = [8 of UInt64](repeating: 0)
    for index in 0..<56 {
      limbs[index / 7] |= UInt64(octets[index]) &<< UInt64(8 &* (index % 7))
    }
    self.init(
      limbs[0], limbs[1], limbs[2], limbs[3], limbs[4], limbs[5], limbs[6], limbs[7])
    let reduced = self.reduced
    guard
      reduced.l0 == l0, reduced.l1 == l1, reduced.l2 == l2, reduced.l3 == l3,
      reduced.l4 == l4, reduced.l5 == l5, reduced.l6 == l6, reduced.l7 == l7
    else { return nil }
  }

  /// The 56 octets of the least form, the least octet first.
  var octets: [56 of UInt8] {
    let number = reduced
    let limbs: [8 of UInt64] = [
      number.l0, number.l1, number.l2, number.l3, number.l4, number.l5, number.l6, number.l7,
    ]
    var octets = [56 of UInt8](repeating: 0)
    for index in 0..<56 {
      octets[index] = UInt8(truncatingIfNeeded: limbs[index / 7] &>> UInt64(8 &* (index % 7)))
    }
    return octets
  }

  var isZero: Bool {
    let number = reduced
    return number.l0 | number.l1 | number.l2 | number.l3 | number.l4 | number.l5 | number.l6
      | number.l7 == 0
  }

  var isOdd: Bool { reduced.l0 & 1 == 1 }

  /// The least non-negative form. Limbs may be up to 2^63.
  private var reduced: Ed448Field {
    // The first pass leaves limbs below 2^56 + 2^8; the second carries at most
    // one out of the top, and leaves a number below 2p.
    var n = carried.carried
    var carry: Int64 = 0
    @inline(__always) func step(_ limb: inout UInt64, minus other: UInt64) {
      carry &+= Int64(truncatingIfNeeded: limb) &- Int64(truncatingIfNeeded: other)
      limb = UInt64(truncatingIfNeeded: carry) & Self.mask
      carry &>>= 56
    }
    step(&n.l0, minus: Self.mask)
    step(&n.l1, minus: Self.mask)
    step(&n.l2, minus: Self.mask)
    step(&n.l3, minus: Self.mask)
    step(&n.l4, minus: Self.mask &- 1)
    step(&n.l5, minus: Self.mask)
    step(&n.l6, minus: Self.mask)
    step(&n.l7, minus: Self.mask)
    // The carry is −1 when p was too much, and then p comes back, else 0.
    let back = UInt64(truncatingIfNeeded: carry)
    carry = 0
    @inline(__always) func restore(_ limb: inout UInt64, plus other: UInt64) {
      carry &+= Int64(truncatingIfNeeded: limb &+ (other & back))
      limb = UInt64(truncatingIfNeeded: carry) & Self.mask
      carry &>>= 56
    }
    restore(&n.l0, plus: Self.mask)
    restore(&n.l1, plus: Self.mask)
    restore(&n.l2, plus: Self.mask)
    restore(&n.l3, plus: Self.mask)
    restore(&n.l4, plus: Self.mask &- 1)
    restore(&n.l5, plus: Self.mask)
    restore(&n.l6, plus: Self.mask)
    restore(&n.l7, plus: Self.mask)
    return n
  }

  /// The same number with the upper bits of each limb moved to the next one;
  /// those of the last are worth 2^448 = 2^224 + 1.
  private var carried: Ed448Field {
    let top = l7 &>> 56
    return Ed448Field(
      l0 & Self.mask &+ top,
      l1 & Self.mask &+ (l0 &>> 56),
      l2 & Self.mask &+ (l1 &>> 56),
      l3 & Self.mask &+ (l2 &>> 56),
      l4 & Self.mask &+ (l3 &>> 56) &+ top,
      l5 & Self.mask &+ (l4 &>> 56),
      l6 & Self.mask &+ (l5 &>> 56),
      l7 & Self.mask &+ (l6 &>> 56))
  }

  /// The sum, limb by limb.
  @inline(__always)
  static func + (a: Ed448Field, b: Ed448Field) -> Ed448Field {
    Ed448Field(
      a.l0 &+ b.l0, a.l1 &+ b.l1, a.l2 &+ b.l2, a.l3 &+ b.l3,
      a.l4 &+ b.l4, a.l5 &+ b.l5, a.l6 &+ b.l6, a.l7 &+ b.l7)
  }

  /// The difference, with 4p added so that no limb is negative: `b` is at most
  /// a sum of two tight numbers.
  @inline(__always)
  static func - (a: Ed448Field, b: Ed448Field) -> Ed448Field {
    let most = 4 &* mask
    let middle = 4 &* (mask &- 1)
    return Ed448Field(
      a.l0 &+ most &- b.l0, a.l1 &+ most &- b.l1, a.l2 &+ most &- b.l2, a.l3 &+ most &- b.l3,
      a.l4 &+ middle &- b.l4, a.l5 &+ most &- b.l5, a.l6 &+ most &- b.l6, a.l7 &+ most &- b.l7)
  }

  /// The product by a number below 2^18, tight.
  static func * (a: Ed448Field, small: UInt64) -> Ed448Field {
    var result = zero
    var low: UInt128 = 0
    var high: UInt128 = 0
    @inline(__always) func step(_ carry: inout UInt128, _ limb: UInt64) -> UInt64 {
      carry &+= wide(limb, small)
      let kept = UInt64(truncatingIfNeeded: carry) & mask
      carry &>>= 56
      return kept
    }
    result.l0 = step(&low, a.l0)
    result.l1 = step(&low, a.l1)
    result.l2 = step(&low, a.l2)
    result.l3 = step(&low, a.l3)
    result.l4 = step(&high, a.l4)
    result.l5 = step(&high, a.l5)
    result.l6 = step(&high, a.l6)
    result.l7 = step(&high, a.l7)
    return result.folding(low, high)
  }

  /// Adds `low`, worth 2^224, and `high`, worth 2^448 = 2^224 + 1, to limbs
  /// below 2^56. Both are below 2^72.
  @inline(__always)
  private func folding(_ low: UInt128, _ high: UInt128) -> Ed448Field {
    let first = UInt128(l0) &+ high
    let middle = UInt128(l4) &+ low &+ high
    return Ed448Field(
      UInt64(truncatingIfNeeded: first) & Self.mask,
      l1 &+ UInt64(truncatingIfNeeded: first &>> 56),
      l2,
      l3,
      UInt64(truncatingIfNeeded: middle) & Self.mask,
      l5 &+ UInt64(truncatingIfNeeded: middle &>> 56),
      l6,
      l7)
  }

  @inline(__always)
  private static func wide(_ a: UInt64, _ b: UInt64) -> UInt128 {
    UInt128(a) &* UInt128(b)
  }
}

// With φ = 2^224 the modulus is φ² − φ − 1. For a = a₀ + a₁φ and b = b₀ + b₁φ,
// with A = a₀b₀, B = a₁b₁ and C = (a₀ + a₁)(b₀ + b₁), the product is
// A + B + (C − A)φ: three products of four limbs by four in place of four.
// Each of them has seven columns, the last three of which are worth φ again:
// with Xₖ for a column, column k of the lower half is
// Aₖ + Bₖ + Cₖ₊₄ − Aₖ₊₄, that of the upper half Cₖ − Aₖ + Bₖ₊₄ + Cₖ₊₄.
extension Ed448Field {
  /// The product, tight. Limbs of both may be up to 2^60, so that a column is
  /// below 2^126.
  @inline(never)
  static func * (a: Ed448Field, b: Ed448Field) -> Ed448Field {
    let s0 = a.l0 &+ a.l4
    let s1 = a.l1 &+ a.l5
    let s2 = a.l2 &+ a.l6
    let s3 = a.l3 &+ a.l7
    let t0 = b.l0 &+ b.l4
    let t1 = b.l1 &+ b.l5
    let t2 = b.l2 &+ b.l6
    let t3 = b.l3 &+ b.l7
    var result = zero

    // k = 0
    var A = wide(a.l0, b.l0)
    var A4 = wide(a.l1, b.l3) &+ wide(a.l2, b.l2) &+ wide(a.l3, b.l1)
    var B = wide(a.l4, b.l4)
    var B4 = wide(a.l5, b.l7) &+ wide(a.l6, b.l6) &+ wide(a.l7, b.l5)
    var C = wide(s0, t0)
    var C4 = wide(s1, t3) &+ wide(s2, t2) &+ wide(s3, t1)
    var low = A &+ B &+ C4 &- A4
    var high = C &- A &+ B4 &+ C4
    result.l0 = UInt64(truncatingIfNeeded: low) & mask
    result.l4 = UInt64(truncatingIfNeeded: high) & mask
    low &>>= 56
    high &>>= 56

    // k = 1
    A = wide(a.l0, b.l1) &+ wide(a.l1, b.l0)
    A4 = wide(a.l2, b.l3) &+ wide(a.l3, b.l2)
    B = wide(a.l4, b.l5) &+ wide(a.l5, b.l4)
    B4 = wide(a.l6, b.l7) &+ wide(a.l7, b.l6)
    C = wide(s0, t1) &+ wide(s1, t0)
    C4 = wide(s2, t3) &+ wide(s3, t2)
    low = low &+ A &+ B &+ C4 &- A4
    high = high &+ C &- A &+ B4 &+ C4
    result.l1 = UInt64(truncatingIfNeeded: low) & mask
    result.l5 = UInt64(truncatingIfNeeded: high) & mask
    low &>>= 56
    high &>>= 56

    // k = 2
    A = wide(a.l0, b.l2) &+ wide(a.l1, b.l1) &+ wide(a.l2, b.l0)
    A4 = wide(a.l3, b.l3)
    B = wide(a.l4, b.l6) &+ wide(a.l5, b.l5) &+ wide(a.l6, b.l4)
    B4 = wide(a.l7, b.l7)
    C = wide(s0, t2) &+ wide(s1, t1) &+ wide(s2, t0)
    C4 = wide(s3, t3)
    low = low &+ A &+ B &+ C4 &- A4
    high = high &+ C &- A &+ B4 &+ C4
    result.l2 = UInt64(truncatingIfNeeded: low) & mask
    result.l6 = UInt64(truncatingIfNeeded: high) & mask
    low &>>= 56
    high &>>= 56

    // k = 3
    A = wide(a.l0, b.l3) &+ wide(a.l1, b.l2) &+ wide(a.l2, b.l1) &+ wide(a.l3, b.l0)
    B = wide(a.l4, b.l7) &+ wide(a.l5, b.l6) &+ wide(a.l6, b.l5) &+ wide(a.l7, b.l4)
    C = wide(s0, t3) &+ wide(s1, t2) &+ wide(s2, t1) &+ wide(s3, t0)
    low = low &+ A &+ B
    high = high &+ C &- A
    result.l3 = UInt64(truncatingIfNeeded: low) & mask
    result.l7 = UInt64(truncatingIfNeeded: high) & mask
    return result.folding(low &>> 56, high &>> 56)
  }

  /// The square, tight, with the bounds of the product.
  @inline(never)
  var squared: Ed448Field {
    let s0 = l0 &+ l4
    let s1 = l1 &+ l5
    let s2 = l2 &+ l6
    let s3 = l3 &+ l7
    var result = Self.zero

    // k = 0
    var A = Self.wide(l0, l0)
    var A4 = Self.wide(2 &* l1, l3) &+ Self.wide(l2, l2)
    var B = Self.wide(l4, l4)
    var B4 = Self.wide(2 &* l5, l7) &+ Self.wide(l6, l6)
    var C = Self.wide(s0, s0)
    var C4 = Self.wide(2 &* s1, s3) &+ Self.wide(s2, s2)
    var low = A &+ B &+ C4 &- A4
    var high = C &- A &+ B4 &+ C4
    result.l0 = UInt64(truncatingIfNeeded: low) & Self.mask
    result.l4 = UInt64(truncatingIfNeeded: high) & Self.mask
    low &>>= 56
    high &>>= 56

    // k = 1
    A = Self.wide(2 &* l0, l1)
    A4 = Self.wide(2 &* l2, l3)
    B = Self.wide(2 &* l4, l5)
    B4 = Self.wide(2 &* l6, l7)
    C = Self.wide(2 &* s0, s1)
    C4 = Self.wide(2 &* s2, s3)
    low = low &+ A &+ B &+ C4 &- A4
    high = high &+ C &- A &+ B4 &+ C4
    result.l1 = UInt64(truncatingIfNeeded: low) & Self.mask
    result.l5 = UInt64(truncatingIfNeeded: high) & Self.mask
    low &>>= 56
    high &>>= 56

    // k = 2
    A = Self.wide(2 &* l0, l2) &+ Self.wide(l1, l1)
    A4 = Self.wide(l3, l3)
    B = Self.wide(2 &* l4, l6) &+ Self.wide(l5, l5)
    B4 = Self.wide(l7, l7)
    C = Self.wide(2 &* s0, s2) &+ Self.wide(s1, s1)
    C4 = Self.wide(s3, s3)
    low = low &+ A &+ B &+ C4 &- A4
    high = high &+ C &- A &+ B4 &+ C4
    result.l2 = UInt64(truncatingIfNeeded: low) & Self.mask
    result.l6 = UInt64(truncatingIfNeeded: high) & Self.mask
    low &>>= 56
    high &>>= 56

    // k = 3
    A = Self.wide(2 &* l0, l3) &+ Self.wide(2 &* l1, l2)
    B = Self.wide(2 &* l4, l7) &+ Self.wide(2 &* l5, l6)
    C = Self.wide(2 &* s0, s3) &+ Self.wide(2 &* s1, s2)
    low = low &+ A &+ B
    high = high &+ C &- A
    result.l3 = UInt64(truncatingIfNeeded: low) & Self.mask
    result.l7 = UInt64(truncatingIfNeeded: high) & Self.mask
    return result.folding(low &>> 56, high &>> 56)
  }

  /// The square taken `count` times.
  func squared(times count: Int) -> Ed448Field {
    var result = self
    for _ in 0..<max(count, 0) { result = result.squared }
    return result
  }

  /// The power (p − 3)/4 = 2^446 − 2^222 − 1, for square roots and inverses.
  var powerOfThreeQuarters: Ed448Field {
    // `xn` is the power 2^n − 1.
    let x2 = squared * self
    let x3 = x2.squared * self
    let x6 = x3.squared(times: 3) * x3
    let x9 = x6.squared(times: 3) * x3
    let x18 = x9.squared(times: 9) * x9
    let x19 = x18.squared * self
    let x37 = x19.squared(times: 18) * x18
    let x74 = x37.squared(times: 37) * x37
    let x111 = x74.squared(times: 37) * x37
    let x222 = x111.squared(times: 111) * x111
    let x223 = x222.squared * self
    return x223.squared(times: 223) * x222
  }

  /// The inverse, by the power p − 2 = 4 (p − 3)/4 + 1; zero for zero.
  var inverse: Ed448Field {
    powerOfThreeQuarters.squared(times: 2) * self
  }
}
