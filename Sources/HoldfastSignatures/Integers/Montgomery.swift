/// Powers modulo an odd number of many limbs, without a division.
///
/// Montgomery, "Modular Multiplication Without Trial Division" (1985): with R = 2^(64·n), adding
/// the multiple of the modulus that clears the lower half of a product t gives t·R⁻¹ in the upper
/// half. `LimbArithmetic` multiplies and squares; the reduction is below. If the processor has products in
/// vectors and they gain for a length, `VectorMontgomery` is used.
struct Montgomery: Sendable {
  /// The modulus, the lowest limb first, padded with zeros to whole blocks of four.
  let modulus: [UInt64]
  /// -1 / modulus modulo 2^256.
  private let negatedInverse: [4 of UInt64]
  private let vector: Vector?

  private enum Vector {
    case ifma(VectorMontgomery<IFMA>)
    case doubles(VectorMontgomery<Doubles>)
    case neon(VectorMontgomery<NEONLimbs>)
  }

  /// Creates the arithmetic; `nil` unless the modulus is odd and has 2 to 16,384 bits.
  ///
  /// - Parameter products: The products in vectors, which the processor must have; nil for none.
  init?(modulus value: Natural, products: VectorProducts? = .best) {
    guard value.isOdd, value.bitCount >= 2, value.bitCount <= 16_384 else { return nil }
    let count = (value.bitCount + 255) / 256 * 4
    guard let limbs = value.limbs(count: count) else { return nil }
    modulus = limbs
    negatedInverse = Montgomery.negatedInverse(of: [limbs[0], limbs[1], limbs[2], limbs[3]])
    vector =
      switch products {
      case .ifma: VectorMontgomery(modulus: limbs, bitCount: value.bitCount).map(Vector.ifma)
      case .doubles: VectorMontgomery(modulus: limbs, bitCount: value.bitCount).map(Vector.doubles)
      case .neon: VectorMontgomery(modulus: limbs, bitCount: value.bitCount).map(Vector.neon)
      case nil: nil
      }
  }

  /// Computes `base` to the power of `exponent`, fully reduced.
  ///
  /// - Parameter base: Less than the modulus, in as many limbs as `modulus`.
  /// - Returns: `nil` if `base` has a different number of limbs or `exponent` is even or 1.
  func power(_ base: [UInt64], _ exponent: UInt64) -> [UInt64]? {
    let count = modulus.count
    guard base.count == count, exponent & 1 == 1, exponent > 1 else { return nil }
    switch vector {
    case .ifma(let vector): return vector.power(base, exponent)
    case .doubles(let vector): return vector.power(base, exponent)
    case .neon(let vector): return vector.power(base, exponent)
    case nil: break
    }
    guard var work = inDomain(base) else { return nil }
    let hasMiddleBits = (exponent - 1) & (exponent - 2) != 0
    let shifted = hasMiddleBits ? [UInt64](work[count...]) : []
    // Two products alternate, each with its result in the upper half.
    var other = [UInt64](repeating: 0, count: 2 * count)
    for bit in (1..<63 - exponent.leadingZeroBitCount).reversed() {
      guard square(&work, &other) else { return nil }
      if exponent &>> UInt64(bit) & 1 == 1 {
        guard product(by: shifted.span, &work, &other) else { return nil }
      }
    }
    // The last factor is the original base, not times R, which also leaves the domain of R.
    guard square(&work, &other), product(by: base.span, &work, &other) else { return nil }
    reduceUpperHalf(&work)
    return work
  }

  /// Computes `base` to the power of an exponent of any length, fully reduced, without vectors.
  ///
  /// - Parameter base: Less than the modulus, in as many limbs as `modulus`.
  /// - Returns: `nil` if `base` has a different number of limbs.
  func power(_ base: [UInt64], _ exponent: Natural) -> [UInt64]? {
    let count = modulus.count
    guard base.count == count, var work = inDomain(base) else { return nil }
    var one = [UInt64](repeating: 0, count: count)
    one[0] = 1
    if exponent.isZero { return one }
    let factor = [UInt64](work[count...])
    var other = [UInt64](repeating: 0, count: 2 * count)
    for bit in (0..<exponent.bitCount - 1).reversed() {
      guard square(&work, &other) else { return nil }
      if exponent.bit(at: bit) {
        guard product(by: factor.span, &work, &other) else { return nil }
      }
    }
    // Times 1 leaves the domain of R.
    guard product(by: one.span, &work, &other) else { return nil }
    reduceUpperHalf(&work)
    return work
  }

