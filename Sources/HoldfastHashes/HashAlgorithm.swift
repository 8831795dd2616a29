/// A hash function of signatures and fingerprints.
///
/// FIPS 180-4 defines SHA-1 and SHA-2, FIPS 202 SHA-3. SHA-1 is for old data only:
/// validation rules decide whether a signature may use it.
public enum HashAlgorithm: Sendable, Hashable, CaseIterable {
  /// SHA-1. FIPS 180-4 §6.1.
  case sha1
  /// SHA-224. FIPS 180-4 §6.3.
  case sha224
  /// SHA-256. FIPS 180-4 §6.2.
  case sha256
  /// SHA-384. FIPS 180-4 §6.5.
  case sha384
  /// SHA-512. FIPS 180-4 §6.4.
  case sha512
  /// SHA-512/224. FIPS 180-4 §6.6.
  case sha512_224
  /// SHA-512/256. FIPS 180-4 §6.7.
  case sha512_256
  /// SHA3-224. FIPS 202 §6.1.
  case sha3_224
  /// SHA3-256. FIPS 202 §6.1.
  case sha3_256
  /// SHA3-384. FIPS 202 §6.1.
  case sha3_384
  /// SHA3-512. FIPS 202 §6.1.
  case sha3_512

  /// The length of a digest in bytes.
  package var digestLength: Int {
    switch self {
    case .sha1: 20
    case .sha224, .sha512_224, .sha3_224: 28
    case .sha256, .sha512_256, .sha3_256: 32
    case .sha384, .sha3_384: 48
    case .sha512, .sha3_512: 64
    }
  }

  /// The block length in bytes; for a sponge, the rate.
  package var blockLength: Int {
    switch self {
    case .sha1, .sha224, .sha256: 64
    case .sha384, .sha512, .sha512_224, .sha512_256: 128
    case .sha3_224: SHA3.Variant.sha3_224.blockLength
    case .sha3_256: SHA3.Variant.sha3_256.blockLength
    case .sha3_384: SHA3.Variant.sha3_384.blockLength
    case .sha3_512: SHA3.Variant.sha3_512.blockLength
    }
  }

  /// Returns the digest of a whole message.
  package func hash(_ bytes: Span<UInt8>) -> Digest {
    switch self {
    case .sha1:
      var hash = SHA1()
      hash.update(bytes)
      return hash.finish()
    case .sha224: return SHA256.digest(of: bytes, .sha224)
    case .sha256: return SHA256.digest(of: bytes, .sha256)
    case .sha384: return SHA512.digest(of: bytes, .sha384)
    case .sha512: return SHA512.digest(of: bytes, .sha512)
    case .sha512_224: return SHA512.digest(of: bytes, .sha512_224)
    case .sha512_256: return SHA512.digest(of: bytes, .sha512_256)
    case .sha3_224: return SHA3.digest(of: bytes, .sha3_224)
    case .sha3_256: return SHA3.digest(of: bytes, .sha3_256)
    case .sha3_384: return SHA3.digest(of: bytes, .sha3_384)
    case .sha3_512: return SHA3.digest(of: bytes, .sha3_512)
    }
  }

  /// Returns the digest of a part of `bytes`, read in place.
  ///
  /// Ignores any part of `range` outside `bytes`.
  package func hash(_ bytes: [UInt8], in range: Range<Int>) -> Digest {
    hash(bytes.span.extracting(range.clamped(to: 0..<bytes.count)))
  }

  /// Returns the digest of an array of bytes.
  package func hash(_ bytes: [UInt8]) -> Digest {
    hash(bytes.span)
  }
}

extension HashAlgorithm: CustomStringConvertible {
  /// The name in FIPS 180-4 or FIPS 202: `SHA-256`, `SHA3-256`.
  public var description: String {
    switch self {
    case .sha1: "SHA-1"
    case .sha224: "SHA-224"
    case .sha256: "SHA-256"
    case .sha384: "SHA-384"
    case .sha512: "SHA-512"
    case .sha512_224: "SHA-512/224"
    case .sha512_256: "SHA-512/256"
    case .sha3_224: "SHA3-224"
    case .sha3_256: "SHA3-256"
    case .sha3_384: "SHA3-384"
    case .sha3_512: "SHA3-512"
    }
  }
}
