import HoldfastHashes
import TestSupport
import Testing

@testable import HoldfastSignatures

/// An RSA key on this processor beside the same key without its instructions, whose way is the
/// oracle.
@Suite("RSA keys with and without AVX-512")
struct HeavyRSAKeyTests {
  /// The DigestInfo up to the digest, RFC 8017 §9.2 note 1.
  static let prefixes: [(HashAlgorithm, [UInt8])] = [
    (
      .sha256, [0x30, 0x31, 0x30, 0x0d, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1, 5, 0, 4, 0x20]
    ),
    (
      .sha384, [0x30, 0x41, 0x30, 0x0d, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 2, 5, 0, 4, 0x30]
    ),
    (
      .sha512, [0x30, 0x51, 0x30, 0x0d, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 3, 5, 0, 4, 0x40]
    ),
  ]

  /// How many answers of each kind there were, and where the two ways differ.
  struct Outcome {
    var (valid, invalid) = (0, 0)
    var wrong: [String] = []
  }

  struct Keys {
    let plain: VerificationKey
    let others: [VerificationKey]

    init(_ modulus: [UInt8], _ exponent: UInt64) throws {
      let bytes = (0..<5).map { UInt8(truncatingIfNeeded: exponent >> UInt64(32 - 8 * $0)) }
      plain = try VerificationKey(
        rsaModulus: modulus.span, exponent: bytes.span, products: nil)
      others = try VectorProducts.supported.map { products in
        try VerificationKey(rsaModulus: modulus.span, exponent: bytes.span, products: products)
      }
    }

    func compare(
      _ hash: HashAlgorithm, _ digest: Digest, _ signature: [UInt8], _ outcome: inout Outcome,
      expected: Verification? = nil
    ) {
      let answer = plain.verify(.rsaPKCS1(hash), digest: digest, signature: signature.span)
      if answer == .valid { outcome.valid += 1 } else { outcome.invalid += 1 }
      if expected ?? answer != answer { outcome.wrong.append("\(hash) \(signature): \(answer)") }
      for other in others {
        let found = other.verify(.rsaPKCS1(hash), digest: digest, signature: signature.span)
        if found != answer {
          outcome.wrong.append("\(hash) \(digest.array) \(signature): \(found)")
        }
      }
    }
  }

  static func block(_ digest: Digest, _ prefix: [UInt8], length: Int) -> [UInt8] {
    let end = [0] + prefix + digest.array
    return [0, 1] + [UInt8](repeating: 0xff, count: length - 2 - end.count) + end
  }

  static func flipped(_ bytes: [UInt8], _ bit: Int) -> [UInt8] {
    var bytes = bytes
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    return bytes
  }

  /// The bytes of `base` + `step`, which does not carry beyond two bytes.
  static func moved(_ base: [UInt8], _ step: Int) -> [UInt8] {
    var bytes = base
    let last = bytes.count - 1
    let sum = Int(bytes[last - 1]) << 8 + Int(bytes[last]) + step
    bytes[last] = UInt8(truncatingIfNeeded: sum)
    bytes[last - 1] = UInt8(truncatingIfNeeded: sum >> 8)
    return bytes
  }

  /// Numbers of primes, their bits, exponents and how many signatures: lengths that are whole
  /// blocks of limbs and lengths that are not.
  static let shapes: [(count: Int, bits: Int, exponent: UInt64, signatures: Int)] = [
    (4, 257, 65_537, 60), (4, 257, 3, 60), (4, 260, 17, 60), (3, 350, 257, 60),
    (4, 272, (1 << 33) - 1, 20), (4, 320, 65_539, 40), (5, 256, 65_537, 40), (4, 384, 5, 30),
    (4, 512, 65_537, 30), (6, 512, 65_537, 12), (8, 512, 65_537, 8), (8, 511, 3, 12),
  ]

  @Test("valid signatures and those with a bit flipped have the same answer")
  func signatures() throws {
    var numbers = SeededNumbers(seed: 8_017)
    var outcome = Outcome()
    let shapes = isDebug ? [Self.shapes[0]] : Self.shapes
    for shape in shapes {
      let made = MultiPrimeKey(
        primes: shape.count, bits: shape.bits, exponent: shape.exponent, &numbers)
      let secret = try #require(made)
      let keys = try Keys(secret.modulus, shape.exponent)
      for number in 0..<(isDebug ? 3 : shape.signatures) {
        let (hash, prefix) = Self.prefixes[number % 3]
        let digest = hash.hash([UInt8(number)])
        let signature = try #require(
          secret.sign(Self.block(digest, prefix, length: secret.modulus.count)))
        keys.compare(hash, digest, signature, &outcome, expected: .valid)
        for _ in 0..<(isDebug ? 1 : 200) {
          let bit = Int.random(in: 0..<8 * signature.count, using: &numbers)
          keys.compare(hash, digest, Self.flipped(signature, bit), &outcome, expected: .invalid)
          let offset = Int.random(in: 0..<8 * digest.count, using: &numbers)
          let bytes = Self.flipped(digest.array, offset)
          let other = try some(Digest(bytes.span))
          keys.compare(hash, other, signature, &outcome, expected: .invalid)
        }
        // A block that is right but for one bit, signed.
        for _ in 0..<(isDebug ? 1 : 8) {
          let block = Self.block(digest, prefix, length: secret.modulus.count)
          let bit = Int.random(in: 16..<8 * block.count, using: &numbers)
          let forged = try #require(secret.sign(Self.flipped(block, bit)))
          keys.compare(hash, digest, forged, &outcome, expected: .invalid)
        }
      }
    }
    #expect(outcome.wrong.prefix(3) == [])
    #expect(outcome.valid >= (isDebug ? 3 : 400))
    #expect(isDebug || outcome.invalid >= 100_000)
  }

  @Test("numbers at the edges have the same answer")
  func edges() throws {
    var numbers = SeededNumbers(seed: 2_313)
    var outcome = Outcome()
    for shape in isDebug ? [Self.shapes[2]] : Self.shapes {
      let made = MultiPrimeKey(
        primes: shape.count, bits: shape.bits, exponent: shape.exponent, &numbers)
      let secret = try #require(made)
      let keys = try Keys(secret.modulus, shape.exponent)
      let zero = [UInt8](repeating: 0, count: secret.modulus.count)
      var edges = (isDebug ? 0..<3 : 0..<300).map { Self.moved(zero, $0) }
      edges += (isDebug ? -2..<1 : -150..<150).map { Self.moved(secret.modulus, $0) }
      for bit in stride(from: 0, to: 8 * zero.count, by: isDebug ? 400 : 3) {
        edges.append(Self.flipped(zero, bit))
      }
      for (number, edge) in edges.enumerated() {
        let hash = Self.prefixes[number % 3].0
        keys.compare(hash, hash.hash([]), edge, &outcome, expected: .invalid)
      }
    }
    #expect(outcome.wrong.prefix(3) == [])
    #expect(isDebug || outcome.invalid >= 10_000)
  }
}
