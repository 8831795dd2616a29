internal import CHoldfastInstructions
internal import HoldfastHashes

/// A polynomial of 256 coefficients modulo q and X^256 + 1, or its transform.
/// FIPS 204 §2.3 and §7.5.
///
/// Coefficients are not reduced between operations; each function states its bounds. Loops use
/// spans: reading an element through the value would copy the whole value first. For the same
/// reason several polynomials are one array of coefficients.
struct MLDSAPolynomial: Sendable {
  /// q = 2^23 − 2^13 + 1. FIPS 204 table 1.
  static let modulus: UInt32 = 8_380_417

  var coefficients = [256 of UInt32](repeating: 0)
}

/// A constant factor modulo q, in a form in which a product costs two multiplications.
///
/// For a factor b the stored number is b′ = (−2^64 b mod q) q⁻¹ mod 2^64. With
/// P = a b′ mod 2^64, q P − a (−2^64 b mod q) is a multiple k 2^64 of 2^64, and
/// k ≡ a b (mod q). As q 2^32 + a q is below 2^64, k is ⌊(⌊P / 2^32⌋ + 1) q / 2^32⌋.
/// The method is from T. Plantard, "Efficient word size modular arithmetic", 2021.
struct MLDSAFactor: Sendable {
  private let number: UInt64

  /// q⁻¹ modulo 2^64, by Newton's iteration: each step doubles the number of correct bits.
  private static let inverse: UInt64 = {
    let q = UInt64(MLDSAPolynomial.modulus)
    var inverse = q  // q² ≡ 1 (mod 8): three bits
    for _ in 0..<5 { inverse = inverse &* (2 &- q &* inverse) }
    return inverse
  }()

  /// −2^64 modulo q, with which factors are premultiplied.
  fileprivate static let minusRadix: UInt64 = {
    let q = UInt64(MLDSAPolynomial.modulus)
    return q &- (UInt64.max % q &+ 1) % q
  }()

  /// Creates a factor from `value`, below q.
  init(_ value: UInt64) {
    let q = UInt64(MLDSAPolynomial.modulus)
    number = value &* Self.minusRadix % q &* Self.inverse
  }

  /// The factor −2^−64, whose products accept numbers up to 2^63: b′ is q⁻¹.
  static let reduction = MLDSAFactor(reduction: ())

  private init(reduction: Void) {
    number = Self.inverse
  }

  /// Returns the product of `a`, below 2^40, and the factor; it is below q.
  @inline(__always)
  static func * (a: UInt64, factor: MLDSAFactor) -> UInt32 {
    let high = (a &* factor.number) &>> 32 &+ 1
    return UInt32(truncatingIfNeeded: (high &* UInt64(MLDSAPolynomial.modulus)) &>> 32)
  }
}

/// The powers of the root of unity ζ = 1753 in the order of the transform:
/// entry m is ζ to the eight bits of m reversed. FIPS 204 §7.5, appendix B.
private let powers: [256 of UInt64] = {
  var power: UInt64 = 1
  var powers = [256 of UInt64](repeating: 1)
  for exponent in 0..<256 {
    var reversed = 0
    for bit in 0..<8 where exponent &>> bit & 1 == 1 { reversed |= 128 &>> bit }
    powers[reversed] = power
    power = power &* 1753 % UInt64(MLDSAPolynomial.modulus)
  }
  return powers
}()

/// 256⁻¹ for the inverse transform, times −2^64, which reductions have divided by.
private let lastPower: UInt64 = {
  // 256 divides q − 1, so 256 (q − (q − 1)/256) ≡ −(q − 1) ≡ 1.
  let q = UInt64(MLDSAPolynomial.modulus)
  return (q &- (q &- 1) / 256) &* MLDSAFactor.minusRadix % q
}()

private let zetas: [256 of MLDSAFactor] = InlineArray { MLDSAFactor(powers[$0]) }
private let lastFactor = MLDSAFactor(lastPower)

/// The powers as the vectors need them; the last factor takes the place of the power 0, which no
/// layer has.
private let vectorFactors: [256 of holdfast_factor] = InlineArray { index in
  let value = index == 0 ? lastPower : powers[index]
  return holdfast_factor(
    value: UInt32(value), quotient: UInt32((value &<< 32) / UInt64(MLDSAPolynomial.modulus)))
}

extension MLDSAPolynomial {
  /// Whether the processor has vectors for the transforms and for reading coefficients.
  static let hasVectors = KeccakStates.widest > 0

  /// Appends the candidates in a block of the state with this number, as `accept` does.
  static func acceptInVectors(
    _ lanes: Span<UInt64>, _ number: Int, into w: inout MutableSpan<UInt32>, from start: Int,
    _ count: inout Int
  ) {
    let block = lanes.extracting(number..<number &+ 161)
    // No caller has another; a loop that waits for the last number would not end.
    guard start >= 0, start <= w.count &- 256 else {
      count = 256
      return
    }
    // SAFETY: the function reads every eighth of 161 lanes, writes no more than 256 numbers from
    // `start`, which was checked, and keeps no pointer.
    unsafe w.withUnsafeMutableBufferPointer { w in
      unsafe block.withUnsafeBufferPointer { block in
        guard let lanes = block.baseAddress, let w = w.baseAddress else { return }
        count = Int(unsafe holdfast_accept(lanes, w + start, Int32(truncatingIfNeeded: count)))
      }
    }
  }

