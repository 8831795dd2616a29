internal import HoldfastCertificates
internal import HoldfastDER

extension PrivateKey {
  /// Reads a key from PKCS #8 in DER. RFC 5958 §2.
  public init(pkcs8: [UInt8]) throws(IdentityError) {
    try IdentityOptions.check(size: pkcs8.count)
    var reader = FieldReader(pkcs8, .privateKey)
    var info = try reader.read(.sequence)
    try reader.finish()
    // RFC 5958 §2: 0 is version 1, and 1 is version 2, which may have the public key.
    _ = try info.readNumber(upTo: 1)
    let algorithm = try KeyAlgorithm(&info)
    var inner = try info.read(.octetString)
    _ = try info.readIfPresent(.constructedContext(0))
    let written = info.nextTag == .context(1) ? try info.readBits(.context(1)) : nil
    try info.finish()
    let parts = try KeyParts(&inner, algorithm)
    self.init(algorithm, parts, written: written, pkcs8: pkcs8)
  }

  /// Reads an RSA key from PKCS #1. RFC 8017 appendix A.1.2.
  public init(pkcs1: [UInt8]) throws(IdentityError) {
    try IdentityOptions.check(size: pkcs1.count)
    let algorithm = KeyAlgorithm.rsa
    var reader = FieldReader(pkcs1, .privateKey)
    let parts = try KeyParts(&reader, algorithm)
    self.init(wrapping: pkcs1, algorithm, parts)
  }

  /// Reads an EC key from SEC 1. RFC 5915 §3.
  public init(sec1: [UInt8]) throws(IdentityError) {
    try IdentityOptions.check(size: sec1.count)
    var reader = FieldReader(sec1, .privateKey)
    // Without PKCS #8, only the key itself names the curve.
    let curve = try KeyParts.readCurve(reader)
    let algorithm = KeyAlgorithm(curve: curve)
    let parts = try KeyParts(&reader, algorithm)
    self.init(wrapping: sec1, algorithm, parts)
  }

  /// Reads a key from DER: PKCS #8, PKCS #1 or SEC 1.
  public init(der: [UInt8]) throws(IdentityError) {
    var reader = FieldReader(der, .privateKey)
    var fields = try reader.read(.sequence)
    // Each format begins with a number; the next element tells them apart.
    _ = try fields.readNumber(upTo: 2)
    switch fields.nextTag {
    case .integer: try self.init(pkcs1: der)
    case .octetString: try self.init(sec1: der)
    default: try self.init(pkcs8: der)
    }
  }

  private init(
    _ algorithm: KeyAlgorithm, _ parts: KeyParts, written: [UInt8]? = nil, pkcs8: [UInt8]
  ) {
    var publicKey: PublicKey?
    if let bytes = parts.publicBytes ?? written {
      let der = DERWriting.element(
        .sequence, algorithm.publicDER, DERWriting.element(.bitString, [0], bytes))
      // If the public part cannot be read, the key is kept without it: only a TLS library uses the
      // key.
      do throws(DERError) { publicKey = try PublicKey(whole: der) } catch { publicKey = nil }
    }
    self.init(kind: algorithm.kind(publicKey), publicKey: publicKey, pkcs8: pkcs8)
  }

  /// Wraps a key of an older format in PKCS #8, the format in which keys are stored.
  private init(wrapping key: [UInt8], _ algorithm: KeyAlgorithm, _ parts: KeyParts) {
    var string = DERWriting.element(.octetString, key)
    defer { SecretBytes.overwrite(&string) }
    var pkcs8 = DERWriting.element(.sequence, [0x02, 0x01, 0x00], algorithm.der, string)
    defer { SecretBytes.overwrite(&pkcs8) }
    self.init(algorithm, parts, pkcs8: pkcs8)
  }
}

/// The AlgorithmIdentifier of a key.
struct KeyAlgorithm {
  let oid: OID
  let curve: OID?
  /// The identifier with its header.
  let der: [UInt8]

  /// Reads it as the next element.
  init(_ reader: inout FieldReader) throws(IdentityError) {
    der = try reader.readWhole(.sequence)
    var copy = FieldReader(der, reader.field)
    var (name, parameters) = try copy.readAlgorithm()
    oid = name
    curve =
      name == .ecPublicKey && parameters.nextTag == .objectIdentifier
      ? try parameters.readOID() : nil
  }

  private init(_ oid: OID, curve: OID?, parameters: [UInt8]) {
    self.oid = oid
    self.curve = curve
    der = DERWriting.element(
      .sequence, DERWriting.element(.objectIdentifier, oid.content), parameters)
  }

  /// The identifier for the public key. RFC 3279 §2.3.1 requires the NULL that some private RSA
  /// keys leave out.
  var publicDER: [UInt8] { oid == .rsaEncryption ? KeyAlgorithm.rsa.der : der }

  /// The identifier of RSA, with NULL as its parameters. RFC 3279 §2.3.1.
  static var rsa: KeyAlgorithm {
    KeyAlgorithm(.rsaEncryption, curve: nil, parameters: DERWriting.element(.null))
  }

