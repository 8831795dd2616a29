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

  /// Reads the outline first, then what the fields hold, in the order of RFC 5280 §4.1.
  init(_ der: [UInt8]) throws(CertificateError) {
    var findings: [Finding] = []
    var field = CertificateError.Field.certificate
    self.der = der
    do throws(DERError) {
      let outline = try CertificateOutline(der, &field)
      let fields = try TBSOutline(outline.tbs, in: der, &field, &findings)
      tbs = outline.tbs.rest(in: der)
      version = fields.version
      serialNumber = SerialNumber(octets: fields.serialNumber)
      serialNumber.appendFindings(to: &findings)
      notBefore = fields.notBefore
      notAfter = fields.notAfter
      issuerUniqueID = fields.issuerUniqueID
      subjectUniqueID = fields.subjectUniqueID
      signature = outline.signature

      field = .signature
      var cursor = fields.signature
      innerAlgorithm = try SignatureAlgorithm(&cursor, in: der, &findings)
      field = .issuer
      cursor = fields.issuer
      issuer = try DistinguishedName(&cursor, in: der, checksStrings: true, &findings)
      field = .subject
      cursor = fields.subject
      subject = try DistinguishedName(&cursor, in: der, checksStrings: true, &findings)
      field = .subjectPublicKeyInfo
      cursor = fields.subjectPublicKeyInfo
      publicKey = try PublicKey(&cursor, in: der, &findings)
      field = .extensions
      var extensions = Extensions()
      if var list = fields.extensions {
        try extensions.read(&list, in: der, &field, &findings)
      }
      self.extensions = extensions
      field = .signatureAlgorithm
      if outline.signatureAlgorithm.rest(in: der) == innerAlgorithm.der {
        outerAlgorithm = innerAlgorithm
      } else {
        cursor = outline.signatureAlgorithm
        outerAlgorithm = try SignatureAlgorithm(&cursor, in: der, &findings)
        findings.append(.signatureAlgorithmsDiffer)
      }
    } catch {
      throw CertificateError(field, error)
    }
    // RFC 5280 §4.2.1.6: without a subject, the alternative names are all there is to know.
    if subject.isEmpty, let names = extensions[.subjectAltName], !names.isCritical {
      throw CertificateError(
        .extension(.subjectAltName), .mustBeCritical, at: names.value.startIndex)
    }
    isSelfIssued = issuer.matches(subject)
    self.findings = findings
  }
}

extension SerialNumber {
  fileprivate func appendFindings(to findings: inout [Finding]) {
    if isNegative { findings.append(.serialNumberNegative) }
    if isZero { findings.append(.serialNumberZero) }
    if octets.count > 20 { findings.append(.serialNumberTooLong) }
  }
}
