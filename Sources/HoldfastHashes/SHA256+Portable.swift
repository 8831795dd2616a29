extension SHA256 {
  /// The compression function in Swift alone, for processors without SHA instructions
  /// and as the reference for those that have them. FIPS 180-4 §6.2.2.
  ///
  /// Four words of the message schedule are computed at a time; the constants are
  /// those of FIPS 180-4 §4.2.2, the cube roots of the first 64 primes.
  static func compressPortably(
    _ state: inout [8 of UInt32], _ bytes: Span<UInt8>, from start: Int, blocks: Int
  ) {
    var position = start
    for _ in 0..<blocks {
      var w0 = bytes.fourWords(at: position)
      var w1 = bytes.fourWords(at: position + 16)
      var w2 = bytes.fourWords(at: position + 32)
      var w3 = bytes.fourWords(at: position + 48)
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])

      rounds(
        &a, &b, &c, &d, &e, &f, &g, &h,
        w0 &+ SIMD4(0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5))
      rounds(
        &e, &f, &g, &h, &a, &b, &c, &d,
        w1 &+ SIMD4(0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5))
      rounds(
        &a, &b, &c, &d, &e, &f, &g, &h,
        w2 &+ SIMD4(0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3))
      rounds(
        &e, &f, &g, &h, &a, &b, &c, &d,
        w3 &+ SIMD4(0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174))
      extend(&w0, w1, w2, w3)
      rounds(
        &a, &b, &c, &d, &e, &f, &g, &h,
        w0 &+ SIMD4(0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc))
      extend(&w1, w2, w3, w0)
      rounds(
        &e, &f, &g, &h, &a, &b, &c, &d,
        w1 &+ SIMD4(0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da))
      extend(&w2, w3, w0, w1)
      rounds(
        &a, &b, &c, &d, &e, &f, &g, &h,
        w2 &+ SIMD4(0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7))
      extend(&w3, w0, w1, w2)
      rounds(
        &e, &f, &g, &h, &a, &b, &c, &d,
        w3 &+ SIMD4(0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967))
      extend(&w0, w1, w2, w3)
      rounds(
        &a, &b, &c, &d, &e, &f, &g, &h,
        w0 &+ SIMD4(0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13))
      extend(&w1, w2, w3, w0)
      rounds(
        &e, &f, &g, &h, &a, &b, &c, &d,
        w1 &+ SIMD4(0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85))
      extend(&w2, w3, w0, w1)
      rounds(
        &a, &b, &c, &d, &e, &f, &g, &h,
        w2 &+ SIMD4(0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3))
      extend(&w3, w0, w1, w2)
      rounds(
        &e, &f, &g, &h, &a, &b, &c, &d,
        w3 &+ SIMD4(0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070))
      extend(&w0, w1, w2, w3)
      rounds(
        &a, &b, &c, &d, &e, &f, &g, &h,
        w0 &+ SIMD4(0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5))
      extend(&w1, w2, w3, w0)
      rounds(
        &e, &f, &g, &h, &a, &b, &c, &d,
        w1 &+ SIMD4(0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3))
      extend(&w2, w3, w0, w1)
      rounds(
        &a, &b, &c, &d, &e, &f, &g, &h,
        w2 &+ SIMD4(0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208))
      extend(&w3, w0, w1, w2)
      rounds(
        &e, &f, &g, &h, &a, &b, &c, &d,
        w3 &+ SIMD4(0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2))

      state[0] &+= a
      state[1] &+= b
      state[2] &+= c
      state[3] &+= d
      state[4] &+= e
      state[5] &+= f
      state[6] &+= g
      state[7] &+= h
      position += 64
    }
  }
}

/// Replaces the four oldest words of the schedule by the four next ones.
@inline(__always)
private func extend(
  _ w0: inout SIMD4<UInt32>, _ w1: SIMD4<UInt32>, _ w2: SIMD4<UInt32>, _ w3: SIMD4<UInt32>
) {
  let w1to4 = SIMD4(w0[1], w0[2], w0[3], w1[0])
  let w9to12 = SIMD4(w2[1], w2[2], w2[3], w3[0])
  let sum = w0 &+ smallSigma0(w1to4) &+ w9to12
  // The last two words need the first two.
  let low = sum.lowHalf &+ smallSigma1(w3.highHalf)
  let high = sum.highHalf &+ smallSigma1(low)
  w0 = SIMD4(lowHalf: low, highHalf: high)
}

// Rotations are spelled as the shifts they share, because the compiler takes a rotation
// of a vector apart into one of each lane.
@inline(__always)
private func smallSigma0(_ x: SIMD4<UInt32>) -> SIMD4<UInt32> {
  (((x &>> 11) ^ x) &>> 7) ^ (x &>> 3) ^ (((x &<< 11) ^ x) &<< 14)
}

@inline(__always)
private func smallSigma1(_ x: SIMD2<UInt32>) -> SIMD2<UInt32> {
  (((x &>> 2) ^ x) &>> 17) ^ (x &>> 10) ^ (((x &<< 2) ^ x) &<< 13)
}

/// Four rounds, after which the eight variables have moved on by four places.
@inline(__always)
private func rounds(
  _ a: inout UInt32, _ b: inout UInt32, _ c: inout UInt32, _ d: inout UInt32,
  _ e: inout UInt32, _ f: inout UInt32, _ g: inout UInt32, _ h: inout UInt32,
  _ words: SIMD4<UInt32>
) {
  round(a, b, c, &d, e, f, g, &h, words[0])
  round(h, a, b, &c, d, e, f, &g, words[1])
  round(g, h, a, &b, c, d, e, &f, words[2])
  round(f, g, h, &a, b, c, d, &e, words[3])
}

@inline(__always)
private func round(
  _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32,
  _ e: UInt32, _ f: UInt32, _ g: UInt32, _ h: inout UInt32, _ word: UInt32
) {
  let sigma1 = e.rotatedRight(6) ^ e.rotatedRight(11) ^ e.rotatedRight(25)
  let sigma0 = a.rotatedRight(2) ^ a.rotatedRight(13) ^ a.rotatedRight(22)
  h = h &+ word &+ (g ^ (e & (f ^ g))) &+ sigma1
  d = d &+ h
  h = h &+ sigma0 &+ ((a & b) | (c & (a | b)))
}

extension Span where Element == UInt8 {
  @inline(__always)
  fileprivate func fourWords(at offset: Int) -> SIMD4<UInt32> {
    SIMD4(
      bigEndian32(at: offset), bigEndian32(at: offset + 4),
      bigEndian32(at: offset + 8), bigEndian32(at: offset + 12))
  }
}
