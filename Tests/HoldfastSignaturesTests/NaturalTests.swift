import TestSupport
import Testing

@testable import HoldfastSignatures

@Suite("Natural numbers")
struct NaturalTests {
  @Test("bytes and limbs convert both ways, and never into too small a buffer")
  func conversions() throws {
    for length in 0...40 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: 37 * $0 + 1) }
      let number = try some(Natural(bigEndian: bytes.span))
      expect(number.bitCount == max(0, 8 * length - 7))
      expect(number.bigEndianBytes(count: length) == bytes)
      expect(number.bigEndianBytes(count: length + 3) == [0, 0, 0] + bytes)
      if length > 0 { expect(number.bigEndianBytes(count: length - 1) == nil) }
      let limbs = try some(number.limbs(count: 6))
      let again = try some(Natural(limbs: limbs.span))
      expect(again == number)
      expect(number.limbs(count: (length + 7) / 8 - 1) == nil)
    }
    let padded = try some(Natural(bigEndian: [0, 0, 0, 1, 2].span))
    expect(padded == Natural(258))
    expect(padded.bigEndianBytes(count: -1) == nil)
    expect(padded.limb(at: -1) == 0)
    expect(padded.limb(at: .max) == 0)
    expect(!padded.bit(at: -1) && !padded.bit(at: .max) && padded.bit(at: 8))
  }

  @Test("numbers beyond the limit are rejected")
  func limits() throws {
    let longest = [UInt8](repeating: 0xff, count: Natural.maximumBitCount / 8)
    let number = try some(Natural(bigEndian: longest.span))
    expect(number.bitCount == Natural.maximumBitCount)
    expect(Natural(bigEndian: (longest + [1]).span) == nil)
    expect(Natural(bigEndian: ([0, 0] + longest).span) != nil)
    expect(
      Natural(limbs: [UInt64](repeating: 1, count: Natural.maximumBitCount / 64 + 1).span) == nil)
    expect(number.adding(Natural(1)) == nil)
    expect(number.multiplied(by: Natural(2)) == nil)
    expect(number.shiftedRight(by: 1).multiplied(by: Natural(1)) != nil)
    expect(number.multiplied(by: number) == nil)
    expect(number.shiftedRight(by: .max).isZero)
    expect(number.shiftedRight(by: -1) == number)
  }

  @Test("a product modulo a number is the remainder of the product, however long that number is")
  func productModulo() throws {
    var seed = SystemRandomNumberGenerator()
    for bits in [1, 64, 255, 384, 512, 1_000] {
      let numbers = try (0..<3).map { _ in
        let limbs = (0..<(bits + 63) / 64).map { _ in UInt64.random(in: 1 ... .max, using: &seed) }
        let number = Natural(limbs: limbs.span)
        return try #require(number)
      }
      for modulus in [numbers[2], Natural(1), try #require(numbers[2].multiplied(by: numbers[2]))] {
        let expected = numbers[0].multiplied(by: numbers[1])?.remainder(dividingBy: modulus)
        #expect(expected != nil)
        #expect(numbers[0].multiplied(by: numbers[1], modulo: modulus) == expected)
      }
    }
    let ones = [UInt64](repeating: .max, count: 200)
    let found = Natural(limbs: ones.span)
    let long = try #require(found)
    #expect(Natural(6).multiplied(by: Natural(7), modulo: long) == Natural(42))
    #expect(Natural(0).multiplied(by: long, modulo: Natural(7)) == Natural(0))
    let longer = [UInt64](repeating: .max, count: 300)
    let factor = Natural(limbs: longer.span)
    #expect(
      factor?.multiplied(by: Natural(2), modulo: long)
        == factor?.multiplied(by: Natural(2))?
        .remainder(dividingBy: long))
    #expect(factor?.multiplied(by: Natural(2), modulo: long) != nil)
    #expect(Natural(6).multiplied(by: Natural(7), modulo: Natural(0)) == nil)
  }

  @Test("operations without a result return nil")
  func outsideOfTheDomain() {
    let zero = Natural(0)
    let one = Natural(1)
    let two = Natural(2)
    let seven = Natural(7)
    expect(seven.remainder(dividingBy: zero) == nil)
    expect(seven.inverse(modulo: zero) == nil)
    expect(seven.inverse(modulo: one) == nil)
    expect(zero.inverse(modulo: seven) == nil)
    expect(two.inverse(modulo: Natural(8)) == nil)
    expect(seven.inverse(modulo: Natural(8)) == nil)
    expect(seven.inverse(modulo: Natural(21)) == nil)
    expect(seven.subtracting(Natural(8)) == nil)
    for modulus: UInt64 in [0, 1, 2, 8, 1 << 63] {
      expect(seven.power(two, modulo: Natural(modulus)) == nil, "\(modulus)")
      expect(Modulus(Natural(modulus)) == nil)
      expect(Montgomery(modulus: Natural(modulus)) == nil)
    }
  }

  @Test("an exponent that would take too long is rejected")
  func longExponents() throws {
    var limbs = [UInt64](repeating: .max, count: 17)
    let modulus = try some(Natural(limbs: limbs.span))
    expect(Natural(3).power(Natural(.max), modulo: modulus) != nil)
    limbs[16] = 0
    let exponent = try some(Natural(limbs: limbs.span))
    expect(Natural(3).power(exponent, modulo: modulus) == nil)
    expect(Natural(3).power(exponent, modulo: exponent) != nil)
    let long = try some(Natural(limbs: [UInt64](repeating: .max, count: 257).span))
    expect(Natural(3).power(Natural(3), modulo: long) == nil)
  }

  @Test("residues obey the field laws modulo 2^61 - 1")
  func residues() throws {
    let prime: UInt64 = (1 << 61) - 1
    let field = try some(Modulus(Natural(prime)))
    var random = SeededNumbers(seed: 61)
    for _ in 0..<200 {
      let (a, b) = (random.next() >> 2, random.next() >> 2)
      let x = Natural(a)
      let y = Natural(b)
      let product = a.multipliedFullWidth(by: b)
      expect(field.product(x, y) == Natural(prime.dividingFullWidth(product).remainder))
      expect(field.sum(x, y) == Natural((a + b) % prime))
      expect(field.difference(field.sum(x, y), y) == field.reduce(x))
      expect(field.sum(x, field.negated(x)).isZero)
      let inverse = try some(field.inverse(x))
      expect(field.product(inverse, x) == Natural(1))
      // Fermat
      let power = try some(field.power(x, Natural(prime - 2)))
      expect(power == inverse)
    }
    expect(field.inverse(Natural(0)) == nil)
    expect(field.inverse(Natural(prime)) == nil)
  }

  @Test("the inverse in fixed limbs is the inverse, and nil where it does not exist")
  func fixedInverse() throws {
    // The order of P-256, FIPS 186-5 and SP 800-186 §3.2.1.3.
    let order: [4 of UInt64] = [
      0xf3b9_cac2_fc63_2551, 0xbce6_faad_a717_9e84, 0xffff_ffff_ffff_ffff, 0xffff_ffff_0000_0000,
    ]
    let modulus = try some(Natural(limbs: order.span))
    let ring = try some(Modulus(modulus))
    var random = SeededNumbers(seed: 256)
    for round in 0..<300 {
      var value: [4 of UInt64] = [0, 0, 0, 0]
      for index in 0..<(round % 4) + 1 { value[index] = random.next() }
      if round < 20 { value = [UInt64(round), 0, 0, 0] }
      if round == 20 { value = [.max, .max, .max, .max] }
      let number = try some(Natural(limbs: value.span))
      guard let inverse = LimbArithmetic.inverse(of: value, modulo: order) else {
        expect(number.isZero)
        continue
      }
      let found = try some(Natural(limbs: inverse.span))
      expect(found < modulus)
      expect(ring.product(found, number) == Natural(1))
    }
    expect(LimbArithmetic.inverse(of: order, modulo: order) == nil)
    expect(LimbArithmetic.inverse(of: [3, 0], modulo: [9, 1]) != nil)
    expect(LimbArithmetic.inverse(of: [3, 0], modulo: [9, 0]) == nil)
    expect(LimbArithmetic.inverse(of: [3, 0], modulo: [8, 1]) == nil)
    expect(LimbArithmetic.inverse(of: [3], modulo: [9]) == nil)
    expect(LimbArithmetic.inverse(of: [3], modulo: [1]) == nil)
    expect(LimbArithmetic.inverse(of: [3, 0], modulo: [1, 0]) == nil)
    expect(LimbArithmetic.inverse(of: [3, 0], modulo: [0, 0]) == nil)
  }
}

/// Like `#require`, for calls with spans, which macros cannot take apart.
func some<Value>(
  _ value: Value?, sourceLocation: SourceLocation = #_sourceLocation
) throws -> Value {
  guard let value else {
    Issue.record("a value is missing", sourceLocation: sourceLocation)
    throw MissingValue()
  }
  return value
}

private struct MissingValue: Error {}

/// Like `#expect`, for calls with spans.
func expect(
  _ condition: Bool, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(condition, comment, sourceLocation: sourceLocation)
}

extension Natural {
  /// Creates two to the power of `exponent`.
  init?(powerOfTwo exponent: Int) {
    var limbs = [UInt64](repeating: 0, count: exponent / 64 + 1)
    limbs[exponent / 64] = 1 &<< UInt64(exponent % 64)
    self.init(limbs: limbs.span)
  }
}
