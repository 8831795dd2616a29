package import HoldfastHashes

/// A curve y^2 = x^3 + ax + b over a prime field with a generator of prime order.
///
/// Plain and general: it serves the curves without a field of fixed width, and is the oracle of
/// those with one.
package struct EllipticCurve: Sendable {
  package let field: Modulus
  package let order: Modulus
  let a: Natural
  let b: Natural
  package let generator: Point

  /// A point in Jacobian coordinates, (x / z^2, y / z^3); z = 0 is infinity.
  package struct Point: Sendable {
    package let x: Natural
    package let y: Natural
    package let z: Natural

    package init(x: Natural, y: Natural, z: Natural = Natural(1)) {
      self.x = x
      self.y = y
      self.z = z
    }

    package static var infinity: Point { Point(x: Natural(1), y: Natural(1), z: Natural(0)) }
    package var isInfinity: Bool { z.isZero }
  }

  /// Creates a curve; nil for P-192.
  package init?(_ curve: NamedCurve) {
    guard let parameters = curve.parameters, let p = Natural(limbs: parameters.p.span),
      let field = Modulus(p),
      let n = Natural(limbs: parameters.n.span), let order = Modulus(n),
      let a = Natural(limbs: parameters.a.span), let b = Natural(limbs: parameters.b.span),
      let x = Natural(limbs: parameters.generatorX.span),
      let y = Natural(limbs: parameters.generatorY.span)
    else { return nil }
    self.field = field
    self.order = order
    self.a = a
    self.b = b
    generator = Point(x: x, y: y)
  }
}

extension EllipticCurve {
  /// Returns x^3 + ax + b.
  private func rightSide(_ x: Natural) -> Natural {
    let cubePlus = field.product(field.sum(field.square(x), a), x)
    return field.sum(cubePlus, b)
  }

  package func contains(x: Natural, y: Natural) -> Bool {
    field.square(y) == rightSide(x)
  }

  /// Returns the y of a compressed point; nil if no point has this x.
  package func y(forX x: Natural, isOdd: Bool) -> Natural? {
    guard let root = squareRoot(rightSide(x)) else { return nil }
    // y = 0 has no odd counterpart, but no point of these groups has y = 0.
    return root.isOdd == isOdd ? root : field.negated(root)
  }

  /// Returns a square root of `number`, which is below p, if there is one: the Tonelli-Shanks
  /// algorithm, which for p = 3 modulo 4 is one power.
  func squareRoot(_ number: Natural) -> Natural? {
    if number.isZero { return Natural(0) }
    guard let less = field.value.subtracting(Natural(1)) else { return nil }
    let half = less.shiftedRight(by: 1)
    var twos = 0
    while !less.bit(at: twos), twos < field.value.bitCount { twos += 1 }
    let odd = less.shiftedRight(by: twos)
    guard let halfOdd = odd.adding(Natural(1))?.shiftedRight(by: 1),
      var root = field.power(number, halfOdd)
    else { return nil }
    if field.square(root) == number { return root }
    // p = 3 modulo 4: there is no other candidate.
    guard twos > 1, let symbol = field.power(number, half), symbol == Natural(1),
      var rest = field.power(number, odd)
    else { return nil }
    // p = 1 modulo 4: a non-residue generates the missing 2^twos-th roots of 1.
    var candidate: UInt64 = 2
    while candidate < 1_000, let symbol = field.power(Natural(candidate), half),
      symbol == Natural(1)
    {
      candidate += 1
    }
    guard var factor = field.power(Natural(candidate), odd) else { return nil }
    var remaining = twos
    while !(rest == Natural(1)) {
      var order = 0
      var power = rest
      while !(power == Natural(1)), order < remaining {
        power = field.square(power)
        order += 1
      }
      guard order < remaining else { return nil }
      for _ in 0..<(remaining - order - 1) { factor = field.square(factor) }
      root = field.product(root, factor)
      factor = field.square(factor)
      rest = field.product(rest, factor)
      remaining = order
    }
    return root
  }
}

extension EllipticCurve {
  package func double(_ point: Point) -> Point {
    let yy = field.square(point.y)
    let xx = field.square(point.x)
    let zz = field.square(point.z)
    let xyy = field.product(point.x, yy)
    let s = field.product(xyy, Natural(4))
    let slope = field.sum(
      field.product(xx, Natural(3)), field.product(a, field.square(zz)))
    let x = field.difference(field.square(slope), field.sum(s, s))
    let y = field.difference(
      field.product(slope, field.difference(s, x)),
      field.product(field.square(yy), Natural(8)))
    let yz = field.product(point.y, point.z)
    return Point(x: x, y: y, z: field.sum(yz, yz))
  }

  package func add(_ left: Point, _ right: Point) -> Point {
    if left.isInfinity { return right }
    if right.isInfinity { return left }
    let leftZZ = field.square(left.z)
    let rightZZ = field.square(right.z)
    let leftX = field.product(left.x, rightZZ)
    let rightX = field.product(right.x, leftZZ)
    let leftY = field.product(left.y, field.product(rightZZ, right.z))
    let rightY = field.product(right.y, field.product(leftZZ, left.z))
    let h = field.difference(rightX, leftX)
    let r = field.difference(rightY, leftY)
    if h.isZero { return r.isZero ? double(left) : .infinity }
    let hh = field.square(h)
    let hhh = field.product(hh, h)
    let v = field.product(leftX, hh)
    let x = field.difference(field.difference(field.square(r), hhh), field.sum(v, v))
    let y = field.difference(
      field.product(r, field.difference(v, x)), field.product(leftY, hhh))
    return Point(x: x, y: y, z: field.product(field.product(left.z, right.z), h))
  }

  /// Returns u1 * G + u2 * point, computed bit by bit.
  package func combination(
    _ u1: Natural, _ u2: Natural, _ point: Point
  ) -> Point {
    let both = add(generator, point)
    var sum = Point.infinity
    for bit in (0..<max(u1.bitCount, u2.bitCount)).reversed() {
      sum = double(sum)
      switch (u1.bit(at: bit), u2.bit(at: bit)) {
      case (true, true): sum = add(sum, both)
      case (true, false): sum = add(sum, generator)
      case (false, true): sum = add(sum, point)
      case (false, false): break
      }
    }
    return sum
  }

  /// Returns the affine x; nil for infinity.
  package func affineX(_ point: Point) -> Natural? {
    guard let inverse = field.inverse(point.z) else { return nil }
    return field.product(point.x, field.square(inverse))
  }
}
