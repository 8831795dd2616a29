public import HoldfastDER
public import HoldfastHashes

/// A certificate, read once and to the last octet. RFC 5280 §4.1.
///
/// One that exists is strict DER throughout, its known extensions included, and none of its
/// properties can fail. It says what stands there and vouches for nothing: see `PathValidator`.
public struct Certificate: Sendable {
  @usableFromInline let storage: CertificateStorage

  /// The most octets that a certificate may have unless the caller says otherwise.
  public static let largestByDefault = 64 << 10

  /// Reads a certificate from DER, which must be nothing but the certificate.
  ///
  /// - Parameter largest: The most octets that are taken.
  public init(
    der: [UInt8], largest: Int = Certificate.largestByDefault
  ) throws(CertificateError) {
    guard der.count <= largest else {
      throw CertificateError(.certificate, .tooLarge(limit: largest), at: 0)
    }
    storage = try CertificateStorage(der)
  }

  /// The certificate as it stands.
  @inlinable public var der: [UInt8] { storage.der }
  /// What is signed, as it stands.
  @inlinable public var tbs: Octets { storage.tbs }
  /// The version: 1, 2 or 3. RFC 5280 §4.1.2.1.
  @inlinable public var version: Int { storage.version }
  /// The serial number. RFC 5280 §4.1.2.2.
  @inlinable public var serialNumber: SerialNumber { storage.serialNumber }
  /// The signature algorithm inside what is signed. RFC 5280 §4.1.2.3.
  @inlinable public var innerSignatureAlgorithm: SignatureAlgorithm { storage.innerAlgorithm }
  /// The issuer. RFC 5280 §4.1.2.4.
  @inlinable public var issuer: DistinguishedName { storage.issuer }
  /// The first moment of validity. RFC 5280 §4.1.2.5.
  @inlinable public var notBefore: Timestamp { storage.notBefore }
  /// The last moment of validity. RFC 5280 §4.1.2.5.
  @inlinable public var notAfter: Timestamp { storage.notAfter }
  /// The subject. RFC 5280 §4.1.2.6.
  @inlinable public var subject: DistinguishedName { storage.subject }
  /// The subject's public key. RFC 5280 §4.1.2.7.
  @inlinable public var publicKey: PublicKey { storage.publicKey }
  /// A unique identifier of the issuer, which RFC 5280 §4.1.2.8 advises against.
  public var issuerUniqueID: DERBitString? { storage.issuerUniqueID }
  /// A unique identifier of the subject, which RFC 5280 §4.1.2.8 advises against.
  public var subjectUniqueID: DERBitString? { storage.subjectUniqueID }
  /// The extensions; empty in versions 1 and 2. RFC 5280 §4.1.2.9.
  @inlinable public var extensions: Extensions { storage.extensions }
  /// The signature algorithm beside the signature. RFC 5280 §4.1.1.2.
  @inlinable public var signatureAlgorithm: SignatureAlgorithm { storage.outerAlgorithm }
  /// The signature. RFC 5280 §4.1.1.3.
  @inlinable public var signature: Octets { storage.signature }
  /// What is odd about the certificate, though it was read.
  @inlinable public var findings: [Finding] { storage.findings }

  /// Whether issuer and subject are the same name by RFC 5280 §7.1. Nothing is verified.
  public var isSelfIssued: Bool { storage.isSelfIssued }

  /// The digest of the DER.
  public func fingerprint(_ algorithm: HashAlgorithm = .sha256) -> [UInt8] {
    algorithm.hash(der).array
  }
}

extension Certificate: Hashable {
  /// Whether both are the same octets.
  public static func == (a: Certificate, b: Certificate) -> Bool {
    a.storage === b.storage || Octets(a.der) == Octets(b.der)
  }

  /// Feeds the signature to a hasher, which tells certificates apart.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(signature)
  }
}

/// What all copies of a certificate share.
@usableFromInline
final class CertificateStorage: Sendable {
  @usableFromInline let der: [UInt8]
  @usableFromInline let tbs: Octets
  @usableFromInline let version: Int
  @usableFromInline let serialNumber: SerialNumber
  @usableFromInline let innerAlgorithm: SignatureAlgorithm
  @usableFromInline let issuer: DistinguishedName
  @usableFromInline let notBefore: Timestamp
  @usableFromInline let notAfter: Timestamp
  @usableFromInline let subject: DistinguishedName
  @usableFromInline let publicKey: PublicKey
  @usableFromInline let issuerUniqueID: DERBitString?
  @usableFromInline let subjectUniqueID: DERBitString?
  @usableFromInline let extensions: Extensions
  @usableFromInline let outerAlgorithm: SignatureAlgorithm
  @usableFromInline let signature: Octets
  @usableFromInline let findings: [Finding]
  let isSelfIssued: Bool

