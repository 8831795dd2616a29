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

extension GeneralName {
  /// The name in DER.
  var der: [UInt8] {
    switch self {
    case .other(let type, let value):
      DERWriting.element(
        .constructedContext(0), DERWriting.element(.objectIdentifier, type.content), value.array)
    case .email(let text): DERWriting.element(.context(1), text.bytes.array)
    case .dns(let text): DERWriting.element(.context(2), text.bytes.array)
    case .x400(let bytes): DERWriting.element(.constructedContext(3), bytes.array)
    case .directory(let name): DERWriting.element(.constructedContext(4), name.der.array)
    case .ediParty(let bytes): DERWriting.element(.constructedContext(5), bytes.array)
    case .uri(let text): DERWriting.element(.context(6), text.bytes.array)
    case .ip(let address): DERWriting.element(.context(7), address.bytes)
    case .registeredID(let oid): DERWriting.element(.context(8), oid.content)
    }
  }

  /// A bit for the form, by its tag number in RFC 5280 §4.2.1.6.
  package var formBit: UInt16 {
    switch self {
    case .other: 1 << 0
    case .email: 1 << 1
    case .dns: 1 << 2
    case .x400: 1 << 3
    case .directory: 1 << 4
    case .ediParty: 1 << 5
    case .uri: 1 << 6
    case .ip: 1 << 7
    case .registeredID: 1 << 8
    }
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
