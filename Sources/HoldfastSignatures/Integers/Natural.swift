internal import CHoldfastGMP

#if !_pointerBitWidth(_64)
  #error("The limbs of GMP are taken to be 64 bits wide")
#endif

/// A natural number of at most `maximumBitCount` bits, on GMP.
///
/// GMP ends the process on a zero divisor, an even modulus in some calls, and absurd sizes. This is
/// the only file that calls it. Every function here checks its operands first, and returns `nil`
/// for what GMP cannot do.
@safe
package struct Natural: ~Copyable {
  /// Enough for the product of two numbers as long as the longest RSA modulus, and for a few sums.
  package static var maximumBitCount: Int { 2 * 16_384 + 64 }
  private static var maximumLimbCount: Int { maximumBitCount / 64 }

  private var number: __mpz_struct

  private init() {
    // SAFETY: initializes the number in place; nothing is allocated yet.
    unsafe number = __mpz_struct()
    unsafe __gmpz_init(&number)
  }

  deinit {
    // SAFETY: the number was initialized and no other copy of it is left.
    var last = unsafe number
    unsafe __gmpz_clear(&last)
  }

  package init(_ value: UInt64) {
    self.init()
    // SAFETY: the number is initialized; a limb holds any UInt64.
    unsafe __gmpz_set_ui(&number, UInt(value))
  }

  /// Reads a big-endian number; leading zeros are ignored.
  package init?(bigEndian bytes: Span<UInt8>) {
    var first = 0
    while first < bytes.count, bytes[first] == 0 { first += 1 }
    let count = bytes.count - first
    guard count <= Natural.maximumLimbCount * 8 else { return nil }
    self.init()
    fill((count + 7) / 8) { Montgomery.limb(at: $0, bigEndian: bytes) }
  }

  /// Reads a number from its limbs, the lowest first; high zero limbs are ignored.
  package init?(limbs: Span<UInt64>) {
    var count = limbs.count
    while count > 0, limbs[count - 1] == 0 { count -= 1 }
    guard count <= Natural.maximumLimbCount else { return nil }
    self.init()
    fill(count) { limbs[$0] }
  }

  /// Creates two to the power of `exponent`; nil above the size limit.
  package init?(powerOfTwo exponent: Int) {
    guard 0..<Natural.maximumBitCount ~= exponent else { return nil }
    self.init()
    // SAFETY: the number is initialized, and GMP makes room for the bit.
    unsafe __gmpz_setbit(&number, mp_bitcnt_t(exponent))
  }

  /// Writes `count` limbs; `count` is at most `maximumLimbCount`.
  private mutating func fill(_ count: Int, _ limb: (Int) -> UInt64) {
    guard count > 0 else { return }
    // SAFETY: GMP makes room for `count` limbs, all of which are written.
    unsafe (__gmpz_limbs_write(&number, count)).map { limbs in
      for index in 0..<count { unsafe limbs[index] = mp_limb_t(limb(index)) }
    }
    unsafe __gmpz_limbs_finish(&number, count)
  }

  package borrowing func copy() -> Natural {
    var result = Natural()
    // SAFETY: both numbers are initialized; the source is only read.
    var source = unsafe number
    unsafe __gmpz_set(&result.number, &source)
    return result
  }
}

extension Natural {
  // SAFETY: an initialized number has a size, which is not negative for a natural number.
  private var limbCount: Int { unsafe Int(number._mp_size) }

  /// Returns the limb at `index`, the lowest at 0; zero beyond the highest.
  package borrowing func limb(at index: Int) -> UInt64 {
    // SAFETY: `index` is checked to be below the number of limbs.
    guard index >= 0, index < limbCount, let limbs = unsafe number._mp_d else { return 0 }
    return unsafe UInt64(limbs[index])
  }

  /// The bit length of the number; 0 for zero.
  package var bitCount: Int {
    limbCount == 0 ? 0 : 64 * limbCount - limb(at: limbCount - 1).leadingZeroBitCount
  }

