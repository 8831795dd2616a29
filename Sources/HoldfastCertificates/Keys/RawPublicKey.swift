internal import HoldfastDER

/// A public key as it is read, without a reference to the input. RFC 5280 §4.1.2.7.
struct RawPublicKey {
  /// The SubjectPublicKeyInfo as it stands, header included.
  let whole: DERCursor
  let oid: OID
  /// The octets of the BIT STRING.
  let octets: DERCursor
  let form: Form
  /// Of an RSA key; otherwise empty.
  let modulus: DERCursor
  let exponent: DERCursor

  /// `PublicKey.Kind` without the octets.
  enum Form {
    case rsa
    case rsaPSS(PSSParameters?)
    case ec(NamedCurve)
    case ed25519
    case ed448
    case x25519
    case x448
    case mldsa44
    case mldsa65
    case mldsa87
    case unknown
  }

  init(_ reader: inout DERCursor, in input: borrowing [UInt8], _ findings: inout [Finding])
    throws(DERError)
  {
    let start = reader.position
    var info = try reader.read(.sequence, in: input)
    let identifier = try AlgorithmIdentifier(&info, in: input)
    let bits = try info.readRawBitString(in: input)
    try info.finish()
    whole = DERCursor(unchecked: start, reader.position)
    oid = identifier.oid
    octets = bits.octets
    let form: Form =
      bits.unusedBits == 0
      ? try RawPublicKey.form(identifier, bits.octets, in: input, &findings) : .unknown
    switch form {
    case .rsa, .rsaPSS: (modulus, exponent) = try RawPublicKey.readRSA(octets, in: input)
    default: (modulus, exponent) = (DERCursor(unchecked: 0, 0), DERCursor(unchecked: 0, 0))
    }
    self.form = form
  }

  private static func form(
    _ identifier: AlgorithmIdentifier, _ octets: DERCursor, in input: [UInt8],
    _ findings: inout [Finding]
  ) throws(DERError) -> Form {
    switch identifier.oid {
    case OID.ecPublicKey:
      return try ellipticForm(identifier, in: input)
    case OID.rsaEncryption:
      // RFC 3279 §2.3.1: the parameters are NULL. The octets of a key without them are kept, and
      // nothing is verified with it.
      guard identifier.hasNull else {
        if identifier.hasNoParameters {
          findings.append(.rsaParametersAbsent(at: identifier.whole.position))
        }
        return .unknown
      }
      return .rsa
    case OID.rsaPSS:
      if identifier.hasNoParameters { return .rsaPSS(nil) }
      _ = try readRSA(octets, in: input)
      switch try PSSParameters.read(identifier.parameters, in: input, &findings) {
      case .known(let parameters): return .rsaPSS(parameters)
      case .unknown: return .unknown
      }
    default:
      return identifier.hasNoParameters ? fixedForm(identifier.oid) : .unknown
    }
  }

  /// RFC 5480 §2.1.1: the parameters are the name of a curve.
  private static func ellipticForm(
    _ identifier: AlgorithmIdentifier, in input: [UInt8]
  ) throws(DERError) -> Form {
    var parameters = identifier.parameters
    guard parameters.nextTag(in: input) == .objectIdentifier else { return .unknown }
    let name = try parameters.readOID(in: input)
    return NamedCurve(name).map { .ec($0) } ?? .unknown
  }

  private static func fixedForm(_ oid: OID) -> Form {
    switch oid {
    case OID.ed25519: .ed25519
    case OID.ed448: .ed448
    case OID.x25519: .x25519
    case OID.x448: .x448
    case OID.mldsa44: .mldsa44
    case OID.mldsa65: .mldsa65
    case OID.mldsa87: .mldsa87
    default: .unknown
    }
  }

  /// RFC 8017 appendix A.1.1: two positive integers.
  private static func readRSA(
    _ octets: DERCursor, in input: [UInt8]
  ) throws(DERError) -> (DERCursor, DERCursor) {
    var reader = octets
    var key = try reader.read(.sequence, in: input)
    try reader.finish()
    let modulus = try readPositive(&key, in: input)
    let exponent = try readPositive(&key, in: input)
    try key.finish()
    return (modulus, exponent)
  }

  private static func readPositive(
    _ key: inout DERCursor, in input: [UInt8]
  ) throws(DERError) -> DERCursor {
    let integer = try key.readIntegerCursor(.integer, in: input)
    let start = integer.position
    guard input[start] < 0x80 else { throw DERError(.integerOutOfRange, at: start) }
    let isPadded = input[start] == 0 && integer.count > 1
    return isPadded ? DERCursor(unchecked: start + 1, integer.end) : integer
  }
}

extension RawPublicKey.Form {
  /// The kind, with the octets of the key.
  func kind(_ raw: RawPublicKey, _ octets: Octets) -> PublicKey.Kind {
    let modulus = raw.modulus.rest(in: octets.input)
    let exponent = raw.exponent.rest(in: octets.input)
    return switch self {
    case .rsa: .rsa(modulus: modulus, exponent: exponent)
    case .rsaPSS(let parameters):
      .rsaPSS(modulus: modulus, exponent: exponent, parameters: parameters)
    case .ec(let curve): .ec(curve, point: octets)
    case .ed25519: .ed25519(octets)
    case .ed448: .ed448(octets)
    case .x25519: .x25519(octets)
    case .x448: .x448(octets)
    case .mldsa44: .mldsa44(octets)
    case .mldsa65: .mldsa65(octets)
    case .mldsa87: .mldsa87(octets)
    case .unknown: .unknown
    }
  }
}
