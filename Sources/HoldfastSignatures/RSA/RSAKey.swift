package import HoldfastHashes

/// An RSA public key, prepared to verify any number of signatures. RFC 8017.
package struct RSAKey: Sendable {
  private let arithmetic: Montgomery
  private let exponent: UInt64
  /// The bit length of the modulus.
  package let modulusBits: Int

  /// The maximum number of bits of an exponent: longer ones, which no CA uses, make verifying as
  /// slow as signing.
  package static let maximumExponentBits = 33

  /// The length of the modulus, and of every signature, in bytes.
  package var modulusLength: Int { (modulusBits + 7) / 8 }

  /// Creates a key from big-endian numbers, which may have leading zeros.
  ///
  /// The modulus must be odd and have 1,024 to 16,384 bits; the exponent must be odd and between 3
  /// and 2^33.
  ///
  /// - Parameter products: The products in vectors, which the processor must have; nil for none.
  package init(
    modulus: Span<UInt8>, exponent: Span<UInt8>, products: VectorProducts? = .best
  ) throws(KeyError) {
    guard let number = Natural(bigEndian: modulus), number.bitCount <= 16_384 else {
      throw .modulusTooLarge
    }
    guard number.bitCount >= 1_024 else { throw .modulusTooSmall }
    guard let arithmetic = Montgomery(modulus: number, products: products) else {
      throw .evenModulus
    }
    var power: UInt64 = 0
    for index in 0..<exponent.count {
      power = power &<< 8 | UInt64(exponent[index])
      // Not `power < 1 << bits`: its right side is an Int, which may have 32 bits.
      guard power >> RSAKey.maximumExponentBits == 0 else { throw .badExponent }
    }
    guard power & 1 == 1, power > 1 else { throw .badExponent }
    modulusBits = number.bitCount
    self.arithmetic = arithmetic
    self.exponent = power
  }

  /// Returns the number that a signature represents, the lowest limb first: RSAVP1,
  /// RFC 8017 §5.2.2, step 1. Returns `nil` if its length is not that of the modulus, or if it is
  /// zero or not below the modulus.
  private func number(of signature: Span<UInt8>) -> [UInt64]? {
    guard signature.count == modulusLength else { return nil }
    let number = Montgomery.limbs(bigEndian: signature, count: arithmetic.modulus.count)
    guard arithmetic.isReduced(number.span), number.contains(where: { $0 != 0 }) else {
      return nil
    }
    return number
  }
}

extension RSAKey {
  /// Verifies RSASSA-PKCS1-v1_5, RFC 8017 §8.2.2. The expected block is built and compared whole,
  /// so nothing in the signature's block is ever parsed.
  package func verifyPKCS1(
    digest: Digest, by hash: HashAlgorithm, signature: Span<UInt8>
  ) -> Verification {
    guard let prefix = hash.digestInfoPrefix else { return .unsupported }
    guard digest.count == hash.digestLength, let number = number(of: signature) else {
      return .invalid
    }
    let block = encodedMessage(digest, prefix: prefix, length: modulusLength)
    guard let found = arithmetic.power(number, exponent) else { return .invalid }
    for index in found.indices
    where found[index] != Montgomery.limb(at: index, bigEndian: block.span) { return .invalid }
    return .valid
  }

  /// Verifies RSASSA-PSS, RFC 8017 §8.1.2 and §9.1.2, with a salt of exactly the stated length.
  package func verifyPSS(
    digest: Digest, _ parameters: PSSParameters, signature: Span<UInt8>
  ) -> Verification {
    let (hash, saltLength) = (parameters.hash, parameters.saltLength)
    // EM has as many bytes as modulusBits - 1 bits need: one fewer than the modulus if the highest
    // byte of the modulus is 1; then the leading byte must be zero.
    let bits = modulusBits - 1
    let length = (bits + 7) / 8
    let hashLength = hash.digestLength
    guard digest.count == hashLength, saltLength >= 0, saltLength <= length - hashLength - 2,
      let number = number(of: signature), let representative = arithmetic.power(number, exponent)
    else { return .invalid }
    // Before EM there is room for the part of M' before the salt.
    let room = 8 + hashLength
    var block = Montgomery.bytes(representative, after: room)
    let start = block.count - length
    if length < modulusLength, block[start - 1] != 0 { return .invalid }

    // EM = maskedDB H BC
    let hashStart = block.count - hashLength - 1
    let unusedBits = 8 * length - bits
    guard block[block.count - 1] == 0xbc, Int(block[start]) >> (8 - unusedBits) == 0 else {
      return .invalid
    }
    parameters.maskHash.mask(&block, start..<hashStart, seed: hashStart..<hashStart + hashLength)
    block[start] &= 0xff >> UInt8(unusedBits)

    // DB = 00 … 00 01 salt
    let saltStart = hashStart - saltLength
    for index in start..<saltStart - 1 where block[index] != 0 { return .invalid }
    guard block[saltStart - 1] == 1 else { return .invalid }

    // M' = 00 00 00 00 00 00 00 00 mHash salt
    let messageStart = saltStart - room
    for index in messageStart..<messageStart + 8 { block[index] = 0 }
    for index in 0..<hashLength { block[messageStart + 8 + index] = digest.bytes[index] }
    let found = hash.hash(block.span.extracting(messageStart..<hashStart)).bytes
    for index in 0..<hashLength where found[index] != block[hashStart + index] { return .invalid }
    return .valid
  }
}

extension HashAlgorithm {
  /// Removes the mask generated from the bytes in `seed` from those in `range`: MGF1,
  /// RFC 8017 §B.2.1.
  fileprivate func mask(_ bytes: inout [UInt8], _ range: Range<Int>, seed: Range<Int>) {
    // Room for the longest digest and a counter of four bytes. 2,048 bytes of mask end before the
    // counter reaches 256.
    var input = [68 of UInt8](repeating: 0)
    let inputCount = min(seed.count, 64) + 4
    for index in 0..<inputCount - 4 { input[index] = bytes[seed.lowerBound + index] }
    // With an array, each access would check whether it is uniquely referenced.
    var bytes = bytes.mutableSpan
    var start = range.lowerBound
    while start < range.upperBound {
      let mask = hash(input.span.extracting(first: inputCount))
      let count = min(mask.count, range.upperBound - start)
      let block = mask.bytes
      for index in 0..<count { bytes[start &+ index] ^= block[index] }
      start += count
      input[inputCount - 1] &+= 1
    }
  }
}
