import TestSupport
import Testing

@testable import HoldfastHashes

@Suite("One and eight states of Keccak")
struct KeccakStatesTests {
  /// The widths that the processor has; `KeccakState` is the oracle for each, and for none.
  static let widths = [0, 4, 8].filter { $0 <= KeccakStates.widest }

  /// Whether all widths permute these lanes, of eight states and of each alone, as they should.
  private func agree(_ lanes: (_ lane: Int, _ state: Int) -> UInt64) -> Bool {
    let expected = (0..<8).map { number in
      var state = KeccakState()
      for lane in 0..<25 { state.lanes[lane] = lanes(lane, number) }
      state.permutePortably()
      return state
    }
    for number in 0..<8 {
      var state = KeccakState()
      for lane in 0..<25 { state.lanes[lane] = lanes(lane, number) }
      state.permute()
      guard (0..<25).allSatisfy({ state.lanes[$0] == expected[number].lanes[$0] }) else {
        return false
      }
    }
    return Self.widths.allSatisfy { width in
      var states = KeccakStates(width: width)
      for number in 0..<8 {
        for lane in 0..<25 { states.lanes[8 * lane + number] = lanes(lane, number) }
      }
      states.permute()
      return (0..<200).allSatisfy { states.lanes[$0] == expected[$0 % 8].lanes[$0 / 8] }
    }
  }

  @Test("every width permutes random states, one and eight, as the portable code does")
  func random() {
    var numbers = SeededNumbers(seed: 1_600)
    var wrong = 0
    for _ in 0..<max(10, OracleCases.random / 8) {
      let words = numbers.limbs(200)
      if !agree({ words[8 * $0 + $1] }) { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test("every width permutes states with one bit set or clear as the portable code does")
  func edges() {
    var wrong = 0
    for background in [0, .max] as [UInt64] {
      for bit in stride(from: 0, to: 1_600, by: isDebug ? 97 : 1) {
        let matches = agree { lane, number in
          // Each state has another bit.
          let place = (bit + 200 * number) % 1_600
          return lane == place / 64 ? background ^ 1 << UInt64(place % 64) : background
        }
        if !matches { wrong += 1 }
      }
    }
    #expect(wrong == 0)
  }
}
