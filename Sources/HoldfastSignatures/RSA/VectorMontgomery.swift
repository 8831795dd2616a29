/// Powers modulo an odd number of about 2,048, 3,072 or 4,096 bits, with products of limbs in
/// vectors. `Montgomery` does the same on any processor and for all sizes.
///
/// R is a power of two, more than four times the modulus, or than the multiple of it that is used:
/// products of numbers below twice that stay below it, and only the last one is reduced fully.
/// Gueron and Krasnov, "Software Implementation of Modular Exponentiation, Using Advanced Vector
/// Instructions Architectures" (2012).
struct VectorMontgomery<Kind: MontgomeryVectorKind>: Sendable {
  /// The number of limbs.
  let count: Int
  /// What products need of the modulus.
  let constants: [Kind.Word]
  /// The lowest limb of -1 / modulus.
  let negatedInverse: UInt64
  private let modulus: [UInt64]
  private let radixBits: Int
  /// R² modulo the modulus, if a product with it converts a number to the domain of R.
  private let square: [Kind.Word]

  /// Creates the arithmetic; `nil` unless the modulus is of a length that gains.
  ///
  /// - Parameter modulus: An odd number of `bitCount` bits in limbs of 64 bits.
  init?(modulus: [UInt64], bitCount: Int) {
    guard let (count, rows) = Kind.size(bitCount: bitCount) else { return nil }
    self.count = count
    self.modulus = modulus
    radixBits = Kind.limbBits * rows
    (constants, negatedInverse) = Kind.constants(of: modulus.span, count: count)
    guard Kind.convertsByProduct else {
      square = []
      return
    }
    let total = 2 * radixBits / 64 + 1
    var number = [UInt64](repeating: 0, count: 2 * total)
    number[total - 1] = 1 &<< UInt64(2 * radixBits % 64)
    var limbs = number.mutableSpan
    guard LimbArithmetic.reduce(&limbs, count: total, modulo: modulus.span) else { return nil }
    square = Self.words(of: limbs.span.extracting(first: modulus.count), count: count)
  }

  /// Returns `base` to the power of `exponent`, fully reduced.
  ///
  /// - Parameters:
  ///   - base: Less than the modulus, in as many limbs of 64 bits.
  ///   - exponent: Odd and not 1.
  func power(_ base: [UInt64], _ exponent: UInt64) -> [UInt64]? {
    power(base, exponent) { multiply(&$0, by: $1) }
  }

  /// The same with another function for the products.
  @inline(__always)
  func power(
    _ base: [UInt64], _ exponent: UInt64,
    multiply: (_ work: inout [Kind.Word], _ by: Int) -> Void
  ) -> [UInt64]? {
    // The number, the base, and the base times R.
    var work = [Kind.Word](repeating: Kind.word(0), count: 3 * count)
    for index in 0..<count {
      work[count + index] = Kind.word(
        Montgomery.limb(at: index, bits: Kind.limbBits, of: base.span))
    }
    // Room for one division at a time, and for the result.
    var number = [UInt64](repeating: 0, count: 2 * (radixBits / 64 + base.count + 1))
    guard convert(base, &work, &number, multiply) else { return nil }
    for index in 0..<count { work[2 * count + index] = work[index] }
    for bit in (1..<63 - exponent.leadingZeroBitCount).reversed() {
      multiply(&work, 0)
      if exponent &>> UInt64(bit) & 1 == 1 { multiply(&work, 2) }
    }
    multiply(&work, 0)
    // The last factor is the original base, not times R, which also leaves the domain of R.
    multiply(&work, 1)
    guard reduce(work, &number) else { return nil }
    number.removeLast(number.count - base.count)
    return number
  }

  /// Makes the first number in `work` the base, which is the second, times R.
  @inline(__always)
  private func convert(
    _ base: [UInt64], _ work: inout [Kind.Word], _ number: inout [UInt64],
    _ multiply: (_ work: inout [Kind.Word], _ by: Int) -> Void
  ) -> Bool {
    guard square.isEmpty else {
      for index in 0..<count {
        work[index] = work[count + index]
        work[2 * count + index] = square[index]
      }
      multiply(&work, 2)
      return true
    }
    let (offset, shift) = (radixBits / 64, UInt64(radixBits % 64))
    let total = offset + base.count + 1
    for index in base.indices {
      number[offset + index] |= base[index] &<< shift
      // A shift by 64 leaves nothing.
      number[offset + index + 1] = base[index] >> (64 - shift)
    }
    var limbs = number.mutableSpan
    guard LimbArithmetic.reduce(&limbs, count: total, modulo: modulus.span) else { return false }
    let rest = limbs.span.extracting(first: modulus.count)
    for index in 0..<count {
      work[index] = Kind.word(Montgomery.limb(at: index, bits: Kind.limbBits, of: rest))
    }
    return true
  }

  /// Multiplies the first number by the one at `offset`, 0 to 2, and divides by R.
  private func multiply(_ work: inout [Kind.Word], by offset: Int) {
    guard work.count == 3 * count, constants.count == count + Kind.extraConstants,
      0..<3 ~= offset
    else { return }
    // SAFETY: `work` has three numbers of `count` limbs, and the constants are those that the kind
    // has made for this count. The function writes the first number after it has read everything,
    // and keeps no pointer.
    unsafe work.withUnsafeMutableBufferPointer { work in
      unsafe constants.withUnsafeBufferPointer { constants in
        guard let first = work.baseAddress, let constants = constants.baseAddress else { return }
        unsafe Kind.montgomeryProduct(
          first, first, first + offset * count, constants, negatedInverse, Int32(count))
      }
    }
  }

  private static func words(of limbs: Span<UInt64>, count: Int) -> [Kind.Word] {
    var words = [Kind.Word](repeating: Kind.word(0), count: count)
    for index in 0..<count {
      words[index] = Kind.word(Montgomery.limb(at: index, bits: Kind.limbBits, of: limbs))
    }
    return words
  }

  /// Makes `number` the first number in `work` modulo the modulus.
  private func reduce(_ work: [Kind.Word], _ number: inout [UInt64]) -> Bool {
    let total = max(radixBits / 64 + 1, modulus.count)
    for index in 0..<total { number[index] = 0 }
    // Limbs may be negative, or have more bits than they should.
    var carry: Int64 = 0
    for index in 0..<count {
      let sum = Kind.limb(work[index]) &+ carry
      carry = sum &>> Int64(Kind.limbBits)
      let limb = UInt64(bitPattern: sum) & (1 &<< UInt64(Kind.limbBits) &- 1)
      let position = Kind.limbBits &* index
      guard position < radixBits else { break }  // limbs that R does not have are zero
      let (offset, shift) = (position &>> 6, UInt64(position & 63))
      number[offset] |= limb &<< shift
      if shift > UInt64(64 &- Kind.limbBits) { number[offset + 1] |= limb &>> (64 &- shift) }
    }
    var limbs = number.mutableSpan
    return LimbArithmetic.reduce(&limbs, count: total, modulo: modulus.span)
  }
}
