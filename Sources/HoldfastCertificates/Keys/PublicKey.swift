public import HoldfastDER
public import HoldfastHashes

/// A public key: the SubjectPublicKeyInfo and its contents. RFC 5280 §4.1.2.7.
public struct PublicKey: Sendable, Hashable, DERDecodable {
  /// The SubjectPublicKeyInfo, header included. Key pins are hashes of these bytes.
  public let der: Bytes

  /// The OID of the algorithm.
  public let algorithm: OID

  /// The key itself.
  public let kind: Kind

  /// The bytes of the BIT STRING.
  public let bytes: Bytes

  /// The kinds of public keys.
  @nonexhaustive
  public enum Kind: Sendable, Hashable {
    /// An RSA key for any use: modulus and exponent without leading zeros. RFC 3279 §2.3.1.
    case rsa(modulus: Bytes, exponent: Bytes)
    /// An RSA key for RSASSA-PSS only, possibly restricted to parameters. RFC 4055 §3.1.
    case rsaPSS(modulus: Bytes, exponent: Bytes, parameters: PSSParameters?)
    /// A point on a named curve, compressed or not. RFC 5480 §2.2.
    case ec(NamedCurve, point: Bytes)
    /// The bytes of a key that serves one scheme alone: Ed25519 and Ed448, RFC 8410 §4; ML-DSA,
    /// RFC 9881 §4.
    case raw(SignatureScheme, Bytes)
    /// An X25519 key, for key agreement only. RFC 8410 §4.
    case x25519(Bytes)
    /// An X448 key, for key agreement only. RFC 8410 §4.
    case x448(Bytes)
    /// Any other algorithm, or unsupported parameters.
    case unknown
  }

  /// Parses a SubjectPublicKeyInfo; throws if other bytes follow it.
  public init(der: [UInt8]) throws(DERError) {
    var reader = DERReader(der)
    var ignored: [EncodingDeviation] = []
    try self.init(&reader, in: der, &ignored)
    try reader.finish()
  }

  /// Reads a SubjectPublicKeyInfo.
  package init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    let start = reader.position
    var info = try reader.read(.sequence, in: input)
    let identifier = try AlgorithmIdentifier(&info, in: input)
    let bits = try info.readBitString(in: input)
    try info.finish()
    kind =
      bits.unusedBits == 0
      ? try Kind(identifier, bits.bytes, in: input, &deviations) : .unknown
    der = DERReader(unchecked: start, reader.position).rest(in: input)
    algorithm = identifier.oid
    bytes = bits.bytes
  }

  /// Reads an RSA key from an `RSAPublicKey`, the content of `RSA PUBLIC KEY` files.
  /// RFC 8017 appendix A.1.1.
  ///
  /// Then `der` is the SubjectPublicKeyInfo that a certificate for the key would have.
  /// RFC 3279 §2.3.1.
  package init(pkcs1: [UInt8]) throws(DERError) {
    var reader = DERReader(pkcs1)
    _ = try reader.read(.sequence, in: pkcs1)
    try reader.finish()
    let identifier = DERWriting.element(
      .sequence, DERWriting.element(.objectIdentifier, OID.rsaEncryption.content),
      DERWriting.element(.null))
    let der = DERWriting.element(
      .sequence, identifier, DERWriting.element(.bitString, [0x00], pkcs1))
    do throws(DERError) {
      try self.init(der: der)
    } catch {
      throw DERError(error.problem, at: max(error.offset - (der.count - pkcs1.count), 0))
    }
  }
}

extension PublicKey.Kind {
  @inline(__always)
  fileprivate init(
    _ identifier: AlgorithmIdentifier, _ bytes: Bytes, in input: borrowing [UInt8],
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    guard let make = PublicKey.Kind.readers[identifier.oid] else {
      self = .unknown
      return
    }
    self = try make(identifier, bytes, input, &deviations)
  }

  private typealias Reader =
    @Sendable (
      AlgorithmIdentifier, Bytes, [UInt8], inout [EncodingDeviation]
    ) throws(DERError) -> PublicKey.Kind

  /// The readers of key kinds by OID.
  private static let readers = OIDTable<Reader>(
    [
      (.rsaEncryption, readRSA), (.rsaPSS, readPSS), (.ecPublicKey, readElliptic),
      (.x25519, fixed { .x25519($0) }), (.x448, fixed { .x448($0) }),
    ] + SignatureScheme.identifiers.map { oid, scheme in (oid, fixed { .raw(scheme, $0) }) })

