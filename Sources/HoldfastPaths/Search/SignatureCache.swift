package import HoldfastCertificates

/// A cache of verified signatures and of the keys that verified them, so that the same chain, or
/// another from the same issuer, is validated faster the next time.
///
/// A cached signature saves its arithmetic, and that of checking the leaf's own key if it was
/// checked then; every other check is made each time. What was made of an issuer's name constraints is
/// kept with its signature. Only signatures on paths that were valid as a
/// whole are stored, so only valid certificates fill it. It is bounded, and unused entries
/// are dropped first. Threads share it: it has up to 16 shards, each with its own lock.
/// A look-up compares the bytes of certificate and key, which takes less time than a digest.
///
/// Besides, it keeps the last 64 certificates that were given as DER, valid or not, so that the same
/// bytes need not be parsed again.
public final class SignatureCache: Sendable {
  /// The maximum number of signatures kept.
  let capacity: Int

  private let signatures: ShardedCache<VerifiedSignature, Known>
  private let keys: ShardedCache<Digest, PreparedKey>
  /// The certificates of the last chains that were given as DER.
  package let certificates = CertificatePool()

  /// Creates a cache for `capacity` signatures, each with its certificate and key, together of at
  /// most 2 KB on average, and for a sixteenth as many keys, each with a few kilobytes of tables,
  /// or up to 64 KB if it is used often.
  ///
  /// The capacity is at least 2 and at most 1,048,576.
  public init(capacity: Int = 4096) {
    let capacity = min(max(capacity, 2), 1 << 20)
    self.capacity = capacity
    signatures = ShardedCache(capacity: capacity)
    keys = ShardedCache(capacity: max(capacity / 16, 2))
  }

  /// A verified signature on a certificate under a key, identified by the bytes of both.
  struct VerifiedSignature: ShardedKey {
    private let certificate: [UInt8]
    private let signatureTail: UInt64
    /// The issuer's SubjectPublicKeyInfo.
    private var key: Bytes
    private let coversOwnKey: Bool
    /// What is kept with it takes so many bytes.
    private var more = 0

    /// - Parameter coversOwnKey: Whether it also covers that the certificate's own key is valid,
    ///   as the rules require of a leaf.
    init(_ certificate: Certificate, under key: Bytes, coversOwnKey: Bool = false) {
      self.certificate = certificate.der
      signatureTail = certificate.signatureTail
      self.key = key
      self.coversOwnKey = coversOwnKey
    }

    /// A copy that does not keep the issuer's whole certificate in memory, to be kept with something.
    fileprivate func stored(with known: Known) -> VerifiedSignature {
      var copy = self
      copy.key = Bytes(key.array)
      copy.more = known.size
      return copy
    }

    var shardNumber: Int { Int(signatureTail & 0xFF) }
    var size: Int { certificate.count + key.count + more }

    static func == (a: VerifiedSignature, b: VerifiedSignature) -> Bool {
      a.coversOwnKey == b.coversOwnKey && a.key == b.key
        && Bytes(a.certificate) == Bytes(b.certificate)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(signatureTail) }
  }

  /// What is kept with a verified signature.
  struct Known {
    /// The certificate, equal to the one asked about, if it has name constraints.
    private(set) var constrained: Certificate?

    /// Keeps nothing.
    init() {}

    init(of certificate: Certificate) {
      if certificate.extensions.nameConstraints != nil { constrained = certificate }
    }

    /// The index of subtrees takes up to 32 bytes for each: two hashes, and four places of leading bits.
    fileprivate var size: Int {
      constrained?.extensions.nameConstraints.map {
        32 * ($0.permitted.count + $0.excluded.count)
      } ?? 0
    }
  }

  /// Returns what is kept with a signature that was verified before; nil for another one.
  func known(_ signature: VerifiedSignature) -> Known? { signatures.value(for: signature) }

  /// Whether a signature was verified before.
  func contains(_ signature: VerifiedSignature) -> Bool { known(signature) != nil }

  /// Stores a verified signature.
  func insert(_ signature: VerifiedSignature, _ known: Known = Known()) {
    signatures.insert(known, for: signature.stored(with: known))
  }

  /// Returns the stored key with this SubjectPublicKeyInfo, and its tables, if there is one.
  func key(_ der: Bytes) -> PreparedKey? { keys.value(for: SignatureCache.digest(of: der)) }

  /// Stores a key, unless it is stored already.
  func insert(_ key: PreparedKey) {
    keys.insert(key, for: SignatureCache.digest(of: key.publicKey.der))
  }

  /// Stores the results of an accepted path.
  func insert(_ newEntries: NewEntries) {
    if newEntries.signatures.isEmpty, newEntries.keys.isEmpty { return }
    for (signature, known) in newEntries.signatures { insert(signature, known) }
    for key in newEntries.keys { insert(key) }
  }

  private static func digest(of der: Bytes) -> Digest {
    HashAlgorithm.sha256.hash(der.input.span.extracting(der.range))
  }
}

/// A key of a `ShardedCache`.
package protocol ShardedKey: Hashable, Sendable {
  /// A number that spreads keys evenly over the shards.
  var shardNumber: Int { get }
  /// The bytes that it takes.
  var size: Int { get }
}

extension Digest: ShardedKey {
  package var shardNumber: Int { Int(self[31]) }
  package var size: Int { bytes.count }
}

/// A bounded dictionary for many threads: up to 16 shards, each with its own lock.
///
/// A shard has two generations. A value that is looked up moves to the young one; when that is full,
/// by number or by size, it becomes the old one, and values not looked up in the meantime are
/// dropped.
package final class ShardedCache<Key: ShardedKey, Value: Sendable>: Sendable {
  private let shards: [Shard]

  /// The bytes that a key may take on average. Certificates of servers have 1 to 2 KB; a hostile CA
  /// can make them 32 times as large.
  private static var meanSize: Int { 2_048 }

  private final class Shard: Sendable {
    let generations: Guarded<Generations>
    init(capacity: Int) { generations = Guarded(Generations(capacity: capacity)) }
  }

  private struct Generations: Sendable {
    let half: Int
    /// The bytes of the keys in the young generation.
    var youngSize = 0
    var young: [Key: Value] = [:]
    var old: [Key: Value] = [:]

    init(capacity: Int) { half = max(capacity / 2, 1) }

    mutating func value(for key: Key) -> Value? {
      if let value = young[key] { return value }
      guard let index = old.index(forKey: key) else { return nil }
      // The stored key, not the caller's, which may keep more in memory.
      let (stored, value) = old[index]
      insert(value, for: stored)
      return value
    }

    mutating func insert(_ value: Value, for key: Key) {
      if young.count >= half || youngSize + key.size > half * ShardedCache.meanSize {
        old = young
        (young, youngSize) = ([:], 0)
      }
      youngSize += key.size
      young[key] = value
    }
  }

  /// A cache of at most `capacity` values. A small one has one shard, so that the bound holds.
  package init(capacity: Int) {
    let count = capacity >= 256 ? 16 : 1
    shards = (0..<count).map { _ in Shard(capacity: capacity / count) }
  }

  /// Returns the value of a key, if it is stored.
  package func value(for key: Key) -> Value? {
    shard(of: key).generations.withLock { $0.value(for: key) }
  }

  /// Stores a value, unless the key has one.
  package func insert(_ value: Value, for key: Key) {
    shard(of: key).generations.withLock { generations in
      if generations.value(for: key) == nil { generations.insert(value, for: key) }
    }
  }

  private func shard(of key: Key) -> Shard { shards[key.shardNumber % shards.count] }
}
