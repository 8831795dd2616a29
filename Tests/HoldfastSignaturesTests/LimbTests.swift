import TestSupport
import Testing

@testable import HoldfastSignatures

/// Both implementations, or without the trait `GMP` the one in Swift.
@Suite("Arithmetic of limbs")
struct LimbTests {
  /// A way to compute, with the functions of `LimbArithmetic`.
  struct Way: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let multiply: @Sendable (Span<UInt64>, Span<UInt64>, inout MutableSpan<UInt64>) -> Bool
    let square: @Sendable (Span<UInt64>, inout MutableSpan<UInt64>) -> Bool
    let reduce: @Sendable (inout MutableSpan<UInt64>, Int, Span<UInt64>) -> Bool
    let inverse: @Sendable ([4 of UInt64], [4 of UInt64]) -> [4 of UInt64]?
  }

  static let swift = Way(
    testDescription: "Swift",
    multiply: { SwiftLimbs.multiply($0, $1, into: &$2) },
    square: { SwiftLimbs.square($0, into: &$1) },
    reduce: { SwiftLimbs.reduce(&$0, count: $1, modulo: $2) },
    inverse: { SwiftLimbs.inverse(of: $0, modulo: $1) })

  #if GMP
    static let gmp = Way(
      testDescription: "GMP",
      multiply: { GMPLimbs.multiply($0, $1, into: &$2) },
      square: { GMPLimbs.square($0, into: &$1) },
      reduce: { GMPLimbs.reduce(&$0, count: $1, modulo: $2) },
      inverse: { GMPLimbs.inverse(of: $0, modulo: $1) })
    static let ways = [swift, gmp]
  #else
    static let ways = [swift]
  #endif

  @Test("products are those computed by hand, limb by limb", arguments: ways)
  func products(_ way: Way) {
    var numbers = SeededNumbers(seed: 4)
    for round in 0..<(isDebug ? 40 : 2_000) {
      let count = 4 * (round % 5 + 1)
      let (left, right) = (numbers.edgyLimbs(count), numbers.edgyLimbs(count))
      // Full, so that limbs that are left as they were show.
      var product = [UInt64](repeating: .max, count: 2 * count)
      var span = product.mutableSpan
      expect(way.multiply(left.span, right.span, &span))
      #expect(product == longProduct(left, right))
      span = product.mutableSpan
      expect(way.square(left.span, &span))
      #expect(product == longProduct(left, left))
    }
  }

  @Test("a remainder is less than the modulus, and what was taken away is a multiple of it")
  func remainders() throws {
    var numbers = SeededNumbers(seed: 43)
    for round in 0..<(isDebug ? 100 : 5_000) {
      // A multiple of the modulus and a rest below it, so that the remainder is known.
      let count = 4 * (round % 3 + 1)
      var modulus = numbers.edgyLimbs(count)
      modulus[round % count] |= 1
      let product = longProduct(modulus, numbers.edgyLimbs(count))
      let rest = try some(
        Natural(limbs: numbers.limbs(count).span)?.remainder(
          dividingBy: try some(Natural(limbs: modulus.span))))
      let sum = try some(Natural(limbs: product.span)?.adding(rest))
      let expected = rest.limbs(count: 2 * count)
      let limbs = try #require(sum.limbs(count: 2 * count))
      for way in Self.ways {
        var work = limbs + [UInt64](repeating: 7, count: 2 * count)
        var span = work.mutableSpan
        expect(way.reduce(&span, 2 * count, modulus.span))
        #expect([UInt64](work[..<(2 * count)]) == expected, "\(way.testDescription)")
      }
    }
  }

  @Test("the quotient that is estimated one too large is corrected", arguments: ways)
  func correction(_ way: Way) {
    // By its two highest limbs the divisor is a power of two, so the estimate is 2^64 - 1; the
    // lowest limb makes it one too large: Knuth 4.3.1, step D6.
    var work: [UInt64] = [0, 0, 0x8000_0000_0000_0000, 0x7fff_ffff_ffff_ffff, 0, 0, 0, 0]
    let modulus: [UInt64] = [1, 0, 0x8000_0000_0000_0000]
    var span = work.mutableSpan
    expect(way.reduce(&span, 4, modulus.span))
    // 2^191 (2^64 - 1) = (2^64 - 2)(2^191 + 1) + 2^191 - 2^64 + 2.
    #expect(Array(work[..<4]) == [2, .max, 0x7fff_ffff_ffff_ffff, 0])
  }

  @Test("wrong sizes and a zero modulus are refused, and nothing is written", arguments: ways)
  func domain(_ way: Way) {
    let most = SwiftLimbs.maximumCount
    for (left, right, room) in [
      (0, 0, 0), (3, 3, 6), (4, 8, 12), (4, 4, 7), (4, 4, 12), (most + 4, most + 4, 2 * most + 8),
    ] {
      let (a, b) = (
        [UInt64](repeating: 1, count: left), [UInt64](repeating: 1, count: right)
      )
      var product = [UInt64](repeating: 7, count: room)
      var span = product.mutableSpan
      expect(!way.multiply(a.span, b.span, &span), "\(left) \(right) \(room)")
      if left == right { expect(!way.square(a.span, &span), "\(left) \(room)") }
      #expect(product.allSatisfy { $0 == 7 })
    }
    for (count, modulus, room) in [
      (4, [0, 0], 8), (4, [], 8), (1, [3, 1], 4), (4, [3], 7), (0, [3], 8),
      (most + 1, [3], 2 * most + 2),
    ] as [(Int, [UInt64], Int)] {
      var work = [UInt64](repeating: 7, count: room)
      var span = work.mutableSpan
      expect(!way.reduce(&span, count, modulus.span), "\(count) \(modulus.count) \(room)")
      #expect(work.allSatisfy { $0 == 7 })
    }
  }

  @Test("inverses are inverses, and nil where none exists", arguments: ways)
  func inverses(_ way: Way) throws {
    var numbers = SeededNumbers(seed: 62)
    var missing = 0
    for _ in 0..<(isDebug ? 60 : 3_000) {
      var modulus: [4 of UInt64] = numbers.edgyNumber()
      modulus[0] |= 1
      let value: [4 of UInt64] = numbers.edgyNumber()
      let (number, m) = (
        try some(Natural(limbs: value.span)), try some(Natural(limbs: modulus.span))
      )
      guard let ring = Modulus(m) else { continue }
      if let inverse = way.inverse(value, modulus) {
        let found = try some(Natural(limbs: inverse.span))
        #expect(found < m)
        #expect(ring.product(found, number) == Natural(1))
      } else {
        missing += 1
        #expect(greatestCommonDivisor(number, m) != Natural(1))
      }
    }
    #expect(missing > 0)
  }

  #if GMP
    @Test("Swift and GMP find the same, for all sizes")
    func agreement() {
      var numbers = SeededNumbers(seed: 1_024)
      for round in 0..<(isDebug ? 60 : 5_000) {
        let count = 4 * Int.random(in: 1...(round % 50 == 0 ? 129 : 9), using: &numbers)
        let (left, right) = (numbers.edgyLimbs(count), numbers.edgyLimbs(count))
        let products = Self.ways.map { way in
          var (product, square) = (
            [UInt64](repeating: 7, count: 2 * count), [UInt64](repeating: 7, count: 2 * count)
          )
          var span = product.mutableSpan
          expect(way.multiply(left.span, right.span, &span))
          span = square.mutableSpan
          expect(way.square(left.span, &span))
          return [product, square]
        }
        #expect(products[0] == products[1])
        var modulus = numbers.edgyLimbs(Int.random(in: 1...count, using: &numbers))
        modulus[0] |= 1 &<< (numbers.next() % 64)
        let dividend = products[0][0].prefix(SwiftLimbs.maximumCount)
        let remainders = Self.ways.map { way in
          var work = dividend + [UInt64](repeating: 7, count: dividend.count)
          var span = work.mutableSpan
          guard way.reduce(&span, dividend.count, modulus.span) else { return [UInt64]() }
          return [UInt64](work[..<dividend.count])
        }
        #expect(!remainders[0].isEmpty)
        #expect(remainders[0] == remainders[1])
      }
      for round in 0..<(isDebug ? 20 : 2_000) {
        inversesAgree(&numbers, [1 of UInt64].self, round)
        inversesAgree(&numbers, [2 of UInt64].self, round)
        inversesAgree(&numbers, [6 of UInt64].self, round)
        inversesAgree(&numbers, [9 of UInt64].self, round)
        inversesAgree(&numbers, [16 of UInt64].self, round)
        inversesAgree(&numbers, [17 of UInt64].self, round)
      }
    }

    private func inversesAgree<let count: Int>(
      _ numbers: inout SeededNumbers, _: [count of UInt64].Type, _ round: Int
    ) {
      let value: [count of UInt64] = numbers.edgyNumber()
      var modulus: [count of UInt64] = numbers.edgyNumber()
      if round % 8 != 0 { modulus[0] |= 1 }
      let swift = SwiftLimbs.inverse(of: value, modulo: modulus)
      let gmp = GMPLimbs.inverse(of: value, modulo: modulus)
      #expect(swift.map(limbArray) == gmp.map(limbArray))
    }
  #endif
}

