internal import HoldfastHashes

/// The key derivation of RFC 7914, which costs memory as well as time.
enum Scrypt {
  /// The cost parameters; the caller has bounded memory and work.
  struct Cost: Sendable, Hashable {
    /// N, a power of two above 1.
    var rounds: Int
    /// r.
    var blockSize: Int
    /// p.
    var parallelization: Int
  }

  static func derive(password: [UInt8], salt: [UInt8], cost: Cost, count: Int) -> [UInt8] {
    let length = 128 * cost.blockSize
    var bytes = PBKDF2.derive(
      password: password, salt: salt, iterations: 1, count: length * cost.parallelization,
      by: .sha256)
    var memory = [UInt32](repeating: 0, count: length / 4 * cost.rounds)
    var block = [UInt32](repeating: 0, count: length / 4)
    var scratch = [UInt32](repeating: 0, count: length / 4)
    for part in 0..<cost.parallelization {
      for index in block.indices {
        block[index] = word(bytes, at: part * length + 4 * index)
      }
      mix(&block, &scratch, &memory, rounds: cost.rounds)
      for index in block.indices {
        for byte in 0..<4 {
          bytes[part * length + 4 * index + byte] =
            UInt8(truncatingIfNeeded: block[index] >> UInt32(8 * byte))
        }
      }
    }
    let output = PBKDF2.derive(
      password: password, salt: bytes, iterations: 1, count: count, by: .sha256)
    SecretBytes.overwrite(&bytes)
    SecretBytes.overwrite(&memory)
    SecretBytes.overwrite(&block)
    SecretBytes.overwrite(&scratch)
    return output
  }

  private static func word(_ bytes: [UInt8], at offset: Int) -> UInt32 {
    UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2]) << 16
      | UInt32(bytes[offset + 3]) << 24
  }

  /// scryptROMix. RFC 7914 §5.
  private static func mix(
    _ block: inout [UInt32], _ scratch: inout [UInt32], _ memory: inout [UInt32], rounds: Int
  ) {
    let count = block.count
    var x = block.mutableSpan
    var y = scratch.mutableSpan
    var v = memory.mutableSpan
    for round in 0..<rounds {
      let start = round &* count
      for index in 0..<count { v[start &+ index] = x[index] }
      mixBlock(&x, &y)
    }
    for _ in 0..<rounds {
      // Integerify takes the first words of the last 64 bytes. N is a power of two.
      let start = Int(x[count &- 16]) & (rounds &- 1)
      let offset = start &* count
      for index in 0..<count { x[index] ^= v[offset &+ index] }
      mixBlock(&x, &y)
    }
  }

  /// scryptBlockMix. RFC 7914 §4.
  private static func mixBlock(_ x: inout MutableSpan<UInt32>, _ y: inout MutableSpan<UInt32>) {
    let blocks = x.count / 16
    var state = SIMD16<UInt32>()
    for index in 0..<16 { state[index] = x[x.count &- 16 &+ index] }
    for block in 0..<blocks {
      for index in 0..<16 { state[index] ^= x[block &* 16 &+ index] }
      state = salsa(state)
      // Even blocks first, then odd ones.
      let offset = (block &>> 1 &+ (block & 1) &* (blocks / 2)) &* 16
      for index in 0..<16 { y[offset &+ index] = state[index] }
    }
    for index in 0..<x.count { x[index] = y[index] }
  }

  /// Salsa20/8. RFC 7914 §3.
  private static func salsa(_ input: SIMD16<UInt32>) -> SIMD16<UInt32> {
    var x = [16 of UInt32](repeating: 0)
    for index in 0..<16 { x[index] = input[index] }
    for _ in 0..<4 {
      quarter(&x, 0, 4, 8, 12)
      quarter(&x, 5, 9, 13, 1)
      quarter(&x, 10, 14, 2, 6)
      quarter(&x, 15, 3, 7, 11)
      quarter(&x, 0, 1, 2, 3)
      quarter(&x, 5, 6, 7, 4)
      quarter(&x, 10, 11, 8, 9)
      quarter(&x, 15, 12, 13, 14)
    }
    var output = input
    for index in 0..<16 { output[index] &+= x[index] }
    return output
  }

  @inline(__always)
  private static func quarter(_ x: inout [16 of UInt32], _ a: Int, _ b: Int, _ c: Int, _ d: Int) {
    x[b] ^= rotate(x[a] &+ x[d], 7)
    x[c] ^= rotate(x[b] &+ x[a], 9)
    x[d] ^= rotate(x[c] &+ x[b], 13)
    x[a] ^= rotate(x[d] &+ x[c], 18)
  }

  @inline(__always)
  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &<< count | word &>> (32 &- count)
  }
}
