import HoldfastConformance
import HoldfastHashes
import TestSupport
import Testing

@Suite("SHA-1 and SHA-2")
struct SHA2Tests {
  /// For each function, hashlib's SHA-256 over the digests of 301 messages: the one of
  /// n bytes, for n from 0 to 300, has 7·i + n at place i.
  static let allLengths: [HashAlgorithm: String] = [
    .sha1: "47239c52c701c5e05398e4709678f658b2d2108f40c2da3b6615c0121d3c0d5d",
    .sha224: "5a67aa04b19b611747c95909dd77047aceb8da5584a11c68586bb20e181155e5",
    .sha256: "60d63ff40b5558727a9b786ac0be9300f7ca58fd9ddd3b2f3681b369018a87dc",
    .sha384: "b0d36846619ec97306958b95e01a3d154fe9667fbb379931600661f3e0bba268",
    .sha512: "f3a878b16610912d9a238688c52fc5f29f8fe30d2c5656e7e77dcf747171648d",
    .sha512_224: "cc16914c77fc2041c92b0d1bad41a606522893cfa4ce6f8a5c26f8f1f699ae3b",
    .sha512_256: "61edd597f2e068c20b4a14526163022c134eafb9849262f9482ae0209bcc87e2",
    .sha3_224: "efe7a462db181346ec769888a014f06fb72824b7cf2d5982f193f1dc01a0d509",
    .sha3_256: "71e220528d47ef8725a8a599461adc38e7baf8dd68c0dd3f66b401f399286055",
    .sha3_384: "fbe631a5424f066b282019a319e62e55a56cd91677798b548a2bee8e281a96df",
    .sha3_512: "8d6c77fa08a82467cf8eeae8718c9d229ea49176a362d9877fdbbd0054344aa6",
  ]

  static func message(_ length: Int) -> [UInt8] {
    (0..<length).map { UInt8(truncatingIfNeeded: 7 * $0 + length) }
  }

  @Test(
    "every length from 0 to 300 gives the digest that hashlib gives",
    arguments: HashAlgorithm.allCases)
  func lengths(algorithm: HashAlgorithm) throws {
    var digests = SHA256()
    for length in 0...300 {
      let digest = algorithm.hash(Self.message(length))
      #expect(digest.count == algorithm.digestLength)
      digests.update(digest.bytes.span.extracting(0..<digest.count))
    }
    #expect(hexadecimal(digests.finish().array) == Self.allLengths[algorithm])
  }

  @Test("a message in two parts has the digest of the whole, wherever it is cut")
  func splits() {
    for length in [0, 55, 56, 63, 64, 111, 112, 119, 120, 127, 128, 129, 260] {
      let message = Self.message(length)
      let whole1 = HashAlgorithm.sha1.hash(message)
      let whole224 = HashAlgorithm.sha224.hash(message)
      let whole256 = HashAlgorithm.sha256.hash(message)
      let whole384 = HashAlgorithm.sha384.hash(message)
      let whole512 = HashAlgorithm.sha512.hash(message)
      for cut in 0...length {
        let (first, second) = (
          message.span.extracting(0..<cut), message.span.extracting(cut..<length)
        )
        var (sha1, sha224, sha256) = (SHA1(), SHA256(.sha224), SHA256())
        var (sha384, sha512) = (SHA512(.sha384), SHA512())
        sha1.update(first)
        sha1.update(second)
        sha224.update(first)
        sha224.update(second)
        sha256.update(first)
        sha256.update(second)
        sha384.update(first)
        sha384.update(second)
        sha512.update(first)
        sha512.update(second)
        let equal =
          sha1.finish() == whole1 && sha224.finish() == whole224 && sha256.finish() == whole256
          && sha384.finish() == whole384 && sha512.finish() == whole512
        #expect(equal, "\(length) bytes cut at \(cut)")
      }
    }
  }

  @Test("a slice is hashed in place, without the bytes outside it")
  func slices() {
    let message = Self.message(200)
    for algorithm in HashAlgorithm.allCases {
      #expect(algorithm.hash(message, in: 10..<110) == algorithm.hash([UInt8](message[10..<110])))
      #expect(algorithm.hash(message, in: 150..<900) == algorithm.hash([UInt8](message[150...])))
      #expect(algorithm.hash(message, in: -5 ..< -1) == algorithm.hash([]))
    }
  }

  @Test("a digest made elsewhere equals ours, and one too long is rejected")
  func digests() throws {
    let ours = HashAlgorithm.sha384.hash(Self.message(5))
    let bytes = ours.array
    let theirs = Digest(bytes.span)
    #expect(ours == theirs)
    #expect(Set([ours, theirs, HashAlgorithm.sha384.hash(Self.message(6))]).count == 2)
    let tooLong = Digest([UInt8](repeating: 0, count: 65).span)
    #expect(tooLong == nil)
    let shorter = Digest(bytes.span.extracting(0..<47))
    #expect(ours != shorter)
  }
}