  /// Reads numbers of 18 or 20 bits as `init(response:)` does, and returns whether all are in range.
  mutating func readInVectors(
    _ bytes: Span<UInt8>, bits: Int, least: UInt32, span: UInt32
  ) -> Bool {
    guard bytes.count == 32 &* bits else { return false }
    var w = coefficients.mutableSpan
    // SAFETY: the function reads 256 numbers, whose bytes were counted, writes as many, and keeps no
    // pointer.
    return unsafe w.withUnsafeMutableBufferPointer { w in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        guard let bytes = bytes.baseAddress, let w = w.baseAddress else { return false }
        return unsafe holdfast_response(w, bytes, Int32(bits), least, span) != 0
      }
    }
  }

  /// Transforms the polynomial, with vectors if the processor has them. FIPS 204 §7.5, algorithm 41.
  ///
  /// Accepts coefficients below 2q and leaves them below 18q: each layer of eight adds at most 2q.
  mutating func transform() {
    guard Self.hasVectors else { return transformPortably() }
    var w = coefficients.mutableSpan
    // SAFETY: the function reads 256 factors, reads and writes 256 numbers, and keeps no pointer.
    unsafe w.withUnsafeMutableBufferPointer { w in
      unsafe vectorFactors.span.withUnsafeBufferPointer { factors in
        unsafe holdfast_transform(w.baseAddress, factors.baseAddress)
      }
    }
  }

  mutating func transformPortably() {
    let zetas = zetas.span
    var w = coefficients.mutableSpan
    var m = 0
    var length = 128
    while length >= 1 {
      var start = 0
      while start < 256 {
        m &+= 1
        let zeta = zetas[m & 255]
        // The masks show the compiler that no index needs a bounds check.
        for j in start..<(start &+ length) {
          let t = UInt64(w[(j &+ length) & 255]) * zeta
          let a = w[j & 255]
          w[(j &+ length) & 255] = a &+ Self.modulus &- t
          w[j & 255] = a &+ t
        }
        start &+= 2 &* length
      }
      length &>>= 1
    }
  }

  /// Negates coefficients below 18q, and leaves them below q.
  mutating func negate() {
    var w = coefficients.mutableSpan
    for index in 0..<256 { w[index] = (18 &* Self.modulus &- w[index]) % Self.modulus }
  }

  /// Inverts the transform of a sum from `reduced`, with vectors if the processor has them.
  /// FIPS 204 §7.5, algorithm 42.
  ///
  /// Accepts and leaves coefficients below q. In between they at most double in each of the eight
  /// layers, so they stay below 2^8 q < 2^31.
  mutating func transformBack() {
    guard Self.hasVectors else { return transformBackPortably() }
    var w = coefficients.mutableSpan
    // SAFETY: the function reads 256 factors, reads and writes 256 numbers, and keeps no pointer.
    unsafe w.withUnsafeMutableBufferPointer { w in
      unsafe vectorFactors.span.withUnsafeBufferPointer { factors in
        unsafe holdfast_transform_back(w.baseAddress, factors.baseAddress)
      }
    }
  }

  mutating func transformBackPortably() {
    let zetas = zetas.span
    var w = coefficients.mutableSpan
    var m = 256
    var length = 1
    // A multiple of q above every coefficient of the layer.
    var most = Self.modulus
    while length < 256 {
      var start = 0
      while start < 256 {
        m &-= 1
        let zeta = zetas[m & 255]
        for j in start..<(start &+ length) {
          let t = w[j & 255]
          let other = w[(j &+ length) & 255]
          w[j & 255] = t &+ other
          // The standard has −ζ (t − other).
          w[(j &+ length) & 255] = UInt64(other &+ most &- t) * zeta
        }
        start &+= 2 &* length
      }
      length &<<= 1
      most = most &<< 1
    }
    for index in 0..<256 { w[index] = UInt64(w[index]) * lastFactor }
  }
}

/// A sum of products of transforms, coefficient by coefficient.
struct MLDSASum {
  private var coefficients = [256 of UInt64](repeating: 0)

  /// Adds the product of two transforms.
  ///
  /// With one factor below q and the other below 18q, nine products, the most in any sum here, are
  /// below 2^54.
  mutating func add(_ a: Span<UInt32>, times b: Span<UInt32>) {
    guard a.count == 256, b.count == 256 else { return }
    var sum = coefficients.mutableSpan
    for index in 0..<256 { sum[index] &+= UInt64(a[index]) &* UInt64(b[index]) }
  }

  /// The sum as a transform again, times −2^−64, a factor that `transformBack` removes.
  var reduced: MLDSAPolynomial {
    var result = MLDSAPolynomial()
    let sum = coefficients.span
    var w = result.coefficients.mutableSpan
    for index in 0..<256 { w[index] = sum[index] * MLDSAFactor.reduction }
    return result
  }
}
