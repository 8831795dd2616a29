// `Timestamp`, `OID`, `Bytes` and the errors of the reader are part of what a certificate says, and
// so is the name of a hash function; a user of this module needs no second import for them.
@_exported public import HoldfastDER
@_exported public import HoldfastHashes

/// A certificate, parsed once and completely. RFC 5280 §4.1.
///
/// One that exists is strict DER throughout, its known extensions included, and none of its
/// properties can fail. Parsing verifies nothing: see `PathValidator`.
public struct Certificate: Sendable {
  let storage: CertificateStorage

  /// The most bytes that a certificate may have unless the caller says otherwise.
  public static let maximumSize = 64 << 10

  /// Reads a certificate from DER, which must be nothing but the certificate.
  ///
  /// - Parameter maximumSize: The most bytes that are taken.
  public init(
    der: some Collection<UInt8>, maximumSize: Int = Certificate.maximumSize
  ) throws(ParseError) {
    let der = Array(der)
    guard der.count <= maximumSize else {
      throw ParseError(.certificate, .tooLarge(limit: maximumSize))
    }
    storage = try CertificateStorage(der)
  }

  /// Reads a certificate whose serial number may have zeros before it that say nothing.
  ///
  /// Departs: X.690 §8.3.2. It is for suites whose certificates are so; BoringSSL has the same option.
  package init(derWithPaddedSerialNumber der: [UInt8]) throws(ParseError) {
    storage = try CertificateStorage(der, takesPaddedSerialNumber: true)
  }

  /// The bytes of the certificate.
  public var der: [UInt8] { storage.der }
  /// The bytes that are signed.
  public var tbs: Bytes { storage.outline.tbs.rest(in: der) }
  /// The version: 1, 2 or 3. RFC 5280 §4.1.2.1.
  public var version: Int { storage.outline.versionNumber }
  /// The serial number. RFC 5280 §4.1.2.2.
  public var serialNumber: SerialNumber {
    SerialNumber(storage.outline.serialNumber.rest(in: der))
  }
  /// The signature algorithm inside what is signed. RFC 5280 §4.1.2.3.
  package var innerSignatureAlgorithm: SignatureAlgorithm { storage.innerAlgorithm }
  /// The issuer. RFC 5280 §4.1.2.4.
  public var issuer: DistinguishedName { storage.issuer }
  /// The first moment of validity. RFC 5280 §4.1.2.5.
  public var notBefore: Timestamp { storage.outline.times.notBefore }
  /// The last moment of validity. RFC 5280 §4.1.2.5.
  public var notAfter: Timestamp { storage.outline.times.notAfter }
  /// The subject. RFC 5280 §4.1.2.6.
  public var subject: DistinguishedName { storage.subject }
  /// The subject's public key. RFC 5280 §4.1.2.7.
  public var publicKey: PublicKey { storage.publicKey }
  /// A unique identifier of the issuer, which RFC 5280 §4.1.2.8 advises against.
  package var issuerUniqueID: Bytes? { storage.outline.issuerUniqueID?.rest(in: der) }
  /// A unique identifier of the subject, which RFC 5280 §4.1.2.8 advises against.
  package var subjectUniqueID: Bytes? { storage.outline.subjectUniqueID?.rest(in: der) }
  /// The extensions; empty in versions 1 and 2. RFC 5280 §4.1.2.9.
  public var extensions: Extensions { storage.extensions }
  /// The signature algorithm beside the signature. RFC 5280 §4.1.1.2.
  public var signatureAlgorithm: SignatureAlgorithm { storage.outerAlgorithm }
  /// The signature. RFC 5280 §4.1.1.3.
  public var signature: Bytes { storage.outline.signatureValue.rest(in: der) }
  /// Deviations from the encoding rules that were accepted.
  public var deviations: [EncodingDeviation] { storage.deviations }

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

  /// The place of a field in the DER, header included; of the serial number and the signature the
  /// place of the content. nil if the certificate does not have the field.
  package func range(of field: ParseError.Field) -> Range<Int>? {
    guard case .extension(let oid) = field else { return storage.outline.range(of: field) }
    return extensions.indices.first { extensions[$0].oid == oid }
      .map { $0..<extensions.index(after: $0) }
  }

  /// The field in which a byte of the DER is; an extension rather than the list.
  package func field(at place: Int) -> ParseError.Field {
    let field = storage.outline.field(at: place)
    guard field == .extensions else { return field }
    return extensions.first { place < $0.value.endIndex }.map { .extension($0.oid) } ?? field
  }
}

