import TestSupport
import Testing

@testable import HoldfastHashes

/// The expected digests are those of a SHA-256 in Python that is told how long the message is.
@Suite("Messages that are too long to be hashed in a test") struct LongMessageTests {
  @Test(
    "a length beyond 32 bits is not truncated: 2^32 + 3 bytes do not count as three",
    arguments: [
      (0, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (1 << 32, "8267cd2abfacc0728163d6fb04593e11257a935c59b44d4f657145c3eaef6ff1"),
      ((1 << 61) - 64, "115c3c047b8887813e5ec9f6e68a8a658a06bcda0498cd13ffd6718353193e9e"),
    ] as [(UInt64, String)])
  func lengths(before: UInt64, expected: String) {
    var hash = SHA256()
    hash.messageLength = before
    hash.update(Array("abc".utf8).span)
    let digest = hash.finish()
    #expect(hexadecimal(digest.array) == expected)
  }
}
