extension SHA256 {
  /// The compression function in Swift alone, for processors without SHA instructions
  /// and as the reference for those that have them. FIPS 180-4 §6.2.2.
  ///
  /// Four words of the message schedule are computed at a time, sixteen rounds ahead, and
  /// wait in memory with their constants added: taking them out of vectors would cost
  /// more. Twice as fast as a schedule that stays in registers.
  static func compressPortably(
    _ state: inout [8 of UInt32], _ bytes: Span<UInt8>, from start: Int, blocks: Int
  ) {
    guard start >= 0, blocks > 0, blocks <= (bytes.count - start) / 64 else { return }
    // SAFETY: whole blocks lie within the octets, as was just asked; the rest of the loads
    // and stores are those of `set`, `word` and `fourWords`.
    let constants = unsafe roundConstants.span.bytes
    let octets = unsafe bytes.bytes
    var (s0, s1, s2, s3) = (state[0], state[1], state[2], state[3])
    var (s4, s5, s6, s7) = (state[4], state[5], state[6], state[7])
    // Sixteen words in use and sixteen in the making, by turns.
    var storage = [32 of UInt32](repeating: 0)
    var span = storage.mutableSpan
    var words = unsafe span.mutableBytes
    for block in 0..<blocks {
      let place = start &+ 64 &* block
      var w0 = octets.fourWords(at: place)
      var w1 = octets.fourWords(at: place &+ 16)
      var w2 = octets.fourWords(at: place &+ 32)
      var w3 = octets.fourWords(at: place &+ 48)
      words.set(0, w0, constants, 0)
      words.set(4, w1, constants, 4)
      words.set(8, w2, constants, 8)
      words.set(12, w3, constants, 12)
      var (a, b, c, d, e, f, g, h) = (s0, s1, s2, s3, s4, s5, s6, s7)
      var bc = b ^ c
      var (now, next) = (0, 16)
      for step in stride(from: 16, to: 64, by: 16) {
        round(a, b, &d, e, f, g, &h, &bc, words.word(now &+ 0))
        round(h, a, &c, d, e, f, &g, &bc, words.word(now &+ 1))
        extend(&w0, w1, w2, w3)
        round(g, h, &b, c, d, e, &f, &bc, words.word(now &+ 2))
        round(f, g, &a, b, c, d, &e, &bc, words.word(now &+ 3))
        words.set(next &+ 0, w0, constants, step &+ 0)
        round(e, f, &h, a, b, c, &d, &bc, words.word(now &+ 4))
        round(d, e, &g, h, a, b, &c, &bc, words.word(now &+ 5))
        extend(&w1, w2, w3, w0)
        round(c, d, &f, g, h, a, &b, &bc, words.word(now &+ 6))
        round(b, c, &e, f, g, h, &a, &bc, words.word(now &+ 7))
        words.set(next &+ 4, w1, constants, step &+ 4)
        round(a, b, &d, e, f, g, &h, &bc, words.word(now &+ 8))
        round(h, a, &c, d, e, f, &g, &bc, words.word(now &+ 9))
        extend(&w2, w3, w0, w1)
        round(g, h, &b, c, d, e, &f, &bc, words.word(now &+ 10))
        round(f, g, &a, b, c, d, &e, &bc, words.word(now &+ 11))
        words.set(next &+ 8, w2, constants, step &+ 8)
        round(e, f, &h, a, b, c, &d, &bc, words.word(now &+ 12))
        round(d, e, &g, h, a, b, &c, &bc, words.word(now &+ 13))
        extend(&w3, w0, w1, w2)
        round(c, d, &f, g, h, a, &b, &bc, words.word(now &+ 14))
        round(b, c, &e, f, g, h, &a, &bc, words.word(now &+ 15))
        words.set(next &+ 12, w3, constants, step &+ 12)
        (now, next) = (next, now)
      }
      round(a, b, &d, e, f, g, &h, &bc, words.word(now &+ 0))
      round(h, a, &c, d, e, f, &g, &bc, words.word(now &+ 1))
      round(g, h, &b, c, d, e, &f, &bc, words.word(now &+ 2))
      round(f, g, &a, b, c, d, &e, &bc, words.word(now &+ 3))
      round(e, f, &h, a, b, c, &d, &bc, words.word(now &+ 4))
      round(d, e, &g, h, a, b, &c, &bc, words.word(now &+ 5))
      round(c, d, &f, g, h, a, &b, &bc, words.word(now &+ 6))
      round(b, c, &e, f, g, h, &a, &bc, words.word(now &+ 7))
      round(a, b, &d, e, f, g, &h, &bc, words.word(now &+ 8))
      round(h, a, &c, d, e, f, &g, &bc, words.word(now &+ 9))
      round(g, h, &b, c, d, e, &f, &bc, words.word(now &+ 10))
      round(f, g, &a, b, c, d, &e, &bc, words.word(now &+ 11))
      round(e, f, &h, a, b, c, &d, &bc, words.word(now &+ 12))
      round(d, e, &g, h, a, b, &c, &bc, words.word(now &+ 13))
      round(c, d, &f, g, h, a, &b, &bc, words.word(now &+ 14))
      round(b, c, &e, f, g, h, &a, &bc, words.word(now &+ 15))
      (s0, s1, s2, s3) = (s0 &+ a, s1 &+ b, s2 &+ c, s3 &+ d)
      (s4, s5, s6, s7) = (s4 &+ e, s5 &+ f, s6 &+ g, s7 &+ h)
    }
    state = [s0, s1, s2, s3, s4, s5, s6, s7]
  }
}

