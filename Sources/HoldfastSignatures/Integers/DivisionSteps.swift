extension SwiftLimbs {
  /// Returns the inverse of a number of fixed width modulo an odd number above 1, without heap
  /// memory; `nil` if there is none, or above 16 limbs.
  static func inverse<let count: Int>(
    of value: [count of UInt64], modulo modulus: [count of UInt64]
  ) -> [count of UInt64]? {
    guard count > 0, count <= 16, modulus[0] & 1 == 1 else { return nil }
    var (bitCount, isOne) = (0, modulus[0] == 1)
    for index in 0..<count where value[index] | modulus[index] != 0 {
      bitCount = 64 * (index + 1) - (value[index] | modulus[index]).leadingZeroBitCount
      if index > 0, modulus[index] != 0 { isOne = false }
    }
    guard !isOne else { return nil }
    var steps = DivisionSteps(of: value.span, modulo: modulus.span, bitCount: bitCount)
    guard steps.findInverse() else { return nil }
    return InlineArray { steps.inverseWord(at: $0) }
  }
}

/// The inverse of a number modulo an odd number, by shifts and products without a division:
/// Bernstein and Yang, "Fast constant-time gcd computation and modular inversion" (2019), here in
/// variable time.
///
/// A step halves g, after adding f to it if it is odd, or subtracting f and making the old g the
/// new f if δ is positive. 62 steps depend on the lowest 62 bits alone, and are computed there; then
/// a matrix applies them to the whole numbers.
private struct DivisionSteps {
  /// Limbs of 62 bits, the lowest first; the highest in use has the sign.
  typealias Number = [17 of Int64]

  /// 62 steps, times 2^62: the rows of a matrix that has f and g on its right side.
  private struct Matrix {
    let (f, g): ((Int64, Int64), (Int64, Int64))
  }

  private let modulus: Number
  /// 1 / modulus modulo 2^64.
  private let modulusInverse: UInt64
  private let bitCount: Int
  /// The limbs in use of the modulus, d and e, and those of f and g, which get shorter.
  private let count: Int
  private var shortCount: Int
  private var (f, g) = (Number(repeating: 0), Number(repeating: 0))
  /// f and g are d and e times the value, modulo the modulus; d and e are less than the modulus, and
  /// more than -2 times it.
  private var (d, e) = (Number(repeating: 0), Number(repeating: 0))
  private var delta = 1

  init(of value: Span<UInt64>, modulo modulus: Span<UInt64>, bitCount: Int) {
    self.bitCount = bitCount
    count = (bitCount + 61) / 62
    shortCount = count
    for index in 0..<count {
      f[index] = Int64(bitPattern: Montgomery.limb(at: index, bits: 62, of: modulus))
      g[index] = Int64(bitPattern: Montgomery.limb(at: index, bits: 62, of: value))
    }
    self.modulus = f
    e[0] = 1
    // Newton's iteration doubles the number of correct bits; x * x = 1 modulo 8 gives three.
    var inverse = modulus[0]
    for _ in 0..<5 { inverse = inverse &* (2 &- modulus[0] &* inverse) }
    modulusInverse = inverse
  }

  /// Makes d the inverse, below the modulus; false if there is none.
  mutating func findInverse() -> Bool {
    // After so many steps g is zero: theorem 11.2.
    for _ in 0...((49 * bitCount + 80) / 17 / 62) {
      let matrix = steps()
      apply(matrix)
      applyToCofactors(matrix)
      shorten()
      if shortCount == 1, g[0] == 0 { break }
    }
    // f is the greatest common divisor, with a sign.
    guard shortCount == 1, f[0].magnitude == 1 else { return false }
    multiplyD(by: f[0], plus: 0)
    while d[count - 1] < 0 { multiplyD(by: 1, plus: 1) }
    while d[count - 1] >= 0 { multiplyD(by: 1, plus: -1) }
    multiplyD(by: 1, plus: 1)
    return true
  }

  /// Computes 62 steps of the lowest limbs.
  private mutating func steps() -> Matrix {
    var (f, g, delta) = (UInt64(bitPattern: f[0]), UInt64(bitPattern: g[0]), delta)
    var (u, v, q, r): (Int64, Int64, Int64, Int64) = (1, 0, 0, 1)
    var left = 62
    while true {
      // Steps with an even g.
      let zeros = (g | 1 &<< UInt64(left)).trailingZeroBitCount
      g = g &>> UInt64(zeros)
      u = u &<< Int64(zeros)
      v = v &<< Int64(zeros)
      delta &+= zeros
      left &-= zeros
      if left == 0 { break }
      if delta > 0 {
        delta = 0 &- delta
        (f, g) = (g, 0 &- f)
        (u, q) = (q, 0 &- u)
        (v, r) = (r, 0 &- v)
      }
      // Until δ is positive, all steps add f or nothing, so a multiple of f makes several of them
      // even at once, here up to six: f · f · (f · f - 2) is -1 modulo 64.
      let mask = UInt64.max &>> UInt64(64 &- min(1 &- delta, left)) & 63
      let factor = g &* f &* (f &* f &- 2) & mask
      let signed = Int64(bitPattern: factor)
      g = g &+ f &* factor
      q = q &+ u &* signed
      r = r &+ v &* signed
    }
    self.delta = delta
    return Matrix(f: (u, v), g: (q, r))
  }

