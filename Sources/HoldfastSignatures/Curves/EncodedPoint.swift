internal import HoldfastHashes

/// The form of a point encoded by SEC 1 §2.3.3. The bytes are passed with each call.
struct EncodedPoint {
  private let length: Int
  private let form: Form

  private enum Form {
    case whole
    case compressed(yIsOdd: Bool)
  }

  init(_ bytes: Span<UInt8>, coordinateLength length: Int) throws(KeyError) {
    guard bytes.count > 0 else { throw .malformedPoint }
    switch bytes[0] {
    case 0x00 where bytes.count == 1: throw .pointAtInfinity
    case 0x04 where bytes.count == 1 + 2 * length: form = .whole
    case 0x02 where bytes.count == 1 + length: form = .compressed(yIsOdd: false)
    case 0x03 where bytes.count == 1 + length: form = .compressed(yIsOdd: true)
    default: throw .malformedPoint
    }
    self.length = length
  }

  /// Returns the point, on a curve with a field of fixed width.
  func point<Field: FixedField>(
    _ bytes: Span<UInt8>, _: Field.Type
  ) throws(KeyError) -> AffinePoint<Field> {
    guard let x = limbs(bigEndian: bytes.extracting(x)).flatMap({ Field(limbs: $0) }) else {
      throw .nonCanonicalPoint
    }
    switch form {
    case .whole:
      guard let y = limbs(bigEndian: bytes.extracting(y)).flatMap({ Field(limbs: $0) }) else {
        throw .nonCanonicalPoint
      }
      let point = AffinePoint(x: x, y: y)
      guard point.isOnCurve else { throw .pointNotOnCurve }
      return point
    case .compressed(let yIsOdd):
      guard let point = AffinePoint(x: x, yIsOdd: yIsOdd) else { throw .pointNotOnCurve }
      return point
    }
  }

  /// Returns the coordinates, on any curve, most significant byte first.
  func coordinates(
    _ bytes: Span<UInt8>, on id: NamedCurve
  ) throws(KeyError) -> (x: [UInt8], y: [UInt8]) {
    guard let curve = EllipticCurve(id) else { throw .unsupportedCurve }
    guard let number = Natural(bigEndian: bytes.extracting(x)), number < curve.field.value else {
      throw .nonCanonicalPoint
    }
    switch form {
    case .whole:
      guard let second = Natural(bigEndian: bytes.extracting(y)), second < curve.field.value else {
        throw .nonCanonicalPoint
      }
      guard curve.contains(x: number, y: second) else { throw .pointNotOnCurve }
      return (x.map { bytes[$0] }, y.map { bytes[$0] })
    case .compressed(let yIsOdd):
      guard let y = curve.y(forX: number, isOdd: yIsOdd)?.bigEndianBytes(count: length) else {
        throw .pointNotOnCurve
      }
      return (x.map { bytes[$0] }, y)
    }
  }

  /// The range of x.
  private var x: Range<Int> { 1..<1 + length }

  /// The range of y in an uncompressed point.
  private var y: Range<Int> { 1 + length..<1 + 2 * length }
}

extension AffinePoint {
  /// Decompresses a point; nil if no point has this x.
  init?(x: Field, yIsOdd isOdd: Bool) {
    let threeX = x.doubled() + x
    guard let root = (x.squared() * x - threeX + Field.curveB).squareRoot() else { return nil }
    self.init(x: x, y: root.isOdd == isOdd ? root : Field.zero - root)
  }
}
