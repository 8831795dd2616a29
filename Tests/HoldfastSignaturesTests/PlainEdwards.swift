import HoldfastSignatures

/// A curve of RFC 8032 in affine coordinates: its addition law, division
/// included.
struct PlainEdwards {
  let field: Modulus
  private let d: Natural
  /// Whether the curve is -x² + y² = 1 + d x² y² and not x² + y² = 1 + d x² y².
  private let isTwisted: Bool
  private let octetCount: Int
  private let generatorX: [UInt64]
  private let generatorY: [UInt64]

  struct Point {
    let x: Natural
    let y: Natural
  }

  /// edwards25519, RFC 8032 §5.1: d = -121665 / 121666, and B has y = 4 / 5.
  static func ed25519() -> PlainEdwards? {
    guard let p = Natural(limbs: Field25519.modulus.span), let field = Modulus(p),
      let inverse = field.inverse(Natural(121_666)), let fifth = field.inverse(Natural(5))
    else { return nil }
    let d = field.negated(field.product(Natural(121_665), inverse))
    let y = field.product(Natural(4), fifth).limbs(count: 4) ?? []
    return PlainEdwards(
      field: field, d: d, isTwisted: true, octetCount: 32,
      generatorX: [
        0xc956_2d60_8f25_d51a, 0x692c_c760_9525_a7b2, 0xc0a4_e231_fdd6_dc5c,
        0x2169_36d3_cd6e_53fe,
      ], generatorY: y)
  }

  /// edwards448, RFC 8032 §5.2: d = -39081.
  static func ed448() -> PlainEdwards? {
    let prime: [UInt64] = [.max, .max, .max, 0xffff_fffe_ffff_ffff, .max, .max, .max]
    guard let p = Natural(limbs: prime.span), let field = Modulus(p) else { return nil }
    let d = field.negated(Natural(39_081))
    return PlainEdwards(
      field: field, d: d, isTwisted: false, octetCount: 57,
      generatorX: [
        0x2626_a82b_c70c_c05e, 0x433b_80e1_8b00_938e, 0x12ae_1af7_2ab6_6511,
        0xea6d_e324_a3d3_a464, 0x9e14_6570_470f_1767, 0x221d_15a6_22bf_36da,
        0x4f19_70c6_6bed_0ded,
      ],
      generatorY: [
        0x9808_795b_f230_fa14, 0xfdbd_132c_4ed7_c8ad, 0x3ad3_ff1c_e67c_39c4,
        0x8778_9c1e_05a0_c2d7, 0x4bea_7373_6ca3_9840, 0x8876_2037_56c9_c762,
        0x693f_4671_6eb6_bc24,
      ])
  }

  private init(
    field: Modulus, d: Natural, isTwisted: Bool, octetCount: Int,
    generatorX: [UInt64], generatorY: [UInt64]
  ) {
    self.field = field
    self.d = d
    self.isTwisted = isTwisted
    self.octetCount = octetCount
    self.generatorX = generatorX
    self.generatorY = generatorY
  }

  var generator: Point {
    Point(
      x: Natural(limbs: generatorX.span) ?? Natural(0),
      y: Natural(limbs: generatorY.span) ?? Natural(0))
  }

  var neutral: Point { Point(x: Natural(0), y: Natural(1)) }

  func add(_ left: Point, _ right: Point) -> Point {
    let xx = field.product(left.x, right.x)
    let yy = field.product(left.y, right.y)
    let cross = field.sum(field.product(left.x, right.y), field.product(right.x, left.y))
    let dxxyy = field.product(d, field.product(xx, yy))
    let below = field.inverse(field.sum(Natural(1), dxxyy)) ?? Natural(0)
    let above = field.inverse(field.difference(Natural(1), dxxyy)) ?? Natural(0)
    let straight = isTwisted ? field.sum(yy, xx) : field.difference(yy, xx)
    return Point(x: field.product(cross, below), y: field.product(straight, above))
  }

  func multiple(_ number: Natural, of point: Point) -> Point {
    var sum = neutral
    for bit in (0..<number.bitCount).reversed() {
      sum = add(sum, sum)
      if number.bit(at: bit) { sum = add(sum, point) }
    }
    return sum
  }

  func opposite(_ point: Point) -> Point {
    Point(x: field.negated(point.x), y: point.y)
  }

  /// RFC 8032 §5.1.2 and §5.2.2.
  func encoded(_ point: Point) -> [UInt8] {
    var bytes: [UInt8] = (point.y.bigEndianBytes(count: octetCount) ?? []).reversed()
    if point.x.isOdd { bytes[octetCount - 1] |= 0x80 }
    return bytes
  }
}
