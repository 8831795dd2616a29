/// An element of the field of P-521. FIPS 186-5 and SP 800-186 §3.2.1.5: p = 2^521 - 1.
///
/// Nine limbs of 58 bits in 64-bit words: products and sums are added without carries, and what
/// lies at 2^522 comes back twice at 1. The highest limb has 57 bits, since 2^521 is 1. Every
/// operation leaves limbs below 2^58 + 2^6, not always in the canonical form.
package struct FieldP521: FixedField {
  private typealias Words = InlineArray<9, UInt64>

  private var limbs: Words

  @inline(__always)
  private init(_ limbs: Words) {
    self.limbs = limbs
  }

  package static var bitCount: Int { 521 }
  package static var modulus: [UInt64] { [UInt64](repeating: .max, count: 8) + [0x1ff] }
  private static var modulusLimbs: Limbs {
    [.max, .max, .max, .max, .max, .max, .max, .max, 0x1ff]
  }
  package static var zero: FieldP521 { FieldP521(Words(repeating: 0)) }
  package static var one: FieldP521 { FieldP521([1, 0, 0, 0, 0, 0, 0, 0, 0]) }
  @inline(__always) private static var mask: UInt64 { 1 &<< 58 &- 1 }
  @inline(__always) private static var topMask: UInt64 { 1 &<< 57 &- 1 }

  package init?(limbs number: Limbs) {
    guard number[8] <= 0x1ff else { return nil }
    self = .zero
    for index in 0..<9 {
      // 58 · 8 = 464, so the last limb has the remaining 57 bits.
      let (word, shift) = (58 &* index / 64, UInt64(58 &* index % 64))
      let above = word < 8 && shift > 0 ? number[word &+ 1] &<< (64 &- shift) : 0
      limbs[index] = (number[word] &>> shift | above) & FieldP521.mask
    }
    if isModulus { return nil }
  }

  private var isModulus: Bool {
    for index in 0..<8 where limbs[index] != FieldP521.mask { return false }
    return limbs[8] == FieldP521.topMask
  }

  package var isZero: Bool {
    // k · p ends with -k, and every element is below 8 · p.
    guard (limbs[0] &+ 7) & FieldP521.mask <= 7 else { return false }
    let canonical = canonical
    for index in 0..<9 where canonical.limbs[index] != 0 { return false }
    return true
  }

  /// Returns the inverse, by an extended Euclidean algorithm: a third of the time of a power.
  package func inverted() -> FieldP521 {
    LimbArithmetic.inverse(of: canonical.packed, modulo: FieldP521.modulusLimbs)
      .flatMap { FieldP521(limbs: $0) } ?? .zero
  }

  package var canonicalLimbs: [UInt64] {
    let packed = canonical.packed
    return (0..<9).map { packed[$0] }
  }

  /// The canonical form: limbs of 58 bits, the last of 57, and not p.
  private var canonical: FieldP521 {
    var result = self
    // Once for the carries, then once for what the highest limb returns to the lowest.
    for _ in 0..<2 {
      var carry: UInt64 = 0
      for index in 0..<8 {
        let sum = result.limbs[index] &+ carry
        result.limbs[index] = sum & FieldP521.mask
        carry = sum &>> 58
      }
      let sum = result.limbs[8] &+ carry
      result.limbs[8] = sum & FieldP521.topMask
      result.limbs[0] = result.limbs[0] &+ sum &>> 57
    }
    return result.isModulus ? .zero : result
  }

  /// The 64-bit limbs of a canonical element.
  private var packed: Limbs {
    var number = Limbs(repeating: 0)
    for index in 0..<9 {
      let (word, shift) = (58 &* index / 64, UInt64(58 &* index % 64))
      number[word] |= limbs[index] &<< shift
      if word < 8, shift > 6 { number[word &+ 1] |= limbs[index] &>> (64 &- shift) }
    }
    return number
  }

  /// The number in limbs of 48 bits.
  var limbs48: [11 of UInt64] {
    let canonical = canonical
    return InlineArray { index in
      let (limb, shift) = (48 &* index / 58, UInt64(48 &* index % 58))
      let above = limb < 8 ? canonical.limbs[limb &+ 1] &<< (58 &- shift) : 0
      return (canonical.limbs[limb] &>> shift | above) & (1 &<< 48 &- 1)
    }
  }

  /// Creates an element from limbs of 48 bits, which may be exceeded by a few bits.
  init(limbs48 limbs: [11 of UInt64]) {
    var sums = Words(repeating: 0)
    for index in 0..<11 {
      let (limb, shift) = (48 &* index / 58, UInt64(48 &* index % 58))
      let above = limbs[index] &>> (58 &- shift)
      sums[limb] = sums[limb] &+ (limbs[index] &<< shift & FieldP521.mask)
      // 2^522 is 2.
      if limb < 8 {
        sums[limb &+ 1] = sums[limb &+ 1] &+ above
      } else {
        sums[0] = sums[0] &+ above &<< 1
      }
    }
    self = FieldP521(sums).carried()
  }
}

