internal import CHoldfastInstructions

extension KeccakState {
  /// Applies the 24 rounds, with the rotations of BMI2 if the processor has vectors as well.
  package mutating func permute() {
    guard KeccakStates.widest > 0 else { return permutePortably() }
    var lanes = lanes.mutableSpan
    // SAFETY: the function reads and writes 25 lanes, exactly those of the span; it keeps no
    // pointer.
    unsafe lanes.withUnsafeMutableBufferPointer { unsafe holdfast_keccak_one($0.baseAddress) }
  }
}

/// Eight states of Keccak-f[1600], permuted together: with AVX-512 at once, with AVX2 in two calls.
/// `KeccakState` does the same on any processor.
package struct KeccakStates: Sendable {
  package static let count = 8
  /// How many states one call permutes; 0 without the instructions. Determined once, since the
  /// answer cannot change during the process.
  package static let widest: Int = {
    let most = Vectors.all.isUsed ? 8 : Vectors.doubles.isUsed ? 4 : 0
    return min(Int(holdfast_keccak_width()), most)
  }()

  /// Lane i of state s is at 8 * i + s.
  package var lanes = [200 of UInt64](repeating: 0)
  private let width: Int

  /// - Parameter width: How many states one call permutes: 8 or 4, if the processor can, or 0.
  package init(width: Int = widest) {
    self.width = width <= KeccakStates.widest ? width : 0
  }

  /// Applies the 24 rounds to every state.
  package mutating func permute() {
    guard width > 0 else { return permutePortably() }
    var lanes = lanes.mutableSpan
    // SAFETY: the function reads and writes 25 lanes of eight states, exactly those of the span; it
    // keeps no pointer.
    unsafe lanes.withUnsafeMutableBufferPointer { lanes in
      unsafe holdfast_keccak_permute(lanes.baseAddress, Int32(width))
    }
  }

  private mutating func permutePortably() {
    for number in 0..<KeccakStates.count {
      var state = KeccakState()
      for lane in 0..<25 { state.lanes[lane] = lanes[8 &* lane &+ number] }
      state.permutePortably()
      for lane in 0..<25 { lanes[8 &* lane &+ number] = state.lanes[lane] }
    }
  }
}
