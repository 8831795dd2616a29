package import HoldfastHashes

/// The result of verifying a signature.
package enum Verification: Sendable, Hashable {
  case valid
  case invalid
  /// The scheme does not fit the key, or is not known here.
  case unsupported
}

/// A public key of any kind, checked and ready to verify signatures.
package struct VerificationKey: Sendable {
  private enum Kind: Sendable {
    case rsa(RSAKey)
    case ecdsa(ECDSAKey)
    case ed25519(Ed25519Key)
    case ed448(Ed448Key)
    case mldsa(MLDSAKey)
  }

  private let kind: Kind

  /// - Parameter portably: Whether to use the Swift version even if the processor has instructions.
  package init(
    rsaModulus modulus: Span<UInt8>, exponent: Span<UInt8>, portably: Bool = false
  ) throws(KeyError) {
    kind = .rsa(try RSAKey(modulus: modulus, exponent: exponent, portably: portably))
  }

  package init(curve: NamedCurve, point: Span<UInt8>) throws(KeyError) {
    kind = .ecdsa(try ECDSAKey(curve: curve, point: point))
  }

  /// Creates the key of a scheme that has keys of its own.
  package init(_ scheme: SignatureScheme, key: Span<UInt8>) throws(KeyError) {
    switch scheme {
    case .ed25519: kind = .ed25519(try Ed25519Key(key))
    case .ed448: kind = .ed448(try Ed448Key(key))
    case .mldsa(let set): kind = .mldsa(try MLDSAKey(set, key: key))
    case .rsaPKCS1, .rsaPSS, .ecdsa: throw .wrongLength
    }
  }

  private init(_ kind: Kind) {
    self.kind = kind
  }

  /// Whether anything can be precomputed for the key.
  package var gainsByPreparation: Bool {
    switch kind {
    case .rsa, .ed448: false
    case .ecdsa, .ed25519, .mldsa: true
    }
  }

  /// Returns the key with more precomputed, for a key that will verify again.
  package func prepared(for preparation: Preparation) -> VerificationKey {
    switch kind {
    case .rsa, .ed448: self
    case .ecdsa(let key): VerificationKey(.ecdsa(key.prepared(for: preparation)))
    case .ed25519(let key): VerificationKey(.ed25519(key.prepared(for: preparation)))
    case .mldsa(let key): VerificationKey(.mldsa(key.prepared()))
    }
  }

  /// Verifies the signature of a message.
  package func verify(
    _ scheme: SignatureScheme, message: Span<UInt8>, signature: Span<UInt8>
  ) -> Verification {
    if let hash = scheme.hash {
      return verify(scheme, digest: hash.hash(message), signature: signature)
    }
    let isValid: Bool
    switch kind {
    case .ed25519(let key) where scheme == .ed25519:
      isValid = key.verify(message: message, signature: signature)
    case .ed448(let key) where scheme == .ed448:
      isValid = key.verify(message: message, signature: signature)
    case .mldsa(let key) where scheme == .mldsa(key.set):
      isValid = key.verify(message: message, signature: signature)
    case .rsa, .ecdsa, .ed25519, .ed448, .mldsa: return .unsupported
    }
    return isValid ? .valid : .invalid
  }

  /// Verifies the signature of a message whose digest is already known.
  ///
  /// Schemes that sign the message itself are unsupported here.
  package func verify(
    _ scheme: SignatureScheme, digest: Digest, signature: Span<UInt8>
  ) -> Verification {
    switch (kind, scheme) {
    case (.rsa(let key), .rsaPKCS1(let hash)):
      return key.verifyPKCS1(digest: digest, by: hash, signature: signature)
    case (.rsa(let key), .rsaPSS(let parameters)):
      return key.verifyPSS(digest: digest, parameters, signature: signature)
    case (.ecdsa(let key), .ecdsa):
      return key.verify(digest: digest, derSignature: signature) ? .valid : .invalid
    case (.rsa, _), (.ecdsa, _), (.ed25519, _), (.ed448, _), (.mldsa, _): return .unsupported
    }
  }
}
