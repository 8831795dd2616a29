import HoldfastHashes
import TestSupport
import Testing

@testable import HoldfastSignatures

/// Whether a point of the fast arithmetic is one of Natural's.
private func isSame<Field: FixedField>(
  _ fast: JacobianPoint<Field>, _ slow: EllipticCurve.Point
) -> Bool {
  if fast.isInfinity || slow.isInfinity { return fast.isInfinity == slow.isInfinity }
  let count = Field.modulus.count
  guard let x = slow.x.limbs(count: count), let y = slow.y.limbs(count: count),
    let z = slow.z.limbs(count: count), let x = Field(limbs: limbs(x)),
    let y = Field(limbs: limbs(y)), let z = Field(limbs: limbs(z))
  else { return false }
  let (fastZZ, zz) = (fast.z.squared(), z.squared())
  return fast.x * zz == x * fastZZ && fast.y * (zz * z) == y * (fastZZ * fast.z)
}

extension EllipticCurve {
  /// Returns the affine y, as `affineX(_:)` returns x; verification does not need it.
  func affineY(_ point: Point) -> Natural? {
    guard let inverse = field.inverse(point.z) else { return nil }
    return field.product(point.y, field.product(field.square(inverse), inverse))
  }
}

/// A point of the general curve, its z = 1, in both forms.
private struct BothPoints<Field: FixedField> {
  let fast: AffinePoint<Field>
  let slow: EllipticCurve.Point

  init?(_ point: EllipticCurve.Point, _ curve: EllipticCurve) {
    guard let x = curve.affineX(point), let y = curve.affineY(point),
      let fastX = x.limbs(count: Field.modulus.count).flatMap({ Field(limbs: limbs($0)) }),
      let fastY = y.limbs(count: Field.modulus.count).flatMap({ Field(limbs: limbs($0)) })
    else { return nil }
    fast = AffinePoint(x: fastX, y: fastY)
    slow = EllipticCurve.Point(x: x, y: y)
  }
}

extension EllipticCurve {
  /// Returns the multiple of a point, with z = 1.
  fileprivate func multiple(_ scalar: [UInt64], of base: Point) -> Point {
    let product = combination(Natural(0), Natural(limbs: scalar.span) ?? Natural(0), base)
    guard let x = affineX(product), let y = affineY(product) else { return .infinity }
    return Point(x: x, y: y)
  }
}

/// Scalars at which recoding and chunks have their edges.
private func edgeScalars(_ order: [UInt64]) -> [[UInt64]] {
  let edges = edgeNumbers(order)
  let few = stride(from: 0, to: edges.count, by: 2).map { edges[$0] }
  return Array(Set(few + edges.prefix(4) + edges.suffix(4))).sorted { isBelow($0, $1) }
}

private func pointsAgree<Sum: CurveSum>(
  _: Sum.Type, _ id: NamedCurve, walk: Int, combinations: Int
) throws {
  guard let curve = EllipticCurve(id), let order = id.parameters?.n else {
    Issue.record("the curve")
    return
  }
  var numbers = SeededNumbers(seed: 7)
  var wrong: [String] = []

  // Doublings and additions, one after the other from a random point.
  let secret = randomNumber(below: order, &numbers)
  guard let secretNumber = Natural(limbs: secret.span),
    let key = BothPoints<Sum.Field>(
      curve.combination(secretNumber, Natural(0), curve.generator), curve)
  else {
    Issue.record("the key")
    return
  }
  #expect(key.fast.isOnCurve)
  var fast = JacobianPoint<Sum.Field>.infinity
  var slow = EllipticCurve.Point.infinity
  for step in 0..<sampled(walk) {
    switch numbers.next() % 4 {
    case 0:
      fast.double()
      slow = curve.double(slow)
    case 1:
      fast.add(key.fast)
      slow = curve.add(slow, key.slow)
    case 2:
      fast.add(Sum.Field.generator)
      slow = curve.add(slow, curve.generator)
    default:
      // Back to a small multiple now and then, where sums meet their own terms.
      fast = step % 16 == 0 ? .infinity : fast
      slow = step % 16 == 0 ? .infinity : slow
      fast.add(key.fast.negated)
      slow = curve.add(
        slow, EllipticCurve.Point(x: key.slow.x, y: curve.field.negated(key.slow.y)))
    }
    if !isSame(fast, slow) { wrong.append("step \(step)") }
  }

  // u1 * G + u2 * Q, in the three forms of a key. Expected: one addition to what was before.
  let plain = FixedCurveKey<Sum>(key.fast)
  let keys = [plain, plain.prepared(for: .reuse), plain.prepared(for: .anchor)]
  let strides = (0..<8).map { _ in
    (randomNumber(below: order, &numbers), randomNumber(below: order, &numbers))
  }
  var u1 = Natural(0)
  var u2 = Natural(0)
  var expected = EllipticCurve.Point.infinity
  for step in 0..<sampled(combinations) {
    let pair = strides[step % strides.count]
    let a = try some(Natural(limbs: pair.0.span))
    let b = try some(Natural(limbs: pair.1.span))
    if step % 512 < strides.count {
      // Every few hundred steps from the beginning, so that a step is not half the work.
      u1 = curve.order.reduce(a)
      u2 = curve.order.reduce(b)
      expected = curve.combination(u1, u2, key.slow)
    } else {
      u1 = curve.order.sum(u1, u1)
      u2 = curve.order.sum(u2, u2)
      expected = curve.double(expected)
      if step % 2 == 0 {
        u1 = curve.order.sum(u1, Natural(1))
        expected = curve.add(expected, curve.generator)
      }
      if step % 3 == 0 {
        u2 = curve.order.sum(u2, Natural(1))
        expected = curve.add(expected, key.slow)
      }
    }
    guard let left = u1.limbs(count: order.count), let right = u2.limbs(count: order.count) else {
      continue
    }
    for (form, key) in keys.enumerated()
    where !isSame(key.combination(limbs(left), limbs(right)), expected) {
      wrong.append("form \(form) \(left) \(right)")
    }
  }

  // Edge scalars, each with each: a sum of a multiple of G and one of Q.
  let all = edgeScalars(order)
  let edges = isDebug ? Array(all.prefix(2) + all.suffix(2)) : all
  let ofGenerator = edges.map { curve.multiple($0, of: curve.generator) }
  let ofKey = edges.map { curve.multiple($0, of: key.slow) }
  for (row, a) in edges.enumerated() {
    for (column, b) in edges.enumerated() {
      let expected = curve.add(ofGenerator[row], ofKey[column])
      for (form, key) in keys.enumerated()
      where !isSame(key.combination(limbs(a), limbs(b)), expected) {
        wrong.append("form \(form) \(a) \(b)")
      }
    }
  }
  #expect(isDebug || edges.count * edges.count * keys.count >= 10_000)
  #expect(wrong.isEmpty, "\(wrong.count) wrong, first: \(wrong.prefix(3))")
}

