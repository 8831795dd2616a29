/// A point of -x^2 + y^2 = 1 + dx^2y^2 in extended coordinates: x = X/Z, y = Y/Z, xy = T/Z.
/// RFC 8032 §5.1.4. The addition formulas are complete: no case is exceptional.
///
/// T is kept as its factors E and H: only additions need it, and most doublings precede another.
package struct EdwardsPoint: CompletePoint, Sendable {
  var x: Field25519
  var y: Field25519
  var z: Field25519
  private var e: Field25519
  private var h: Field25519

  static var neutral: EdwardsPoint { EdwardsPoint(x: .zero, y: .one) }

  static let d = Field25519(
    0x75eb_4dca_1359_78a3, 0x0070_0a4d_4141_d8ab, 0x8cc7_4079_7779_e898, 0x5203_6cee_2b6f_fe73)
  static let twoD = Field25519(
    0xebd6_9b94_26b2_f159, 0x00e0_149a_8283_b156, 0x198e_80f2_eef3_d130, 0x2406_d9dc_56df_fce7)
  static let rootOfMinusOne = Field25519(
    0xc4ee_1b27_4a0e_a0b0, 0x2f43_1806_ad2f_e478, 0x2b4d_0099_3dfb_d7a7, 0x2b83_2480_4fc1_df0b)

  /// B of RFC 8032 §5.1.
  package static let generator = EdwardsPoint(
    x: Field25519(
      0xc956_2d60_8f25_d51a, 0x692c_c760_9525_a7b2, 0xc0a4_e231_fdd6_dc5c,
      0x2169_36d3_cd6e_53fe),
    y: Field25519(
      0x6666_6666_6666_6658, 0x6666_6666_6666_6666, 0x6666_6666_6666_6666,
      0x6666_6666_6666_6666))

  init(x: Field25519, y: Field25519) {
    (self.x, self.y, z) = (x, y, .one)
    (e, h) = (x, y)
  }

  /// Creates a point from extended coordinates.
  init(x: Field25519, y: Field25519, z: Field25519, t: Field25519) {
    (self.x, self.y, self.z) = (x, y, z)
    (e, h) = (t, .one)
  }

  var t: Field25519 { e * h }

  /// Decodes a point by RFC 8032 §5.1.3; throws for y >= p and for a sign on x = 0.
  package init(_ bytes: Span<UInt8>) throws(KeyError) {
    guard bytes.count == 32 else { throw .wrongLength }
    var words = limbs(littleEndian: bytes)
    let isOdd = words[3] &>> 63 == 1
    words[3] &= .max &>> 1
    let y = Field25519(words[0], words[1], words[2], words[3])
    guard y.canonical == (words[0], words[1], words[2], words[3]) else { throw .nonCanonicalPoint }
    // x^2 = (y^2 - 1) / (d y^2 + 1) = u / v; a root is u v^3 (u v^7)^((p - 5) / 8), perhaps times
    // the root of -1.
    let yy = y.squared()
    let u = yy - .one
    let v = EdwardsPoint.d * yy + .one
    let v3 = v.squared() * v
    var x = u * v3 * (u * v3.squared() * v).raisedForRoot()
    let check = v * x.squared()
    if check != u {
      guard check == .zero - u else { throw .pointNotOnCurve }
      x = x * EdwardsPoint.rootOfMinusOne
    }
    if x.isOdd != isOdd {
      guard !x.isZero else { throw .nonCanonicalPoint }
      x = .zero - x
    }
    self.init(x: x, y: y)
  }

  /// Whether 8 * self is the neutral element.
  package var hasSmallOrder: Bool {
    var multiple = self
    for _ in 0..<3 { multiple.double() }
    return multiple.isNeutral
  }

  var isNeutral: Bool { x.isZero && y == z }

  /// The encoding of RFC 8032 §5.1.2.
  package var encoded: InlineArray<32, UInt8> {
    let inverse = z.inverted()
    let (y0, y1, y2, y3) = (y * inverse).canonical
    let words: InlineArray<4, UInt64> = [
      y0, y1, y2, y3 | ((x * inverse).isOdd ? 1 &<< 63 : 0),
    ]
    return InlineArray { UInt8(truncatingIfNeeded: words[$0 / 8] &>> UInt64(8 * ($0 % 8))) }
  }

  var addend: EdwardsAddend {
    EdwardsAddend(sum: y + x, difference: y - x, twiceDXY: t * EdwardsPoint.twoD)
  }

  var negated: EdwardsPoint {
    var result = self
    (result.x, result.e) = (.zero - x, .zero - e)
    return result
  }

  // Products are inlined in the steps, which are the hot code of a verification: the processor computes
  // several at once.
  @inline(never)
  mutating func double() {
    let a = x.inlineSquare
    let b = y.inlineSquare
    let zz = z.inlineSquare
    let sum = (x + y).inlineSquare
    h = a + b
    e = h - sum
    let g = a - b
    let f = zz.doubled() + g
    x = e.inlineProduct(f)
    y = g.inlineProduct(h)
    z = f.inlineProduct(g)
  }

  mutating func add(_ point: EdwardsAddend) {
    add(point.sum, point.difference, point.twiceDXY, z.doubled())
  }

  mutating func add(_ point: EdwardsAddend, times otherZ: Field25519) {
    add(point.sum, point.difference, point.twiceDXY, (z * otherZ).doubled())
  }

  mutating func subtract(_ point: EdwardsAddend) {
    add(point.difference, point.sum, .zero - point.twiceDXY, z.doubled())
  }

  /// Adds a point given by y + x, y - x and 2dxy, all times its Z; `d` is 2 * Z * its Z.
  @inline(never)
  private mutating func add(
    _ sum: Field25519, _ difference: Field25519, _ twiceDT: Field25519, _ d: Field25519
  ) {
    let a = (y - x).inlineProduct(difference)
    let b = (y + x).inlineProduct(sum)
    let c = e.inlineProduct(h).inlineProduct(twiceDT)
    let f = d - c
    let g = d + c
    e = b - a
    h = b + a
    x = e.inlineProduct(f)
    y = g.inlineProduct(h)
    z = f.inlineProduct(g)
  }
}

/// A point prepared for additions: y + x, y - x, 2dxy, all times its Z.
package struct EdwardsAddend: Sendable {
  let sum: Field25519
  let difference: Field25519
  let twiceDXY: Field25519

  /// The limbs of the three numbers.
  var words: [12 of UInt64] {
    [
      sum.l0, sum.l1, sum.l2, sum.l3,
      difference.l0, difference.l1, difference.l2, difference.l3,
      twiceDXY.l0, twiceDXY.l1, twiceDXY.l2, twiceDXY.l3,
    ]
  }
}
