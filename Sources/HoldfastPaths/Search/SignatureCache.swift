internal import HoldfastCertificates
internal import HoldfastDER
package import HoldfastHashes

/// A cache of verified signatures and of the keys that verified them, so that the same chain, or
/// another from the same issuer, is validated faster the next time.
///
/// A cached signature saves its arithmetic, and that of checking the leaf's own key if it was
/// checked then; every other check is made each time. Only signatures on paths that were valid as a
/// whole are stored, so only valid certificates fill it. It is bounded, and unused entries
/// are dropped first. Threads share it: it has up to 16 shards, each with its own lock.
public final class SignatureCache: Sendable {
  /// The maximum number of signatures kept.
  let capacity: Int

  private let signatures: ShardedCache<Void>
  private let keys: ShardedCache<PreparedKey>

  /// Creates a cache for `capacity` signatures, about 100 bytes each, and for a sixteenth as many
  /// keys, each with a few kilobytes of tables, or up to 64 KB if it is used often.
  ///
  /// The capacity is at least 2 and at most 1,048,576.
  public init(capacity: Int = 4096) {
    let capacity = min(max(capacity, 2), 1 << 20)
    self.capacity = capacity
    signatures = ShardedCache(capacity: capacity)
    keys = ShardedCache(capacity: max(capacity / 16, 2))
  }

  /// A verified signature on a certificate under a key, identified by the SHA-256 of both.
  struct VerifiedSignature: Hashable, Sendable {
    fileprivate let digest: Digest

    /// - Parameter key: The issuer's SubjectPublicKeyInfo. Its encoding has a definite end, and the
    ///   certificate includes the signed bytes, the algorithm and the signature.
    /// - Parameter coversOwnKey: Whether it also covers that the certificate's own key is valid,
    ///   as the rules require of a leaf.
    init(_ certificate: Certificate, under key: Bytes, coversOwnKey: Bool = false) {
      var hash = SHA256()
      hash.update(key.input.span.extracting(key.range))
      hash.update(certificate.der.span)
      if coversOwnKey { hash.update([1 of UInt8](repeating: 1).span) }
      digest = hash.finish()
    }
  }

  /// Whether this signature was verified before.
  func contains(_ signature: VerifiedSignature) -> Bool {
    signatures.value(for: signature.digest) != nil
  }

  /// Stores a verified signature.
  func insert(_ signature: VerifiedSignature) { signatures.insert((), for: signature.digest) }

  /// Returns the stored key with this SubjectPublicKeyInfo, and its tables, if there is one.
  func key(_ der: Bytes) -> PreparedKey? { keys.value(for: SignatureCache.digest(of: der)) }

  /// Stores a key, unless it is stored already.
  func insert(_ key: PreparedKey) {
    keys.insert(key, for: SignatureCache.digest(of: key.publicKey.der))
  }

  /// Stores the results of an accepted path.
  func insert(_ newEntries: NewEntries) {
    for signature in newEntries.signatures { insert(signature) }
    for key in newEntries.keys { insert(key) }
  }

  private static func digest(of der: Bytes) -> Digest {
    HashAlgorithm.sha256.hash(der.input.span.extracting(der.range))
  }
}

/// A bounded dictionary with SHA-256 keys for many threads: up to 16 shards, each with its own
/// lock.
///
/// A shard has two generations. A value that is looked up moves to the young one; when that is full
/// it becomes the old one, and values not looked up in the meantime are dropped.
package final class ShardedCache<Value: Sendable>: Sendable {
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
  package init(capacity: Int) {
    let count = capacity >= 256 ? 16 : 1
    shards = (0..<count).map { _ in Shard(capacity: capacity / count) }
  }

  /// Returns the value of a key, if it is stored.
  package func value(for key: Digest) -> Value? {
    shard(of: key).generations.withLock { $0.value(for: key) }
  }

  /// Stores a value, unless the key has one.
  package func insert(_ value: Value, for key: Digest) {
    shard(of: key).generations.withLock { generations in
      if generations.value(for: key) == nil { generations.insert(value, for: key) }
    }
  }

  private func shard(of key: Digest) -> Shard { shards[Int(key[31]) % shards.count] }
}
