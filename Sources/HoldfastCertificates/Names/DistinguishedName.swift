public import HoldfastDER

/// A distinguished name, as the bytes of its encoding. RFC 5280 §4.1.2.4.
///
/// Equality is that of the bytes. `matches(_:)` compares as RFC 5280 §7.1 says.
public struct DistinguishedName: DERDecodable {
  /// The SEQUENCE, header included.
  public let der: Bytes

  /// Where the relative names begin, after the header of the SEQUENCE.
  private let contentStart: Int32

  /// The relative names inside, without the header of the SEQUENCE.
  package var content: Bytes { reader.rest(in: der.input) }

  /// A reader of the relative names.
  @inline(__always)
  var reader: DERReader { DERReader(unchecked: Int(contentStart), der.endIndex) }

  /// The most attributes of one relative name. X.501 has no such limit; certificates have one
  /// attribute, seldom two. As a relative name is a set, comparing two takes the square of it.
  static let maximumAttributes = 16

  /// Reads a name and checks its structure and its strings; notes what X.690 forbids but others read.
  public init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    try self.init(&reader, in: input, checksStrings: true, &deviations)
  }

  init(
    _ reader: inout DERReader, in input: borrowing [UInt8], checksStrings: Bool,
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    let start = reader.position
    let content = try reader.read(.sequence, in: input)
    try DistinguishedName.check(content, in: input, checksStrings: checksStrings, &deviations)
    der = DERReader(unchecked: start, reader.position).rest(in: input)
    contentStart = Int32(truncatingIfNeeded: content.position)
  }

  /// A name from its encoding, which must be nothing but a name. Its strings are not checked.
  public init(der: [UInt8]) throws(DERError) {
    var reader = DERReader(der)
    var ignored: [EncodingDeviation] = []
    try self.init(&reader, in: der, checksStrings: false, &ignored)
    try reader.finish()
  }

  /// A name from its relative names alone, as a relative distribution point completes them.
  package init(content: [UInt8], checksStrings: Bool = false) throws(DERError) {
    let names = DERReader(content)
    der = names.rest(in: content)
    contentStart = 0
    var ignored: [EncodingDeviation] = []
    try DistinguishedName.check(names, in: content, checksStrings: checksStrings, &ignored)
  }

  private static func check(
    _ names: DERReader, in input: [UInt8], checksStrings: Bool,
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var names = names
    while !names.isAtEnd {
      let start = names.position
      let set = try names.readNonEmpty(.set, in: input)
      try checkRelativeName(set, at: start, in: input, checksStrings: checksStrings, &deviations)
    }
  }

  /// Checks the attributes of one relative name, which begins at `start`.
  @inline(__always)
  static func checkRelativeName(
    _ set: DERReader, at start: Int, in input: [UInt8], checksStrings: Bool,
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var attributes = set
    var count = 0
    while !attributes.isAtEnd {
      let place = attributes.position
      let (_, tag, value) = try Attribute.readParts(&attributes, in: input)
      guard count < maximumAttributes else {
        throw DERError(.tooMany(limit: maximumAttributes), at: place)
      }
      try value.checkContent(of: tag, in: input, checksStrings: checksStrings)
      count &+= 1
    }
    if count > 1, try !set.isSorted(in: input) { deviations.append(.setNotSorted(at: start)) }
  }

  /// Whether the name has no parts.
  public var isEmpty: Bool { reader.isAtEnd }

  /// The relative names, from the root down, each with its attributes.
  public var relativeNames: [[Attribute]] {
    RelativeNames(self).map { $0.attributes }
  }

  /// The last value of an attribute type, or nil. Nothing in this library decides by it.
  public func last(_ type: OID) -> Attribute? {
    for attributes in relativeNames.reversed() {
      for attribute in attributes.reversed() where attribute.type == type { return attribute }
    }
    return nil
  }

  /// The common name in characters: nil if it is absent, or not text.
  ///
  /// It is for showing. A host is never compared with it: RFC 9525 §6.3.
  public var commonName: String? { last(.commonName)?.text }

  /// One attribute: a type and a value.
  public struct Attribute: Sendable, Hashable {
    /// The type: 2.5.4.3 for a common name.
    public let type: OID

    /// The tag of the value: the type of the string, in most cases.
    public let tag: DERTag

    /// The content bytes of the value.
    public let value: Bytes

    /// A reader of the value's content.
    @inline(__always)
    var reader: DERReader { DERReader(value) }

    init(type: OID, tag: DERTag, value: Bytes) {
      (self.type, self.tag, self.value) = (type, tag, value)
    }

    @inline(__always)
    init(_ set: inout DERReader, in input: borrowing [UInt8]) throws(DERError) {
      let (type, tag, value) = try Attribute.readParts(&set, in: input)
      self.init(type: type, tag: tag, value: value.rest(in: input))
    }

    /// Reads an attribute without a reference to the input.
    @inline(__always)
    static func readParts(
      _ set: inout DERReader, in input: borrowing [UInt8]
    ) throws(DERError) -> (type: OID, tag: DERTag, value: DERReader) {
      var attribute = try set.read(.sequence, in: input)
      let type = try attribute.readOID(in: input)
      let (tag, value) = try attribute.readAny(in: input)
      try attribute.finish()
      return (type, tag, value)
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
  /// Whether both are the same bytes.
  public static func == (a: DistinguishedName, b: DistinguishedName) -> Bool { a.der == b.der }

  /// Feeds the bytes to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}
