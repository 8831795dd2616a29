// Certificates use `Timestamp`, `OID`, `Bytes`, the reader's errors and the names of hash functions
// in their interface, so users of this module get both modules without a second import.
@_exported public import HoldfastDER
@_exported public import HoldfastHashes

/// A certificate, parsed once and completely. RFC 5280 §4.1.
///
/// Every value is strict DER throughout, including its known extensions, so no property can fail.
/// Parsing verifies nothing: see `PathValidator`.
public struct Certificate: Sendable {
  @usableFromInline let storage: CertificateStorage

  /// The default limit on the size of a certificate, in bytes.
  public static let maximumSize = 64 << 10

  /// Parses a certificate from DER; throws if other bytes follow it.
  ///
  /// - Parameter maximumSize: The maximum size in bytes.
  public init(
    der: some Collection<UInt8>, maximumSize: Int = Certificate.maximumSize
  ) throws(ParseError) {
    storage = try .read(DERContent.certificate.bytes(of: der, limit: maximumSize))
  }

  /// The certificate that was parsed before.
  init(_ storage: CertificateStorage) { self.storage = storage }

  /// The certificate in DER.
  @inlinable public var der: [UInt8] { storage.der }
  /// The signed bytes, TBSCertificate.
  public var tbs: Bytes { storage.outline.tbs.rest(in: der) }
  /// The version: 1, 2 or 3. RFC 5280 §4.1.2.1.
  public var version: Int { storage.outline.versionNumber }
  /// The serial number. RFC 5280 §4.1.2.2.
  public var serialNumber: SerialNumber {
    SerialNumber(storage.outline.serialNumber.rest(in: der))
  }
  /// The signature algorithm in the signed part. RFC 5280 §4.1.2.3.
  package var innerSignatureAlgorithm: SignatureAlgorithm { storage.innerAlgorithm }
  /// The issuer. RFC 5280 §4.1.2.4.
  public var issuer: DistinguishedName {
    DistinguishedName(storage.issuer, of: storage.outline.issuer, in: der)
  }
  /// The first moment of validity. RFC 5280 §4.1.2.5.
  public var notBefore: Timestamp { storage.outline.times.notBefore }
  /// The last moment of validity. RFC 5280 §4.1.2.5.
  public var notAfter: Timestamp { storage.outline.times.notAfter }
  /// The subject. RFC 5280 §4.1.2.6.
  public var subject: DistinguishedName {
    DistinguishedName(storage.subject, of: storage.outline.subject, in: der)
  }
  /// The subject's public key. RFC 5280 §4.1.2.7.
  @inlinable public var publicKey: PublicKey { storage.publicKey }
  /// A unique identifier of the issuer, which RFC 5280 §4.1.2.8 advises against.
  package var issuerUniqueID: Bytes? { storage.outline.issuerUniqueID?.rest(in: der) }
  /// A unique identifier of the subject, which RFC 5280 §4.1.2.8 advises against.
  package var subjectUniqueID: Bytes? { storage.outline.subjectUniqueID?.rest(in: der) }
  /// The extensions; empty in versions 1 and 2. RFC 5280 §4.1.2.9.
  @inlinable public var extensions: Extensions { storage.extensions }
  /// The signature algorithm outside the signed part. RFC 5280 §4.1.1.2.
  public var signatureAlgorithm: SignatureAlgorithm { storage.outerAlgorithm }
  /// The signature. RFC 5280 §4.1.1.3.
  public var signature: Bytes { storage.outline.signatureValue.rest(in: der) }
  /// Deviations from the encoding rules that were accepted.
  @inlinable public var deviations: [EncodingDeviation] { storage.deviations }

  /// All names for which the certificate is valid. RFC 5280 §4.2.1.6.
  public var subjectAlternativeNames: GeneralNames { extensions.subjectAlternativeNames }
  /// The DNS names for which the certificate is valid, and patterns such as `*.example.com`, as
  /// text. `PathValidator` compares their bytes. RFC 5280 §4.2.1.6.
  public var dnsNames: [String] {
    extensions.subjectAlternativeNames.compactMap {
      if case .dns(let text) = $0 { "\(text)" } else { nil }
    }
  }
  /// The IP addresses for which the certificate is valid. RFC 5280 §4.2.1.6.
  public var ipAddresses: [IPAddress] {
    extensions.subjectAlternativeNames.compactMap {
      if case .ip(let address) = $0 { address } else { nil }
    }
  }
  /// The e-mail addresses for which the certificate is valid, as text. RFC 5280 §4.2.1.6.
  public var emailAddresses: [String] {
    extensions.subjectAlternativeNames.compactMap {
      if case .email(let text) = $0 { "\(text)" } else { nil }
    }
  }