extension FieldP521 {
  /// Returns the element with the upper bits of each limb moved to the next one. Limbs up to 2^63
  /// become less than 2^58 + 2^6.
  @inline(__always)
  private func carried() -> FieldP521 {
    var result = self
    result.limbs[0] = limbs[0] & FieldP521.mask &+ limbs[8] &>> 57
    for index in 1..<8 {
      result.limbs[index] = limbs[index] & FieldP521.mask &+ limbs[index &- 1] &>> 58
    }
    result.limbs[8] = limbs[8] & FieldP521.topMask &+ limbs[7] &>> 58
    return result
  }

  @inline(__always)
  package static func + (left: FieldP521, right: FieldP521) -> FieldP521 {
    var sum = left
    for index in 0..<9 { sum.limbs[index] = sum.limbs[index] &+ right.limbs[index] }
    return sum.carried()
  }

  @inline(__always)
  package static func - (left: FieldP521, right: FieldP521) -> FieldP521 {
    // Adding 4 · p keeps every limb from becoming negative.
    var difference = left
    for index in 0..<8 {
      difference.limbs[index] =
        difference.limbs[index] &+ (4 &* FieldP521.mask) &- right.limbs[index]
    }
    difference.limbs[8] = difference.limbs[8] &+ (4 &* FieldP521.topMask) &- right.limbs[8]
    return difference.carried()
  }

  @inline(__always)
  package func halved() -> FieldP521 {
    // Adding p to an odd number subtracts 1 and adds 2^521; half of that is bit 56 of limb 8.
    var half = self
    for index in 0..<8 {
      half.limbs[index] = limbs[index] &>> 1 &+ (limbs[index &+ 1] & 1) &<< 57
    }
    half.limbs[8] = limbs[8] &>> 1 &+ (limbs[0] & 1) &<< 56
    return half.carried()
  }

  @inline(never)
  package static func * (x: FieldP521, y: FieldP521) -> FieldP521 {
    // x_i y_j + x_j y_i is x_i y_i + x_j y_j and the product of two differences: 45 products in all,
    // not 81 (Granger and Scott, "Faster ECC over F_{2^521-1}", 2015). Column k has all x_i y_i, and
    // those of i > k twice, since what lies beyond the highest limb counts twice.
    let (p0, p1, p2) = (x.own(y, 0), x.own(y, 1), x.own(y, 2))
    let (p3, p4, p5) = (x.own(y, 3), x.own(y, 4), x.own(y, 5))
    let (p6, p7, p8) = (x.own(y, 6), x.own(y, 7), x.own(y, 8))
    let all = p0 &+ p1 &+ p2 &+ p3 &+ p4 &+ p5 &+ p6 &+ p7 &+ p8
    let s0 = all &+ all &- p0
    let s1 = s0 &- p1
    let s2 = s1 &- p2
    let s3 = s2 &- p3
    let s4 = s3 &- p4
    let s5 = s4 &- p5
    let s6 = s5 &- p6
    let s7 = s6 &- p7
    let s8 = s7 &- p8
    return reduced([
      column(s0, x.twice(y, 1, 8), x.twice(y, 2, 7), x.twice(y, 3, 6), x.twice(y, 4, 5)),
      column(s1, x.once(y, 0, 1), x.twice(y, 2, 8), x.twice(y, 3, 7), x.twice(y, 4, 6)),
      column(s2, x.once(y, 0, 2), x.twice(y, 3, 8), x.twice(y, 4, 7), x.twice(y, 5, 6)),
      column(s3, x.once(y, 0, 3), x.once(y, 1, 2), x.twice(y, 4, 8), x.twice(y, 5, 7)),
      column(s4, x.once(y, 0, 4), x.once(y, 1, 3), x.twice(y, 5, 8), x.twice(y, 6, 7)),
      column(s5, x.once(y, 0, 5), x.once(y, 1, 4), x.once(y, 2, 3), x.twice(y, 6, 8)),
      column(s6, x.once(y, 0, 6), x.once(y, 1, 5), x.once(y, 2, 4), x.twice(y, 7, 8)),
      column(s7, x.once(y, 0, 7), x.once(y, 1, 6), x.once(y, 2, 5), x.once(y, 3, 4)),
      column(s8, x.once(y, 0, 8), x.once(y, 1, 7), x.once(y, 2, 6), x.once(y, 3, 5)),
    ])
  }

