public import HoldfastCertificates
public import HoldfastDER

/// A private key, stored as PKCS #8 for the TLS library that will use it. RFC 5958 §2.
///
/// It prints only its kind. All copies share one buffer, which is overwritten when the last copy is
/// destroyed.
public struct PrivateKey: Sendable {
  /// The kind of the key.
  public let kind: Kind

  /// The public part, if the file contains it. RSA keys always do; an EC key may not.
  public let publicKey: PublicKey?

  private let bytes: SecretBytes

  /// The kinds of private keys.
  @nonexhaustive
  public enum Kind: Sendable, Hashable {
    /// RFC 8017 appendix A.1.2, with the size of the modulus.
    case rsa(bits: Int)
    /// An RSA key for RSASSA-PSS only. RFC 4055 §3.1.
    case rsaPSS(bits: Int)
    /// RFC 5915.
    case ec(NamedCurve)
    /// A key that serves one scheme alone: Ed25519 and Ed448, RFC 8410 §7; ML-DSA, RFC 9881 §6.
    case raw(SignatureScheme)
    /// RFC 8410 §7.
    case x25519
    /// RFC 8410 §7.
    case x448
    /// Any other algorithm.
    case other(OID)
  }

  init(kind: Kind, publicKey: PublicKey?, pkcs8: [UInt8]) {
    self.kind = kind
    self.publicKey = publicKey
    bytes = SecretBytes(pkcs8)
  }

  /// A copy of the key as PKCS #8 in DER, unencrypted. The caller must protect it.
  public var pkcs8: [UInt8] { bytes.copy }

  /// Passes the key as PKCS #8 in DER, unencrypted, to `body` and overwrites that copy afterwards.
  public func withPKCS8<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    var copy = bytes.copy
    defer { SecretBytes.overwrite(&copy) }
    return body(copy.span)
  }

  /// Whether the PKCS #8 bytes of both keys are equal, compared in constant time.
  public func isEqual(to other: PrivateKey) -> Bool {
    var (mine, others) = (bytes.copy, other.bytes.copy)
    defer {
      SecretBytes.overwrite(&mine)
      SecretBytes.overwrite(&others)
    }
    return SecretBytes.areEqual(mine, others)
  }
}

extension PrivateKey: CustomStringConvertible, CustomDebugStringConvertible {
  /// `RSA 2048 bits private key`: the kind, but nothing of the key.
  public var description: String { "\(kind) private key" }

  /// The same as `description`.
  public var debugDescription: String { description }
}

extension PrivateKey.Kind: CustomStringConvertible {
  /// `RSA 2048 bits`, `EC P-256`.
  public var description: String {
    switch self {
    case .rsa(let bits): "RSA \(bits) bits"
    case .rsaPSS(let bits): "RSASSA-PSS \(bits) bits"
    case .ec(let curve): "EC \(curve)"
    case .raw(let scheme): "\(scheme)"
    case .x25519: "X25519"
    case .x448: "X448"
    case .other(let oid): "algorithm \(oid)"
    }
  }
}

extension PrivateKey {
  /// Whether this is the key of a certificate; nil if the key has no public part to compare.
  public func matches(_ certificate: Certificate) -> Bool? {
    publicKey.map { PublicPart($0) == PublicPart(certificate.publicKey) }
  }

  /// Whether a certificate's key is of the same kind, on the same curve.
  func hasKind(of key: PublicKey) -> Bool {
    switch (kind, key.kind) {
    case (.rsa, .rsa), (.rsa, .rsaPSS), (.rsaPSS, .rsaPSS), (.x25519, .x25519), (.x448, .x448): true
    case (.raw(let mine), .raw(let other)): mine == other
    case (.ec(let mine), .ec(let other)): mine == other
    case (.other(let oid), _): oid == key.algorithm
    default: false
    }
  }
}

/// The value by which public keys are compared, independent of their encoding.
enum PublicPart: Hashable {
  case rsa(modulus: [UInt8], exponent: [UInt8])
  /// The x-coordinate, and whether y is odd: equal for compressed and uncompressed points.
  case point(NamedCurve, x: [UInt8], isOdd: Bool)
  case other(OID, [UInt8])

  init(_ key: PublicKey) {
    let bytes = key.bytes.array
    if let modulus = key.modulus, let exponent = key.exponent {
      self = .rsa(modulus: modulus.array, exponent: exponent.array)
    } else if case .ec(let curve) = key.kind {
      let length = curve.coordinateLength
      switch bytes.first {
      case 0x04 where bytes.count == 2 * length + 1:
        self = .point(curve, x: Array(bytes[1...length]), isOdd: bytes[2 * length] & 1 == 1)
      case 0x02 where bytes.count == length + 1, 0x03 where bytes.count == length + 1:
        self = .point(curve, x: Array(bytes[1...]), isOdd: bytes[0] == 3)
      default: self = .other(key.algorithm, bytes)
      }
    } else {
      self = .other(key.algorithm, bytes)
    }
  }
}
