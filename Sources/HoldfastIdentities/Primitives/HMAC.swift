internal import HoldfastHashes

/// A hash function that takes its message in parts. Conforming types are values, so a copy
/// continues from the state of the original.
protocol StreamingHash {
  mutating func update(_ bytes: Span<UInt8>)
  consuming func finish() -> Digest
}

extension SHA1: StreamingHash {}
extension SHA256: StreamingHash {}
extension SHA512: StreamingHash {}
extension SHA3: StreamingHash {}

/// HMAC over one hash function: the two states after hashing the padded key. RFC 2104 §4.
///
/// Setting up the key takes two compressions, and each short message two more.
struct KeyedHash<Hash: StreamingHash> {
  private let inner: Hash
  private let outer: Hash

  /// - Parameter key: At most one block of the hash function.
  init(_ start: Hash, blockLength: Int, key: [UInt8]) {
    var padded = [UInt8](repeating: 0x36, count: blockLength)
    for (index, byte) in key.enumerated() where index < blockLength { padded[index] ^= byte }
    var inner = start
    inner.update(padded.span)
    // Replaces the inner padding with the outer one.
    for index in padded.indices { padded[index] ^= 0x36 ^ 0x5C }
    var outer = start
    outer.update(padded.span)
    self.inner = inner
    self.outer = outer
    SecretBytes.overwrite(&padded)
  }

  func code(of message: Span<UInt8>) -> Digest {
    var inner = inner
    inner.update(message)
    let digest = inner.finish()
    var outer = outer
    outer.update(digest.bytes.span.extracting(0..<digest.count))
    return outer.finish()
  }

  /// Returns the exclusive or of a MAC, its MAC, and so on: the function F of RFC 8018 §5.2.
  func chain(from first: Digest, iterations: Int) -> [64 of UInt8] {
    var sum = first.bytes
    var last = first
    for _ in 1..<max(iterations, 1) {
      last = code(of: last.bytes.span.extracting(0..<last.count))
      let bytes = last.bytes
      for index in 0..<64 { sum[index] ^= bytes[index] }
    }
    return sum
  }
}

/// HMAC with a hash function chosen at run time. RFC 2104.
enum HMAC {
  case sha1(KeyedHash<SHA1>)
  case sha256(KeyedHash<SHA256>)
  case sha512(KeyedHash<SHA512>)
  case sha3(KeyedHash<SHA3>)

  init(_ algorithm: HashAlgorithm, key: [UInt8]) {
    let block = algorithm.blockLength
    // RFC 2104 §2: a key longer than a block is hashed first.
    var key = key.count > block ? algorithm.hash(key).array : key
    switch algorithm {
    case .sha1: self = .sha1(KeyedHash(SHA1(), blockLength: block, key: key))
    case .sha224: self = .sha256(KeyedHash(SHA256(.sha224), blockLength: block, key: key))
    case .sha256: self = .sha256(KeyedHash(SHA256(.sha256), blockLength: block, key: key))
    case .sha384: self = .sha512(KeyedHash(SHA512(.sha384), blockLength: block, key: key))
    case .sha512: self = .sha512(KeyedHash(SHA512(.sha512), blockLength: block, key: key))
    case .sha512_224: self = .sha512(KeyedHash(SHA512(.sha512_224), blockLength: block, key: key))
    case .sha512_256: self = .sha512(KeyedHash(SHA512(.sha512_256), blockLength: block, key: key))
    case .sha3_224: self = .sha3(KeyedHash(SHA3(.sha3_224), blockLength: block, key: key))
    case .sha3_256: self = .sha3(KeyedHash(SHA3(.sha3_256), blockLength: block, key: key))
    case .sha3_384: self = .sha3(KeyedHash(SHA3(.sha3_384), blockLength: block, key: key))
    case .sha3_512: self = .sha3(KeyedHash(SHA3(.sha3_512), blockLength: block, key: key))
    }
    SecretBytes.overwrite(&key)
  }

  func code(of message: Span<UInt8>) -> Digest {
    switch self {
    case .sha1(let hash): hash.code(of: message)
    case .sha256(let hash): hash.code(of: message)
    case .sha512(let hash): hash.code(of: message)
    case .sha3(let hash): hash.code(of: message)
    }
  }

  func chain(from first: Digest, iterations: Int) -> [64 of UInt8] {
    switch self {
    case .sha1(let hash): hash.chain(from: first, iterations: iterations)
    case .sha256(let hash): hash.chain(from: first, iterations: iterations)
    case .sha512(let hash): hash.chain(from: first, iterations: iterations)
    case .sha3(let hash): hash.chain(from: first, iterations: iterations)
    }
  }
}
