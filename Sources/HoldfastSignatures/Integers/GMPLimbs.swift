#if GMP
  internal import CHoldfastGMP

  #if !_pointerBitWidth(_64)
    #error("The limbs of GMP are taken to be 64 bits wide")
  #endif

  /// Arithmetic of limbs, the lowest first, on GMP.
  ///
  /// GMP ends the process on a zero divisor, reads beyond operands of a wrong length, and so on.
  /// This is the only file that calls it. Every function checks its operands first, and returns
  /// `nil` or false for what GMP cannot do. `SwiftLimbs` does the same without GMP.
  enum GMPLimbs {
    /// Writes the product of two numbers of as many limbs into twice as many.
    ///
    /// Returns false, without doing anything, unless the numbers have whole blocks of four limbs,
    /// and at most `maximumCount`.
    static func multiply(
      _ left: Span<UInt64>, _ right: Span<UInt64>, into product: inout MutableSpan<UInt64>
    ) -> Bool {
      let count = left.count
      guard isCount(count), right.count == count, product.count == 2 * count else { return false }
      // SAFETY: mpn_mul_n reads `count` limbs of each factor and writes twice as many, as checked
      // above, and exclusive access keeps them apart. UInt64 and mp_limb_t have the same layout.
      return unsafe withLimbs(left) { left in
        unsafe withLimbs(right) { right in
          unsafe withMutableLimbs(&product) { unsafe __gmpn_mul_n($0, left, right, count) }
        }
      }
    }

    /// Writes the square of a number into twice as many limbs, in the same way.
    static func square(_ number: Span<UInt64>, into product: inout MutableSpan<UInt64>) -> Bool {
      let count = number.count
      guard isCount(count), product.count == 2 * count else { return false }
      // SAFETY: as for a product; mpn_sqr has one factor.
      return unsafe withLimbs(number) { number in
        unsafe withMutableLimbs(&product) { unsafe __gmpn_sqr($0, number, count) }
      }
    }

    /// Replaces the first `count` limbs by their remainder modulo `modulus`; overwrites the next
    /// `count` limbs.
    ///
    /// Returns false, without doing anything, unless the modulus has a limb that is not zero,
    /// `count` is no less than its limbs and at most `maximumCount`, and `limbs` has twice as many.
    static func reduce(
      _ limbs: inout MutableSpan<UInt64>, count: Int, modulo modulus: Span<UInt64>
    ) -> Bool {
      var divisorCount = modulus.count
      while divisorCount > 0, modulus[divisorCount - 1] == 0 { divisorCount -= 1 }
      guard divisorCount > 0, count >= modulus.count, count <= SwiftLimbs.maximumCount,
        limbs.count / 2 >= count
      else { return false }
      // Zeros would cost a step of the division each.
      var dividendCount = count
      while dividendCount > divisorCount, limbs[dividendCount - 1] == 0 { dividendCount -= 1 }
      // SAFETY: mpn_tdiv_qr requires a divisor whose highest limb is not zero, a dividend of no
      // fewer limbs, and room for the quotient of dividendCount - divisorCount + 1 limbs and for
      // the remainder of divisorCount limbs, which may overwrite the dividend. UInt64 and mp_limb_t
      // have the same layout.
      let isReduced = unsafe withLimbs(modulus) { divisor in
        unsafe withMutableLimbs(&limbs) { limbs in
          unsafe __gmpn_tdiv_qr(
            limbs + count, limbs, 0, limbs, dividendCount, divisor, divisorCount)
        }
      }
      for index in divisorCount..<dividendCount { limbs[index] = 0 }
      return isReduced
    }

    /// Returns the inverse of a number of fixed width modulo an odd number above 1, without heap
    /// memory; `nil` if there is none, or above 16 limbs.
    static func inverse<let count: Int>(
      of value: [count of UInt64], modulo modulus: [count of UInt64]
    ) -> [count of UInt64]? {
      var divisorCount = count
      while divisorCount > 0, modulus[divisorCount - 1] == 0 { divisorCount -= 1 }
      guard count <= 16, divisorCount > 1 || divisorCount == 1 && modulus[0] > 1,
        modulus[0] & 1 == 1
      else { return nil }
      var isZero = true
      for index in 0..<count where value[index] != 0 { isZero = false }
      guard !isZero else { return nil }
      // Four numbers of 17 limbs: the value, the modulus, their divisor, the cofactor.
      var work = [68 of UInt64](repeating: 0)
      for index in 0..<count {
        work[index] = value[index]
        work[17 + index] = modulus[index]
      }
      var (greatestCount, cofactorCount) = (0, 0)
      var span = work.mutableSpan
      // SAFETY: mpn_gcdext requires un >= vn > 0, a highest limb of V that is not zero, and one
      // spare limb after each operand and the cofactor: each has 17 limbs. UInt64 and mp_limb_t
      // have the same layout.
      _ = unsafe withMutableLimbs(&span) { u in
        unsafe greatestCount = __gmpn_gcdext(
          u + 34, u + 51, &cofactorCount, u, count, u + 17, divisorCount)
      }
      guard greatestCount == 1, work[34] == 1, cofactorCount.magnitude <= UInt(count)
      else { return nil }
      var result = [count of UInt64](repeating: 0)
      for index in 0..<Int(cofactorCount.magnitude) { result[index] = work[51 + index] }
      guard cofactorCount < 0 else { return result }
      // The cofactor is smaller than the modulus, so there is no final borrow.
      var borrow: UInt64 = 0
      return InlineArray { subtractWithBorrow(modulus[$0], result[$0], &borrow) }
    }
  }

  extension GMPLimbs {
    private static func isCount(_ count: Int) -> Bool {
      count > 0 && count % 4 == 0 && count <= SwiftLimbs.maximumCount
    }

    // SAFETY: the memory of a span is lent for as long as the closure runs.
    @unsafe private static func withLimbs(
      _ limbs: Span<UInt64>, _ body: (UnsafePointer<mp_limb_t>) -> Bool
    ) -> Bool {
      unsafe limbs.withUnsafeBufferPointer { limbs in
        unsafe limbs.withMemoryRebound(to: mp_limb_t.self) { limbs in
          guard let start = limbs.baseAddress else { return false }
          return unsafe body(start)
        }
      }
    }

    // SAFETY: as above.
    @unsafe private static func withMutableLimbs(
      _ limbs: inout MutableSpan<UInt64>, _ body: (UnsafeMutablePointer<mp_limb_t>) -> Void
    ) -> Bool {
      unsafe limbs.withUnsafeMutableBufferPointer { limbs in
        unsafe limbs.withMemoryRebound(to: mp_limb_t.self) { limbs in
          guard let start = limbs.baseAddress else { return false }
          unsafe body(start)
          return true
        }
      }
    }
  }
#endif