  /// Returns the base times R in the upper half of a product. One division is faster than a product
  /// by R² would be; it needs as much room again.
  private func inDomain(_ base: [UInt64]) -> [UInt64]? {
    let count = modulus.count
    var work = [UInt64](repeating: 0, count: 4 * count)
    for index in 0..<count { work[count + index] = base[index] }
    var limbs = work.mutableSpan
    guard LimbArithmetic.reduce(&limbs, count: 2 * count, modulo: modulus.span) else { return nil }
    for index in 0..<count { work[count + index] = work[index] }
    work.removeLast(2 * count)
    return work
  }

  /// Leaves the upper half alone, fully reduced.
  private func reduceUpperHalf(_ work: inout [UInt64]) {
    work.removeFirst(modulus.count)
    guard !isReduced(work.span) else { return }
    var limbs = work.mutableSpan
    subtractModulus(from: &limbs, at: 0)
  }
}

extension Montgomery {
  /// Squares the number in the upper half of `work`; `other` is room for the product.
  private func square(_ work: inout [UInt64], _ other: inout [UInt64]) -> Bool {
    swap(&work, &other)
    var limbs = work.mutableSpan
    let number = other.span.extracting(droppingFirst: modulus.count)
    guard LimbArithmetic.square(number, into: &limbs) else { return false }
    reduce(&limbs)
    return true
  }

  /// Multiplies the number by another, in the same way.
  private func product(
    by factor: Span<UInt64>, _ work: inout [UInt64], _ other: inout [UInt64]
  ) -> Bool {
    swap(&work, &other)
    var limbs = work.mutableSpan
    let number = other.span.extracting(droppingFirst: modulus.count)
    guard LimbArithmetic.multiply(number, factor, into: &limbs) else { return false }
    reduce(&limbs)
    return true
  }

  /// Divides the product by R. The result in its upper half is less than R, but not always less
  /// than the modulus.
  private func reduce(_ product: inout MutableSpan<UInt64>) {
    let count = modulus.count
    if Montgomery.reduce(&product, from: 0, to: count, modulus.span, negatedInverse) {
      subtractModulus(from: &product, at: count)
    }
  }

  /// Whether `value`, with as many limbs, is less than the modulus.
  func isReduced(_ value: Span<UInt64>) -> Bool {
    for index in modulus.indices.reversed() where value[index] != modulus[index] {
      return value[index] < modulus[index]
    }
    return false
  }

  /// Subtracts the modulus from as many limbs at `start`; a borrow out of them is lost.
  private func subtractModulus(from value: inout MutableSpan<UInt64>, at start: Int) {
    let modulus = modulus.span
    var borrow: UInt64 = 0
    for index in stride(from: 0, to: modulus.count, by: 4) {
      for limb in index..<index + 4 {
        value[start + limb] = subtractWithBorrow(value[start + limb], modulus[limb], &borrow)
      }
    }
  }
}

extension Montgomery {
  /// Adds to the product the multiple of `modulus` that clears the limbs from `first` to `end`. The
  /// limbs above are the result; true means that it is R more.
  ///
  /// The count of `modulus` and `end - first` are multiples of four, and the product has as many
  /// limbs as both together from `first` on.
  private static func reduce(
    _ product: inout MutableSpan<UInt64>, from first: Int, to end: Int, _ modulus: Span<UInt64>,
    _ inverse: [4 of UInt64]
  ) -> Bool {
    var carry: UInt64 = 0
    for start in stride(from: first, to: end, by: 4) {
      let multiple = quotient(
        product[start], product[start + 1], product[start + 2], product[start + 3], inverse)
      carry = add(multiple, times: modulus, to: &product, at: start, carry)
    }
    return carry != 0
  }

