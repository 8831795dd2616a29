import TestSupport
import Testing

@testable import HoldfastHashes

@Suite("SHA-256 with and without SHA instructions, many blocks")
struct HeavySHA256Tests {
  /// Whether both ways make the same of a state and whole blocks.
  private static func agree(_ state: [UInt32], _ bytes: [UInt8]) -> Bool {
    var portable = [8 of UInt32](repeating: 0)
    for index in 0..<8 { portable[index] = state[index] }
    var native = portable
    let blocks = bytes.count / 64
    SHA256.compressPortably(&portable, bytes.span, from: 0, blocks: blocks)
    SHA256.compressWithInstructions(&native, bytes.span, from: 0, blocks: blocks)
    return (0..<8).allSatisfy { portable[$0] == native[$0] }
  }

  @Test("both implementations agree on 110,000 random blocks", .enabled(if: SHA256.hasInstructions))
  func random() {
    var random = SeededNumbers(seed: 180)
    var (wrong, count) = (0, 0)
    while count < 110_000 {
      let blocks = Int(random.next() % 20) + 1
      let bytes = random.bytes(64 * blocks)
      let state = (0..<8).map { _ in UInt32(truncatingIfNeeded: random.next()) }
      if !Self.agree(state, bytes) { wrong += 1 }
      count += blocks
    }
    #expect(wrong == 0)
  }

  @Test(
    "both implementations agree if one bit differs from all others",
    .enabled(if: SHA256.hasInstructions))
  func edges() {
    var blocks: [[UInt8]] = []
    for background in [0, 0xff] as [UInt8] {
      let plain = [UInt8](repeating: background, count: 64)
      blocks.append(plain)
      for bit in 0..<512 {
        var changed = plain
        changed[bit / 8] ^= 1 << UInt8(bit % 8)
        blocks.append(changed)
      }
    }
    var states: [[UInt32]] = []
    for background in [0, .max] as [UInt32] {
      states.append([UInt32](repeating: background, count: 8))
      for word in 0..<8 {
        var changed = [UInt32](repeating: background, count: 8)
        changed[word] ^= 1 << UInt32(4 * word)
        states.append(changed)
      }
    }
    var (wrong, count) = (0, 0)
    for state in states {
      for block in blocks {
        count += 1
        if !Self.agree(state, block) { wrong += 1 }
      }
    }
    #expect(count >= 10_000)
    #expect(wrong == 0)
  }
}
