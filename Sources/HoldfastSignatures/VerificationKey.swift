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
  /// Whether anything can be precomputed for the key.
  package let gainsByPreparation: Bool

  /// - Parameter products: The products in vectors, which the processor must have; nil for none.
  package init(
    rsaModulus modulus: Span<UInt8>, exponent: Span<UInt8>, products: VectorProducts? = .best
  ) throws(KeyError) {
    self.init(.rsa(try RSAKey(modulus: modulus, exponent: exponent, products: products)))
  }

  package init(curve: NamedCurve, point: Span<UInt8>) throws(KeyError) {
    self.init(.ecdsa(try ECDSAKey(curve: curve, point: point)))
  }

  /// Creates the key of a scheme that has keys of its own.
  package init(_ scheme: SignatureScheme, key: Span<UInt8>) throws(KeyError) {
    switch scheme {
    case .ed25519: self.init(.ed25519(try Ed25519Key(key)))
    case .ed448: self.init(.ed448(try Ed448Key(key)))
    case .mldsa(let set): self.init(.mldsa(try MLDSAKey(set, key: key)))
    case .rsaPKCS1, .rsaPSS, .ecdsa: throw .wrongLength
    }
  }

  private init(_ kind: Kind) {
    self.kind = kind
    gainsByPreparation =
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
    case .mldsa(let key): VerificationKey(.mldsa(key.prepared(for: preparation)))
    }
  }

  /// Verifies the signature of a message.
  package func verify(
    _ scheme: SignatureScheme, message: Span<UInt8>, signature: Span<UInt8>
  ) -> Verification {
    if let hash = scheme.hash {
      return verify(scheme, digest: hash.hash(message), signature: signature)
    }
    switch (kind, scheme) {
    case (.ed25519(let key), .ed25519):
      return key.verify(message: message, signature: signature) ? .valid : .invalid
    case (.ed448(let key), .ed448):
      return key.verify(message: message, signature: signature) ? .valid : .invalid
    case (.mldsa(let key), .mldsa(let set)) where key.set == set:
      return key.verify(message: message, signature: signature) ? .valid : .invalid
    case (.rsa, _), (.ecdsa, _), (.ed25519, _), (.ed448, _), (.mldsa, _): return .unsupported
    }
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

/// How much to precompute for a key that will verify more than one signature.
package enum Preparation: Sendable, Hashable, CaseIterable {
  /// For a key seen before: a few kilobytes, computed in about the time of one verification.
  case reuse
  /// For a key that is kept: up to 64 kB, and the fewest operations per signature.
  case anchor
}

/// Why a public key cannot be used.
package enum KeyError: String, Error, Sendable, Hashable, CustomStringConvertible {
  /// The bytes are not a point in a form of SEC 1 §2.3.3.
  case malformedPoint
  /// A coordinate is not below p, or an encoding is not canonical.
  case nonCanonicalPoint
  /// No point of the curve has these coordinates.
  case pointNotOnCurve
  /// The point is the neutral element of the group.
  case pointAtInfinity
  /// The point's order divides the cofactor, so anyone can sign for it.
  case smallOrder
  /// The length of the key is wrong for its algorithm.
  case wrongLength
  case unsupportedCurve
  case modulusTooSmall
  case modulusTooLarge
  case evenModulus
  case badExponent

  // Embedded Swift prints no case by its name.
  package var description: String { rawValue }
}
