internal import HoldfastCertificates
internal import HoldfastHashes
internal import HoldfastSignatures

/// The only file where certificates meet arithmetic: it turns their keys and algorithms into those
/// of `HoldfastSignatures`.
enum SignatureChecks {
  /// Returns the checked key; nil if its kind is unknown or the key is invalid.
  static func verificationKey(_ key: PublicKey) -> VerificationKey? {
    do throws(KeyError) {
      switch key.kind {
      case .rsa(let n, let e), .rsaPSS(let n, let e, _):
        return try VerificationKey(
          rsaModulus: n.input.span.extracting(n.range),
          exponent: e.input.span.extracting(e.range))
      case .ec(let curve, let point):
        guard let curve = curve.id else { return nil }
        return try VerificationKey(
          curve: curve, point: point.input.span.extracting(point.range))
      case .ed25519(let key):
        return try VerificationKey(ed25519: key.input.span.extracting(key.range))
      case .ed448(let key):
        return try VerificationKey(ed448: key.input.span.extracting(key.range))
      case .mldsa44(let key):
        return try VerificationKey(mldsa: .mldsa44, key: key.input.span.extracting(key.range))
      case .mldsa65(let key):
        return try VerificationKey(mldsa: .mldsa65, key: key.input.span.extracting(key.range))
      case .mldsa87(let key):
        return try VerificationKey(mldsa: .mldsa87, key: key.input.span.extracting(key.range))
      case .x25519, .x448, .unknown: return nil
      }
    } catch {
      return nil
    }
  }

  /// Whether a key is valid for its kind: of the right length and, for a point, in canonical form,
  /// on the curve and not of small order. True for kinds that are not used to verify here, and for
  /// RSA, which `KeySummary` checks.
  ///
  /// - Parameter checksPoint: Whether more than the length of Ed25519 and Ed448 keys is checked.
  static func canBeKey(_ key: PublicKey, checksPoint: Bool = true) -> Bool {
    switch key.kind {
    case .ec(let curve, _): curve.id == nil || verificationKey(key) != nil
    case .ed25519(let bytes): bytes.count == 32 && (!checksPoint || verificationKey(key) != nil)
    case .ed448(let bytes): bytes.count == 57 && (!checksPoint || verificationKey(key) != nil)
    case .mldsa44(let bytes): bytes.count == MLDSAParameters.mldsa44.keyLength
    case .mldsa65(let bytes): bytes.count == MLDSAParameters.mldsa65.keyLength
    case .mldsa87(let bytes): bytes.count == MLDSAParameters.mldsa87.keyLength
    case .rsa, .rsaPSS, .x25519, .x448, .unknown: true
    }
  }

  /// Returns the scheme that verifies the signature under a key of this kind; nil if the two do not
  /// match.
  static func scheme(
    _ algorithm: SignatureAlgorithm.Scheme, for key: PublicKey.Kind
  ) -> SignatureScheme? {
    switch (algorithm, key) {
    case (.rsaPKCS1(let hash), .rsa): return .rsaPKCS1(hash)
    case (.rsaPSS(let parameters), .rsa): return scheme(parameters)
    case (.rsaPSS(let parameters), .rsaPSS(_, _, let allowed)):
      // RFC 4055 §3.3: the key may prescribe the functions and the shortest salt.
      if let allowed {
        guard parameters.hash == allowed.hash, parameters.maskHash == allowed.maskHash,
          parameters.saltLength >= allowed.saltLength
        else { return nil }
      }
      return scheme(parameters)
    case (.ecdsa(let hash), .ec): return .ecdsa(hash)
    case (.ed25519, .ed25519): return .ed25519
    case (.ed448, .ed448): return .ed448
    case (.mldsa44, .mldsa44): return .mldsa44
    case (.mldsa65, .mldsa65): return .mldsa65
    case (.mldsa87, .mldsa87): return .mldsa87
    default: return nil
    }
  }

  private static func scheme(_ parameters: PSSParameters) -> SignatureScheme {
    .rsaPSS(
      hash: parameters.hash, mgfHash: parameters.maskHash, saltLength: parameters.saltLength)
  }

  /// Verifies the certificate's signature.
  static func verify(
    _ certificate: Certificate, _ scheme: SignatureScheme, under key: VerificationKey
  ) -> Verification {
    let tbs = certificate.tbs
    let signature = certificate.signature
    return key.verify(
      scheme, message: tbs.input.span.extracting(tbs.range),
      signature: signature.input.span.extracting(signature.range))
  }
}

extension NamedCurve {
  fileprivate var id: CurveID? {
    switch self {
    case .p192: nil
    case .p224: .p224
    case .p256: .p256
    case .p384: .p384
    case .p521: .p521
    case .secp256k1: .secp256k1
    case .brainpoolP256r1: .brainpoolP256r1
    case .brainpoolP384r1: .brainpoolP384r1
    case .brainpoolP512r1: .brainpoolP512r1
    }
  }
}

extension SignatureChecks {
  /// Returns how many operations of the budget a signature under a key costs: about one for each
  /// millisecond, and one for all keys in use on the web. At one each, a hundred of the worst, with
  /// an RSA key of 16,384 bits and the longest exponent, would take half a second.
  static func work(under key: PublicKey.Kind) -> Int {
    switch key {
    case .rsa(let modulus, let exponent), .rsaPSS(let modulus, let exponent, _):
      // Up to 4,096 bits every exponent costs one; keys above 16,384 bits are not verified with.
      guard 514...2_049 ~= modulus.count else { return 1 }
      let limbs = (modulus.count + 6) / 8
      return 1 + limbs * limbs * products(exponent) / (128 * 128 * 32)
    case .ec(.p224, _), .ec(.secp256k1, _), .ec(.brainpoolP256r1, _): return 2
    case .ec(.brainpoolP384r1, _): return 4
    case .ec(.brainpoolP512r1, _): return 10
    case .ec(.p192, _), .ec(.p256, _), .ec(.p384, _), .ec(.p521, _): return 1
    case .ed25519, .ed448, .mldsa44, .mldsa65, .mldsa87, .x25519, .x448, .unknown: return 1
    }
  }

  /// Returns how many multiplications a power takes: one for each bit, and one for each set bit.
  private static func products(_ exponent: Bytes) -> Int {
    // Exponents of more than 33 bits are not verified with.
    let power = exponent.suffix(5).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return UInt64.bitWidth - power.leadingZeroBitCount + power.nonzeroBitCount
  }
}
