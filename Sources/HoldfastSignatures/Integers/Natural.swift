#if GMP
  typealias LimbArithmetic = GMPLimbs
#else
  typealias LimbArithmetic = SwiftLimbs
#endif

/// A natural number of at most `maximumBitCount` bits.
///
/// Products, remainders and inverses are computed by `LimbArithmetic`: by GMP, or without the trait
/// `GMP` in Swift. Every function here checks its operands first, and returns `nil` for what it
/// cannot do.
package struct Natural: Comparable, Sendable {
  /// Enough for the product of two numbers as long as the longest RSA modulus, and for a few sums.
  package static var maximumBitCount: Int { 2 * 16_384 + 64 }
  static var maximumLimbCount: Int { maximumBitCount / 64 }

  /// The lowest first; the highest is not zero.
  private let limbs: [UInt64]

  private init(trimming limbs: consuming [UInt64]) {
    while limbs.last == 0 { limbs.removeLast() }
    self.limbs = limbs
  }

  package init(_ value: UInt64) {
    limbs = value == 0 ? [] : [value]
  }

  /// Reads a big-endian number; leading zeros are ignored.
  package init?(bigEndian bytes: Span<UInt8>) {
    var first = 0
    while first < bytes.count, bytes[first] == 0 { first += 1 }
    let count = bytes.count - first
    guard count <= Natural.maximumLimbCount * 8 else { return nil }
    limbs = (0..<(count + 7) / 8).map { Montgomery.limb(at: $0, bigEndian: bytes) }
  }

  /// Reads a number from its limbs, the lowest first; high zero limbs are ignored.
  package init?(limbs: Span<UInt64>) {
    var count = limbs.count
    while count > 0, limbs[count - 1] == 0 { count -= 1 }
    guard count <= Natural.maximumLimbCount else { return nil }
    self.limbs = (0..<count).map { limbs[$0] }
  }
}

extension Natural {
  /// Returns the limb at `index`, the lowest at 0; zero beyond the highest.
  package func limb(at index: Int) -> UInt64 {
    limbs.indices.contains(index) ? limbs[index] : 0
  }

  /// The bit length of the number; 0 for zero.
  package var bitCount: Int { 64 * limbs.count - (limbs.last?.leadingZeroBitCount ?? 0) }

  package var isZero: Bool { limbs.isEmpty }
  package var isOdd: Bool { limb(at: 0) & 1 == 1 }

  package func bit(at index: Int) -> Bool {
    index >= 0 && limb(at: index / 64) &>> UInt64(index % 64) & 1 == 1
  }

  /// Returns the number in exactly `count` limbs, the lowest first; `nil` if it needs more.
  package func limbs(count: Int) -> [UInt64]? {
    guard limbs.count < count else { return limbs.count == count ? limbs : nil }
    var result = [UInt64](repeating: 0, count: count)
    for index in limbs.indices { result[index] = limbs[index] }
    return result
  }

  /// Returns the number in exactly `count` bytes, the highest first; `nil` if it needs more.
  package func bigEndianBytes(count: Int) -> [UInt8]? {
    guard count >= 0, bitCount <= 8 * count else { return nil }
    var result = [UInt8](repeating: 0, count: count)
    for index in 0..<count {
      let shift = UInt64(8 * (index % 8))
      result[count - 1 - index] = UInt8(truncatingIfNeeded: limb(at: index / 8) &>> shift)
    }
    return result
  }

  package static func < (left: Natural, right: Natural) -> Bool {
    guard left.limbs.count == right.limbs.count else {
      return left.limbs.count < right.limbs.count
    }
    for index in left.limbs.indices.reversed() where left.limbs[index] != right.limbs[index] {
      return left.limbs[index] < right.limbs[index]
    }
    return false
  }
}

extension Natural {
  /// Returns the sum; `nil` above the size limit.
  package func adding(_ other: Natural) -> Natural? {
    guard max(bitCount, other.bitCount) < Natural.maximumBitCount else { return nil }
    var carry: UInt64 = 0
    let sum = (0...max(limbs.count, other.limbs.count)).map {
      addWithCarry(limb(at: $0), other.limb(at: $0), &carry)
    }
    return Natural(trimming: sum)
  }

  /// Returns the difference; `nil` if it is negative.
  package func subtracting(_ other: Natural) -> Natural? {
    guard self >= other else { return nil }
    var borrow: UInt64 = 0
    let difference = limbs.indices.map {
      subtractWithBorrow(limbs[$0], other.limb(at: $0), &borrow)
    }
    return Natural(trimming: difference)
  }

