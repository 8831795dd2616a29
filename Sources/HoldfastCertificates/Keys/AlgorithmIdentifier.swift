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

  var hasNoParameters: Bool { parametersTag == nil }

  /// Whether the parameters are NULL.
  var hasNull: Bool { parametersTag == .null }

  /// The hash function with this OID and absent or NULL parameters. RFC 4055 §2.1.
  var hash: HashAlgorithm? {
    guard hasNoParameters || hasNull else { return nil }
    return HashAlgorithm.identifiers.first { $0.oid == oid }?.hash
  }
}
