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
    switch tag.rawValue {
    case 0x82: self = .dns(try ASCIIText(content, in: input))
    case 0x86: self = .uri(try ASCIIText(content, in: input))
    case 0x81: self = .email(try ASCIIText(content, in: input))
    case 0x87:
      guard let address = IPAddress(content.rest(in: input)) else {
        throw DERError(.badValue, at: start)
      }
      self = .ip(address)
    default: try self.init(rare: tag, content, at: start, in: input)
    }
  }

  /// The forms that do not depend on where the name stands, but for the four above.
  init(
    rare tag: DERTag, _ content: DERCursor, at start: Int, in input: [UInt8]
  ) throws(DERError) {
    switch tag.rawValue {
    case 0xA0:
      var fields = content
      let type = try fields.readOID(in: input)
      let value = fields.rest(in: input)
      try fields.checkNested(in: input)
      _ = try fields.readAny(in: input)
      try fields.finish()
      self = .other(type: type, value: value)
    case 0xA3:
      try content.checkNested(in: input)
      self = .x400(content.rest(in: input))
    case 0xA4:
      // A choice cannot be tagged implicitly, so the name keeps its own header.
      var name = content
      self = .directory(try DistinguishedName(&name, in: input))
      try name.finish()
    case 0xA5:
      try content.checkNested(in: input)
      self = .ediParty(content.rest(in: input))
    case 0x88:
      self = .registeredID(try OID(content, in: input))
    default:
      throw DERError(.unexpectedChoice(found: tag), at: start)
    }
  }

  /// Reads `GeneralNames`: one name at least. The reader stands in the SEQUENCE.
  static func read(_ names: inout DERCursor, in input: [UInt8]) throws(DERError) -> [GeneralName] {
    guard !names.isAtEnd else { throw DERError(.empty, at: names.position) }
    var list: [GeneralName] = []
    // Most names are short, and most lists too: one allocation for nearly all of them.
    list.reserveCapacity(min(names.count / 12 + 1, 16))
    while !names.isAtEnd { list.append(try GeneralName(&names, in: input)) }
    return list
  }
}

extension GeneralName: CustomStringConvertible {
  /// `DNS:example.com`.
  public var description: String {
    switch self {
    case .other(let type, let value): "otherName:\(type):\(value)"
    case .email(let text): "email:\(text)"
    case .dns(let text): "DNS:\(text)"
    case .x400(let octets): "x400Address:\(octets)"
    case .directory(let name): "directoryName:\(name)"
    case .ediParty(let octets): "ediPartyName:\(octets)"
    case .uri(let text): "URI:\(text)"
    case .ip(let address): "IP:\(address)"
    case .registeredID(let oid): "registeredID:\(oid)"
    }
  }
}
