import TestSupport
import Testing

@testable import HoldfastSignatures

/// The products in vectors beside the portable ones, which are the oracle.
@Suite("RSA powers with and without vectors")
struct HeavyVectorMontgomeryTests {
  /// Lengths at both ends of what each number of limbs takes, and those of real keys.
  static let lengths = [
    1_537, 1_538, 2_047, 2_048, 2_048, 2_048, 2_070, 2_071, 2_077, 2_078, 2_079, 2_080, 2_098,
    2_099, 3_071, 3_072, 3_072, 3_078, 3_079, 3_098, 3_099, 3_117, 3_118, 3_119, 3_120, 4_095,
    4_096, 4_096, 4_098, 4_157, 4_158,
  ]
  static let exponents: [UInt64] = [3, 5, 7, 17, 257, 65_537, 65_537, 65_539, (1 << 33) - 1]

  /// The lengths that a kind takes.
  static func lengths(_ kind: any MontgomeryVectorKind.Type) -> [Int] {
    lengths.filter { kind.size(bitCount: $0) != nil }
  }

  /// Both ways to raise to a power modulo one number.
  struct Pair<Kind: EmulatedMontgomeryKind> {
    let portable: Montgomery
    let vector: VectorMontgomery<Kind>

    init?(_ modulus: [UInt64]) {
      guard let number = Natural(limbs: modulus.span),
        let portable = Montgomery(modulus: number, products: nil),
        let vector = VectorMontgomery<Kind>(modulus: portable.modulus, bitCount: number.bitCount)
      else { return nil }
      (self.portable, self.vector) = (portable, vector)
    }

    /// Whether both find the same, for a base that is brought below the modulus.
    func agrees(_ base: [UInt64], _ exponent: UInt64, _ way: VectorWay) -> Bool {
      guard let modulus = Natural(limbs: portable.modulus.span),
        let reduced = Natural(limbs: base.span)?.remainder(dividingBy: modulus)?.limbs(
          count: portable.modulus.count)
      else { return false }
      return way.power(vector, reduced, exponent) == portable.power(reduced, exponent)
    }
  }

  /// A number of exactly `bits` bits.
  static func number(bits: Int, _ limb: (Int) -> UInt64) -> [UInt64] {
    var limbs = (0..<(bits + 63) / 64).map(limb)
    let top = UInt64((bits - 1) % 64)
    limbs[limbs.count - 1] &= .max &>> (63 - top)
    limbs[limbs.count - 1] |= 1 &<< top
    return limbs
  }

  @Test("both implementations agree on random powers", arguments: VectorWay.montgomery)
  func random(_ way: VectorWay) throws {
    let kind = try #require(way.kind as? any EmulatedMontgomeryKind.Type)
    try random(kind, way)
  }

  private func random<Kind: EmulatedMontgomeryKind>(_ kind: Kind.Type, _ way: VectorWay) throws {
    let lengths = Self.lengths(kind)
    _ = (EmulatedVector.wideFactors(), EmulatedVector.wraps())
    var numbers = SeededNumbers(seed: 52)
    var wrong: [String] = []
    var count = 0
    while count < OracleCases.random {
      let bits = lengths[Int(numbers.next() % UInt64(lengths.count))]
      var modulus = Self.number(bits: bits) { _ in numbers.next() }
      modulus[0] |= 1
      let pair = try #require(Pair<Kind>(modulus))
      for _ in 0..<4 {
        let base = numbers.limbs(modulus.count)
        let exponent = Self.exponents[Int(numbers.next() % UInt64(Self.exponents.count))]
        if !pair.agrees(base, exponent, way) { wrong.append("\(base)^\(exponent) mod \(modulus)") }
        count += 1
      }
    }
    #expect(wrong.prefix(3) == [])
    #expect(EmulatedVector.wraps() == 0)
  }