  /// Adds q · factor to the product at `start`, and `carry` to the lowest of the four limbs above
  /// those of the factor; returns the carry out of them.
  ///
  /// The count of `factor` is a multiple of four; the product has four limbs more from `start`.
  @inline(never)
  static func add(
    _ q: (UInt64, UInt64, UInt64, UInt64), times factor: Span<UInt64>,
    to product: inout MutableSpan<UInt64>, at start: Int, _ carry: UInt64
  ) -> UInt64 {
    let count = factor.count
    var (c0, c1, c2, c3): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    var column = 0
    while column < count {
      // SAFETY: the count is a multiple of four, as are the steps; `column` is less than it, and
      // `start + column` less than the end of the product.
      let offset = start &+ column
      var (c4, c5, c6, c7): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
      addRow(
        &c0, &c1, &c2, &c3, &c4, q.0, q.1, q.2, q.3,
        unsafe factor[unchecked: column], unsafe product[unchecked: offset])
      unsafe product[unchecked: offset] = c0
      addRow(
        &c1, &c2, &c3, &c4, &c5, q.0, q.1, q.2, q.3,
        unsafe factor[unchecked: column &+ 1], unsafe product[unchecked: offset &+ 1])
      unsafe product[unchecked: offset &+ 1] = c1
      addRow(
        &c2, &c3, &c4, &c5, &c6, q.0, q.1, q.2, q.3,
        unsafe factor[unchecked: column &+ 2], unsafe product[unchecked: offset &+ 2])
      unsafe product[unchecked: offset &+ 2] = c2
      addRow(
        &c3, &c4, &c5, &c6, &c7, q.0, q.1, q.2, q.3,
        unsafe factor[unchecked: column &+ 3], unsafe product[unchecked: offset &+ 3])
      unsafe product[unchecked: offset &+ 3] = c3
      (c0, c1, c2, c3) = (c4, c5, c6, c7)
      column &+= 4
    }
    // SAFETY: there are four limbs more.
    let end = start &+ count
    var carry = carry
    unsafe product[unchecked: end] = addWithCarry(product[unchecked: end], c0, &carry)
    unsafe product[unchecked: end &+ 1] = addWithCarry(product[unchecked: end &+ 1], c1, &carry)
    unsafe product[unchecked: end &+ 2] = addWithCarry(product[unchecked: end &+ 2], c2, &carry)
    unsafe product[unchecked: end &+ 3] = addWithCarry(product[unchecked: end &+ 3], c3, &carry)
    return carry
  }

  /// Adds (q0 … q3) · m + t to (a0 … a4), where a4 is zero on entry.
  @inline(__always)
  private static func addRow(
    _ a0: inout UInt64, _ a1: inout UInt64, _ a2: inout UInt64, _ a3: inout UInt64,
    _ a4: inout UInt64, _ q0: UInt64, _ q1: UInt64, _ q2: UInt64, _ q3: UInt64, _ m: UInt64,
    _ t: UInt64
  ) {
    let p0 = q0.multipliedFullWidth(by: m)
    let p1 = q1.multipliedFullWidth(by: m)
    let p2 = q2.multipliedFullWidth(by: m)
    let p3 = q3.multipliedFullWidth(by: m)
    // q·m + t fits into five limbs, and so does a + q·m + t.
    var carry: UInt64 = 0
    let r0 = addWithCarry(p0.low, t, &carry)
    let r1 = addWithCarry(p0.high, p1.low, &carry)
    let r2 = addWithCarry(p1.high, p2.low, &carry)
    let r3 = addWithCarry(p2.high, p3.low, &carry)
    let r4 = p3.high &+ carry
    carry = 0
    a0 = addWithCarry(a0, r0, &carry)
    a1 = addWithCarry(a1, r1, &carry)
    a2 = addWithCarry(a2, r2, &carry)
    a3 = addWithCarry(a3, r3, &carry)
    a4 = r4 &+ carry
  }

