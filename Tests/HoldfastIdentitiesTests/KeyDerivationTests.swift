import HoldfastHashes
import TestSupport
import Testing

@testable import HoldfastIdentities

extension VectorLine {
  /// The hash function that a line names as Python does.
  func hash() throws -> HashAlgorithm {
    let names: [String: HashAlgorithm] = [
      "sha1": .sha1, "sha224": .sha224, "sha256": .sha256, "sha384": .sha384, "sha512": .sha512,
      "sha512_224": .sha512_224, "sha512_256": .sha512_256, "sha3_224": .sha3_224,
      "sha3_256": .sha3_256, "sha3_384": .sha3_384, "sha3_512": .sha3_512,
    ]
    return try #require(names[text("hash")])
  }
}

@Suite("HMAC and key derivation") struct KeyDerivationTests {
  /// Collects the lines of a kind whose answer is another one.
  static func failures(
    _ kind: String, atLeast least: Int, _ agrees: (VectorLine) throws -> Bool
  ) throws -> [Int] {
    let lines = try VectorLine.all(of: "primitives.txt").filter { $0.kind == kind }
    #expect(lines.count >= least)
    return try lines.indices.filter { try !agrees(lines[$0]) }
  }

  @Test("HMAC over each hash function agrees with Python's, for keys around the block length")
  func hmac() throws {
    let wrong = try Self.failures("hmac", atLeast: 77) { line in
      let message = try line.bytes("message")
      let code = HMAC(try line.hash(), key: try line.bytes("key")).code(of: message.span)
      return code.array == (try line.bytes("code"))
    }
    #expect(wrong == [])
  }

  @Test(
    "HMAC gives the MACs of RFC 4231 §4.2",
    arguments: [
      (HashAlgorithm.sha224, "896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22"),
      (.sha256, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
      (
        .sha384,
        "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59cfaea9ea9076ede7f4af152e8b2fa9cb6"
      ),
      (
        .sha512,
        "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"
      ),
    ])
  func rfc4231(algorithm: HashAlgorithm, code: String) throws {
    let message = Array("Hi There".utf8)
    let mac = HMAC(algorithm, key: [UInt8](repeating: 0x0B, count: 20)).code(of: message.span)
    #expect(mac.array == (try parseHex(code)))
  }

  @Test("PBKDF2 over each hash function agrees with Python's")
  func pbkdf2() throws {
    let wrong = try Self.failures("pbkdf2", atLeast: 33) { line in
      let key = try line.bytes("key")
      let derived = PBKDF2.derive(
        password: try line.bytes("password"), salt: try line.bytes("salt"),
        iterations: try line.number("iterations"), count: key.count, by: try line.hash())
      return derived == key
    }
    #expect(wrong == [])
  }

  @Test(
    "PBKDF2 with SHA-1 gives the keys of RFC 6070 §2",
    arguments: [
      ("password", "salt", 1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
      ("password", "salt", 2, "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957"),
      ("password", "salt", 4096, "4b007901b765489abead49d926f721d065a429c1"),
      (
        "passwordPASSWORDpassword", "saltSALTsaltSALTsaltSALTsaltSALTsalt", 4096,
        "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038"
      ),
      ("pass\0word", "sa\0lt", 4096, "56fa6aa75548099dcc37d7f03425e0c3"),
    ])
  func rfc6070(password: String, salt: String, iterations: Int, key: String) throws {
    let expected = try parseHex(key)
    let derived = PBKDF2.derive(
      password: Array(password.utf8), salt: Array(salt.utf8), iterations: iterations,
      count: expected.count, by: .sha1)
    #expect(derived == expected)
  }

  @Test("PBKDF2 with SHA-256 gives the first key of RFC 7914 §11")
  func rfc7914() throws {
    let expected = try parseHex(
      "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
        + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783")
    let derived = PBKDF2.derive(
      password: Array("passwd".utf8), salt: Array("salt".utf8), iterations: 1,
      count: expected.count, by: .sha256)
    #expect(derived == expected)
  }

  @Test("scrypt agrees with hashlib's for small costs")
  func scrypt() throws {
    let wrong = try Self.failures("scrypt", atLeast: 5) { line in
      let key = try line.bytes("key")
      let cost = Scrypt.Cost(
        rounds: try line.number("n"), blockSize: try line.number("r"),
        parallelization: try line.number("p"))
      let derived = Scrypt.derive(
        password: try line.bytes("password"), salt: try line.bytes("salt"), cost: cost,
        count: key.count)
      return derived == key
    }
    #expect(wrong == [])
  }

  @Test("scrypt gives the first key of RFC 7914 §12")
  func smallestScrypt() throws {
    let cost = Scrypt.Cost(rounds: 16, blockSize: 1, parallelization: 1)
    let expected = try parseHex(
      "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
        + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906")
    #expect(Scrypt.derive(password: [], salt: [], cost: cost, count: 64) == expected)
  }

  @Test("the key derivation of PKCS #12 agrees with OpenSSL's, for each purpose")
  func pkcs12() throws {
    let wrong = try Self.failures("pkcs12kdf", atLeast: 84) { line in
      let key = try line.bytes("key")
      let purpose = PKCS12KeyDerivation.Purpose(rawValue: UInt8(try line.number("purpose")))
      let derived = PKCS12KeyDerivation.derive(
        try #require(purpose), password: try line.bytes("password"),
        salt: try line.bytes("salt"), iterations: try line.number("iterations"),
        count: key.count, by: try line.hash())
      return derived == key
    }
    #expect(wrong == [])
  }

  @Test("arrays are compared completely, and those of different lengths are never equal")
  func comparison() {
    #expect(SecretBytes.areEqual([], []))
    #expect(SecretBytes.areEqual([1, 2], [1, 2]))
    #expect(!SecretBytes.areEqual([1, 2], [1, 3]))
    #expect(!SecretBytes.areEqual([1, 2], [0, 2]))
    #expect(!SecretBytes.areEqual([1, 2], [1, 2, 3]))
  }
}

/// Many iterations: for the release build.
@Suite("Key derivation with many iterations") struct HeavyKeyDerivationTests {
  @Test("PBKDF2 with SHA-256 gives the second key of RFC 7914 §11")
  func rfc7914() throws {
    let expected = try parseHex(
      "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
        + "a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d")
    let derived = PBKDF2.derive(
      password: Array("Password".utf8), salt: Array("NaCl".utf8), iterations: 80_000,
      count: expected.count, by: .sha256)
    #expect(derived == expected)
  }

  @Test(
    "scrypt gives the other keys of RFC 7914 §12",
    arguments: [
      (
        "password", "NaCl", 1024, 16,
        "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
      ),
      (
        "pleaseletmein", "SodiumChloride", 16384, 1,
        "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
      ),
    ])
  func scrypt(password: String, salt: String, n: Int, p: Int, key: String) throws {
    let cost = Scrypt.Cost(rounds: n, blockSize: 8, parallelization: p)
    let derived = Scrypt.derive(
      password: Array(password.utf8), salt: Array(salt.utf8), cost: cost, count: 64)
    #expect(derived == (try parseHex(key)))
  }
}
