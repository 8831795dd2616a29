internal import HoldfastDER

/// The three parts of a certificate, not yet looked into. RFC 5280 §4.1.
struct CertificateOutline {
  let tbs: Octets
  let signatureAlgorithm: Octets
  let signature: Octets

  init(_ der: [UInt8], _ field: inout CertificateError.Field) throws(DERError) {
    field = .certificate
    var reader = DERReader(der)
    var certificate = try reader.read(.sequence)
    try reader.finish()
    field = .tbsCertificate
    tbs = try certificate.readWhole(.sequence)
    field = .signatureAlgorithm
    signatureAlgorithm = try certificate.readWhole(.sequence)
    field = .signatureValue
    signature = try certificate.readBitStringOfOctets()
    field = .certificate
    try certificate.finish()
  }
}

/// The fields of what is signed, in their order; names, key and extensions not yet looked into.
/// RFC 5280 §4.1.2.
struct TBSOutline {
  let version: Int
  let serialNumber: Octets
  let signature: Octets
  let issuer: Octets
  let notBefore: Timestamp
  let notAfter: Timestamp
  let subject: Octets
  let subjectPublicKeyInfo: Octets
  let issuerUniqueID: DERBitString?
  let subjectUniqueID: DERBitString?
  /// The content of the `[3]`.
  let extensions: Octets?

  init(
    _ tbs: Octets, _ field: inout CertificateError.Field, _ findings: inout [Finding]
  ) throws(DERError) {
    field = .tbsCertificate
    var reader = DERReader(tbs)
    var fields = try reader.read(.sequence)
    try reader.finish()
    field = .version
    version = try TBSOutline.readVersion(&fields)
    field = .serialNumber
    serialNumber = try fields.readInteger()
    field = .signature
    signature = try fields.readWhole(.sequence)
    field = .issuer
    issuer = try fields.readWhole(.sequence)
    field = .validity
    var validity = try fields.read(.sequence)
    notBefore = try TBSOutline.readTime(&validity, &findings)
    notAfter = try TBSOutline.readTime(&validity, &findings)
    try validity.finish()
    field = .subject
    subject = try fields.readWhole(.sequence)
    field = .subjectPublicKeyInfo
    subjectPublicKeyInfo = try fields.readWhole(.sequence)
    field = .issuerUniqueID
    issuerUniqueID = try TBSOutline.readUniqueID(.context(1), &fields, version)
    field = .subjectUniqueID
    subjectUniqueID = try TBSOutline.readUniqueID(.context(2), &fields, version)
    field = .extensions
    extensions = try TBSOutline.readExtensions(&fields, version)
    field = .tbsCertificate
    try fields.finish()
  }

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
    _ fields: inout DERReader, _ version: Int
  ) throws(DERError) -> Octets? {
    let start = fields.offset
    guard let wrapper = try fields.readIfPresent(.constructedContext(3)) else { return nil }
    guard version == 3 else { throw DERError(.notInThisVersion, at: start) }
    return wrapper.rest
  }
}
