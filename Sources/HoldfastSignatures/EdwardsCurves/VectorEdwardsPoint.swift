/// A point of edwards25519 whose steps compute four products at once, in vectors. `EdwardsPoint` does
/// the same on any processor.
struct VectorEdwardsPoint<Kind: EdwardsVectorKind>: CombinedPoint {
  static var neutral: VectorEdwardsPoint { VectorEdwardsPoint() }

  /// X, Y, Z and T in five limbs of 51 bits, which may be exceeded by a few units, or negative:
  /// limb i of number k is at 4 * i + k.
  var words = [20 of Kind.Word](repeating: Kind.word(0))

  private init() {
    words[1] = Kind.word(1)
    words[2] = Kind.word(1)
  }

  mutating func double() {
    var words = words.mutableSpan
    // SAFETY: the function reads and writes the 20 words, and keeps no pointer.
    unsafe words.withUnsafeMutableBufferPointer { words in
      unsafe Kind.double25519(words.baseAddress)
    }
  }

  mutating func add(_ point: EdwardsAddend) { add(point, subtracts: false) }

  mutating func subtract(_ point: EdwardsAddend) { add(point, subtracts: true) }

  private mutating func add(_ point: EdwardsAddend, subtracts: Bool) {
    let addend = point.words
    var words = words.mutableSpan
    // SAFETY: the function reads the 12 words of the addend, reads and writes the 20 of the point,
    // and keeps no pointer.
    unsafe words.withUnsafeMutableBufferPointer { words in
      unsafe addend.span.withUnsafeBufferPointer { addend in
        unsafe Kind.add25519(words.baseAddress, addend.baseAddress, subtracts ? 1 : 0)
      }
    }
  }

  /// The point in the other form.
  var point: EdwardsPoint { EdwardsPoint(x: number(0), y: number(1), z: number(2), t: number(3)) }

  /// One of the four numbers. Twice p makes its limbs positive.
  private func number(_ number: Int) -> Field25519 {
    let limbs: [5 of UInt64] = InlineArray { index in
      let twice = 1 &<< 52 &- (index == 0 ? 38 : 2) as Int64
      return UInt64(truncatingIfNeeded: Kind.limb(words[4 * index + number]) &+ twice)
    }
    return Field25519(limbs51: limbs)
  }
}
