public import HoldfastDER

extension PublicKey {
  /// Reads an RSA key from its `RSAPublicKey` alone, as files labelled `RSA PUBLIC KEY` hold it.
  /// RFC 8017 appendix A.1.1.
  ///
  /// `der` is then the SubjectPublicKeyInfo that a certificate for the key has. RFC 3279 §2.3.1.
  public init(pkcs1: [UInt8]) throws(DERError) {
    var reader = DERReader(pkcs1)
    _ = try reader.read(.sequence)
    try reader.finish()
    // SEQUENCE { rsaEncryption, NULL }. RFC 3279 §2.3.1.
    let identifier: [UInt8] = [
      0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]
    let bits = PublicKey.header(.bitString, count: pkcs1.count + 1) + [0x00]
    let count = identifier.count + bits.count + pkcs1.count
    let before = PublicKey.header(.sequence, count: count) + identifier + bits
    do throws(DERError) {
      try self.init(der: before + pkcs1)
    } catch {
      throw DERError(error.problem, at: max(error.offset - before.count, 0))
    }
  }

  /// The tag and the length of an element. X.690 §10.1.
  private static func header(_ tag: DERTag, count: Int) -> [UInt8] {
    guard count >= 0x80 else { return [tag.rawValue, UInt8(truncatingIfNeeded: count)] }
    var length: [UInt8] = []
    var rest = count
    while rest > 0 {
      length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
      rest >>= 8
    }
    return [tag.rawValue, 0x80 | UInt8(truncatingIfNeeded: length.count)] + length
  }
}