  /// Makes the identifier of EC keys; its parameters name the curve. RFC 5480 §2.1.1.
  init(curve: OID) {
    self.init(
      .ecPublicKey, curve: curve,
      parameters: DERWriting.element(.objectIdentifier, curve.content))
  }

  /// Returns the kind of the key; for RSA, the public part has the size.
  func kind(_ publicKey: PublicKey?) -> PrivateKey.Kind {
    switch oid {
    case .rsaEncryption: .rsa(bits: publicKey?.bits ?? 0)
    case .rsaPSS: .rsaPSS(bits: publicKey?.bits ?? 0)
    case .ecPublicKey: curve.flatMap { NamedCurve($0) }.map { .ec($0) } ?? .other(oid)
    case .x25519: .x25519
    case .x448: .x448
    default: SignatureScheme(ofKeys: oid).map { .raw($0) } ?? .other(oid)
    }
  }
}

/// The public part that a private key contains.
struct KeyParts {
  /// The bytes of the BIT STRING of a SubjectPublicKeyInfo.
  let publicBytes: [UInt8]?

  /// Reads the rest of the input as a key in the format of its algorithm.
  init(_ reader: inout FieldReader, _ algorithm: KeyAlgorithm) throws(IdentityError) {
    switch algorithm.oid {
    case .rsaEncryption, .rsaPSS: publicBytes = try Self.readRSA(&reader)
    case .ecPublicKey: publicBytes = try Self.readEC(&reader, algorithm.curve)
    case .x25519: publicBytes = try Self.readFixed(&reader, length: 32)
    case .x448: publicBytes = try Self.readFixed(&reader, length: 56)
    default:
      // On a curve, the private key is as long as the public one. RFC 8032 §5.1.5, §5.2.5.
      let keys = SignatureScheme(ofKeys: algorithm.oid)?.ownKeys
      if let keys, keys.bits != nil {
        publicBytes = try Self.readFixed(&reader, length: keys.length)
      } else {
        publicBytes = nil
      }
    }
  }

  /// Reads an RSAPrivateKey: nine numbers, of which the modulus and the public exponent follow the
  /// version. RFC 8017 appendix A.1.2.
  private static func readRSA(_ reader: inout FieldReader) throws(IdentityError) -> [UInt8] {
    var key = try reader.read(.sequence)
    try reader.finish()
    let version = try key.readNumber(upTo: 1)
    let modulus = try key.readPositiveWhole()
    let exponent = try key.readPositiveWhole()
    for _ in 0..<6 { _ = try key.read(.integer) }
    // Version 1 has more than two primes.
    if version == 1 { _ = try key.read(.sequence) }
    try key.finish()
    return DERWriting.element(.sequence, modulus, exponent)
  }

  /// Reads an ECPrivateKey. RFC 5915 §3.
  private static func readEC(
    _ reader: inout FieldReader, _ curve: OID?
  ) throws(IdentityError) -> [UInt8]? {
    var key = try reader.read(.sequence)
    try reader.finish()
    let start = key.position
    guard try key.readNumber(upTo: 1) == 1 else { throw key.error(.badValue, at: start) }
    let offset = key.position
    let scalar = try key.read(.octetString)
    // RFC 5915 §3 requires the length of the order. Some writers drop leading zeros, and some add
    // them; a number that is zero or longer than the curve is not a key.
    if let named = curve.flatMap({ NamedCurve($0) }) {
      let count = scalar.significantCount
      guard 1...named.coordinateLength ~= count else { throw key.error(.badValue, at: offset) }
    }
    let parametersOffset = key.position
    if var parameters = try key.readIfPresent(.constructedContext(0)),
      parameters.nextTag == .objectIdentifier, let curve
    {
      guard try parameters.readOID() == curve else {
        throw key.error(.badValue, at: parametersOffset)
      }
    }
    var point: [UInt8]?
    if var wrapper = try key.readIfPresent(.constructedContext(1)) {
      point = try wrapper.readBits()
      try wrapper.finish()
    }
    try key.finish()
    return point
  }

  /// Reads the name of the curve in a SEC 1 key.
  static func readCurve(_ reader: FieldReader) throws(IdentityError) -> OID {
    var reader = reader
    var key = try reader.read(.sequence)
    _ = try key.readNumber()
    _ = try key.read(.octetString)
    let start = key.position
    guard var parameters = try key.readIfPresent(.constructedContext(0)) else {
      throw key.error(.missing(.constructedContext(0)), at: start)
    }
    guard parameters.nextTag == .objectIdentifier else {
      throw .unsupported(.keyAlgorithm, nil, name: "on a curve without a name")
    }
    return try parameters.readOID()
  }

  /// Reads an OCTET STRING of a fixed length; it has no public part. RFC 8410 §7.
  private static func readFixed(
    _ reader: inout FieldReader, length: Int
  ) throws(IdentityError) -> [UInt8]? {
    let key = try reader.read(.octetString)
    try reader.finish()
    guard key.count == length else { throw key.error(.badValue, at: key.position) }
    return nil
  }
}
