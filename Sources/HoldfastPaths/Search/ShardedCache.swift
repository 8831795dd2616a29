internal import HoldfastDER
internal import HoldfastHashes

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
