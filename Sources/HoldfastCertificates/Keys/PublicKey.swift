public import HoldfastDER
public import HoldfastHashes

/// A public key: the SubjectPublicKeyInfo and its contents. RFC 5280 §4.1.2.7.
///
/// A copy counts one reference: the values are kept as ranges of `der`.
public struct PublicKey: Sendable, DERDecodable {
  /// The SubjectPublicKeyInfo, header included. Key pins are hashes of these bytes.
  public let der: Bytes

  /// The OID of the algorithm.
  public let algorithm: OID

  /// What the key is for, and with which parameters.
  public let kind: Kind

  /// The content of the BIT STRING; a point on a curve is compressed or not. RFC 5480 §2.2.
  public var bytes: Bytes { content.rest(in: der.input) }

  /// The modulus of an RSA key, without leading zeros.
  public var modulus: Bytes? { numbers?.modulus.rest(in: der.input) }

  /// The exponent of an RSA key, without leading zeros.
  public var exponent: Bytes? { numbers?.exponent.rest(in: der.input) }

  private let content: DERReader
  /// Kept although `content` has them: rules read them often.
  private let numbers: Numbers?
  fileprivate typealias Numbers = (modulus: DERReader, exponent: DERReader)

  /// The kinds of public keys.
  @nonexhaustive
  public enum Kind: Sendable, Hashable {
    /// An RSA key for any use. RFC 3279 §2.3.1.
    case rsa
    /// An RSA key for RSASSA-PSS only, possibly restricted to parameters. RFC 4055 §3.1.
    case rsaPSS(PSSParameters?)
    /// A key on a named curve. RFC 5480 §2.1.1.
    case ec(NamedCurve)
    /// A key that serves one scheme alone: Ed25519 and Ed448, RFC 8410 §4; ML-DSA, RFC 9881 §4.
    case raw(SignatureScheme)
    /// An X25519 key, for key agreement only. RFC 8410 §4.
    case x25519
    /// An X448 key, for key agreement only. RFC 8410 §4.
    case x448
    /// Any other algorithm, or unsupported parameters.
    case unknown
  }

  /// Parses a SubjectPublicKeyInfo; throws if other bytes follow it.
  public init(der: some Collection<UInt8>) throws(ParseError) {
    let der = Array(der)
    do throws(DERError) {
      try self.init(whole: der)
    } catch {
      throw ParseError(.publicKey, .subjectPublicKeyInfo, error, reading: der)
    }
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
    let content = DERReader(bits.bytes)
    var numbers: Numbers?
    let kind =
      bits.unusedBits == 0
      ? try Kind(identifier, content, in: input, &numbers, &deviations) : .unknown
    (self.kind, self.content, self.numbers) = (kind, content, numbers)
    der = DERReader(unchecked: start, reader.position).rest(in: input)
    algorithm = identifier.oid
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
    let der = DERWriting.element(
      .sequence, AlgorithmIdentifier.encoded(.rsaEncryption),
      DERWriting.element(.bitString, [0x00], pkcs1))
    do throws(DERError) {
      try self.init(whole: der)
    } catch {
      throw DERError(error.problem, at: max(error.offset - (der.count - pkcs1.count), 0))
    }
  }
}

extension PublicKey.Kind {
  /// The kinds of keys by OID, before their parameters are read.
  private static let all = OIDTable<Self>(
    [
      (.rsaEncryption, .rsa), (.rsaPSS, .rsaPSS(nil)), (.ecPublicKey, .ec(.p256)),
      (.x25519, .x25519), (.x448, .x448),
    ] + SignatureScheme.identifiers.map { oid, scheme in (oid, .raw(scheme)) })

  @inline(__always)
  fileprivate init(
    _ identifier: AlgorithmIdentifier, _ content: DERReader, in input: borrowing [UInt8],
    _ numbers: inout PublicKey.Numbers?, _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    let kind = Self.all[identifier.oid] ?? .unknown
    switch kind {
    case .rsa:
      // RFC 3279 §2.3.1: the parameters are NULL. A key without them is accepted as `unknown` and
      // verifies nothing.
      if identifier.hasNoParameters {
        deviations.append(.rsaParametersAbsent(at: identifier.whole.position))
      }
      self = identifier.hasNull ? kind : .unknown
      if identifier.hasNull { numbers = try PublicKey.readNumbers(content, in: input) }
    case .rsaPSS:
      let found = try PublicKey.readNumbers(content, in: input)
      let parameters =
        identifier.hasNoParameters
        ? nil : try PSSParameters.read(identifier.parameters, in: input, &deviations)
      let isKnown = identifier.hasNoParameters || parameters != nil
      self = isKnown ? .rsaPSS(parameters) : .unknown
      if isKnown { numbers = found }
    case .ec:
      // RFC 5480 §2.1.1: the parameters name a curve.
      guard identifier.parametersTag == .objectIdentifier else {
        self = .unknown
        return
      }
      var parameters = identifier.parameters
      self = NamedCurve(try parameters.readOID(in: input)).map { .ec($0) } ?? .unknown
    case .raw, .x25519, .x448, .unknown:
      // RFC 8410 §3, RFC 9881 §2.
      self = identifier.hasNoParameters ? kind : .unknown
    }
  }
}

