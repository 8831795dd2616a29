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

  /// Reads a certificate whose serial number may have zeros before it that say nothing.
  ///
  /// Departs: X.690 §8.3.2. It is for suites whose certificates are so; BoringSSL has the same option.
  package init(derWithPaddedSerialNumber der: [UInt8]) throws(CertificateError) {
    storage = try CertificateStorage(der, takesPaddedSerialNumber: true)
  }

  /// The certificate as it stands.
  public var der: [UInt8] { storage.der }
  /// What is signed, as it stands.
  public var tbs: Octets { storage.outline.tbs.rest(in: der) }
  /// The version: 1, 2 or 3. RFC 5280 §4.1.2.1.
  public var version: Int { storage.fields.version }
  /// The serial number. RFC 5280 §4.1.2.2.
  public var serialNumber: SerialNumber {
    SerialNumber(octets: storage.fields.serialNumber.rest(in: der))
  }
  /// The signature algorithm inside what is signed. RFC 5280 §4.1.2.3.
  public var innerSignatureAlgorithm: SignatureAlgorithm {
    SignatureAlgorithm(storage.innerAlgorithm, in: der)
  }
  /// The issuer. RFC 5280 §4.1.2.4.
  public var issuer: DistinguishedName { DistinguishedName(storage.issuer, in: der) }
  /// The first moment of validity. RFC 5280 §4.1.2.5.
  public var notBefore: Timestamp { storage.fields.notBefore }
  /// The last moment of validity. RFC 5280 §4.1.2.5.
  public var notAfter: Timestamp { storage.fields.notAfter }
  /// The subject. RFC 5280 §4.1.2.6.
  public var subject: DistinguishedName { DistinguishedName(storage.subject, in: der) }
  /// The subject's public key. RFC 5280 §4.1.2.7.
  public var publicKey: PublicKey { PublicKey(storage.publicKey, in: der) }
  /// A unique identifier of the issuer, which RFC 5280 §4.1.2.8 advises against.
  public var issuerUniqueID: DERBitString? { bitString(storage.fields.issuerUniqueID) }
  /// A unique identifier of the subject, which RFC 5280 §4.1.2.8 advises against.
  public var subjectUniqueID: DERBitString? { bitString(storage.fields.subjectUniqueID) }
  /// The extensions; empty in versions 1 and 2. RFC 5280 §4.1.2.9.
  public var extensions: Extensions { Extensions(storage) }
  /// The signature algorithm beside the signature. RFC 5280 §4.1.1.2.
  public var signatureAlgorithm: SignatureAlgorithm {
    SignatureAlgorithm(storage.outerAlgorithm, in: der)
  }
  /// The signature. RFC 5280 §4.1.1.3.
  public var signature: Octets { storage.outline.signature.rest(in: der) }
  /// What is odd about the certificate, though it was read.
  public var findings: [Finding] { storage.findings }

  private func bitString(_ raw: RawBitString?) -> DERBitString? {
    raw.map { DERBitString(octets: $0.octets.rest(in: der), unusedBits: $0.unusedBits) }
  }

  /// Whether issuer and subject are the same name by RFC 5280 §7.1. Nothing is verified.
  public var isSelfIssued: Bool { storage.isSelfIssued }

  /// Whether a time lies between the two of the certificate, both included. Nothing else is asked.
  public func isCurrent(at time: Timestamp = .now) -> Bool {
    notBefore <= time && time <= notAfter
  }

  /// The digest of the DER.
  public func fingerprint(_ algorithm: HashAlgorithm = .sha256) -> [UInt8] {
    algorithm.hash(der).array
  }

  /// The SHA-256 of the DER in lower-case hexadecimal, as people compare certificates by eye.
  public var sha256: String { Hexadecimal.text(of: fingerprint()) }
}

extension Certificate: Hashable {
  /// Whether both are the same octets.
  public static func == (a: Certificate, b: Certificate) -> Bool {
    a.storage === b.storage || a.mark == b.mark && Octets(a.der) == Octets(b.der)
  }

  /// Feeds the signature to a hasher, which tells certificates apart.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(signature)
  }
}

/// What all copies of a certificate share: its octets and, as places in them, its fields.
///
/// Only the octets are counted references, so reading a certificate allocates once. Measured on a
/// leaf of 1.4 kB: a reference in every field takes three times as long.
@usableFromInline
final class CertificateStorage: Sendable {
  let der: [UInt8]
  let outline: CertificateOutline
  let fields: TBSOutline
  let innerAlgorithm: SignatureAlgorithm.Raw
  let issuer: RawName
  let subject: RawName
  let publicKey: RawPublicKey
  let extensions: ExtensionTable
  let outerAlgorithm: SignatureAlgorithm.Raw
  let findings: [Finding]
  let isSelfIssued: Bool
  /// See `Certificate.mark`.
  let mark: UInt64

  /// Reads the outline first, then what the fields hold, in the order of RFC 5280 §4.1.
  init(_ der: [UInt8], takesPaddedSerialNumber: Bool = false) throws(CertificateError) {
    var findings: [Finding] = []
    var field = FieldMark.certificate
    self.der = der
    do throws(DERError) {
      outline = try CertificateOutline(der, &field)
      fields = try TBSOutline(
        outline.tbs, in: der, takesPaddedSerialNumber: takesPaddedSerialNumber, &field, &findings)
      CertificateStorage.check(serialNumber: fields.serialNumber, in: der, &findings)

      field = .signature
      var cursor = fields.signature
      innerAlgorithm = try SignatureAlgorithm.Raw(&cursor, in: der, &findings)
      field = .issuer
      cursor = fields.issuer
      issuer = try RawName(&cursor, in: der, checksStrings: true, &findings)
      field = .subject
      cursor = fields.subject
      subject = try RawName(&cursor, in: der, checksStrings: true, &findings)
      field = .subjectPublicKeyInfo
      cursor = fields.subjectPublicKeyInfo
      publicKey = try RawPublicKey(&cursor, in: der, &findings)
      field = .extensions
      extensions = try ExtensionTable(fields.extensions, in: der, &field, &findings)
      field = .signatureAlgorithm
      if outline.signatureAlgorithm.equals(innerAlgorithm.whole, in: der) {
        outerAlgorithm = innerAlgorithm
      } else {
        cursor = outline.signatureAlgorithm
        outerAlgorithm = try SignatureAlgorithm.Raw(&cursor, in: der, &findings)
        findings.append(.signatureAlgorithmsDiffer)
      }
    } catch {
      throw CertificateError(field.field(in: der), error)
    }
    mark = DERCursor.word(at: max(outline.signature.end - 8, 0), in: der.span)
    isSelfIssued = RelativeNames.match(issuer.content, der, subject.content, der)
    self.findings = findings
  }

  private static func check(
    serialNumber: DERCursor, in input: [UInt8], _ findings: inout [Finding]
  ) {
    let first = input[serialNumber.position]
    if first >= 0x80 { findings.append(.serialNumberNegative) }
    if first == 0 && serialNumber.count == 1 { findings.append(.serialNumberZero) }
    if serialNumber.count > 20 { findings.append(.serialNumberTooLong) }
  }
}
