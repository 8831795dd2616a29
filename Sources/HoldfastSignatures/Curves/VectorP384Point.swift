/// A running sum on P-384 whose steps compute independent products at once, in vectors.
/// `JacobianPoint` does the same on any processor.
struct VectorP384Point<Kind: VectorKind>: CurveSum {
  typealias Field = FieldP384
  /// The coordinates of a point in eight limbs of 48 bits, x and y in turns.
  typealias Addend = [16 of Kind.Word]

  static var neutral: VectorP384Point { VectorP384Point() }
  static var generatorTable: PointTable<Addend> { Kind.generatorTableP384 }

  /// X, Y, ZZ and ZZZ in eight limbs of 48 bits, which may be exceeded or negative: limb i of number
  /// k is at 4 * i + k. The affine coordinates are X / ZZ and Y / ZZZ.
  var words = [32 of Kind.Word](repeating: Kind.word(0))
  /// Whether nothing has been added.
  private var isNeutral = true

  private init() {}

  /// Creates a sum to which something has been added; for tests.
  init(begunWith words: [32 of Kind.Word]) {
    self.words = words
    isNeutral = false
  }

  static func converted(
    _ table: PointTable<AffinePoint<FieldP384>>
  ) -> PointTable<Addend> {
    table.map(addend)
  }

  /// Returns a point in the form of an addend.
  static func addend(_ point: AffinePoint<FieldP384>) -> Addend {
    let (x, y) = (point.x.limbs48, point.y.limbs48)
    return Addend { Kind.word($0 % 2 == 0 ? x[$0 / 2] : y[$0 / 2]) }
  }

  mutating func double() {
    var words = words.mutableSpan
    // SAFETY: the function reads and writes the 32 words, and keeps no pointer.
    unsafe words.withUnsafeMutableBufferPointer { words in
      unsafe Kind.doubleP384(words.baseAddress)
    }
  }

  mutating func add(_ point: Addend) { add(point, subtracts: false) }

  mutating func subtract(_ point: Addend) { add(point, subtracts: true) }

  private mutating func add(_ point: Addend, subtracts: Bool) {
    let begins = isNeutral
    isNeutral = false
    var words = words.mutableSpan
    // SAFETY: the functions read the 16 words of the addend, read and write the 32 of the point, and
    // keep no pointer.
    unsafe words.withUnsafeMutableBufferPointer { words in
      unsafe point.span.withUnsafeBufferPointer { addend in
        if begins {
          unsafe Kind.beginP384(words.baseAddress, addend.baseAddress, subtracts ? 1 : 0)
        } else {
          unsafe Kind.addP384(words.baseAddress, addend.baseAddress, subtracts ? 1 : 0)
        }
      }
    }
  }

  /// The point (X ZZ, Y ZZZ, ZZ) in the other form; nil for ZZ = 0, where a sum of a point and itself
  /// or its opposite came up.
  var point: JacobianPoint<FieldP384>? {
    if isNeutral { return .infinity }
    let (zz, zzz) = (number(2), number(3))
    return zz.isZero ? nil : JacobianPoint(x: number(0) * zz, y: number(1) * zzz, z: zz)
  }

  /// One of the four numbers. Four times p makes its limbs positive.
  func number(_ number: Int) -> FieldP384 {
    FieldP384(
      limbs48: InlineArray { index in
        let limb = Int64(1) &<< 48 &- 1
        let more: Int64 = index == 0 ? 1 &<< 32 : index == 2 ? -(1 &<< 32) &- 1 : 0
        let multiple = 4 &* (limb &+ more)
        return UInt64(truncatingIfNeeded: Kind.limb(words[4 * index + number]) &+ multiple)
      })
  }
}
