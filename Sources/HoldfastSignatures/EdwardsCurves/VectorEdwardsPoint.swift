internal import CHoldfastWords

/// A point of edwards25519 whose steps compute four products at once, with the processor's 52-bit
/// multiplications. `EdwardsPoint` does the same on any processor.
struct VectorEdwardsPoint: CombinedPoint {
  /// Whether the processor has the instructions.
  static var isSupported: Bool { VectorMontgomery.isSupported }
  static var neutral: VectorEdwardsPoint { VectorEdwardsPoint() }

  /// X, Y, Z and T in five limbs of 51 bits, which may be exceeded by a few units: limb i of number
  /// k is at 4 * i + k.
  var words = [20 of UInt64](repeating: 0)

  private init() {
    words[1] = 1
    words[2] = 1
  }

  mutating func double() {
    var words = words.mutableSpan
    // SAFETY: the function reads and writes the 20 words, and keeps no pointer.
    unsafe words.withUnsafeMutableBufferPointer { words in
      unsafe holdfast_edwards_double(words.baseAddress)
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
        unsafe holdfast_edwards_add(words.baseAddress, addend.baseAddress, subtracts ? 1 : 0)
      }
    }
  }

  /// The point in the other form.
  var point: EdwardsPoint { EdwardsPoint(x: number(0), y: number(1), z: number(2), t: number(3)) }

  /// One of the four numbers. All five limbs together are below 2^256.
  private func number(_ number: Int) -> Field25519 {
    let (l1, l2, l3) = (words[4 + number], words[8 + number], words[12 + number])
    let s0 = wide(words[number]) &+ wide(l1 &<< 51)
    let s1 = HoldfastSignatures.add(l1 &>> 13, l2 &<< 38, carryOf: s0)
    let s2 = HoldfastSignatures.add(l2 &>> 26, l3 &<< 25, carryOf: s1)
    let s3 = HoldfastSignatures.add(l3 &>> 39, words[16 + number] &<< 12, carryOf: s2)
    return Field25519(low(s0), low(s1), low(s2), low(s3))
  }
}
