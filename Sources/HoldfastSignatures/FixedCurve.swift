/// A public key on a curve with a field of fixed width.
package struct FixedCurveKey<Field: FixedField>: Sendable {
  private let point: AffinePoint<Field>
  /// Precomputed by `prepared(for:)`.
  private let table: PointTable<AffinePoint<Field>>?

  package init(_ point: AffinePoint<Field>) {
    self.point = point
    table = nil
  }

  private init(_ point: AffinePoint<Field>, _ table: PointTable<AffinePoint<Field>>) {
    self.point = point
    self.table = table
  }

  package func prepared(for preparation: Preparation) -> FixedCurveKey {
    let shape = preparation == .reuse ? Field.layout.reuse : Field.layout.anchor
    return FixedCurveKey(point, PointTable(point, shape))
  }

  /// Returns u1 * G + u2 * Q, with shared doublings.
  package func combination(
    _ u1: Limbs, _ u2: Limbs
  ) -> JacobianPoint<Field> {
    .combination(
      u1, Field.generatorTable, u2, table ?? PointTable(once: point, Field.layout.unseen),
      bits: Field.bitCount)
  }
}