  /// A name in a certificate that no path vouches for proves nothing.
  @available(
    *, unavailable,
    message: "a name proves nothing by itself: validate(chain, for: .server(host)) of PathValidator"
  )
  public func isValid(for host: String) -> Bool { false }

  /// Whether issuer and subject match by RFC 5280 §7.1. The signature is not verified.
  @inlinable public var isSelfIssued: Bool { storage.isSelfIssued }

  /// Whether the basic constraints say that it is a CA's.
  package var isCA: Bool { extensions.basicConstraints?.isCA == true }

  /// Whether a time is within the validity period, both ends included. Checks nothing else.
  public func isCurrent(at time: Timestamp = .now) -> Bool {
    notBefore <= time && time <= notAfter
  }

  /// Returns the digest of the DER.
  public func fingerprint(_ algorithm: HashAlgorithm = .sha256) -> [UInt8] {
    algorithm.hash(der).array
  }

  /// The SHA-256 of the DER in lower-case hexadecimal, for comparison by eye.
  public var sha256: String { Hexadecimal.text(of: fingerprint()) }

  /// Returns the range of a field in the DER, header included; for the serial number and the
  /// signature, the range of the content. Returns nil if the field is absent.
  package func range(of field: ParseError.Field) -> Range<Int>? {
    guard case .extension(let oid) = field else { return storage.outline.range(of: field) }
    return extensions.indices.first { extensions[$0].oid == oid }
      .map { $0..<extensions.index(after: $0) }
  }

  /// Returns the field at a byte of the DER: for an extension, that extension, not the list.
  package func field(at offset: Int) -> ParseError.Field {
    let field = storage.outline.field(at: offset)
    guard field == .extensions else { return field }
    return extensions.first { offset < $0.value.endIndex }.map { .extension($0.oid) } ?? field
  }
}

extension Certificate: Hashable {
  /// Whether the DER of both certificates is the same.
  public static func == (a: Certificate, b: Certificate) -> Bool {
    a.storage === b.storage
      || a.signatureTail == b.signatureTail && Bytes(a.der) == Bytes(b.der)
  }

  /// Hashes the DER: an unverified signature may be that of many certificates.
  public func hash(into hasher: inout Hasher) { hasher.combine(Bytes(der)) }
}

extension Certificate: CustomStringConvertible {
  /// `CN=example.com,O=Example, serial number 5eed0003, EC P-256, 2026-01-01T00:00:00Z to …, by
  /// CN=…`.
  ///
  /// A certificate with an empty subject shows its alternative names instead.
  public var description: String {
    let names = extensions.subjectAlternativeNames
    let name = subject.isEmpty ? (names.isEmpty ? "(no subject)" : "\(names)") : "\(subject)"
    let issuer = isSelfIssued ? "itself" : "\(issuer)"
    return "\(name), serial number \(serialNumber), \(publicKey), \(notBefore) to \(notAfter), "
      + "by \(issuer)"
  }
}

/// The storage shared by all copies of a certificate: bytes, field ranges and field values.
@usableFromInline
final class CertificateStorage: Sendable {
  @usableFromInline let der: [UInt8]
  let outline: CertificateOutline
  let innerAlgorithm: SignatureAlgorithm
  /// The relative names of issuer and subject.
  let issuer: DERReader
  let subject: DERReader
  @usableFromInline let publicKey: PublicKey
  @usableFromInline let extensions: Extensions
  /// The outer signature algorithm, if it differs from the inner one.
  let differingAlgorithm: SignatureAlgorithm?
  @usableFromInline let deviations: [EncodingDeviation]
  @usableFromInline let isSelfIssued: Bool
  /// See `Certificate.signatureTail`.
  @usableFromInline let signatureTail: UInt64

