internal import HoldfastHashes

/// The key derivation of RFC 8018 §5.2 with HMAC.
enum PBKDF2 {
  /// - Parameters:
  ///   - iterations: At least 1; the caller has bounded it.
  ///   - count: The number of bytes to derive, fewer than 2^32 blocks.
  static func derive(
    password: [UInt8], salt: [UInt8], iterations: Int, count: Int, by algorithm: HashAlgorithm
  ) -> [UInt8] {
    let hash = HMAC(algorithm, key: password)
    var output: [UInt8] = []
    output.reserveCapacity(count + algorithm.digestLength)
    var block: UInt32 = 1
    while output.count < count {
      let number = (0..<4).map { UInt8(truncatingIfNeeded: block >> UInt32(24 - 8 * $0)) }
      let sum = hash.chain(from: hash.code(of: (salt + number).span), iterations: iterations)
      for index in 0..<min(algorithm.digestLength, count - output.count) {
        output.append(sum[index])
      }
      block += 1
    }
    return output
  }
}
