internal import HoldfastDER

extension PublicKey {
  /// The pin of the key: `sha256/` and the base64 of the SHA-256 of the SubjectPublicKeyInfo as it
  /// stands. RFC 7469 §2.4.
  public var pin: String { "sha256/" + Base64.text(of: fingerprint()) }
}
