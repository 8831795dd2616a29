/// Pseudorandom numbers that are the same in every run: SplitMix64.
package struct SeededNumbers: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed &>> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed &>> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed &>> 31
  }

  /// Returns a number from 0 to `limit` - 1.
  package mutating func next(below limit: Int) -> Int { Int(next() % UInt64(limit)) }

  package mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  package mutating func limbs(_ count: Int) -> [UInt64] { (0..<count).map { _ in next() } }
}
