package import HoldfastHashes

extension Certificate {
  /// The digest of the SubjectPublicKeyInfo as it stands, taken in place: a `PublicKey` is not made.
  package func publicKeyDigest(_ algorithm: HashAlgorithm) -> Digest {
    let key = storage.publicKey.whole
    return algorithm.hash(der, in: key.position..<key.end)
  }
}