  /// Reads the fields in the order of RFC 5280 §4.1.
  init(_ der: [UInt8]) throws(CertificateError) {
    var findings: [Finding] = []
    var field = CertificateError.Field.certificate
    self.der = der
    do throws(DERError) {
      var reader = DERReader(der)
      var certificate = try reader.read(.sequence)
      try reader.finish()

      field = .tbsCertificate
      let tbsStart = certificate.offset
      var fields = try certificate.read(.sequence)
      tbs = certificate.octets(from: tbsStart)
      field = .version
      version = try CertificateStorage.readVersion(&fields)
      field = .serialNumber
      serialNumber = SerialNumber(octets: try fields.readInteger())
      serialNumber.appendFindings(to: &findings)
      field = .signature
      innerAlgorithm = try SignatureAlgorithm(&fields, &findings)
      field = .issuer
      issuer = try DistinguishedName(&fields, &findings)
      field = .validity
      var validity = try fields.read(.sequence)
      notBefore = try CertificateStorage.readTime(&validity, &findings)
      notAfter = try CertificateStorage.readTime(&validity, &findings)
      try validity.finish()
      field = .subject
      subject = try DistinguishedName(&fields, &findings)
      field = .subjectPublicKeyInfo
      publicKey = try PublicKey(&fields, &findings)

      field = .issuerUniqueID
      issuerUniqueID = try CertificateStorage.readUniqueID(.context(1), &fields, version)
      field = .subjectUniqueID
      subjectUniqueID = try CertificateStorage.readUniqueID(.context(2), &fields, version)
      field = .extensions
      extensions = try CertificateStorage.readExtensions(&fields, version, &field, &findings)
      field = .tbsCertificate
      try fields.finish()

      field = .signatureAlgorithm
      // The same oddity was found inside already.
      var again: [Finding] = []
      outerAlgorithm = try SignatureAlgorithm(&certificate, &again)
      if outerAlgorithm.der != innerAlgorithm.der {
        findings += again
        findings.append(.signatureAlgorithmsDiffer)
      }
      field = .signatureValue
      signature = try certificate.readBitStringOfOctets()
      field = .certificate
      try certificate.finish()
    } catch {
      throw CertificateError(field, error)
    }
    isSelfIssued = issuer.matches(subject)
    self.findings = findings
  }
}

extension CertificateStorage {
  /// RFC 5280 §4.1.2.1: absent means 1, and so 1 must be absent.
  private static func readVersion(_ fields: inout DERReader) throws(DERError) -> Int {
    guard var wrapper = try fields.readIfPresent(.constructedContext(0)) else { return 1 }
    let start = wrapper.offset
    let value = try wrapper.readUInt64()
    try wrapper.finish()
    switch value {
    case 0: throw DERError(.encodedDefault, at: start)
    case 1, 2: return Int(value) + 1
    default: throw DERError(.badValue, at: start)
    }
  }

  private static func readTime(
    _ validity: inout DERReader, _ findings: inout [Finding]
  ) throws(DERError) -> Timestamp {
    let start = validity.offset
    let tag = validity.nextTag
    let time = try validity.readTime()
    // The first second of 2050.
    if tag == .generalizedTime && time.secondsSince1970 < 2_524_608_000 {
      findings.append(.generalizedTimeBefore2050(at: start))
    }
    return time
  }

  private static func readUniqueID(
    _ tag: DERTag, _ fields: inout DERReader, _ version: Int
  ) throws(DERError) -> DERBitString? {
    guard fields.nextTag == tag else { return nil }
    guard version >= 2 else { throw DERError(.notInThisVersion, at: fields.offset) }
    return try fields.readBitString(tag)
  }

  private static func readExtensions(
    _ fields: inout DERReader, _ version: Int, _ field: inout CertificateError.Field,
    _ findings: inout [Finding]
  ) throws(DERError) -> Extensions {
    let start = fields.offset
    guard var wrapper = try fields.readIfPresent(.constructedContext(3)) else {
      return Extensions()
    }
    guard version == 3 else { throw DERError(.notInThisVersion, at: start) }
    return try Extensions(&wrapper, &field, &findings)
  }
}

extension SerialNumber {
  fileprivate func appendFindings(to findings: inout [Finding]) {
    if isNegative { findings.append(.serialNumberNegative) }
    if isZero { findings.append(.serialNumberZero) }
    if octets.count > 20 { findings.append(.serialNumberTooLong) }
  }
}
