/// Arithmetic of limbs, the lowest first, without GMP: what `GMPLimbs` does, under the same
/// conditions.
///
/// A build with the trait `GMP` has both, and the tests compare them.
enum SwiftLimbs {
  /// The limit for both: the longest `Natural` in blocks of four.
  static var maximumCount: Int { (Natural.maximumLimbCount + 3) / 4 * 4 }

  /// Writes the product of two numbers of as many limbs into twice as many.
  ///
  /// Returns false, without doing anything, unless the numbers have whole blocks of four limbs, and
  /// at most `maximumCount`.
  static func multiply(
    _ left: Span<UInt64>, _ right: Span<UInt64>, into product: inout MutableSpan<UInt64>
  ) -> Bool {
    let count = left.count
    guard isCount(count), right.count == count, product.count == 2 * count else { return false }
    for index in 0..<2 * count { product[index] = 0 }
    for block in stride(from: 0, to: count, by: 4) {
      add(block, of: left, times: right, to: &product, at: block)
    }
    return true
  }

  /// Writes the square of a number into twice as many limbs, in the same way.
  static func square(_ number: Span<UInt64>, into product: inout MutableSpan<UInt64>) -> Bool {
    let count = number.count
    guard isCount(count), product.count == 2 * count else { return false }
    for index in 0..<2 * count { product[index] = 0 }
    // Each product of two different blocks once, then doubled, plus the squares of the blocks.
    for block in stride(from: 0, to: count - 4, by: 4) {
      add(
        block, of: number, times: number.extracting(droppingFirst: block + 4), to: &product,
        at: 2 * block + 4)
    }
    var (topBit, carry): (UInt64, UInt64) = (0, 0)
    for block in stride(from: 0, to: count, by: 4) {
      let square = WideSquare(
        number[block], number[block + 1], number[block + 2], number[block + 3])
      let limbs: [8 of UInt64] = [
        square.l0, square.l1, square.l2, square.l3, square.l4, square.l5, square.l6, square.l7,
      ]
      for index in 0..<8 {
        // SAFETY: the block begins at least four limbs before the end of the number.
        let at = 2 &* block &+ index
        let limb = unsafe product[unchecked: at]
        unsafe product[unchecked: at] = addWithCarry(limb &<< 1 | topBit, limbs[index], &carry)
        topBit = limb &>> 63
      }
    }
    return true
  }

  /// Replaces the first `count` limbs by their remainder modulo `modulus`; the next `count` limbs
  /// are room for GMP. Knuth, "The Art of Computer Programming" 4.3.1, algorithm D.
  ///
  /// Returns false, without doing anything, unless the modulus has a limb that is not zero, `count`
  /// is no less than its limbs and at most `maximumCount`, and `limbs` has twice as many.
  static func reduce(
    _ limbs: inout MutableSpan<UInt64>, count: Int, modulo modulus: Span<UInt64>
  ) -> Bool {
    var divisorCount = modulus.count
    while divisorCount > 0, modulus[divisorCount - 1] == 0 { divisorCount -= 1 }
    guard divisorCount > 0, count >= modulus.count, count <= maximumCount,
      limbs.count / 2 >= count
    else { return false }
    let divisor = LeadingLimbs(modulus.extracting(first: divisorCount))
    var end = count
    while end > divisorCount, limbs[end - 1] == 0 { end -= 1 }
    // The limb above those of each step; it is zero above the number itself.
    var top: UInt64 = 0
    while end >= divisorCount {
      let quotient = divisor.quotient(top, limbs, end)
      let start = end - divisorCount
      let borrow = subtract(quotient, times: modulus.extracting(first: divisorCount), &limbs, start)
      if borrow > top {  // once in about 2^63 steps, the quotient is one more than it should be
        var carry: UInt64 = 0
        for index in 0..<divisorCount {
          limbs[start + index] = addWithCarry(limbs[start + index], modulus[index], &carry)
        }
      }
      // Now the number is less than the divisor times a power of 2^64, so the limb above is zero.
      end -= 1
      if end >= divisorCount {
        top = limbs[end]
        limbs[end] = 0
      }
    }
    return true
  }

