import TestSupport
import Testing

@testable import HoldfastHashes

@Suite("SHA-1 with and without SHA instructions")
struct SHA1PortableTests {
  @Test("both implementations give the same state", .enabled(if: SHA1.hasInstructions))
  func waysAgree() {
    var random = SeededNumbers(seed: 160)
    for blocks in 0..<20 {
      let bytes = random.bytes(64 * blocks + 3)
      var portable: [5 of UInt32] = [0, 0, 0, 0, 0]
      for index in 0..<5 { portable[index] = UInt32(truncatingIfNeeded: random.next()) }
      var native = portable
      SHA1.compressPortably(&portable, bytes.span, from: 3, blocks: blocks)
      SHA1.compressWithInstructions(&native, bytes.span, from: 3, blocks: blocks)
      for index in 0..<5 { #expect(portable[index] == native[index], "\(blocks) blocks") }
    }
  }

  // The examples that NIST publishes for FIPS 180-4.
  @Test(
    "both implementations give the digests of FIPS 180-4's examples",
    arguments: [
      ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
      ),
    ])
  func examples(message: String, digest: String) {
    for isPortable in [false, true] {
      var hash = SHA1(portably: isPortable)
      let bytes = Array(message.utf8)
      hash.update(bytes.span)
      #expect(hexadecimal(hash.finish().array) == digest)
    }
  }
}
