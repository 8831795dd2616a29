/// An element of a prime field with a fixed number of limbs, together with a curve of prime order
/// over this field with a = -3. P-256 and P-384 are in Montgomery form.
///
/// Arithmetic keeps values within the limbs, not below p, so zero has more than one form; only
/// `isZero`, `encoded` and `canonicalLimbs` use the canonical form. Multiplication and squaring are
/// real functions, the rest is inlined: with everything inlined, point arithmetic does not fit into
/// the instruction cache.
package protocol FixedField: Invertible, Sendable, Equatable {
  /// The bit length of p.
  static var bitCount: Int { get }
  /// p, least significant limb first.
  static var modulus: [UInt64] { get }
  static var zero: Self { get }
  /// b of y^2 = x^3 - 3x + b.
  static var curveB: Self { get }
  static var generator: AffinePoint<Self> { get }
  /// The odd multiples of the generator, computed at the first use.
  static var generatorTable: PointTable<AffinePoint<Self>> { get }
  static var layout: TableLayout { get }

  /// Creates an element from a number, least significant limb first; nil if it is not below p.
  init?(limbs: Limbs)

  static func + (left: Self, right: Self) -> Self
  static func - (left: Self, right: Self) -> Self
  func squared() -> Self
  /// Returns half of the element: the one whose double it is.
  func halved() -> Self
  var isZero: Bool { get }
  /// The canonical number, least significant limb first.
  var canonicalLimbs: [UInt64] { get }
}

extension FixedField {
  @inline(__always)
  func doubled() -> Self { self + self }

  package static func == (left: Self, right: Self) -> Bool {
    (left - right).isZero
  }

  var isOdd: Bool {
    (canonicalLimbs.first ?? 0) & 1 == 1
  }

  /// The canonical number, most significant byte first.
  package var encoded: [UInt8] {
    let limbs = canonicalLimbs
    return (0..<(Self.bitCount &+ 7) / 8).reversed().map { (offset: Int) -> UInt8 in
      let shift = UInt64(8 &* offset % 64)
      return UInt8(truncatingIfNeeded: limbs[offset / 8] &>> shift)
    }
  }

  /// Returns a power, by squaring and multiplying; `exponent` has its lowest limb first.
  func raised(to exponent: [UInt64]) -> Self {
    var result = Self.one
    for limb in exponent.reversed() {
      for bit in stride(from: UInt64(63), through: 0, by: -1) {
        result = result.squared()
        if limb &>> bit & 1 == 1 { result = result * self }
      }
    }
    return result
  }

  /// Returns a square root, if there is one: all primes here are 3 modulo 4, so it is the power
  /// (p + 1) / 4.
  func squareRoot() -> Self? {
    var exponent = Self.modulus
    // p ends with ff, so (p + 1) / 4 = (p - 3) / 4 + 1, and p shifted right by two bits is
    // (p - 3) / 4.
    for index in exponent.indices {
      let above = index &+ 1 < exponent.count ? exponent[index &+ 1] : 0
      exponent[index] = exponent[index] &>> 2 | above &<< 62
    }
    for index in exponent.indices {
      exponent[index] = exponent[index] &+ 1
      if exponent[index] != 0 { break }
    }
    let root = raised(to: exponent)
    return root.squared() == self ? root : nil
  }
}
