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

  init(_ reader: inout DERReader) throws(DERError) {
    let element = try reader.readElement()
    switch element.tag.rawValue {
    case 0x82: self = .dns(try ASCIIText(element.content))
    case 0x86: self = .uri(try ASCIIText(element.content))
    case 0x81: self = .email(try ASCIIText(element.content))
    case 0x87:
      guard let address = IPAddress(element.content) else {
        throw DERError(.badValue, at: element.start)
      }
      self = .ip(address)
    default: try self.init(rare: element)
    }
  }

  /// The forms that do not depend on where the name stands, but for the four above.
  init(rare element: DERElement) throws(DERError) {
    var content = DERReader(element.content)
    switch element.tag.rawValue {
    case 0xA0:
      let type = try content.readOID()
      let value = content.rest
      try content.checkNested()
      _ = try content.readElement()
      self = .other(type: type, value: value)
    case 0xA3:
      try content.checkNested()
      self = .x400(element.content)
      return
    case 0xA4:
      // A choice cannot be tagged implicitly, so the name keeps its own header.
      self = .directory(try DistinguishedName(&content))
    case 0xA5:
      try content.checkNested()
      self = .ediParty(element.content)
      return
    case 0x88:
      self = .registeredID(try OID(content: element.content))
      return
    default:
      throw DERError(.unexpectedChoice(found: element.tag), at: element.start)
    }
    try content.finish()
  }

  /// Reads `GeneralNames`: one name at least. The reader stands in the SEQUENCE.
  static func read(_ names: inout DERReader) throws(DERError) -> [GeneralName] {
    guard !names.isAtEnd else { throw DERError(.empty, at: names.offset) }
    var list: [GeneralName] = []
    // Most names are short, and most lists too: one allocation for nearly all of them.
    list.reserveCapacity(min((names.end - names.offset) / 12 + 1, 16))
    while !names.isAtEnd { list.append(try GeneralName(&names)) }
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
