import HoldfastHashes
import TestSupport
import Testing

@testable import HoldfastSignatures

/// The vector code with its instructions emulated beside Natural, from limbs that random numbers never
/// have: those at each bound that the headers state, and the first beyond it.
@Suite("Emulated vectors beside Natural")
struct HeavyEmulatedVectorTests {
  private static let way = VectorWay(kind: IFMA.self, isNative: false)

  /// The number with limbs of `bits` bits, which may exceed them.
  private static func natural(_ limbs: [UInt64], bits: Int) throws -> Natural {
    var words = [UInt64](repeating: 0, count: (bits * limbs.count + 64) / 64 + 1)
    for (index, limb) in limbs.enumerated() {
      var offset = bits * index / 64
      let shift = UInt64(bits * index % 64)
      var addend = (low: limb &<< shift, high: shift == 0 ? 0 : limb &>> (64 &- shift))
      while addend != (0, 0) {
        let (sum, carry) = words[offset].addingReportingOverflow(addend.low)
        words[offset] = sum
        // The carry of a shifted limb fits.
        addend = (addend.high &+ (carry ? 1 : 0), 0)
        offset += 1
      }
    }
    return try some(Natural(limbs: words.span))
  }

  /// The limbs of 52 bits of a number.
  private static func limbs52(_ limbs: [UInt64], count: Int) throws -> [UInt64] {
    let number = try some(Natural(limbs: limbs.span))
    return (0..<count).map { index in
      let (offset, shift) = (52 * index / 64, UInt64(52 * index % 64))
      let above = shift > 12 ? number.limb(at: offset + 1) &<< (64 - shift) : 0
      return (number.limb(at: offset) &>> shift | above) & (1 << 52 - 1)
    }
  }

  private static func number(_ words: [UInt64], lane: Int, bits: Int) throws -> Natural {
    try natural(stride(from: lane, to: words.count, by: 4).map { words[$0] }, bits: bits)
  }

  private static func product(
    _ x: Natural, _ y: Natural, modulo p: Natural
  ) throws -> Natural {
    let product = try some(x.multiplied(by: y))
    return try some(product.remainder(dividingBy: p))
  }

  /// Whether each lane of `found` is the product of the lanes of the factors modulo p.
  private static func isProduct(
    _ found: [UInt64], _ left: [UInt64], _ right: [UInt64], bits: Int, _ p: Natural
  ) throws -> Bool {
    for lane in 0..<4 {
      let x = try number(left, lane: lane, bits: bits)
      let y = try number(right, lane: lane, bits: bits)
      let z = try number(found, lane: lane, bits: bits)
      let expected = try product(x, y, modulo: p)
      if !(try some(z.remainder(dividingBy: p)) == expected) { return false }
    }
    return true
  }

  /// Words that are `most`, its neighbors, zero or one, or below the bound; the first are all equal.
  private static func words(
    _ count: Int, _ round: Int, _ edges: [UInt64], _ numbers: inout SeededNumbers
  ) -> [UInt64] {
    if round < edges.count { return [UInt64](repeating: edges[round], count: count) }
    let most = edges[edges.count - 1]
    return (0..<count).map { index in
      if round % 5 == 0 { return index / 4 == round / 5 % (count / 4) ? most : 0 }
      let pick = numbers.next(below: edges.count + 1)
      return pick < edges.count ? edges[pick] : numbers.next() % (most + 1)
    }
  }

