public import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastHashes

/// What a certificate on a path is expected to be: its key, or the whole of it.
///
/// A pin of a key is the digest of the SubjectPublicKeyInfo bytes, whatever the kind of the
/// key (RFC 7469 §2.4); a pin of a certificate is the digest of its DER. Two pins are equal when
/// they are digests of the same thing by the same function, however they were written.
public struct Pin: Sendable {
  /// What the digest is taken of.
  public let subject: Subject

  /// The hash function.
  public let algorithm: Algorithm

  /// The digest.
  public let digest: [UInt8]

  /// The certificate, if the pin was made from one: what can also be an anchor.
  public let certificate: Certificate?

  /// What a digest is taken of.
  public enum Subject: Sendable, Hashable, CaseIterable {
    /// The SubjectPublicKeyInfo.
    case publicKey
    /// The whole certificate.
    case certificate
  }

  /// The hash functions of pins.
  public enum Algorithm: Sendable, Hashable, CaseIterable {
    /// SHA-256, the one function of RFC 7469 and of every other notation.
    case sha256
    /// SHA-384.
    case sha384
    /// SHA-512.
    case sha512
  }

  /// Pins a key.
  public init(_ key: PublicKey, by algorithm: Algorithm = .sha256) {
    subject = .publicKey
    self.algorithm = algorithm
    digest = key.fingerprint(algorithm.hash)
    certificate = nil
  }

  /// Pins the key of a certificate, whichever certificate it is in.
  public init(keyOf certificate: Certificate, by algorithm: Algorithm = .sha256) {
    subject = .publicKey
    self.algorithm = algorithm
    digest = certificate.publicKey.fingerprint(algorithm.hash)
    self.certificate = certificate
  }

  /// Pins a certificate: it and no other, not even one for the same key.
  public init(_ certificate: Certificate, by algorithm: Algorithm = .sha256) {
    subject = .certificate
    self.algorithm = algorithm
    digest = certificate.fingerprint(algorithm.hash)
    self.certificate = certificate
  }

  /// A pin from its digest.
  public init(
    digest: [UInt8], of subject: Subject = .publicKey, by algorithm: Algorithm = .sha256
  ) throws(PinError) {
    guard digest.count == algorithm.digestLength else {
      throw PinError(.badLength(bytes: digest.count, expected: algorithm.digestLength), at: 0)
    }
    self.init(of: subject, algorithm, digest)
  }

  /// A digest of the right length.
  init(of subject: Subject, _ algorithm: Algorithm, _ digest: [UInt8]) {
    self.subject = subject
    self.algorithm = algorithm
    self.digest = digest
    certificate = nil
  }
}

extension Pin: Hashable {
  /// Whether both are the same digest of the same thing.
  public static func == (a: Pin, b: Pin) -> Bool {
    a.digest == b.digest && a.subject == b.subject && a.algorithm == b.algorithm
  }

  /// Feeds the digest to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(digest)
  }
}

extension Pin {
  /// Whether a certificate is what is pinned.
  public func matches(_ certificate: Certificate) -> Bool {
    switch subject {
    case .publicKey: certificate.publicKeyDigest(algorithm.hash).array == digest
    case .certificate: certificate.fingerprint(algorithm.hash) == digest
    }
  }

  /// Whether a key is what is pinned.
  public func matches(_ key: PublicKey) -> Bool {
    subject == .publicKey && key.fingerprint(algorithm.hash) == digest
  }
}

extension Pin.Algorithm {
  /// The hash function.
  var hash: HashAlgorithm {
    switch self {
    case .sha256: .sha256
    case .sha384: .sha384
    case .sha512: .sha512
    }
  }

  /// The number of bytes in a digest.
  public var digestLength: Int { hash.digestLength }

  /// The name in texts of pins: `sha256`.
  public var name: String {
    switch self {
    case .sha256: "sha256"
    case .sha384: "sha384"
    case .sha512: "sha512"
    }
  }
}

extension Pin {
  /// Whether the digest is that of a key's bits without their SubjectPublicKeyInfo: a mistake of those
  /// who hash what a library exports.
  package func matchesRawKey(of certificate: Certificate) -> Bool {
    let key = certificate.publicKey.bytes
    return subject == .publicKey && algorithm.hash.hash(key.input, in: key.range).array == digest
  }
}

extension Pin: Codable {
  /// Reads a pin in any notation that `init(_:)` reads.
  public init(from decoder: any Decoder) throws {
    let field = try decoder.singleValueContainer()
    let text = try field.decode(String.self)
    do throws(PinError) {
      try self.init(text)
    } catch {
      throw DecodingError.dataCorruptedError(in: field, debugDescription: "\(error)")
    }
  }

  /// Writes `sha256/…`. The certificate that a pin was made from is not written.
  public func encode(to encoder: any Encoder) throws {
    var field = encoder.singleValueContainer()
    try field.encode(text())
  }
}
