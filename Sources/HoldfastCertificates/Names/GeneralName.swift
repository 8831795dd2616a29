public import HoldfastDER

/// A name in one of the nine forms of RFC 5280 §4.2.1.6.
public enum GeneralName: Sendable, Hashable, DERDecodable {
  /// A name whose type is given by an OID; the value includes its `[0]` header.
  case other(type: OID, value: Bytes)
  /// An e-mail address.
  case email(ASCIIText)
  /// A host name or wildcard pattern.
  case dns(ASCIIText)
  /// The bytes of an X.400 address.
  case x400(Bytes)
  /// A distinguished name.
  case directory(DistinguishedName)
  /// The bytes of an EDI party name.
  case ediParty(Bytes)
  /// A URI.
  case uri(ASCIIText)
  /// An IP address.
  case ip(IPAddress)
  /// An object identifier.
  case registeredID(OID)

  /// Reads a name of one of the nine forms.
  @inline(__always)
  package init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    let start = reader.position
    var (tag, content) = try reader.readAny(in: input)
    switch tag.rawValue {
    case 0x82: self = .dns(try ASCIIText(content, in: input))
    case 0x86: self = .uri(try ASCIIText(content, in: input))
    case 0x81: self = .email(try ASCIIText(content, in: input))
    case 0x87:
      guard let address = IPAddress(content.rest(in: input)) else {
        throw DERError(.badValue, at: start)
      }
      self = .ip(address)
    case 0xA0:
      let type = try content.readOID(in: input)
      self = .other(type: type, value: content.rest(in: input))
      try GeneralName.checkOther(&content, in: input, &deviations)
    case 0xA4:
      // A CHOICE cannot be tagged implicitly, so the name keeps its own header. An unsorted SET is
      // not noted: matching ignores the order.
      var ignored: [EncodingDeviation] = []
      self = .directory(try DistinguishedName(&content, in: input, &ignored))
      try content.finish()
    case 0xA3, 0xA5:
      try content.checkNested(in: input)
      let bytes = content.rest(in: input)
      self = tag.rawValue == 0xA3 ? .x400(bytes) : .ediParty(bytes)
    case 0x88: self = .registeredID(try OID(content, in: input))
    default: throw DERError(.unexpectedChoice(found: tag), at: start)
    }
  }

  /// Checks a name. With the initializer inlined here no reference is counted, which is a thirtieth
  /// of the time of reading a leaf.
  package static func check(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    _ = try GeneralName(&reader, in: input, &deviations)
  }

  /// Departs: RFC 5280 §4.2.1.6 requires a [0] around the value; BoringSSL's vectors omit it, so
  /// that is only noted.
  private static func checkOther(
    _ value: inout DERReader, in input: [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    try value.checkNested(in: input)
    let start = value.position
    var (tag, inner) = try value.readAny(in: input)
    if tag == .constructedContext(0) {
      _ = try inner.readAny(in: input)
      try inner.finish()
    } else {
      deviations.append(.otherNameWithoutTag(at: start))
    }
    try value.finish()
  }
}

/// The names of a subject, issuer or distribution point.
public typealias GeneralNames = DERList<GeneralName>

extension GeneralName: CustomStringConvertible {
  /// `DNS:example.com`.
  public var description: String { text(limit: .max) }

  /// Returns the description, truncated after about `limit` bytes with `...` if it is longer.
  package func text(limit: Int) -> String {
    switch self {
    case .other(let type, let value): "otherName:\(type):\(GeneralName.text(value, limit))"
    case .email(let text): "email:\(text.text(limit: limit))"
    case .dns(let text): "DNS:\(text.text(limit: limit))"
    case .x400(let bytes): "x400Address:\(GeneralName.text(bytes, limit))"
    case .directory(let name): "directoryName:\(name.text(limit: limit))"
    case .ediParty(let bytes): "ediPartyName:\(GeneralName.text(bytes, limit))"
    case .uri(let text): "URI:\(text.text(limit: limit))"
    case .ip(let address): "IP:\(address)"
    case .registeredID(let oid): "registeredID:\(oid)"
    }
  }

  private static func text(_ bytes: Bytes, _ limit: Int) -> String {
    bytes.count <= limit ? "\(bytes)" : Hexadecimal.text(of: bytes.prefix(limit / 2)) + "..."
  }
}
