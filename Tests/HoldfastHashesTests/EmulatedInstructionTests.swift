import TestSupport
import Testing

@testable import HoldfastHashes

/// The code for the instructions of all processors, emulated, beside the portable code.
@Suite("Hash functions with emulated instructions")
struct EmulatedInstructionTests {
  @Test("which code runs natively is said")
  func ways() {
    let sha = SHA1.hasInstructions && SHA256.hasInstructions
    print("VECTORS: SHA-1 and SHA-256 (SHA extensions): \(sha ? "native and " : "")emulated")
    let level = SHA512.level
    print(
      "VECTORS: SHA-512 (AVX2, AVX-512): \(level > 0 ? "native (level \(level)) and " : "")emulated"
    )
    for width in [4, 8] {
      let isNative = width <= KeccakStates.widest
      print(
        "VECTORS: \(width) states of Keccak at once, and one: \(isNative ? "native and " : "")emulated"
      )
    }
    #expect(EmulatedVector.Processor.allCases.count == 2)
  }

  /// Blocks and states: random ones, and those where one bit differs from all others.
  private static func blocks(
    _ round: Int, words: Int, _ random: inout SeededNumbers
  ) -> (state: [UInt32], bytes: [UInt8]) {
    guard round % 2 == 1 else {
      let state = (0..<words).map { _ in UInt32(truncatingIfNeeded: random.next()) }
      return (state, random.bytes(64 * (round / 2 % 5)))
    }
    let isSet = round % 4 == 1
    var state = [UInt32](repeating: isSet ? 0 : .max, count: words)
    var bytes = [UInt8](repeating: isSet ? 0 : .max, count: 64)
    state[round % words] ^= 1 << UInt32(round % 32)
    bytes[round / 8 % 64] ^= 1 << UInt8(round % 8)
    return (state, bytes)
  }

  @Test(
    "SHA-1 and SHA-256 give the state of the portable code",
    arguments: EmulatedVector.Processor.allCases)
  func hashes(_ processor: EmulatedVector.Processor) {
    var random = SeededNumbers(seed: 180)
    var wrong = 0
    for round in 0..<max(256, scaled(20_000)) {
      var (state, bytes) = Self.blocks(round, words: 5, &random)
      var portable: [5 of UInt32] = InlineArray { state[$0] }
      EmulatedVector.sha1(&state, bytes, on: processor)
      SHA1.compressPortably(&portable, bytes.span, from: 0, blocks: bytes.count / 64)
      if (0..<5).contains(where: { state[$0] != portable[$0] }) { wrong += 1 }

      (state, bytes) = Self.blocks(round, words: 8, &random)
      var longer: [8 of UInt32] = InlineArray { state[$0] }
      EmulatedVector.sha256(&state, bytes, on: processor)
      SHA256.compressPortably(&longer, bytes.span, from: 0, blocks: bytes.count / 64)
      if (0..<8).contains(where: { state[$0] != longer[$0] }) { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test(
    "both widths permute one and eight states of Keccak as the portable code", arguments: [4, 8])
  func keccak(_ width: Int) {
    var random = SeededNumbers(seed: 202)
    var wrong = 0
    for round in 0..<max(64, scaled(3_200)) {
      var states = random.limbs(200)
      if round % 2 == 1 {
        states = [UInt64](repeating: round % 4 == 1 ? 0 : .max, count: 200)
        for number in 0..<8 {
          let place = (round / 2 + 200 * number) % 1_600
          states[8 * (place / 64) + number] ^= 1 << UInt64(place % 64)
        }
      }
      var expected = KeccakStates(width: 0)
      for index in 0..<200 { expected.lanes[index] = states[index] }
      expected.permute()
      var state = (0..<25).map { states[8 * $0 + 3] }
      EmulatedVector.permuteOne(&state)
      if (0..<25).contains(where: { state[$0] != expected.lanes[8 * $0 + 3] }) { wrong += 1 }
      EmulatedVector.permute(&states, width: width)
      if (0..<200).contains(where: { states[$0] != expected.lanes[$0] }) { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test("SHA-512 in vectors gives the state of the portable code")
  func sha512() {
    var random = SeededNumbers(seed: 512)
    var wrong = 0
    for round in 0..<max(64, scaled(4_000)) {
      var state = random.limbs(8)
      var bytes = random.bytes(128 * (round / 2 % 4))
      if round % 2 == 1 {
        let isSet = round % 4 == 1
        state = [UInt64](repeating: isSet ? 0 : .max, count: 8)
        bytes = [UInt8](repeating: isSet ? 0 : .max, count: 128)
        state[round % 8] ^= 1 << UInt64(round % 64)
        bytes[round / 8 % 128] ^= 1 << UInt8(round % 8)
      }
      var expected: [8 of UInt64] = InlineArray { state[$0] }
      SHA512.compressPortably(&expected, bytes.span, from: 0, blocks: bytes.count / 128)
      EmulatedVector.sha512(&state, bytes, SHA512.roundConstants)
      if (0..<8).contains(where: { state[$0] != expected[$0] }) { wrong += 1 }
    }
    #expect(wrong == 0)
  }
}
