/// A cursor over DER that reads one element after another and never goes back.
///
/// It refuses everything that X.690 §10 and §11 take out of BER, and it shares the input: what it
/// returns is a cursor or `Octets` over the same array. It builds no tree, does not recurse and
/// allocates nothing, so the depth of a structure costs nothing but the caller's own schema.
public struct DERReader: Sendable {
  /// The whole input, of which this cursor sees a part.
  public let input: [UInt8]

  @usableFromInline var position: Int

  /// The place after the last octet that this cursor may read.
  public let end: Int

  /// The place of the next octet in the input.
  @inlinable
  public var offset: Int { position }

  /// A cursor at the first octet of an array, which it reads up to 2 GiB.
  @inlinable
  public init(_ input: [UInt8]) {
    self.init(unchecked: input, 0, Swift.min(input.count, Int(Int32.max)))
  }

  /// A cursor over octets that are part of a larger input; its offsets count from there.
  @inlinable
  public init(_ octets: Octets) {
    self.init(unchecked: octets.input, octets.startIndex, octets.endIndex)
  }

  /// The caller sees to it that `0 <= offset <= end <= input.count`.
  @inlinable @inline(__always)
  package init(unchecked input: [UInt8], _ offset: Int, _ end: Int) {
    self.input = input
    self.position = offset
    self.end = end
  }

  /// Whether nothing is left.
  @inlinable
  public var isAtEnd: Bool { position >= end }

  /// The tag of the next element, if there is one.
  @inlinable
  public var nextTag: DERTag? {
    position < end ? DERTag(rawValue: input[position]) : nil
  }

  /// The octets that are left.
  @inlinable
  public var rest: Octets { Octets(unchecked: input, position, end) }

  /// The octets from an earlier place up to this one: an element as it stands, header included.
  @inlinable
  public func octets(from start: Int) -> Octets {
    Octets(unchecked: input, Swift.min(start, position), position)
  }

  /// Refuses anything that is left.
  @inlinable
  public func finish() throws(DERError) {
    if position < end { throw DERError(.trailingData, at: position) }
  }

  /// Moves past the next element, whatever its tag, and returns it.
  @inlinable
  public mutating func readElement() throws(DERError) -> DERElement {
    let header = try readHeader(expecting: nil)
    return DERElement(
      tag: header.tag, start: header.start,
      content: Octets(unchecked: input, header.content, position))
  }

  /// Moves past the next element, which must have this tag, and returns a cursor over its content.
  @inlinable @inline(__always)
  public mutating func read(_ tag: DERTag) throws(DERError) -> DERReader {
    let header = try readHeader(expecting: tag)
    guard header.tag == tag else {
      throw DERError(.unexpectedTag(found: header.tag, expected: tag), at: header.start)
    }
    return DERReader(unchecked: input, header.content, position)
  }

  /// Like `read(_:)`, but leaves the cursor where it is if the next element has another tag.
  @inlinable @inline(__always)
  public mutating func readIfPresent(_ tag: DERTag) throws(DERError) -> DERReader? {
    guard position < end, input[position] == tag.rawValue else { return nil }
    return try read(tag)
  }

  /// Moves past the next element, which must have this tag, and returns its content.
  @inlinable @inline(__always)
  public mutating func readContent(_ tag: DERTag) throws(DERError) -> Octets {
    let content = try read(tag)
    return Octets(unchecked: input, content.position, content.end)
  }

  /// Moves past the next element, which must have this tag, and returns it with its header.
  @inlinable @inline(__always)
  public mutating func readWhole(_ tag: DERTag) throws(DERError) -> Octets {
    let start = position
    _ = try read(tag)
    return octets(from: start)
  }

  /// X.690 §8.1.2 and §10.1. After it, the cursor stands behind the element.
  @inlinable @inline(__always)
  mutating func readHeader(
    expecting tag: DERTag?
  ) throws(DERError) -> (tag: DERTag, start: Int, content: Int) {
    let start = position
    guard start < end else { throw DERError(.missing(tag), at: start) }
    let identifier = input[start]
    if identifier & 0x1F == 0x1F { throw DERError(.highTag, at: start) }
    guard end &- start >= 2 else { throw DERError(.truncated, at: start) }
    var content = start &+ 2
    var length = Int(input[start &+ 1])
    if length >= 0x80 { length = try readLongLength(&content) }
    guard length <= end &- content else { throw DERError(.truncated, at: start &+ 1) }
    position = content &+ length
    return (DERTag(rawValue: identifier), start, content)
  }

  /// Reads the octets of a length in the long form, before the first of which `content` stands.
  @inlinable
  func readLongLength(_ content: inout Int) throws(DERError) -> Int {
    let place = content &- 1
    let count = Int(input[place] & 0x7F)
    if count == 0 { throw DERError(.indefiniteLength, at: place) }
    guard count <= end &- content else { throw DERError(.truncated, at: place) }
    if input[content] == 0 { throw DERError(.overlongLength, at: place) }
    // Four octets hold every length below 2 GiB, and a longer form of such a length begins with zero.
    if count > 4 { throw DERError(.excessiveLength, at: place) }
    var length = 0
    for _ in 0..<count {
      length = length << 8 | Int(input[content])
      content &+= 1
    }
    if length < 0x80 { throw DERError(.overlongLength, at: place) }
    if length > Int(Int32.max) { throw DERError(.excessiveLength, at: place) }
    return length
  }
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
  @inlinable
  public var whole: Octets { Octets(unchecked: content.input, start, content.endIndex) }
}