  package var isZero: Bool { limbCount == 0 }
  package var isOdd: Bool { limb(at: 0) & 1 == 1 }

  package borrowing func bit(at index: Int) -> Bool {
    index >= 0 && limb(at: index / 64) &>> UInt64(index % 64) & 1 == 1
  }

  /// Returns the number in exactly `count` limbs, the lowest first; `nil` if it needs more.
  package borrowing func limbs(count: Int) -> [UInt64]? {
    guard limbCount <= count else { return nil }
    var result = [UInt64](repeating: 0, count: count)
    for index in 0..<limbCount { result[index] = limb(at: index) }
    return result
  }

  /// Returns the number in exactly `count` bytes, the highest first; `nil` if it needs more.
  package borrowing func bigEndianBytes(count: Int) -> [UInt8]? {
    guard count >= 0, bitCount <= 8 * count else { return nil }
    var result = [UInt8](repeating: 0, count: count)
    for index in 0..<count {
      let shift = UInt64(8 * (index % 8))
      result[count - 1 - index] = UInt8(truncatingIfNeeded: limb(at: index / 8) &>> shift)
    }
    return result
  }

  /// Returns -1, 0 or 1 if `left` is less than, equal to or greater than `right`.
  private static func order(_ left: borrowing Natural, _ right: borrowing Natural) -> Int {
    guard left.limbCount == right.limbCount else {
      return left.limbCount < right.limbCount ? -1 : 1
    }
    for index in stride(from: left.limbCount - 1, through: 0, by: -1) {
      let (a, b) = (left.limb(at: index), right.limb(at: index))
      if a != b { return a < b ? -1 : 1 }
    }
    return 0
  }

  package static func == (left: borrowing Natural, right: borrowing Natural) -> Bool {
    order(left, right) == 0
  }

  package static func < (left: borrowing Natural, right: borrowing Natural) -> Bool {
    order(left, right) < 0
  }
}

extension Natural {
  private typealias Operation = (mpz_ptr?, mpz_srcptr?, mpz_srcptr?) -> Void

  private static func apply(
    _ operation: Operation, _ left: borrowing Natural, _ right: borrowing Natural
  ) -> Natural {
    var result = Natural()
    // SAFETY: the three numbers are initialized, the operands are only read, and the caller has
    // checked the requirements of the operation.
    var left = unsafe left.number
    var right = unsafe right.number
    unsafe operation(&result.number, &left, &right)
    return result
  }

  /// Returns the sum; `nil` above the size limit.
  package borrowing func adding(_ other: borrowing Natural) -> Natural? {
    guard max(bitCount, other.bitCount) < Natural.maximumBitCount else { return nil }
    // SAFETY: the sum has at most the limit's bits.
    return unsafe Natural.apply(__gmpz_add, self, other)
  }

  /// Returns the difference; `nil` if it is negative.
  package borrowing func subtracting(_ other: borrowing Natural) -> Natural? {
    guard !(self < other) else { return nil }
    // SAFETY: the difference is not negative.
    return unsafe Natural.apply(__gmpz_sub, self, other)
  }

  /// Returns the product; `nil` above the size limit.
  package borrowing func multiplied(by other: borrowing Natural) -> Natural? {
    guard bitCount + other.bitCount <= Natural.maximumBitCount else { return nil }
    // SAFETY: the product has at most the limit's bits.
    return unsafe Natural.apply(__gmpz_mul, self, other)
  }

  /// Returns the remainder; `nil` for a zero divisor.
  package borrowing func remainder(dividingBy divisor: borrowing Natural) -> Natural? {
    guard !divisor.isZero else { return nil }
    // SAFETY: the divisor is not zero.
    return unsafe Natural.apply(__gmpz_mod, self, divisor)
  }

  /// Returns the number without its lowest `count` bits.
  package borrowing func shiftedRight(by count: Int) -> Natural {
    var result = Natural()
    // SAFETY: both numbers are initialized; a right shift only makes a number shorter.
    var source = unsafe number
    unsafe __gmpz_tdiv_q_2exp(&result.number, &source, mp_bitcnt_t(max(count, 0)))
    return result
  }

