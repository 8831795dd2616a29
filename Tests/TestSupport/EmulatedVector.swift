internal import EmulatedVectors

/// The vector code of the C headers with its instructions emulated, on arrays of words. It runs on
/// every processor.
package enum EmulatedVector {
  /// How often a factor of a 52-bit multiplication had more bits, in this thread since the last
  /// question. Only the products for RSA mean to drop them.
  package static func wideFactors() -> UInt64 { emulated_wide_factors() }

  /// How often a sum of such products wrapped. None may, even if results are right.
  package static func wraps() -> UInt64 { emulated_wraps() }

  /// Replaces `words` by what `body` makes of them, and fails if they are not as many as it needs.
  private static func change<Word>(
    _ words: inout [Word], _ count: Int, _ body: (UnsafeMutablePointer<Word>) -> Void
  ) {
    precondition(words.count == count)
    // SAFETY: the count was checked; no function of the header keeps a pointer.
    unsafe words.withUnsafeMutableBufferPointer { words in
      if let first = words.baseAddress { unsafe body(first) }
    }
  }

  /// Multiplies numbers of 40, 64 or 80 limbs of 52 bits, and divides by R.
  package static func ifmaProduct(
    _ left: [UInt64], _ right: [UInt64], _ modulus: [UInt64], _ negatedInverse: UInt64
  ) -> [UInt64] {
    precondition(left.count == right.count && left.count == modulus.count)
    var result = left
    // SAFETY: all four have as many limbs as the last argument says.
    unsafe change(&result, left.count) {
      unsafe emulated_ifma_product(
        $0, left, right, modulus, negatedInverse, Int32(truncatingIfNeeded: left.count))
    }
    return result
  }

  /// The same, where the result replaces a factor, and may be both.
  package static func ifmaMultiply(
    _ work: inout [UInt64], by offset: Int, _ modulus: [UInt64], _ negatedInverse: UInt64
  ) {
    let count = modulus.count
    precondition(0..<3 ~= offset)
    // SAFETY: `work` has three numbers, of which `offset` is one.
    unsafe change(&work, 3 * count) {
      unsafe emulated_ifma_product(
        $0, $0, $0 + offset * count, modulus, negatedInverse, Int32(truncatingIfNeeded: count))
    }
  }

  /// Multiplies numbers of 44, 64 or 84 limbs of 50 bits, and divides by R; the result replaces the
  /// first number, and may be both.
  ///
  /// - Parameter modulus: With a zero before its limbs, and two after them.
  package static func doublesMultiply(
    _ work: inout [Double], by offset: Int, _ modulus: [Double]
  ) {
    let count = modulus.count - 3
    precondition(0..<3 ~= offset)
    // SAFETY: `work` has three numbers, of which `offset` is one, and the modulus as many limbs.
    unsafe change(&work, 3 * count) { work in
      unsafe modulus.withUnsafeBufferPointer { modulus in
        guard let modulus = modulus.baseAddress else { return }
        unsafe emulated_doubles_product(
          work, work, work + offset * count, modulus + 1, Int32(truncatingIfNeeded: count))
      }
    }
  }

  package static func edwardsProduct(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
    precondition(left.count == 20 && right.count == 20)
    var result = left
    // SAFETY: all have 20 words.
    unsafe change(&result, 20) { unsafe emulated_edwards_ifma_product($0, left, right) }
    return result
  }

  package static func edwardsSquare(_ number: [UInt64]) -> [UInt64] {
    var result = number
    // SAFETY: both have 20 words.
    unsafe change(&result, 20) { unsafe emulated_edwards_ifma_square($0, number) }
    return result
  }

  package static func edwardsDouble(_ point: inout [UInt64]) {
    // SAFETY: a point has 20 words.
    unsafe change(&point, 20) { unsafe emulated_edwards_ifma_double($0) }
  }

  package static func edwardsAdd(_ point: inout [UInt64], _ addend: [UInt64], subtracts: Bool) {
    precondition(addend.count == 12)
    // SAFETY: a point has 20 words, and the addend 12.
    unsafe change(&point, 20) { unsafe emulated_edwards_ifma_add($0, addend, subtracts ? 1 : 0) }
  }

  package static func p256Product(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
    precondition(left.count == 24 && right.count == 24)
    var result = left
    // SAFETY: all have 24 words.
    unsafe change(&result, 24) { unsafe emulated_p256_ifma_product($0, left, right) }
    return result
  }

  package static func p256Double(_ point: inout [UInt64]) {
    // SAFETY: a point has 24 words.
    unsafe change(&point, 24) { unsafe emulated_p256_ifma_double($0) }
  }

  package static func p256Begin(_ point: inout [UInt64], _ addend: [UInt64], subtracts: Bool) {
    precondition(addend.count == 12)
    // SAFETY: a point has 24 words, and the addend 12.
    unsafe change(&point, 24) { unsafe emulated_p256_ifma_begin($0, addend, subtracts ? 1 : 0) }
  }

  package static func p256Add(_ point: inout [UInt64], _ addend: [UInt64], subtracts: Bool) {
    precondition(addend.count == 12)
    // SAFETY: a point has 24 words, and the addend 12.
    unsafe change(&point, 24) { unsafe emulated_p256_ifma_add($0, addend, subtracts ? 1 : 0) }
  }

  package static func p384Product(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
    precondition(left.count == 32 && right.count == 32)
    var result = left
    // SAFETY: all have 32 words.
    unsafe change(&result, 32) { unsafe emulated_p384_ifma_product($0, left, right) }
    return result
  }

  package static func p384Double(_ point: inout [UInt64]) {
    // SAFETY: a point has 32 words.
    unsafe change(&point, 32) { unsafe emulated_p384_ifma_double($0) }
  }

  package static func p384Begin(_ point: inout [UInt64], _ addend: [UInt64], subtracts: Bool) {
    precondition(addend.count == 16)
    // SAFETY: a point has 32 words, and the addend 16.
    unsafe change(&point, 32) { unsafe emulated_p384_ifma_begin($0, addend, subtracts ? 1 : 0) }
  }

  package static func p384Add(_ point: inout [UInt64], _ addend: [UInt64], subtracts: Bool) {
    precondition(addend.count == 16)
    // SAFETY: a point has 32 words, and the addend 16.
    unsafe change(&point, 32) { unsafe emulated_p384_ifma_add($0, addend, subtracts ? 1 : 0) }
  }

  package static func edwardsProduct(_ left: [Double], _ right: [Double]) -> [Double] {
    precondition(left.count == 20 && right.count == 20)
    var result = left
    // SAFETY: all have 20 words.
    unsafe change(&result, 20) { unsafe emulated_edwards_doubles_product($0, left, right) }
    return result
  }

  package static func edwardsSquare(_ number: [Double]) -> [Double] {
    var result = number
    // SAFETY: both have 20 words.
    unsafe change(&result, 20) { unsafe emulated_edwards_doubles_square($0, number) }
    return result
  }

  package static func edwardsDouble(_ point: inout [Double]) {
    // SAFETY: a point has 20 words.
    unsafe change(&point, 20) { unsafe emulated_edwards_doubles_double($0) }
  }

  package static func edwardsAdd(_ point: inout [Double], _ addend: [UInt64], subtracts: Bool) {
    precondition(addend.count == 12)
    // SAFETY: a point has 20 words, and the addend 12.
    unsafe change(&point, 20) { unsafe emulated_edwards_doubles_add($0, addend, subtracts ? 1 : 0) }
  }

  package static func p384Product(_ left: [Double], _ right: [Double]) -> [Double] {
    precondition(left.count == 32 && right.count == 32)
    var result = left
    // SAFETY: all have 32 words.
    unsafe change(&result, 32) { unsafe emulated_p384_doubles_product($0, left, right) }
    return result
  }

  package static func p384Double(_ point: inout [Double]) {
    // SAFETY: a point has 32 words.
    unsafe change(&point, 32) { unsafe emulated_p384_doubles_double($0) }
  }

  package static func p384Begin(_ point: inout [Double], _ addend: [Double], subtracts: Bool) {
    precondition(addend.count == 16)
    // SAFETY: a point has 32 words, and the addend 16.
    unsafe change(&point, 32) { unsafe emulated_p384_doubles_begin($0, addend, subtracts ? 1 : 0) }
  }

  package static func p384Add(_ point: inout [Double], _ addend: [Double], subtracts: Bool) {
    precondition(addend.count == 16)
    // SAFETY: a point has 32 words, and the addend 16.
    unsafe change(&point, 32) { unsafe emulated_p384_doubles_add($0, addend, subtracts ? 1 : 0) }
  }

  package static func p521Product(_ left: [Double], _ right: [Double]) -> [Double] {
    precondition(left.count == 44 && right.count == 44)
    var result = left
    // SAFETY: all have 44 words.
    unsafe change(&result, 44) { unsafe emulated_p521_product($0, left, right) }
    return result
  }

  package static func p521Double(_ point: inout [Double]) {
    // SAFETY: a point has 44 words.
    unsafe change(&point, 44) { unsafe emulated_p521_double($0) }
  }

  package static func p521Begin(_ point: inout [Double], _ addend: [Double], subtracts: Bool) {
    precondition(addend.count == 22)
    // SAFETY: a point has 44 words, and the addend 22.
    unsafe change(&point, 44) { unsafe emulated_p521_begin($0, addend, subtracts ? 1 : 0) }
  }

  package static func p521Add(_ point: inout [Double], _ addend: [Double], subtracts: Bool) {
    precondition(addend.count == 22)
    // SAFETY: a point has 44 words, and the addend 22.
    unsafe change(&point, 44) { unsafe emulated_p521_add($0, addend, subtracts ? 1 : 0) }
  }

  package static func neonEdwardsProduct(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
    precondition(left.count == 20 && right.count == 20)
    var result = left
    // SAFETY: all have 20 words.
    unsafe change(&result, 20) { unsafe emulated_edwards_neon_product($0, left, right) }
    return result
  }

  package static func neonEdwardsSquare(_ number: [UInt64]) -> [UInt64] {
    var result = number
    // SAFETY: both have 20 words.
    unsafe change(&result, 20) { unsafe emulated_edwards_neon_square($0, number) }
    return result
  }

  package static func neonEdwardsDouble(_ point: inout [UInt64]) {
    // SAFETY: a point has 20 words.
    unsafe change(&point, 20) { unsafe emulated_edwards_neon_double($0) }
  }

  package static func neonEdwardsAdd(_ point: inout [UInt64], _ addend: [UInt64], subtracts: Bool) {
    precondition(addend.count == 12)
    // SAFETY: a point has 20 words, and the addend 12.
    unsafe change(&point, 20) { unsafe emulated_edwards_neon_add($0, addend, subtracts ? 1 : 0) }
  }

  /// Multiplies numbers of 76 or 112 limbs of 28 bits, and divides by R; the result replaces the first
  /// number, and may be both.
  ///
  /// - Parameter modulus: With four zeros before its limbs, and four after them.
  package static func neonMultiply(_ work: inout [UInt32], by offset: Int, _ modulus: [UInt32]) {
    let count = modulus.count - 8
    precondition(0..<3 ~= offset)
    // SAFETY: `work` has three numbers, of which `offset` is one, and the modulus as many limbs.
    unsafe change(&work, 3 * count) { work in
      unsafe modulus.withUnsafeBufferPointer { modulus in
        guard let modulus = modulus.baseAddress else { return }
        unsafe emulated_neon_product(
          work, work, work + offset * count, modulus + 4, Int32(truncatingIfNeeded: count))
      }
    }
  }

  /// Transforms 256 numbers; a factor is a value and a quotient.
  package static func transform(_ numbers: inout [UInt32], _ factors: [UInt32], back: Bool) {
    precondition(factors.count == 512)
    // SAFETY: there are 256 numbers, and as many factors of two words.
    unsafe change(&numbers, 256) {
      if back {
        unsafe emulated_transform_back($0, factors)
      } else {
        unsafe emulated_transform($0, factors)
      }
    }
  }

  /// Permutes eight states, `width` of them in a call.
  package static func permute(_ states: inout [UInt64], width: Int) {
    // SAFETY: eight states have 200 lanes.
    unsafe change(&states, 200) {
      unsafe emulated_keccak_permute($0, Int32(truncatingIfNeeded: width))
    }
  }

  /// Permutes one state.
  package static func permuteOne(_ state: inout [UInt64]) {
    // SAFETY: a state has 25 lanes.
    unsafe change(&state, 25) { unsafe emulated_keccak_one($0) }
  }

  /// Appends the candidates in the block of one of eight states to `count` coefficients.
  package static func accept(
    _ lanes: [UInt64], _ number: Int, into coefficients: inout [UInt32], _ count: Int
  ) -> Int {
    precondition(lanes.count == 200 && 0..<8 ~= number)
    var result = 0
    // SAFETY: eight states have 200 lanes, of which the function reads those of one.
    unsafe change(&coefficients, 256) { coefficients in
      unsafe lanes.withUnsafeBufferPointer { lanes in
        guard let lanes = lanes.baseAddress else { return }
        result = unsafe Int(
          emulated_accept(lanes + number, coefficients, Int32(truncatingIfNeeded: count)))
      }
    }
    return result
  }

  /// Reads 256 numbers of 18 or 20 bits into coefficients; whether all are in range.
  package static func response(
    _ coefficients: inout [UInt32], _ bytes: [UInt8], bits: Int, least: UInt32, span: UInt32
  ) -> Bool {
    precondition((bits == 18 || bits == 20) && bytes.count == 32 * bits)
    var isWithinBound = false
    // SAFETY: there are bytes for 256 numbers, which was checked.
    unsafe change(&coefficients, 256) {
      isWithinBound =
        unsafe emulated_response(
          $0, bytes, Int32(truncatingIfNeeded: bits), least, span) != 0
    }
    return isWithinBound
  }

  package static func sha512(
    _ state: inout [UInt64], _ blocks: [UInt8], _ constants: [UInt64]
  ) {
    precondition(constants.count == 80)
    // SAFETY: the state has eight words, there are as many blocks as the bytes are long, and 80
    // constants.
    unsafe change(&state, 8) {
      unsafe emulated_sha512_blocks($0, blocks, blocks.count / 128, constants)
    }
  }

  /// The processors that have SHA instructions.
  package enum Processor: String, CaseIterable, Sendable {
    case x86
    case arm
  }

  package static func sha1(_ state: inout [UInt32], _ blocks: [UInt8], on processor: Processor) {
    let count = blocks.count / 64
    // SAFETY: the state has five words, and there are `count` blocks.
    unsafe change(&state, 5) {
      switch processor {
      case .x86: unsafe emulated_x86_sha1_blocks($0, blocks, count)
      case .arm: unsafe emulated_arm_sha1_blocks($0, blocks, count)
      }
    }
  }

  package static func sha256(_ state: inout [UInt32], _ blocks: [UInt8], on processor: Processor) {
    let count = blocks.count / 64
    // SAFETY: the state has eight words, and there are `count` blocks.
    unsafe change(&state, 8) {
      switch processor {
      case .x86: unsafe emulated_x86_sha256_blocks($0, blocks, count)
      case .arm: unsafe emulated_arm_sha256_blocks($0, blocks, count)
      }
    }
  }
}
