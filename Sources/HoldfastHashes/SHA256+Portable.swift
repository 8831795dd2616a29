extension SHA256 {
  /// Compresses in Swift alone, for processors without SHA instructions and as the reference for
  /// those that have them. FIPS 180-4 §6.2.2.
  ///
  /// Computes four words of the message schedule at a time, sixteen rounds ahead, and stores them
  /// in memory with their constants added, since extracting them from vectors would cost more.
  /// Twice as fast as a schedule that stays in registers.
  ///
  /// The rounds need every register. So constants and schedule share one index, and `round` adds
  /// its terms in the order in which they become available. A second index, or a reused schedule of
  /// sixteen words, costs 4 to 10 % for a message of 1.2 kB.
  static func compressPortably(
    _ state: inout [8 of UInt32], _ bytes: Span<UInt8>, from start: Int, blocks: Int
  ) {
    guard start >= 0, blocks > 0, blocks <= (bytes.count - start) / 64 else { return }
    // SAFETY: the guard ensures that all blocks are within the bytes; the other loads and stores
    // are those of `set`, `word` and `fourWords`.
    let constants = unsafe roundConstants.span.bytes
    let input = unsafe bytes.bytes
    var (s0, s1, s2, s3) = (state[0], state[1], state[2], state[3])
    var (s4, s5, s6, s7) = (state[4], state[5], state[6], state[7])
    var schedule = [64 of UInt32](repeating: 0)
    var span = schedule.mutableSpan
    var words = unsafe span.mutableBytes
    for block in 0..<blocks {
      let offset = start &+ 64 &* block
      var w0 = input.fourWords(at: offset)
      var w1 = input.fourWords(at: offset &+ 16)
      var w2 = input.fourWords(at: offset &+ 32)
      var w3 = input.fourWords(at: offset &+ 48)
      words.set(0, w0, constants)
      words.set(16, w1, constants)
      words.set(32, w2, constants)
      words.set(48, w3, constants)
      var (a, b, c, d, e, f, g, h) = (s0, s1, s2, s3, s4, s5, s6, s7)
      var bc = b ^ c
      // Words 1 to 4 and 5 to 8 of the current sixteen. Each joined vector is used twice: first as
      // the words of seven rounds ago, then of fifteen.
      var (v1, v5) = (joined(w0, w1), joined(w1, w2))
      for at in stride(from: 0, to: 192, by: 64) {
        round(a, b, &d, e, f, g, &h, &bc, words.word(at &+ 0))
        round(h, a, &c, d, e, f, &g, &bc, words.word(at &+ 4))
        let v9 = joined(w2, w3)
        extend(&w0, v1, v9, w3)
        round(g, h, &b, c, d, e, &f, &bc, words.word(at &+ 8))
        round(f, g, &a, b, c, d, &e, &bc, words.word(at &+ 12))
        words.set(at &+ 64, w0, constants)
        round(e, f, &h, a, b, c, &d, &bc, words.word(at &+ 16))
        round(d, e, &g, h, a, b, &c, &bc, words.word(at &+ 20))
        let v13 = joined(w3, w0)
        extend(&w1, v5, v13, w0)
        round(c, d, &f, g, h, a, &b, &bc, words.word(at &+ 24))
        round(b, c, &e, f, g, h, &a, &bc, words.word(at &+ 28))
        words.set(at &+ 80, w1, constants)
        round(a, b, &d, e, f, g, &h, &bc, words.word(at &+ 32))
        round(h, a, &c, d, e, f, &g, &bc, words.word(at &+ 36))
        v1 = joined(w0, w1)
        extend(&w2, v9, v1, w1)
        round(g, h, &b, c, d, e, &f, &bc, words.word(at &+ 40))
        round(f, g, &a, b, c, d, &e, &bc, words.word(at &+ 44))
        words.set(at &+ 96, w2, constants)
        round(e, f, &h, a, b, c, &d, &bc, words.word(at &+ 48))
        round(d, e, &g, h, a, b, &c, &bc, words.word(at &+ 52))
        v5 = joined(w1, w2)
        extend(&w3, v13, v5, w2)
        round(c, d, &f, g, h, a, &b, &bc, words.word(at &+ 56))
        round(b, c, &e, f, g, h, &a, &bc, words.word(at &+ 60))
        words.set(at &+ 112, w3, constants)
      }
      round(a, b, &d, e, f, g, &h, &bc, words.word(192))
      round(h, a, &c, d, e, f, &g, &bc, words.word(196))
      round(g, h, &b, c, d, e, &f, &bc, words.word(200))
      round(f, g, &a, b, c, d, &e, &bc, words.word(204))
      round(e, f, &h, a, b, c, &d, &bc, words.word(208))
      round(d, e, &g, h, a, b, &c, &bc, words.word(212))
      round(c, d, &f, g, h, a, &b, &bc, words.word(216))
      round(b, c, &e, f, g, h, &a, &bc, words.word(220))
      round(a, b, &d, e, f, g, &h, &bc, words.word(224))
      round(h, a, &c, d, e, f, &g, &bc, words.word(228))
      round(g, h, &b, c, d, e, &f, &bc, words.word(232))
      round(f, g, &a, b, c, d, &e, &bc, words.word(236))
      round(e, f, &h, a, b, c, &d, &bc, words.word(240))
      round(d, e, &g, h, a, b, &c, &bc, words.word(244))
      round(c, d, &f, g, h, a, &b, &bc, words.word(248))
      round(b, c, &e, f, g, h, &a, &bc, words.word(252))
      (s0, s1, s2, s3) = (s0 &+ a, s1 &+ b, s2 &+ c, s3 &+ d)
      (s4, s5, s6, s7) = (s4 &+ e, s5 &+ f, s6 &+ g, s7 &+ h)
    }
    state = [s0, s1, s2, s3, s4, s5, s6, s7]
  }
}

