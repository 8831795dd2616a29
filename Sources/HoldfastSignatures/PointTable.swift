/// Odd multiples of a point and of its images under doubling: for each chunk c of a scalar cut
/// into chunks of `chunkLength` bits, d * 2^(c * chunkLength) * P for d = 1, 3, 5, … below
/// 2^(width-1). More chunks mean fewer doublings, a greater width fewer additions.
package struct PointTable<Field: FixedField>: Sendable {
  let chunkLength: Int
  let width: Int
  private let points: [AffinePoint<Field>]

  /// Octets the points take.
  package var byteCount: Int { points.count &* MemoryLayout<AffinePoint<Field>>.stride }

  /// The point for an odd `digit` > 0 in `chunk`.
  @inline(__always)
  subscript(chunk chunk: Int, digit: Int) -> AffinePoint<Field> {
    points[chunk &<< (width &- 2) &+ digit &>> 1]
  }

  /// Makes the table for a point of the curve's group, which has prime order.
  ///
  /// Each level adds 2^k * P to the multiples below 2^k, for all chunks at once, so that one
  /// inversion serves a whole level.
  package init(_ point: AffinePoint<Field>, _ shape: TableShape) {
    chunkLength = shape.chunkLength
    width = shape.width
    let levels = shape.width &- 2
    var current = JacobianPoint(point)
    var powers: [JacobianPoint<Field>] = []
    powers.reserveCapacity(shape.chunkCount &* (levels &+ 1))
    for chunk in 0..<shape.chunkCount {
      for step in 0..<shape.chunkLength {
        if step <= levels { powers.append(current) }
        if chunk &+ 1 == shape.chunkCount && step >= levels { break }
        current.double()
      }
    }
    let bases = PointTable.normalized(powers)
    let stride = levels &+ 1
    let perChunk = 1 &<< levels
    var made = [AffinePoint<Field>](repeating: point, count: shape.chunkCount &* perChunk)
    for chunk in 0..<shape.chunkCount { made[chunk &* perChunk] = bases[chunk &* stride] }
    var differences: [Field] = []
    differences.reserveCapacity(shape.chunkCount &* perChunk / 2)
    for level in 0..<levels {
      let have = 1 &<< level
      differences.removeAll(keepingCapacity: true)
      for chunk in 0..<shape.chunkCount {
        let step = bases[chunk &* stride &+ level &+ 1]
        for index in 0..<have {
          differences.append(step.x - made[chunk &* perChunk &+ index].x)
        }
      }
      Field.invertAll(&differences)
      for chunk in 0..<shape.chunkCount {
        let step = bases[chunk &* stride &+ level &+ 1]
        for index in 0..<have {
          let old = made[chunk &* perChunk &+ index]
          let slope = (step.y - old.y) * differences[chunk &* have &+ index]
          let x = slope.squared() - old.x - step.x
          made[chunk &* perChunk &+ have &+ index] = AffinePoint(
            x: x, y: slope * (old.x - x) - old.y)
        }
      }
    }
    points = made
  }

  /// Makes the table of a key that is used once: one chunk, and one inversion for all.
  ///
  /// After 2P is known, P is written with the same z, and so are 2P and each further odd multiple
  /// that comes from adding 2P to the one before: Meloni's addition, five products and two squares
  /// (New Point Addition Formulae for ECC Applications, 2007).
  init(once point: AffinePoint<Field>, _ shape: TableShape) {
    chunkLength = shape.chunkLength
    width = shape.width
    let count = 1 &<< (shape.width &- 2)
    var double = JacobianPoint(point)
    double.double()
    // P with the z of 2P. Each multiple has the z of the one before times `ratios` of its own.
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
    // From the last z back: 1/z of one multiple is that of the next times the next one's ratio.
    var inverse = z.inverted()
    for index in made.indices.reversed() {
      let square = inverse.squared()
      made[index].x = made[index].x * square
      made[index].y = made[index].y * (square * inverse)
      inverse = inverse * ratios[index]
    }
    points = made
  }

  /// The affine forms, with one inversion. None of the points is infinity.
  private static func normalized(_ points: [JacobianPoint<Field>]) -> [AffinePoint<Field>] {
    var inverses = points.map(\.z)
    Field.invertAll(&inverses)
    return points.indices.map { index in
      let square = inverses[index].squared()
      return AffinePoint(
        x: points[index].x * square, y: points[index].y * (square * inverses[index]))
    }
  }
}

/// How a table is cut.
package struct TableShape: Sendable {
  /// A multiple of the generator's chunk length, so that one loop serves both.
  let chunkLength: Int
  let width: Int
  let chunkCount: Int

  init(chunkLength: Int, width: Int, bits: Int) {
    self.chunkLength = chunkLength
    self.width = width
    // The signed digits of a scalar reach one position beyond its bits.
    chunkCount = (bits &+ chunkLength) / chunkLength
  }
}

/// The shapes of the tables of one curve.
package struct TableLayout: Sendable {
  let generator: TableShape
  let unseen: TableShape
  let reuse: TableShape
  let anchor: TableShape
}

extension FixedField {
  /// Inverts every element, none of which is zero, with one inversion: Montgomery's trick.
  static func invertAll(_ elements: inout [Self]) {
    guard !elements.isEmpty else { return }
    var products: [Self] = []
    products.reserveCapacity(elements.count)
    var product = Self.one
    for element in elements {
      products.append(product)
      product = product * element
    }
    var inverse = product.inverted()
    for index in elements.indices.reversed() {
      let element = elements[index]
      elements[index] = inverse * products[index]
      inverse = inverse * element
    }
  }
}