  @Test("products on edwards25519 of limbs up to 2^52 - 1 are right, and carried")
  func edwardsProducts() throws {
    let edges: [UInt64] = [
      0, 1, 1 << 51 - 20, 1 << 51 - 19, 1 << 51 - 1, 1 << 51, 1 << 51 + 1 << 15 - 1,
      1 << 51 + 1 << 15, 1 << 52 - 2, 1 << 52 - 1,
    ]
    var numbers = SeededNumbers(seed: 5_251)
    let p = try some(Natural(limbs: Field25519.modulus.span))
    _ = (EmulatedVector.wideFactors(), EmulatedVector.wraps())
    var wrong = 0
    for round in 0..<max(400, OracleCases.edges) {
      let left = Self.words(20, round, edges, &numbers)
      let right = Self.words(20, round, edges, &numbers)
      let product = EmulatedVector.edwardsProduct(left, right)
      let square = EmulatedVector.edwardsSquare(left)
      let isRight =
        try Self.isProduct(product, left, right, bits: 51, p)
        && Self.isProduct(square, left, left, bits: 51, p)
      if !isRight || (product + square).contains(where: { $0 >= 1 << 51 + 1 << 15 }) { wrong += 1 }
    }
    #expect(wrong == 0)
    #expect(EmulatedVector.wideFactors() == 0)
    #expect(EmulatedVector.wraps() == 0)
  }

  @Test("products on P-256 of limbs up to 2^52 - 1 are right, and below 2^48 + 2^15")
  func p256Products() throws {
    let edges: [UInt64] = [
      0, 1, 1 << 16 - 1, 1 << 16, 1 << 32 - 1, 1 << 32, 1 << 48 - 1 << 16, 1 << 48 - 1, 1 << 48,
      1 << 48 + 1 << 15 - 1, 1 << 51 - 1, 1 << 51, 1 << 52 - 2, 1 << 52 - 1,
    ]
    var numbers = SeededNumbers(seed: 5_246)
    let p = try some(Natural(limbs: FieldP256.modulus.span))
    // A product is divided by R = 2^288.
    let radix = try some(Natural(powerOfTwo: 288))
    _ = (EmulatedVector.wideFactors(), EmulatedVector.wraps())
    var wrong = 0
    for round in 0..<max(400, OracleCases.edges) {
      // The last limb of a factor is below 2^36.
      let (left, right) = (
        Self.words(24, round, edges, &numbers).enumerated().map { $0 < 20 ? $1 : $1 >> 16 },
        Self.words(24, round, edges, &numbers).enumerated().map { $0 < 20 ? $1 : $1 >> 16 }
      )
      let found = EmulatedVector.p256Product(left, right)
      for lane in 0..<4 {
        let expected = try Self.product(
          Self.number(left, lane: lane, bits: 48), Self.number(right, lane: lane, bits: 48),
          modulo: p)
        let shifted = try Self.product(
          Self.number(found, lane: lane, bits: 48), radix, modulo: p)
        if shifted != expected { wrong += 1 }
      }
      if found.contains(where: { $0 >= 1 << 48 + 1 << 15 }) { wrong += 1 }
      if found[20...].contains(where: { $0 >= 1 << 30 }) { wrong += 1 }
    }
    #expect(wrong == 0)
    #expect(EmulatedVector.wideFactors() == 0)
    #expect(EmulatedVector.wraps() == 0)
  }

  @Test("products on P-384 of limbs up to 2^52 - 1 are right, and below 2^48 + 2^15")
  func p384Products() throws {
    let edges: [UInt64] = [
      0, 1, 1 << 15, 1 << 16 - 1, 1 << 16, 1 << 32, 1 << 48 - 1 << 32 - 2, 1 << 48 - 1, 1 << 48,
      1 << 48 + 1 << 15 - 1, 1 << 48 + 1 << 15, 1 << 51 - 1, 1 << 51, 1 << 52 - 2, 1 << 52 - 1,
    ]
    var numbers = SeededNumbers(seed: 5_248)
    let p = try some(Natural(limbs: FieldP384.modulus.span))
    _ = (EmulatedVector.wideFactors(), EmulatedVector.wraps())
    var wrong = 0
    for round in 0..<max(400, OracleCases.edges) {
      let left = Self.words(32, round, edges, &numbers)
      let right = Self.words(32, round, edges, &numbers)
      let product = EmulatedVector.p384Product(left, right)
      let isRight = try Self.isProduct(product, left, right, bits: 48, p)
      if !isRight || product.contains(where: { $0 >= 1 << 48 + 1 << 15 }) { wrong += 1 }
    }
    #expect(wrong == 0)
    #expect(EmulatedVector.wideFactors() == 0)
    #expect(EmulatedVector.wraps() == 0)
  }