  /// Returns a sum that is not negative.
  @inline(__always)
  private static func column(
    _ sum: Int128, _ a: Int128, _ b: Int128, _ c: Int128, _ d: Int128
  ) -> UInt128 {
    UInt128(truncatingIfNeeded: sum &+ a &+ b &+ c &+ d)
  }

  @inline(__always)
  private func own(_ other: FieldP521, _ i: Int) -> Int128 {
    multiplySigned(signed(i), other.signed(i))
  }

  /// What x_i y_j + x_j y_i is more than x_i y_i + x_j y_j; and `twice`, twice that.
  @inline(__always)
  private func once(_ other: FieldP521, _ i: Int, _ j: Int) -> Int128 {
    multiplySigned(signed(i) &- signed(j), other.signed(j) &- other.signed(i))
  }

  @inline(__always)
  private func twice(_ other: FieldP521, _ i: Int, _ j: Int) -> Int128 {
    multiplySigned((signed(i) &- signed(j)) &<< 1, other.signed(j) &- other.signed(i))
  }

  @inline(__always)
  private func signed(_ index: Int) -> Int64 { Int64(truncatingIfNeeded: limbs[index]) }

  @inline(never)
  package func squared() -> FieldP521 {
    let a = limbs
    // Products of different limbs occur twice; those beyond the highest limb count twice again.
    let b: Words = InlineArray { a[$0] &<< 1 }
    let c: Words = InlineArray { a[$0] &<< 2 }
    return FieldP521.reduced([
      sum(a[0], a[0], c[8], a[1], c[7], a[2], c[6], a[3], c[5], a[4]),
      sum(b[1], a[0], b[5], a[5], c[8], a[2], c[7], a[3], c[6], a[4]),
      sum(b[2], a[0], a[1], a[1], c[8], a[3], c[7], a[4], c[6], a[5]),
      sum(b[3], a[0], b[2], a[1], b[6], a[6], c[8], a[4], c[7], a[5]),
      sum(b[4], a[0], b[3], a[1], a[2], a[2], c[8], a[5], c[7], a[6]),
      sum(b[5], a[0], b[4], a[1], b[3], a[2], b[7], a[7], c[8], a[6]),
      sum(b[6], a[0], b[5], a[1], b[4], a[2], a[3], a[3], c[8], a[7]),
      sum(b[7], a[0], b[6], a[1], b[5], a[2], b[4], a[3], b[8], a[8]),
      sum(b[8], a[0], b[7], a[1], b[6], a[2], b[5], a[3], a[4], a[4]),
    ])
  }

  /// Returns the sum of five products.
  @inline(__always)
  private func sum(
    _ a0: UInt64, _ b0: UInt64, _ a1: UInt64, _ b1: UInt64, _ a2: UInt64, _ b2: UInt64,
    _ a3: UInt64, _ b3: UInt64, _ a4: UInt64, _ b4: UInt64
  ) -> UInt128 {
    let first = multiply(a0, b0) &+ multiply(a1, b1)
    return first &+ multiply(a2, b2) &+ multiply(a3, b3) &+ multiply(a4, b4)
  }

  /// Carries nine sums of products, each below 2^122, into limbs.
  @inline(__always)
  private static func reduced(_ columns: InlineArray<9, UInt128>) -> FieldP521 {
    let s0 = columns[0]
    let s1 = columns[1] &+ s0 &>> 58
    let s2 = columns[2] &+ s1 &>> 58
    let s3 = columns[3] &+ s2 &>> 58
    let s4 = columns[4] &+ s3 &>> 58
    let s5 = columns[5] &+ s4 &>> 58
    let s6 = columns[6] &+ s5 &>> 58
    let s7 = columns[7] &+ s6 &>> 58
    let s8 = columns[8] &+ s7 &>> 58
    // No product of the last column lies beyond the highest limb, so this is less than 2^63.
    let first = low(s0) & mask &+ low(s8 &>> 57)
    return FieldP521([
      first & mask, low(s1) & mask &+ first &>> 58, low(s2) & mask, low(s3) & mask, low(s4) & mask,
      low(s5) & mask, low(s6) & mask, low(s7) & mask, low(s8) & topMask,
    ])
  }
}
