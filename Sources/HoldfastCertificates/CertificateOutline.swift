internal import HoldfastDER

/// The three parts of a certificate, not yet looked into. RFC 5280 §4.1.
struct CertificateOutline {
  let tbs: DERCursor
  let signatureAlgorithm: DERCursor
  let signature: DERCursor

  init(_ input: borrowing [UInt8], _ field: inout FieldMark) throws(DERError) {
    field = .certificate
    var reader = DERCursor(input)
    var certificate = try reader.read(.sequence, in: input)
    try reader.finish()
    field = .tbsCertificate
    tbs = try certificate.skip(.sequence, in: input)
    field = .signatureAlgorithm
    signatureAlgorithm = try certificate.skip(.sequence, in: input)
    field = .signatureValue
    let bits = try certificate.readRawBitString(in: input)
    guard bits.unusedBits == 0 else {
      throw DERError(.badBitString, at: bits.octets.position &- 1)
    }
    signature = bits.octets
    field = .certificate
    try certificate.finish()
  }
}

/// The fields of what is signed, in their order; names, key and extensions not yet looked into.
/// RFC 5280 §4.1.2.
struct TBSOutline {
  let version: Int
  let serialNumber: DERCursor
  let signature: DERCursor
  let issuer: DERCursor
  let notBefore: Timestamp
  let notAfter: Timestamp
  let subject: DERCursor
  let subjectPublicKeyInfo: DERCursor
  let issuerUniqueID: RawBitString?
  let subjectUniqueID: RawBitString?
  /// The content of the `[3]`.
  let extensions: DERCursor?

  init(
    _ tbs: DERCursor, in input: borrowing [UInt8], takesPaddedSerialNumber: Bool = false,
    _ field: inout FieldMark, _ findings: inout [Finding]
  ) throws(DERError) {
    field = .tbsCertificate
    var reader = tbs
    var fields = try reader.read(.sequence, in: input)
    try reader.finish()
    field = .version
    version = try TBSOutline.readVersion(&fields, in: input)
    field = .serialNumber
    serialNumber =
      takesPaddedSerialNumber
      ? try fields.read(.integer, in: input) : try fields.readIntegerCursor(.integer, in: input)
    field = .signature
    signature = try fields.skip(.sequence, in: input)
    field = .issuer
    issuer = try fields.skip(.sequence, in: input)
    field = .validity
    var validity = try fields.read(.sequence, in: input)
    notBefore = try TBSOutline.readTime(&validity, in: input, &findings)
    notAfter = try TBSOutline.readTime(&validity, in: input, &findings)
    try validity.finish()
    field = .subject
    subject = try fields.skip(.sequence, in: input)
    field = .subjectPublicKeyInfo
    subjectPublicKeyInfo = try fields.skip(.sequence, in: input)
    field = .issuerUniqueID
    issuerUniqueID = try TBSOutline.readUniqueID(.context(1), &fields, in: input, version)
    field = .subjectUniqueID
    subjectUniqueID = try TBSOutline.readUniqueID(.context(2), &fields, in: input, version)
    field = .extensions
    extensions = try TBSOutline.readExtensions(&fields, in: input, version)
    field = .tbsCertificate
    try fields.finish()
  }

  /// RFC 5280 §4.1.2.1: absent means 1, and so 1 must be absent.
  private static func readVersion(_ fields: inout DERCursor, in input: [UInt8]) throws(DERError)
    -> Int
  {
    guard var wrapper = try fields.readIfPresent(.constructedContext(0), in: input) else {
      return 1
    }
    let start = wrapper.position
    let value = try wrapper.readUInt64(in: input)
    try wrapper.finish()
    switch value {
    case 0: throw DERError(.encodedDefault, at: start)
    case 1, 2: return Int(value) + 1
    default: throw DERError(.badValue, at: start)
    }
  }

  private static func readTime(
    _ validity: inout DERCursor, in input: [UInt8], _ findings: inout [Finding]
  ) throws(DERError) -> Timestamp {
    let start = validity.position
    let tag = validity.nextTag(in: input)
    let time = try validity.readTime(in: input)
    // The first second of 2050.
    if tag == .generalizedTime && time.secondsSince1970 < 2_524_608_000 {
      findings.append(.generalizedTimeBefore2050(at: start))
    }
    return time
  }

  private static func readUniqueID(
    _ tag: DERTag, _ fields: inout DERCursor, in input: [UInt8], _ version: Int
  ) throws(DERError) -> RawBitString? {
    guard fields.nextTag(in: input) == tag else { return nil }
    guard version >= 2 else { throw DERError(.notInThisVersion, at: fields.position) }
    return try fields.readRawBitString(tag, in: input)
  }

  private static func readExtensions(
    _ fields: inout DERCursor, in input: [UInt8], _ version: Int
  ) throws(DERError) -> DERCursor? {
    let start = fields.position
    guard let wrapper = try fields.readIfPresent(.constructedContext(3), in: input) else {
      return nil
    }
    guard version == 3 else { throw DERError(.notInThisVersion, at: start) }
    return wrapper
  }
}

/// A BIT STRING as it is read, without a reference to the input.
typealias RawBitString = (octets: DERCursor, unusedBits: Int)

/// The field that is being read: `CertificateError.Field` without references.
enum FieldMark {
  case certificate
  case tbsCertificate
  case version
  case serialNumber
  case signature
  case issuer
  case validity
  case subject
  case subjectPublicKeyInfo
  case issuerUniqueID
  case subjectUniqueID
  case extensions
  case `extension`(OID)
  case signatureAlgorithm
  case signatureValue

  /// The field for users.
  func field(in input: [UInt8]) -> CertificateError.Field {
    switch self {
    case .certificate: .certificate
    case .tbsCertificate: .tbsCertificate
    case .version: .version
    case .serialNumber: .serialNumber
    case .signature: .signature
    case .issuer: .issuer
    case .validity: .validity
    case .subject: .subject
    case .subjectPublicKeyInfo: .subjectPublicKeyInfo
    case .issuerUniqueID: .issuerUniqueID
    case .subjectUniqueID: .subjectUniqueID
    case .extensions: .extensions
    case .extension(let oid): .extension(oid)
    case .signatureAlgorithm: .signatureAlgorithm
    case .signatureValue: .signatureValue
    }
  }
}
