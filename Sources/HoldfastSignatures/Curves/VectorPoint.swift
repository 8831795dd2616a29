internal import CHoldfastInstructions

/// A running sum on a curve whose steps compute independent products at once, in vectors.
/// `JacobianPoint` does the same on any processor.
struct VectorPoint<Curve: VectorCurve>: CurveSum {
  typealias Field = Curve.Field
  typealias Addend = Curve.Addend

  static var neutral: VectorPoint { VectorPoint() }
  static var generatorTable: PointTable<Addend> { Curve.generatorTable }

  /// The affine coordinates are X / ZZ and Y / ZZZ.
  var words = Curve.zero
  /// Whether nothing has been added.
  private var isNeutral = true

  private init() {}

  /// Creates a sum to which something has been added; for tests.
  init(begunWith words: Curve.Words) {
    self.words = words
    isNeutral = false
  }

  static func converted(_ table: PointTable<AffinePoint<Field>>) -> PointTable<Addend> {
    table.map(Curve.addend)
  }

  mutating func double() { Curve.double(&words) }

  mutating func add(_ point: Addend) { add(point, subtracts: false) }

  mutating func subtract(_ point: Addend) { add(point, subtracts: true) }

  private mutating func add(_ point: Addend, subtracts: Bool) {
    if isNeutral {
      isNeutral = false
      Curve.begin(&words, point, subtracts: subtracts)
    } else {
      Curve.add(&words, point, subtracts: subtracts)
    }
  }

  /// The point (X ZZ, Y ZZZ, ZZ) in the other form; nil for ZZ = 0, where a sum of a point and itself
  /// or its opposite came up.
  var point: JacobianPoint<Field>? {
    if isNeutral { return .infinity }
    let (zz, zzz) = (number(2), number(3))
    return zz.isZero ? nil : JacobianPoint(x: number(0) * zz, y: number(1) * zzz, z: zz)
  }

  /// One of the four numbers X, Y, ZZ and ZZZ.
  func number(_ number: Int) -> Field { Curve.number(number, of: words) }
}

/// A curve with a kind of products: the steps of its header, and the words that they take.
protocol VectorCurve: Sendable {
  associatedtype Kind: VectorKind
  associatedtype Field: FixedField
  /// X, Y, ZZ and ZZZ in limbs of 48 bits, which may be exceeded or negative: limb i of number k is
  /// at 4 * i + k.
  associatedtype Words: Sendable
  /// The coordinates of a point in limbs of 48 bits, x and y in turns.
  associatedtype Addend: Sendable

  static var zero: Words { get }
  /// The odd multiples of the generator, computed at the first use.
  static var generatorTable: PointTable<Addend> { get }
  static func addend(_ point: AffinePoint<Field>) -> Addend
  static func number(_ number: Int, of words: Words) -> Field

  static func double(_ words: inout Words)
  /// Makes a point of an addend, or of its opposite.
  static func begin(_ words: inout Words, _ addend: Addend, subtracts: Bool)
  static func add(_ words: inout Words, _ addend: Addend, subtracts: Bool)
}

/// P-256 with 52-bit multiplications. With doubles it would gain too little.
enum VectorP256: VectorCurve {
  typealias Kind = IFMA
  typealias Words = [24 of UInt64]
  typealias Addend = [12 of UInt64]

  static var zero: Words { Words(repeating: 0) }
  static let generatorTable = VectorPoint<VectorP256>.converted(
    PointTable(FieldP256.generator, FieldP256.layout.generator))

  static func addend(_ point: AffinePoint<FieldP256>) -> Addend {
    let (x, y) = (point.x.limbs48, point.y.limbs48)
    return Addend { $0 % 2 == 0 ? x[$0 / 2] : y[$0 / 2] }
  }

  static func number(_ number: Int, of words: Words) -> FieldP256 {
    FieldP256(limbs48: InlineArray { words[4 * $0 + number] })
  }

  static func double(_ words: inout Words) {
    // SAFETY: the function reads and writes the 24 words.
    unsafe withWords(&words) { words in unsafe holdfast_p256_ifma_double(words) }
  }

  static func begin(_ words: inout Words, _ addend: Addend, subtracts: Bool) {
    // SAFETY: the function reads and writes the 24 words, and reads the 12 of the addend.
    unsafe withWords(&words, addend) { words, addend in
      unsafe holdfast_p256_ifma_begin(words, addend, subtracts ? 1 : 0)
    }
  }

  static func add(_ words: inout Words, _ addend: Addend, subtracts: Bool) {
    // SAFETY: the function reads and writes the 24 words, and reads the 12 of the addend.
    unsafe withWords(&words, addend) { words, addend in
      unsafe holdfast_p256_ifma_add(words, addend, subtracts ? 1 : 0)
    }
  }
}

