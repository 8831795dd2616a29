internal import CHoldfastInstructions
internal import HoldfastHashes

/// The kinds of products of limbs that processors compute in vectors. Without either, everything is
/// computed portably.
package enum VectorProducts: String, Sendable, CaseIterable {
  /// 52-bit multiplications of AVX-512, and doubles on P-521.
  case ifma
  /// Fused multiplications of doubles.
  case doubles
  /// 32-bit multiplications of Arm's processors, for RSA and edwards25519, where they gain.
  case neon

  /// Those that the processor has, the fastest first. Determined once, since the answer cannot
  /// change during the process.
  package static let supported: [VectorProducts] = [
    holdfast_ifma_supported() != 0 && holdfast_doubles_supported() != 0 ? .ifma : nil,
    holdfast_doubles_supported() != 0 ? .doubles : nil,
    holdfast_neon_gains() != 0 ? .neon : nil,
  ].compactMap { $0 }

  /// The kind that is used.
  package static let best: VectorProducts? = supported.first {
    switch $0 {
    case .ifma: Vectors.all.isUsed
    case .doubles, .neon: Vectors.doubles.isUsed
    }
  }
}

/// A kind of products: the words of its limbs, and in the protocols below the functions of its headers.
///
/// The functions read and write as many words as their callers say, and keep no pointer.
protocol VectorKind: Sendable {
  associatedtype Word: Sendable

  static func word(_ limb: UInt64) -> Word
  /// The whole number of a word; it may be negative.
  static func limb(_ word: Word) -> Int64
}

/// A kind with steps on edwards25519.
protocol EdwardsVectorKind: VectorKind {
  // SAFETY: callers pass pointers to as many words as is said, which the functions do not keep.
  /// Doubles the point of 20 words.
  @unsafe static func double25519(_ point: UnsafeMutablePointer<Word>?)
  /// Adds to the point of 20 words one of 12, or its opposite.
  @unsafe static func add25519(
    _ point: UnsafeMutablePointer<Word>?, _ addend: UnsafePointer<UInt64>?, _ subtracts: Int32)
}

/// A kind with steps on P-384.
protocol P384VectorKind: VectorKind {
  /// The odd multiples of the generator, computed at the first use.
  static var generatorTableP384: PointTable<[16 of Word]> { get }

  // SAFETY: as above.
  /// Doubles the point of 32 words.
  @unsafe static func doubleP384(_ point: UnsafeMutablePointer<Word>?)
  /// Makes a point of 32 words of the 16 of an addend, or of its opposite.
  @unsafe static func beginP384(
    _ point: UnsafeMutablePointer<Word>?, _ addend: UnsafePointer<Word>?, _ subtracts: Int32)
  @unsafe static func addP384(
    _ point: UnsafeMutablePointer<Word>?, _ addend: UnsafePointer<Word>?, _ subtracts: Int32)
}

/// A kind with products of numbers modulo an RSA key's.
protocol MontgomeryVectorKind: VectorKind {
  /// The bits of a limb.
  static var limbBits: Int { get }
  /// The number of limbs for a modulus of some bits, and how many of them R has; nil if it is too
  /// short to gain, or too long.
  static func size(bitCount: Int) -> (count: Int, rows: Int)?
  /// Whether the base is multiplied by R² to convert it; else a division does that, which a product
  /// takes as long as.
  static var convertsByProduct: Bool { get }
  /// How many words more than the limbs of the modulus `constants` has.
  static var extraConstants: Int { get }
  /// What products of `count` limbs need of the modulus: words, and the lowest limb of -1 / modulus.
  static func constants(of modulus: Span<UInt64>, count: Int) -> (words: [Word], inverse: UInt64)
  // SAFETY: as above; the constants are those that the kind has made for this count.
  /// Multiplies numbers of `count` limbs, and divides by R; `product` may be a factor.
  @unsafe static func montgomeryProduct(
    _ product: UnsafeMutablePointer<Word>, _ left: UnsafePointer<Word>,
    _ right: UnsafePointer<Word>, _ modulus: UnsafePointer<Word>, _ inverse: UInt64,
    _ count: Int32)
}

extension MontgomeryVectorKind {
  /// Returns (k · modulus + 1) / 2^bits with k = -1 / modulus modulo 2^bits, in limbs of 64 bits.
  ///
  /// - Parameter bits: Less than 128.
  fileprivate static func quotient(of modulus: Span<UInt64>, bits: Int) -> [70 of UInt64] {
    let lowest = pair(modulus[0], modulus[1])
    // Newton's iteration doubles the number of correct bits; x · x = 1 modulo 8 gives three.
    var inverse = lowest
    for _ in 0..<6 { inverse = inverse &* (2 &- lowest &* inverse) }
    let factor = (0 &- inverse) & (1 &<< UInt128(bits) &- 1)
    // Room for the longest modulus in whole blocks of four limbs, and two limbs more.
    var product = [70 of UInt64](repeating: 0)
    product[0] = 1
    for (start, limb) in [low(factor), high(factor)].enumerated() {
      var carry: UInt128 = 0
      for index in modulus.indices {
        carry = multiply(limb, modulus[index], plus: product[start + index], carryOf: carry)
        product[start + index] = low(carry)
      }
      product[start + modulus.count] = high(carry)
    }
    return product
  }
}

