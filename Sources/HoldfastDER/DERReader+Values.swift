/// A BIT STRING: octets, of whose last one some low bits do not count.
public struct DERBitString: Sendable, Hashable {
  /// The octets, without the count of unused bits before them.
  public let octets: Octets

  /// How many low bits of the last octet do not count: 0 to 7, all of them zero.
  public let unusedBits: Int

  @inlinable
  init(octets: Octets, unusedBits: Int) {
    self.octets = octets
    self.unusedBits = unusedBits
  }

  /// Whether a bit is set. Bit 0 is the highest of the first octet; bits beyond the end are not set.
  public subscript(bit: Int) -> Bool {
    guard bit >= 0, bit < octets.count * 8 else { return false }
    return octets[octets.startIndex + bit / 8] & (0x80 >> UInt8(bit % 8)) != 0
  }

  /// Whether the last bit is set, as X.690 §11.2.2 asks of a list of named bits.
  public var hasNoTrailingZeros: Bool {
    guard let last = octets.last else { return true }
    return last & (1 << UInt8(unusedBits)) != 0
  }
}

extension DERReader {
  /// Reads a BOOLEAN, which is 00 or FF and nothing else. X.690 §11.1.
  @inlinable
  public mutating func readBoolean() throws(DERError) -> Bool {
    let content = try read(.boolean)
    guard content.end &- content.position == 1 else {
      throw DERError(.badBoolean, at: content.position)
    }
    switch input[content.position] {
    case 0x00: return false
    case 0xFF: return true
    default: throw DERError(.badBoolean, at: content.position)
    }
  }

  /// Reads `BOOLEAN DEFAULT FALSE`: absent means false, and false must be absent. X.690 §11.5.
  @inlinable
  public mutating func readBooleanDefaultFalse() throws(DERError) -> Bool {
    guard nextTag == .boolean else { return false }
    let start = position
    guard try readBoolean() else { throw DERError(.encodedDefault, at: start) }
    return true
  }

  /// Reads an INTEGER of any size and sign: its two's complement in the fewest octets. X.690 §8.3.
  @inlinable
  public mutating func readInteger(_ tag: DERTag = .integer) throws(DERError) -> Octets {
    let content = try readContent(tag)
    try DERReader.checkInteger(content)
    return content
  }

  /// Reads an INTEGER from 0 to a highest value. X.690 §8.3.
  @inlinable
  public mutating func readUInt64(
    _ tag: DERTag = .integer, upTo highest: UInt64 = .max
  ) throws(DERError) -> UInt64 {
    let content = try readInteger(tag)
    var value: UInt64 = 0
    if content.count > 9 || (content.count == 9 && input[content.startIndex] != 0)
      || input[content.startIndex] >= 0x80
    {
      throw DERError(.integerOutOfRange, at: content.startIndex)
    }
    for octet in content { value = value << 8 | UInt64(octet) }
    if value > highest { throw DERError(.integerOutOfRange, at: content.startIndex) }
    return value
  }

  /// Reads a NULL.
  @inlinable
  public mutating func readNull() throws(DERError) {
    let content = try read(.null)
    guard content.isAtEnd else { throw DERError(.badNull, at: content.position) }
  }

  /// Reads a BIT STRING, whose unused bits must be zero. X.690 §8.6.2 and §11.2.1.
  @inlinable
  public mutating func readBitString(_ tag: DERTag = .bitString) throws(DERError) -> DERBitString {
    let content = try read(tag)
    return try DERReader.bitString(inContent: content.rest)
  }

  /// Reads a BIT STRING of whole octets, as keys and signatures are.
  @inlinable
  public mutating func readBitStringOfOctets() throws(DERError) -> Octets {
    let string = try readBitString()
    guard string.unusedBits == 0 else {
      throw DERError(.badBitString, at: string.octets.startIndex &- 1)
    }
    return string.octets
  }

  /// Reads an OCTET STRING.
  @inlinable
  public mutating func readOctetString() throws(DERError) -> Octets {
    try readContent(.octetString)
  }

  /// Reads an OBJECT IDENTIFIER.
  @inlinable
  public mutating func readOID(_ tag: DERTag = .objectIdentifier) throws(DERError) -> OID {
    let content = try read(tag)
    return try OID(content: content.rest)
  }

  /// Reads a UTCTime or a GeneralizedTime in the forms of RFC 5280 §4.1.2.5.
  public mutating func readTime() throws(DERError) -> Timestamp {
    let element = try readElement()
    switch element.tag {
    case .utcTime: return try Timestamp(utcTime: element.content)
    case .generalizedTime: return try Timestamp(generalizedTime: element.content)
    default: throw DERError(.unexpectedChoice(found: element.tag), at: element.start)
    }
  }
}

/// The rules on the content of a value, apart from any tag.
extension DERReader {
  /// X.690 §8.3.2: at least one octet, and not nine equal bits at the beginning.
  @inlinable
  package static func checkInteger(_ content: Octets) throws(DERError) {
    let start = content.startIndex
    guard content.count >= 1 else { throw DERError(.badInteger, at: start) }
    if content.count == 1 { return }
    let first = content.input[start]
    let second = content.input[start &+ 1]
    if (first == 0x00 && second < 0x80) || (first == 0xFF && second >= 0x80) {
      throw DERError(.badInteger, at: start)
    }
  }

  /// X.690 §8.6.2 and §11.2.1.
  @inlinable
  package static func bitString(inContent content: Octets) throws(DERError) -> DERBitString {
    let start = content.startIndex
    guard content.count >= 1 else { throw DERError(.badBitString, at: start) }
    let unused = content.input[start]
    let octets = Octets(unchecked: content.input, start &+ 1, content.endIndex)
    if unused == 0 { return DERBitString(octets: octets, unusedBits: 0) }
    guard unused < 8, octets.count > 0,
      content.input[content.endIndex &- 1] & ((1 << unused) &- 1) == 0
    else { throw DERError(.badBitString, at: start) }
    return DERBitString(octets: octets, unusedBits: Int(unused))
  }
}
