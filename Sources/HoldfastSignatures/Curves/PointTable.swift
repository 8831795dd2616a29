/// The tables of curves with a field of fixed width.
extension PointTable {
  /// Creates the table of a point of the curve's group, which has prime order.
  ///
  /// For each chunk, P and the powers 2^k * P in the plan are computed by doubling; each odd
  /// multiple is then a sum or difference of one of them and a smaller multiple. All chunks are
  /// processed level by level, so that one inversion serves a whole level.
  package init<Field>(_ point: AffinePoint<Field>, _ shape: TableShape)
  where Addend == AffinePoint<Field> {
    let plan = MultiplePlan.byWidth[shape.width]
    let bases = point.powers(shape, plan)
    let stride = plan.powers.count
    let perChunk = 1 &<< (shape.width &- 2)
    var made = [AffinePoint<Field>](repeating: point, count: shape.chunkCount &* perChunk)
    for chunk in 0..<shape.chunkCount { made[chunk &* perChunk] = bases[chunk &* stride] }
    var inverses: [Field] = []
    for level in plan.levels {
      inverses.removeAll(keepingCapacity: true)
      inverses.reserveCapacity(shape.chunkCount &* level.count)
      for chunk in 0..<shape.chunkCount {
        for step in level {
          let base = bases[chunk &* stride &+ step.base]
          inverses.append(base.x - made[chunk &* perChunk &+ step.multiple &>> 1].x)
        }
      }
      Field.invertAll(&inverses)
      var offset = 0
      for chunk in 0..<shape.chunkCount {
        let first = chunk &* perChunk
        for step in level {
          let base = bases[chunk &* stride &+ step.base]
          let multiple = made[first &+ step.multiple &>> 1]
          let inverse = inverses[offset]
          offset = offset &+ 1
          // The line through both points, or through one and the negation of the other.
          if let sum = step.sum {
            made[first &+ sum &>> 1] = base.third(multiple.x, (base.y - multiple.y) * inverse)
          }
          if let difference = step.difference {
            made[first &+ difference &>> 1] = base.third(
              multiple.x, (base.y + multiple.y) * inverse)
          }
        }
      }
    }
    self.init(made, shape)
  }

  /// Creates the table of a key that is used once: one chunk, and one inversion in all.
  ///
  /// P and 2P are first written with the same z. Each odd multiple is the previous one plus 2P, by
  /// an addition that also rewrites 2P with the z of the sum: Meloni's addition, five products and
  /// two squares (New Point Addition Formulae for ECC Applications, 2007).
  init<Field>(once point: AffinePoint<Field>, _ shape: TableShape)
  where Addend == AffinePoint<Field> {
    let count = 1 &<< (shape.width &- 2)
    var double = JacobianPoint(point)
    double.double()
    // P with the z of 2P. The z of each multiple is that of the previous one times its own ratio.
    let first = double.z.squared()
    var multiple = AffinePoint(x: point.x * first, y: point.y * (first * double.z))
    var step = AffinePoint(x: double.x, y: double.y)
    var z = double.z
    var made: [AffinePoint<Field>] = [multiple]
    var ratios: [Field] = [z]
    made.reserveCapacity(count)
    ratios.reserveCapacity(count)
    for _ in 1..<count {
      let h = multiple.x - step.x
      let hh = h.squared()
      let stepX = step.x * hh
      let otherX = multiple.x * hh
      let r = multiple.y - step.y
      let stepY = step.y * (otherX - stepX)
      let x = r.squared() - stepX - otherX
      multiple = AffinePoint(x: x, y: r * (stepX - x) - stepY)
      step = AffinePoint(x: stepX, y: stepY)
      z = z * h
      made.append(multiple)
      ratios.append(h)
    }
    // From the last z back: 1/z of one multiple is that of the next one times the next one's ratio.
    var inverse = z.inverted()
    for index in made.indices.reversed() {
      let square = inverse.squared()
      made[index].x = made[index].x * square
      made[index].y = made[index].y * (square * inverse)
      inverse = inverse * ratios[index]
    }
    self.init(made, shape)
  }
}

extension PointTable {
  /// Creates the table of a point with complete formulas, with one inversion in all.
  init<Point: CompletePoint>(_ point: Point, _ shape: TableShape) where Addend == Point.Addend {
    var multiples: [Point] = []
    multiples.reserveCapacity(shape.chunkCount &<< (shape.width &- 2))
    var base = point
    for chunk in 0..<shape.chunkCount {
      let twice = base.appendOddMultiples(to: &multiples, width: shape.width)
      if chunk &+ 1 == shape.chunkCount { break }
      base = twice
      for _ in 1..<shape.chunkLength { base.double() }
    }
    self.init(Point.addends(of: multiples), chunkLength: shape.chunkLength, width: shape.width)
  }

