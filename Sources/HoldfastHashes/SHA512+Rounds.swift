internal import CHoldfastInstructions

extension SHA512 {
  /// 2 with the vectors of AVX-512, 1 with those of AVX2, or 0. Determined once, since the answer
  /// cannot change during the process.
  package static let level = min(Int(holdfast_sha512_level()), Vectors.used.rawValue)

  mutating func compress(_ bytes: Span<UInt8>, from start: Int, blocks: Int) {
    if SHA512.level > 0 {
      SHA512.compressInVectors(&state, bytes, from: start, blocks: blocks, level: SHA512.level)
    } else {
      SHA512.compressPortably(&state, bytes, from: start, blocks: blocks)
    }
  }

  /// Compresses with vectors: in three quarters of the time of the portable version with AVX-512, and
  /// in four fifths with AVX2.
  static func compressInVectors(
    _ state: inout [8 of UInt64], _ bytes: Span<UInt8>, from start: Int, blocks: Int, level: Int
  ) {
    let blocks = bytes.extracting(start..<start + 128 * blocks)
    var words = state.mutableSpan
    // SAFETY: the function reads 128 bytes per block, exactly the size of `blocks`, and 80 constants,
    // and reads and writes the eight words of the state; it keeps no pointer.
    unsafe words.withUnsafeMutableBufferPointer { words in
      unsafe blocks.withUnsafeBufferPointer { input in
        unsafe SHA512.roundConstants.withUnsafeBufferPointer { constants in
          unsafe holdfast_sha512_blocks(
            words.baseAddress, input.baseAddress, blocks.count / 128, constants.baseAddress,
            Int32(level))
        }
      }
    }
  }

