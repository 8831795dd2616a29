import TestSupport
import Testing

@testable import HoldfastIdentities

@Suite("Ciphers") struct CipherTests {
  /// Decrypts with the cipher that OpenSSL calls so; nil if the padding is wrong.
  static func decrypt(
    _ name: String, key: [UInt8], vector: [UInt8], _ encrypted: [UInt8]
  ) throws -> [UInt8]? {
    switch name {
    case "aes-128-cbc", "aes-192-cbc", "aes-256-cbc":
      let cipher = try #require(AES(key: key))
      return CBC.decrypt(encrypted.span, with: cipher, vector: vector)
    case "des-ede3-cbc", "des-ede-cbc":
      let cipher = try #require(TripleDES(key: key))
      return CBC.decrypt(encrypted.span, with: cipher, vector: vector)
    case "rc2-cbc", "rc2-40-cbc":
      let cipher = try #require(RC2(key: key, effectiveBits: 8 * key.count))
      return CBC.decrypt(encrypted.span, with: cipher, vector: vector)
    default: return RC4.apply(key: key, to: encrypted.span)
    }
  }

  @Test("each cipher decrypts what OpenSSL encrypted, at every length of padding")
  func openSSL() throws {
    let lines = try VectorLine.all(of: "primitives.txt").filter { $0.kind == "cipher" }
    #expect(lines.count >= 55)
    #expect(Set(lines.compactMap { $0.fields["name"] }).count == 9)
    let wrong = try lines.filter { line in
      let text = try Self.decrypt(
        line.text("name"), key: line.bytes("key"), vector: line.bytes("vector"),
        line.bytes("encrypted"))
      return try text != line.bytes("text")
    }
    #expect(wrong.map(\.fields) == [])
  }

  private static let plain =
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"

  @Test(
    "AES-CBC decrypts the examples of NIST SP 800-38A F.2",
    arguments: [
      (
        "2b7e151628aed2a6abf7158809cf4f3c",
        "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
          + "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7"
      ),
      (
        "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
        "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a"
          + "571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd"
      ),
      (
        "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
        "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
          + "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b"
      ),
    ])
  func nist(key: String, encrypted: String) throws {
    let cipher = try #require(AES(key: parseHex(key)))
    let vector = try parseHex("000102030405060708090a0b0c0d0e0f")
    let bytes = try parseHex(encrypted)
    let text = CBC.decryptBlocks(bytes.span, with: cipher, vector: vector)
    #expect(text == (try parseHex(Self.plain)))
  }

  @Test(
    "RC2 decrypts the vectors of RFC 2268 §5",
    arguments: [
      ("0000000000000000", 63, "0000000000000000", "ebb773f993278eff"),
      ("ffffffffffffffff", 64, "ffffffffffffffff", "278b27e42e2f0d49"),
      ("3000000000000000", 64, "1000000000000001", "30649edf9be7d2c2"),
      ("88", 64, "0000000000000000", "61a8a244adacccf0"),
      ("88bca90e90875a", 64, "0000000000000000", "6ccf4308974c267f"),
      ("88bca90e90875a7f0f79c384627bafb2", 64, "0000000000000000", "1a807d272bbe5db1"),
      ("88bca90e90875a7f0f79c384627bafb2", 128, "0000000000000000", "2269552ab0f85ca6"),
      (
        "88bca90e90875a7f0f79c384627bafb216f80a6f85920584c42fceb0be255daf1e", 129,
        "0000000000000000", "5b78d3a43dfff1f1"
      ),
    ])
  func rc2(key: String, bits: Int, text: String, encrypted: String) throws {
    let cipher = try #require(RC2(key: parseHex(key), effectiveBits: bits))
    let bytes = try parseHex(encrypted)
    let vector = [UInt8](repeating: 0, count: 8)
    let block = CBC.decryptBlocks(bytes.span, with: cipher, vector: vector)
    #expect(block == (try parseHex(text)))
  }

  @Test("RC4 gives the first bytes of the stream in RFC 6229 §2")
  func rc4() throws {
    let zeros = [UInt8](repeating: 0, count: 16)
    let stream = RC4.apply(key: [1, 2, 3, 4, 5], to: zeros.span)
    #expect(stream == (try parseHex("b2396305f03dc027ccc3524a0a1118a8")))
  }

  @Test("invalid padding is rejected, and so are incomplete blocks")
  func padding() throws {
    let cipher = try #require(AES(key: [UInt8](repeating: 7, count: 16)))
    let vector = [UInt8](repeating: 0, count: 16)
    let block = [UInt8](repeating: 9, count: 16)
    let decryptedBlock = CBC.decryptBlocks(block.span, with: cipher, vector: vector)
    let text = try #require(decryptedBlock)
    // The vector is added to the text, so it chooses the text.
    func decrypted(_ wanted: [UInt8]) -> [UInt8]? {
      CBC.decrypt(block.span, with: cipher, vector: zip(text, wanted).map { $0 ^ $1 })
    }
    let zeros = [UInt8](repeating: 0, count: 16)
    #expect(decrypted(zeros) == nil)
    #expect(decrypted(zeros.dropLast() + [1]) == Array(zeros.dropLast()))
    #expect(decrypted(zeros.dropLast() + [2]) == nil)
    #expect(decrypted(zeros.dropLast(2) + [2, 2]) == Array(zeros.dropLast(2)))
    #expect(decrypted(zeros.dropLast() + [17]) == nil)
    #expect(decrypted([UInt8](repeating: 16, count: 16)) == [])
    for (input, vector) in [([], vector), (block.dropLast(), vector), (block, [])] {
      let bytes = Array(input)
      let result = CBC.decrypt(bytes.span, with: cipher, vector: vector)
      #expect(result == nil)
    }
  }

  @Test("keys of a wrong length are rejected")
  func keys() {
    for count in 0..<40 {
      let key = [UInt8](repeating: 1, count: count)
      #expect((AES(key: key) == nil) == ![16, 24, 32].contains(count))
      #expect((TripleDES(key: key) == nil) == ![16, 24].contains(count))
    }
    #expect(RC2(key: [], effectiveBits: 40) == nil)
    #expect(RC2(key: [1], effectiveBits: 0) == nil)
    #expect(RC2(key: [1], effectiveBits: 1025) == nil)
    #expect(RC2(key: [UInt8](repeating: 1, count: 129), effectiveBits: 40) == nil)
    let input: [UInt8] = [1, 2]
    let nothing = RC4.apply(key: [], to: input.span)
    #expect(nothing == [])
  }
}
