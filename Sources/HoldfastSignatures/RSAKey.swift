package import HoldfastHashes

/// An RSA public key, made ready to verify any number of signatures. RFC 8017.
package struct RSAKey: Sendable {
  private let arithmetic: Montgomery
  private let exponent: UInt64
  /// The bits of the modulus.
  package let modulusBits: Int

  /// The octets of the modulus and of every signature.
  package var modulusLength: Int { (modulusBits + 7) / 8 }

  /// Takes big-endian numbers, which may have leading zeros.
  ///
  /// The modulus is odd and has 1,024 to 16,384 bits; the exponent is odd and lies
  /// between 3 and 2^33.
  package init(modulus: Span<UInt8>, exponent: Span<UInt8>) throws(KeyError) {
    guard let number = Natural(bigEndian: modulus), number.bitCount <= 16_384 else {
      throw .modulusTooLarge
    }
    guard number.bitCount >= 1_024 else { throw .modulusTooSmall }
    guard let arithmetic = Montgomery(modulus: number) else { throw .evenModulus }
    guard let power = Natural(bigEndian: exponent), power.bitCount <= 33, power.isOdd,
      power.bitCount >= 2
    else { throw .badExponent }
    modulusBits = number.bitCount
    self.arithmetic = arithmetic
    self.exponent = power.limb(at: 0)
  }

  /// RSAVP1, RFC 8017 §5.2.2: the message representative, the lowest limb first; `nil`
  /// for a signature of another length than the modulus, for zero, and for a number not
  /// below the modulus.
  private func representative(of signature: Span<UInt8>) -> [UInt64]? {
    guard signature.count == modulusLength else { return nil }
    let number = Montgomery.limbs(bigEndian: signature, count: arithmetic.modulus.count)
    guard arithmetic.isReduced(number), number.contains(where: { $0 != 0 }) else { return nil }
    return arithmetic.power(number, exponent)
  }
}

extension RSAKey {
  /// RSASSA-PKCS1-v1_5, RFC 8017 §8.2.2: the block that the signature should hold is
  /// built and compared whole, so that nothing in it is ever parsed.
  package func verifyPKCS1(
    digest: Digest, by hash: HashAlgorithm, signature: Span<UInt8>
  ) -> Verification {
    guard let prefix = hash.digestInfoPrefix else { return .unsupported }
    guard digest.count == hash.digestLength,
      let representative = representative(of: signature)
    else { return .invalid }
    // EM = 00 01 FF … FF 00 DigestInfo; at least eight FF fit into 128 octets.
    var block = EncodedMessage(length: modulusLength, limbCount: representative.count)
    block.prepend(digest.octets.span.extracting(first: digest.count))
    block.prepend(prefix.octets.span.extracting(first: prefix.count))
    block.prepend(0)
    block.finish()
    return block.limbs == representative ? .valid : .invalid
  }

  /// RSASSA-PSS, RFC 8017 §8.1.2 and §9.1.2, with a salt of exactly `saltLength` octets.
  package func verifyPSS(
    digest: Digest, by hash: HashAlgorithm, mask: HashAlgorithm, saltLength: Int,
    signature: Span<UInt8>
  ) -> Verification {
    // The octets of EM are those of modulusBits - 1 bits: one fewer than those of the
    // modulus when its highest octet is 1, whose place must then be empty.
    let bits = modulusBits - 1
    let length = (bits + 7) / 8
    let hashLength = hash.digestLength
    guard digest.count == hashLength, saltLength >= 0, saltLength <= length - hashLength - 2,
      let representative = representative(of: signature)
    else { return .invalid }
    let full = Montgomery.octets(representative, count: modulusLength)
    let skipped = modulusLength - length
    if skipped == 1, full[0] != 0 { return .invalid }

    let maskedLength = length - hashLength - 1
    let hashStart = skipped + maskedLength
    let unusedBits = 8 * length - bits
    guard full[full.count - 1] == 0xbc, Int(full[skipped]) >> (8 - unusedBits) == 0 else {
      return .invalid
    }
    var data = [UInt8](repeating: 0, count: maskedLength)
    mask.fillMask(&data, seed: full.span.extracting(hashStart..<hashStart + hashLength))
    for index in data.indices { data[index] ^= full[skipped + index] }
    data[0] &= 0xff >> UInt8(unusedBits)

    // DB = 00 … 00 01 salt
    let saltStart = maskedLength - saltLength
    for index in 0..<saltStart - 1 where data[index] != 0 { return .invalid }
    guard data[saltStart - 1] == 1 else { return .invalid }

    // M' = 00 00 00 00 00 00 00 00 mHash salt
    var message = [UInt8](repeating: 0, count: 8)
    message.reserveCapacity(8 + hashLength + saltLength)
    for index in 0..<hashLength { message.append(digest[index]) }
    message.append(contentsOf: data[saltStart...])
    let found = hash.hash(message)
    for index in 0..<hashLength where found[index] != full[hashStart + index] { return .invalid }
    return .valid
  }
}

