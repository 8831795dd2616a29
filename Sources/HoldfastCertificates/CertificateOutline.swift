internal import HoldfastDER

/// The ranges of the fields of a certificate; only version and times are parsed. RFC 5280 §4.1.
struct CertificateOutline {
  let tbs: DERReader
  /// The `[0]`; empty if absent.
  let version: DERReader
  let versionNumber: Int
  /// The content of the INTEGER.
  let serialNumber: DERReader
  let signature: DERReader
  let issuer: DERReader
  let validity: DERReader
  let notBefore: DERReader
  let notAfter: DERReader
  let times: (notBefore: Timestamp, notAfter: Timestamp)
  let subject: DERReader
  let publicKey: DERReader
  /// The bytes of the BIT STRINGs.
  let issuerUniqueID: DERReader?
  let subjectUniqueID: DERReader?
  /// The content of the `[3]`.
  let extensions: DERReader?
  let signatureAlgorithm: DERReader
  /// The content of the BIT STRING.
  let signatureValue: DERReader

  init(
    _ input: [UInt8], _ field: inout ParseError.Field, _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    (tbs, signatureAlgorithm, signatureValue) = try DERReader.readSigned(input, &field)
    field = .tbs
    var reader = tbs
    var fields = try reader.read(.sequence, in: input)
    try reader.finish()
    field = .version
    (version, versionNumber) = try CertificateOutline.readVersion(&fields, in: input)
    field = .serialNumber
    serialNumber = try fields.readInteger(in: input)
    field = .signature
    signature = try fields.skip(.sequence, in: input)
    field = .issuer
    issuer = try fields.skip(.sequence, in: input)
    field = .validity
    let start = fields.position
    var validity = try fields.read(.sequence, in: input)
    self.validity = DERReader(unchecked: start, fields.position)
    let first = try CertificateOutline.readTime(&validity, in: input, &deviations)
    let last = try CertificateOutline.readTime(&validity, in: input, &deviations)
    try validity.finish()
    (notBefore, notAfter) = (first.bytes, last.bytes)
    times = (first.time, last.time)
    field = .subject
    subject = try fields.skip(.sequence, in: input)
    field = .subjectPublicKeyInfo
    publicKey = try fields.skip(.sequence, in: input)
    field = .issuerUniqueID
    issuerUniqueID = try fields.readUniqueID(1, versionNumber, in: input)
    field = .subjectUniqueID
    subjectUniqueID = try fields.readUniqueID(2, versionNumber, in: input)
    field = .extensions
    extensions = try fields.readOptional(.constructedContext(3), from: 3, versionNumber, in: input)
    field = .tbs
    try fields.finish()
  }

  /// Reads the version. RFC 5280 §4.1.2.1: 1 is the default, and so must be absent.
  private static func readVersion(
    _ fields: inout DERReader, in input: [UInt8]
  ) throws(DERError) -> (bytes: DERReader, number: Int) {
    let start = fields.position
    guard var wrapper = try fields.readIfPresent(.constructedContext(0), in: input) else {
      return (DERReader(unchecked: start, start), 1)
    }
    let numberStart = wrapper.position
    let value = try wrapper.readUInt64(in: input)
    try wrapper.finish()
    switch value {
    case 0: throw DERError(.encodedDefault, at: numberStart)
    case 1, 2: return (DERReader(unchecked: start, fields.position), Int(value) + 1)
    default: throw DERError(.badValue, at: numberStart)
    }
  }

  private static func readTime(
    _ validity: inout DERReader, in input: [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> (bytes: DERReader, time: Timestamp) {
    let start = validity.position
    let tag = validity.nextTag(in: input)
    let time = try validity.readTime(in: input)
    // 2050-01-01T00:00:00Z.
    if tag == .generalizedTime && time.secondsSince1970 < 2_524_608_000 {
      deviations.append(.generalizedTimeBefore2050(at: start))
    }
    return (DERReader(unchecked: start, validity.position), time)
  }

  /// The fields that contain no other listed field, in order; absent fields are empty.
  private var fields: [(field: ParseError.Field, bytes: DERReader)] {
    [
      (.version, version), (.serialNumber, serialNumber), (.signature, signature),
      (.issuer, issuer), (.notBefore, notBefore), (.notAfter, notAfter), (.subject, subject),
      (.subjectPublicKeyInfo, publicKey), (.issuerUniqueID, issuerUniqueID ?? .empty),
      (.subjectUniqueID, subjectUniqueID ?? .empty), (.extensions, extensions ?? .empty),
      (.signatureAlgorithm, signatureAlgorithm), (.signatureValue, signatureValue),
    ]
  }

  /// Returns the range of a field, header included; for serial number and signature, the content.
  func range(of field: ParseError.Field) -> Range<Int>? {
    switch field {
    case .structure: 0..<signatureValue.end
    case .tbs: tbs.range
    case .validity: validity.range
    default: fields.first { $0.field == field && !$0.bytes.isAtEnd }?.bytes.range
    }
  }

  /// Returns the field that contains a byte, in the order of RFC 5280 §4.1.
  func field(at offset: Int) -> ParseError.Field {
    fields.first { !$0.bytes.isAtEnd && offset < $0.bytes.end }?.field ?? .signatureValue
  }
}

extension DERReader {
  /// Reads the three parts of a certificate, list or request: the signed part, the algorithm and
  /// the bytes of the signature. RFC 5280 §4.1.1 and §5.1.1, RFC 2986 §4.2.
  static func readSigned(
    _ input: [UInt8], _ field: inout ParseError.Field
  ) throws(DERError) -> (tbs: DERReader, algorithm: DERReader, signature: DERReader) {
    field = .structure
    var reader = DERReader(input)
    var structure = try reader.read(.sequence, in: input)
    try reader.finish()
    field = .tbs
    let tbs = try structure.skip(.sequence, in: input)
    field = .signatureAlgorithm
    let algorithm = try structure.skip(.sequence, in: input)
    field = .signatureValue
    let signature = DERReader(try structure.readBitStringOfBytes(in: input))
    field = .structure
    try structure.finish()
    return (tbs, algorithm, signature)
  }

  /// Reads the content of an optional field that exists from version `first` on.
  fileprivate mutating func readOptional(
    _ tag: DERTag, from first: Int, _ version: Int, in input: [UInt8]
  ) throws(DERError) -> DERReader? {
    guard nextTag(in: input) == tag else { return nil }
    guard version >= first else { throw DERError(.notInThisVersion, at: position) }
    return try read(tag, in: input)
  }

  /// Reads a UniqueIdentifier. RFC 5280 §4.1.2.8.
  fileprivate mutating func readUniqueID(
    _ number: UInt8, _ version: Int, in input: [UInt8]
  ) throws(DERError) -> DERReader? {
    guard let content = try readOptional(.context(number), from: 2, version, in: input) else {
      return nil
    }
    return DERReader(try content.bitString(in: input).bytes)
  }
}
