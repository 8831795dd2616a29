internal import CHoldfastWords

/// Powers modulo an odd number of about 2,048, 3,072 or 4,096 bits, with the processor's 52-bit
/// products, eight at a time. `Montgomery` does the same on any processor and for all sizes.
///
/// Limbs have 52 bits. R = 2^(52 · rows) is more than four times the modulus, so products of
/// numbers below twice the modulus stay below that, and only the last one is reduced fully. Gueron
/// and Krasnov, "Software Implementation of Modular Exponentiation, Using Advanced Vector
/// Instructions Architectures" (2012).
struct VectorMontgomery: Sendable {
  /// Whether the processor has the instructions. Determined once, since the answer cannot change
  /// during the process.
  static let isSupported = holdfast_ifma_supported() != 0

  private static let limbMask: UInt64 = 1 &<< 52 &- 1

  /// The modulus, the lowest limb first, in whole blocks of eight.
  let modulus: [UInt64]
  /// R² modulo the modulus: a product with it converts a number to the domain of R.
  private let square: [UInt64]
  /// -1 / modulus modulo 2^52.
  let negatedInverse: UInt64

  /// Creates the arithmetic; `nil` unless the modulus is odd and of a length that benefits.
  /// Without the instructions only tests can use it.
  init?(modulus value: borrowing Natural) {
    // The number of limbs, in whole blocks of eight, and how many of them a number can fill.
    let (count, rows): (Int, Int)
    switch value.bitCount {
    case 1_537...2_078: (count, rows) = (40, 40)
    case 2_079...3_118: (count, rows) = (64, 60)
    case 3_119...4_158: (count, rows) = (80, 80)
    default: return nil
    }
    guard value.isOdd,
      let square = Natural(powerOfTwo: 104 * rows)?.remainder(dividingBy: value)
    else { return nil }
    modulus = (0..<count).map { VectorMontgomery.limb($0) { value.limb(at: $0) } }
    self.square = (0..<count).map { VectorMontgomery.limb($0) { square.limb(at: $0) } }
    // Newton's iteration doubles the number of correct bits; x · x = 1 modulo 8 gives three.
    let lowest = value.limb(at: 0)
    var inverse = lowest
    for _ in 0..<5 { inverse = inverse &* (2 &- lowest &* inverse) }
    negatedInverse = (0 &- inverse) & VectorMontgomery.limbMask
  }

  /// Returns `base` to the power of `exponent`, fully reduced, in as many limbs as `base` has.
  ///
  /// - Parameters:
  /// - base: Less than the modulus, in 64-bit limbs.
  ///   - exponent: Odd and not 1.
  func power(_ base: [UInt64], _ exponent: UInt64) -> [UInt64] {
    power(base, exponent) { multiply(&$0, by: $1) }
  }

  /// The same with another function for the products.
  @inline(__always)
  func power(
    _ base: [UInt64], _ exponent: UInt64, multiply: (_ work: inout [UInt64], _ by: Int) -> Void
  ) -> [UInt64] {
    let count = modulus.count
    // The number, the base, and R², which the base times R then replaces.
    var work = [UInt64](repeating: 0, count: 3 * count)
    for index in 0..<count {
      let limb = VectorMontgomery.limb(index) { $0 < base.count ? base[$0] : 0 }
      work[index] = limb
      work[count + index] = limb
      work[2 * count + index] = square[index]
    }
    multiply(&work, 2)
    for index in 0..<count { work[2 * count + index] = work[index] }
    for bit in (1..<63 - exponent.leadingZeroBitCount).reversed() {
      multiply(&work, 0)
      if exponent &>> UInt64(bit) & 1 == 1 { multiply(&work, 2) }
    }
    multiply(&work, 0)
    // The last factor is the original base, not times R, which also leaves the domain of R.
    multiply(&work, 1)
    reduceFully(&work)
    return widened(work, count: base.count)
  }

  /// Multiplies the first number by the one at `offset`, 0 to 2, and divides by R.
  private func multiply(_ work: inout [UInt64], by offset: Int) {
    let count = modulus.count
    guard work.count == 3 * count, 0..<3 ~= offset else { return }
    // SAFETY: `work` has three numbers of `count` limbs, and the modulus has `count` limbs. The
    // function reads that many limbs of each, and writes the first number after it has read
    // everything. It keeps no pointer.
    unsafe work.withUnsafeMutableBufferPointer { work in
      unsafe modulus.withUnsafeBufferPointer { modulus in
        guard let first = work.baseAddress else { return }
        unsafe holdfast_ifma_product(
          first, first, first + offset * count, modulus.baseAddress, negatedInverse, Int32(count))
      }
    }
  }

  /// Reduces the first number below the modulus, if it is below twice the modulus.
  private func reduceFully(_ number: inout [UInt64]) {
    for index in modulus.indices.reversed() where number[index] != modulus[index] {
      if number[index] < modulus[index] { return }
      break
    }
    var borrow: UInt64 = 0
    for index in modulus.indices {
      let difference = number[index] &- modulus[index] &- borrow
      number[index] = difference & VectorMontgomery.limbMask
      borrow = difference &>> 63
    }
  }

  /// Returns the 52-bit limb at `index` of a number whose 64-bit limbs are given by `word`.
  private static func limb(_ index: Int, _ word: (Int) -> UInt64) -> UInt64 {
    let (offset, shift) = (52 * index / 64, UInt64(52 * index % 64))
    let above = shift > 12 ? word(offset + 1) &<< (64 - shift) : 0
    return (word(offset) &>> shift | above) & limbMask
  }

  /// Returns the lowest `count` 64-bit limbs of the first number in `work`.
  private func widened(_ work: [UInt64], count: Int) -> [UInt64] {
    (0..<count).map { index in
      let (offset, shift) = (64 * index / 52, UInt64(64 * index % 52))
      func limb(_ index: Int) -> UInt64 { index < modulus.count ? work[index] : 0 }
      // A shift by 64 or more leaves nothing of the third limb.
      return limb(offset) &>> shift | limb(offset + 1) &<< (52 - shift)
        | limb(offset + 2) << (104 - shift)
    }
  }
}