private func limbArray<let count: Int>(_ number: [count of UInt64]) -> [UInt64] {
  number.indices.map { number[$0] }
}

extension SeededNumbers {
  /// Limbs at whose values carries and borrows run far, and others.
  fileprivate mutating func edgyLimb() -> UInt64 {
    switch next() % 8 {
    case 0: 0
    case 1: .max
    case 2: 1
    case 3: 1 &<< 63
    default: next()
    }
  }

  fileprivate mutating func edgyLimbs(_ count: Int) -> [UInt64] {
    (0..<count).map { _ in edgyLimb() }
  }

  fileprivate mutating func edgyNumber<let count: Int>() -> [count of UInt64] {
    InlineArray { _ in edgyLimb() }
  }
}

/// The product as it is computed on paper.
private func longProduct(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
  var product = [UInt64](repeating: 0, count: left.count + right.count)
  for row in left.indices {
    var carry: UInt64 = 0
    for column in right.indices {
      let (upper, lower) = left[row].multipliedFullWidth(by: right[column])
      let (sum, overflow) = product[row + column].addingReportingOverflow(lower)
      let (total, another) = sum.addingReportingOverflow(carry)
      product[row + column] = total
      carry = upper + (overflow ? 1 : 0) + (another ? 1 : 0)
    }
    product[row + right.count] = carry
  }
  return product
}

/// Euclid's algorithm by remainders.
private func greatestCommonDivisor(_ left: Natural, _ right: Natural) -> Natural {
  var (a, b) = (left, right)
  while let rest = a.remainder(dividingBy: b) { (a, b) = (b, rest) }
  return a
}