  @Test("a factor of more than 52 bits is noticed, in any limb of any lane")
  func wideFactors() {
    _ = (EmulatedVector.wideFactors(), EmulatedVector.wraps())
    var unnoticed: [Int] = []
    for index in 0..<32 {
      var words = [UInt64](repeating: 1, count: 32)
      words[index] = 1 << 52
      _ = EmulatedVector.p384Product(words, [UInt64](repeating: 1, count: 32))
      if EmulatedVector.wideFactors() == 0 { unnoticed.append(index) }
      guard index < 20 else { continue }
      _ = EmulatedVector.edwardsSquare(Array(words.prefix(20)))
      if EmulatedVector.wideFactors() == 0 { unnoticed.append(index) }
      _ = EmulatedVector.edwardsProduct(
        [UInt64](repeating: 1, count: 20), Array(words.prefix(20)))
      if EmulatedVector.wideFactors() == 0 { unnoticed.append(index) }
    }
    #expect(unnoticed == [])
  }

  @Test("steps on edwards25519 from limbs at their bounds are those of the portable point")
  func edwardsSteps() {
    let most = 1 << 51 + 1 << 15 - 1 as UInt64
    let edges: [UInt64] = [0, 1, 18, 19, 1 << 51 - 19, 1 << 51 - 1, 1 << 51, most - 1, most]
    let words256: [UInt64] = [0, 1, 18, 19, 20, 37, 38, .max >> 1, .max - 19, .max - 18, .max]
    var numbers = SeededNumbers(seed: 5_121)
    _ = (EmulatedVector.wideFactors(), EmulatedVector.wraps())
    var wrong = 0
    for round in 0..<max(400, OracleCases.edges) {
      let words = Self.words(20, round, edges, &numbers)
      var addend: [Field25519] = []
      for _ in 0..<3 {
        let limbs = (0..<4).map { _ in words256[numbers.next(below: words256.count)] }
        addend.append(Field25519(limbs[0], limbs[1], limbs[2], limbs[3]))
      }
      let point = EdwardsAddend(sum: addend[0], difference: addend[1], twiceDXY: addend[2])
      for step in 0..<3 {
        var vector = VectorEdwardsPoint<IFMA>.neutral
        for index in 0..<20 { vector.words[index] = words[index] }
        var portable = vector.point
        switch step {
        case 0:
          portable.double()
          Self.way.double(&vector)
        case 1:
          portable.add(point)
          Self.way.add(point, to: &vector, subtracts: false)
        default:
          portable.subtract(point)
          Self.way.add(point, to: &vector, subtracts: true)
        }
        let found = vector.point
        let isSame =
          found.x == portable.x && found.y == portable.y && found.z == portable.z
          && found.t == portable.t
        if !isSame || (0..<20).contains(where: { vector.words[$0] > most }) { wrong += 1 }
      }
    }
    #expect(wrong == 0)
    #expect(EmulatedVector.wideFactors() == 0)
    #expect(EmulatedVector.wraps() == 0)
  }