  /// Creates a table of two chunks in the same way; the second is of another point.
  init<Point: CompletePoint>(_ first: Point, _ second: Point, chunkLength: Int, width: Int)
  where Addend == Point.Addend {
    var multiples: [Point] = []
    multiples.reserveCapacity(2 &<< (width &- 2))
    _ = first.appendOddMultiples(to: &multiples, width: width)
    _ = second.appendOddMultiples(to: &multiples, width: width)
    self.init(Point.addends(of: multiples), chunkLength: chunkLength, width: width)
  }
}

extension CompletePoint {
  /// Appends the multiples for the digits of a width, and returns the double of the point.
  fileprivate func appendOddMultiples(to multiples: inout [Self], width: Int) -> Self {
    var twice = self
    twice.double()
    let step = twice.addend
    var multiple = self
    for index in 0..<(1 &<< (width &- 2)) {
      if index > 0 { multiple.add(step, times: twice.z) }
      multiples.append(multiple)
    }
    return twice
  }

  /// Returns the points in the form of tables, with one inversion.
  fileprivate static func addends(of points: [Self]) -> [Addend] {
    // No Z is zero, because the formulas are complete.
    var inverses = points.map { $0.z }
    Field.invertAll(&inverses)
    return zip(points, inverses).map { point, inverse in
      Self(x: point.x * inverse, y: point.y * inverse).addend
    }
  }
}

extension AffinePoint {
  /// Returns the powers of the plan for each chunk, in affine form.
  fileprivate func powers(_ shape: TableShape, _ plan: MultiplePlan) -> [AffinePoint] {
    var current = JacobianPoint(self)
    var powers: [JacobianPoint<Field>] = []
    powers.reserveCapacity(shape.chunkCount &* plan.powers.count)
    let last = plan.powers.last ?? 0
    for chunk in 0..<shape.chunkCount {
      var next = 0
      for step in 0..<shape.chunkLength {
        if next < plan.powers.count, plan.powers[next] == step {
          powers.append(current)
          next = next &+ 1
        }
        if chunk &+ 1 == shape.chunkCount && step >= last { break }
        current.double()
      }
    }
    return AffinePoint.normalized(powers)
  }

  /// Returns the affine forms, with one inversion. No point may be infinity.
  fileprivate static func normalized(_ points: [JacobianPoint<Field>]) -> [AffinePoint] {
    var inverses = points.map { $0.z }
    Field.invertAll(&inverses)
    return points.indices.map { index in
      let square = inverses[index].squared()
      return AffinePoint(
        x: points[index].x * square, y: points[index].y * (square * inverses[index]))
    }
  }

  /// Returns this point plus one with x = `other`; the line through both has this slope.
  @inline(__always)
  fileprivate func third(_ other: Field, _ slope: Field) -> AffinePoint {
    let third = slope.squared() - x - other
    return AffinePoint(x: third, y: slope * (x - third) - y)
  }
}

/// A plan to compute the odd multiples of a point P below 2^(width-1) from P and a few 2^k * P:
/// each is the sum or difference of a power and a smaller multiple. A sum and a difference of the
/// same two share one division.
struct MultiplePlan {
  struct Step {
    /// The index of the power.
    let base: Int
    let multiple: Int
    /// The sum and the difference of both, each if it is wanted.
    let sum: Int?
    let difference: Int?
  }

  /// The plans for widths up to 8.
  static let byWidth: [MultiplePlan] = (0...8).map { MultiplePlan(width: $0) }

  /// The exponents k of the powers 2^k * P: 0, and 2 to width - 2.
  let powers: [Int]
  /// The steps by level. A step needs only multiples from earlier levels.
  let levels: [[Step]]

  /// Creates a plan for a width of 4 or more; a narrower table has only P.
  private init(width: Int) {
    guard width >= 4 else {
      (powers, levels) = ([0], [])
      return
    }
    let powers = [0] + Array(2...width &- 2)
    let limit = 1 &<< (width &- 1)
    var levels: [[Step]] = []
    var isMade = [Bool](repeating: false, count: limit)
    isMade[1] = true
    while let known = stride(from: 1, to: limit, by: 2).first(where: { !isMade[$0] }) {
      var level: [Step] = []
      // From the largest power down: in the other order, fewer differences could share a division.
      for base in (1..<powers.count).reversed() {
        let power = 1 &<< powers[base]
        for multiple in stride(from: 1, to: min(known, power), by: 2) {
          let (sum, difference) = (power &+ multiple, power &- multiple)
          let wantsSum = sum < limit && !isMade[sum]
          let wantsDifference = !isMade[difference]
          guard wantsSum || wantsDifference else { continue }
          if wantsSum { isMade[sum] = true }
          isMade[difference] = true
          level.append(
            Step(
              base: base, multiple: multiple, sum: wantsSum ? sum : nil,
              difference: wantsDifference ? difference : nil))
        }
      }
      levels.append(level)
    }
    self.powers = powers
    self.levels = levels
  }
}

/// The shapes of the tables of a curve.
package struct TableLayout: Sendable {
  let generator: TableShape
  let unseen: TableShape
  let reuse: TableShape
  let anchor: TableShape
}
