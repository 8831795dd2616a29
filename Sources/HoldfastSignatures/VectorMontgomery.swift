internal import CHoldfastWords

/// Powers modulo an odd number of about 2,048, 3,072 or 4,096 bits by the processor's products of
/// 52 bits, eight at a time; `Montgomery` beside it does the same everywhere and for all sizes.
///
/// Numbers are in limbs of 52 bits. R = 2^(52 · rows) is more than four moduli, so products of
/// numbers below two moduli stay there, and only the last one is reduced fully. Gueron and
/// Krasnov, "Software Implementation of Modular Exponentiation, Using Advanced Vector Instructions
/// Architectures" (2012).
struct VectorMontgomery: Sendable {
  /// Whether this processor has the instructions: asked once, since the answer cannot change while
  /// the process lives.
  static let isSupported = holdfast_ifma_supported() != 0

  private static let limbMask: UInt64 = 1 &<< 52 &- 1

  /// The modulus, the lowest limb first, in whole blocks of eight.
  private let modulus: [UInt64]
  /// R² modulo the modulus: a product with it brings a number into the domain of R.
  private let square: [UInt64]
  /// -1 / modulus modulo 2^52.
  private let negatedInverse: UInt64

  /// `nil` without the instructions, or unless the modulus is odd and of a length that gains.
  init?(modulus value: borrowing Natural) {
    // The limbs, whole blocks of eight, and those of them that a number can fill.
    let (count, rows): (Int, Int)
    switch value.bitCount {
    case 1_537...2_078: (count, rows) = (40, 40)
    case 2_079...3_118: (count, rows) = (64, 60)
    case 3_119...4_158: (count, rows) = (80, 80)
    default: return nil
    }
    guard VectorMontgomery.isSupported, value.isOdd,
      let square = Natural(powerOfTwo: 104 * rows)?.remainder(dividingBy: value)
    else { return nil }
    modulus = (0..<count).map { VectorMontgomery.limb($0) { value.limb(at: $0) } }
    self.square = (0..<count).map { VectorMontgomery.limb($0) { square.limb(at: $0) } }
    // Newton's iteration doubles the number of right bits; x · x = 1 modulo 8 begins with three.
    let lowest = value.limb(at: 0)
    var inverse = lowest
    for _ in 0..<5 { inverse = inverse &* (2 &- lowest &* inverse) }
    negatedInverse = (0 &- inverse) & VectorMontgomery.limbMask
  }

  /// Computes `base` to the power of `exponent`, fully reduced, in as many limbs of 64 bits as
  /// `base` has.
  ///
  /// - Parameters:
  ///   - base: Less than the modulus, in limbs of 64 bits.
  ///   - exponent: Odd and not 1.
  func power(_ base: [UInt64], _ exponent: UInt64) -> [UInt64] {
    let count = modulus.count
    // The number, the base as it is, and what brings it into the domain of R.
    var work = [UInt64](repeating: 0, count: 3 * count)
    for index in 0..<count {
      let limb = VectorMontgomery.limb(index) { $0 < base.count ? base[$0] : 0 }
      work[index] = limb
      work[count + index] = limb
      work[2 * count + index] = square[index]
    }
    multiply(&work, by: 2)
    for index in 0..<count { work[2 * count + index] = work[index] }
    for bit in (1..<63 - exponent.leadingZeroBitCount).reversed() {
      multiply(&work, by: 0)
      if exponent &>> UInt64(bit) & 1 == 1 { multiply(&work, by: 2) }
    }
    multiply(&work, by: 0)
    // At last by the base as it was, not times R, which leaves the domain of R as well.
    multiply(&work, by: 1)
    reduceFully(&work)
    return widened(work, count: base.count)
  }

  /// Multiplies the first number by the one at `place`, 0 to 2, and divides by R.
  private func multiply(_ work: inout [UInt64], by place: Int) {
    let count = modulus.count
    guard work.count == 3 * count, 0..<3 ~= place else { return }
    // SAFETY: three numbers and the modulus have `count` limbs each, which is what the function
    // reads of a number and writes to the first, after it has read everything. It keeps no pointer.
    unsafe work.withUnsafeMutableBufferPointer { work in
      unsafe modulus.withUnsafeBufferPointer { modulus in
        guard let first = work.baseAddress else { return }
        unsafe holdfast_ifma_product(
          first, first, first + place * count, modulus.baseAddress, negatedInverse, Int32(count))
      }
    }
  }

  /// Leaves the first number less than the modulus, if it was less than two.
  private func reduceFully(_ number: inout [UInt64]) {
    for index in modulus.indices.reversed() where number[index] != modulus[index] {
      if number[index] < modulus[index] { return }
      break
    }
    var borrow: UInt64 = 0
    for index in modulus.indices {
      let limb = number[index] &- modulus[index] &- borrow
      number[index] = limb & VectorMontgomery.limbMask
      borrow = limb &>> 63
    }
  }

  /// The limb of 52 bits at `index` of a number, of which `limb` gives those of 64 bits.
  private static func limb(_ index: Int, _ limb: (Int) -> UInt64) -> UInt64 {
    let (place, shift) = (52 * index / 64, UInt64(52 * index % 64))
    let above = shift > 12 ? limb(place + 1) &<< (64 - shift) : 0
    return (limb(place) &>> shift | above) & limbMask
  }

  /// The lowest `count` limbs of 64 bits of the first number in `work`, whose limbs have 52.
  private func widened(_ work: [UInt64], count: Int) -> [UInt64] {
    (0..<count).map { index in
      let (place, shift) = (64 * index / 52, UInt64(64 * index % 52))
      func limb(_ index: Int) -> UInt64 { index < modulus.count ? work[index] : 0 }
      // What a shift of 64 or more leaves of the third limb is nothing.
      return limb(place) &>> shift | limb(place + 1) &<< (52 - shift)
        | limb(place + 2) << (104 - shift)
    }
  }
}
