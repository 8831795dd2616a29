internal import HoldfastDER
internal import HoldfastHashes

/// An AlgorithmIdentifier: an OID and optional parameters. RFC 5280 §4.1.1.2.
struct AlgorithmIdentifier {
  let oid: OID
  /// The parameters with their header; empty if absent.
  let parameters: DERReader
  /// The tag of the parameters; nil if absent.
  let parametersTag: DERTag?
  /// The SEQUENCE, header included.
  let whole: DERReader

  @inline(__always)
  init(_ reader: inout DERReader, in input: borrowing [UInt8]) throws(DERError) {
    let start = reader.position
    var identifier = try reader.read(.sequence, in: input)
    whole = DERReader(unchecked: start, reader.position)
    oid = try identifier.readOID(in: input)
    parameters = identifier
    if identifier.isAtEnd {
      parametersTag = nil
    } else {
      let (tag, content) = try identifier.readAny(in: input)
      try content.checkContent(of: tag, in: input)
      parametersTag = tag
      try identifier.finish()
    }
  }

  /// Returns the encoding of an algorithm whose parameters are NULL.
  static func encoded(_ oid: OID) -> [UInt8] {
    DERWriting.element(
      .sequence, DERWriting.element(.objectIdentifier, oid.content), DERWriting.element(.null))
  }

  var hasNoParameters: Bool { parametersTag == nil }

  /// Whether the parameters are NULL.
  var hasNull: Bool { parametersTag == .null }

  /// The hash function with this OID and absent or NULL parameters. RFC 4055 §2.1.
  var hash: HashAlgorithm? {
    guard hasNoParameters || hasNull else { return nil }
    return HashAlgorithm.identifiers.first { $0.oid == oid }?.hash
  }
}

extension PSSParameters {
  /// Reads `RSASSA-PSS-params`. Throws if the structure is malformed; returns nil if the hash
  /// function, mask or trailer is not supported.
  ///
  /// An encoded default, which X.690 §11.5 forbids, is only noted: RFC 4055 §3.1 requires readers
  /// to accept both forms of each.
  static func read(
    _ bytes: DERReader, in input: [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> PSSParameters? {
    var reader = bytes
    var parameters = try reader.read(.sequence, in: input)
    try reader.finish()
    var hash: HashAlgorithm? = .sha1
    var maskHash: HashAlgorithm? = .sha1
    if var field = try parameters.readIfPresent(.constructedContext(0), in: input) {
      let identifier = try AlgorithmIdentifier(&field, in: input)
      hash = identifier.hash
      try field.finish()
      if hash == .sha1 { deviations.append(.defaultEncoded(at: identifier.whole.position)) }
    }
    if var field = try parameters.readIfPresent(.constructedContext(1), in: input) {
      let mask = try AlgorithmIdentifier(&field, in: input)
      try field.finish()
      maskHash = try readMaskHash(mask, in: input)
      if maskHash == .sha1 { deviations.append(.defaultEncoded(at: mask.whole.position)) }
    }
    let saltLength = try readNumber(2, default: 20, &parameters, in: input, &deviations)
    let trailer = try readNumber(3, default: 1, &parameters, in: input, &deviations)
    try parameters.finish()
    // A salt longer than the largest modulus cannot occur in a signature.
    guard let hash, let maskHash, trailer == 1, saltLength <= 2048 else { return nil }
    return PSSParameters(hash: hash, maskHash: maskHash, saltLength: Int(saltLength))
  }

  private static func readNumber(
    _ number: UInt8, default absent: UInt64, _ parameters: inout DERReader, in input: [UInt8],
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> UInt64 {
    try parameters.readExplicit(number, in: input) { (field) throws(DERError) in
      let start = field.position
      let value = try field.readUInt64(in: input)
      if value == absent { deviations.append(.defaultEncoded(at: start)) }
      return value
    } ?? absent
  }

  /// Reads the hash function of MGF1, the only mask generation function. RFC 4055 §2.2.
  private static func readMaskHash(
    _ mask: AlgorithmIdentifier, in input: [UInt8]
  ) throws(DERError) -> HashAlgorithm? {
    guard mask.oid == .mgf1, !mask.hasNoParameters else { return nil }
    var reader = mask.parameters
    guard reader.nextTag(in: input) == .sequence else { return nil }
    return try AlgorithmIdentifier(&reader, in: input).hash
  }
}
