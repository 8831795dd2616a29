internal import HoldfastHashes

/// Returns the block that a signature of `digest` must contain: EMSA-PKCS1-v1_5, RFC 8017 §9.2.
///
/// - Parameter length: The bytes of the modulus, at least 128, so that there are eight FF for any
///   digest.
func encodedMessage(
  _ digest: Digest, prefix: (bytes: [19 of UInt8], count: Int), length: Int
) -> [UInt8] {
  // EM = 00 01 FF … FF 00 DigestInfo
  var block = [UInt8](repeating: 0xff, count: length)
  var bytes = block.mutableSpan
  let digestStart = length - digest.count
  let prefixStart = digestStart - prefix.count
  (bytes[0], bytes[1], bytes[prefixStart - 1]) = (0, 1, 0)
  for index in 0..<prefix.count { bytes[prefixStart + index] = prefix.bytes[index] }
  for index in 0..<digest.count { bytes[digestStart + index] = digest[index] }
  return block
}

extension HashAlgorithm {
  /// The bytes before the digest in a DigestInfo, RFC 8017 §9.2 note 1; `nil` for SHA-3 and
  /// SHAKE, which no RSA signature algorithm of certificates uses.
  ///
  /// The parameters are NULL. RFC 8017 §A.2.4 allows a verifier to accept absent parameters as
  /// well; this one does not, because the rules of the CA/Browser Forum require NULL.
  var digestInfoPrefix: (bytes: [19 of UInt8], count: Int)? {
    // The last arc below 2.16.840.1.101.3.4.2, NIST's hash functions.
    let arc: UInt8
    switch self {
    case .sha1:
      let bytes: [19 of UInt8] = [
        0x30, 0x21, 0x30, 0x09, 0x06, 0x05, 0x2b, 0x0e, 0x03, 0x02, 0x1a, 5, 0, 4, 0x14, 0, 0, 0, 0,
      ]
      return (bytes, 15)
    case .sha256: arc = 1
    case .sha384: arc = 2
    case .sha512: arc = 3
    case .sha224: arc = 4
    case .sha512_224: arc = 5
    case .sha512_256: arc = 6
    case .sha3_224, .sha3_256, .sha3_384, .sha3_512: return nil
    }
    let length = UInt8(digestLength)
    let bytes: [19 of UInt8] = [
      0x30, 17 + length, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02,
      arc, 5, 0, 4, length,
    ]
    return (bytes, 19)
  }
}
