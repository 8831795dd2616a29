import HoldfastCertificates
import Testing

/// What the kind of a key is made of, and which numbers are checked. RFC 3279 §2.3.1, RFC 4055 §3.1.
@Suite("Public keys") struct PublicKeyTests {
  /// A SubjectPublicKeyInfo for RSASSA-PSS whose trailer field is 2, which RFC 4055 §3.1 does not
  /// define, around the content of the BIT STRING; shorter than 128 bytes.
  private static func unknownTrailer(_ key: [UInt8]) -> [UInt8] {
    let algorithm: [UInt8] = [
      0x30, 18, 0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0A,
      0x30, 5, 0xA3, 3, 0x02, 1, 2,
    ]
    let bits = [0x03, UInt8(key.count + 1), 0] + key
    return [0x30, UInt8(algorithm.count + bits.count)] + algorithm + bits
  }

  @Test("the numbers of a key are checked even if its parameters make it unknown")
  func numbersOfUnknownKey() throws {
    let error = #expect(throws: ParseError.self) {
      try PublicKey(der: Self.unknownTrailer([0x05, 0]))
    }
    #expect(error?.problem == .der(.unexpectedTag(found: .null, expected: .sequence)))
    #expect(error?.offset == 25)

    let key = try PublicKey(der: Self.unknownTrailer([0x30, 6, 0x02, 1, 5, 0x02, 1, 3]))
    #expect(key.kind == .unknown && key.modulus == nil && key.exponent == nil && key.bits == nil)
    #expect(!key.verifies(.rsaPKCS1(.sha256)))
  }

  @Test("an RSA key gives its numbers without leading zeros, and other kinds have none")
  func numbers() throws {
    // RFC 8017 appendix A.1.1, with a modulus of 0x80 that needs a zero byte before it.
    let rsa = try PublicKey(pkcs1: [0x30, 7, 0x02, 2, 0, 0x80, 0x02, 1, 3])
    #expect(rsa.kind == .rsa && rsa.bits == 8)
    #expect(rsa.modulus.map(Array.init) == [0x80] && rsa.exponent.map(Array.init) == [3])
    let ed25519 = try PublicKey(
      der: [0x30, 0x2A, 0x30, 5, 0x06, 3, 0x2B, 0x65, 0x70, 0x03, 0x21, 0]
        + [UInt8](repeating: 7, count: 32))
    #expect(ed25519.kind == .raw(.ed25519) && ed25519.modulus == nil)
    #expect(Array(ed25519.bytes) == [UInt8](repeating: 7, count: 32))
  }
}
