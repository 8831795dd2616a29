public import HoldfastHashes

extension PublicKey {
  /// The digest of the SubjectPublicKeyInfo as it stands; with SHA-256 it is what a pin holds.
  /// RFC 7469 §2.4.
  public func fingerprint(_ algorithm: HashAlgorithm = .sha256) -> [UInt8] {
    algorithm.hash(der.input, in: der.range).array
  }
}
