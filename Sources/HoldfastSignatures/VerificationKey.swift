package import HoldfastHashes

/// A signature scheme, without the key.
package enum SignatureScheme: Sendable, Hashable {
  case rsaPKCS1(HashAlgorithm)
  case rsaPSS(hash: HashAlgorithm, mgfHash: HashAlgorithm, saltLength: Int)
  /// The signature is the DER of an ECDSA-Sig-Value.
  case ecdsa(HashAlgorithm)
  /// The signature is r and s, each as long as the order.
  case ecdsaP1363(HashAlgorithm)
  case ed25519
  case ed448
  case mldsa44
  case mldsa65
  case mldsa87
}

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

  package init(curve: CurveID, point: Span<UInt8>) throws(KeyError) {
    kind = .ecdsa(try ECDSAKey(curve: curve, point: point))
  }

  package init(ed25519 key: Span<UInt8>) throws(KeyError) {
    kind = .ed25519(try Ed25519Key(key))
  }

  package init(ed448 key: Span<UInt8>) throws(KeyError) {
    kind = .ed448(try Ed448Key(key))
  }

  package init(mldsa parameters: MLDSAParameters, key: Span<UInt8>) throws(KeyError) {
    kind = .mldsa(try MLDSAKey(parameters, key: key))
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
    switch (kind, scheme) {
    case (.ed25519(let key), .ed25519):
      isValid = key.verify(message: message, signature: signature)
    case (.ed448(let key), .ed448):
      isValid = key.verify(message: message, signature: signature)
    case (.mldsa(let key), .mldsa44) where key.parameters == .mldsa44,
      (.mldsa(let key), .mldsa65) where key.parameters == .mldsa65,
      (.mldsa(let key), .mldsa87) where key.parameters == .mldsa87:
      isValid = key.verify(message: message, signature: signature)
    default: return .unsupported
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
    case (.rsa(let key), .rsaPSS(let hash, let mask, let saltLength)):
      return key.verifyPSS(
        digest: digest, by: hash, mask: mask, saltLength: saltLength, signature: signature)
    case (.ecdsa(let key), .ecdsa):
      return key.verify(digest: digest, derSignature: signature) ? .valid : .invalid
    case (.ecdsa(let key), .ecdsaP1363):
      return key.verify(digest: digest, p1363Signature: signature) ? .valid : .invalid
    default:
      return .unsupported
    }
  }
}

extension SignatureScheme {
  /// The hash function applied to the message; `nil` if the scheme signs the message itself.
  package var hash: HashAlgorithm? {
    switch self {
    case .rsaPKCS1(let hash), .rsaPSS(let hash, _, _), .ecdsa(let hash), .ecdsaP1363(let hash):
      hash
    case .ed25519, .ed448, .mldsa44, .mldsa65, .mldsa87: nil
    }
  }
}
