internal import HoldfastDER
internal import HoldfastHashes

/// An AlgorithmIdentifier: a name and, for some algorithms, parameters. RFC 5280 §4.1.1.2.
struct AlgorithmIdentifier {
  let oid: OID
  /// The parameters as they stand, or nothing.
  let parameters: Octets
  /// The SEQUENCE as it stands, header included.
  let whole: Octets

  @inline(__always)
  init(_ reader: inout DERReader) throws(DERError) {
    let start = reader.offset
    var identifier = try reader.read(.sequence)
    oid = try identifier.readOID()
    let parametersStart = identifier.offset
    if !identifier.isAtEnd {
      let element = try identifier.readElement()
      if element.tag.isConstructed { try DERReader(element.content).checkNested() }
      if element.tag == .null, !element.content.isEmpty {
        throw DERError(.badNull, at: element.start)
      }
    }
    try identifier.finish()
    parameters = identifier.octets(from: parametersStart)
    whole = reader.octets(from: start)
  }

  var hasNoParameters: Bool { parameters.isEmpty }

  /// Whether the parameters are NULL and nothing else.
  var hasNull: Bool { parameters.count == 2 && parameters.first == DERTag.null.rawValue }

  /// The hash function that this names, with absent or NULL parameters. RFC 4055 §2.1.
  var hash: HashAlgorithm? {
    guard hasNoParameters || hasNull else { return nil }
    switch oid {
    case .sha256: return .sha256
    case .sha384: return .sha384
    case .sha512: return .sha512
    case .sha1: return .sha1
    case .sha224: return .sha224
    case .sha512_224: return .sha512_224
    case .sha512_256: return .sha512_256
    default: return nil
    }
  }
}
