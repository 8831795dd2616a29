internal import CHoldfastWords

/// A running sum on P-384 whose steps compute independent products at once, with the processor's
/// 52-bit multiplications. `JacobianPoint` does the same on any processor.
struct VectorP384Point: CurveSum {
  typealias Field = FieldP384
  /// The coordinates of a point in eight limbs of 48 bits, x and y in turns.
  typealias Addend = [16 of UInt64]

  /// Whether the processor has the instructions.
  static var isSupported: Bool { VectorMontgomery.isSupported }
  static var neutral: VectorP384Point { VectorP384Point() }
  static let generatorTable = converted(
    PointTable(FieldP384.generator, FieldP384.layout.generator))

  /// X, Y, ZZ and ZZZ in eight limbs of 48 bits, which may be exceeded: limb i of number k is at
  /// 4 * i + k. The affine coordinates are X / ZZ and Y / ZZZ.
  var words = [32 of UInt64](repeating: 0)
  /// Whether nothing has been added.
  private var isNeutral = true

  private init() {}

  /// Creates a sum to which something has been added; for tests.
  init(begunWith words: [32 of UInt64]) {
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
    return Addend { $0 % 2 == 0 ? x[$0 / 2] : y[$0 / 2] }
  }

  mutating func double() {
    var words = words.mutableSpan
    // SAFETY: the function reads and writes the 32 words, and keeps no pointer.
    unsafe words.withUnsafeMutableBufferPointer { words in
      unsafe holdfast_p384_double(words.baseAddress)
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
          unsafe holdfast_p384_begin(words.baseAddress, addend.baseAddress, subtracts ? 1 : 0)
        } else {
          unsafe holdfast_p384_add(words.baseAddress, addend.baseAddress, subtracts ? 1 : 0)
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

  /// One of the four numbers.
  func number(_ number: Int) -> FieldP384 {
    FieldP384(limbs48: InlineArray { words[4 * $0 + number] })
  }
}
