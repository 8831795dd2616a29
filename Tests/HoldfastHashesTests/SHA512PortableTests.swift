import TestSupport
import Testing

@testable import HoldfastHashes

@Suite("SHA-512 with and without vectors")
struct SHA512PortableTests {
  @Test(
    "each level of vectors gives the state of the portable code",
    .enabled(if: SHA512.level > 0, "ABSENT: AVX2, it is only emulated"))
  func levelsAgree() {
    var random = SeededNumbers(seed: 384)
    for level in 1...max(SHA512.level, 1) {
      for blocks in 0..<200 {
        let bytes = random.bytes(128 * (blocks % 20) + 3)
        var portable: [8 of UInt64] = InlineArray { _ in random.next() }
        var native = portable
        SHA512.compressPortably(&portable, bytes.span, from: 3, blocks: blocks % 20)
        SHA512.compressInVectors(&native, bytes.span, from: 3, blocks: blocks % 20, level: level)
        for index in 0..<8 {
          #expect(portable[index] == native[index], "\(blocks % 20) blocks, level \(level)")
        }
      }
    }
  }

  @Test("the portable code gives the digest of FIPS 180-4's example")
  func example() {
    // "abc", padded: the first example that NIST publishes for SHA-512.
    var block = [UInt8](repeating: 0, count: 128)
    block[0...3] = [0x61, 0x62, 0x63, 0x80]
    block[127] = 24
    var state = SHA512().state
    SHA512.compressPortably(&state, block.span, from: 0, blocks: 1)
    let expected: [UInt64] = [
      0xddaf_35a1_9361_7aba, 0xcc41_7349_ae20_4131, 0x12e6_fa4e_89a9_7ea2, 0x0a9e_eee6_4b55_d39a,
      0x2192_992a_274f_c1a8, 0x36ba_3c23_a3fe_ebbd, 0x454d_4423_643c_e80e, 0x2a9a_c94f_a54c_a49f,
    ]
    for index in 0..<8 { #expect(state[index] == expected[index]) }
  }
}