  /// Returns the inverse modulo `modulus`; `nil` if there is none or the modulus is below 2.
  package borrowing func inverse(modulo modulus: borrowing Natural) -> Natural? {
    guard modulus.bitCount > 1, !isZero else { return nil }
    var result = Natural()
    // SAFETY: the numbers are initialized, the operands only read; the modulus is not zero. GMP
    // returns 0 if there is no inverse.
    var value = unsafe number
    var modulus = unsafe modulus.number
    guard unsafe __gmpz_invert(&result.number, &value, &modulus) != 0 else { return nil }
    return result
  }

  /// Returns the power modulo `modulus`, which must be odd, at least 3 and of at most 16,384 bits.
  /// Returns `nil` otherwise, or if the exponent is so long (more than 64 bits for a modulus above
  /// 1,024 bits) that the computation would take long.
  package borrowing func power(
    _ exponent: borrowing Natural, modulo modulus: borrowing Natural
  ) -> Natural? {
    guard modulus.isOdd, modulus.bitCount > 1, modulus.bitCount <= 16_384,
      exponent.bitCount <= (modulus.bitCount > 1_024 ? 64 : 1_024)
    else { return nil }
    var result = Natural()
    // SAFETY: the numbers are initialized, the operands only read; the exponent is not
    // negative, the modulus odd and above 1.
    var base = unsafe number
    var exponent = unsafe exponent.number
    var modulus = unsafe modulus.number
    unsafe __gmpz_powm(&result.number, &base, &exponent, &modulus)
    return result
  }
}

extension Natural {
  /// Returns the inverse of a number of fixed width modulo an odd number whose highest limb is not
  /// zero, the lowest limb first, without heap memory; `nil` if there is none.
  package static func inverse<let count: Int>(
    of value: [count of UInt64], modulo modulus: [count of UInt64]
  ) -> [count of UInt64]? {
    guard count > 0, count <= 16, modulus[0] & 1 == 1, modulus[count - 1] != 0 else { return nil }
    var isZero = true
    for index in 0..<count where value[index] != 0 { isZero = false }
    guard !isZero else { return nil }
    // Four numbers of 17 limbs: the value, the modulus, their divisor, the cofactor.
    var work = [68 of mp_limb_t](repeating: 0)
    for index in 0..<count {
      work[index] = mp_limb_t(value[index])
      work[17 + index] = mp_limb_t(modulus[index])
    }
    var cofactorCount = 0
    var span = work.mutableSpan
    // SAFETY: mpn_gcdext requires un >= vn > 0, a highest limb of V that is not zero, and one spare
    // limb after each operand and the cofactor: each has 17 limbs.
    let divisorCount = unsafe span.withUnsafeMutableBufferPointer { work -> Int in
      guard let u = work.baseAddress else { return 0 }
      return unsafe __gmpn_gcdext(u + 34, u + 51, &cofactorCount, u, count, u + 17, count)
    }
    guard divisorCount == 1, work[34] == 1, cofactorCount.magnitude <= UInt(count) else {
      return nil
    }
    var result = [count of UInt64](repeating: 0)
    let cofactorLimbs = Int(cofactorCount.magnitude)
    for index in 0..<cofactorLimbs { result[index] = UInt64(work[51 + index]) }
    guard cofactorCount < 0 else { return result }
    // The cofactor is smaller than the modulus, so there is no final borrow.
    var borrow: UInt64 = 0
    return InlineArray { subtractWithBorrow(modulus[$0], result[$0], &borrow) }
  }
}

/// Products and remainders within one array of limbs, the lowest limb of each number first, so that
/// a power needs no other memory.
extension Natural {
  /// Whether `count` limbs at `source` and twice as many at `target` lie within `total` limbs
  /// without overlapping, and `count` is at most 256, the limit for calls of GMP here.
  private static func fits(_ count: Int, _ source: Int, _ target: Int, _ total: Int) -> Bool {
    count > 0 && count <= 256 && source >= 0 && source <= total - count && target >= 0
      && target <= total - 2 * count && (source + count <= target || target + 2 * count <= source)
  }

