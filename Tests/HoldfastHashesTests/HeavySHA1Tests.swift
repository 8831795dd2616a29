import TestSupport
import Testing

@testable import HoldfastHashes

@Suite("SHA-1 with and without SHA instructions, many blocks")
struct HeavySHA1Tests {
  /// Whether both ways make the same of a state and whole blocks.
  private static func agree(_ state: [UInt32], _ bytes: [UInt8]) -> Bool {
    var portable = [5 of UInt32](repeating: 0)
    for index in 0..<5 { portable[index] = state[index] }
    var native = portable
    let blocks = bytes.count / 64
    SHA1.compressPortably(&portable, bytes.span, from: 0, blocks: blocks)
    SHA1.compressWithInstructions(&native, bytes.span, from: 0, blocks: blocks)
    return (0..<5).allSatisfy { portable[$0] == native[$0] }
  }

  @Test(
    "both implementations agree on random blocks",
    .enabled(if: SHA1.hasInstructions, "ABSENT: SHA instructions, they are only emulated"))
  func random() {
    var random = SeededNumbers(seed: 180)
    var (wrong, count) = (0, 0)
    while count < OracleCases.random {
      let blocks = Int(random.next() % 20) + 1
      let bytes = random.bytes(64 * blocks)
      let state = (0..<5).map { _ in UInt32(truncatingIfNeeded: random.next()) }
      if !Self.agree(state, bytes) { wrong += 1 }
      count += 1
    }
    #expect(wrong == 0)
  }

  @Test(
    "both implementations agree if one bit differs from all others",
    .enabled(if: SHA1.hasInstructions, "ABSENT: SHA instructions, they are only emulated"))
  func edges() {
    var (wrong, count) = (0, 0)
    // Every state that differs from its background in one bit, with every such block.
    for bit in 0..<160 where count < OracleCases.edges {
      for background in [0, .max] as [UInt32] {
        var state = [UInt32](repeating: background, count: 5)
        state[bit * 7 % 5] ^= 1 << UInt32(bit % 32)
        for byte in [0, 0xff] as [UInt8] {
          for offset in 0..<512 {
            var block = [UInt8](repeating: byte, count: 64)
            block[offset / 8] ^= 1 << UInt8(offset % 8)
            if !Self.agree(state, block) { wrong += 1 }
            count += 1
          }
        }
      }
    }
    #expect(count >= OracleCases.edges)
    #expect(wrong == 0)
  }
}