extension Certificate: Hashable {
  /// Whether both are the same bytes.
  public static func == (a: Certificate, b: Certificate) -> Bool {
    a.storage === b.storage
      || a.signatureTail == b.signatureTail && Bytes(a.der) == Bytes(b.der)
  }

  /// Feeds the signature to a hasher, which tells certificates apart.
  public func hash(into hasher: inout Hasher) { hasher.combine(signature) }
}

extension Certificate: CustomStringConvertible {
  /// `CN=example.com,O=Example, serial number 5eed0003, EC P-256, 2026-01-01T00:00:00Z to …, by CN=…`.
  ///
  /// A certificate without a subject shows its alternative names in place of it.
  public var description: String {
    let names = extensions.subjectAlternativeNames
    let name = subject.isEmpty ? (names.isEmpty ? "(no subject)" : "\(names)") : "\(subject)"
    let issuer = isSelfIssued ? "itself" : "\(issuer)"
    return "\(name), serial number \(serialNumber), \(publicKey), \(notBefore) to \(notAfter), "
      + "by \(issuer)"
  }
}

/// What all copies of a certificate share: its bytes, the places of its fields and their values.
final class CertificateStorage: Sendable {
  let der: [UInt8]
  let outline: CertificateOutline
  let innerAlgorithm: SignatureAlgorithm
  let issuer: DistinguishedName
  let subject: DistinguishedName
  let publicKey: PublicKey
  let extensions: Extensions
  let outerAlgorithm: SignatureAlgorithm
  let deviations: [EncodingDeviation]
  let isSelfIssued: Bool
  /// See `Certificate.signatureTail`.
  let signatureTail: UInt64

  /// Reads the outline first, then what the fields hold, in the order of RFC 5280 §4.1.
  init(_ der: [UInt8], takesPaddedSerialNumber: Bool = false) throws(ParseError) {
    var deviations: [EncodingDeviation] = []
    var field = ParseError.Field.structure
    self.der = der
    do throws(DERError) {
      outline = try CertificateOutline(
        der, takesPaddedSerialNumber: takesPaddedSerialNumber, &field, &deviations)
      SerialNumber.check(outline.serialNumber, in: der, &deviations)

      field = .signature
      var reader = outline.signature
      innerAlgorithm = try SignatureAlgorithm(&reader, in: der, &deviations)
      field = .issuer
      reader = outline.issuer
      issuer = try DistinguishedName(&reader, in: der, &deviations)
      field = .subject
      reader = outline.subject
      subject = try DistinguishedName(&reader, in: der, &deviations)
      field = .subjectPublicKeyInfo
      reader = outline.publicKey
      publicKey = try PublicKey(&reader, in: der, &deviations)
      field = .extensions
      extensions = try Extensions(outline.extensions, in: der, &field, &deviations)
      field = .signatureAlgorithm
      if outline.signatureAlgorithm.equals(outline.signature, in: der) {
        outerAlgorithm = innerAlgorithm
      } else {
        reader = outline.signatureAlgorithm
        outerAlgorithm = try SignatureAlgorithm(&reader, in: der, &deviations)
        deviations.append(.signatureAlgorithmsDiffer)
      }
    } catch {
      throw ParseError(.certificate, field, error, reading: der)
    }
    signatureTail = DERReader.word(at: max(outline.signatureValue.end - 8, 0), in: der.span)
    isSelfIssued = issuer.matches(subject)
    self.deviations = deviations
  }
}

/// The serial number of a certificate, as the bytes of its INTEGER.
///
/// It identifies, it does not count: two are equal when their bytes are. RFC 5280 §4.1.2.2 wants a
/// positive number of at most 20 bytes; others are read, with a deviation noted.
public struct SerialNumber: Sendable, Hashable {
  /// The two's complement in the fewest bytes.
  public let bytes: Bytes

  /// A number from the content of its INTEGER.
  init(_ bytes: Bytes) { self.bytes = bytes }

  /// A number from its two's complement, from which bytes that say nothing are dropped.
  public init(_ bytes: some Collection<UInt8>) {
    var bytes = bytes.isEmpty ? [0] : Array(bytes)
    while bytes.count > 1,
      bytes[0] == 0 && bytes[1] < 0x80 || bytes[0] == 0xFF && bytes[1] >= 0x80
    {
      bytes.removeFirst()
    }
    self.bytes = Bytes(bytes)
  }

  /// Whether the number is below zero.
  package var isNegative: Bool { (bytes.first ?? 0) >= 0x80 }

  /// Whether the number is zero.
  package var isZero: Bool { bytes.count == 1 && bytes.first == 0 }

  /// Notes what RFC 5280 §4.1.2.2 forbids.
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
