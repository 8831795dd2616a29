internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastHashes

/// Signatures that were found valid, and keys that were used: what was true stays true.
///
/// A fact is a digest of key, algorithm, what is signed and the signature, so that nothing but the
/// very same signature under the very same key is ever found again. Of authorities the certificate
/// and its issuer's key are kept as they are, for there are few, and to compare them costs less than
/// to hash them. Only facts from paths that were valid as a whole are kept, hence nobody fills the
/// memory who has no valid certificates.
///
/// Bounded: when half of it is full of new facts, the older half is forgotten. Nobody waits for it: if
/// several threads ask at once, one of them may not be answered, and verifies again.
public final class SignatureMemory: Sendable {
  /// The most facts that are kept.
  public let capacity: Int

  private let fingerprints: Guarded<Generations<Fingerprint, Bool>>
  private let authorities: Guarded<Generations<Authority, Bool>>
  private let keys: Guarded<Generations<KeyName, PreparedKey>>

  /// A memory of some facts, 32 octets each, and of a sixteenth as many authorities: their
  /// certificates, and their keys with some kilobytes that were computed of them, or up to 64 if they
  /// are used again and again.
  public init(capacity: Int = 4096) {
    self.capacity = max(capacity, 2)
    fingerprints = Guarded(Generations(capacity: max(capacity, 2)))
    authorities = Guarded(Generations(capacity: max(capacity / 16, 2)))
    keys = Guarded(Generations(capacity: max(capacity / 16, 2)))
  }

  /// That the signature on a certificate verified under a key.
  enum Fact: Sendable {
    case fingerprint(Fingerprint)
    case authority(Authority)

    /// The fact as a digest.
    ///
    /// - Parameter digest: That of what is signed, as `SignatureChecks` has it.
    init(_ certificate: Certificate, _ digest: Digest, under key: Octets) {
      self = .fingerprint(Fingerprint(certificate, digest, under: key))
    }

    /// The fact as it is, about the certificate of an authority.
    init(authority certificate: Certificate, under key: Octets) {
      self = .authority(Authority(certificate: certificate, issuerKey: key))
    }
  }

  /// A fact as a digest.
  struct Fingerprint: Hashable, Sendable {
    /// SHA-256, as four words.
    private let words: [4 of UInt64]

    /// Where a part ends is clear from what stands in it: key and algorithm begin with their length,
    /// the algorithm says how long the digest is, and the signature is the rest.
    init(_ certificate: Certificate, _ digest: Digest, under key: Octets) {
      let der = certificate.der
      var hash = SHA256()
      hash.update(key.input.span.extracting(key.range))
      hash.update(der.span.extracting(certificate.signatureAlgorithmRange))
      hash.update(digest.octets.span.extracting(first: digest.count))
      hash.update(der.span.extracting(certificate.signature.range))
      let octets = hash.finish()
      var words = [4 of UInt64](repeating: 0)
      for index in 0..<32 { words[index >> 3] = words[index >> 3] << 8 | UInt64(octets[index]) }
      self.words = words
    }

    static func == (a: Fingerprint, b: Fingerprint) -> Bool {
      a.words[0] == b.words[0] && a.words[1] == b.words[1] && a.words[2] == b.words[2]
        && a.words[3] == b.words[3]
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(words[0])
    }
  }

  /// A fact about the certificate of an authority, as it is.
  struct Authority: Hashable, Sendable {
    let certificate: Certificate
    let issuerKey: Octets

    /// The certificate's signature tells enough.
    func hash(into hasher: inout Hasher) {
      hasher.combine(certificate.mark)
    }
  }

  /// Whether this signature verified before.
  func knows(_ fact: Fact) -> Bool {
    switch fact {
    case .fingerprint(let fact): fingerprints.withLockIfFree { $0.value(for: fact) } == true
    case .authority(let fact): authorities.withLockIfFree { $0.value(for: fact) } == true
    }
  }

  /// Keeps a signature that verified.
  func remember(_ fact: Fact) {
    switch fact {
    case .fingerprint(let fact): fingerprints.withLockIfFree { $0.insert(true, for: fact) }
    case .authority(let fact): authorities.withLockIfFree { $0.insert(true, for: fact) }
    }
  }

  /// A key that is kept with what has been computed of it, by its SubjectPublicKeyInfo.
  func key(_ octets: Octets) -> PreparedKey? {
    keys.withLockIfFree { $0.value(for: KeyName(der: octets)) } ?? nil
  }

  /// Keeps a key, unless it is kept already.
  func remember(_ key: PreparedKey) {
    let name = KeyName(der: key.publicKey.der)
    keys.withLockIfFree { keys in
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
