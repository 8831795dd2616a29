public import HoldfastDER

/// One name of the nine forms that RFC 5280 §4.2.1.6 has.
public enum GeneralName: Sendable, Hashable {
  /// A name of a type that the identifier tells; the value as it stands, with its `[0]`.
  case other(type: OID, value: Octets)
  /// An e-mail address.
  case email(ASCIIText)
  /// A host name, or a pattern of some.
  case dns(ASCIIText)
  /// An X.400 address, as it stands.
  case x400(Octets)
  /// A distinguished name.
  case directory(DistinguishedName)
  /// An EDI party name, as it stands.
  case ediParty(Octets)
  /// A URI.
  case uri(ASCIIText)
  /// An IP address.
  case ip(IPAddress)
  /// An object identifier.
  case registeredID(OID)

  init(_ reader: inout DERCursor, in input: [UInt8]) throws(DERError) {
    let start = reader.position
    let (tag, content) = try reader.readAny(in: input)
    try GeneralName.check(tag, content, at: start, in: input)
    try self.init(tag, content, in: input)
  }

  /// A name that has been checked.
  init(_ tag: DERTag, _ content: DERCursor, in input: [UInt8]) throws(DERError) {
    switch tag.rawValue {
    case 0x82: self = .dns(ASCIIText(checked: content, in: input))
    case 0x86: self = .uri(ASCIIText(checked: content, in: input))
    case 0x81: self = .email(ASCIIText(checked: content, in: input))
    case 0x87:
      guard let address = IPAddress(content.rest(in: input)) else {
        throw DERError(.badValue, at: content.position)
      }
      self = .ip(address)
    case 0xA0:
      var fields = content
      let type = try fields.readOID(in: input)
      self = .other(type: type, value: fields.rest(in: input))
    case 0xA3: self = .x400(content.rest(in: input))
    case 0xA4:
      // A choice cannot be tagged implicitly, so the name keeps its own header.
      var name = content
      self = .directory(try DistinguishedName(&name, in: input))
    case 0xA5: self = .ediParty(content.rest(in: input))
    case 0x88: self = .registeredID(try OID(content, in: input))
    default: throw DERError(.unexpectedChoice(found: tag), at: content.position)
    }
  }

  /// Refuses what is not a name of one of the nine forms.
  static func check(
    _ tag: DERTag, _ content: DERCursor, at start: Int, in input: [UInt8]
  ) throws(DERError) {
    switch tag.rawValue {
    case 0x82, 0x86, 0x81: try NameString.check(.ia5String, content, in: input)
    case 0x87:
      guard content.count == 4 || content.count == 16 else { throw DERError(.badValue, at: start) }
    case 0xA0:
      var fields = content
      _ = try fields.readOID(in: input)
      try fields.checkNested(in: input)
      // Departs: RFC 5280 §4.2.1.6 has the value within [0]; BoringSSL's vectors have it without.
      let (tag, inner) = try fields.readAny(in: input)
      if tag == .constructedContext(0) {
        var value = inner
        _ = try value.readAny(in: input)
        try value.finish()
      }
      try fields.finish()
    case 0xA3, 0xA5: try content.checkNested(in: input)
    case 0xA4:
      var findings: [Finding] = []
      var name = content
      _ = try RawName(&name, in: input, checksStrings: true, &findings)
      try name.finish()
    case 0x88: _ = try OID(content, in: input)
    default: throw DERError(.unexpectedChoice(found: tag), at: start)
    }
  }
}

extension GeneralName: CustomStringConvertible {
  /// `DNS:example.com`.
  public var description: String { text(limit: .max) }

  /// The same, cut after about so many bytes: then it ends in `...`.
  package func text(limit: Int) -> String {
    switch self {
    case .other(let type, let value): "otherName:\(type):\(GeneralName.text(value, limit))"
    case .email(let text): "email:\(text.text(limit: limit))"
    case .dns(let text): "DNS:\(text.text(limit: limit))"
    case .x400(let octets): "x400Address:\(GeneralName.text(octets, limit))"
    case .directory(let name): "directoryName:\(name.text(limit: limit))"
    case .ediParty(let octets): "ediPartyName:\(GeneralName.text(octets, limit))"
    case .uri(let text): "URI:\(text.text(limit: limit))"
    case .ip(let address): "IP:\(address)"
    case .registeredID(let oid): "registeredID:\(oid)"
    }
  }

  private static func text(_ octets: Octets, _ limit: Int) -> String {
    octets.count <= limit ? "\(octets)" : Hexadecimal.text(of: octets.prefix(limit / 2)) + "..."
  }
}
