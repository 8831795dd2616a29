public import HoldfastDER

/// A distinguished name, as the octets of its encoding. RFC 5280 §4.1.2.4.
///
/// Equality is that of the octets. `matches(_:)` compares as RFC 5280 §7.1 says.
public struct DistinguishedName: Sendable, Hashable {
  /// The SEQUENCE as it stands, header included.
  public let der: Octets

  /// The relative names inside, without the header of the SEQUENCE.
  package let content: Octets

  /// Reads a name and checks its structure to the last octet; `checkStrings` checks the rest.
  init(_ reader: inout DERReader) throws(DERError) {
    let start = reader.offset
    var names = try reader.read(.sequence)
    der = reader.octets(from: start)
    content = names.rest
    while !names.isAtEnd { try DistinguishedName.checkRelativeName(&names) }
  }

  /// A name from its encoding, which must be nothing but a name.
  public init(der: [UInt8]) throws(DERError) {
    var reader = DERReader(der)
    try self.init(&reader)
    try reader.finish()
  }

  /// A name from its relative names alone, as a relative distribution point completes them.
  package init(content: [UInt8]) throws(DERError) {
    var names = DERReader(content)
    self.content = names.rest
    der = names.rest
    while !names.isAtEnd { try DistinguishedName.checkRelativeName(&names) }
  }

  private static func checkRelativeName(_ names: inout DERReader) throws(DERError) {
    let start = names.offset
    var attributes = try names.read(.set)
    guard !attributes.isAtEnd else { throw DERError(.empty, at: start) }
    while !attributes.isAtEnd { _ = try Attribute(&attributes) }
  }

  /// Refuses strings with octets that their type does not have, and notes what X.690 forbids.
  func checkStrings(_ findings: inout [Finding]) throws(DERError) {
    var names = DERReader(content)
    while !names.isAtEnd {
      let start = names.offset
      let set = try names.read(.set)
      var attributes = set
      var count = 0
      while !attributes.isAtEnd {
        let attribute = try Attribute(&attributes)
        try NameString.check(attribute.tag, attribute.value)
        count &+= 1
      }
      if count > 1, try !set.isSorted() { findings.append(.setNotSorted(at: start)) }
    }
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
      if tag.isConstructed { try DERReader(value).checkNested() }
      try attribute.finish()
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