/// P-384 with either kind of products.
enum VectorP384<Kind: P384VectorKind>: VectorCurve {
  typealias Words = [32 of Kind.Word]
  typealias Addend = [16 of Kind.Word]

  static var zero: Words { Words(repeating: Kind.word(0)) }
  static var generatorTable: PointTable<Addend> { Kind.generatorTableP384 }

  static func addend(_ point: AffinePoint<FieldP384>) -> Addend {
    let (x, y) = (point.x.limbs48, point.y.limbs48)
    return Addend { Kind.word($0 % 2 == 0 ? x[$0 / 2] : y[$0 / 2]) }
  }

  /// Four times p makes the limbs positive.
  static func number(_ number: Int, of words: Words) -> FieldP384 {
    FieldP384(
      limbs48: InlineArray { index in
        let limb = Int64(1) &<< 48 &- 1
        let more: Int64 = index == 0 ? 1 &<< 32 : index == 2 ? -(1 &<< 32) &- 1 : 0
        let multiple = 4 &* (limb &+ more)
        return UInt64(truncatingIfNeeded: Kind.limb(words[4 * index + number]) &+ multiple)
      })
  }

  static func double(_ words: inout Words) {
    // SAFETY: the function reads and writes the 32 words.
    unsafe withWords(&words) { words in unsafe Kind.doubleP384(words) }
  }

  static func begin(_ words: inout Words, _ addend: Addend, subtracts: Bool) {
    // SAFETY: the function reads and writes the 32 words, and reads the 16 of the addend.
    unsafe withWords(&words, addend) { words, addend in
      unsafe Kind.beginP384(words, addend, subtracts ? 1 : 0)
    }
  }

  static func add(_ words: inout Words, _ addend: Addend, subtracts: Bool) {
    // SAFETY: the function reads and writes the 32 words, and reads the 16 of the addend.
    unsafe withWords(&words, addend) { words, addend in
      unsafe Kind.addP384(words, addend, subtracts ? 1 : 0)
    }
  }
}

/// P-521 with doubles, which every processor with 52-bit multiplications has too.
enum VectorP521: VectorCurve {
  typealias Kind = Doubles
  typealias Words = [44 of Double]
  typealias Addend = [22 of Double]

  static var zero: Words { Words(repeating: 0) }
  static let generatorTable = VectorPoint<VectorP521>.converted(
    PointTable(FieldP521.generator, FieldP521.layout.generator))

  static func addend(_ point: AffinePoint<FieldP521>) -> Addend {
    let (x, y) = (point.x.limbs48, point.y.limbs48)
    return Addend { Doubles.word($0 % 2 == 0 ? x[$0 / 2] : y[$0 / 2]) }
  }

  /// 2^9 times p, which is four times 2^528 less 2^9, makes the limbs positive.
  static func number(_ number: Int, of words: Words) -> FieldP521 {
    FieldP521(
      limbs48: InlineArray { index in
        let multiple = 4 &* (Int64(1) &<< 48 &- (index == 0 ? 1 &<< 7 : 1))
        return UInt64(truncatingIfNeeded: Doubles.limb(words[4 * index + number]) &+ multiple)
      })
  }

  static func double(_ words: inout Words) {
    // SAFETY: the function reads and writes the 44 words.
    unsafe withWords(&words) { words in unsafe holdfast_p521_doubles_double(words) }
  }

  static func begin(_ words: inout Words, _ addend: Addend, subtracts: Bool) {
    // SAFETY: the function reads and writes the 44 words, and reads the 22 of the addend.
    unsafe withWords(&words, addend) { words, addend in
      unsafe holdfast_p521_doubles_begin(words, addend, subtracts ? 1 : 0)
    }
  }

  static func add(_ words: inout Words, _ addend: Addend, subtracts: Bool) {
    // SAFETY: the function reads and writes the 44 words, and reads the 22 of the addend.
    unsafe withWords(&words, addend) { words, addend in
      unsafe holdfast_p521_doubles_add(words, addend, subtracts ? 1 : 0)
    }
  }
}

/// Calls a function with the place of words, which it may not keep.
@unsafe @inline(__always)
private func withWords<Word, let count: Int>(
  _ words: inout [count of Word], _ body: (UnsafeMutablePointer<Word>?) -> Void
) {
  var words = words.mutableSpan
  // SAFETY: the caller's.
  unsafe words.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress) }
}

/// The same with the place of the words of an addend.
@unsafe @inline(__always)
private func withWords<Word, let count: Int, let addendCount: Int>(
  _ words: inout [count of Word], _ addend: [addendCount of Word],
  _ body: (UnsafeMutablePointer<Word>?, UnsafePointer<Word>?) -> Void
) {
  // SAFETY: the caller's.
  unsafe withWords(&words) { words in
    unsafe addend.span.withUnsafeBufferPointer { unsafe body(words, $0.baseAddress) }
  }
}