  @Test("products of limbs for RSA are right, below twice the modulus, and may replace a factor")
  func montgomeryProducts() throws {
    var numbers = SeededNumbers(seed: 5_252)
    _ = EmulatedVector.wraps()
    var (wrong, count) = (0, 0)
    for (bits, rows) in [
      (1_537, 40), (2_078, 40), (2_079, 60), (3_118, 60), (3_119, 80), (4_158, 80),
    ] {
      var moduli = HeavyVectorMontgomeryTests.edgeModuli(bits: bits)
      if isDebug { moduli = Array(moduli.prefix(3)) }
      for modulus in moduli {
        let number = try some(Natural(limbs: modulus.span))
        let vector = try some(
          VectorMontgomery<IFMA>(modulus: modulus, bitCount: number.bitCount))
        let radix = try some(Natural(powerOfTwo: 52 * rows))
        let two = try some(number.adding(number))
        // Zero, one, the modulus and its neighbors, the greatest factor, and a random one.
        let above = modulus.count + 1
        var numbers64: [[UInt64]] = [[0], [1], modulus]
        numbers64.append(try some(try some(number.adding(Natural(1))).limbs(count: above)))
        numbers64.append(try some(try some(number.subtracting(Natural(1))).limbs(count: above)))
        numbers64.append(try some(try some(two.subtracting(Natural(1))).limbs(count: above)))
        let random = try some(Natural(limbs: numbers.limbs(modulus.count).span))
        numbers64.append(try some(try some(random.remainder(dividingBy: two)).limbs(count: above)))
        let factors = try numbers64.map { limbs in
          try Self.limbs52(limbs, count: vector.count)
        }
        for round in 0..<8 {
          let left = factors[round % factors.count]
          let right = factors[(round * 3 + count) % factors.count]
          let product = EmulatedVector.ifmaProduct(
            left, right, vector.constants, vector.negatedInverse)
          var work = left + right + left
          EmulatedVector.ifmaMultiply(&work, by: 1, vector.constants, vector.negatedInverse)
          let found = try Self.natural(product, bits: 52)
          let x = try Self.natural(left, bits: 52)
          let y = try Self.natural(right, bits: 52)
          let shifted = try Self.product(found, radix, modulo: number)
          let plain = try Self.product(x, y, modulo: number)
          let isRight =
            shifted == plain && found < two && !product.contains { $0 >> 52 != 0 }
            && Array(work.prefix(product.count)) == product
          if !isRight { wrong += 1 }
          count += 1
        }
      }
    }
    #expect(wrong == 0)
    #expect(EmulatedVector.wraps() == 0)
  }

  @Test("the transforms of ML-DSA with emulated vectors are the portable ones")
  func transforms() {
    let q: UInt64 = 8_380_417
    var source = SeededNumbers(seed: 204)
    // Factor m is 1753 to the power of the bits of m reversed; FIPS 204 appendix B. Factor 0 is
    // −2^64 / 256, which the last step of the inverse transform needs.
    func power(_ base: UInt64, _ exponent: UInt64) -> UInt64 {
      (0..<exponent).reduce(1) { product, _ in product * base % q }
    }
    let factors = (0..<256).flatMap { index -> [UInt32] in
      let reversed = UInt64(UInt8(index).bitReversed)
      let last = (q - (UInt64.max % q + 1) % q) * (q - (q - 1) / 256) % q
      let value = index == 0 ? last : power(1_753, reversed)
      return [UInt32(value), UInt32((value << 32) / q)]
    }
    var wrong = 0
    for round in 0..<max(20, OracleCases.random / 64) {
      let isEdge = round % 4 < 2
      func numbers(below bound: UInt64) -> [UInt32] {
        source.limbs(256).map { number in
          UInt32(
            isEdge ? [0, 1, bound - 1, bound / 2, q - 1][Int(number % 5)] : number % bound)
        }
      }
      var vector = numbers(below: 2 * q)
      var portable = MLDSAPolynomial()
      for index in 0..<256 { portable.coefficients[index] = vector[index] }
      EmulatedVector.transform(&vector, factors, back: false)
      portable.transformPortably()
      for index in 0..<256 {
        if vector[index] >= 18 * 8_380_417
          || vector[index] % 8_380_417 != portable.coefficients[index] % 8_380_417
        {
          wrong += 1
        }
      }
      vector = numbers(below: q)
      for index in 0..<256 { portable.coefficients[index] = vector[index] }
      EmulatedVector.transform(&vector, factors, back: true)
      portable.transformBackPortably()
      for index in 0..<256 where vector[index] != portable.coefficients[index] { wrong += 1 }
    }
    #expect(wrong == 0)
  }
}

extension UInt8 {
  fileprivate var bitReversed: UInt8 {
    (0..<8).reduce(0) { $0 | (self >> $1 & 1) << (7 - $1) }
  }
}
