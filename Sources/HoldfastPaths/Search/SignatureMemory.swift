internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastHashes
internal import HoldfastSignatures
internal import Synchronization

/// Signatures that verified and keys that verified them, so that the same chain, or another of the
/// same issuer, is validated faster the next time.
///
/// A remembered signature spares its arithmetic, and that of the leaf's own key if it was checked
/// then; every other check is made each time. Only what stood on a path that was valid as a whole is kept, so that only valid certificates
/// fill the memory. It is bounded; what was not asked for is dropped first. Threads share
/// it: it has 16 shards with a lock each.
public final class SignatureMemory: Sendable {
  /// The most signatures that are kept.
  let capacity: Int

  private let signatures: ShardedCache<Void>
  private let keys: ShardedCache<PreparedKey>

  /// A memory of some signatures, about 100 bytes each, and of a sixteenth as many keys, each with some
  /// kilobytes that were computed of it, or up to 64 if it is used again and again.
  ///
  /// It has room for two signatures at least and 1,048,576 at most.
  public init(capacity: Int = 4096) {
    let capacity = min(max(capacity, 2), 1 << 20)
    self.capacity = capacity
    signatures = ShardedCache(capacity: capacity)
    keys = ShardedCache(capacity: max(capacity / 16, 2))
  }

  /// The signature on a certificate under a key: the SHA-256 of both.
  struct Fact: Hashable, Sendable {
    fileprivate let digest: Digest

    /// - Parameter key: The issuer's SubjectPublicKeyInfo. It says where it ends, and the certificate
    ///   has what is signed, the algorithm and the signature.
    /// - Parameter tellsOfKey: Whether the fact is also that the certificate's own key can be one, as
    ///   the rules ask of a leaf.
    init(_ certificate: Certificate, under key: Bytes, tellsOfKey: Bool = false) {
      var hash = SHA256()
      hash.update(key.input.span.extracting(key.range))
      hash.update(certificate.der.span)
      if tellsOfKey { hash.update([1 of UInt8](repeating: 1).span) }
      digest = hash.finish()
    }
  }

  /// Whether this signature verified before.
  func contains(_ fact: Fact) -> Bool { signatures.value(for: fact.digest) != nil }

  /// Keeps a signature that verified.
  func insert(_ fact: Fact) { signatures.insert((), for: fact.digest) }

  /// The key with this SubjectPublicKeyInfo, with what was computed of it, if it is kept.
  func key(_ der: Bytes) -> PreparedKey? { keys.value(for: SignatureMemory.digest(of: der)) }

  /// Keeps a key, unless it is kept already.
  func insert(_ key: PreparedKey) {
    keys.insert(key, for: SignatureMemory.digest(of: key.publicKey.der))
  }

  /// Keeps what a path that was accepted has shown.
  func insert(_ learned: Learned) {
    for fact in learned.facts { insert(fact) }
    for key in learned.keys { insert(key) }
  }

  private static func digest(of der: Bytes) -> Digest {
    HashAlgorithm.sha256.hash(der.input.span.extracting(der.range))
  }
}

/// A bounded dictionary by SHA-256, for many threads: up to 16 shards, each behind a lock of its own.
///
/// A shard keeps two generations. What is asked for moves to the young one; when that is full it
/// becomes the old one, and what was not asked for in the meantime is dropped.
final class ShardedCache<Value: Sendable>: Sendable {
  private let shards: [Shard]

  private final class Shard: Sendable {
    let generations: Guarded<Generations>
    init(capacity: Int) { generations = Guarded(Generations(capacity: capacity)) }
  }

  private struct Generations: Sendable {
    let half: Int
    var young: [Digest: Value] = [:]
    var old: [Digest: Value] = [:]

    init(capacity: Int) { half = max(capacity / 2, 1) }

    mutating func value(for key: Digest) -> Value? {
      if let value = young[key] { return value }
      guard let value = old[key] else { return nil }
      insert(value, for: key)
      return value
    }

    mutating func insert(_ value: Value, for key: Digest) {
      if young.count >= half {
        old = young
        young = [:]
      }
      young[key] = value
    }
  }

  /// A cache of at most `capacity` values. A small one has one shard, so that the bound holds.
  init(capacity: Int) {
    let count = capacity >= 256 ? 16 : 1
    shards = (0..<count).map { _ in Shard(capacity: capacity / count) }
  }

  /// The value of a key, if it is kept.
  func value(for key: Digest) -> Value? {
    shard(of: key).generations.withLock { $0.value(for: key) }
  }

  /// Keeps a value, unless the key has one.
  func insert(_ value: Value, for key: Digest) {
    shard(of: key).generations.withLock { generations in
      if generations.value(for: key) == nil { generations.insert(value, for: key) }
    }
  }

  private func shard(of key: Digest) -> Shard { shards[Int(key[31]) % shards.count] }
}
