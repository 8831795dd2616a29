/// A block cipher that can decrypt.
protocol BlockCipher {
  /// The number of bytes in a block: 8 or 16.
  static var blockLength: Int { get }
  /// Decrypts the first `blockLength` bytes of a block in place.
  func decrypt(_ block: inout [16 of UInt8])
}

/// Cipher block chaining with the padding of RFC 8018 §6.1.1.
enum CBC {
  /// Decrypts whole blocks and leaves the padding in place. NIST SP 800-38A §6.2.
  ///
  /// Returns nil unless the input consists of whole blocks and the vector is one block.
  static func decryptBlocks<Cipher: BlockCipher>(
    _ input: Span<UInt8>, with cipher: Cipher, vector: [UInt8]
  ) -> [UInt8]? {
    let length = Cipher.blockLength
    guard input.count % length == 0, vector.count == length else { return nil }
    var previous = [16 of UInt8](repeating: 0)
    for index in 0..<length { previous[index] = vector[index] }
    var output: [UInt8] = []
    output.reserveCapacity(input.count)
    var start = 0
    while start < input.count {
      var block = [16 of UInt8](repeating: 0)
      for index in 0..<length { block[index] = input[start &+ index] }
      let encrypted = block
      cipher.decrypt(&block)
      for index in 0..<length { output.append(block[index] ^ previous[index]) }
      previous = encrypted
      start &+= length
    }
    return output
  }

  /// Decrypts and removes the padding. Returns nil if the padding is invalid, as it nearly always
  /// is with a wrong key.
  static func decrypt<Cipher: BlockCipher>(
    _ input: Span<UInt8>, with cipher: Cipher, vector: [UInt8]
  ) -> [UInt8]? {
    guard var output = decryptBlocks(input, with: cipher, vector: vector), let last = output.last
    else { return nil }
    let padding = Int(last)
    guard 1...Cipher.blockLength ~= padding, output.suffix(padding).allSatisfy({ $0 == last })
    else {
      SecretBytes.overwrite(&output)
      return nil
    }
    output.removeLast(padding)
    return output
  }
}
