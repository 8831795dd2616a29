import HoldfastHashes
import TestSupport
import Testing

@testable import HoldfastSignatures

/// The steps that compute independent products at once beside the same formulas in the portable
/// field, which is the oracle.
@Suite("Points with and without vectors")
struct HeavyVectorPointTests {
  /// A point (X / ZZ, Y / ZZZ). The numbers need not be a point: both compute the same polynomials.
  struct Portable<Field: FixedField> {
    var x: Field
    var y: Field
    var zz: Field
    var zzz: Field

    init<Curve>(_ vector: VectorPoint<Curve>) where Curve.Field == Field {
      (x, y) = (vector.number(0), vector.number(1))
      (zz, zzz) = (vector.number(2), vector.number(3))
    }

    /// "dbl-2008-s-1" of the Explicit-Formulas Database with a = -3.
    mutating func double() {
      let u = y.doubled()
      let v = u.squared()
      let w = u * v
      let s = x * v
      let m = x.squared() - zz.squared()
      let slope = m.doubled() + m
      x = slope.squared() - s.doubled()
      y = slope * (s - x) - w * y
      (zz, zzz) = (v * zz, w * zzz)
    }

    /// "madd-2008-s".
    mutating func add(_ point: AffinePoint<Field>) {
      let p = point.x * zz - x
      let r = point.y * zzz - y
      let pp = p.squared()
      let ppp = p * pp
      let q = x * pp
      x = r.squared() - ppp - q.doubled()
      y = r * (q - x) - y * ppp
      (zz, zzz) = (zz * pp, zzz * ppp)
    }
  }

  /// Takes a step with both; says whether they agree.
  static func agree<Curve: TestedCurve>(
    _ step: UInt64, _ vector: inout VectorPoint<Curve>, _ point: AffinePoint<Curve.Field>
  ) -> Bool {
    var portable = Portable(vector)
    let addend = Curve.addend(point)
    switch step {
    case 0:
      portable.double()
      vector.double()
    case 1:
      portable.add(point)
      vector.add(addend)
    default:
      portable.add(point.negated)
      vector.subtract(addend)
    }
    let found = Portable(vector)
    return found.x == portable.x && found.y == portable.y && found.zz == portable.zz
      && found.zzz == portable.zzz
  }

  /// A point that has begun with the generator, or its opposite. So its words can be set.
  static func begun<Curve: TestedCurve>(
    _: Curve.Type, isOpposite: Bool = false
  ) -> VectorPoint<Curve> {
    let addend = Curve.addend(Curve.Field.generator)
    var point = VectorPoint<Curve>.neutral
    if isOpposite { point.subtract(addend) } else { point.add(addend) }
    return point
  }

  @Test("a sum begins with the point or its opposite", arguments: CurveWay.runnable)
  func beginning(_ way: CurveWay) { beginning(way.curve) }

  private func beginning<Curve: TestedCurve>(_ curve: Curve.Type) {
    for isOpposite in [false, true] {
      let point = Self.begun(curve, isOpposite: isOpposite)
      let found = Portable(point)
      let generator = Curve.Field.generator
      let expected = isOpposite ? generator.negated : generator
      #expect(found.x == expected.x && found.y == expected.y)
      #expect(found.zz == .one && found.zzz == .one)
      #expect(point.point?.affine?.x == expected.x && point.point?.affine?.y == expected.y)
    }
  }

  @Test("both take the same steps from random numbers", arguments: CurveWay.runnable)
  func random(_ way: CurveWay) { random(way.curve) }

  private func random<Curve: TestedCurve>(_ curve: Curve.Type) {
    _ = (EmulatedVector.wideFactors(), EmulatedVector.wraps())
    var numbers = SeededNumbers(seed: 384)
    let lastEdge = UInt64(Curve.lastEdges[Curve.lastEdges.count - 1])
    var wrong = 0
    var count = 0
    while count < OracleCases.random {
      var point = Self.begun(curve)
      for index in 0..<4 * Curve.limbCount {
        let isLast = index / 4 == Curve.limbCount - 1
        let limb = numbers.next() >> 16
        Curve.set(&point.words, at: index, Int64(isLast ? limb % lastEdge : limb))
      }
      // The results of one step are the numbers of the next.
      for _ in 0..<16 {
        let addend = AffinePoint(
          x: Curve.element(numbers.limbs(9)), y: Curve.element(numbers.limbs(9)))
        if !Self.agree(numbers.next() % 3, &point, addend) { wrong += 1 }
        count += 1
      }
    }
    #expect(wrong == 0)
    #expect(EmulatedVector.wideFactors() + EmulatedVector.wraps() == 0)
  }

