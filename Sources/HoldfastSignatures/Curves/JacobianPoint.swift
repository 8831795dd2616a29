/// A point of the curve y^2 = x^3 - 3x + b other than infinity.
package struct AffinePoint<Field: FixedField>: Sendable {
  package var x: Field
  package var y: Field

  package init(x: Field, y: Field) {
    self.x = x
    self.y = y
  }

  /// Whether the coordinates satisfy the curve's equation.
  package var isOnCurve: Bool {
    let threeX = x.doubled() + x
    return y.squared() == x.squared() * x - threeX + Field.curveB
  }

  package var negated: AffinePoint {
    AffinePoint(x: x, y: Field.zero - y)
  }
}

/// The point (x / z^2, y / z^3); z = 0 is the point at infinity.
package struct JacobianPoint<Field: FixedField>: CurveSum {
  package var x: Field
  package var y: Field
  package var z: Field

  package static var infinity: JacobianPoint {
    JacobianPoint(x: .one, y: .one, z: .zero)
  }

  package init(_ point: AffinePoint<Field>) {
    x = point.x
    y = point.y
    z = .one
  }

  init(x: Field, y: Field, z: Field) {
    self.x = x
    self.y = y
    self.z = z
  }

  package var isInfinity: Bool { z.isZero }

  /// Doubles the point with four products and four squares: with S = xy^2 and
  /// L = 3(x - z^2)(x + z^2) / 2, x' = L^2 - 2S, y' = L(S - x') - y^4, z' = yz. Infinity stays
  /// infinity, and no point of a group of odd order has y = 0. Independent products are adjacent,
  /// so that the processor can work on two of them at a time.
  @inline(never)
  package mutating func double() {
    let zz = z.squared()
    let yy = y.squared()
    let m = (x - zz) * (x + zz)
    let s = x * yy
    let slope = m + m.halved()
    z = y * z
    let twoS = s.doubled()
    let newX = slope.squared() - twoS
    let y4 = yy.squared()
    x = newX
    y = (s - newX) * slope - y4
  }

  /// Adds a point, in every exceptional case too.
  @inline(never)
  package mutating func add(_ point: AffinePoint<Field>) {
    let zz = z.squared()
    let u = point.x * zz
    let s = point.y * (zz * z)
    let h = u - x
    let r = s - y
    if h.isZero || z.isZero {
      addExceptional(point, r)
      return
    }
    let hh = h.squared()
    let hhh = hh * h
    let v = x * hh
    z = z * h
    x = r.squared() - hhh - v.doubled()
    y = (v - x) * r - y * hhh
  }

  /// Adds a point where the formula of `add` does not hold: infinity + P, P + P and P + (-P).
  @inline(never)
  private mutating func addExceptional(_ point: AffinePoint<Field>, _ r: Field) {
    if z.isZero {
      self = JacobianPoint(point)
    } else if r.isZero {
      double()
    } else {
      self = .infinity
    }
  }

  /// Subtracts a point.
  @inline(__always)
  mutating func subtract(_ point: AffinePoint<Field>) {
    add(point.negated)
  }

  static var neutral: JacobianPoint { .infinity }
  static var generatorTable: PointTable<AffinePoint<Field>> { Field.generatorTable }

  static func converted(
    _ table: PointTable<AffinePoint<Field>>
  ) -> PointTable<AffinePoint<Field>> {
    table
  }

  var point: JacobianPoint<Field>? { self }

  /// Whether the affine x is `candidate`: x = candidate * z^2, without an inversion.
  func hasX(_ candidate: Field) -> Bool {
    x == candidate * z.squared()
  }

  /// The affine form; nil for infinity. For tests and tables.
  package var affine: AffinePoint<Field>? {
    if isInfinity { return nil }
    let inverse = z.inverted()
    let square = inverse.squared()
    return AffinePoint(x: x * square, y: y * (square * inverse))
  }
}
