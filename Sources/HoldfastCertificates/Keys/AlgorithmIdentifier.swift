internal import HoldfastDER
internal import HoldfastHashes

/// An AlgorithmIdentifier: a name and, for some algorithms, parameters. RFC 5280 §4.1.1.2.
struct AlgorithmIdentifier {
  let oid: OID
  /// The parameters as they stand, or nothing.
  let parameters: DERCursor
  /// The tag of the parameters.
  let parametersTag: DERTag?
  /// The SEQUENCE as it stands, header included.
  let whole: DERCursor

  @inline(__always)
  init(_ reader: inout DERCursor, in input: borrowing [UInt8]) throws(DERError) {
    let start = reader.position
    var identifier = try reader.read(.sequence, in: input)
    whole = DERCursor(unchecked: start, reader.position)
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

  /// Whether the parameters are NULL and nothing else.
  var hasNull: Bool { parametersTag == .null }

  /// The hash function that this names, with absent or NULL parameters. RFC 4055 §2.1.
  var hash: HashAlgorithm? {
    guard hasNoParameters || hasNull else { return nil }
    switch oid {
    case OID.sha256: return .sha256
    case OID.sha384: return .sha384
    case OID.sha512: return .sha512
    case OID.sha1: return .sha1
    case OID.sha224: return .sha224
    case OID.sha512_224: return .sha512_224
    case OID.sha512_256: return .sha512_256
    default: return nil
    }
  }
}