/// Replaces the four oldest words of the schedule by the four next ones.
@inline(__always)
private func extend(
  _ w0: inout SIMD4<UInt32>, _ w1: SIMD4<UInt32>, _ w2: SIMD4<UInt32>, _ w3: SIMD4<UInt32>
) {
  let w1to4 = SIMD4(w0[1], w0[2], w0[3], w1[0])
  let w9to12 = SIMD4(w2[1], w2[2], w2[3], w3[0])
  w0 = w0 &+ smallSigma0(w1to4) &+ w9to12
  // The last two words need the first two.
  let low = smallSigma1(SIMD4(w3[2], w3[2], w3[3], w3[3]))
  w0 = w0 &+ SIMD4(low[0], low[2], 0, 0)
  let high = smallSigma1(SIMD4(w0[0], w0[0], w0[1], w0[1]))
  w0 = w0 &+ SIMD4(0, 0, high[0], high[2])
}

// The rotations of a vector are spelled as the shifts they share: there is no instruction
// for one.
@inline(__always)
private func smallSigma0(_ x: SIMD4<UInt32>) -> SIMD4<UInt32> {
  shiftedRight(shiftedRight(x, 11) ^ x, 7) ^ shiftedRight(x, 3)
    ^ shiftedLeft(shiftedLeft(x, 11) ^ x, 14)
}

/// Takes each word twice, side by side, so that a shift of both rotates the lower one (the
/// first in memory, as Swift runs on little-endian machines), where the result is.
@inline(__always)
private func smallSigma1(_ x: SIMD4<UInt32>) -> SIMD4<UInt32> {
  // SAFETY: the two types are the same 16 octets.
  let pairs = unsafe unsafeBitCast(x, to: SIMD2<UInt64>.self)
  let rotated = shiftedRight(shiftedRight(pairs, 2) ^ pairs, 17)
  return unsafe unsafeBitCast(rotated, to: SIMD4<UInt32>.self) ^ shiftedRight(x, 10)
}

/// One round; `bc` is b ^ c before, and a ^ b, which is the next round's, after.
@inline(__always)
private func round(
  _ a: UInt32, _ b: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
  _ h: inout UInt32, _ bc: inout UInt32, _ word: UInt32
) {
  let sigma1 = ((e.rotatedRight(14) ^ e).rotatedRight(5) ^ e).rotatedRight(6)
  let sigma0 = ((a.rotatedRight(9) ^ a).rotatedRight(11) ^ a).rotatedRight(2)
  let sum = h &+ word &+ (g ^ (e & (f ^ g)))
  let ab = a ^ b
  h = ((sum &+ sigma1) &+ (b ^ (ab & bc))) &+ sigma0
  d = (d &+ sum) &+ sigma1
  bc = ab
}

extension MutableRawSpan {
  @inline(__always)
  fileprivate func word(_ index: Int) -> UInt32 {
    // SAFETY: the callers add less than 16 to 0 or 16, and there are 32 words.
    unsafe bytes.unsafeLoad(fromUncheckedByteOffset: 4 &* index, as: UInt32.self)
  }

  /// Stores four words of the schedule with the constants that go with them.
  @inline(__always)
  fileprivate mutating func set(
    _ index: Int, _ words: SIMD4<UInt32>, _ constants: RawSpan, _ step: Int
  ) {
    // SAFETY: the callers add at most 12 to 0 or 16, and for `step` to at most 48; there
    // are 32 words and 64 constants.
    unsafe storeBytes(
      of: words
        &+ constants.unsafeLoadUnaligned(
          fromUncheckedByteOffset: 4 &* step, as: SIMD4<UInt32>.self),
      toUncheckedByteOffset: 4 &* index, as: SIMD4<UInt32>.self)
  }
}

extension RawSpan {
  @inline(__always)
  fileprivate func fourWords(at offset: Int) -> SIMD4<UInt32> {
    // SAFETY: the caller has made sure of the 16 octets from `offset`.
    unsafe SIMD4(
      unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self).bigEndian,
      unsafeLoadUnaligned(fromUncheckedByteOffset: offset &+ 4, as: UInt32.self).bigEndian,
      unsafeLoadUnaligned(fromUncheckedByteOffset: offset &+ 8, as: UInt32.self).bigEndian,
      unsafeLoadUnaligned(fromUncheckedByteOffset: offset &+ 12, as: UInt32.self).bigEndian)
  }
}

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes,
/// FIPS 180-4 §4.2.2.
private let roundConstants: [UInt32] = [
  0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5,
  0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
  0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
  0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
  0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc,
  0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
  0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
  0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
  0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
  0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
  0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3,
  0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
  0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5,
  0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
  0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
  0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
]
