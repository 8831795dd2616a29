internal import HoldfastHashes

/// EMSA-PKCS1-v1_5, RFC 8017 §9.2: the block that a signature should hold, made from its end in
/// the limbs of the representative.
struct EncodedMessage {
  private(set) var limbs: [UInt64]
  private let length: Int
  private var count = 0

  /// - Parameter length: The octets of the modulus, at least 128, so that there are eight FF
  ///   whatever the digest.
  init(
    _ digest: Span<UInt8>, prefix: (octets: [19 of UInt8], count: Int), length: Int,
    limbCount: Int
  ) {
    limbs = [UInt64](repeating: .max, count: limbCount)
    self.length = length
    // EM = 00 01 FF … FF 00 DigestInfo
    prepend(digest)
    prepend(prefix.octets.span.extracting(first: prefix.count))
    prepend(0)
    finish()
  }

  /// Puts an octet before those that are there.
  private mutating func prepend(_ octet: UInt8) {
    set(octet, at: count)
    count += 1
  }

  /// Puts octets before those that are there, whole limbs where they end with one.
  private mutating func prepend(_ octets: Span<UInt8>) {
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
  private mutating func finish() {
    set(1, at: length - 2)
    for position in length - 1..<8 * limbs.count { set(0, at: position) }
  }

  private mutating func set(_ octet: UInt8, at position: Int) {
    let shift = UInt64(8 * (position % 8))
    let index = position / 8
    limbs[index] = limbs[index] & ~(0xff &<< shift) | UInt64(octet) &<< shift
  }
}

extension HashAlgorithm {
  /// What stands before the digest in a DigestInfo, RFC 8017 §9.2 note 1; `nil` for
  /// functions that have no identifier there.
  ///
  /// The parameters are NULL. RFC 8017 §A.2.4 lets a verifier take them absent as well;
  /// this one does not, as the rules of the CA/Browser Forum ask for NULL.
  var digestInfoPrefix: (octets: [19 of UInt8], count: Int)? {
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
