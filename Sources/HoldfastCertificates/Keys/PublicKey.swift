public import HoldfastDER

/// A public key: the SubjectPublicKeyInfo as it stands, and what is in it. RFC 5280 §4.1.2.7.
public struct PublicKey: Sendable, Hashable {
  /// The SubjectPublicKeyInfo as it stands, header included. Pins are hashes of these octets.
  public let der: Octets

  /// The name of the algorithm.
  public let algorithm: OID

  /// The key itself.
  public let kind: Kind

  /// The octets of the BIT STRING.
  public let octets: Octets

  /// The kinds of keys.
  @nonexhaustive
  public enum Kind: Sendable, Hashable {
    /// An RSA key for any use: modulus and exponent without leading zeros. RFC 3279 §2.3.1.
    case rsa(modulus: Octets, exponent: Octets)
    /// An RSA key for RSASSA-PSS alone, perhaps restricted to some parameters. RFC 4055 §3.1.
    case rsaPSS(modulus: Octets, exponent: Octets, parameters: PSSParameters?)
    /// A point on a named curve, compressed or not. RFC 5480 §2.2.
    case ec(NamedCurve, point: Octets)
    /// RFC 8410 §4.
    case ed25519(Octets)
    /// RFC 8410 §4.
    case ed448(Octets)
    /// A key for key agreement only. RFC 8410 §4.
    case x25519(Octets)
    /// A key for key agreement only. RFC 8410 §4.
    case x448(Octets)
    /// RFC 9881 §4.
    case mldsa44(Octets)
    /// RFC 9881 §4.
    case mldsa65(Octets)
    /// RFC 9881 §4.
    case mldsa87(Octets)
    /// Any other algorithm, or parameters that are not supported.
    case unknown
  }

  /// Reads a key from its SubjectPublicKeyInfo, which must be nothing but that.
  public init(der: [UInt8]) throws(DERError) {
    let input = der
    var reader = DERCursor(input)
    var findings: [Finding] = []
    try self.init(&reader, in: input, &findings)
    try reader.finish()
  }

  init(_ reader: inout DERCursor, in input: [UInt8], _ findings: inout [Finding]) throws(DERError) {
    self.init(try RawPublicKey(&reader, in: input, &findings), in: input)
  }

  init(_ raw: RawPublicKey, in input: [UInt8]) {
    der = raw.whole.rest(in: input)
    algorithm = raw.oid
    octets = raw.octets.rest(in: input)
    kind = raw.form.kind(raw, octets)
  }
}

extension PublicKey {
  /// The size in bits: of the modulus for RSA, of the field for a curve; nil for unknown keys.
  public var bits: Int? {
    switch kind {
    case .rsa(let modulus, _), .rsaPSS(let modulus, _, _):
      modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
    case .ec(let curve, _): curve.bits
    case .ed25519, .x25519: 256
    case .ed448, .x448: 448
    case .mldsa44, .mldsa65, .mldsa87, .unknown: nil
    }
  }
}

extension PublicKey: CustomStringConvertible {
  /// `RSA 2048 bits`, `EC P-256`.
  public var description: String {
    switch kind {
    case .rsa: "RSA \(bits ?? 0) bits"
    case .rsaPSS: "RSASSA-PSS \(bits ?? 0) bits"
    case .ec(let curve, _): "EC \(curve)"
    case .ed25519: "Ed25519"
    case .ed448: "Ed448"
    case .x25519: "X25519"
    case .x448: "X448"
    case .mldsa44: "ML-DSA-44"
    case .mldsa65: "ML-DSA-65"
    case .mldsa87: "ML-DSA-87"
    case .unknown: "unknown algorithm \(algorithm)"
    }
  }
}
