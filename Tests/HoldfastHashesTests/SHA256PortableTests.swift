import TestSupport
import Testing

@testable import HoldfastHashes

@Suite("SHA-256 with and without SHA instructions")
struct SHA256PortableTests {
  @Test(
    "both implementations give the same state",
    .enabled(if: SHA256.hasInstructions, "ABSENT: SHA instructions, they are only emulated"))
  func waysAgree() {
    var random = SeededNumbers(seed: 256)
    for blocks in 0..<200 {
      let bytes = random.bytes(64 * (blocks % 20) + 3)
      var portable: [8 of UInt32] = [0, 0, 0, 0, 0, 0, 0, 0]
      for index in 0..<8 { portable[index] = UInt32(truncatingIfNeeded: random.next()) }
      var native = portable
      SHA256.compressPortably(&portable, bytes.span, from: 3, blocks: blocks % 20)
      SHA256.compressWithInstructions(&native, bytes.span, from: 3, blocks: blocks % 20)
      for index in 0..<8 { #expect(portable[index] == native[index], "\(blocks % 20) blocks") }
    }
  }

  @Test("the portable implementation gives the digest of FIPS 180-4's example")
  func example() {
    // "abc", padded: the first example that NIST publishes for FIPS 180-4.
    var block = [UInt8](repeating: 0, count: 64)
    block[0...3] = [0x61, 0x62, 0x63, 0x80]
    block[63] = 24
    var state: [8 of UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
      0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    SHA256.compressPortably(&state, block.span, from: 0, blocks: 1)
    let expected: [UInt32] = [
      0xba78_16bf, 0x8f01_cfea, 0x4141_40de, 0x5dae_2223,
      0xb003_61a3, 0x9617_7a9c, 0xb410_ff61, 0xf200_15ad,
    ]
    for index in 0..<8 { #expect(state[index] == expected[index]) }
  }
}
