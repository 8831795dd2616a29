import TestSupport
import Testing

@testable import HoldfastSignatures

@Suite("Montgomery exponentiation")
struct MontgomeryTests {
  /// A debug build takes a thousand times as long.
  static var randomCases: Int {
    #if DEBUG
      60
    #else
      100_000
    #endif
  }

  static let exponents: [UInt64] = [3, 5, 17, 257, 65_537, 65_539, (1 << 33) - 1]

  /// A power by squares, products and divisions, which no Montgomery product is part of.
  static func plainPower(_ base: Natural, _ exponent: UInt64, modulo modulus: Natural) -> Natural? {
    var result: Natural? = Natural(1)
    for bit in (0..<64 - exponent.leadingZeroBitCount).reversed() {
      result = result?.multiplied(by: result ?? base)?.remainder(dividingBy: modulus)
      if exponent >> UInt64(bit) & 1 == 1 {
        result = result?.multiplied(by: base)?.remainder(dividingBy: modulus)
      }
    }
    return result
  }

  /// Whether the power equals the plain one, as does that of Natural.
  static func agrees(_ base: [UInt64], _ exponent: UInt64, _ modulus: [UInt64]) -> Bool {
    guard let number = Natural(limbs: modulus.span),
      let arithmetic = Montgomery(modulus: number, products: nil),
      let value = Natural(limbs: base.span)?.remainder(dividingBy: number),
      let reduced = value.limbs(count: arithmetic.modulus.count),
      let expected = plainPower(value, exponent, modulo: number)
    else { return false }
    return value.power(Natural(exponent), modulo: number) == expected
      && arithmetic.power(reduced, exponent) == expected.limbs(count: arithmetic.modulus.count)
  }

  @Test("random powers equal those of squares, products and divisions")
  func randomPowers() {
    var random = SeededNumbers(seed: 65_537)
    var wrong: [String] = []
    for number in 0..<Self.randomCases {
      // Short moduli test the carries as well as long ones, so most are short.
      let count =
        number % 1_000 == 0 ? 64 : number % 100 == 0 ? 32 : Int.random(in: 1...9, using: &random)
      var modulus = (0..<count).map { _ in random.next() }
      modulus[count - 1] >>= UInt64(random.next() % 64)
      modulus[0] |= 1
      if modulus == [1] { modulus = [3] }
      let base = (0..<count).map { _ in random.next() }
      let exponent = Self.exponents[Int(random.next() % 7)]
      if !Self.agrees(base, exponent, modulus) {
        wrong.append("\(base)^\(exponent) mod \(modulus)")
      }
    }
    #expect(wrong.prefix(3) == [])
  }

  @Test("powers of edge cases equal Natural's")
  func edges() {
    var moduli: [[UInt64]] = []
    for count in [1, 2, 3, 4, 5, 8, 12, 16, 17] {
      let ones = [UInt64](repeating: .max, count: count)
      var sparse = [UInt64](repeating: 0, count: count)
      sparse[count - 1] = 1 << 63
      sparse[0] |= 1
      var low = ones
      low[0] = 1
      var high = ones
      high[count - 1] = 1
      moduli += [ones, sparse, low, high | 1]
    }
    #if DEBUG
      moduli = [moduli[1], moduli[13], moduli[20]]
    #endif
    var (wrong, count): ([String], Int) = ([], 0)
    for modulus in moduli where modulus != [1] {
      var bases: [[UInt64]] = [[0], [1], [2]]
      for step in 0..<3 { bases.append(modulus.minus(UInt64(step))) }
      for bit in 0..<min(64 * modulus.count, 140) {
        var power = [UInt64](repeating: 0, count: modulus.count)
        power[bit / 64] = 1 << UInt64(bit % 64)
        bases += [power, power.minus(1), power | 1]
      }
      for base in bases {
        count += 1
        let exponent = Self.exponents[count % 7]
        if !Self.agrees(base, exponent, modulus) {
          wrong.append("\(base)^\(exponent) mod \(modulus)")
        }
      }
    }
    #expect(wrong.prefix(3) == [])
    #if !DEBUG
      #expect(count >= 10_000)
    #endif
  }

  @Test("the longest modulus is accepted, a longer one is rejected")
  func longest() throws {
    var limbs = [UInt64](repeating: .max, count: 256)
    #if !DEBUG
      #expect(Self.agrees(limbs.minus(1), 65_537, limbs))
    #endif
    #expect(Self.agrees(limbs.minus(5), 3, limbs))
    limbs.append(1)
    let longer = try some(Natural(limbs: limbs.span))
    expect(Montgomery(modulus: longer) == nil)
  }

  @Test("a base of another length and an even exponent are rejected")
  func rejections() throws {
    let arithmetic = try some(Montgomery(modulus: Natural(15)))
    #expect(arithmetic.power([2], 3) == nil)
    #expect(arithmetic.power([2, 0, 0, 0], 4) == nil)
    #expect(arithmetic.power([2, 0, 0, 0], 1) == nil)
    #expect(arithmetic.power([2, 0, 0, 0], 0) == nil)
    #expect(arithmetic.power([2, 0, 0, 0], 3) == [8, 0, 0, 0])
  }
}

extension [UInt64] {
  /// The number less a small one that does not exceed its lowest limb, or wrapped there.
  fileprivate func minus(_ small: UInt64) -> [UInt64] {
    var result = self
    result[0] &-= small
    return result
  }

  fileprivate static func | (left: [UInt64], right: UInt64) -> [UInt64] {
    var result = left
    result[0] |= right
    return result
  }
}
