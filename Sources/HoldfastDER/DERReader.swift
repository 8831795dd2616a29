/// A cursor over DER that reads one element after another and never goes back.
///
/// It refuses everything that X.690 §10 and §11 take out of BER, and it shares the input: what it
/// returns is a reader or `Octets` over the same array. It builds no tree, does not recurse and
/// allocates nothing, so the depth of a structure costs nothing but the caller's own schema.
public struct DERReader: Sendable {
  /// The whole input, of which this reader sees a part.
  public let input: [UInt8]

  var cursor: DERCursor

  /// A reader at the first octet of an array, of which it reads up to 2 GiB.
  public init(_ input: [UInt8]) {
    self.init(input, DERCursor(input))
  }

  /// A reader over octets that are part of a larger input; its offsets count from there.
  public init(_ octets: Octets) {
    self.init(octets.input, DERCursor(octets))
  }

  init(_ input: [UInt8], _ cursor: DERCursor) {
    self.input = input
    self.cursor = cursor
  }

  /// The place of the next octet in the input.
  public var offset: Int { cursor.position }

  /// The place after the last octet that this reader may read.
  public var end: Int { cursor.end }

  /// Whether nothing is left.
  public var isAtEnd: Bool { cursor.isAtEnd }

  /// The tag of the next element, if there is one.
  public var nextTag: DERTag? { cursor.nextTag(in: input) }

  /// The octets that are left.
  public var rest: Octets { cursor.rest(in: input) }

  /// The octets from an earlier place up to this one: an element as it stands, header included.
  public func octets(from start: Int) -> Octets { cursor.octets(from: start, in: input) }

  /// Refuses anything that is left.
  public func finish() throws(DERError) { try cursor.finish() }

  /// Moves past the next element, whatever its tag, and returns it.
  public mutating func readElement() throws(DERError) -> DERElement {
    try cursor.readElement(in: input)
  }

  /// Moves past the next element, which must have this tag, and returns a reader of its content.
  public mutating func read(_ tag: DERTag) throws(DERError) -> DERReader {
    DERReader(input, try cursor.read(tag, in: input))
  }

  /// Like `read(_:)`, but leaves the reader where it is if the next element has another tag.
  public mutating func readIfPresent(_ tag: DERTag) throws(DERError) -> DERReader? {
    try cursor.readIfPresent(tag, in: input).map { DERReader(input, $0) }
  }

  /// Moves past the next element, which must have this tag, and returns its content.
  public mutating func readContent(_ tag: DERTag) throws(DERError) -> Octets {
    try cursor.readContent(tag, in: input)
  }

  /// Moves past the next element, which must have this tag, and returns it with its header.
  public mutating func readWhole(_ tag: DERTag) throws(DERError) -> Octets {
    try cursor.readWhole(tag, in: input)
  }

  /// Reads a BOOLEAN, which is 00 or FF and nothing else. X.690 §11.1.
  public mutating func readBoolean() throws(DERError) -> Bool {
    try cursor.readBoolean(in: input)
  }

  /// Reads `BOOLEAN DEFAULT FALSE`: absent means false, and false must be absent. X.690 §11.5.
  public mutating func readBooleanDefaultFalse() throws(DERError) -> Bool {
    try cursor.readBooleanDefaultFalse(in: input)
  }

  /// Reads an INTEGER of any size and sign: its two's complement in the fewest octets. X.690 §8.3.
  public mutating func readInteger(_ tag: DERTag = .integer) throws(DERError) -> Octets {
    try cursor.readInteger(tag, in: input)
  }

  /// Reads an INTEGER from 0 to a highest value. X.690 §8.3.
  public mutating func readUInt64(
    _ tag: DERTag = .integer, upTo highest: UInt64 = .max
  ) throws(DERError) -> UInt64 {
    try cursor.readUInt64(tag, upTo: highest, in: input)
  }

  /// Reads a NULL.
  public mutating func readNull() throws(DERError) { try cursor.readNull(in: input) }

  /// Reads a BIT STRING, whose unused bits must be zero. X.690 §8.6.2 and §11.2.1.
  public mutating func readBitString(_ tag: DERTag = .bitString) throws(DERError) -> DERBitString {
    try cursor.readBitString(tag, in: input)
  }

  /// Reads a BIT STRING of whole octets, as keys and signatures are.
  public mutating func readBitStringOfOctets() throws(DERError) -> Octets {
    try cursor.readBitStringOfOctets(in: input)
  }

  /// Reads an OCTET STRING.
  public mutating func readOctetString() throws(DERError) -> Octets {
    try cursor.readContent(.octetString, in: input)
  }

  /// Reads an OBJECT IDENTIFIER.
  public mutating func readOID(_ tag: DERTag = .objectIdentifier) throws(DERError) -> OID {
    try cursor.readOID(tag, in: input)
  }

  /// Reads a UTCTime or a GeneralizedTime in the forms of RFC 5280 §4.1.2.5.
  public mutating func readTime() throws(DERError) -> Timestamp { try cursor.readTime(in: input) }

  /// Walks over all that is left, and into everything constructed, and refuses what is not DER, or
  /// deeper than 32.
  public func checkNested() throws(DERError) { try cursor.checkNested(in: input) }

  /// Whether the elements that are left stand in the order of a SET OF. X.690 §11.6.
  public func isSorted() throws(DERError) -> Bool { try cursor.isSorted(in: input) }
}

/// One element: its tag and its content, with places in the input.
public struct DERElement: Sendable, Hashable {
  /// The identifier.
  public let tag: DERTag

  /// The place of the identifier in the input.
  public let start: Int

  /// The octets after the header.
  public let content: Octets

  @inlinable
  package init(tag: DERTag, start: Int, content: Octets) {
    self.tag = tag
    self.start = start
    self.content = content
  }

  /// The element as it stands, header included.
  public var whole: Octets { Octets(unchecked: content.input, start, content.endIndex) }
}