/// 52-bit multiplications.
enum IFMA: EdwardsVectorKind, P384VectorKind, MontgomeryVectorKind {
  typealias Word = UInt64

  static func word(_ limb: UInt64) -> UInt64 { limb }
  static func limb(_ word: UInt64) -> Int64 { Int64(truncatingIfNeeded: word) }

  static let generatorTableP384 = VectorPoint<VectorP384<IFMA>>.converted(
    PointTable(FieldP384.generator, FieldP384.layout.generator))

  // SAFETY: the callers' promises are those of the C functions.
  @unsafe static func doubleP384(_ point: UnsafeMutablePointer<UInt64>?) {
    unsafe holdfast_p384_ifma_double(point)
  }
  @unsafe static func beginP384(
    _ point: UnsafeMutablePointer<UInt64>?, _ addend: UnsafePointer<UInt64>?, _ subtracts: Int32
  ) {
    unsafe holdfast_p384_ifma_begin(point, addend, subtracts)
  }
  @unsafe static func addP384(
    _ point: UnsafeMutablePointer<UInt64>?, _ addend: UnsafePointer<UInt64>?, _ subtracts: Int32
  ) {
    unsafe holdfast_p384_ifma_add(point, addend, subtracts)
  }
  @unsafe static func double25519(_ point: UnsafeMutablePointer<UInt64>?) {
    unsafe holdfast_edwards_ifma_double(point)
  }
  @unsafe static func add25519(
    _ point: UnsafeMutablePointer<UInt64>?, _ addend: UnsafePointer<UInt64>?, _ subtracts: Int32
  ) {
    unsafe holdfast_edwards_ifma_add(point, addend, subtracts)
  }

  static var limbBits: Int { 52 }
  static var convertsByProduct: Bool { true }

  static func size(bitCount: Int) -> (count: Int, rows: Int)? {
    switch bitCount {
    case 1_537...2_078: (40, 40)
    case 2_079...3_118: (64, 60)
    case 3_119...4_158: (80, 80)
    default: nil
    }
  }

  static var extraConstants: Int { 0 }

  static func constants(
    of modulus: Span<UInt64>, count: Int
  ) -> (words: [UInt64], inverse: UInt64) {
    // Newton's iteration doubles the number of correct bits; x · x = 1 modulo 8 gives three.
    var inverse = modulus[0]
    for _ in 0..<5 { inverse = inverse &* (2 &- modulus[0] &* inverse) }
    var words = [UInt64](repeating: 0, count: count)
    for index in words.indices {
      words[index] = Montgomery.limb(at: index, bits: limbBits, of: modulus)
    }
    return (words, (0 &- inverse) & (1 &<< UInt64(limbBits) &- 1))
  }

  // SAFETY: as above.
  @unsafe static func montgomeryProduct(
    _ product: UnsafeMutablePointer<UInt64>, _ left: UnsafePointer<UInt64>,
    _ right: UnsafePointer<UInt64>, _ modulus: UnsafePointer<UInt64>, _ inverse: UInt64,
    _ count: Int32
  ) {
    unsafe holdfast_ifma_product(product, left, right, modulus, inverse, count)
  }
}

/// Fused multiplications of doubles.
enum Doubles: EdwardsVectorKind, P384VectorKind, MontgomeryVectorKind {
  typealias Word = Double

  static func word(_ limb: UInt64) -> Double { Double(Int64(truncatingIfNeeded: limb)) }
  static func limb(_ word: Double) -> Int64 { Int64(word) }

  static let generatorTableP384 = VectorPoint<VectorP384<Doubles>>.converted(
    PointTable(FieldP384.generator, FieldP384.layout.generator))

  // SAFETY: the callers' promises are those of the C functions.
  @unsafe static func doubleP384(_ point: UnsafeMutablePointer<Double>?) {
    unsafe holdfast_p384_doubles_double(point)
  }
  @unsafe static func beginP384(
    _ point: UnsafeMutablePointer<Double>?, _ addend: UnsafePointer<Double>?, _ subtracts: Int32
  ) {
    unsafe holdfast_p384_doubles_begin(point, addend, subtracts)
  }
  @unsafe static func addP384(
    _ point: UnsafeMutablePointer<Double>?, _ addend: UnsafePointer<Double>?, _ subtracts: Int32
  ) {
    unsafe holdfast_p384_doubles_add(point, addend, subtracts)
  }
  @unsafe static func double25519(_ point: UnsafeMutablePointer<Double>?) {
    unsafe holdfast_edwards_doubles_double(point)
  }
  @unsafe static func add25519(
    _ point: UnsafeMutablePointer<Double>?, _ addend: UnsafePointer<UInt64>?, _ subtracts: Int32
  ) {
    unsafe holdfast_edwards_doubles_add(point, addend, subtracts)
  }

