/// A public key on a curve whose field has fixed width.
package struct FixedCurveKey<Field: FixedField>: Sendable {
  private let point: AffinePoint<Field>
  /// Made ahead by `prepared(for:)`.
  private let table: PointTable<Field>?

  package init(_ point: AffinePoint<Field>) {
    self.point = point
    table = nil
  }

  private init(_ point: AffinePoint<Field>, _ table: PointTable<Field>) {
    self.point = point
    self.table = table
  }

  package func prepared(for preparation: Preparation) -> FixedCurveKey {
    let shape = preparation == .reuse ? Field.layout.reuse : Field.layout.anchor
    return FixedCurveKey(point, PointTable(point, shape))
  }

  package var preparedBytes: Int { table?.byteCount ?? 0 }

  /// u1 * G + u2 * Q, the doublings shared.
  package func combination(
    _ u1: Limbs, _ u2: Limbs
  ) -> JacobianPoint<Field> {
    let table = table ?? PointTable(once: point, Field.layout.unseen)
    let generator = Field.generatorTable
    let bits = Field.bitCount
    let left = SignedDigits(u1, bits: bits, width: generator.width)
    let right = SignedDigits(u2, bits: bits, width: table.width)
    // Spans, because an inline array that is handed over is copied.
    let leftDigits = left.digits.span.extracting(first: left.count)
    let rightDigits = right.digits.span.extracting(first: right.count)
    let length = table.chunkLength
    let generatorStep = length / generator.chunkLength
    var sum = JacobianPoint<Field>.infinity
    var offset = min(length, max(left.count, right.count))
    while offset > 0 {
      offset = offset &- 1
      sum.double()
      FixedCurveKey.addDigits(of: rightDigits, at: offset, step: length, table, 1, to: &sum)
      FixedCurveKey.addDigits(
        of: leftDigits, at: offset, step: length, generator, generatorStep, to: &sum)
    }
    return sum
  }

  /// Adds what the digits at `offset` of each chunk stand for.
  @inline(__always)
  private static func addDigits(
    of digits: Span<Int16>, at offset: Int, step: Int, _ table: PointTable<Field>,
    _ chunkStep: Int, to sum: inout JacobianPoint<Field>
  ) {
    var position = offset
    var chunk = 0
    while position < digits.count {
      let digit = Int(digits[position])
      if digit > 0 {
        sum.add(table[chunk: chunk, digit])
      } else if digit < 0 {
        sum.subtract(table[chunk: chunk, 0 &- digit])
      }
      position = position &+ step
      chunk = chunk &+ chunkStep
    }
  }
}
