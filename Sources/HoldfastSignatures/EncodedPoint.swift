/// A point as SEC 1 §2.3.3 writes it, cut into its parts.
struct EncodedPoint {
  private let x: [UInt8]
  private let y: Second

  private enum Second {
    case whole([UInt8])
    case isOdd(Bool)
  }

  init(_ octets: Span<UInt8>, coordinateLength length: Int) throws(KeyError) {
    guard octets.count > 0 else { throw .malformedPoint }
    var x: [UInt8] = []
    var y: [UInt8] = []
    for index in 1..<max(1, octets.count) {
      if index <= length { x.append(octets[index]) } else { y.append(octets[index]) }
    }
    switch octets[0] {
    case 0x00 where octets.count == 1: throw .pointAtInfinity
    case 0x04 where octets.count == 1 + 2 * length: self.y = .whole(y)
    case 0x02 where octets.count == 1 + length: self.y = .isOdd(false)
    case 0x03 where octets.count == 1 + length: self.y = .isOdd(true)
    default: throw .malformedPoint
    }
    self.x = x
  }

  /// The point on a curve of fixed width.
  func point<Field: FixedField>(_: Field.Type) throws(KeyError) -> AffinePoint<Field> {
    guard let x = limbs(bigEndian: x.span).flatMap({ Field(limbs: $0) }) else {
      throw .nonCanonicalPoint
    }
    switch y {
    case .whole(let y):
      guard let y = limbs(bigEndian: y.span).flatMap({ Field(limbs: $0) }) else {
        throw .nonCanonicalPoint
      }
      let point = AffinePoint(x: x, y: y)
      guard point.isOnCurve else { throw .pointNotOnCurve }
      return point
    case .isOdd(let isOdd):
      guard let point = AffinePoint(x: x, yIsOdd: isOdd) else { throw .pointNotOnCurve }
      return point
    }
  }

  /// The coordinates on any curve, most significant octet first.
  func coordinates(on id: CurveID) throws(KeyError) -> (x: [UInt8], y: [UInt8]) {
    guard let curve = EllipticCurve(id) else { throw .unsupportedCurve }
    guard let number = Natural(bigEndian: x.span), number < curve.field.value else {
      throw .nonCanonicalPoint
    }
    switch y {
    case .whole(let y):
      guard let second = Natural(bigEndian: y.span), second < curve.field.value else {
        throw .nonCanonicalPoint
      }
      guard curve.contains(x: number, y: second) else { throw .pointNotOnCurve }
      return (x, y)
    case .isOdd(let isOdd):
      guard let y = curve.y(forX: number, isOdd: isOdd)?.bigEndianOctets(count: x.count) else {
        throw .pointNotOnCurve
      }
      return (x, y)
    }
  }
}

extension AffinePoint {
  /// The point of a compressed form; nil if no point has this x.
  init?(x: Field, yIsOdd isOdd: Bool) {
    let threeX = x.doubled() + x
    guard let root = (x.squared() * x - threeX + Field.curveB).squareRoot() else { return nil }
    self.init(x: x, y: root.isOdd == isOdd ? root : Field.zero - root)
  }
}
