internal import HoldfastHashes

/// The key derivation that older PKCS #12 files use. RFC 7292 appendix B.2.
enum PKCS12KeyDerivation {
  /// What the bytes are for. RFC 7292 appendix B.3.
  enum Purpose: UInt8 {
    case key = 1
    case initializationVector = 2
    case mac = 3
  }

  /// - Parameters:
  ///   - password: A BMPString with two zero bytes at its end, or no bytes.
  ///   - iterations: At least 1; the caller has bounded it.
  static func derive(
    _ purpose: Purpose, password: [UInt8], salt: [UInt8], iterations: Int, count: Int,
    by algorithm: HashAlgorithm
  ) -> [UInt8] {
    let v = algorithm.blockLength
    // D, then I = S || P; S and P are each repeated to whole blocks.
    var message: [UInt8] = []
    message.reserveCapacity(v * (3 + salt.count / v + password.count / v))
    message += repeatElement(purpose.rawValue, count: v)
    append(salt, to: &message, inBlocksOf: v)
    append(password, to: &message, inBlocksOf: v)
    var output: [UInt8] = []
    output.reserveCapacity(count)
    while output.count < count {
      var a = algorithm.hash(message.span)
      for _ in 1..<max(iterations, 1) {
        a = algorithm.hash(a.bytes.span.extracting(0..<a.count))
      }
      for index in 0..<min(a.count, count - output.count) { output.append(a[index]) }
      guard output.count < count else { break }
      add(a, to: &message, blockLength: v)
    }
    SecretBytes.overwrite(&message)
    return output
  }

  /// Appends bytes, repeated to whole blocks.
  private static func append(
    _ bytes: [UInt8], to message: inout [UInt8], inBlocksOf length: Int
  ) {
    guard !bytes.isEmpty else { return }
    let total = (bytes.count + length - 1) / length * length
    for index in 0..<total { message.append(bytes[index % bytes.count]) }
  }

  /// Adds B + 1 to each block of I, where B is the digest repeated to a block. Step 6 C.
  private static func add(_ digest: Digest, to message: inout [UInt8], blockLength v: Int) {
    var start = v
    while start < message.count {
      var carry = 1
      for index in stride(from: v - 1, through: 0, by: -1) {
        carry += Int(message[start + index]) + Int(digest[index % digest.count])
        message[start + index] = UInt8(truncatingIfNeeded: carry)
        carry >>= 8
      }
      start += v
    }
  }
}
