import TestSupport
import Testing

@testable import HoldfastSignatures

/// L of RFC 8032 §5.1.
private let order: [UInt64] = [0x5812_631a_5cf5_d3ed, 0x14de_f9de_a2f7_9cd6, 0, 1 &<< 60]

/// The number of some limbs; if it were none, what is compared with it would differ.
private func natural(_ limbs: [UInt64]) -> Natural { Natural(limbs: limbs.span) ?? Natural(0) }

private func array(_ bytes: InlineArray<32, UInt8>) -> [UInt8] { (0..<32).map { bytes[$0] } }

/// Scalars at which carries or halves begin or end, and random ones.
private func scalars(random count: Int) -> [[UInt64]] {
  var numbers = SeededNumbers(seed: 25519)
  return edgeNumbers(order) + (0..<count).map { _ in randomNumber(below: order, &numbers) }
}

/// Keys a * B + i * T and what signatures with them must be, T being a point of order 8.
private struct TorsionCase {
  let curve: PlainEdwards
  let secret: Natural
  /// The multiples of T.
  let small: [PlainEdwards.Point]
  let keys: [Ed25519Key]

  init() throws {
    curve = try #require(PlainEdwards.ed25519())
    var numbers = SeededNumbers(seed: 8)
    secret = natural(randomNumber(below: order, &numbers))
    let torsion = try Self.point(
      parseHex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"))
    let point = curve.multiple(secret, of: curve.generator)
    var (small, keys): ([PlainEdwards.Point], [Ed25519Key]) = ([], [])
    for index in 0..<8 as Range<UInt64> {
      small.append(curve.multiple(Natural(index), of: torsion))
      keys.append(try Ed25519Key(curve.encoded(curve.add(point, small[Int(index)])).span))
    }
    (self.small, self.keys) = (small, keys)
  }

  static func point(_ bytes: [UInt8]) throws -> PlainEdwards.Point {
    let point = try EdwardsPoint(bytes.span)
    return PlainEdwards.Point(
      x: natural(point.x.canonicalLimbs), y: natural(point.y.canonicalLimbs))
  }
}

/// What decides whether bytes are the encoding of a combination: without tables the shorter scalars.
private let ways: [VectorProducts?] = [nil] + VectorProducts.supported

@Suite("Ed25519 with scalars of half the length")
struct HalvedScalarTests {
  @Test("a scalar is a fraction of short numbers modulo 8 L, and the denominator is odd")
  func fraction() throws {
    let whole: [UInt64] = [
      0xc093_18d2_e7ae_9f68, 0xa6f7_cef5_17bc_e6b2, 0, 0x8000_0000_0000_0000,
    ]
    let (l, eight) = (natural(order), natural(whole))
    #expect(l.multiplied(by: Natural(8)) == eight)
    var wrong: [String] = []
    var bits = 0
    var signs: Set<Bool> = []
    let count = isDebug ? 500 : 20_000
    let all = scalars(random: count)
    for (index, scalar) in all.enumerated() {
      let half = HalvedScalar(limbs(scalar))
      let (numerator, denominator) = (half.numerator.limbs, half.denominator.limbs)
      let u = natural((0..<4).map { numerator[$0] })
      let w = natural((0..<4).map { denominator[$0] })
      let product = try #require(w.multiplied(by: natural(scalar)))
      // With a sign, the sum of both is a multiple.
      let left = half.isNegative ? product.adding(u) : product.adding(eight)?.subtracting(u)
      if left?.remainder(dividingBy: eight) != Natural(0) { wrong.append("\(scalar)") }
      if !w.isOdd || !(w < l) { wrong.append("\(scalar): the denominator \(w)") }
      if u.bitCount != half.numerator.bitCount || w.bitCount != half.denominator.bitCount {
        wrong.append("\(scalar): a length")
      }
      if index >= all.count - count { bits += max(u.bitCount, w.bitCount) }
      signs.insert(half.isNegative)
    }
    #expect(wrong.isEmpty, "\(wrong.count) wrong: \(wrong.prefix(3))")
    #expect(signs == [true, false])
    // Half of 255, and a few more; those of the edges are longer.
    #expect(bits < 129 * count, "\(bits) bits for \(count) random scalars")
  }

  @Test("no component of small order is overlooked, in the key or in R")
  func smallComponents() throws {
    let test = try TorsionCase()
    let edges = scalars(random: 20)
    let chosen = stride(from: 0, to: edges.count, by: isDebug ? 29 : 1).map { edges[$0] }
    var (wrong, accepted): ([String], Int) = ([], 0)
    for (index, k) in chosen.enumerated() {
      let s = chosen[(index * 7 + 3) % chosen.count]
      for (component, key) in test.keys.enumerated() {
        let prepared = key.prepared(for: .reuse)
        let found = prepared.combination(limbs(s), limbs(k), products: nil).encoded
        let difference = try TorsionCase.point(array(found))
        for (other, small) in test.small.enumerated() {
          let bytes = test.curve.encoded(test.curve.add(difference, small))
          for products in ways {
            let answer = key.isEncoded(bytes.span, limbs(s), limbs(k), products: products)
            let expected = prepared.isEncoded(bytes.span, limbs(s), limbs(k), products: products)
            if answer { accepted += 1 }
            if answer != (other == 0) || expected != (other == 0) {
              wrong.append("\(s) \(k) \(component) \(other)")
            }
          }
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count) wrong: \(wrong.prefix(3))")
    #expect(accepted == chosen.count * 8 * ways.count)
  }

  @Test("of all encodings of points of small order, that of s B - k A alone is taken")
  func encodings() throws {
    let test = try TorsionCase()
    let modulus = try #require(Modulus(natural(order)))
    var encodings = test.small.map { test.curve.encoded($0) }
    // y from p on, and a sign on x = 0.
    for (first, middle, last) in (0xed...0xff as ClosedRange<UInt8>).flatMap({
      [($0, 0xff as UInt8, 0x7f as UInt8), ($0, 0xff, 0xff)]
    }) + [(1, 0, 0x80), (0xec, 0xff, 0xff)] {
      encodings.append([first] + [UInt8](repeating: middle, count: 30) + [last])
    }
    #expect(Set(encodings).count == 48)
    for number in 0..<24 as Range<UInt64> {
      // s B - k (a B + T) is -k T.
      let k = difference(order, [number + 1, 0, 0, 0])
      let s = try #require(modulus.product(natural(k), test.secret).limbs(count: 4))
      let expected = test.keys[1].prepared(for: .reuse)
        .combination(limbs(s), limbs(k), products: nil).encoded
      for products in ways {
        let taken = encodings.filter {
          test.keys[1].isEncoded($0.span, limbs(s), limbs(k), products: products)
        }
        #expect(taken == [array(expected)])
      }
    }
  }

  @Test("no R with another bit is taken")
  func changedBits() throws {
    let test = try TorsionCase()
    var numbers = SeededNumbers(seed: 9)
    for _ in 0..<(isDebug ? 1 : 20) {
      let s = limbs(randomNumber(below: order, &numbers))
      let k = limbs(randomNumber(below: order, &numbers))
      let found = test.keys[3].prepared(for: .reuse).combination(s, k, products: nil).encoded
      let bytes = array(found)
      for products in ways {
        let own = test.keys[3].isEncoded(bytes.span, s, k, products: products)
        #expect(own)
        let taken = (0..<256).filter { bit in
          var changed = bytes
          changed[bit / 8] ^= 1 << UInt8(bit % 8)
          return test.keys[3].isEncoded(changed.span, s, k, products: products)
        }
        #expect(taken == [])
      }
    }
  }
}
