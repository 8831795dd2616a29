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
    let start = reader.position
    var info = try reader.read(.sequence, in: input)
    let identifier = try AlgorithmIdentifier(&info, in: input)
    let bits = try info.readBitString(in: input)
    try info.finish()
    der = reader.octets(from: start, in: input)
    algorithm = identifier.oid
    octets = bits.octets
    kind =
      bits.unusedBits == 0
      ? try PublicKey.kind(identifier, bits.octets, in: input, &findings) : .unknown
  }

  private static func kind(
    _ identifier: AlgorithmIdentifier, _ octets: Octets, in input: [UInt8],
    _ findings: inout [Finding]
  ) throws(DERError) -> Kind {
    switch identifier.oid {
    case .ecPublicKey:
      return try ellipticKind(identifier, octets, in: input)
    case .rsaEncryption:
      // RFC 3279 §2.3.1: the parameters are NULL. The octets of a key without them are kept, and
      // nothing is verified with it.
      guard identifier.hasNull else {
        if identifier.hasNoParameters {
          findings.append(.rsaParametersAbsent(at: identifier.whole.position))
        }
        return .unknown
      }
      let (modulus, exponent) = try readRSA(octets, in: input)
      return .rsa(modulus: modulus, exponent: exponent)
    case .rsaPSS:
      let (modulus, exponent) = try readRSA(octets, in: input)
      if identifier.hasNoParameters {
        return .rsaPSS(modulus: modulus, exponent: exponent, parameters: nil)
      }
      guard
        case .known(let parameters) = try PSSParameters.read(
          identifier.parameters, in: input, &findings)
      else { return .unknown }
      return .rsaPSS(modulus: modulus, exponent: exponent, parameters: parameters)
    default:
      return identifier.hasNoParameters ? fixedKind(identifier.oid, octets) : .unknown
    }
  }

  /// RFC 5480 §2.1.1: the parameters are the name of a curve.
  private static func ellipticKind(
    _ identifier: AlgorithmIdentifier, _ octets: Octets, in input: [UInt8]
  ) throws(DERError) -> Kind {
    var parameters = identifier.parameters
    guard parameters.nextTag(in: input) == .objectIdentifier else { return .unknown }
    guard let curve = NamedCurve(try parameters.readOID(in: input)) else { return .unknown }
    return .ec(curve, point: octets)
  }

  private static func fixedKind(_ oid: OID, _ octets: Octets) -> Kind {
    switch oid {
    case .ed25519: .ed25519(octets)
    case .ed448: .ed448(octets)
    case .x25519: .x25519(octets)
    case .x448: .x448(octets)
    case .mldsa44: .mldsa44(octets)
    case .mldsa65: .mldsa65(octets)
    case .mldsa87: .mldsa87(octets)
    default: .unknown
    }
  }

  /// RFC 8017 appendix A.1.1: two positive integers.
  private static func readRSA(_ octets: Octets, in input: [UInt8]) throws(DERError) -> (
    Octets, Octets
  ) {
    var reader = DERCursor(octets)
    var key = try reader.read(.sequence, in: input)
    try reader.finish()
    let modulus = try readPositive(&key, in: input)
    let exponent = try readPositive(&key, in: input)
    try key.finish()
    return (modulus, exponent)
  }

  private static func readPositive(_ key: inout DERCursor, in input: [UInt8]) throws(DERError)
    -> Octets
  {
    let integer = try key.readInteger(in: input)
    let start = integer.startIndex
    guard integer[start] < 0x80 else { throw DERError(.integerOutOfRange, at: start) }
    let isPadded = integer[start] == 0 && integer.count > 1
    return isPadded ? Octets(unchecked: integer.input, start + 1, integer.endIndex) : integer
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
