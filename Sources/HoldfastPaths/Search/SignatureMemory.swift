internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastHashes
internal import Synchronization

/// Signatures that were found valid, and keys that were used: what was true stays true.
///
/// A fact is the digest of key, algorithm, what is signed and the signature, so that nothing but the
/// very same signature under the very same key is ever found again. Only facts from paths that
/// were valid as a whole are kept, hence nobody fills the memory who has no valid certificates.
/// Bounded: when half of it is full of new facts, the older half is forgotten.
public final class SignatureMemory: Sendable {
  /// The most facts that are kept.
  public let capacity: Int

  private let facts: Mutex<Generations<Fact, Bool>>
  private let keys: Mutex<Generations<KeyName, PreparedKey>>

  /// A memory of some facts, 32 octets each, and of a sixteenth as many keys, of some kilobytes.
  public init(capacity: Int = 4096) {
    self.capacity = max(capacity, 2)
    facts = Mutex(Generations(capacity: max(capacity, 2)))
    keys = Mutex(Generations(capacity: max(capacity / 16, 2)))
  }

  /// A signature that verified, as a digest.
  struct Fact: Hashable, Sendable {
    /// SHA-256, as four words.
    private let digest: [4 of UInt64]

    /// RFC 5280 §4.1: what is signed, the algorithm and the signature are all of a certificate, and
    /// both parts begin with their length.
    init(_ certificate: Certificate, under key: Octets) {
      var hash = SHA256()
      hash.update(key.input.span.extracting(key.range))
      hash.update(certificate.der.span)
      let octets = hash.finish()
      var words = [4 of UInt64](repeating: 0)
      for index in 0..<32 { words[index >> 3] = words[index >> 3] << 8 | UInt64(octets[index]) }
      digest = words
    }

    static func == (a: Fact, b: Fact) -> Bool {
      a.digest[0] == b.digest[0] && a.digest[1] == b.digest[1] && a.digest[2] == b.digest[2]
        && a.digest[3] == b.digest[3]
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(digest[0])
    }
  }

  /// Whether this signature verified before.
  func knows(_ fact: Fact) -> Bool {
    facts.withLock { $0.value(for: fact) ?? false }
  }

  /// Keeps a signature that verified.
  func remember(_ fact: Fact) {
    facts.withLock { $0.insert(true, for: fact) }
  }

  /// A key that is kept with what has been computed of it.
  func key(_ key: PublicKey) -> PreparedKey? {
    keys.withLock { $0.value(for: KeyName(der: key.der)) }
  }

  /// Keeps a key, unless it is kept already.
  func remember(_ key: PreparedKey) {
    let name = KeyName(der: key.publicKey.der)
    keys.withLock { keys in
      if keys.value(for: name) == nil { keys.insert(key, for: name) }
    }
  }

  /// The SubjectPublicKeyInfo of a key, compared whole.
  private struct KeyName: Hashable, Sendable {
    let der: Octets

    /// Sixteen octets, of which in every kind of key some are random.
    func hash(into hasher: inout Hasher) {
      var word: UInt64 = 0
      for place in der.indices.suffix(16) { word = word << 4 ^ UInt64(der[place]) &* 0x9E37_79B9 }
      hasher.combine(word)
    }
  }
}

/// A dictionary that forgets what was not asked for in a while: two halves, of which the older goes
/// when the newer is full.
private struct Generations<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let half: Int
  private var young: [Key: Value] = [:]
  private var old: [Key: Value] = [:]

  init(capacity: Int) {
    half = capacity / 2
  }

  mutating func value(for key: Key) -> Value? {
    if let value = young[key] { return value }
    guard let value = old[key] else { return nil }
    insert(value, for: key)
    return value
  }

  mutating func insert(_ value: Value, for key: Key) {
    if young.count >= half {
      old = young
      young = [:]
      young.reserveCapacity(half)
    }
    young[key] = value
  }
}