  /// Returns the product; `nil` above the size limit.
  package func multiplied(by other: Natural) -> Natural? {
    product(with: other, room: 0).map(Natural.init(trimming:))
  }

  /// Returns the product modulo a number; `nil` for zero, or if the product is above the size limit.
  package func multiplied(by other: Natural, modulo modulus: Natural) -> Natural? {
    guard !modulus.isZero, var work = product(with: other, room: 1) else { return nil }
    // The product has no more limbs, only zeros above them.
    let count = min(work.count / 2, Natural.maximumLimbCount)
    if count >= modulus.limbs.count {
      var span = work.mutableSpan
      guard LimbArithmetic.reduce(&span, count: count, modulo: modulus.limbs.span) else {
        return nil
      }
      work.removeLast(work.count - modulus.limbs.count)
    }
    return Natural(trimming: work)
  }

  /// Returns the limbs of the product; `nil` above the size limit.
  ///
  /// - Parameter room: How many times as many zeros follow it.
  private func product(with other: Natural, room: Int) -> [UInt64]? {
    guard bitCount + other.bitCount <= Natural.maximumBitCount else { return nil }
    // `LimbArithmetic` takes whole blocks of four limbs.
    let count = max((max(limbs.count, other.limbs.count) + 3) / 4 * 4, 4)
    guard let left = limbs(count: count), let right = other.limbs(count: count) else { return nil }
    var product: [UInt64] = []
    product.reserveCapacity(2 * count * (1 + room))
    product.append(contentsOf: repeatElement(0, count: 2 * count))
    var span = product.mutableSpan
    guard LimbArithmetic.multiply(left.span, right.span, into: &span) else { return nil }
    product.append(contentsOf: repeatElement(0, count: 2 * count * room))
    return product
  }

  /// Returns the remainder; `nil` for a zero divisor.
  package func remainder(dividingBy divisor: Natural) -> Natural? {
    guard !divisor.isZero else { return nil }
    guard self >= divisor else { return self }
    var work = limbs + [UInt64](repeating: 0, count: limbs.count)
    var span = work.mutableSpan
    guard LimbArithmetic.reduce(&span, count: limbs.count, modulo: divisor.limbs.span) else {
      return nil
    }
    work.removeLast(work.count - divisor.limbs.count)
    return Natural(trimming: work)
  }

  /// Returns the number without its lowest `count` bits.
  package func shiftedRight(by count: Int) -> Natural {
    guard count > 0 else { return self }
    guard count < bitCount else { return Natural(0) }
    let (offset, shift) = (count / 64, UInt64(count % 64))
    // A shift by 64 leaves nothing.
    let shifted = (offset..<limbs.count).map {
      limbs[$0] &>> shift | limb(at: $0 + 1) << (64 - shift)
    }
    return Natural(trimming: shifted)
  }

  /// Returns the inverse modulo `modulus`; `nil` if there is none, or unless the modulus is odd and
  /// has 2 to 1,024 bits.
  package func inverse(modulo modulus: Natural) -> Natural? {
    guard let value = remainder(dividingBy: modulus), value.limbs.count <= 16,
      modulus.limbs.count <= 16
    else { return nil }
    let inverse: [16 of UInt64]? = LimbArithmetic.inverse(
      of: InlineArray { value.limb(at: $0) }, modulo: InlineArray { modulus.limb(at: $0) })
    return inverse.flatMap { Natural(limbs: $0.span) }
  }

  /// Returns the power modulo `modulus`, which must be odd, at least 3 and of at most 16,384 bits.
  /// Returns `nil` otherwise, or if the exponent is so long (more than 64 bits for a modulus above
  /// 1,024 bits) that the computation would take long.
  package func power(_ exponent: Natural, modulo modulus: Natural) -> Natural? {
    guard modulus.isOdd, modulus.bitCount > 1, modulus.bitCount <= 16_384,
      exponent.bitCount <= (modulus.bitCount > 1_024 ? 64 : 1_024),
      let base = remainder(dividingBy: modulus)
    else { return nil }
    guard let arithmetic = Montgomery(modulus: modulus, products: nil),
      let limbs = base.limbs(count: arithmetic.modulus.count),
      let power = arithmetic.power(limbs, exponent)
    else { return nil }
    return Natural(limbs: power.span)
  }
}