  /// Writes the square of the `count` limbs at `source` into the 2·`count` limbs at `target`.
  ///
  /// Returns false, without doing anything, unless there are 1 to 256 limbs and no overlap.
  static func square(
    _ count: Int, in limbs: inout MutableSpan<UInt64>, at source: Int, to target: Int
  ) -> Bool {
    guard fits(count, source, target, limbs.count) else { return false }
    // SAFETY: mpn_sqr reads `count` limbs and writes twice as many without overlap, within the
    // bounds, as checked above. UInt64 and mp_limb_t have the same layout.
    return unsafe limbs.withUnsafeMutableBufferPointer { limbs in
      unsafe limbs.withMemoryRebound(to: mp_limb_t.self) { limbs in
        guard let start = limbs.baseAddress else { return false }
        unsafe __gmpn_sqr(start + target, start + source, count)
        return true
      }
    }
  }

  /// Writes the product of the limbs at `source` and those of `other` to `target`, 2·`count` limbs.
  ///
  /// Returns false, without doing anything, unless there are 1 to 256 limbs and no overlap.
  static func multiply(
    by other: Span<UInt64>, in limbs: inout MutableSpan<UInt64>, at source: Int, to target: Int
  ) -> Bool {
    let count = other.count
    guard fits(count, source, target, limbs.count) else { return false }
    // SAFETY: mpn_mul_n reads `count` limbs of each factor and writes twice as many without
    // overlap, within the bounds, as checked above; exclusive access keeps `other` apart as well.
    // UInt64 and mp_limb_t have the same layout.
    return unsafe other.withUnsafeBufferPointer { other in
      unsafe other.withMemoryRebound(to: mp_limb_t.self) { other in
        unsafe limbs.withUnsafeMutableBufferPointer { limbs in
          unsafe limbs.withMemoryRebound(to: mp_limb_t.self) { limbs in
            guard let start = limbs.baseAddress, let other = other.baseAddress else { return false }
            unsafe __gmpn_mul_n(start + target, start + source, other, count)
            return true
          }
        }
      }
    }
  }

  /// Replaces the first `count` limbs by their remainder modulo `modulus`; overwrites the next
  /// `count` limbs.
  ///
  /// Returns false, without doing anything, unless the modulus has 1 to 256 limbs, not all zero,
  /// `count` is no less than that, and `limbs` has twice as many.
  static func reduce(
    _ limbs: inout MutableSpan<UInt64>, count: Int, modulo modulus: Span<UInt64>
  ) -> Bool {
    var divisorCount = modulus.count
    while divisorCount > 0, modulus[divisorCount - 1] == 0 { divisorCount -= 1 }
    guard divisorCount > 0, modulus.count <= 256, count >= modulus.count,
      limbs.count / 2 >= count
    else { return false }
    // Zeros would cost a step of the division each.
    var dividendCount = count
    while dividendCount > divisorCount, limbs[dividendCount - 1] == 0 { dividendCount -= 1 }
    // SAFETY: mpn_tdiv_qr requires a divisor whose highest limb is not zero, a dividend of no fewer
    // limbs, and room for the quotient of dividendCount - divisorCount + 1 limbs and for the
    // remainder of divisorCount limbs, which may overwrite the dividend. UInt64 and mp_limb_t have
    // the same layout.
    unsafe modulus.withUnsafeBufferPointer { modulus in
      unsafe modulus.withMemoryRebound(to: mp_limb_t.self) { modulus in
        unsafe limbs.withUnsafeMutableBufferPointer { limbs in
          unsafe limbs.withMemoryRebound(to: mp_limb_t.self) { limbs in
            guard let n = limbs.baseAddress, let d = modulus.baseAddress else { return }
            unsafe __gmpn_tdiv_qr(n + count, n, 0, n, dividendCount, d, divisorCount)
          }
        }
      }
    }
    for index in divisorCount..<dividendCount { limbs[index] = 0 }
    return true
  }
}
