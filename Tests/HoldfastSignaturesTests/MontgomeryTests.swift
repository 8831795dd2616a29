import Testing

@testable import HoldfastSignatures

@Suite("Powers without division")
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

  /// Whether the power equals the one GMP finds.
  static func agrees(_ base: [UInt64], _ exponent: UInt64, _ modulus: [UInt64]) -> Bool {
    guard let number = Natural(limbs: modulus.span), let arithmetic = Montgomery(modulus: number),
      let value = Natural(limbs: base.span)?.remainder(dividingBy: number),
      let reduced = value.limbs(count: arithmetic.modulus.count),
      let expected = value.power(Natural(exponent), modulo: number)
    else { return false }
    return arithmetic.power(reduced, exponent) == expected.limbs(count: arithmetic.modulus.count)
  }

  @Test("random powers equal those that GMP finds")
  func randomPowers() {
    var random = Random(state: 65_537)
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

  @Test("powers at the edges equal those that GMP finds")
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

  /// Whether what is `residue` here, brought back by R^(exponent - 1), is the power that GMP finds.
  static func residueAgrees(
    _ base: [UInt64], _ exponent: UInt64, _ arithmetic: Montgomery
  ) -> Bool {
    let count = arithmetic.modulus.count
    let power = [UInt64](repeating: 0, count: count) + [1]
    guard let modulus = Natural(limbs: arithmetic.modulus.span),
      let value = Natural(limbs: base.span)?.remainder(dividingBy: modulus),
      let residue = value.limbs(count: count).flatMap({ arithmetic.residue($0, exponent) }),
      let expected = value.power(Natural(exponent), modulo: modulus),
      let domain = Natural(limbs: power.span)?.power(Natural(exponent - 1), modulo: modulus),
      let found = Natural(limbs: residue.span)?.multiplied(by: domain)?.remainder(
        dividingBy: modulus)
    else { return false }
    return found == expected && arithmetic.isReduced(residue.span)
  }

  /// Whether the shifted product is the one that GMP finds, and not one more or less.
  static func shiftedProductAgrees(
    _ small: [UInt64], _ first: [UInt64], _ second: [UInt64], _ arithmetic: Montgomery
  ) -> Bool {
    let count = arithmetic.modulus.count
    let power = [UInt64](repeating: 0, count: small.count) + [1]
    guard let modulus = Natural(limbs: arithmetic.modulus.span),
      let large = Natural(limbs: first.span)?.remainder(dividingBy: modulus),
      let addend = Natural(limbs: second.span)?.remainder(dividingBy: modulus),
      let shift = Natural(limbs: power.span)?.inverse(modulo: modulus),
      let sum = Natural(limbs: small.span)?.multiplied(by: large)?.adding(addend),
      let value = sum.multiplied(by: shift)?.remainder(dividingBy: modulus)?.limbs(count: count),
      let largeLimbs = large.limbs(count: count), let addendLimbs = addend.limbs(count: count)
    else { return false }
    let wrong = [value.minus(1), value | 1 == value ? value.minus(1) : value | 1]
    return ([value] + wrong).map {
      arithmetic.isShiftedProduct($0, of: small.span, largeLimbs, plus: addendLimbs)
    } == [true, false, false]
  }

  @Test("residues and shifted products equal those that GMP finds")
  func residues() throws {
    var random = Random(state: 2_048)
    var wrong: [String] = []
    for number in 0..<Self.randomCases {
      // Every second modulus fills its limbs, so that carries leave them.
      let count = number % 2 == 0 ? 4 * Int.random(in: 1...3, using: &random) : number % 12 + 1
      var modulus = (0..<count).map { _ in random.next() }
      modulus[count - 1] |= 1 << 63
      if number % 2 == 1 { modulus[count - 1] >>= UInt64(random.next() % 64) }
      if number % 16 == 0 { modulus = [UInt64](repeating: .max, count: count) }
      modulus[0] |= 1
      if modulus == [1] { modulus = [3] }
      let factors = (0..<2).map { factor in
        number % 5 == factor ? modulus.minus(1) : (0..<count).map { _ in random.next() }
      }
      let natural = try some(Natural(limbs: modulus.span))
      let arithmetic = try some(Montgomery(modulus: natural))
      var small = (0..<(count > 4 && number % 3 == 0 ? 8 : 4)).map { _ in random.next() }
      if number % 7 == 0 { small = small.map { _ in .max } }
      let exponent = Self.exponents[Int(random.next() % 7)]
      if !Self.residueAgrees(factors[0], exponent, arithmetic)
        || !Self.shiftedProductAgrees(small, factors[0], factors[1], arithmetic)
      {
        wrong.append("\(small) \(factors), \(exponent) mod \(modulus)")
      }
    }
    #expect(wrong.prefix(3) == [])
  }

  @Test("the longest modulus is taken, a longer one is not")
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

  @Test("a base of another length and an even exponent are refused")
  func refusals() throws {
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
