/// Odd multiples of a point and of its images under doubling, as in `PointTable`.
struct EdwardsTable: Sendable {
  let chunkLength: Int
  let width: Int
  private let points: [EdwardsAddend]

  /// B's odd multiples, made at the first use.
  static let generator = EdwardsTable(.generator, generatorShape)

  static let generatorShape = TableShape(chunkLength: 16, width: 8, bits: 253)
  static let unseenShape = TableShape(chunkLength: 256, width: 5, bits: 253)
  static let reuseShape = TableShape(chunkLength: 64, width: 5, bits: 253)
  static let anchorShape = TableShape(chunkLength: 16, width: 7, bits: 253)

  var byteCount: Int { points.count &* MemoryLayout<EdwardsAddend>.stride }

  /// The point for an odd `digit` > 0 in `chunk`.
  @inline(__always)
  subscript(chunk chunk: Int, digit: Int) -> EdwardsAddend {
    points[chunk &<< (width &- 2) &+ digit &>> 1]
  }

  init(_ point: EdwardsPoint, _ shape: TableShape) {
    chunkLength = shape.chunkLength
    width = shape.width
    let perChunk = 1 &<< (shape.width &- 2)
    var multiples: [EdwardsPoint] = []
    multiples.reserveCapacity(shape.chunkCount &* perChunk)
    var base = point
    for chunk in 0..<shape.chunkCount {
      var twice = base
      twice.double(keepingT: true)
      let step = EdwardsStep(twice)
      var multiple = base
      for index in 0..<perChunk {
        if index > 0 { multiple.add(step) }
        multiples.append(multiple)
      }
      if chunk &+ 1 == shape.chunkCount { break }
      base = twice
      for _ in 1..<shape.chunkLength { base.double(keepingT: true) }
    }
    points = EdwardsTable.normalized(multiples)
  }

  /// The affine forms, with one inversion: Montgomery's trick. No Z is zero, because the formulas
  /// are complete.
  private static func normalized(_ points: [EdwardsPoint]) -> [EdwardsAddend] {
    var products: [Field25519] = []
    products.reserveCapacity(points.count)
    var product = Field25519.one
    for point in points {
      products.append(product)
      product = product * point.z
    }
    var inverse = product.inverted()
    var addends = [EdwardsAddend](
      repeating: EdwardsAddend(sum: .one, difference: .one, twiceDXY: .zero), count: points.count)
    for index in points.indices.reversed() {
      let ownInverse = inverse * products[index]
      inverse = inverse * points[index].z
      addends[index] = EdwardsAddend(
        x: points[index].x * ownInverse, y: points[index].y * ownInverse)
    }
    return addends
  }
}
