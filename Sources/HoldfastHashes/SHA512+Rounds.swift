extension SHA512 {
  /// The compression function. FIPS 180-4 §6.4.2.
  ///
  /// Two words of the message schedule are computed at a time; the constants are
  /// those of FIPS 180-4 §4.2.3, the cube roots of the first 80 primes.
  mutating func compress(_ bytes: Span<UInt8>, from start: Int, blocks: Int) {
    var position = start
    for _ in 0..<blocks {
      var w0 = bytes.twoWords(at: position)
      var w1 = bytes.twoWords(at: position + 16)
      var w2 = bytes.twoWords(at: position + 32)
      var w3 = bytes.twoWords(at: position + 48)
      var w4 = bytes.twoWords(at: position + 64)
      var w5 = bytes.twoWords(at: position + 80)
      var w6 = bytes.twoWords(at: position + 96)
      var w7 = bytes.twoWords(at: position + 112)
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])

      rounds(
        &a, &b, &c, &d, &e, &f, &g, &h,
        w0 &+ SIMD2(0x428a_2f98_d728_ae22, 0x7137_4491_23ef_65cd))
      rounds(
        &g, &h, &a, &b, &c, &d, &e, &f,
        w1 &+ SIMD2(0xb5c0_fbcf_ec4d_3b2f, 0xe9b5_dba5_8189_dbbc))
      rounds(
        &e, &f, &g, &h, &a, &b, &c, &d,
        w2 &+ SIMD2(0x3956_c25b_f348_b538, 0x59f1_11f1_b605_d019))
      rounds(
        &c, &d, &e, &f, &g, &h, &a, &b,
        w3 &+ SIMD2(0x923f_82a4_af19_4f9b, 0xab1c_5ed5_da6d_8118))
      rounds(
        &a, &b, &c, &d, &e, &f, &g, &h,
        w4 &+ SIMD2(0xd807_aa98_a303_0242, 0x1283_5b01_4570_6fbe))
      rounds(
        &g, &h, &a, &b, &c, &d, &e, &f,
        w5 &+ SIMD2(0x2431_85be_4ee4_b28c, 0x550c_7dc3_d5ff_b4e2))
      rounds(
        &e, &f, &g, &h, &a, &b, &c, &d,
        w6 &+ SIMD2(0x72be_5d74_f27b_896f, 0x80de_b1fe_3b16_96b1))
      rounds(
        &c, &d, &e, &f, &g, &h, &a, &b,
        w7 &+ SIMD2(0x9bdc_06a7_25c7_1235, 0xc19b_f174_cf69_2694))
      extend(&w0, w1, w4, w5, w7)
      rounds(
        &a, &b, &c, &d, &e, &f, &g, &h,
        w0 &+ SIMD2(0xe49b_69c1_9ef1_4ad2, 0xefbe_4786_384f_25e3))
      extend(&w1, w2, w5, w6, w0)
      rounds(
        &g, &h, &a, &b, &c, &d, &e, &f,
        w1 &+ SIMD2(0x0fc1_9dc6_8b8c_d5b5, 0x240c_a1cc_77ac_9c65))
      extend(&w2, w3, w6, w7, w1)
      rounds(
        &e, &f, &g, &h, &a, &b, &c, &d,
        w2 &+ SIMD2(0x2de9_2c6f_592b_0275, 0x4a74_84aa_6ea6_e483))
      extend(&w3, w4, w7, w0, w2)
      rounds(
        &c, &d, &e, &f, &g, &h, &a, &b,
        w3 &+ SIMD2(0x5cb0_a9dc_bd41_fbd4, 0x76f9_88da_8311_53b5))
      extend(&w4, w5, w0, w1, w3)
      rounds(
        &a, &b, &c, &d, &e, &f, &g, &h,
        w4 &+ SIMD2(0x983e_5152_ee66_dfab, 0xa831_c66d_2db4_3210))
      extend(&w5, w6, w1, w2, w4)
      rounds(
        &g, &h, &a, &b, &c, &d, &e, &f,
        w5 &+ SIMD2(0xb003_27c8_98fb_213f, 0xbf59_7fc7_beef_0ee4))
      extend(&w6, w7, w2, w3, w5)
      rounds(
        &e, &f, &g, &h, &a, &b, &c, &d,
        w6 &+ SIMD2(0xc6e0_0bf3_3da8_8fc2, 0xd5a7_9147_930a_a725))
      extend(&w7, w0, w3, w4, w6)
      rounds(
        &c, &d, &e, &f, &g, &h, &a, &b,
        w7 &+ SIMD2(0x06ca_6351_e003_826f, 0x1429_2967_0a0e_6e70))
      extend(&w0, w1, w4, w5, w7)
      rounds(
        &a, &b, &c, &d, &e, &f, &g, &h,
        w0 &+ SIMD2(0x27b7_0a85_46d2_2ffc, 0x2e1b_2138_5c26_c926))
      extend(&w1, w2, w5, w6, w0)
      rounds(
        &g, &h, &a, &b, &c, &d, &e, &f,
        w1 &+ SIMD2(0x4d2c_6dfc_5ac4_2aed, 0x5338_0d13_9d95_b3df))
      extend(&w2, w3, w6, w7, w1)
      rounds(
        &e, &f, &g, &h, &a, &b, &c, &d,
        w2 &+ SIMD2(0x650a_7354_8baf_63de, 0x766a_0abb_3c77_b2a8))
      extend(&w3, w4, w7, w0, w2)
      rounds(
        &c, &d, &e, &f, &g, &h, &a, &b,
        w3 &+ SIMD2(0x81c2_c92e_47ed_aee6, 0x9272_2c85_1482_353b))
      extend(&w4, w5, w0, w1, w3)
      rounds(
        &a, &b, &c, &d, &e, &f, &g, &h,
        w4 &+ SIMD2(0xa2bf_e8a1_4cf1_0364, 0xa81a_664b_bc42_3001))
      extend(&w5, w6, w1, w2, w4)
      rounds(
        &g, &h, &a, &b, &c, &d, &e, &f,
        w5 &+ SIMD2(0xc24b_8b70_d0f8_9791, 0xc76c_51a3_0654_be30))
      extend(&w6, w7, w2, w3, w5)
      rounds(
        &e, &f, &g, &h, &a, &b, &c, &d,
        w6 &+ SIMD2(0xd192_e819_d6ef_5218, 0xd699_0624_5565_a910))
      extend(&w7, w0, w3, w4, w6)
      rounds(
        &c, &d, &e, &f, &g, &h, &a, &b,
        w7 &+ SIMD2(0xf40e_3585_5771_202a, 0x106a_a070_32bb_d1b8))
      extend(&w0, w1, w4, w5, w7)
      rounds(
        &a, &b, &c, &d, &e, &f, &g, &h,
        w0 &+ SIMD2(0x19a4_c116_b8d2_d0c8, 0x1e37_6c08_5141_ab53))
      extend(&w1, w2, w5, w6, w0)
      rounds(
        &g, &h, &a, &b, &c, &d, &e, &f,
        w1 &+ SIMD2(0x2748_774c_df8e_eb99, 0x34b0_bcb5_e19b_48a8))
      extend(&w2, w3, w6, w7, w1)
      rounds(
        &e, &f, &g, &h, &a, &b, &c, &d,
        w2 &+ SIMD2(0x391c_0cb3_c5c9_5a63, 0x4ed8_aa4a_e341_8acb))
      extend(&w3, w4, w7, w0, w2)
      rounds(
        &c, &d, &e, &f, &g, &h, &a, &b,
        w3 &+ SIMD2(0x5b9c_ca4f_7763_e373, 0x682e_6ff3_d6b2_b8a3))
      extend(&w4, w5, w0, w1, w3)
      rounds(
        &a, &b, &c, &d, &e, &f, &g, &h,
        w4 &+ SIMD2(0x748f_82ee_5def_b2fc, 0x78a5_636f_4317_2f60))
      extend(&w5, w6, w1, w2, w4)
      rounds(
        &g, &h, &a, &b, &c, &d, &e, &f,
        w5 &+ SIMD2(0x84c8_7814_a1f0_ab72, 0x8cc7_0208_1a64_39ec))
      extend(&w6, w7, w2, w3, w5)
      rounds(
        &e, &f, &g, &h, &a, &b, &c, &d,
        w6 &+ SIMD2(0x90be_fffa_2363_1e28, 0xa450_6ceb_de82_bde9))
      extend(&w7, w0, w3, w4, w6)
      rounds(
        &c, &d, &e, &f, &g, &h, &a, &b,
        w7 &+ SIMD2(0xbef9_a3f7_b2c6_7915, 0xc671_78f2_e372_532b))
      extend(&w0, w1, w4, w5, w7)
      rounds(
        &a, &b, &c, &d, &e, &f, &g, &h,
        w0 &+ SIMD2(0xca27_3ece_ea26_619c, 0xd186_b8c7_21c0_c207))
      extend(&w1, w2, w5, w6, w0)
      rounds(
        &g, &h, &a, &b, &c, &d, &e, &f,
        w1 &+ SIMD2(0xeada_7dd6_cde0_eb1e, 0xf57d_4f7f_ee6e_d178))
      extend(&w2, w3, w6, w7, w1)
      rounds(
        &e, &f, &g, &h, &a, &b, &c, &d,
        w2 &+ SIMD2(0x06f0_67aa_7217_6fba, 0x0a63_7dc5_a2c8_98a6))
      extend(&w3, w4, w7, w0, w2)
      rounds(
        &c, &d, &e, &f, &g, &h, &a, &b,
        w3 &+ SIMD2(0x113f_9804_bef9_0dae, 0x1b71_0b35_131c_471b))
      extend(&w4, w5, w0, w1, w3)
      rounds(
        &a, &b, &c, &d, &e, &f, &g, &h,
        w4 &+ SIMD2(0x28db_77f5_2304_7d84, 0x32ca_ab7b_40c7_2493))
      extend(&w5, w6, w1, w2, w4)
      rounds(
        &g, &h, &a, &b, &c, &d, &e, &f,
        w5 &+ SIMD2(0x3c9e_be0a_15c9_bebc, 0x431d_67c4_9c10_0d4c))
      extend(&w6, w7, w2, w3, w5)
      rounds(
        &e, &f, &g, &h, &a, &b, &c, &d,
        w6 &+ SIMD2(0x4cc5_d4be_cb3e_42b6, 0x597f_299c_fc65_7e2a))
      extend(&w7, w0, w3, w4, w6)
      rounds(
        &c, &d, &e, &f, &g, &h, &a, &b,
        w7 &+ SIMD2(0x5fcb_6fab_3ad6_faec, 0x6c44_198c_4a47_5817))

      state[0] &+= a
      state[1] &+= b
      state[2] &+= c
      state[3] &+= d
      state[4] &+= e
      state[5] &+= f
      state[6] &+= g
      state[7] &+= h
      position += 128
    }
  }
}

