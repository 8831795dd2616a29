import TestSupport
import Testing

@testable import HoldfastSignatures

/// [s]B - [k]A in one form of a key, as bytes.
private typealias Combination = (_ s: [UInt64], _ k: [UInt64]) -> [UInt8]

/// Compares the forms of a key with the plain addition law; says for which scalars they differ.
///
/// `steps` random pairs double from step to step, so that a step of the plain law is an addition or
/// two; then come `edges` scalars at which carries begin or end, each with each.
private func disagreements(
  _ curve: PlainEdwards, order: [UInt64], steps: Int, edges: Int,
  forms makeForms: (_ key: [UInt8]) throws -> [Combination]
) throws -> (wrong: [String], steps: Int, edges: Int) {
  guard let number = Natural(limbs: order.span), let scalars = Modulus(number) else {
    return (["the order"], 0, 0)
  }
  let base = curve.generator
  var numbers = SeededNumbers(seed: 8032)
  func randomScalar() -> Natural {
    Natural(limbs: randomNumber(below: order, &numbers).span) ?? Natural(0)
  }
  let point = curve.multiple(randomScalar(), of: base)
  let opposite = curve.opposite(point)
  let forms = try makeForms(curve.encoded(point))
  var wrong: [String] = []
  func compare(_ s: [UInt64], _ k: [UInt64], _ expected: [UInt8]) {
    for (form, combination) in forms.enumerated() where combination(s, k) != expected {
      wrong.append("form \(form) \(s) \(k)")
    }
  }

  var s = randomScalar()
  var k = randomScalar()
  var expected = curve.neutral
  for step in 0..<steps {
    if step % 256 < 2 {
      s = randomScalar()
      k = randomScalar()
      expected = curve.add(curve.multiple(s, of: base), curve.multiple(k, of: opposite))
    } else if step % 2 == 0 {
      s = scalars.sum(s, s)
      k = scalars.sum(k, k)
      expected = curve.add(expected, expected)
    } else {
      s = scalars.sum(s, Natural(1))
      expected = curve.add(expected, base)
    }
    guard let left = s.limbs(count: order.count), let right = k.limbs(count: order.count) else {
      return (["a scalar beyond the order"], 0, 0)
    }
    compare(left, right, curve.encoded(expected))
  }

  let all = edgeNumbers(order)
  let chosen = stride(from: 0, to: all.count, by: max(1, all.count / edges)).map { all[$0] }
  let ofBase = chosen.map { edge in
    curve.multiple(Natural(limbs: edge.span) ?? Natural(0), of: base)
  }
  let ofKey = chosen.map { edge in
    curve.multiple(Natural(limbs: edge.span) ?? Natural(0), of: opposite)
  }
  for (row, s) in chosen.enumerated() {
    for (column, k) in chosen.enumerated() {
      compare(s, k, curve.encoded(curve.add(ofBase[row], ofKey[column])))
    }
  }
  return (wrong, steps * forms.count, chosen.count * chosen.count * forms.count)
}

@Suite("Combinations on Edwards curves")
struct EdwardsCombinationTests {
  @Test(
    "Ed25519: s B - k A equals the result of the plain addition law, in the three forms of a key")
  func ed25519() throws {
    guard let curve = PlainEdwards.ed25519() else {
      Issue.record("the curve")
      return
    }
    // L of RFC 8032 §5.1.
    let order: [UInt64] = [0x5812_631a_5cf5_d3ed, 0x14de_f9de_a2f7_9cd6, 0, 1 &<< 60]
    let result = try disagreements(
      curve, order: order, steps: scaled(34_000), edges: isDebug ? 2 : 64
    ) { bytes in
      let plain = try Ed25519Key(bytes.span)
      return [plain, plain.prepared(for: .reuse), plain.prepared(for: .anchor)].map { key in
        { s, k in
          let found = key.combination(limbs(s), limbs(k)).encoded
          let bytes = (0..<32).map { found[$0] }
          // As signatures are verified; without tables by other scalars.
          return key.isEncoded(bytes.span, limbs(s), limbs(k)) ? bytes : []
        }
      }
    }
    #expect(result.wrong.isEmpty, "\(result.wrong.count) wrong: \(result.wrong.prefix(3))")
    #expect(isDebug || result.steps >= 100_000 && result.edges >= 10_000)
  }

  /// Here there is one form of a key.
  @Test("Ed448: s B - k A equals the result of the plain addition law")
  func ed448Heavy() throws {
    guard let curve = PlainEdwards.ed448() else {
      Issue.record("the curve")
      return
    }
    // L of RFC 8032 §5.2.
    let order: [UInt64] = [
      0x2378_c292_ab58_44f3, 0x216c_c272_8dc5_8f55, 0xc44e_db49_aed6_3690, 0xffff_ffff_7cca_23e9,
      .max, .max, 0x3fff_ffff_ffff_ffff,
    ]
    let result = try disagreements(
      curve, order: order, steps: sampled(100_000), edges: isDebug ? 2 : 45
    ) { bytes in
      let key = try Ed448Key(bytes.span)
      return [
        { s, k in
          let found = key.combination(limbs(s), limbs(k)).bytes
          return (0..<57).map { found[$0] }
        }
      ]
    }
    #expect(result.wrong.isEmpty, "\(result.wrong.count) wrong: \(result.wrong.prefix(3))")
    #expect(isDebug || result.steps >= 10_000 && result.edges >= 2_000)
  }
}
