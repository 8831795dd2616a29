import HoldfastHashes
import TestSupport
import Testing

@testable import HoldfastSignatures

/// The products of doubles with their instructions emulated beside Natural, from limbs that random
/// numbers never have: those at each bound that the headers state, of either sign.
@Suite("Emulated products of doubles beside Natural")
struct HeavyEmulatedDoublesTests {
  /// The number with signed limbs of `bits` bits modulo p.
  private static func number(
    _ limbs: [Double], bits: Int, modulo p: Natural
  ) throws -> Natural {
    // Horner's scheme, with a multiple of p for each negative limb.
    var value = Natural(0)
    for limb in limbs.reversed() {
      let size = Natural(UInt64(limb.magnitude))
      let residue = try some(size.remainder(dividingBy: p))
      let radix = try some(Natural(powerOfTwo: bits))
      let shifted = try some(value.multiplied(by: radix))
      let sum =
        limb < 0
        ? try some(shifted.adding(try some(p.subtracting(residue))))
        : try some(shifted.adding(residue))
      value = try some(sum.remainder(dividingBy: p))
    }
    return value
  }

  private static func number(
    _ words: [Double], lane: Int, bits: Int, modulo p: Natural
  ) throws -> Natural {
    try number(stride(from: lane, to: words.count, by: 4).map { words[$0] }, bits: bits, modulo: p)
  }

  /// Whether each lane of `found` is the product of the lanes of the factors modulo p.
  private static func isProduct(
    _ found: [Double], _ left: [Double], _ right: [Double], bits: Int, _ p: Natural
  ) throws -> Bool {
    for lane in 0..<4 {
      let x = try number(left, lane: lane, bits: bits, modulo: p)
      let y = try number(right, lane: lane, bits: bits, modulo: p)
      let product = try some(x.multiplied(by: y))
      let z = try number(found, lane: lane, bits: bits, modulo: p)
      if !(try some(product.remainder(dividingBy: p)) == z) { return false }
    }
    return true
  }

  /// Limbs of either sign that are one of some edges, or below the last; the first rounds have
  /// equal ones.
  private static func words(
    _ count: Int, _ round: Int, _ edges: [Double], _ numbers: inout SeededNumbers
  ) -> [Double] {
    let most = edges[edges.count - 1]
    return (0..<count).map { index in
      let sign: Double = numbers.next() % 2 == 0 ? 1 : -1
      if round < 2 * edges.count { return (round % 2 == 0 ? 1 : -1) * edges[round / 2] }
      if round % 5 == 0 { return sign * (index / 4 == round / 5 % (count / 4) ? most : 0) }
      let pick = numbers.next(below: edges.count + 1)
      return sign * (pick < edges.count ? edges[pick] : Double(numbers.next() % UInt64(most)))
    }
  }

  private static func power(_ exponent: Int) -> Double {
    Double(sign: .plus, exponent: exponent, significand: 1)
  }