  /// Odd numbers of `bits` bits whose limbs, of 64 bits or of 52, are all ones or all zeros but for
  /// a few, so that sums carry through many of them.
  static func edgeModuli(bits: Int) -> [[UInt64]] {
    var moduli: [[UInt64]] = []
    for background in [0, .max] as [UInt64] {
      moduli.append(number(bits: bits) { _ in background })
      for offset in [1, 51, 52, 53, 64, 103, 104, 416, 832, bits / 2, bits - 53, bits - 2] {
        moduli.append(
          number(bits: bits) {
            $0 == offset / 64 ? background ^ 1 &<< UInt64(offset % 64) : background
          })
        // Everything from this bit on is the other way round.
        moduli.append(
          number(bits: bits) { limb in
            let upper: UInt64 =
              limb < offset / 64 ? 0 : limb > offset / 64 ? .max : .max &<< UInt64(offset % 64)
            return background ^ upper
          })
      }
      // The lowest limb decides about the multiples.
      for low in [1, 3, (1 << 52) - 1, (1 << 52) + 1, .max - 2] as [UInt64] {
        moduli.append(number(bits: bits) { $0 == 0 ? low : background })
      }
    }
    return moduli.map { [$0[0] | 1] + $0.dropFirst() }
  }

  /// Numbers near zero, near the modulus and near powers of two.
  static func edgeBases(_ modulus: [UInt64]) -> [[UInt64]] {
    let zero = [UInt64](repeating: 0, count: modulus.count)
    let small = (1...4).map { [$0] + zero.dropFirst() }
    var bases = [zero] + small + small.map { difference(modulus, $0) }
    for bit in stride(from: 52, to: 64 * modulus.count - 64, by: 52) {
      var power = zero
      power[bit / 64] = 1 &<< UInt64(bit % 64)
      bases += [power, difference(power, small[0]), difference(modulus, power)]
    }
    return bases
  }

  @Test("both implementations agree on edge cases", arguments: VectorWay.montgomery)
  func edges(_ way: VectorWay) throws {
    let kind = try #require(way.kind as? any EmulatedMontgomeryKind.Type)
    try edges(kind, way)
  }

  private func edges<Kind: EmulatedMontgomeryKind>(_ kind: Kind.Type, _ way: VectorWay) throws {
    let lengths = Self.lengths(kind)
    _ = (EmulatedVector.wideFactors(), EmulatedVector.wraps())
    var wrong: [String] = []
    var count = 0
    // A round takes every length, and an eighth of its moduli; later ones take other bases, too.
    for round in 0..<480 where count < OracleCases.edges {
      for bits in lengths where count < OracleCases.edges {
        let moduli = Self.edgeModuli(bits: bits)
        for index in stride(from: round % 8, to: moduli.count, by: 8)
        where count < OracleCases.edges {
          let modulus = moduli[index]
          let pair = try #require(Pair<Kind>(modulus), "\(bits) bits")
          let bases = Self.edgeBases(modulus)
          for step in 0..<8 {
            let base = bases[(count * 5 + step * 17 + round) % bases.count]
            let exponent = Self.exponents[(count + step) % Self.exponents.count]
            if !pair.agrees(base, exponent, way) {
              wrong.append("\(base)^\(exponent) mod \(modulus)")
            }
          }
          count += 8
        }
      }
    }
    #expect(count >= OracleCases.edges)
    #expect(wrong.prefix(3) == [])
    #expect(EmulatedVector.wraps() == 0)
  }

  @Test("a modulus of another length is left to the portable implementation")
  func others() {
    let kinds: [any MontgomeryVectorKind.Type] = [IFMA.self, Doubles.self, NEONLimbs.self]
    for kind in kinds {
      for bits in [2, 64, 1_024, 1_536, 4_159, 8_192, 16_384] {
        #expect(kind.size(bitCount: bits) == nil)
      }
    }
    // Lengths that are taken are taken without gaps.
    #expect((1_537...4_158).allSatisfy { IFMA.size(bitCount: $0) != nil })
    #expect((1_537...4_098).allSatisfy { Doubles.size(bitCount: $0) != nil })
    #expect(Doubles.size(bitCount: 4_099) == nil)
  }
}
