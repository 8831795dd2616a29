/// An integer modulo p = 2^448 − 2^224 − 1, the field of edwards448.
/// RFC 8032 §5.2.
///
/// Eight limbs of 56 bits, the lowest first, not reduced to the canonical form between operations.
/// A limb is *tight* if it is below 2^56 + 2^16, as after a product; a sum of two tight numbers and
/// a difference stay below 2^60, the bound for factors. No operation normalizes in between; each
/// function states its bounds.
struct Ed448Field: Invertible {
  private var limbs: InlineArray<8, UInt64>

  static let zero = Ed448Field(0)
  static let one = Ed448Field(1)

  /// −d, where d = −39081 is the coefficient of the curve. RFC 8032 §5.2.
  static let minusD: UInt64 = 39_081

  private static var mask: UInt64 { (1 &<< 56) &- 1 }

  /// The limbs of p.
  @inline(__always)
  private static func modulus(_ index: Int) -> UInt64 { index == 4 ? mask &- 1 : mask }

  @inline(__always)
  init(limbs: InlineArray<8, UInt64>) {
    self.limbs = limbs
  }

  /// Creates a number below 2^56.
  init(_ small: UInt64) {
    limbs = [small, 0, 0, 0, 0, 0, 0, 0]
  }

  /// Reads 56 bytes, the lowest first; `nil` if there are more or fewer, or if the number is not
  /// below p. RFC 8032 §5.2.3 (1).
  init?(_ bytes: Span<UInt8>) {
    guard bytes.count == 56 else { return nil }
    limbs = InlineArray(repeating: 0)
    for index in 0..<56 {
      limbs[index / 7] |= UInt64(bytes[index]) &<< UInt64(8 &* (index % 7))
    }
    let reduced = reduced
    for index in 0..<8 where reduced.limbs[index] != limbs[index] { return nil }
  }

  /// The 56 bytes of the canonical form, the lowest first.
  var bytes: [56 of UInt8] {
    let number = reduced
    return InlineArray {
      UInt8(truncatingIfNeeded: number.limbs[$0 / 7] &>> UInt64(8 &* ($0 % 7)))
    }
  }

  var isZero: Bool {
    let number = reduced
    for index in 0..<8 where number.limbs[index] != 0 { return false }
    return true
  }

  var isOdd: Bool { reduced.limbs[0] & 1 == 1 }

  /// The canonical form. Limbs may be up to 2^63.
  private var reduced: Ed448Field {
    // The first pass leaves limbs below 2^56 + 2^8; the second carries at most
    // one out of the top, and leaves a number below 2p.
    var number = carried.carried
    var carry: Int64 = 0
    for index in 0..<8 {
      carry &+= Int64(truncatingIfNeeded: number.limbs[index] &- Self.modulus(index))
      number.limbs[index] = UInt64(truncatingIfNeeded: carry) & Self.mask
      carry &>>= 56
    }
    // The carry is −1 if p was too much, and then p is added again; otherwise 0.
    let back = UInt64(truncatingIfNeeded: carry)
    carry = 0
    for index in 0..<8 {
      carry &+= Int64(truncatingIfNeeded: number.limbs[index] &+ (Self.modulus(index) & back))
      number.limbs[index] = UInt64(truncatingIfNeeded: carry) & Self.mask
      carry &>>= 56
    }
    return number
  }

  /// The same number with the upper bits of each limb moved to the next one; those of the last limb
  /// are worth 2^448 = 2^224 + 1.
  private var carried: Ed448Field {
    var result = self
    for index in 0..<8 {
      result.limbs[index] = limbs[index] & Self.mask &+ limbs[(index &+ 7) & 7] &>> 56
    }
    result.limbs[4] &+= limbs[7] &>> 56
    return result
  }

  /// Returns the sum, limb by limb.
  @inline(__always)
  static func + (a: Ed448Field, b: Ed448Field) -> Ed448Field {
    var sum = a
    for index in 0..<8 { sum.limbs[index] &+= b.limbs[index] }
    return sum
  }

  /// Returns the difference plus 4p, to keep limbs from becoming negative; `b` is at most a sum of
  /// two tight numbers.
  @inline(__always)
  static func - (a: Ed448Field, b: Ed448Field) -> Ed448Field {
    var difference = a
    for index in 0..<8 { difference.limbs[index] &+= 4 &* modulus(index) &- b.limbs[index] }
    return difference
  }

  /// Returns the product with a number below 2^18, tight.
  static func * (a: Ed448Field, small: UInt64) -> Ed448Field {
    var result = zero
    var (low, high): (UInt128, UInt128) = (0, 0)
    for index in 0..<4 {
      low &+= multiply(a.limbs[index], small)
      high &+= multiply(a.limbs[index &+ 4], small)
      result.keep(&low, &high, index)
    }
    return result.folding(low, high)
  }

  /// Stores the lowest 56 bits of two columns in limbs, and leaves the bits above.
  @inline(__always)
  private mutating func keep(_ low: inout UInt128, _ high: inout UInt128, _ index: Int) {
    limbs[index] = UInt64(truncatingIfNeeded: low) & Self.mask
    limbs[index &+ 4] = UInt64(truncatingIfNeeded: high) & Self.mask
    low &>>= 56
    high &>>= 56
  }

  /// Adds `low`, worth 2^224, and `high`, worth 2^448 = 2^224 + 1, to limbs
  /// below 2^56. Both are below 2^71.
  @inline(__always)
  private func folding(_ low: UInt128, _ high: UInt128) -> Ed448Field {
    let first = wide(limbs[0]) &+ high
    let middle = wide(limbs[4]) &+ low &+ high
    var result = self
    result.limbs[0] = UInt64(truncatingIfNeeded: first) & Self.mask
    result.limbs[1] &+= UInt64(truncatingIfNeeded: first &>> 56)
    result.limbs[4] = UInt64(truncatingIfNeeded: middle) & Self.mask
    result.limbs[5] &+= UInt64(truncatingIfNeeded: middle &>> 56)
    return result
  }
}