  /// Reads the outline first, then the contents of the fields, in the order of RFC 5280 §4.1.
  ///
  /// Embedded Swift does not free an object whose initializer throws.
  static func read(_ der: [UInt8]) throws(ParseError) -> CertificateStorage {
    var deviations: [EncodingDeviation] = []
    var field = ParseError.Field.structure
    do throws(DERError) {
      let outline = try CertificateOutline(der, &field, &deviations)
      SerialNumber.check(outline.serialNumber, in: der, &deviations)

      field = .signature
      var reader = outline.signature
      let innerAlgorithm = try SignatureAlgorithm(&reader, in: der, &deviations)
      field = .issuer
      reader = outline.issuer
      let issuer = try DistinguishedName.readContent(&reader, in: der, &deviations)
      field = .subject
      reader = outline.subject
      let subject = try DistinguishedName.readContent(&reader, in: der, &deviations)
      field = .subjectPublicKeyInfo
      reader = outline.publicKey
      let publicKey = try PublicKey(&reader, in: der, &deviations)
      field = .extensions
      let extensions = try Extensions(outline.extensions, in: der, &field, &deviations)
      field = .signatureAlgorithm
      var differingAlgorithm: SignatureAlgorithm?
      if !outline.signatureAlgorithm.equals(outline.signature, in: der) {
        reader = outline.signatureAlgorithm
        differingAlgorithm = try SignatureAlgorithm(&reader, in: der, &deviations)
        deviations.append(.signatureAlgorithmsDiffer)
      }
      return CertificateStorage(
        der, outline, innerAlgorithm, issuer: issuer, subject: subject, publicKey, extensions,
        differingAlgorithm, deviations)
    } catch {
      throw ParseError(.certificate, field, error, reading: der)
    }
  }

  private init(
    _ der: [UInt8], _ outline: CertificateOutline, _ innerAlgorithm: SignatureAlgorithm,
    issuer: DERReader, subject: DERReader, _ publicKey: PublicKey, _ extensions: Extensions,
    _ differingAlgorithm: SignatureAlgorithm?, _ deviations: [EncodingDeviation]
  ) {
    (self.der, self.outline, self.innerAlgorithm) = (der, outline, innerAlgorithm)
    (self.issuer, self.subject, self.publicKey) = (issuer, subject, publicKey)
    (self.extensions, self.differingAlgorithm) = (extensions, differingAlgorithm)
    self.deviations = deviations
    signatureTail = DERReader.word(at: max(outline.signatureValue.end - 8, 0), in: der.span)
    isSelfIssued = RelativeNames(issuer, in: der).matches(RelativeNames(subject, in: der))
  }

  var outerAlgorithm: SignatureAlgorithm { differingAlgorithm ?? innerAlgorithm }
  var issuerNames: RelativeNames { RelativeNames(issuer, in: der) }
  var subjectNames: RelativeNames { RelativeNames(subject, in: der) }
}

/// The serial number of a certificate, as the bytes of its INTEGER.
///
/// It is an identifier: two serial numbers are equal if their bytes are. RFC 5280 §4.1.2.2 requires
/// a positive number of at most 20 bytes; others are accepted with a deviation.
public struct SerialNumber: Sendable, Hashable {
  /// The minimal two's complement encoding.
  public let bytes: Bytes

  /// Creates a serial number from the content of its INTEGER.
  init(_ bytes: Bytes) { self.bytes = bytes }

  /// Creates a serial number from its two's complement, removing redundant leading bytes.
  ///
  /// - Parameter bytes: The bytes, the most significant first. The first bit is the sign, so a
  ///   positive number may need a leading zero byte. An empty collection means 0.
  public init(_ bytes: some Collection<UInt8>) {
    var bytes = bytes.isEmpty ? [0] : Array(bytes)
    while bytes.count > 1,
      bytes[0] == 0 && bytes[1] < 0x80 || bytes[0] == 0xFF && bytes[1] >= 0x80
    {
      bytes.removeFirst()
    }
    self.bytes = Bytes(bytes)
  }

  /// Whether the number is negative.
  package var isNegative: Bool { (bytes.first ?? 0) >= 0x80 }

  /// Whether the number is zero.
  package var isZero: Bool { bytes.count == 1 && bytes.first == 0 }

  /// Records violations of RFC 5280 §4.1.2.2 as deviations.
  static func check(
    _ content: DERReader, in input: [UInt8], _ deviations: inout [EncodingDeviation]
  ) {
    guard content.count > 0 else { return }
    let first = input[content.position]
    if first >= 0x80 { deviations.append(.serialNumberNegative) }
    if first == 0 && content.count == 1 { deviations.append(.serialNumberZero) }
    if content.count > 20 { deviations.append(.serialNumberTooLong) }
  }
}

extension SerialNumber: CustomStringConvertible {
  /// The bytes in lower-case hexadecimal, without the leading zero byte of a positive number.
  public var description: String {
    let isPadded = bytes.count > 1 && bytes.first == 0
    return Hexadecimal.text(of: isPadded ? bytes.dropFirst() : bytes[...])
  }
}
