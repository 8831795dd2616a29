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
/// Bounded: what nobody has asked for is forgotten first. Nobody waits for it, and who asks whether a
/// signature is known writes to no memory that others read.
public final class SignatureMemory: Sendable {
  /// The most facts that are kept.
  public let capacity: Int

  private let fingerprints: SharedSlots
  private let authorities: SharedSlots
  private let keys: Guarded<Generations<KeyName, PreparedKey>>
  /// The turn of whoever adds a fact.
  private let turn = Guarded(())

  /// A memory of some facts, 32 octets each, of a thirty-second as many authorities, 2.5 KiB each, and
  /// of a sixteenth as many keys, with some kilobytes that were computed of them, or up to 64 if they
  /// are used again and again.
  ///
  /// The room for facts and authorities is taken bit by bit, eight at a time. There is room for two
  /// facts at least and 1,048,576 at most.
  public init(capacity: Int = 4096) {
    let capacity = min(max(capacity, 2), 1 << 20)
    self.capacity = capacity
    fingerprints = SharedSlots(slots: capacity, words: 4)
    authorities = SharedSlots(slots: max(capacity / 32, 2), words: Authority.slotSize)
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

    /// The fact as it is, about the certificate of an authority; as a digest if it is a long one.
    init(authority certificate: Certificate, under key: Octets) {
      self =
        Authority.fits(certificate, key)
        ? .authority(Authority(certificate: certificate, issuerKey: key))
        : .fingerprint(
          Fingerprint(certificate, SignatureChecks.digest(of: certificate), under: key))
    }
  }

  /// A fact as a digest.
  struct Fingerprint: Sendable {
    /// SHA-256, as four words.
    fileprivate let words: [4 of UInt64]

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
  }

  /// A fact about the certificate of an authority, as it is.
  struct Authority: Sendable {
    let certificate: Certificate
    let issuerKey: Octets

    /// How many words there are for each: a version, the lengths, and the octets of both.
    fileprivate static let slotSize = 320

    fileprivate static func fits(_ certificate: Certificate, _ key: Octets) -> Bool {
      let room = slotSize - 2 - SharedWords.count(forOctets: certificate.der.count)
      return SharedWords.count(forOctets: key.count) <= room
    }

    fileprivate static func lengths(_ certificate: Certificate, _ key: Octets) -> UInt64 {
      UInt64(certificate.der.count) << 32 | UInt64(key.count)
    }
  }

  /// Whether this signature verified before.
  func knows(_ fact: Fact) -> Bool {
    switch fact {
    case .fingerprint(let fact): knows(fact)
    case .authority(let fact): knows(authority: fact.certificate, under: fact.issuerKey)
    }
  }

  /// Whether the signature on the certificate of an authority verified under a key before.
  func knows(authority certificate: Certificate, under key: Octets) -> Bool {
    guard Authority.fits(certificate, key) else {
      return knows(SignatureMemory.Fact(authority: certificate, under: key))
    }
    let der = certificate.der
    let lengths = Authority.lengths(certificate, key)
    let keyStart = 2 + SharedWords.count(forOctets: der.count)
    return authorities.contains(certificate.mark) { words, slot in
      // An odd version is that of a slot which is being written; another one afterwards, that it was
      // written in the meantime.
      let version = words[slot]
      guard version & 1 == 0, words[slot + 1] == lengths else { return false }
      return words.hold(der.span, from: slot + 2)
        && words.hold(key.input.span.extracting(key.range), from: slot + keyStart)
        && words[slot] == version
    }
  }

  /// The same for the key of the anchor at a place in the order of hashes.
  func knows(
    authority certificate: Certificate, underAnchorAt place: Int, of anchors: AnchorSet
  ) -> Bool {
    anchors.isKnown(certificate, at: place, in: self)
  }

  /// No version is needed here: whoever would mix two facts needs one that is made of their words,
  /// and these are those of digests.
  private func knows(_ fact: Fingerprint) -> Bool {
    fingerprints.contains(fact.words[0]) { words, slot in
      for index in 0..<4 where words[slot + index] != fact.words[index] { return false }
      return true
    }
  }

  /// Keeps a signature that verified, unless it is kept already or somebody else is adding one.
  func remember(_ fact: Fact) {
    turn.withLockIfFree { _ in
      if knows(fact) { return }
      switch fact {
      case .fingerprint(let fact):
        fingerprints.add(fact.words[0]) { words, slot in
          for index in 0..<4 { words.store(fact.words[index], at: slot + index) }
        }
      case .authority(let fact): add(fact)
      }
    }
  }

  private func add(_ fact: Authority) {
    let (certificate, key) = (fact.certificate, fact.issuerKey)
    let der = certificate.der
    let keyStart = 2 + SharedWords.count(forOctets: der.count)
    authorities.add(certificate.mark) { words, slot in
      let version = words[slot]
      words.store(version | 1, at: slot)
      words.store(Authority.lengths(certificate, key), at: slot + 1)
      words.store(der.span, from: slot + 2)
      words.store(key.input.span.extracting(key.range), from: slot + keyStart)
      words.store((version | 1) &+ 1, at: slot)
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
