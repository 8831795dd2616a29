/// An odd modulus of `count` limbs, the highest not zero, and products modulo it: the arithmetic of
/// ECDSA's scalars, a few products for each signature.
package struct MontgomeryModulus<let count: Int>: Sendable {
  package typealias Number = InlineArray<count, UInt64>

  package let value: Number
  /// -1 / value modulo 2^64.
  private let negatedInverse: UInt64
  /// 2^(128 * count) modulo the value.
  private let square: Number

  /// Creates a modulus from its limbs, least significant first.
  package init(_ value: Number) {
    self.value = value
    // Newton's iteration doubles the number of correct bits; x * x = 1 modulo 8 gives three.
    var inverse = value[0]
    for _ in 0..<5 { inverse = inverse &* (2 &- value[0] &* inverse) }
    negatedInverse = 0 &- inverse
    // 1 is doubled 128 * count times, and reduced each time.
    var power = Number(repeating: 0)
    power[0] = 1
    for _ in 0..<(128 &* count) {
      let carry = power[count &- 1] &>> 63
      for index in stride(from: count &- 1, to: 0, by: -1) {
        power[index] = power[index] &<< 1 | power[index &- 1] &>> 63
      }
      power[0] = power[0] &<< 1
      MontgomeryModulus.reduce(&power, carry, value)
    }
    square = power
  }

  /// Returns left * right modulo the value, fully reduced. One factor must be below the value; the
  /// other only has to fit into `count` limbs.
  package func product(_ left: Number, _ right: Number) -> Number {
    montgomeryProduct(montgomeryProduct(left, square), right)
  }

  /// Returns left * right / 2^(64 * count).
  private func montgomeryProduct(_ left: Number, _ right: Number) -> Number {
    var sum = Number(repeating: 0)
    var top: UInt64 = 0
    for row in 0..<count {
      var carry: UInt128 = 0
      for column in 0..<count {
        carry = multiply(left[row], right[column], plus: sum[column], carryOf: carry)
        sum[column] = low(carry)
      }
      let upper = wide(top) &+ wide(high(carry))
      let multiple = sum[0] &* negatedInverse
      carry = multiply(multiple, value[0]) &+ wide(sum[0])
      for column in 1..<count {
        carry = multiply(multiple, value[column], plus: sum[column], carryOf: carry)
        sum[column &- 1] = low(carry)
      }
      let last = upper &+ wide(high(carry))
      sum[count &- 1] = low(last)
      top = high(last)
    }
    MontgomeryModulus.reduce(&sum, top, value)
    return sum
  }

  /// Subtracts the value once if the number, with `carry` above it, is not below the value.
  private static func reduce(_ number: inout Number, _ carry: UInt64, _ value: Number) {
    var difference = number
    var borrow: UInt128 = 0
    for index in 0..<count {
      borrow = subtract(number[index], value[index], borrowOf: borrow)
      difference[index] = low(borrow)
    }
    if carry == 1 || high(borrow) == 0 { number = difference }
  }

  package func isBelowValue(_ number: Number) -> Bool {
    for index in stride(from: count &- 1, through: 0, by: -1) where number[index] != value[index] {
      return number[index] < value[index]
    }
    return false
  }

  /// Returns the number if it is below the value; nil otherwise.
  func number(_ limbs: Limbs) -> Number? {
    for index in min(count, 9)..<9 where limbs[index] != 0 { return nil }
    let number = lowLimbs(of: limbs)
    return isBelowValue(number) ? number : nil
  }

  func lowLimbs(of limbs: Limbs) -> Number {
    Number { $0 < 9 ? limbs[$0] : 0 }
  }

  func limbs(of number: Number) -> Limbs {
    Limbs { $0 < count ? number[$0] : 0 }
  }

  /// Returns a number of at most 114 bytes, least significant byte first, modulo the value.
  /// RFC 8032 §5.1.7 (2) and §5.2.7 (2).
  func remainder(ofLittleEndian bytes: Span<UInt8>) -> Limbs? {
    // The number, and as much room again for the division.
    var work = [30 of UInt64](repeating: 0)
    for index in 0..<min(bytes.count, 114) {
      work[index / 8] |= UInt64(bytes[index]) &<< UInt64(8 * (index % 8))
    }
    var limbs = work.mutableSpan
    guard LimbArithmetic.reduce(&limbs, count: 15, modulo: value.span) else { return nil }
    return Limbs { $0 < count ? work[$0] : 0 }
  }

  /// Returns the inverse; nil for zero and for numbers that share a factor with the value.
  package func inverse(of number: Number) -> Number? {
    LimbArithmetic.inverse(of: number, modulo: value)
  }
}
