/// The permutation Keccak-f[1600] and the 25 lanes it operates on. FIPS 202 §3.
///
/// Lane `x + 5y` is the standard's `A[x, y]`; byte 0 of the state is the low byte of lane 0.
package struct KeccakState: Sendable {
  package var lanes = [25 of UInt64](repeating: 0)

  @inlinable
  package init() {}

  /// Applies the 24 rounds in Swift alone, for processors without vectors and as the reference for
  /// those that have them.
  package mutating func permutePortably() {
    var unrolled = KeccakLanes(
      a0: lanes[0], a1: ~lanes[1], a2: ~lanes[2], a3: lanes[3], a4: lanes[4],
      a5: lanes[5], a6: lanes[6], a7: lanes[7], a8: ~lanes[8], a9: lanes[9],
      a10: lanes[10], a11: lanes[11], a12: ~lanes[12], a13: lanes[13], a14: lanes[14],
      a15: lanes[15], a16: lanes[16], a17: ~lanes[17], a18: lanes[18], a19: lanes[19],
      a20: ~lanes[20], a21: lanes[21], a22: lanes[22], a23: lanes[23], a24: lanes[24])
    var index = 0
    while index < 24 {
      // Two rounds per iteration: the lanes need not be moved back in between.
      unrolled.round(roundConstants[index])
      unrolled.round(roundConstants[index &+ 1])
      index &+= 2
    }
    lanes[0] = unrolled.a0
    lanes[1] = ~unrolled.a1
    lanes[2] = ~unrolled.a2
    lanes[3] = unrolled.a3
    lanes[4] = unrolled.a4
    lanes[5] = unrolled.a5
    lanes[6] = unrolled.a6
    lanes[7] = unrolled.a7
    lanes[8] = ~unrolled.a8
    lanes[9] = unrolled.a9
    lanes[10] = unrolled.a10
    lanes[11] = unrolled.a11
    lanes[12] = ~unrolled.a12
    lanes[13] = unrolled.a13
    lanes[14] = unrolled.a14
    lanes[15] = unrolled.a15
    lanes[16] = unrolled.a16
    lanes[17] = ~unrolled.a17
    lanes[18] = unrolled.a18
    lanes[19] = unrolled.a19
    lanes[20] = ~unrolled.a20
    lanes[21] = unrolled.a21
    lanes[22] = unrolled.a22
    lanes[23] = unrolled.a23
    lanes[24] = unrolled.a24
  }
}

/// The lanes as variables, so that the compiler can keep them in registers.
///
/// Lanes 1, 2, 8, 12, 17 and 20 are stored complemented. By De Morgan's laws a row of χ then needs
/// one complement instead of five. This and two rounds per iteration save a sixth of the time of
/// plain rounds in a loop.
private struct KeccakLanes {
  var a0: UInt64, a1: UInt64, a2: UInt64, a3: UInt64, a4: UInt64
  var a5: UInt64, a6: UInt64, a7: UInt64, a8: UInt64, a9: UInt64
  var a10: UInt64, a11: UInt64, a12: UInt64, a13: UInt64, a14: UInt64
  var a15: UInt64, a16: UInt64, a17: UInt64, a18: UInt64, a19: UInt64
  var a20: UInt64, a21: UInt64, a22: UInt64, a23: UInt64, a24: UInt64

