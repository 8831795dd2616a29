public import HoldfastDER

/// A distinguished name, as the bytes of its encoding. RFC 5280 §4.1.2.4.
///
/// Equality compares the bytes; `matches(_:)` compares by RFC 5280 §7.1.
public struct DistinguishedName: Sendable, DERDecodable {
  /// The SEQUENCE, header included.
  public let der: Bytes

  /// The offset of the relative names, after the header of the SEQUENCE.
  private let contentStart: Int32

  /// The relative names, without the header of the SEQUENCE.
  package var content: Bytes { reader.rest(in: der.input) }

  /// A reader for the relative names.
  @inline(__always)
  var reader: DERReader { DERReader(unchecked: Int(contentStart), der.endIndex) }

  /// The maximum number of attributes in a relative name. X.501 has no limit; certificates have one
  /// attribute, rarely two. Comparing two sets of attributes takes quadratic time.
  static let maximumAttributes = 16

  /// Reads a name, checks its structure and strings, and records accepted deviations.
  package init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    try self.init(&reader, in: input, checksStrings: true, &deviations)
  }

  init(
    _ reader: inout DERReader, in input: borrowing [UInt8], checksStrings: Bool,
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    let start = reader.position
    let content = try DistinguishedName.readContent(
      &reader, in: input, checksStrings: checksStrings, &deviations)
    self.init(content, of: DERReader(unchecked: start, reader.position), in: copy input)
  }

  /// Creates a name from the relative names that `readContent` returned, and the SEQUENCE.
  init(_ content: DERReader, of whole: DERReader, in input: [UInt8]) {
    der = whole.rest(in: input)
    contentStart = Int32(truncatingIfNeeded: content.position)
  }

  /// Reads a name as an initializer does, and returns its relative names without their bytes.
  static func readContent(
    _ reader: inout DERReader, in input: borrowing [UInt8], checksStrings: Bool = true,
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> DERReader {
    let content = try reader.read(.sequence, in: input)
    try check(content, in: input, checksStrings: checksStrings, &deviations)
    return content
  }

  /// Creates a name from its DER, without checking its strings; throws if other bytes follow it.
  public init(der: [UInt8]) throws(DERError) {
    var reader = DERReader(der)
    var ignored: [EncodingDeviation] = []
    try self.init(&reader, in: der, checksStrings: false, &ignored)
    try reader.finish()
  }

  /// Returns the name with another relative name at its end, for a relative distribution point. It
  /// cannot fail: name and attributes were checked when they were read.
  package func appending(_ attributes: Bytes) -> DistinguishedName {
    let bytes = content.array + DERWriting.element(.set, attributes.array)
    let names = DERReader(bytes)
    return DistinguishedName(names, of: names, in: bytes)
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
      let offset = attributes.position
      var attribute = try attributes.read(.sequence, in: input)
      try attribute.checkOID(in: input)
      let (tag, value) = try attribute.readAny(in: input)
      try attribute.finish()
      guard count < maximumAttributes else {
        throw DERError(.tooMany(limit: maximumAttributes), at: offset)
      }
      try value.checkContent(of: tag, in: input, checksStrings: checksStrings)
      count &+= 1
    }
    if count > 1, try !set.isSorted(in: input) { deviations.append(.setNotSorted(at: start)) }
  }

  /// Whether the name has no relative names.
  public var isEmpty: Bool { reader.isAtEnd }

  /// The relative names with their attributes, from the root down.
  package var relativeNames: [[Attribute]] {
    RelativeNames(self).map { Array($0) }
  }

  /// The attributes of all relative names, in order.
  package var attributes: [Attribute] {
    RelativeNames(self).flatMap { $0 }
  }

  /// Returns the last attribute of a type, or nil. No decision in this library depends on it.
  public func last(_ type: OID) -> Attribute? {
    attributes.last { $0.type == type }
  }

  /// The common name as text; nil if it is absent or not text.
  ///
  /// For display only. It is never compared with a host: RFC 9525 §6.3.
  public var commonName: String? { last(.commonName)?.text }

  /// An attribute: a type and a value.
  public struct Attribute: Sendable, Hashable {
    /// The type, such as 2.5.4.3 for a common name.
    public let type: OID

    /// The tag of the value, usually a string type.
    public let tag: DERTag

    /// The content of the value.
    public let value: Bytes

    /// A reader for the content of the value.
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

    /// An attribute without a reference to the input.
    typealias Parts = (type: OID, tag: DERTag, value: DERReader)

    @inline(__always)
    static func readParts(
      _ set: inout DERReader, in input: borrowing [UInt8]
    ) throws(DERError) -> Parts {
      var attribute = try set.read(.sequence, in: input)
      let type = try attribute.readOID(in: input)
      let (tag, value) = try attribute.readAny(in: input)
      try attribute.finish()
      return (type, tag, value)
    }

    /// The value as text; nil if it is not a string or its characters are uncertain, as in a
    /// TeletexString beyond the characters that T.61 shares with ASCII.
    public var text: String? {
      switch tag {
      case .printableString, .utf8String, .ia5String, .visibleString, .numericString, .bmpString,
        .universalString, .teletexString:
        return NameString.text(of: tag, value)
      default:
        return nil
      }
    }
  }
}

extension DistinguishedName: Hashable {
  /// Whether the DER of both names is the same.
  public static func == (a: DistinguishedName, b: DistinguishedName) -> Bool { a.der == b.der }

  /// Hashes the DER.
  public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}