extension PublicKey: Hashable {
  /// Whether both have the same DER.
  public static func == (a: PublicKey, b: PublicKey) -> Bool { a.der == b.der }

  /// Hashes the DER.
  public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

extension PublicKey {
  /// Reads the modulus and exponent, two positive integers. RFC 8017 appendix A.1.1.
  fileprivate static func readNumbers(
    _ bits: DERReader, in input: [UInt8]
  ) throws(DERError) -> Numbers {
    var reader = bits
    var key = try reader.read(.sequence, in: input)
    try reader.finish()
    let modulus = try key.readUnsigned(in: input)
    let exponent = try key.readUnsigned(in: input)
    try key.finish()
    return (modulus, exponent)
  }

  /// Whether the key verifies signatures of a scheme.
  package func verifies(_ scheme: SignatureScheme) -> Bool {
    switch (kind, scheme) {
    case (.rsa, .rsaPKCS1), (.rsa, .rsaPSS), (.ec, .ecdsa): true
    case (.rsaPSS(let allowed), .rsaPSS(let parameters)):
      allowed?.admits(parameters) ?? true
    case (.raw(let own), _): own == scheme
    case (.rsa, _), (.rsaPSS, _), (.ec, _), (.x25519, _), (.x448, _), (.unknown, _): false
    }
  }

  /// The size in bits: of an RSA modulus, of the field of a curve; nil for ML-DSA and unknown keys.
  public var bits: Int? {
    switch kind {
    case .rsa, .rsaPSS: numbers.map { bits(of: $0.modulus) }
    case .ec(let curve): curve.bits
    case .raw(let scheme): scheme.ownKeys?.bits
    case .x25519: 256
    case .x448: 448
    case .unknown: nil
    }
  }

  /// Returns the number of bits of a number without leading zero bytes.
  private func bits(of number: DERReader) -> Int {
    let first = number.isAtEnd ? 0xFF : der.input[number.position]
    return number.count * 8 - first.leadingZeroBitCount
  }

  /// The numbers of bits of an RSA key, and whether both numbers are odd and not too small, whatever
  /// the size of the key; nil for keys of other kinds.
  package var rsa: (bits: Int, exponentBits: Int, isPlausible: Bool)? {
    guard let (modulus, exponent) = numbers else { return nil }
    return (
      bits(of: modulus), bits(of: exponent), isPlausible(modulus: modulus, exponent: exponent)
    )
  }

  /// Whether the modulus and exponent of an RSA key are plausible: the modulus is odd; the exponent
  /// is odd and at least 3. CA/B BR §6.1.6.
  private func isPlausible(modulus: DERReader, exponent: DERReader) -> Bool {
    guard !modulus.isAtEnd, !exponent.isAtEnd else { return false }
    let (last, lowest) = (der.input[modulus.end - 1], der.input[exponent.end - 1])
    return last & 1 == 1 && lowest & 1 == 1 && (exponent.count > 1 || lowest >= 3)
  }

  /// Returns the digest of the SubjectPublicKeyInfo; with SHA-256, the value of a pin.
  /// RFC 7469 §2.4.
  public func fingerprint(_ algorithm: HashAlgorithm = .sha256) -> [UInt8] {
    algorithm.hash(der.input, in: der.range).array
  }
}

extension PublicKey {
  /// What the key is of which nothing is known but the name, and the section that defines it.
  package var unsupported: (name: String, citation: String?) {
    var reader = DERReader(der)
    do throws(DERError) {
      var info = try reader.read(.sequence, in: der.input)
      let identifier = try AlgorithmIdentifier(&info, in: der.input)
      switch (algorithm, identifier.parametersTag) {
      case (.x25519, nil), (.x448, nil): return ("\(self), which signs nothing", "RFC 8410 §3")
      case (.rsaEncryption, _): return ("RSA without the parameters NULL", "RFC 3279 §2.3.1")
      case (.ecPublicKey, .objectIdentifier):
        return ("EC on a curve that is not supported", "RFC 5480 §2.1.1")
      case (.ecPublicKey, let tag):
        let found = tag == .sequence ? "with explicit parameters instead of" : "without"
        return ("EC \(found) the name of a curve", "RFC 5480 §2.1.1")
      default: break
      }
    } catch {
      // It was read before.
    }
    return algorithm.unsupportedAlgorithm
  }
}

extension PublicKey: CustomStringConvertible {
  /// `RSA 2048 bits`, `EC P-256`.
  public var description: String {
    switch kind {
    case .rsa: "RSA \(bits ?? 0) bits"
    case .rsaPSS: "RSASSA-PSS \(bits ?? 0) bits"
    case .ec(let curve): "EC \(curve)"
    case .raw(let scheme): "\(scheme)"
    case .x25519: "X25519"
    case .x448: "X448"
    case .unknown: "unknown algorithm \(algorithm)"
    }
  }
}