// With φ = 2^224 the modulus is φ² − φ − 1. For a = a₀ + a₁φ and b = b₀ + b₁φ, with A = a₀b₀,
// B = a₁b₁ and C = (a₀ + a₁)(b₀ + b₁), the product is A + B + (C − A)φ: three products of four by
// four limbs instead of four. Each of them has seven columns, the last three of which are worth
// another φ. With Xₖ for column k of X, column k of the lower half is Aₖ + Bₖ + Cₖ₊₄ − Aₖ₊₄, and
// that of the upper half is Cₖ − Aₖ + Bₖ₊₄ + Cₖ₊₄.
extension Ed448Field {
  /// Four limbs, whose products are in columns.
  private struct Half {
    typealias Columns = InlineArray<7, UInt128>

    let l0: UInt64
    let l1: UInt64
    let l2: UInt64
    let l3: UInt64

    @inline(__always)
    static func + (a: Half, b: Half) -> Half {
      Half(l0: a.l0 &+ b.l0, l1: a.l1 &+ b.l1, l2: a.l2 &+ b.l2, l3: a.l3 &+ b.l3)
    }

    @inline(__always)
    static func * (a: Half, b: Half) -> Columns {
      [
        multiply(a.l0, b.l0),
        multiply(a.l0, b.l1) &+ multiply(a.l1, b.l0),
        multiply(a.l0, b.l2) &+ multiply(a.l1, b.l1) &+ multiply(a.l2, b.l0),
        multiply(a.l0, b.l3) &+ multiply(a.l1, b.l2) &+ multiply(a.l2, b.l1)
          &+ multiply(a.l3, b.l0),
        multiply(a.l1, b.l3) &+ multiply(a.l2, b.l2) &+ multiply(a.l3, b.l1),
        multiply(a.l2, b.l3) &+ multiply(a.l3, b.l2),
        multiply(a.l3, b.l3),
      ]
    }

    @inline(__always)
    var squared: Columns {
      [
        multiply(l0, l0),
        multiply(2 &* l0, l1),
        multiply(2 &* l0, l2) &+ multiply(l1, l1),
        multiply(2 &* l0, l3) &+ multiply(2 &* l1, l2),
        multiply(2 &* l1, l3) &+ multiply(l2, l2),
        multiply(2 &* l2, l3),
        multiply(l3, l3),
      ]
    }
  }

  @inline(__always)
  private var halves: (Half, Half) {
    (
      Half(l0: limbs[0], l1: limbs[1], l2: limbs[2], l3: limbs[3]),
      Half(l0: limbs[4], l1: limbs[5], l2: limbs[6], l3: limbs[7])
    )
  }

  /// Returns the product, tight. Limbs of the factors may be up to 2^60; columns are below 2^126.
  @inline(never)
  static func * (left: Ed448Field, right: Ed448Field) -> Ed448Field {
    let ((a0, a1), (b0, b1)) = (left.halves, right.halves)
    return combined(a0 * b0, a1 * b1, (a0 + a1) * (b0 + b1))
  }

  /// The square, tight, with the bounds of the product.
  @inline(never)
  var squared: Ed448Field {
    let (a0, a1) = halves
    return Ed448Field.combined(a0.squared, a1.squared, (a0 + a1).squared)
  }

  /// Returns A + B + (C − A)φ.
  @inline(__always)
  private static func combined(
    _ a: Half.Columns, _ b: Half.Columns, _ c: Half.Columns
  ) -> Ed448Field {
    // Not a loop: the compiler would keep the columns in memory.
    var result = zero
    var low = a[0] &+ b[0] &+ c[4] &- a[4]
    var high = c[0] &- a[0] &+ b[4] &+ c[4]
    result.keep(&low, &high, 0)
    low = low &+ a[1] &+ b[1] &+ c[5] &- a[5]
    high = high &+ c[1] &- a[1] &+ b[5] &+ c[5]
    result.keep(&low, &high, 1)
    low = low &+ a[2] &+ b[2] &+ c[6] &- a[6]
    high = high &+ c[2] &- a[2] &+ b[6] &+ c[6]
    result.keep(&low, &high, 2)
    low = low &+ a[3] &+ b[3]
    high = high &+ c[3] &- a[3]
    result.keep(&low, &high, 3)
    return result.folding(low, high)
  }

  /// Returns the number squared `count` times.
  func squared(times count: Int) -> Ed448Field {
    var result = self
    for _ in 0..<max(count, 0) { result = result.squared }
    return result
  }

  /// The power (p − 3)/4 = 2^446 − 2^222 − 1, for square roots.
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

  /// Returns the inverse, by an extended Euclidean algorithm; zero for zero.
  func inverted() -> Ed448Field {
    let number = HoldfastSignatures.limbs(littleEndian: bytes.span)
    let value: [7 of UInt64] = InlineArray { number[$0] }
    let modulus: [7 of UInt64] = [.max, .max, .max, 0xFFFF_FFFE_FFFF_FFFF, .max, .max, .max]
    guard let inverse = LimbArithmetic.inverse(of: value, modulo: modulus) else { return .zero }
    let bytes: [56 of UInt8] = InlineArray {
      UInt8(truncatingIfNeeded: inverse[$0 / 8] &>> UInt64(8 * ($0 % 8)))
    }
    return Ed448Field(bytes.span) ?? .zero
  }
}
