import HoldfastHashes
import TestSupport
import Testing

@testable import HoldfastSignatures

/// The steps that compute independent products at once beside the same formulas in the portable
/// field, which is the oracle.
@Suite("Points of P-384 with and without vectors")
struct HeavyVectorP384Tests {
  /// A point (X / ZZ, Y / ZZZ). The numbers need not be a point: both compute the same polynomials.
  struct Portable {
    var x: FieldP384
    var y: FieldP384
    var zz: FieldP384
    var zzz: FieldP384

    init<Kind>(_ vector: VectorP384Point<Kind>) {
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
    mutating func add(_ point: AffinePoint<FieldP384>) {
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
  static func agree<Kind: EmulatedKind>(
    _ step: UInt64, _ vector: inout VectorP384Point<Kind>, _ addend: AffinePoint<FieldP384>,
    _ way: VectorWay
  ) -> Bool {
    var portable = Portable(vector)
    switch step {
    case 0:
      portable.double()
      way.double(&vector)
    case 1:
      portable.add(addend)
      way.add(addend, to: &vector, subtracts: false)
    default:
      portable.add(addend.negated)
      way.add(addend, to: &vector, subtracts: true)
    }
    let found = Portable(vector)
    return found.x == portable.x && found.y == portable.y && found.zz == portable.zz
      && found.zzz == portable.zzz
  }

  /// A point that has begun with the generator, or its opposite. So its words can be set.
  static func begun<Kind: EmulatedKind>(
    _: Kind.Type, _ way: VectorWay, isOpposite: Bool = false
  ) -> VectorP384Point<Kind> {
    let addend = VectorP384Point<Kind>.addend(FieldP384.generator)
    guard way.isNative else {
      var words = [Kind.Word](repeating: Kind.word(0), count: 32)
      Kind.p384Begin(&words, (0..<16).map { addend[$0] }, subtracts: isOpposite)
      return VectorP384Point(begunWith: InlineArray { words[$0] })
    }
    var point = VectorP384Point<Kind>.neutral
    if isOpposite { point.subtract(addend) } else { point.add(addend) }
    return point
  }

  @Test("a sum begins with the point or its opposite", arguments: VectorWay.runnable)
  func beginning(_ way: VectorWay) { beginning(way.kind, way) }

  private func beginning<Kind: EmulatedKind>(_ kind: Kind.Type, _ way: VectorWay) {
    for isOpposite in [false, true] {
      let point = Self.begun(kind, way, isOpposite: isOpposite)
      let found = Portable(point)
      let expected = isOpposite ? FieldP384.generator.negated : FieldP384.generator
      #expect(found.x == expected.x && found.y == expected.y)
      #expect(found.zz == .one && found.zzz == .one)
      #expect(point.point?.affine?.x == expected.x && point.point?.affine?.y == expected.y)
    }
  }

  @Test("both take the same steps from random numbers", arguments: VectorWay.runnable)
  func random(_ way: VectorWay) { random(way.kind, way) }

  private func random<Kind: EmulatedKind>(_ kind: Kind.Type, _ way: VectorWay) {
    _ = (EmulatedVector.wideFactors(), EmulatedVector.wraps())
    var numbers = SeededNumbers(seed: 384)
    func number() -> FieldP384 {
      let limbs = numbers.limbs(6)
      return FieldP384(limbs[0], limbs[1], limbs[2], limbs[3], limbs[4], limbs[5])
    }
    var wrong = 0
    var count = 0
    while count < OracleCases.random {
      var point = Self.begun(kind, way)
      for index in 0..<32 { point.words[index] = Kind.word(numbers.next() >> 16) }
      // The results of one step are the numbers of the next.
      for _ in 0..<16 {
        let addend = AffinePoint(x: number(), y: number())
        if !Self.agree(numbers.next() % 3, &point, addend, way) { wrong += 1 }
        count += 1
      }
    }
    #expect(wrong == 0)
    #expect(EmulatedVector.wideFactors() + EmulatedVector.wraps() == 0)
  }

  /// Limbs at which carries begin or end, the last the greatest of a product; and what those of X, Y,
  /// ZZ and ZZZ may have more after a step.
  private static func edges(_ products: VectorProducts) -> (edges: [Int64], more: [Int64]) {
    switch products {
    case .ifma:
      let edges: [Int64] = [
        0, 1, 1 << 15, 1 << 16, 1 << 32 - 1, 1 << 32, 1 << 47, 1 << 48 - 1 << 32 - 2, 1 << 48 - 2,
        1 << 48 - 1, 1 << 48, 1 << 48 + 1 << 15 - 1,
      ]
      return (edges, [4 << 48, 2 << 48, 0, 0])
    case .doubles:
      let edges: [Int64] = [
        0, 1, 1 << 15, 1 << 16, 1 << 32 - 1, 1 << 32, 1 << 46, 1 << 47 - 1, 1 << 47,
        1 << 47 + 1 << 31 - 1, 1 << 47 + 1 << 31,
      ]
      // Four and two times the greatest.
      return (edges, [3 * (1 << 47 + 1 << 31), 1 << 47 + 1 << 31, 0, 0])
    }
  }

  @Test(
    "both take the same steps from limbs at which carries begin or end",
    arguments: VectorWay.runnable)
  func edges(_ way: VectorWay) { edges(way.kind, way) }

  private func edges<Kind: EmulatedKind>(_ kind: Kind.Type, _ way: VectorWay) {
    _ = (EmulatedVector.wideFactors(), EmulatedVector.wraps())
    var numbers = SeededNumbers(seed: 48)
    let (edges, more) = Self.edges(Kind.products)
    let most = edges[edges.count - 1]
    var wrong = 0
    for count in 0..<OracleCases.edges {
      var point = Self.begun(kind, way)
      for index in 0..<32 {
        let edge = edges[Int(numbers.next() % UInt64(edges.count))]
        let limb =
          switch count % 4 {
          case 0: edge + more[index % 4]
          case 1: most + more[index % 4]
          case 2: index / 4 == count / 4 % 8 ? edge : 0
          default: numbers.next() % 2 == 0 ? edge : edge + more[index % 4]
          }
        // With doubles, limbs may be negative.
        let isNegative = Kind.products == .doubles && numbers.next() % 2 == 0
        point.words[index] = Kind.word(UInt64(bitPattern: isNegative ? -limb : limb))
      }
      let limbs = (0..<12).map { _ in
        ([0, 1, .max - 1, .max] as [UInt64])[Int(numbers.next() % 4)]
      }
      let addend = AffinePoint(
        x: FieldP384(limbs[0], limbs[1], limbs[2], limbs[3], limbs[4], limbs[5]),
        y: FieldP384(limbs[6], limbs[7], limbs[8], limbs[9], limbs[10], limbs[11]))
      for step in [numbers.next() % 3, numbers.next() % 3]
      where !Self.agree(step, &point, addend, way) {
        wrong += 1
      }
    }
    #expect(wrong == 0)
    #expect(EmulatedVector.wideFactors() + EmulatedVector.wraps() == 0)
  }

  @Test(
    "a sum that meets itself or its opposite has no value at the end", arguments: VectorWay.runnable
  )
  func exceptional(_ way: VectorWay) { exceptional(way.kind, way) }

  private func exceptional<Kind: EmulatedKind>(_ kind: Kind.Type, _ way: VectorWay) {
    for isOpposite in [false, true] {
      var point = Self.begun(kind, way)
      way.add(FieldP384.generator, to: &point, subtracts: isOpposite)
      #expect(point.point == nil)
      way.double(&point)
      way.add(FieldP384.generator, to: &point, subtracts: false)
      #expect(point.point == nil)
    }
  }

  @Test(
    "a combination that meets itself or its opposite is computed portably",
    .enabled(
      if: !VectorProducts.supported.isEmpty, "ABSENT: AVX-512 IFMA and FMA, whose combinations"),
    arguments: VectorWay.runnable.filter(\.isNative))
  func combinations(_ way: VectorWay) { combinations(way.kind) }

  private func combinations<Kind: EmulatedKind>(_: Kind.Type) {
    // Small multiples of a key that is the generator itself, or its opposite, meet those of the
    // generator at many steps.
    let order = FieldP384.order.value
    var scalars: [Limbs] = []
    for small in 0...(isDebug ? 4 : 40) as ClosedRange<UInt64> {
      scalars.append(Limbs { $0 == 0 ? small : 0 })
      scalars.append(Limbs { $0 == 0 ? order[0] - 1 - small : $0 < 6 ? order[$0] : 0 })
    }
    var wrong = 0
    for point in [FieldP384.generator, FieldP384.generator.negated] {
      let plain = FixedCurveKey<VectorP384Point<Kind>>(point)
      let oracle = FixedCurveKey<JacobianPoint<FieldP384>>(point)
      for key in [plain, plain.prepared(for: .reuse), plain.prepared(for: .anchor)] {
        for u1 in scalars {
          for u2 in scalars {
            let (found, expected) = (key.combination(u1, u2), oracle.combination(u1, u2))
            let isSame =
              found.isInfinity == expected.isInfinity
              && (found.isInfinity
                || found.affine?.x == expected.affine?.x && found.affine?.y == expected.affine?.y)
            if !isSame { wrong += 1 }
          }
        }
      }
    }
    #expect(wrong == 0)
  }
}
