import TestSupport
import Testing

@testable import HoldfastSignatures

/// The steps that compute four products at once beside the portable ones, which are the oracle.
@Suite("Points of edwards25519 with and without vectors")
struct HeavyVectorEdwardsTests {
  /// Four numbers as both kinds of points. They need not be on the curve: both compute the same
  /// polynomials.
  struct Pair<Kind: EmulatedEdwardsKind> {
    var portable: EdwardsPoint
    var vector = VectorEdwardsPoint<Kind>.neutral

    init(_ numbers: [Field25519]) {
      portable = EdwardsPoint(x: numbers[0], y: numbers[1], z: numbers[2], t: numbers[3])
      for (place, number) in numbers.enumerated() {
        let (w0, w1, w2, w3) = number.canonical
        let limbs = [w0, w0 >> 51 | w1 << 13, w1 >> 38 | w2 << 26, w2 >> 25 | w3 << 39, w3 >> 12]
        for (limb, word) in limbs.enumerated() {
          vector.words[4 * limb + place] = Kind.word(word & (1 << 51 - 1))
        }
      }
    }

    /// Takes the same step with both; says whether they agree.
    mutating func agrees(_ step: Int, _ addend: EdwardsAddend, _ way: VectorWay) -> Bool {
      switch step {
      case 0:
        portable.double()
        way.double(&vector)
      case 1:
        portable.add(addend)
        way.add(addend, to: &vector, subtracts: false)
      default:
        portable.subtract(addend)
        way.add(addend, to: &vector, subtracts: true)
      }
      let found = vector.point
      return found.x == portable.x && found.y == portable.y && found.z == portable.z
        && found.t == portable.t
    }
  }

  static func field(_ limbs: [UInt64]) -> Field25519 {
    Field25519(limbs[0], limbs[1], limbs[2], limbs[3])
  }

  @Test("both take the same steps from random numbers", arguments: VectorWay.edwards)
  func random(_ way: VectorWay) throws {
    let kind = try #require(way.kind as? any EmulatedEdwardsKind.Type)
    random(kind, way)
  }

  private func random<Kind: EmulatedEdwardsKind>(_: Kind.Type, _ way: VectorWay) {
    _ = (EmulatedVector.wideFactors(), EmulatedVector.wraps())
    var numbers = SeededNumbers(seed: 25_519)
    func number() -> Field25519 { Self.field(numbers.limbs(4)) }
    var wrong = 0
    var count = 0
    while count < OracleCases.random {
      var pair = Pair<Kind>([number(), number(), number(), number()])
      // The results of one step are the numbers of the next.
      for _ in 0..<16 {
        let addend = EdwardsAddend(sum: number(), difference: number(), twiceDXY: number())
        if !pair.agrees(Int(numbers.next() % 3), addend, way) { wrong += 1 }
        count += 1
      }
    }
    #expect(wrong == 0)
    #expect(EmulatedVector.wideFactors() + EmulatedVector.wraps() == 0)
  }

  @Test(
    "both take the same steps from numbers at which carries begin or end",
    arguments: VectorWay.edwards)
  func edges(_ way: VectorWay) throws {
    let kind = try #require(way.kind as? any EmulatedEdwardsKind.Type)
    edges(kind, way)
  }

  private func edges<Kind: EmulatedEdwardsKind>(_: Kind.Type, _ way: VectorWay) {
    _ = (EmulatedVector.wideFactors(), EmulatedVector.wraps())
    var edges: [Field25519] = []
    for background in [0, .max] as [UInt64] {
      edges.append(Self.field([background, background, background, background]))
      for bit in [0, 4, 50, 51, 52, 63, 64, 101, 102, 103, 152, 153, 154, 203, 204, 205, 254, 255] {
        var limbs = [background, background, background, background]
        limbs[bit / 64] ^= 1 << UInt64(bit % 64)
        edges.append(Self.field(limbs))
      }
    }
    // p and its neighbors.
    for low in [0xffff_ffff_ffff_ffec, 0xffff_ffff_ffff_ffed, 0xffff_ffff_ffff_ffee] as [UInt64] {
      edges.append(Self.field([low, .max, .max, .max >> 1]))
    }
    var wrong = 0
    var count = 0
    while count < OracleCases.edges {
      func edge(_ factor: Int) -> Field25519 {
        edges[(count * factor + count / edges.count) % edges.count]
      }
      var pair = Pair<Kind>([edge(1), edge(3), edge(5), edge(7)])
      for step in [2, 0, 1, 0] {
        let addend = EdwardsAddend(sum: edge(11), difference: edge(13), twiceDXY: edge(17))
        if !pair.agrees(step, addend, way) { wrong += 1 }
        count += 1
      }
    }
    #expect(wrong == 0)
    #expect(EmulatedVector.wideFactors() + EmulatedVector.wraps() == 0)
  }

  @Test(
    "both find the same combination of a key and the generator",
    .enabled(
      if: !VectorProducts.supported.isEmpty,
      "ABSENT: AVX-512 IFMA, FMA and NEON, whose combinations"),
    arguments: VectorProducts.supported)
  func combinations(_ products: VectorProducts) throws {
    var numbers = SeededNumbers(seed: 51)
    let order: [UInt64] = [0x5812_631a_5cf5_d3ed, 0x14de_f9de_a2f7_9cd6, 0, 1 << 60]
    // A key that is some point: RFC 8032 §7.1, the first test.
    let bytes = try parseHex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
    let plain = try Ed25519Key(bytes.span)
    var wrong = 0
    for key in [plain, plain.prepared(for: .reuse), plain.prepared(for: .anchor)] {
      for _ in 0..<max(10, OracleCases.random / 100) {
        let s = limbs(randomNumber(below: order, &numbers))
        let k = limbs(randomNumber(below: order, &numbers))
        let found = key.combination(s, k, products: products)
        let expected = key.combination(s, k, products: nil)
        if (0..<32).contains(where: { found.encoded[$0] != expected.encoded[$0] }) { wrong += 1 }
        let bytes = (0..<32).map { expected.encoded[$0] }
        if !key.isEncoded(bytes.span, s, k, products: products) { wrong += 1 }
      }
    }
    #expect(wrong == 0)
  }
}