  /// Subtracts q · divisor from the limbs at `start`, of which there are as many, and returns what
  /// the limb above has to lose.
  @inline(__always)
  private static func subtract(
    _ q: UInt64, times divisor: Span<UInt64>, _ limbs: inout MutableSpan<UInt64>, _ start: Int
  ) -> UInt64 {
    let count = divisor.count
    // What is above the limbs so far: at most 2^64 - 1, with the carry and the borrow of a block.
    var upper: UInt64 = 0
    var index = 0
    // SAFETY: `index` is less than the limbs of the divisor, of which there are as many at `start`.
    while index &+ 4 <= count {
      let at = start &+ index
      let p0 = unsafe q.multipliedFullWidth(by: divisor[unchecked: index])
      let p1 = unsafe q.multipliedFullWidth(by: divisor[unchecked: index &+ 1])
      let p2 = unsafe q.multipliedFullWidth(by: divisor[unchecked: index &+ 2])
      let p3 = unsafe q.multipliedFullWidth(by: divisor[unchecked: index &+ 3])
      var (carry, borrow): (UInt64, UInt64) = (0, 0)
      let r0 = addWithCarry(p0.low, upper, &carry)
      let r1 = addWithCarry(p1.low, p0.high, &carry)
      let r2 = addWithCarry(p2.low, p1.high, &carry)
      let r3 = addWithCarry(p3.low, p2.high, &carry)
      unsafe limbs[unchecked: at] = subtractWithBorrow(limbs[unchecked: at], r0, &borrow)
      unsafe limbs[unchecked: at &+ 1] = subtractWithBorrow(limbs[unchecked: at &+ 1], r1, &borrow)
      unsafe limbs[unchecked: at &+ 2] = subtractWithBorrow(limbs[unchecked: at &+ 2], r2, &borrow)
      unsafe limbs[unchecked: at &+ 3] = subtractWithBorrow(limbs[unchecked: at &+ 3], r3, &borrow)
      upper = p3.high &+ carry &+ borrow
      index &+= 4
    }
    while index < count {
      let at = start &+ index
      let product = unsafe wide(q) &* wide(divisor[unchecked: index]) &+ wide(upper)
      var borrow: UInt64 = 0
      unsafe limbs[unchecked: at] = subtractWithBorrow(limbs[unchecked: at], low(product), &borrow)
      upper = high(product) &+ borrow
      index &+= 1
    }
    return upper
  }

  private static func isCount(_ count: Int) -> Bool {
    count > 0 && count % 4 == 0 && count <= maximumCount
  }

  /// Adds the product of four limbs of `left` and all of `right` to the limbs at `start`, of which
  /// there are enough.
  private static func add(
    _ block: Int, of left: Span<UInt64>, times right: Span<UInt64>,
    to product: inout MutableSpan<UInt64>, at start: Int
  ) {
    let q = (left[block], left[block + 1], left[block + 2], left[block + 3])
    _ = Montgomery.add(q, times: right, to: &product, at: start, 0)
  }
}

/// The two highest limbs of a divisor, shifted so that the highest bit is set, and what estimates
/// quotients by them.
private struct LeadingLimbs {
  private let shift: UInt64
  private let highest: UInt64
  private let next: UInt64
  /// The quotient of 2^128 - 1 and the highest limb, less 2^64.
  private let reciprocal: UInt64

  /// The highest limb is not zero.
  init(_ divisor: Span<UInt64>) {
    let count = divisor.count
    let third = count > 2 ? divisor[count - 3] : 0
    let second = count > 1 ? divisor[count - 2] : 0
    shift = UInt64(divisor[count - 1].leadingZeroBitCount)
    // A shift by 64 leaves nothing.
    highest = divisor[count - 1] &<< shift | second >> (64 - shift)
    next = second &<< shift | third >> (64 - shift)
    reciprocal = highest.dividingFullWidth((high: ~highest, low: .max)).quotient
  }

  /// Returns the quotient of the number that ends with `top` above `end`, which is less than the
  /// divisor times 2^64, or one more: Knuth's step D3.
  func quotient(_ top: UInt64, _ limbs: borrowing MutableSpan<UInt64>, _ end: Int) -> UInt64 {
    let first = limbs[end - 1]
    let second = end > 1 ? limbs[end - 2] : 0
    let third = end > 2 ? limbs[end - 3] : 0
    let u2 = top &<< shift | first >> (64 - shift)
    let u1 = first &<< shift | second >> (64 - shift)
    let u0 = second &<< shift | third >> (64 - shift)
    var (quotient, rest) = (UInt64.max, wide(u1) &+ wide(highest))
    if u2 < highest {
      let estimate = divide(u2, u1)
      (quotient, rest) = (estimate.quotient, wide(estimate.remainder))
    }
    while high(rest) == 0, multiply(quotient, next) > pair(u0, low(rest)) {
      quotient &-= 1
      rest &+= wide(highest)
    }
    return quotient
  }

  /// Divides two limbs by the highest of the divisor, which is above the upper one: Möller and
  /// Granlund, "Improved Division by Invariant Integers" (2011), algorithm 4.
  private func divide(_ upper: UInt64, _ lower: UInt64) -> (quotient: UInt64, remainder: UInt64) {
    let estimate = multiply(reciprocal, upper) &+ pair(lower, upper)
    var quotient = high(estimate) &+ 1
    var remainder = lower &- quotient &* highest
    if remainder > low(estimate) {
      quotient &-= 1
      remainder &+= highest
    }
    if remainder >= highest {
      quotient &+= 1
      remainder &-= highest
    }
    return (quotient, remainder)
  }
}