  /// Applies the steps to f and g.
  private mutating func apply(_ matrix: Matrix) {
    // The sum of a row is at most 2^62, so its products with limbs have at most 126 bits.
    var (fSum, gSum): (Int128, Int128) = (0, 0)
    for index in 0..<shortCount {
      let (x, y) = (f[index], g[index])
      fSum = fSum &+ product(matrix.f.0, x) &+ product(matrix.f.1, y)
      gSum = gSum &+ product(matrix.g.0, x) &+ product(matrix.g.1, y)
      if index > 0 {
        f[index &- 1] = lowLimb(fSum)
        g[index &- 1] = lowLimb(gSum)
      }
      fSum = fSum &>> 62
      gSum = gSum &>> 62
    }
    f[shortCount - 1] = Int64(truncatingIfNeeded: fSum)
    g[shortCount - 1] = Int64(truncatingIfNeeded: gSum)
  }

  /// Applies the steps to d and e, modulo the modulus.
  private mutating func applyToCofactors(_ matrix: Matrix) {
    let (dIsNegative, eIsNegative) = (d[count - 1] < 0, e[count - 1] < 0)
    // How often the modulus is added: once to what is negative, so that the sums are less than 2^62
    // times it in size, and then less than 2^62 times, so that 2^62 divides them.
    func multiple(_ row: (Int64, Int64)) -> Int64 {
      let first = (dIsNegative ? row.0 : 0) &+ (eIsNegative ? row.1 : 0)
      let lowest = row.0 &* d[0] &+ row.1 &* e[0] &+ first &* modulus[0]
      return first &- lowest &* Int64(bitPattern: modulusInverse) & DivisionSteps.mask
    }
    let (dMultiple, eMultiple) = (multiple(matrix.f), multiple(matrix.g))
    var (dSum, eSum): (Int128, Int128) = (0, 0)
    for index in 0..<count {
      let (x, y, m) = (d[index], e[index], modulus[index])
      dSum = dSum &+ product(matrix.f.0, x) &+ product(matrix.f.1, y) &+ product(dMultiple, m)
      eSum = eSum &+ product(matrix.g.0, x) &+ product(matrix.g.1, y) &+ product(eMultiple, m)
      if index > 0 {
        d[index &- 1] = lowLimb(dSum)
        e[index &- 1] = lowLimb(eSum)
      }
      dSum = dSum &>> 62
      eSum = eSum &>> 62
    }
    d[count - 1] = Int64(truncatingIfNeeded: dSum)
    e[count - 1] = Int64(truncatingIfNeeded: eSum)
  }

  /// Joins the highest limbs of f and g with those below them, if both are nothing but a sign.
  private mutating func shorten() {
    while shortCount > 1, f[shortCount - 1] == f[shortCount - 1] &>> 63,
      g[shortCount - 1] == g[shortCount - 1] &>> 63
    {
      f[shortCount - 2] |= f[shortCount - 1] &<< 62
      g[shortCount - 2] |= g[shortCount - 1] &<< 62
      shortCount -= 1
    }
  }

  /// Multiplies d by a sign, and adds so many times the modulus.
  private mutating func multiplyD(by sign: Int64, plus factor: Int64) {
    var carry: Int64 = 0
    for index in 0..<count {
      carry = carry &+ sign &* d[index] &+ factor &* modulus[index]
      d[index] = index < count &- 1 ? carry & DivisionSteps.mask : carry
      carry = carry &>> 62
    }
  }

  /// Returns the word of 64 bits at `index` of the inverse.
  func inverseWord(at index: Int) -> UInt64 {
    let (start, shift) = (64 * index / 62, UInt64(64 * index % 62))
    var word: UInt64 = 0
    // Shifts by 64 and more leave nothing.
    for offset in 0..<3 where start + offset < count {
      let limb = UInt64(bitPattern: d[start + offset])
      word |= offset == 0 ? limb &>> shift : limb << (62 * UInt64(offset) - shift)
    }
    return word
  }
}

extension DivisionSteps {
  private static var mask: Int64 { 1 &<< 62 &- 1 }

  @inline(__always)
  private func product(_ left: Int64, _ right: Int64) -> Int128 {
    Int128(truncatingIfNeeded: left) &* Int128(truncatingIfNeeded: right)
  }

  @inline(__always)
  private func lowLimb(_ sum: Int128) -> Int64 {
    Int64(truncatingIfNeeded: sum) & DivisionSteps.mask
  }
}
