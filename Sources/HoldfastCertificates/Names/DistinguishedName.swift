public import HoldfastDER

/// A distinguished name, as the octets of its encoding. RFC 5280 §4.1.2.4.
///
/// Equality is that of the octets. `matches(_:)` compares as RFC 5280 §7.1 says.
public struct DistinguishedName: Sendable {
  /// The SEQUENCE as it stands, header included.
  public let der: Octets

  /// Where the relative names begin, after the header of the SEQUENCE.
  private let contentStart: Int32

  /// The relative names inside, without the header of the SEQUENCE.
  package var content: Octets { Octets(unchecked: der.input, Int(contentStart), der.endIndex) }

  /// The place of the relative names in the input.
  var contentCursor: DERCursor { DERCursor(unchecked: Int(contentStart), der.endIndex) }

  /// Reads a name and checks its structure to the last octet, but not its strings.
  init(_ reader: inout DERCursor, in input: [UInt8]) throws(DERError) {
    var none: [Finding] = []
    try self.init(&reader, in: input, checksStrings: false, &none)
  }

  /// Reads a name and checks its structure and, if asked, that its strings have only octets that
  /// their types have; notes what X.690 forbids but others read.
  init(
    _ reader: inout DERCursor, in input: [UInt8], checksStrings: Bool,
    _ findings: inout [Finding]
  ) throws(DERError) {
    self.init(
      try RawName(&reader, in: input, checksStrings: checksStrings, &findings), in: input)
  }

  init(_ raw: RawName, in input: [UInt8]) {
    der = raw.whole.rest(in: input)
    contentStart = Int32(truncatingIfNeeded: raw.content.position)
  }

  /// A name from its encoding, which must be nothing but a name.
  public init(der: [UInt8]) throws(DERError) {
    var reader = DERCursor(der)
    try self.init(&reader, in: der)
    try reader.finish()
  }

  /// A name from its relative names alone, as a relative distribution point completes them.
  package init(content: [UInt8], checksStrings: Bool = false) throws(DERError) {
    let names = DERCursor(content)
    der = names.rest(in: content)
    contentStart = 0
    var findings: [Finding] = []
    try RawName.check(names, in: content, checksStrings: checksStrings, &findings)
  }

  /// Whether the name has no parts.
  public var isEmpty: Bool { content.isEmpty }

  /// The relative names, from the root down, each with its attributes.
  public var relativeNames: [[Attribute]] {
    var names: [[Attribute]] = []
    let input = der.input
    var reader = DERCursor(content)
    do throws(DERError) {
      while !reader.isAtEnd {
        var set = try reader.read(.set, in: input)
        var attributes: [Attribute] = []
        while !set.isAtEnd {
          attributes.append(Attribute(try RawAttribute(&set, in: input), in: input))
        }
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

  /// The common name in characters, as people call the subject: nil if there is none, or no text.
  ///
  /// It is for showing. A host is never compared with it: RFC 9525 §6.3.
  public var commonName: String? { last(.commonName)?.text }

  /// One attribute: a type and a value.
  public struct Attribute: Sendable, Hashable {
    /// The type: 2.5.4.3 for a common name.
    public let type: OID

    /// The type of the string, or of whatever else the value is.
    public let tag: DERTag

    /// The content octets of the value.
    public let value: Octets

    init(type: OID, tag: DERTag, value: Octets) {
      (self.type, self.tag, self.value) = (type, tag, value)
    }

    init(_ raw: RawAttribute, in input: [UInt8]) {
      type = raw.type
      tag = raw.tag
      value = raw.value.rest(in: input)
    }

    /// The value in characters, or nil if it is no string or its meaning is uncertain, as that of a
    /// TeletexString is beyond what T.61 shares with ASCII.
    public var text: String? {
      switch tag {
      case .printableString, .utf8String, .ia5String, .visibleString, .numericString, .bmpString,
        .universalString, .teletexString:
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

extension DistinguishedName: Hashable {
  /// Whether both are the same octets.
  public static func == (a: DistinguishedName, b: DistinguishedName) -> Bool { a.der == b.der }

  /// Feeds the octets to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}
