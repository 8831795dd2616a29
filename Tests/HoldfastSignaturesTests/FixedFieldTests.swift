import HoldfastSignatures
import TestSupport
import Testing

/// Compares every operation of a field with Natural's on one pair of numbers; says which differ.
///
/// Each is done twice: with canonical values, and with values that lie between p and
/// 2^(64 * count) where such a form exists.
private func disagreements<Field: FixedField>(
  _: Field.Type, _ modulus: Modulus, _ x: [UInt64], _ y: [UInt64], inverse: Bool
) -> [String] {
  let count = x.count
  guard let left = Natural(limbs: x.span), let right = Natural(limbs: y.span),
    let a = Field(limbs: limbs(x)), let b = Field(limbs: limbs(y))
  else { return ["unreadable \(x) \(y)"] }
  var wrong: [String] = []
  func compare(_ name: String, _ expected: [UInt64]?, _ found: Field...) {
    for found in found where found.canonicalLimbs != expected {
      wrong.append("\(name) \(x) \(y): \(found)")
    }
  }
  // 1 + (p - 1) has no carry, so this zero is p.
  let zero = Field.one + (Field.zero - Field.one)
  let (a2, b2) = (a + zero, b + zero)
  compare("self", x, a, a2)
  compare("sum", modulus.sum(left, right).limbs(count: count), a + b, a2 + b2)
  compare("difference", modulus.difference(left, right).limbs(count: count), a - b, a2 - b2, a - b2)
  compare("product", modulus.product(left, right).limbs(count: count), a * b, a2 * b2)
  compare("square", modulus.square(left).limbs(count: count), a.squared(), a2.squared())
  compare("half", x, a.halved() + a.halved(), a2.halved() + a2.halved())
  if (a - b).isZero != (x == y) || (a2 - b).isZero != (x == y) { wrong.append("isZero \(x) \(y)") }
  if inverse {
    compare(
      "inverse", modulus.inverse(left)?.limbs(count: count) ?? x, a.inverted(), a2.inverted())
  }
  return wrong
}

private func fieldAgrees<Field: FixedField>(_: Field.Type, seed: UInt64) throws {
  let limbCount = Field.modulus.count
  guard let prime = Natural(limbs: Field.modulus.span), let modulus = Modulus(prime) else {
    Issue.record("the modulus")
    return
  }
  var wrong: [String] = []
  var numbers = SeededNumbers(seed: seed)
  for index in 0..<(isDebug ? 100 : max(100_000, OracleCases.random)) {
    let x = randomNumber(below: Field.modulus, &numbers)
    let y = randomNumber(below: Field.modulus, &numbers)
    wrong += disagreements(Field.self, modulus, x, y, inverse: index % 10 == 0)
  }
  // What lies in the limbs is the number times 2^(64 * count): an edge there is another number.
  var shifted: [[UInt64]] = []
  let radix = [UInt64](repeating: 0, count: limbCount) + [1]
  guard let form = Natural(limbs: radix.span), let inverse = modulus.inverse(form) else {
    Issue.record("the radix")
    return
  }
  let plain = edgeNumbers(Field.modulus)
  for edge in plain {
    let edge = try some(Natural(limbs: edge.span))
    shifted += [modulus.product(edge, inverse).limbs(count: limbCount) ?? []]
  }
  let edges = plain + shifted
  let step = isDebug ? 307 : 1
  var pairs = 0
  for (row, x) in edges.enumerated() {
    for (column, y) in edges.enumerated() where (row + column) % step == 0 {
      pairs += 1
      wrong += disagreements(Field.self, modulus, x, y, inverse: row == column)
    }
  }
  #expect(step > 1 || pairs >= 10_000)
  #expect(wrong.isEmpty, "\(wrong.count) wrong, first: \(wrong.prefix(3))")
  #expect(Field(limbs: limbs(Field.modulus)) == nil)
  #expect(Field(limbs: Limbs(repeating: .max)) == nil)
}

@Suite("Fields of fixed width")
struct FixedFieldTests {
  @Test("P-256: every operation gives Natural's result")
  func p256() throws { try fieldAgrees(FieldP256.self, seed: 256) }

  @Test("P-384: every operation gives Natural's result")
  func p384() throws { try fieldAgrees(FieldP384.self, seed: 384) }

  @Test("P-521: every operation gives Natural's result")
  func p521() throws { try fieldAgrees(FieldP521.self, seed: 521) }
}