  @inline(__always)
  mutating func round(_ constant: UInt64) {
    // θ, FIPS 202 §3.2.1.
    let c0 = a0 ^ a5 ^ a10 ^ a15 ^ a20
    let c1 = a1 ^ a6 ^ a11 ^ a16 ^ a21
    let c2 = a2 ^ a7 ^ a12 ^ a17 ^ a22
    let c3 = a3 ^ a8 ^ a13 ^ a18 ^ a23
    let c4 = a4 ^ a9 ^ a14 ^ a19 ^ a24
    let d0 = c4 ^ rotate(c1, 1)
    let d1 = c0 ^ rotate(c2, 1)
    let d2 = c1 ^ rotate(c3, 1)
    let d3 = c2 ^ rotate(c4, 1)
    let d4 = c3 ^ rotate(c0, 1)

    // ρ and π, §3.2.2 and §3.2.3, one row of the result at a time, and χ, §3.2.4, on that row; `e`
    // holds the rows for the next round.
    var b0 = a0 ^ d0
    var b1 = rotate(a6 ^ d1, 44)
    var b2 = rotate(a12 ^ d2, 43)
    var b3 = rotate(a18 ^ d3, 21)
    var b4 = rotate(a24 ^ d4, 14)
    let e0 = b0 ^ (b1 | b2) ^ constant  // ι, §3.2.5
    let e1 = b1 ^ (~b2 | b3)
    let e2 = b2 ^ (b3 & b4)
    let e3 = b3 ^ (b4 | b0)
    let e4 = b4 ^ (b0 & b1)

    b0 = rotate(a3 ^ d3, 28)
    b1 = rotate(a9 ^ d4, 20)
    b2 = rotate(a10 ^ d0, 3)
    b3 = rotate(a16 ^ d1, 45)
    b4 = rotate(a22 ^ d2, 61)
    let e5 = b0 ^ (b1 | b2)
    let e6 = b1 ^ (b2 & b3)
    let e7 = b2 ^ (b3 | ~b4)
    let e8 = b3 ^ (b4 | b0)
    let e9 = b4 ^ (b0 & b1)

    b0 = rotate(a1 ^ d1, 1)
    b1 = rotate(a7 ^ d2, 6)
    b2 = rotate(a13 ^ d3, 25)
    b3 = rotate(a19 ^ d4, 8)
    b4 = rotate(a20 ^ d0, 18)
    let e10 = b0 ^ (b1 | b2)
    let e11 = b1 ^ (b2 & b3)
    let e12 = b2 ^ (~b3 & b4)
    let e13 = ~b3 ^ (b4 | b0)
    let e14 = b4 ^ (b0 & b1)

    b0 = rotate(a4 ^ d4, 27)
    b1 = rotate(a5 ^ d0, 36)
    b2 = rotate(a11 ^ d1, 10)
    b3 = rotate(a17 ^ d2, 15)
    b4 = rotate(a23 ^ d3, 56)
    let e15 = b0 ^ (b1 & b2)
    let e16 = b1 ^ (b2 | b3)
    let e17 = b2 ^ (~b3 | b4)
    let e18 = ~b3 ^ (b4 & b0)
    let e19 = b4 ^ (b0 | b1)

    b0 = rotate(a2 ^ d2, 62)
    b1 = rotate(a8 ^ d3, 55)
    b2 = rotate(a14 ^ d4, 39)
    b3 = rotate(a15 ^ d0, 41)
    b4 = rotate(a21 ^ d1, 2)
    a20 = b0 ^ (~b1 & b2)
    a21 = ~b1 ^ (b2 | b3)
    a22 = b2 ^ (b3 & b4)
    a23 = b3 ^ (b4 | b0)
    a24 = b4 ^ (b0 & b1)

    a0 = e0
    a1 = e1
    a2 = e2
    a3 = e3
    a4 = e4
    a5 = e5
    a6 = e6
    a7 = e7
    a8 = e8
    a9 = e9
    a10 = e10
    a11 = e11
    a12 = e12
    a13 = e13
    a14 = e14
    a15 = e15
    a16 = e16
    a17 = e17
    a18 = e18
    a19 = e19
  }
}

@inline(__always)
private func rotate(_ lane: UInt64, _ count: UInt64) -> UInt64 {
  lane &<< count | lane &>> (64 &- count)
}

/// The round constants. FIPS 202 §3.2.5: bits 2^j − 1 are the output of the LFSR of Algorithm 5.
private let roundConstants: [24 of UInt64] = [
  0x0000_0000_0000_0001, 0x0000_0000_0000_8082, 0x8000_0000_0000_808A, 0x8000_0000_8000_8000,
  0x0000_0000_0000_808B, 0x0000_0000_8000_0001, 0x8000_0000_8000_8081, 0x8000_0000_0000_8009,
  0x0000_0000_0000_008A, 0x0000_0000_0000_0088, 0x0000_0000_8000_8009, 0x0000_0000_8000_000A,
  0x0000_0000_8000_808B, 0x8000_0000_0000_008B, 0x8000_0000_0000_8089, 0x8000_0000_0000_8003,
  0x8000_0000_0000_8002, 0x8000_0000_0000_0080, 0x0000_0000_0000_800A, 0x8000_0000_8000_000A,
  0x8000_0000_8000_8081, 0x8000_0000_0000_8080, 0x0000_0000_8000_0001, 0x8000_0000_8000_8008,
]