  /// Returns the reader of a kind whose identifier has no parameters. RFC 8410 §3, RFC 9881 §2.
  private static func fixed(_ make: @escaping @Sendable (Bytes) -> PublicKey.Kind) -> Reader {
    { (identifier, bytes, _, _) throws(DERError) in
      identifier.hasNoParameters ? make(bytes) : .unknown
    }
  }

  /// Reads an RSA key. RFC 3279 §2.3.1: the parameters are NULL. A key without them is accepted as
  /// `unknown` and verifies nothing.
  private static func readRSA(
    _ identifier: AlgorithmIdentifier, _ bytes: Bytes, _ input: [UInt8],
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> PublicKey.Kind {
    guard identifier.hasNull else {
      if identifier.hasNoParameters {
        deviations.append(.rsaParametersAbsent(at: identifier.whole.position))
      }
      return .unknown
    }
    let (modulus, exponent) = try readNumbers(bytes, in: input)
    return .rsa(modulus: modulus, exponent: exponent)
  }

  private static func readPSS(
    _ identifier: AlgorithmIdentifier, _ bytes: Bytes, _ input: [UInt8],
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> PublicKey.Kind {
    let (modulus, exponent) = try readNumbers(bytes, in: input)
    var parameters: PSSParameters?
    if !identifier.hasNoParameters {
      parameters = try PSSParameters.read(identifier.parameters, in: input, &deviations)
      if parameters == nil { return .unknown }
    }
    return .rsaPSS(modulus: modulus, exponent: exponent, parameters: parameters)
  }

  /// Reads an EC key. RFC 5480 §2.1.1: the parameters name a curve.
  private static func readElliptic(
    _ identifier: AlgorithmIdentifier, _ bytes: Bytes, _ input: [UInt8],
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> PublicKey.Kind {
    guard identifier.parametersTag == .objectIdentifier else { return .unknown }
    var parameters = identifier.parameters
    let name = try parameters.readOID(in: input)
    return NamedCurve(name).map { .ec($0, point: bytes) } ?? .unknown
  }

  /// Reads the modulus and exponent, two positive integers. RFC 8017 appendix A.1.1.
  private static func readNumbers(
    _ bytes: Bytes, in input: [UInt8]
  ) throws(DERError) -> (Bytes, Bytes) {
    var reader = DERReader(bytes)
    var key = try reader.read(.sequence, in: input)
    try reader.finish()
    let modulus = try key.readUnsigned(in: input)
    let exponent = try key.readUnsigned(in: input)
    try key.finish()
    return (modulus.rest(in: input), exponent.rest(in: input))
  }
}

extension PublicKey.Kind {
  /// Whether keys of this kind verify signatures of a scheme.
  package func verifies(_ scheme: SignatureScheme) -> Bool {
    switch (self, scheme) {
    case (.rsa, .rsaPKCS1), (.rsa, .rsaPSS), (.ec, .ecdsa): true
    case (.rsaPSS(_, _, let allowed), .rsaPSS(let parameters)):
      allowed?.admits(parameters) ?? true
    case (.raw(let own, _), _): own == scheme
    case (.rsa, _), (.rsaPSS, _), (.ec, _), (.x25519, _), (.x448, _), (.unknown, _): false
    }
  }
}

extension PublicKey {
  /// The size in bits: of an RSA modulus, of the field of a curve; nil for ML-DSA and unknown keys.
  public var bits: Int? {
    switch kind {
    case .rsa(let modulus, _), .rsaPSS(let modulus, _, _): PublicKey.bits(of: modulus)
    case .ec(let curve, _): curve.bits
    case .raw(let scheme, _): scheme.ownKeys?.bits
    case .x25519: 256
    case .x448: 448
    case .unknown: nil
    }
  }

  /// Returns the number of bits of a number without leading zero bytes.
  static func bits(of number: Bytes) -> Int {
    number.count * 8 - (number.first?.leadingZeroBitCount ?? 0)
  }

  /// Returns the digest of the SubjectPublicKeyInfo; with SHA-256, the value of a pin.
  /// RFC 7469 §2.4.
  public func fingerprint(_ algorithm: HashAlgorithm = .sha256) -> [UInt8] {
    algorithm.hash(der.input, in: der.range).array
  }
}

extension PublicKey: CustomStringConvertible {
  /// `RSA 2048 bits`, `EC P-256`.
  public var description: String {
    switch kind {
    case .rsa: "RSA \(bits ?? 0) bits"
    case .rsaPSS: "RSASSA-PSS \(bits ?? 0) bits"
    case .ec(let curve, _): "EC \(curve)"
    case .raw(let scheme, _): "\(scheme)"
    case .x25519: "X25519"
    case .x448: "X448"
    case .unknown: "unknown algorithm \(algorithm)"
    }
  }
}