  @Test(
    "both take the same steps from limbs at which carries begin or end",
    arguments: CurveWay.runnable)
  func edges(_ way: CurveWay) { edges(way.curve) }

  private func edges<Curve: TestedCurve>(_ curve: Curve.Type) {
    _ = (EmulatedVector.wideFactors(), EmulatedVector.wraps())
    var numbers = SeededNumbers(seed: 48)
    var wrong = 0
    for count in 0..<OracleCases.edges {
      var point = Self.begun(curve)
      for index in 0..<4 * Curve.limbCount {
        let isLast = index / 4 == Curve.limbCount - 1
        let edges = isLast ? Curve.lastEdges : Curve.edges
        let (x, y) = isLast ? Curve.lastMore : Curve.more
        let more = [x, y, 0, 0][index % 4]
        let edge = edges[Int(numbers.next() % UInt64(edges.count))]
        let limb =
          switch count % 4 {
          case 0: edge + more
          case 1: edges[edges.count - 1] + more
          case 2: index / 4 == count / 4 % Curve.limbCount ? edge : 0
          default: numbers.next() % 2 == 0 ? edge : edge + more
          }
        // With doubles, limbs may be negative.
        let isNegative = Curve.products == .doubles && numbers.next() % 2 == 0
        Curve.set(&point.words, at: index, isNegative ? -limb : limb)
      }
      let limbs = (0..<18).map { _ in
        ([0, 1, .max - 1, .max] as [UInt64])[Int(numbers.next() % 4)]
      }
      let addend = AffinePoint(
        x: Curve.element(Array(limbs[..<9])), y: Curve.element(Array(limbs[9...])))
      for step in [numbers.next() % 3, numbers.next() % 3]
      where !Self.agree(step, &point, addend) {
        wrong += 1
      }
    }
    #expect(wrong == 0)
    #expect(EmulatedVector.wideFactors() + EmulatedVector.wraps() == 0)
  }

  @Test(
    "a sum that meets itself or its opposite has no value at the end", arguments: CurveWay.runnable
  )
  func exceptional(_ way: CurveWay) { exceptional(way.curve) }

  private func exceptional<Curve: TestedCurve>(_ curve: Curve.Type) {
    let addend = Curve.addend(Curve.Field.generator)
    for isOpposite in [false, true] {
      var point = Self.begun(curve)
      if isOpposite { point.subtract(addend) } else { point.add(addend) }
      #expect(point.point == nil)
      point.double()
      point.add(addend)
      #expect(point.point == nil)
    }
  }

  @Test(
    "a combination that meets itself or its opposite is computed portably",
    arguments: CurveWay.runnable)
  func combinations(_ way: CurveWay) throws { try combinations(way.curve) }

  private func combinations<Curve: TestedCurve>(_: Curve.Type) throws {
    let order = try #require(Curve.curve.parameters).n
    let generator = Curve.Field.generator
    // Small multiples of a key that is the generator itself, or its opposite, meet those of the
    // generator at many steps.
    let maximum = isDebug ? (Curve.isNative ? 4 : 1) : Curve.isNative ? 40 : 8
    let numbers = -maximum - 1...maximum
    let scalars = numbers.map { number in
      Limbs { index in
        let limb = number < 0 && index < order.count ? order[index] : 0
        return index == 0 ? limb &+ UInt64(truncatingIfNeeded: number) : limb
      }
    }
    var sum = JacobianPoint<Curve.Field>.infinity
    let multiples = (0...2 * maximum + 2).map { _ in
      defer { sum.add(generator) }
      return sum.affine
    }
    var wrong = 0
    for isOpposite in [false, true] {
      let plain = FixedCurveKey<VectorPoint<Curve>>(isOpposite ? generator.negated : generator)
      for key in [plain, plain.prepared(for: .reuse), plain.prepared(for: .anchor)] {
        for (u1, first) in zip(scalars, numbers) {
          for (u2, second) in zip(scalars, numbers) {
            let number = isOpposite ? first - second : first + second
            let multiple = multiples[abs(number)]
            let expected = number < 0 ? multiple?.negated : multiple
            if !key.combination(u1, u2).equals(expected) { wrong += 1 }
          }
        }
      }
    }
    #expect(wrong == 0)
  }
}

extension JacobianPoint {
  /// Whether it is an affine point, or infinity if that is nil; without an inversion.
  fileprivate func equals(_ point: AffinePoint<Field>?) -> Bool {
    guard let point else { return isInfinity }
    return !isInfinity && hasX(point.x) && y == point.y * (z.squared() * z)
  }
}
