/// The expected key, or the whole expected certificate, of a certificate on a path.
///
/// A pin of a key is the digest of the SubjectPublicKeyInfo bytes, for every kind of key
/// (RFC 7469 §2.4); a pin of a certificate is the digest of its DER. Two pins are equal if they are
/// digests of the same kind of object by the same function, however they were written.
public struct Pin: Sendable {
  /// What the digest covers.
  public let subject: Subject

  /// The hash function.
  public let algorithm: Algorithm

  /// The digest.
  public let digest: [UInt8]

  /// The certificate from which the pin was made, if any; such a pin can also be an anchor.
  public let certificate: Certificate?

  /// What a digest covers.
  public enum Subject: Sendable, Hashable, CaseIterable {
    /// The SubjectPublicKeyInfo.
    case publicKey
    /// The whole certificate.
    case certificate
  }

  /// The hash functions of pins.
  public enum Algorithm: String, Sendable, Hashable, CaseIterable {
    /// SHA-256, the only function in RFC 7469 and in every other notation.
    case sha256
    /// SHA-384.
    case sha384
    /// SHA-512.
    case sha512

    /// The hash function.
    var hash: HashAlgorithm {
      switch self {
      case .sha256: .sha256
      case .sha384: .sha384
      case .sha512: .sha512
      }
    }

    /// The number of bytes in a digest.
    package var digestLength: Int { hash.digestLength }

    /// Checks that bytes may be a digest.
    ///
    /// - Parameter offset: Where they stand in the text of a pin.
    func check(_ digest: [UInt8], at offset: Int) throws(PinError) {
      guard digest.count == digestLength else {
        throw PinError(.badLength(bytes: digest.count, expected: digestLength), at: offset)
      }
      // Examples show pins in this way. A copied one would pass as a backup.
      guard digest.contains(where: { $0 != digest[0] }) else {
        throw PinError(.placeholder, at: offset)
      }
    }

    /// The name in the text of pins: `sha256`.
    package var name: String { rawValue }
  }

  /// Pins a key.
  public init(_ key: PublicKey, by algorithm: Algorithm = .sha256) {
    self.init(of: .publicKey, algorithm, key.fingerprint(algorithm.hash))
  }

  /// Pins the key of a certificate, also when it is in another certificate.
  public init(keyOf certificate: Certificate, by algorithm: Algorithm = .sha256) {
    let digest = certificate.publicKey.fingerprint(algorithm.hash)
    self.init(of: .publicKey, algorithm, digest, madeFrom: certificate)
  }

  /// Pins a single certificate, not even another one for the same key.
  public init(_ certificate: Certificate, by algorithm: Algorithm = .sha256) {
    let digest = certificate.fingerprint(algorithm.hash)
    self.init(of: .certificate, algorithm, digest, madeFrom: certificate)
  }

  /// Creates a pin from its digest.
  ///
  /// - Parameter digest: The bytes of the digest, as many as `algorithm.digestLength`; any other
  ///   number is an error, and so is one byte repeated, the placeholder of examples.
  public init(
    digest: [UInt8], of subject: Subject = .publicKey, by algorithm: Algorithm = .sha256
  ) throws(PinError) {
    try algorithm.check(digest, at: 0)
    self.init(of: subject, algorithm, digest)
  }

  /// Creates a pin from a digest of the right length.
  init(
    of subject: Subject, _ algorithm: Algorithm, _ digest: [UInt8],
    madeFrom certificate: Certificate? = nil
  ) {
    self.subject = subject
    self.algorithm = algorithm
    self.digest = digest
    self.certificate = certificate
  }

  /// Whether a certificate matches the pin.
  public func matches(_ certificate: Certificate) -> Bool {
    switch subject {
    case .publicKey: certificate.publicKeyDigest(algorithm.hash).array == digest
    case .certificate: certificate.fingerprint(algorithm.hash) == digest
    }
  }

  /// Whether a key matches the pin.
  ///
  /// - Returns: False for a pin of a certificate, whatever its key is.
  public func matches(_ key: PublicKey) -> Bool {
    subject == .publicKey && key.fingerprint(algorithm.hash) == digest
  }

  /// Whether the digest is that of the key's bits without their SubjectPublicKeyInfo: the mistake
  /// of hashing a key that a library has exported raw.
  package func matchesRawKey(of certificate: Certificate) -> Bool {
    let key = certificate.publicKey.bytes
    return subject == .publicKey && algorithm.hash.hash(key.input, in: key.range).array == digest
  }
}

extension PublicKey {
  /// The pin of the key, by SHA-256.
  public var pin: Pin { Pin(self) }
}

extension Certificate {
  /// The pin of the certificate's key, by SHA-256.
  public var pin: Pin { publicKey.pin }
}

extension CertificateRequest {
  /// The pin of the key for which a certificate is requested, by SHA-256: a backup, for example.
  public var pin: Pin { publicKey.pin }
}

extension Pin: Hashable {
  /// Whether both are the same digest of the same kind of object.
  public static func == (a: Pin, b: Pin) -> Bool {
    a.digest == b.digest && a.subject == b.subject && a.algorithm == b.algorithm
  }

  /// Feeds the digest to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(digest)
  }
}