/// Replaces the two oldest words of the schedule, `w0`, by the two next ones.
@inline(__always)
private func extend(
  _ w0: inout SIMD2<UInt64>, _ w1: SIMD2<UInt64>, _ w4: SIMD2<UInt64>, _ w5: SIMD2<UInt64>,
  _ w7: SIMD2<UInt64>
) {
  w0 = w0 &+ smallSigma0(SIMD2(w0[1], w1[0])) &+ SIMD2(w4[1], w5[0]) &+ smallSigma1(w7)
}

// Rotations are spelled as the shifts they share, because the compiler takes a rotation
// of a vector apart into one of each lane.
@inline(__always)
private func smallSigma0(_ x: SIMD2<UInt64>) -> SIMD2<UInt64> {
  (((x &>> 7) ^ x) &>> 1) ^ (x &>> 7) ^ (((x &<< 7) ^ x) &<< 56)
}

@inline(__always)
private func smallSigma1(_ x: SIMD2<UInt64>) -> SIMD2<UInt64> {
  (((x &>> 42) ^ x) &>> 19) ^ (x &>> 6) ^ (((x &<< 42) ^ x) &<< 3)
}

/// Two rounds, after which the eight variables have moved on by two places.
@inline(__always)
private func rounds(
  _ a: inout UInt64, _ b: inout UInt64, _ c: inout UInt64, _ d: inout UInt64,
  _ e: inout UInt64, _ f: inout UInt64, _ g: inout UInt64, _ h: inout UInt64,
  _ words: SIMD2<UInt64>
) {
  round(a, b, c, &d, e, f, g, &h, words[0])
  round(h, a, b, &c, d, e, f, &g, words[1])
}

@inline(__always)
private func round(
  _ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: inout UInt64,
  _ e: UInt64, _ f: UInt64, _ g: UInt64, _ h: inout UInt64, _ word: UInt64
) {
  let sigma1 = e.rotatedRight(14) ^ e.rotatedRight(18) ^ e.rotatedRight(41)
  let sigma0 = a.rotatedRight(28) ^ a.rotatedRight(34) ^ a.rotatedRight(39)
  h = h &+ word &+ (g ^ (e & (f ^ g))) &+ sigma1
  d = d &+ h
  h = h &+ sigma0 &+ ((a & b) | (c & (a | b)))
}

extension Span where Element == UInt8 {
  @inline(__always)
  fileprivate func twoWords(at offset: Int) -> SIMD2<UInt64> {
    SIMD2(bigEndian64(at: offset), bigEndian64(at: offset + 8))
  }
}
