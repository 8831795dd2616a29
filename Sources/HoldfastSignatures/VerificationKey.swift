package import HoldfastHashes

/// How a signature is made, apart from the key.
package enum SignatureScheme: Sendable, Hashable {
  case rsaPKCS1(HashAlgorithm)
  case rsaPSS(hash: HashAlgorithm, mgfHash: HashAlgorithm, saltLength: Int)
}

/// What a signature was found to be.
package enum Verification: Sendable, Hashable {
  case valid
  case invalid
  /// The scheme is not one for this key, or not one that is known here.
  case unsupported
}

/// A public key of any kind, checked and ready to verify signatures.
package struct VerificationKey: Sendable {
  private enum Kind: Sendable {
    case rsa(RSAKey)
  }

  private let kind: Kind

  package init(rsaModulus modulus: Span<UInt8>, exponent: Span<UInt8>) throws(KeyError) {
    kind = .rsa(try RSAKey(modulus: modulus, exponent: exponent))
  }

  /// Verifies the signature of a message.
  package func verify(
    _ scheme: SignatureScheme, message: Span<UInt8>, signature: Span<UInt8>
  ) -> Verification {
    guard let hash = scheme.hash else { return .unsupported }
    return verify(scheme, digest: hash.hash(message), signature: signature)
  }

  /// Verifies the signature of a message whose digest is known already.
  package func verify(
    _ scheme: SignatureScheme, digest: Digest, signature: Span<UInt8>
  ) -> Verification {
    switch (kind, scheme) {
    case (.rsa(let key), .rsaPKCS1(let hash)):
      return key.verifyPKCS1(digest: digest, by: hash, signature: signature)
    case (.rsa(let key), .rsaPSS(let hash, let mask, let saltLength)):
      return key.verifyPSS(
        digest: digest, by: hash, mask: mask, saltLength: saltLength, signature: signature)
    }
  }
}

extension SignatureScheme {
  /// The function that the message goes through first; `nil` if the scheme takes the
  /// message itself.
  package var hash: HashAlgorithm? {
    switch self {
    case .rsaPKCS1(let hash), .rsaPSS(let hash, _, _): hash
    }
  }
}
