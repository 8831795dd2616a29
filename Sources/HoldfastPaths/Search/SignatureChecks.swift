public import HoldfastCertificates
internal import HoldfastSignatures

/// The only file where certificates meet arithmetic: it turns their keys into those of
/// `HoldfastSignatures`.
package enum SignatureChecks {
  /// Returns the checked key; nil if its kind is unknown or the key is invalid.
  static func verificationKey(_ key: PublicKey) -> VerificationKey? {
    let bytes = key.bytes
    do throws(KeyError) {
      switch key.kind {
      case .rsa, .rsaPSS:
        guard let modulus = key.modulus, let exponent = key.exponent else { return nil }
        return try VerificationKey(
          rsaModulus: modulus.input.span.extracting(modulus.range),
          exponent: exponent.input.span.extracting(exponent.range))
      case .ec(let curve):
        return try VerificationKey(curve: curve, point: bytes.input.span.extracting(bytes.range))
      case .raw(let scheme):
        return try VerificationKey(scheme, key: bytes.input.span.extracting(bytes.range))
      case .x25519, .x448, .unknown: return nil
      }
    } catch {
      return nil
    }
  }

  /// Whether a key is valid for its kind: of the right length and, for a point, in canonical form,
  /// on the curve and not of small order. True for kinds that are not used to verify here, and for
  /// RSA, whose numbers are checked otherwise.
  ///
  /// - Parameter checksPoint: Whether more than the length of Ed25519 and Ed448 keys is checked.
  static func isValidKey(_ key: PublicKey, checksPoint: Bool = true) -> Bool {
    switch key.kind {
    case .ec(let curve): curve == .p192 || verificationKey(key) != nil
    case .raw(let scheme):
      key.bytes.count == scheme.ownKeys?.length
        && (!checksPoint || scheme.ownKeys?.bits == nil || verificationKey(key) != nil)
    case .rsa, .rsaPSS, .x25519, .x448, .unknown: true
    }
  }

  /// Verifies the signature of a certificate, a CRL or an OCSP response.
  static func verify(
    _ signature: Bytes, of signed: Bytes, _ scheme: SignatureScheme, under key: VerificationKey
  ) -> Verification {
    key.verify(
      scheme, message: signed.input.span.extracting(signed.range),
      signature: signature.input.span.extracting(signature.range))
  }

  /// Returns how many operations of the budget a signature under a key costs: about one for each
  /// millisecond, and one for all keys in use on the web. At one each, a hundred of the worst, with
  /// an RSA key of 16,384 bits and the longest exponent, would take half a second.
  package static func work(under key: PublicKey) -> Int {
    switch key.kind {
    case .rsa, .rsaPSS:
      // Up to 4,096 bits every exponent costs one; keys above 16,384 bits are not verified with.
      let length = ((key.bits ?? 0) + 7) / 8
      guard 514...2_049 ~= length, let exponent = key.exponent else { return 1 }
      let limbs = (length + 6) / 8
      return 1 + limbs * limbs * products(exponent) / (128 * 128 * 32)
    case .ec(let curve): return curve.work
    case .raw, .x25519, .x448, .unknown: return 1
    }
  }

  /// Returns how many multiplications a power takes: one for each bit, and one for each set bit.
  private static func products(_ exponent: Bytes) -> Int {
    // Exponents of more than 33 bits are not verified with.
    let power = exponent.suffix(5).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return UInt64.bitWidth - power.leadingZeroBitCount + power.nonzeroBitCount
  }
}

extension Certificate {
  /// Whether the signature verifies under the key of an issuer. Nothing else is checked: not names
  /// or validity, nor whether the issuer is a CA or the algorithm is still safe.
  public func isSigned(by issuer: Certificate) -> Bool { isSigned(under: issuer.publicKey) }

  /// Whether the signature verifies under a key.
  ///
  /// - Parameter other: A scheme instead of the one that the certificate names.
  package func isSigned(under key: PublicKey, as other: SignatureScheme? = nil) -> Bool {
    guard let scheme = other ?? signatureScheme, key.verifies(scheme),
      let prepared = SignatureChecks.verificationKey(key)
    else { return false }
    return SignatureChecks.verify(signature, of: tbs, scheme, under: prepared) == .valid
  }
}
