/// A running sum to which points of tables are added.
protocol CombinedPoint {
  /// A point in the form in which tables hold it.
  associatedtype Addend: Sendable

  static var neutral: Self { get }
  mutating func double()
  mutating func add(_ point: Addend)
  mutating func subtract(_ point: Addend)
}

/// A point whose addition formulas are complete: no case is exceptional.
protocol CompletePoint: CombinedPoint {
  associatedtype Field: Invertible

  /// Creates a point from affine coordinates, with Z = 1.
  init(x: Field, y: Field)

  var x: Field { get }
  var y: Field { get }
  var z: Field { get }
  /// The point prepared for additions, all times Z.
  var addend: Addend { get }
  /// Adds a point prepared with a Z other than 1.
  mutating func add(_ point: Addend, times otherZ: Field)
}

/// Odd multiples of a point and of its doublings: for each chunk c of a scalar split into chunks of
/// `chunkLength` bits, d * 2^(c * chunkLength) * P for d = 1, 3, 5, … below 2^(width-1). More
/// chunks mean fewer doublings, a greater width means fewer additions.
package struct PointTable<Addend: Sendable>: Sendable {
  let chunkLength: Int
  let width: Int
  private let points: [Addend]

  /// - Parameter points: The multiples of the first chunk, followed by those of the others.
  init(_ points: [Addend], _ shape: TableShape) {
    self.init(points, chunkLength: shape.chunkLength, width: shape.width)
  }

  init(_ points: [Addend], chunkLength: Int, width: Int) {
    self.chunkLength = chunkLength
    self.width = width
    self.points = points
  }

  /// The point for an odd `digit` > 0 in `chunk`.
  @inline(__always)
  subscript(chunk chunk: Int, digit: Int) -> Addend {
    points[chunk &<< (width &- 2) &+ digit &>> 1]
  }

  /// Returns the table with every point in another form.
  func map<Other>(_ form: (Addend) -> Other) -> PointTable<Other> {
    PointTable<Other>(points.map(form), chunkLength: chunkLength, width: width)
  }
}

/// The shape of a table.
package struct TableShape: Sendable {
  /// A multiple of the generator's chunk length, so that one loop serves both.
  let chunkLength: Int
  let width: Int
  let chunkCount: Int

  init(chunkLength: Int, width: Int, bits: Int) {
    self.chunkLength = chunkLength
    self.width = width
    // The signed digits of a scalar extend one position beyond its bits.
    chunkCount = (bits &+ chunkLength) / chunkLength
  }
}

extension CombinedPoint {
  /// Returns u1 * G + u2 * Q, with shared doublings, for scalars of at most `bits` bits.
  @inline(__always)
  static func combination(
    _ u1: Limbs, _ generator: PointTable<Addend>, _ u2: Limbs, _ table: PointTable<Addend>,
    bits: Int
  ) -> Self {
    combination(
      SignedDigits(u1, bits: bits, width: generator.width), generator, every: table.chunkLength,
      SignedDigits(u2, bits: bits, width: table.width), table)
  }

  /// Returns the sum of the points for the digits, with shared doublings; those of the generator are
  /// split into chunks of `generatorLength`, a multiple of its table's chunks.
  @inline(__always)
  static func combination(
    _ left: SignedDigits, _ generator: PointTable<Addend>, every generatorLength: Int,
    _ right: SignedDigits, _ table: PointTable<Addend>
  ) -> Self {
    // Spans, because passing an inline array copies it.
    let leftDigits = left.digits.span.extracting(first: left.count)
    let rightDigits = right.digits.span.extracting(first: right.count)
    let length = table.chunkLength
    let generatorStep = generatorLength / generator.chunkLength
    var sum = Self.neutral
    var offset = min(length, max(left.count, right.count))
    while offset > 0 {
      offset = offset &- 1
      sum.double()
      sum.addDigits(of: rightDigits, at: offset, step: length, table, 1)
      if offset < generatorLength {
        sum.addDigits(
          of: leftDigits, at: offset, step: generatorLength, generator, generatorStep)
      }
    }
    return sum
  }

  /// Adds the points for the digits at `offset` of each chunk.
  @inline(__always)
  private mutating func addDigits(
    of digits: Span<Int16>, at offset: Int, step: Int, _ table: PointTable<Addend>,
    _ chunkStep: Int
  ) {
    var position = offset
    var chunk = 0
    while position < digits.count {
      let digit = Int(digits[position])
      if digit > 0 {
        add(table[chunk: chunk, digit])
      } else if digit < 0 {
        subtract(table[chunk: chunk, 0 &- digit])
      }
      position = position &+ step
      chunk = chunk &+ chunkStep
    }
  }
}
