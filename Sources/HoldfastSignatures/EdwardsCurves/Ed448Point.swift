/// A point of edwards448, x² + y² = 1 + d x² y², as (X : Y : Z) with x = X/Z and y = Y/Z,
/// and T = XY/Z for additions. RFC 8032 §5.2.4.
///
/// d is not a square, so the formulas hold for all pairs of points. T is kept as two factors: only
/// additions need it, and most doublings are followed by another.
struct Ed448Point: CompletePoint {
  var x: Ed448Field
  var y: Ed448Field
  var z: Ed448Field
  private var factorsOfT: (Ed448Field, Ed448Field)
  private var t: Ed448Field { factorsOfT.0 * factorsOfT.1 }

  static let neutral = Ed448Point(x: .zero, y: .one)

  /// The base point, RFC 8032 §5.2: the one with y below whose x is even.
  ///
  /// If the constant were wrong, this would be the neutral element, and tests would fail.
  static let base: Ed448Point = {
    let bytes: [57 of UInt8] = [
      0x14, 0xFA, 0x30, 0xF2, 0x5B, 0x79, 0x08, 0x98, 0xAD, 0xC8, 0xD7, 0x4E,
      0x2C, 0x13, 0xBD, 0xFD, 0xC4, 0x39, 0x7C, 0xE6, 0x1C, 0xFF, 0xD3, 0x3A,
      0xD7, 0xC2, 0xA0, 0x05, 0x1E, 0x9C, 0x78, 0x87, 0x40, 0x98, 0xA3, 0x6C,
      0x73, 0x73, 0xEA, 0x4B, 0x62, 0xC7, 0xC9, 0x56, 0x37, 0x20, 0x76, 0x88,
      0x24, 0xBC, 0xB6, 0x6E, 0x71, 0x46, 0x3F, 0x69, 0x00,
    ]
    do throws(KeyError) { return try Ed448Point(bytes.span) } catch { return .neutral }
  }()

  init(x: Ed448Field, y: Ed448Field) {
    (self.x, self.y, z, factorsOfT) = (x, y, .one, (x, y))
  }

  /// Reads the 57 bytes of an encoded point; throws if the encoding is not canonical.
  /// RFC 8032 §5.2.3.
  init(_ bytes: Span<UInt8>) throws(KeyError) {
    guard bytes.count == 57 else { throw .wrongLength }
    // (1): the last byte holds only the sign of x.
    let sign = bytes[56]
    guard sign & 0x7F == 0, let y = Ed448Field(bytes.extracting(0..<56)) else {
      throw .nonCanonicalPoint
    }
    // (2): x² = (y² − 1)/(d y² − 1) = u/v, with numerator and denominator negated. The candidate is
    // u³ v (u⁵ v³)^((p − 3)/4).
    let ySquared = y.squared
    let u = .one - ySquared
    let v = ySquared * Ed448Field.minusD + .one
    let uv = u * v
    let uSquared = u.squared
    let power = (uSquared * uv * uv.squared).powerOfThreeQuarters
    var x = uSquared * uv * power
    // (3)
    guard (u - v * x.squared).isZero else { throw .pointNotOnCurve }
    // (4): zero has no sign.
    if x.isZero, sign != 0 { throw .nonCanonicalPoint }
    if x.isOdd != (sign != 0) { x = (.zero - x) * 1 }  // tight again
    self.init(x: x, y: y)
  }

  /// Whether four times the point is the neutral element. Of the four such points, two have x = 0
  /// and two have y = 0; no other point has either.
  var hasSmallOrder: Bool { x.isZero || y.isZero }

  /// The encoding of the point in 57 bytes. RFC 8032 §5.2.2.
  var bytes: [57 of UInt8] {
    let inverse = z.inverted()
    let yBytes = (y * inverse).bytes
    var bytes = [57 of UInt8](repeating: 0)
    for index in 0..<56 { bytes[index] = yBytes[index] }
    bytes[56] = (x * inverse).isOdd ? 0x80 : 0
    return bytes
  }

  /// The negation of an affine point.
  var negated: Ed448Point { Ed448Point(x: (.zero - x) * 1, y: y) }

  @inline(__always)
  mutating func double() {
    // The formulas of RFC 8032 §5.2.4.
    let b = (x + y).squared
    let c = x.squared
    let d = y.squared
    let h = z.squared
    let e = c + d
    let j = e - (h + h)
    let f = b - e
    let g = c - d
    x = f * j
    y = e * g
    z = e * j
    factorsOfT = (f, g)
  }

  var addend: Ed448Addend {
    Ed448Addend(x: x, y: y, xPlusY: x + y, minusDT: t * Ed448Field.minusD)
  }

  mutating func add(_ other: Ed448Addend) { add(other, z, isNegative: false) }

  mutating func add(_ other: Ed448Addend, times otherZ: Ed448Field) {
    add(other, z * otherZ, isNegative: false)
  }

  mutating func subtract(_ other: Ed448Addend) { add(other, z, isNegative: true) }

  /// Adds or subtracts a point; `d` is Z times its Z.
  @inline(__always)
  private mutating func add(_ other: Ed448Addend, _ d: Ed448Field, isNegative: Bool) {
    // Subtraction adds (−x, y): X and T of the other point change their signs.
    let a = x * other.x
    let b = y * other.y
    let c = t * other.minusDT
    let sum = isNegative ? other.y - other.x : other.xPlusY
    let product = (x + y) * sum
    let e = isNegative ? product + a - b : product - (a + b)
    let f = isNegative ? d - c : d + c
    let g = isNegative ? d + c : d - c
    let h = isNegative ? b + a : b - a
    x = e * f
    y = g * h
    z = f * g
    factorsOfT = (e, h)
  }
}

/// A point prepared for additions, all times its Z.
struct Ed448Addend {
  let x: Ed448Field
  let y: Ed448Field
  let xPlusY: Ed448Field
  let minusDT: Ed448Field
}