/// Replaces the four oldest words of the schedule, `w0`, with the next four, computed from words 1
/// to 4 and 9 to 12 of the last sixteen and from `w3`, the last four.
@inline(__always)
private func extend(
  _ w0: inout SIMD4<UInt32>, _ w1to4: SIMD4<UInt32>, _ w9to12: SIMD4<UInt32>, _ w3: SIMD4<UInt32>
) {
  w0 = w0 &+ smallSigma0(w1to4) &+ w9to12
  // The last two of the four words depend on the first two.
  let low = smallSigma1(SIMD4(w3[2], w3[2], w3[3], w3[3]))
  w0 = w0 &+ SIMD4(low[0], low[2], 0, 0)
  let high = smallSigma1(SIMD4(w0[0], w0[0], w0[1], w0[1]))
  w0 = w0 &+ SIMD4(0, 0, high[0], high[2])
}

/// Returns the last three words of `x` and the first of `y`.
@inline(__always)
private func joined(_ x: SIMD4<UInt32>, _ y: SIMD4<UInt32>) -> SIMD4<UInt32> {
  SIMD4(x[1], x[2], x[3], y[0])
}

// No instruction rotates a vector, so rotations are shifts with shared parts.
@inline(__always)
private func smallSigma0(_ x: SIMD4<UInt32>) -> SIMD4<UInt32> {
  shiftedRight(shiftedRight(x, 11) ^ x, 7) ^ shiftedRight(x, 3)
    ^ shiftedLeft(shiftedLeft(x, 11) ^ x, 14)
}

#if _endian(big)
  #error("SHA-256 is written for processors whose words begin with their lowest byte")
#endif

/// Expects each word twice, side by side, so that a shift of the pair rotates its lower word. The
/// result is in the lower word, the first in memory.
@inline(__always)
private func smallSigma1(_ x: SIMD4<UInt32>) -> SIMD4<UInt32> {
  // SAFETY: the two types are the same 16 bytes.
  let pairs = unsafe unsafeBitCast(x, to: SIMD2<UInt64>.self)
  let rotated = shiftedRight(shiftedRight(pairs, 2) ^ pairs, 17)
  return unsafe unsafeBitCast(rotated, to: SIMD4<UInt32>.self) ^ shiftedRight(x, 10)
}

/// Computes one round. `bc` is b ^ c on entry and a ^ b, the b ^ c of the next round, on return.
///
/// Nested rotations take fewer instructions, independent ones have less latency. Σ1 nests one and
/// Σ0 none, the fastest of seven combinations.
@inline(__always)
private func round(
  _ a: UInt32, _ b: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
  _ h: inout UInt32, _ bc: inout UInt32, _ word: UInt32
) {
  var sum = h &+ word &+ (g ^ (e & (f ^ g)))
  sum = sum &+ ((e.rotatedRight(14) ^ e).rotatedRight(11) ^ e.rotatedRight(6))
  let ab = a ^ b
  d = d &+ sum
  h = sum &+ (b ^ (ab & bc)) &+ (a.rotatedRight(2) ^ a.rotatedRight(13) ^ a.rotatedRight(22))
  bc = ab
}

extension MutableRawSpan {
  @inline(__always)
  fileprivate func word(_ offset: Int) -> UInt32 {
    // SAFETY: the callers pass at most 192 + 60, and there are 256 bytes.
    unsafe bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt32.self)
  }

  /// Stores four words of the schedule with their constants added.
  @inline(__always)
  fileprivate mutating func set(_ offset: Int, _ words: SIMD4<UInt32>, _ constants: RawSpan) {
    // SAFETY: the callers pass at most 128 + 112, and both have 256 bytes. The offset is a multiple
    // of 16, the alignment that a load from the constants requires.
    unsafe storeBytes(
      of: words &+ constants.unsafeLoad(fromUncheckedByteOffset: offset, as: SIMD4<UInt32>.self),
      toUncheckedByteOffset: offset, as: SIMD4<UInt32>.self)
  }
}

extension RawSpan {
  /// Loads four big-endian words. Swapping the bytes of each half-word and then the halves is
  /// cheaper than swapping the bytes of whole words.
  @inline(__always)
  fileprivate func fourWords(at offset: Int) -> SIMD4<UInt32> {
    // SAFETY: the caller ensures that 16 bytes are present from `offset`, and the two types are the
    // same 16 bytes.
    let halves = unsafe unsafeLoadUnaligned(
      fromUncheckedByteOffset: offset, as: SIMD8<UInt16>.self)
    let h = halves &>> 8 | halves &<< 8
    return unsafe unsafeBitCast(
      SIMD8(h[1], h[0], h[3], h[2], h[5], h[4], h[7], h[6]), to: SIMD4<UInt32>.self)
  }
}

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes,
/// FIPS 180-4 §4.2.2.
private let roundConstants: [16 of SIMD4<UInt32>] = [
  SIMD4(0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5),
  SIMD4(0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5),
  SIMD4(0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3),
  SIMD4(0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174),
  SIMD4(0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc),
  SIMD4(0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da),
  SIMD4(0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7),
  SIMD4(0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967),
  SIMD4(0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13),
  SIMD4(0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85),
  SIMD4(0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3),
  SIMD4(0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070),
  SIMD4(0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5),
  SIMD4(0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3),
  SIMD4(0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208),
  SIMD4(0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2),
]