  @Test("products on edwards25519 of the greatest limbs are right, and carried")
  func edwardsProducts() throws {
    let carried = Self.power(50) + Self.power(13)
    let edges = [
      0, 1, 18, 19, Self.power(49), Self.power(50) - 1, Self.power(50), carried - 1, carried,
    ]
    let others = edges + [Self.power(51) - 1, Self.power(51), Self.power(51) + Self.power(15)]
    var numbers = SeededNumbers(seed: 5_150)
    let p = try some(Natural(limbs: Field25519.modulus.span))
    var wrong = 0
    for round in 0..<max(400, OracleCases.edges) {
      let left = Self.words(20, round, edges, &numbers)
      let right = Self.words(20, round, others, &numbers)
      let product = EmulatedVector.edwardsProduct(left, right)
      let square = EmulatedVector.edwardsSquare(left)
      let isRight =
        try Self.isProduct(product, left, right, bits: 51, p)
        && Self.isProduct(square, left, left, bits: 51, p)
      if !isRight || (product + square).contains(where: { $0.magnitude > carried }) { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test("products on P-384 of the greatest limbs are right, and at most one unit")
  func p384Products() throws {
    try curveProducts(8, FieldP384.modulus) { EmulatedVector.p384Product($0, $1) }
  }

  @Test("products on P-521 of the greatest limbs are right, and at most one unit")
  func p521Products() throws {
    try curveProducts(11, FieldP521.modulus) { EmulatedVector.p521Product($0, $1) }
  }

  private func curveProducts(
    _ count: Int, _ modulus: [UInt64], _ product: ([Double], [Double]) -> [Double]
  ) throws {
    let unit = Self.power(47) + Self.power(31)
    let edges = [
      0, 1, Self.power(15), Self.power(16), Self.power(32), Self.power(47), unit - 1, unit,
    ]
    var numbers = SeededNumbers(seed: 3_840)
    let p = try some(Natural(limbs: modulus.span))
    var wrong = 0
    for round in 0..<max(400, OracleCases.edges) {
      let (u, v) = ([(1, 6), (2, 3), (5, 6), (5, 1)] as [(Double, Double)])[round / 30 % 4]
      let left = Self.words(4 * count, round, edges, &numbers).map { $0 * u }
      let right = Self.words(4 * count, round / 3, edges, &numbers).map { $0 * v }
      let product = product(left, right)
      let isRight = try Self.isProduct(product, left, right, bits: 48, p)
      if !isRight || product.contains(where: { $0.magnitude > unit }) { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test("products of limbs for RSA are right, and their limbs within 2^10 of their range")
  func montgomeryProducts() throws {
    var numbers = SeededNumbers(seed: 5_050)
    let most = Self.power(50) + Self.power(10)
    let edges = [0, 1, Self.power(49), Self.power(50) - 1, Self.power(50), most - 1, most]
    var (wrong, count) = (0, 0)
    for bits in [1_537, 2_048, 2_098, 2_099, 3_098, 3_099, 4_098] {
      var moduli = HeavyVectorMontgomeryTests.edgeModuli(bits: bits)
      if isDebug { moduli = Array(moduli.prefix(3)) }
      for modulus in moduli {
        let number = try some(Natural(limbs: modulus.span))
        let vector = try some(
          VectorMontgomery<Doubles>(modulus: modulus, bitCount: number.bitCount))
        let radix = try some(Natural(powerOfTwo: 50 * vector.count))
        for round in 0..<6 {
          // The highest limbs stay below those of twice the multiple of the modulus.
          let limbs = (0..<2).map { _ in
            (0..<vector.count).map { index -> Double in
              if 50 * index >= bits + 50 { return 0 }
              let limb = edges[numbers.next(below: edges.count)]
              return round % 3 == 0 ? most : round % 3 == 1 && index > 0 ? -Self.power(10) : limb
            }
          }
          // A negative number would need the multiple of the modulus that makes it positive.
          guard limbs.allSatisfy({ $0.last(where: { $0 != 0 }) ?? 0 >= 0 }) else { continue }
          var work = limbs[0] + limbs[1] + limbs[0]
          EmulatedVector.doublesMultiply(&work, by: round % 2, vector.constants)
          let right = round % 2 == 0 ? limbs[0] : limbs[1]
          let product = Array(work.prefix(vector.count))
          let x = try Self.number(limbs[0], bits: 50, modulo: number)
          let y = try Self.number(right, bits: 50, modulo: number)
          let found = try Self.number(product, bits: 50, modulo: number)
          let shifted = try some(
            try some(found.multiplied(by: radix)).remainder(dividingBy: number))
          let expected = try some(try some(x.multiplied(by: y)).remainder(dividingBy: number))
          let isInRange = product.allSatisfy { $0 >= -Self.power(10) && $0 <= most }
          if !(shifted == expected) || !isInRange { wrong += 1 }
          count += 1
        }
      }
    }
    #expect(wrong == 0)
    #expect(count > 50)
  }
}