  static var limbBits: Int { 50 }
  static var convertsByProduct: Bool { false }

  /// The multiple of the modulus that is used has 100 bits more, and must be below R / 4.
  static func size(bitCount: Int) -> (count: Int, rows: Int)? {
    switch bitCount {
    case 1_537...2_098: (44, 44)
    case 2_099...3_098: (64, 64)
    case 3_099...4_098: (84, 84)
    default: nil
    }
  }

  static var extraConstants: Int { 3 }

  /// (k · modulus + 1) / 2^100 with k = -1 / modulus modulo 2^100; a zero before it and two after it.
  static func constants(
    of modulus: Span<UInt64>, count: Int
  ) -> (words: [Double], inverse: UInt64) {
    let product = quotient(of: modulus, bits: 100)
    var words = [Double](repeating: 0, count: count + extraConstants)
    for index in 1...count {
      words[index] = word(Montgomery.limb(at: index + 1, bits: limbBits, of: product.span))
    }
    return (words, 0)
  }

  // SAFETY: as above.
  @unsafe static func montgomeryProduct(
    _ product: UnsafeMutablePointer<Double>, _ left: UnsafePointer<Double>,
    _ right: UnsafePointer<Double>, _ modulus: UnsafePointer<Double>, _: UInt64, _ count: Int32
  ) {
    // A zero stands before the limbs of the modulus.
    unsafe holdfast_doubles_product(product, left, right, modulus + 1, count)
  }
}

/// 32-bit multiplications on edwards25519: a word is a limb of 51 bits in two parts with signs, of 26
/// bits and 25.
enum NEONPairs: EdwardsVectorKind {
  typealias Word = UInt64

  static func word(_ limb: UInt64) -> UInt64 {
    // The lower part is the nearest to zero.
    let lower = Int64(truncatingIfNeeded: limb &<< 38) &>> 38
    let upper = (Int64(truncatingIfNeeded: limb) &- lower) &>> 26
    return UInt64(truncatingIfNeeded: lower) & 0xffff_ffff
      | UInt64(truncatingIfNeeded: upper) &<< 32
  }
  static func limb(_ word: UInt64) -> Int64 {
    let lower = Int32(truncatingIfNeeded: word)
    let upper = Int64(truncatingIfNeeded: word) &>> 32
    return Int64(lower) &+ upper &<< 26
  }

  // SAFETY: the callers' promises are those of the C functions.
  @unsafe static func double25519(_ point: UnsafeMutablePointer<UInt64>?) {
    unsafe holdfast_edwards_neon_double(point)
  }
  @unsafe static func add25519(
    _ point: UnsafeMutablePointer<UInt64>?, _ addend: UnsafePointer<UInt64>?, _ subtracts: Int32
  ) {
    unsafe holdfast_edwards_neon_add(point, addend, subtracts)
  }
}

/// 32-bit multiplications modulo the numbers of RSA keys.
enum NEONLimbs: MontgomeryVectorKind {
  typealias Word = UInt32

  static func word(_ limb: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: limb) }
  static func limb(_ word: UInt32) -> Int64 { Int64(word) }

  static var limbBits: Int { 28 }
  static var convertsByProduct: Bool { false }

  /// The multiple of the modulus that is used has 56 bits more, and must be below R / 4. In more limbs
  /// the sums of their products do not fit into 64 bits.
  static func size(bitCount: Int) -> (count: Int, rows: Int)? {
    switch bitCount {
    case 1_537...2_070: (76, 76)
    case 2_071...3_078: (112, 112)
    default: nil
    }
  }

  static var extraConstants: Int { 8 }

  /// (k · modulus + 1) / 2^56 with k = -1 / modulus modulo 2^56; four zeros before it and after it.
  static func constants(
    of modulus: Span<UInt64>, count: Int
  ) -> (words: [UInt32], inverse: UInt64) {
    let product = quotient(of: modulus, bits: 56)
    var words = [UInt32](repeating: 0, count: count + extraConstants)
    for index in 0..<count {
      words[index + 4] = word(
        Montgomery.limb(at: index + 2, bits: limbBits, of: product.span))
    }
    return (words, 0)
  }

  // SAFETY: as above.
  @unsafe static func montgomeryProduct(
    _ product: UnsafeMutablePointer<UInt32>, _ left: UnsafePointer<UInt32>,
    _ right: UnsafePointer<UInt32>, _ modulus: UnsafePointer<UInt32>, _: UInt64, _ count: Int32
  ) {
    // Four zeros stand before the limbs of the modulus.
    unsafe holdfast_neon_product(product, left, right, modulus + 4, count)
  }
}
