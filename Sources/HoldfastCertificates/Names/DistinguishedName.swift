public import HoldfastDER

/// A distinguished name, as the octets of its encoding. RFC 5280 §4.1.2.4.
///
/// Equality is that of the octets. `matches(_:)` compares as RFC 5280 §7.1 says.
public struct DistinguishedName: Sendable, Hashable {
  /// The SEQUENCE as it stands, header included.
  public let der: Octets

  /// The relative names inside, without the header of the SEQUENCE.
  package let content: Octets

  /// Reads a name and checks its structure and strings to the last octet.
  init(_ reader: inout DERReader, _ findings: inout [Finding]) throws(DERError) {
    let start = reader.offset
    var names = try reader.read(.sequence)
    der = reader.octets(from: start)
    content = names.rest
    while !names.isAtEnd {
      try DistinguishedName.checkRelativeName(&names, &findings)
    }
  }

  /// A name from its encoding, which must be nothing but a name.
  public init(der: [UInt8]) throws(DERError) {
    var reader = DERReader(der)
    var findings: [Finding] = []
    try self.init(&reader, &findings)
    try reader.finish()
  }

  /// A name from the relative names alone, as a relative distribution point completes them.
  package init(content: [UInt8]) throws(DERError) {
    var names = DERReader(content)
    self.content = names.rest
    der = names.rest
    var findings: [Finding] = []
    while !names.isAtEnd {
      try DistinguishedName.checkRelativeName(&names, &findings)
    }
  }

  private static func checkRelativeName(
    _ names: inout DERReader, _ findings: inout [Finding]
  ) throws(DERError) {
    let start = names.offset
    let attributes = try names.read(.set)
    guard !attributes.isAtEnd else { throw DERError(.empty, at: start) }
    try checkAttributes(attributes, at: start, &findings)
  }

  /// Reads all attributes of a relative name that begins at `start`.
  static func checkAttributes(
    _ all: DERReader, at start: Int, _ findings: inout [Finding]
  ) throws(DERError) {
    var attributes = all
    var count = 0
    while !attributes.isAtEnd {
      var attribute = try attributes.read(.sequence)
      _ = try attribute.readOID()
      let value = try attribute.readElement()
      if value.tag.isConstructed { try DERReader(value.content).checkNested() }
      if let odd = try NameString.check(value.tag, value.content) {
        findings.append(.unprintableCharacter(at: odd))
      }
      try attribute.finish()
      count &+= 1
    }
    if count > 1, try !all.isSorted() { findings.append(.setNotSorted(at: start)) }
  }

  /// Whether the name has no parts.
  public var isEmpty: Bool { content.isEmpty }

  /// The relative names, from the root down, each with its attributes.
  public var relativeNames: [[Attribute]] {
    var names: [[Attribute]] = []
    var reader = DERReader(content)
    do throws(DERError) {
      while !reader.isAtEnd {
        var set = try reader.read(.set)
        var attributes: [Attribute] = []
        while !set.isAtEnd { attributes.append(try Attribute(&set)) }
        names.append(attributes)
      }
    } catch {
      // Not reached: the initialiser has read all this.
    }
    return names
  }

  /// The last value of an attribute type, or nil. Nothing in this library decides by it.
  public func last(_ type: OID) -> Attribute? {
    for attributes in relativeNames.reversed() {
      for attribute in attributes.reversed() where attribute.type == type { return attribute }
    }
    return nil
  }

  /// One attribute: a type and a value.
  public struct Attribute: Sendable, Hashable {
    /// The type: 2.5.4.3 for a common name.
    public let type: OID

    /// The type of the string, or of whatever else the value is.
    public let tag: DERTag

    /// The content octets of the value.
    public let value: Octets

    @inline(__always)
    init(_ set: inout DERReader) throws(DERError) {
      var attribute = try set.read(.sequence)
      type = try attribute.readOID()
      let element = try attribute.readElement()
      tag = element.tag
      value = element.content
    }

    /// The value in characters, or nil if it is no string or its meaning is uncertain.
    public var text: String? {
      switch tag {
      case .printableString, .utf8String, .ia5String, .visibleString, .numericString, .bmpString,
        .universalString:
        guard let scalars = NameString.scalars(of: tag, value) else { return nil }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
      default:
        return nil
      }
    }
  }
}