/// Every i * G + j * G with small i and j, the former with another z each time.
private func smallSumsAgree<Field: FixedField>(_: Field.Type, _ id: NamedCurve) {
  guard let curve = EllipticCurve(id) else {
    Issue.record("the curve")
    return
  }
  let maximum = isDebug ? 3 : 51
  let multiples = (0...2 * maximum).map { curve.multiple([UInt64($0)], of: curve.generator) }
  func opposite(_ point: EllipticCurve.Point) -> EllipticCurve.Point {
    EllipticCurve.Point(x: point.x, y: curve.field.negated(point.y))
  }
  func multiple(_ number: Int) -> EllipticCurve.Point {
    let point = multiples[abs(number)]
    return number < 0 ? opposite(point) : point
  }
  var (wrong, count): ([String], Int) = ([], 0)
  for j in -maximum...maximum where j != 0 {
    guard let term = BothPoints<Field>(multiple(j), curve) else {
      wrong.append("\(j)")
      continue
    }
    for i in -maximum...maximum {
      // i * G as (i - j) * G + j * G, but for infinity and for j alone.
      var sum = JacobianPoint<Field>.infinity
      if i != 0, i != j, let rest = BothPoints<Field>(multiple(i - j), curve) {
        sum = JacobianPoint(rest.fast)
        sum.add(term.fast)
      } else if i == j {
        sum = JacobianPoint(term.fast)
      }
      if !isSame(sum, multiple(i)) { wrong.append("\(i - j) + \(j)") }
      var double = sum
      double.double()
      if !isSame(double, multiple(2 * i)) { wrong.append("2 * \(i)") }
      sum.add(term.fast)
      if !isSame(sum, multiple(i + j)) { wrong.append("\(i) + \(j)") }
      count += 1
    }
  }
  #expect(isDebug || count >= 10_000)
  #expect(wrong.isEmpty, "\(wrong.count) wrong, first: \(wrong.prefix(3))")
}

@Suite("Points of fixed width")
struct FixedPointTests {
  @Test("P-256: sums, doubles and combinations equal those of the generic curve")
  func p256Heavy() throws {
    try pointsAgree(JacobianPoint<FieldP256>.self, .p256, walk: 100_000, combinations: 34_000)
  }

  @Test("P-384: sums, doubles and combinations equal those of the generic curve")
  func p384Heavy() throws {
    try pointsAgree(JacobianPoint<FieldP384>.self, .p384, walk: 100_000, combinations: 34_000)
  }

  @Test(
    "with vectors: combinations equal those of the generic curve", arguments: CurveWay.native)
  func vectorsHeavy(_ way: CurveWay) throws {
    func agree<Curve: TestedCurve>(_: Curve.Type) throws {
      try pointsAgree(VectorPoint<Curve>.self, Curve.curve, walk: 0, combinations: 34_000)
    }
    try agree(way.curve)
  }

  @Test("P-521: sums, doubles and combinations equal those of the generic curve")
  func p521Heavy() throws {
    try pointsAgree(JacobianPoint<FieldP521>.self, .p521, walk: 100_000, combinations: 34_000)
  }

  @Test(
    "the sum of two small multiples, equal and opposite ones included, is the multiple of their sum"
  )
  func smallMultiples() {
    smallSumsAgree(FieldP256.self, .p256)
    smallSumsAgree(FieldP384.self, .p384)
    smallSumsAgree(FieldP521.self, .p521)
  }

  @Test("adding a point to itself, its opposite and infinity gives the right point")
  func exceptionalSums() {
    let g = FieldP256.generator
    var sum = JacobianPoint(g)
    sum.add(g)
    var double = JacobianPoint(g)
    double.double()
    #expect(sum.affine?.x == double.affine?.x)
    #expect(sum.affine?.isOnCurve == true)
    sum.add(g.negated)
    #expect(sum.affine?.x == g.x)
    sum.add(g.negated)
    #expect(sum.isInfinity)
    sum.double()
    #expect(sum.isInfinity)
    sum.add(g)
    #expect(sum.affine?.x == g.x && sum.affine?.y == g.y)
  }
}
