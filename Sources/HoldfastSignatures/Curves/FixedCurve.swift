/// A running sum on the curve of a field of fixed width.
protocol CurveSum: CombinedPoint, Sendable {
  associatedtype Field: FixedField

  /// The odd multiples of the generator, computed at the first use.
  static var generatorTable: PointTable<Addend> { get }
  /// Returns a table in the form of the addends.
  static func converted(_ table: PointTable<AffinePoint<Field>>) -> PointTable<Addend>
  /// The sum; nil if a step met a case for which its formula does not hold.
  var point: JacobianPoint<Field>? { get }
}

/// A public key on a curve with a field of fixed width.
struct FixedCurveKey<Sum: CurveSum>: Sendable {
  typealias Field = Sum.Field

  private let point: AffinePoint<Field>
  /// Precomputed by `prepared(for:)`.
  private let table: PointTable<Sum.Addend>?

  init(_ point: AffinePoint<Field>) {
    self.point = point
    table = nil
  }

  private init(_ point: AffinePoint<Field>, _ table: PointTable<Sum.Addend>) {
    self.point = point
    self.table = table
  }

  func prepared(for preparation: Preparation) -> FixedCurveKey {
    let shape = preparation == .reuse ? Field.layout.reuse : Field.layout.anchor
    return FixedCurveKey(point, Sum.converted(PointTable(point, shape)))
  }

  /// Returns u1 * G + u2 * Q, with shared doublings.
  func combination(_ u1: Limbs, _ u2: Limbs) -> JacobianPoint<Field> {
    let table = table ?? Sum.converted(PointTable(once: point, Field.layout.unseen))
    let sum = Sum.combination(u1, Sum.generatorTable, u2, table, bits: Field.bitCount)
    return sum.point ?? FixedCurveKey<JacobianPoint<Field>>(point).combination(u1, u2)
  }
}