  /// Compresses in Swift alone, for processors without such vectors and as the reference for those
  /// that have them. FIPS 180-4 §6.4.2.
  ///
  /// Computes two words of the message schedule at a time, sixteen rounds ahead, and stores them in
  /// memory with their constants added, since extracting them from vectors would cost more. Twice
  /// as fast as a schedule that stays in registers.
  static func compressPortably(
    _ state: inout [8 of UInt64], _ bytes: Span<UInt8>, from start: Int, blocks: Int
  ) {
    guard start >= 0, blocks > 0, blocks <= (bytes.count - start) / 128 else { return }
    // SAFETY: the guard ensures that all blocks are within the bytes; the other loads and stores
    // are those of `set`, `word` and `twoWords`.
    let constants = unsafe SHA512.roundConstants.span.bytes
    let input = unsafe bytes.bytes
    var (s0, s1, s2, s3) = (state[0], state[1], state[2], state[3])
    var (s4, s5, s6, s7) = (state[4], state[5], state[6], state[7])
    // Sixteen words in use and sixteen being computed, alternately.
    var storage = [32 of UInt64](repeating: 0)
    var span = storage.mutableSpan
    var words = unsafe span.mutableBytes
    for block in 0..<blocks {
      let offset = start &+ 128 &* block
      var w0 = input.twoWords(at: offset)
      var w1 = input.twoWords(at: offset &+ 16)
      var w2 = input.twoWords(at: offset &+ 32)
      var w3 = input.twoWords(at: offset &+ 48)
      var w4 = input.twoWords(at: offset &+ 64)
      var w5 = input.twoWords(at: offset &+ 80)
      var w6 = input.twoWords(at: offset &+ 96)
      var w7 = input.twoWords(at: offset &+ 112)
      words.set(0, w0, constants, 0)
      words.set(2, w1, constants, 2)
      words.set(4, w2, constants, 4)
      words.set(6, w3, constants, 6)
      words.set(8, w4, constants, 8)
      words.set(10, w5, constants, 10)
      words.set(12, w6, constants, 12)
      words.set(14, w7, constants, 14)
      var (a, b, c, d, e, f, g, h) = (s0, s1, s2, s3, s4, s5, s6, s7)
      var bc = b ^ c
      var (now, next) = (0, 16)
      for step in stride(from: 16, to: 80, by: 16) {
        round(a, b, &d, e, f, g, &h, &bc, words.word(now &+ 0))
        extend(&w0, w1, w4, w5, w7)
        round(h, a, &c, d, e, f, &g, &bc, words.word(now &+ 1))
        words.set(next &+ 0, w0, constants, step &+ 0)
        round(g, h, &b, c, d, e, &f, &bc, words.word(now &+ 2))
        extend(&w1, w2, w5, w6, w0)
        round(f, g, &a, b, c, d, &e, &bc, words.word(now &+ 3))
        words.set(next &+ 2, w1, constants, step &+ 2)
        round(e, f, &h, a, b, c, &d, &bc, words.word(now &+ 4))
        extend(&w2, w3, w6, w7, w1)
        round(d, e, &g, h, a, b, &c, &bc, words.word(now &+ 5))
        words.set(next &+ 4, w2, constants, step &+ 4)
        round(c, d, &f, g, h, a, &b, &bc, words.word(now &+ 6))
        extend(&w3, w4, w7, w0, w2)
        round(b, c, &e, f, g, h, &a, &bc, words.word(now &+ 7))
        words.set(next &+ 6, w3, constants, step &+ 6)
        round(a, b, &d, e, f, g, &h, &bc, words.word(now &+ 8))
        extend(&w4, w5, w0, w1, w3)
        round(h, a, &c, d, e, f, &g, &bc, words.word(now &+ 9))
        words.set(next &+ 8, w4, constants, step &+ 8)
        round(g, h, &b, c, d, e, &f, &bc, words.word(now &+ 10))
        extend(&w5, w6, w1, w2, w4)
        round(f, g, &a, b, c, d, &e, &bc, words.word(now &+ 11))
        words.set(next &+ 10, w5, constants, step &+ 10)
        round(e, f, &h, a, b, c, &d, &bc, words.word(now &+ 12))
        extend(&w6, w7, w2, w3, w5)
        round(d, e, &g, h, a, b, &c, &bc, words.word(now &+ 13))
        words.set(next &+ 12, w6, constants, step &+ 12)
        round(c, d, &f, g, h, a, &b, &bc, words.word(now &+ 14))
        extend(&w7, w0, w3, w4, w6)
        round(b, c, &e, f, g, h, &a, &bc, words.word(now &+ 15))
        words.set(next &+ 14, w7, constants, step &+ 14)
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

/// Replaces the two oldest words of the schedule, `w0`, with the next two.
@inline(__always)
private func extend(
  _ w0: inout SIMD2<UInt64>, _ w1: SIMD2<UInt64>, _ w4: SIMD2<UInt64>, _ w5: SIMD2<UInt64>,
  _ w7: SIMD2<UInt64>
) {
  w0 = w0 &+ smallSigma0(SIMD2(w0[1], w1[0])) &+ SIMD2(w4[1], w5[0]) &+ smallSigma1(w7)
}

// No instruction rotates a vector, so rotations are shifts with shared parts.
@inline(__always)
private func smallSigma0(_ x: SIMD2<UInt64>) -> SIMD2<UInt64> {
  shiftedRight(shiftedRight(x, 7) ^ x, 1) ^ shiftedRight(x, 7)
    ^ shiftedLeft(shiftedLeft(x, 7) ^ x, 56)
}

@inline(__always)
private func smallSigma1(_ x: SIMD2<UInt64>) -> SIMD2<UInt64> {
  shiftedRight(shiftedRight(x, 42) ^ x, 19) ^ shiftedRight(x, 6)
    ^ shiftedLeft(shiftedLeft(x, 42) ^ x, 3)
}

/// Computes one round. `bc` is b ^ c on entry and a ^ b, the b ^ c of the next round, on return.
@inline(__always)
private func round(
  _ a: UInt64, _ b: UInt64, _ d: inout UInt64, _ e: UInt64, _ f: UInt64, _ g: UInt64,
  _ h: inout UInt64, _ bc: inout UInt64, _ word: UInt64
) {
  let sigma1 = ((e.rotatedRight(23) ^ e).rotatedRight(4) ^ e).rotatedRight(14)
  let sigma0 = ((a.rotatedRight(5) ^ a).rotatedRight(6) ^ a).rotatedRight(28)
  let sum = h &+ word &+ (g ^ (e & (f ^ g)))
  let ab = a ^ b
  h = ((sum &+ sigma1) &+ (b ^ (ab & bc))) &+ sigma0
  d = (d &+ sum) &+ sigma1
  bc = ab
}

extension MutableRawSpan {
  @inline(__always)
  fileprivate func word(_ index: Int) -> UInt64 {
    // SAFETY: the callers add less than 16 to 0 or 16, and there are 32 words.
    unsafe bytes.unsafeLoad(fromUncheckedByteOffset: 8 &* index, as: UInt64.self)
  }

  /// Stores two words of the schedule with their constants added.
  @inline(__always)
  fileprivate mutating func set(
    _ index: Int, _ words: SIMD2<UInt64>, _ constants: RawSpan, _ step: Int
  ) {
    // SAFETY: the callers add at most 14 to 0 or 16, and for `step` to at most 64; there
    // are 32 words and 80 constants.
    unsafe storeBytes(
      of: words
        &+ constants.unsafeLoadUnaligned(
          fromUncheckedByteOffset: 8 &* step, as: SIMD2<UInt64>.self),
      toUncheckedByteOffset: 8 &* index, as: SIMD2<UInt64>.self)
  }
}

extension RawSpan {
  @inline(__always)
  fileprivate func twoWords(at offset: Int) -> SIMD2<UInt64> {
    // SAFETY: the caller ensures that 16 bytes are present from `offset`.
    unsafe SIMD2(
      unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self).bigEndian,
      unsafeLoadUnaligned(fromUncheckedByteOffset: offset &+ 8, as: UInt64.self).bigEndian)
  }
}

extension SHA512 {
  /// The first 64 bits of the fractional parts of the cube roots of the first 80 primes,
  /// FIPS 180-4 §4.2.3.
  static let roundConstants: [UInt64] = [
    0x428a_2f98_d728_ae22, 0x7137_4491_23ef_65cd, 0xb5c0_fbcf_ec4d_3b2f, 0xe9b5_dba5_8189_dbbc,
    0x3956_c25b_f348_b538, 0x59f1_11f1_b605_d019, 0x923f_82a4_af19_4f9b, 0xab1c_5ed5_da6d_8118,
    0xd807_aa98_a303_0242, 0x1283_5b01_4570_6fbe, 0x2431_85be_4ee4_b28c, 0x550c_7dc3_d5ff_b4e2,
    0x72be_5d74_f27b_896f, 0x80de_b1fe_3b16_96b1, 0x9bdc_06a7_25c7_1235, 0xc19b_f174_cf69_2694,
    0xe49b_69c1_9ef1_4ad2, 0xefbe_4786_384f_25e3, 0x0fc1_9dc6_8b8c_d5b5, 0x240c_a1cc_77ac_9c65,
    0x2de9_2c6f_592b_0275, 0x4a74_84aa_6ea6_e483, 0x5cb0_a9dc_bd41_fbd4, 0x76f9_88da_8311_53b5,
    0x983e_5152_ee66_dfab, 0xa831_c66d_2db4_3210, 0xb003_27c8_98fb_213f, 0xbf59_7fc7_beef_0ee4,
    0xc6e0_0bf3_3da8_8fc2, 0xd5a7_9147_930a_a725, 0x06ca_6351_e003_826f, 0x1429_2967_0a0e_6e70,
    0x27b7_0a85_46d2_2ffc, 0x2e1b_2138_5c26_c926, 0x4d2c_6dfc_5ac4_2aed, 0x5338_0d13_9d95_b3df,
    0x650a_7354_8baf_63de, 0x766a_0abb_3c77_b2a8, 0x81c2_c92e_47ed_aee6, 0x9272_2c85_1482_353b,
    0xa2bf_e8a1_4cf1_0364, 0xa81a_664b_bc42_3001, 0xc24b_8b70_d0f8_9791, 0xc76c_51a3_0654_be30,
    0xd192_e819_d6ef_5218, 0xd699_0624_5565_a910, 0xf40e_3585_5771_202a, 0x106a_a070_32bb_d1b8,
    0x19a4_c116_b8d2_d0c8, 0x1e37_6c08_5141_ab53, 0x2748_774c_df8e_eb99, 0x34b0_bcb5_e19b_48a8,
    0x391c_0cb3_c5c9_5a63, 0x4ed8_aa4a_e341_8acb, 0x5b9c_ca4f_7763_e373, 0x682e_6ff3_d6b2_b8a3,
    0x748f_82ee_5def_b2fc, 0x78a5_636f_4317_2f60, 0x84c8_7814_a1f0_ab72, 0x8cc7_0208_1a64_39ec,
    0x90be_fffa_2363_1e28, 0xa450_6ceb_de82_bde9, 0xbef9_a3f7_b2c6_7915, 0xc671_78f2_e372_532b,
    0xca27_3ece_ea26_619c, 0xd186_b8c7_21c0_c207, 0xeada_7dd6_cde0_eb1e, 0xf57d_4f7f_ee6e_d178,
    0x06f0_67aa_7217_6fba, 0x0a63_7dc5_a2c8_98a6, 0x113f_9804_bef9_0dae, 0x1b71_0b35_131c_471b,
    0x28db_77f5_2304_7d84, 0x32ca_ab7b_40c7_2493, 0x3c9e_be0a_15c9_bebc, 0x431d_67c4_9c10_0d4c,
    0x4cc5_d4be_cb3e_42b6, 0x597f_299c_fc65_7e2a, 0x5fcb_6fab_3ad6_faec, 0x6c44_198c_4a47_5817,
  ]
}