  /// Returns four limbs times `inverse`, modulo 2^256.
  @inline(__always)
  private static func quotient(
    _ t0: UInt64, _ t1: UInt64, _ t2: UInt64, _ t3: UInt64, _ inverse: [4 of UInt64]
  ) -> (UInt64, UInt64, UInt64, UInt64) {
    let a0 = multiply(t0, inverse[0])
    let a1 = multiply(t0, inverse[1]) &+ wide(high(a0))
    let a2 = multiply(t0, inverse[2]) &+ wide(high(a1))
    let a3 = t0 &* inverse[3] &+ high(a2)
    let b1 = multiply(t1, inverse[0]) &+ wide(low(a1))
    let b2 = multiply(t1, inverse[1], plus: low(a2), carryOf: b1)
    let b3 = t1 &* inverse[2] &+ a3 &+ high(b2)
    let d2 = multiply(t2, inverse[0]) &+ wide(low(b2))
    let d3 = t2 &* inverse[1] &+ b3 &+ high(d2)
    return (low(a0), low(b1), low(d2), t3 &* inverse[0] &+ d3)
  }

  /// Returns -1 / value modulo 2^256, for an odd value, by Newton's iteration.
  private static func negatedInverse(of value: [4 of UInt64]) -> [4 of UInt64] {
    // An odd number is its own inverse modulo 8; each step doubles the number of correct bits.
    var inverse: [4 of UInt64] = [value[0], 0, 0, 0]
    for _ in 0..<7 {
      // inverse · (2 - value · inverse)
      let (p0, p1, p2, p3) = quotient(value[0], value[1], value[2], value[3], inverse)
      let product = negated([p0, p1, p2, p3])
      var carry: UInt64 = 0
      let factor: [4 of UInt64] = InlineArray {
        addWithCarry(product[$0], $0 == 0 ? 2 : 0, &carry)
      }
      let (q0, q1, q2, q3) = quotient(factor[0], factor[1], factor[2], factor[3], inverse)
      inverse = [q0, q1, q2, q3]
    }
    return negated(inverse)
  }

  private static func negated(_ value: [4 of UInt64]) -> [4 of UInt64] {
    var borrow: UInt64 = 0
    return InlineArray { subtractWithBorrow(0, value[$0], &borrow) }
  }
}

extension Montgomery {
  /// Returns the lowest `count` limbs of a big-endian number, the lowest first.
  static func limbs(bigEndian bytes: Span<UInt8>, count: Int) -> [UInt64] {
    (0..<count).map { limb(at: $0, bigEndian: bytes) }
  }

  /// Returns the limb at `index` of a big-endian number, the lowest at 0; zero beyond the highest.
  static func limb(at index: Int, bigEndian bytes: Span<UInt8>) -> UInt64 {
    let end = bytes.count - 8 * index
    guard end < 8 else {
      // SAFETY: the load is checked against the bounds; every byte is a UInt8.
      return unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: end - 8, as: UInt64.self)
        .bigEndian
    }
    var limb: UInt64 = 0
    for position in 0..<max(end, 0) { limb = limb << 8 | UInt64(bytes[position]) }
    return limb
  }

  /// Returns the limb of `bits` bits at `index` of a number of 64-bit limbs; zero beyond the highest.
  @inline(__always)
  static func limb(at index: Int, bits: Int, of words: Span<UInt64>) -> UInt64 {
    let position = bits &* index
    let (offset, shift) = (position &>> 6, UInt64(truncatingIfNeeded: position & 63))
    let lower = offset < words.count ? words[offset] &>> shift : 0
    let isSplit = Int(shift) > 64 &- bits && offset &+ 1 < words.count
    let upper = isSplit ? words[offset &+ 1] &<< (64 &- shift) : 0
    return (lower | upper) & (1 &<< UInt64(truncatingIfNeeded: bits) &- 1)
  }

  /// Returns the bytes of a number, the highest first, after `room` zeros.
  static func bytes(_ limbs: [UInt64], after room: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: room + 8 * limbs.count)
    var span = bytes.mutableSpan
    // SAFETY: every byte is a UInt8; stores are checked against the bounds.
    var memory = unsafe span.mutableBytes
    for (index, limb) in limbs.reversed().enumerated() {
      memory.storeBytes(of: limb.bigEndian, toByteOffset: room + 8 * index, as: UInt64.self)
    }
    return bytes
  }
}
