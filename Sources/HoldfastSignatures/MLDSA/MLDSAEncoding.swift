internal import HoldfastHashes

/// The decoding of keys and signatures. FIPS 204 §7.2.
extension MLDSAPolynomial {
  /// Reads the polynomial 2^13 t₁ from 320 bytes, ten bits per coefficient. FIPS 204 algorithms 18
  /// and 23; every value is valid for t₁.
  ///
  /// Coefficients are below q: 1023 · 2^13 = q − 1.
  init?(highBits bytes: Span<UInt8>) {
    guard bytes.count == 320 else { return nil }
    self.init()
    var w = coefficients.mutableSpan
    for group in 0..<64 {
      var bits: UInt64 = 0
      for index in 0..<5 {
        bits |= UInt64(bytes[5 &* group &+ index]) &<< UInt64(8 &* index)
      }
      for index in 0..<4 {
        let value = UInt32(truncatingIfNeeded: bits &>> UInt64(10 &* index)) & 0x3FF
        w[4 &* group &+ index] = value &<< 13
      }
    }
  }

  /// Reads one polynomial of the response z; `nil` unless the absolute value of every coefficient
  /// is below γ₁ − β. FIPS 204 algorithms 19 and 27, and the check in algorithm 8.
  ///
  /// Coefficients are below 2q.
  ///
  /// - Parameter portably: Whether to read them in Swift even if the processor has vectors.
  init?(response bytes: Span<UInt8>, _ parameters: MLDSAParameters, portably: Bool = false) {
    guard bytes.count == parameters.responseLength else { return nil }
    self.init()
    let gamma1 = UInt32(1) &<< UInt32(parameters.gamma1Bits)
    let width = parameters.gamma1Bits &+ 1
    // Four coefficients fill 9 or 10 bytes.
    let groupLength = width / 2
    // The bytes hold γ₁ − z, so the check is β < γ₁ − z < 2γ₁ − β.
    let least = parameters.beta &+ 1
    let span = 2 &* gamma1 &- 2 &* parameters.beta &- 1
    guard portably || !Self.hasVectors else {
      guard readInVectors(bytes, bits: width, least: least, span: span) else { return nil }
      return
    }
    var isWithinBound = true
    var w = coefficients.mutableSpan
    for group in 0..<64 {
      let start = group &* groupLength
      var low: UInt64 = 0
      for index in 0..<5 { low |= UInt64(bytes[start &+ index]) &<< UInt64(8 &* index) }
      var high: UInt64 = 0
      for index in 5..<groupLength {
        high |= UInt64(bytes[start &+ index]) &<< UInt64(8 &* (index &- 5))
      }
      // `low` has 40 bits: two coefficients of 20, or two of 18 and four bits more.
      let rest = low &>> UInt64(2 &* width) | high &<< UInt64(40 &- 2 &* width)
      let values: [4 of UInt64] = [low, low &>> UInt64(width), rest, rest &>> UInt64(width)]
      for index in 0..<4 {
        let value = UInt32(truncatingIfNeeded: values[index]) & (2 &* gamma1 &- 1)
        isWithinBound = isWithinBound && value &- least < span
        w[4 &* group &+ index] = Self.modulus &+ gamma1 &- value
      }
    }
    guard isWithinBound else { return nil }
  }
}

/// The hint h of a signature: for each row, the coefficients whose high-order part changes.
/// FIPS 204 §7.2, algorithm 21.
struct MLDSAHint {
  /// The positions, row by row; at most 80.
  private var positions = [80 of UInt8](repeating: 0)
  /// The end of each of up to eight rows in `positions`.
  private var ends = [8 of Int](repeating: 0)

  /// Reads ω + k bytes; `nil` unless they are the canonical encoding of a hint.
  init?(_ bytes: Span<UInt8>, _ parameters: MLDSAParameters) {
    let omega = parameters.omega
    guard bytes.count == omega &+ parameters.rows else { return nil }
    var index = 0
    for row in 0..<parameters.rows {
      let end = Int(bytes[omega &+ row])
      guard index <= end, end <= omega else { return nil }
      let first = index
      while index < end {
        // Strictly ascending within a row; otherwise a hint would have many encodings.
        guard index == first || bytes[index &- 1] < bytes[index] else { return nil }
        positions[index] = bytes[index]
        index &+= 1
      }
      ends[row] = end
    }
    while index < omega {
      guard bytes[index] == 0 else { return nil }
      index &+= 1
    }
  }

  /// Returns the indices, for `position(_:)`, of the positions in a row.
  func range(ofRow row: Int) -> Range<Int> {
    (row == 0 ? 0 : ends[row &- 1])..<ends[row]
  }

  func position(_ index: Int) -> Int { Int(positions[index]) }
}

/// The high-order parts of a row of w′, and their encoding. FIPS 204 §7.4 and algorithm 28.
struct MLDSACommitment {
  /// 128 bytes for a γ₂ of (q − 1)/32, 192 for (q − 1)/88.
  private(set) var bytes = [192 of UInt8](repeating: 0)
  let count: Int

  /// Computes the parts from the row without its hint, with coefficients below q, and the hint.
  init(
    row: Int, of approximation: MLDSAPolynomial, hint: MLDSAHint, _ parameters: MLDSAParameters
  ) {
    let gamma2 = parameters.gamma2
    let step = 2 &* gamma2
    let steps = (MLDSAPolynomial.modulus &- 1) / step
    // ⌊n / step⌋ = ⌊n M / 2^48⌋ for n < 2^24: M exceeds 2^48 / step by less than
    // one, and the product by less than 2^24, which is below 2^48 / step.
    let reciprocal = (UInt64(1) &<< 48) / UInt64(step) &+ 1
    let coefficients = approximation.coefficients.span
    var parts = [256 of UInt8](repeating: 0)
    var high = parts.mutableSpan
    for index in 0..<256 {
      // Decompose, algorithm 36: r₀ is in (−γ₂, γ₂], and the last, incomplete
      // step counts as the first.
      let numerator = UInt64(coefficients[index] &+ gamma2 &- 1)
      let part = UInt32(truncatingIfNeeded: (numerator &* reciprocal) &>> 48)
      high[index] = UInt8(truncatingIfNeeded: part == steps ? 0 : part)
    }
    // UseHint, algorithm 40.
    for offset in hint.range(ofRow: row) {
      let position = hint.position(offset)
      let part = UInt32(high[position])
      let value = coefficients[position]
      // r₀ > 0. In the last step r₁ counts as zero, so r₀ ≤ −1.
      let isAbove = value > part &* step && value &- part &* step <= gamma2
      let next = isAbove ? part &+ 1 : part &+ steps &- 1
      high[position] = UInt8(truncatingIfNeeded: next >= steps ? next &- steps : next)
    }
    if steps == 16 {
      count = 128
      for index in 0..<128 { bytes[index] = high[2 &* index] | high[2 &* index &+ 1] &<< 4 }
    } else {
      count = 192
      for group in 0..<64 {
        let a = high[4 &* group]
        let b = high[4 &* group &+ 1]
        let c = high[4 &* group &+ 2]
        let d = high[4 &* group &+ 3]
        bytes[3 &* group] = a | b &<< 6
        bytes[3 &* group &+ 1] = b &>> 2 | c &<< 4
        bytes[3 &* group &+ 2] = c &>> 4 | d &<< 2
      }
    }
  }

  /// Absorbs the bytes into `hash`.
  func absorb(into hash: inout SHAKE) {
    hash.absorb(bytes.span.extracting(0..<count))
  }
}
