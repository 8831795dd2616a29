import HoldfastHashes
import TestSupport
import Testing

@testable import HoldfastSignatures

/// The products of NEON's 32-bit multiplications with its instructions emulated beside Natural, from
/// limbs that random numbers never have: those at each bound that the header states, of either sign.
@Suite("Emulated products of 32-bit multiplications beside Natural")
struct HeavyEmulatedNEONTests {
  /// The number in a lane modulo p.
  private static func number(_ words: [UInt64], lane: Int, modulo p: Natural) throws -> Natural {
    // Horner's scheme, with a multiple of p for each negative limb.
    var value = Natural(0)
    for index in (0..<5).reversed() {
      for (half, bits) in [(1, 25), (0, 26)] {
        let limb = Int32(truncatingIfNeeded: words[4 * index + lane] >> UInt64(32 * half))
        // The bits of the limb below the one before.
        let radix = try some(Natural(powerOfTwo: bits))
        let residue = try some(Natural(UInt64(limb.magnitude)).remainder(dividingBy: p))
        let shifted = try some(value.multiplied(by: radix))
        let sum =
          limb < 0 ? shifted.adding(try some(p.subtracting(residue))) : shifted.adding(residue)
        value = try some(try some(sum).remainder(dividingBy: p))
      }
    }
    return value
  }

  /// Limbs of either sign at their bounds: those of sums of so many carried numbers.
  private static func words(
    _ round: Int, sums: Int32, _ numbers: inout SeededNumbers
  ) -> [UInt64] {
    (0..<20).map { index in
      let halves = (0..<2).map { half -> UInt32 in
        let most = sums * (1 << (25 - Int32(half)) + 1 << 15)
        let edges: [Int32] = [most, most - 1, most / 2, 1, 0]
        let edge = round < 4 ? most : edges[numbers.next(below: edges.count)]
        let isNegative = round < 4 ? round % 2 == 1 : numbers.next() % 2 == 0
        return UInt32(bitPattern: isNegative ? -edge : edge)
      }
      return UInt64(halves[0]) | UInt64(halves[1]) << 32
    }
  }

  private static func isCarried(_ words: [UInt64]) -> Bool {
    words.allSatisfy { word in
      let (lower, upper) = (Int32(truncatingIfNeeded: word), Int32(truncatingIfNeeded: word >> 32))
      return lower.magnitude <= 1 << 25 + 1 << 15 && upper.magnitude <= 1 << 24 + 1 << 15
    }
  }

  @Test("products and squares of the greatest limbs are right, and carried, and no sum wraps")
  func products() throws {
    var numbers = SeededNumbers(seed: 32)
    let p = try some(Natural(limbs: Field25519.modulus.span))
    _ = EmulatedVector.wraps()
    var wrong = 0
    for round in 0..<max(100, OracleCases.edges / 10) {
      let left = Self.words(round, sums: 4, &numbers)
      let right = Self.words(round / 2, sums: 3, &numbers)
      let own = Self.words(round, sums: 2, &numbers)
      let product = EmulatedVector.neonEdwardsProduct(left, right)
      let square = EmulatedVector.neonEdwardsSquare(own)
      if !Self.isCarried(product) || !Self.isCarried(square) { wrong += 1 }
      for (found, x, y) in [(product, left, right), (square, own, own)] {
        for lane in 0..<4 {
          let factors = try [x, y].map { try Self.number($0, lane: lane, modulo: p) }
          let expected = try some(factors[0].multiplied(by: factors[1])).remainder(dividingBy: p)
          if try Self.number(found, lane: lane, modulo: p) != expected { wrong += 1 }
        }
      }
    }
    #expect(wrong == 0)
    #expect(EmulatedVector.wraps() == 0)
  }
}
