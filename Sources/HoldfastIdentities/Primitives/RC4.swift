/// The stream cipher RC4, which only old files use. RFC 6229 has test vectors.
enum RC4 {
  /// Decrypts, which is the same as encrypting.
  ///
  /// - Parameter key: 1 to 256 bytes.
  static func apply(key: [UInt8], to input: Span<UInt8>) -> [UInt8] {
    guard !key.isEmpty else { return [] }
    var state = (0...255).map { UInt8($0) }
    var j: UInt8 = 0
    for i in 0..<256 {
      j &+= state[i] &+ key[i % key.count]
      state.swapAt(i, Int(j))
    }
    var output: [UInt8] = []
    output.reserveCapacity(input.count)
    var i: UInt8 = 0
    j = 0
    for index in input.indices {
      i &+= 1
      j &+= state[Int(i)]
      state.swapAt(Int(i), Int(j))
      output.append(input[index] ^ state[Int(state[Int(i)] &+ state[Int(j)])])
    }
    SecretBytes.overwrite(&state)
    return output
  }
}