extension HashAlgorithm {
  /// MGF1, RFC 8017 §B.2.1; for SHAKE, its own output, RFC 8702 §3.1.
  fileprivate func fillMask(_ mask: inout [UInt8], seed: Span<UInt8>) {
    switch self {
    case .shake128: mask = HashAlgorithm.output(of: SHAKE(.shake128), mask.count, seed)
    case .shake256: mask = HashAlgorithm.output(of: SHAKE(.shake256), mask.count, seed)
    default:
      var input = [UInt8](repeating: 0, count: seed.count + 4)
      for index in seed.indices { input[index] = seed[index] }
      var (position, counter) = (0, UInt32(0))
      while position < mask.count {
        for index in 0..<4 {
          input[seed.count + index] = UInt8(truncatingIfNeeded: counter >> UInt32(24 - 8 * index))
        }
        let block = hash(input)
        for index in 0..<min(block.count, mask.count - position) {
          mask[position + index] = block[index]
        }
        position += block.count
        counter += 1
      }
    }
  }

  private static func output(
    of function: consuming SHAKE, _ count: Int, _ seed: Span<UInt8>
  ) -> [UInt8] {
    function.absorb(seed)
    return function.squeeze(count)
  }

  /// What stands before the digest in a DigestInfo, RFC 8017 §9.2 note 1; `nil` for
  /// functions that have no identifier there.
  ///
  /// The parameters are NULL. RFC 8017 §A.2.4 lets a verifier take them absent as well;
  /// this one does not, as the rules of the CA/Browser Forum ask for NULL.
  fileprivate var digestInfoPrefix: (octets: [19 of UInt8], count: Int)? {
    // The last arc below 2.16.840.1.101.3.4.2, NIST's hash functions.
    let arc: UInt8
    switch self {
    case .sha1:
      let octets: [19 of UInt8] = [
        0x30, 0x21, 0x30, 0x09, 0x06, 0x05, 0x2b, 0x0e, 0x03, 0x02, 0x1a, 5, 0, 4, 0x14, 0, 0, 0, 0,
      ]
      return (octets, 15)
    case .sha256: arc = 1
    case .sha384: arc = 2
    case .sha512: arc = 3
    case .sha224: arc = 4
    case .sha512_224: arc = 5
    case .sha512_256: arc = 6
    case .sha3_224: arc = 7
    case .sha3_256: arc = 8
    case .sha3_384: arc = 9
    case .sha3_512: arc = 10
    case .shake128, .shake256: return nil
    }
    let length = UInt8(digestLength)
    let octets: [19 of UInt8] = [
      0x30, 17 + length, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02,
      arc, 5, 0, 4, length,
    ]
    return (octets, 19)
  }
}

/// The block of RFC 8017 §9.2, made from its end in the limbs of the representative.
private struct EncodedMessage {
  private(set) var limbs: [UInt64]
  private let length: Int
  private var count = 0

  init(length: Int, limbCount: Int) {
    limbs = [UInt64](repeating: .max, count: limbCount)
    self.length = length
  }

  /// Puts an octet before those that are there.
  mutating func prepend(_ octet: UInt8) {
    set(octet, at: count)
    count += 1
  }

  /// Puts octets before those that are there, whole limbs where they end with one.
  mutating func prepend(_ octets: Span<UInt8>) {
    var end = octets.count
    while end > 0 {
      if count % 8 == 0, end >= 8 {
        var limb: UInt64 = 0
        for index in end - 8..<end { limb = limb &<< 8 | UInt64(octets[index]) }
        limbs[count / 8] = limb
        (count, end) = (count + 8, end - 8)
      } else {
        prepend(octets[end - 1])
        end -= 1
      }
    }
  }

  /// Leaves FF up to the two octets at the front, 00 and 01.
  mutating func finish() {
    set(1, at: length - 2)
    for position in length - 1..<8 * limbs.count { set(0, at: position) }
  }

  private mutating func set(_ octet: UInt8, at position: Int) {
    let shift = UInt64(8 * (position % 8))
    let index = position / 8
    limbs[index] = limbs[index] & ~(0xff &<< shift) | UInt64(octet) &<< shift
  }
}
