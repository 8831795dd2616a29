extension DERReader {
  /// Reads a BOOLEAN, which is 00 or FF and nothing else. X.690 §11.1.
  @inlinable
  package mutating func readBoolean(
    _ tag: DERTag = .boolean, in input: [UInt8]
  ) throws(DERError) -> Bool {
    let content = try read(tag, in: input)
    try content.checkBoolean(in: input)
    return input[content.position] == 0xFF
  }

  /// X.690 §11.1, of the content.
  @inlinable
  package func checkBoolean(in input: [UInt8]) throws(DERError) {
    guard count == 1, input[position] == 0x00 || input[position] == 0xFF else {
      throw DERError(.badBoolean, at: position)
    }
  }

  /// Reads an INTEGER of any size and sign; returns its content. X.690 §8.3.
  @inlinable
  package mutating func readInteger(
    _ tag: DERTag = .integer, in input: [UInt8]
  ) throws(DERError) -> DERReader {
    let content = try read(tag, in: input)
    try content.checkInteger(in: input)
    return content
  }

  /// X.690 §8.3.2, of the content: at least one byte, and not nine equal bits at the beginning.
  @inlinable @inline(__always)
  package func checkInteger(in input: [UInt8]) throws(DERError) {
    guard count >= 1 else { throw DERError(.badInteger, at: position) }
    if count == 1 { return }
    let first = input[position]
    let second = input[position &+ 1]
    if (first == 0x00 && second < 0x80) || (first == 0xFF && second >= 0x80) {
      throw DERError(.badInteger, at: position)
    }
  }

  /// Reads an INTEGER from 0 on, of any size; returns its bytes, of which only that of 0 begins with
  /// zero.
  @inlinable
  package mutating func readUnsigned(
    _ tag: DERTag = .integer, in input: [UInt8]
  ) throws(DERError) -> DERReader {
    var content = try readInteger(tag, in: input)
    let first = input[content.position]
    if first >= 0x80 { throw DERError(.integerOutOfRange, at: content.position) }
    if first == 0 && content.count > 1 { content.position &+= 1 }
    return content
  }

  /// Reads an INTEGER from 0 to a highest value. X.690 §8.3.
  @inlinable
  package mutating func readUInt64(
    _ tag: DERTag = .integer, upTo highest: UInt64 = .max, in input: [UInt8]
  ) throws(DERError) -> UInt64 {
    let content = try readUnsigned(tag, in: input)
    var value: UInt64 = 0
    for place in content.range { value = value << 8 | UInt64(input[place]) }
    if content.count > 8 || value > highest {
      throw DERError(.integerOutOfRange, at: content.position)
    }
    return value
  }

  /// Reads a NULL.
  package mutating func readNull(in input: [UInt8]) throws(DERError) {
    let content = try read(.null, in: input)
    guard content.isAtEnd else { throw DERError(.badNull, at: content.position) }
  }

  /// Reads a BIT STRING, whose unused bits must be zero. X.690 §8.6.2 and §11.2.1.
  @inlinable @inline(__always)
  package mutating func readBitString(
    _ tag: DERTag = .bitString, in input: [UInt8]
  ) throws(DERError) -> DERBitString {
    try read(tag, in: input).bitString(in: input)
  }

  /// The same of the content.
  @inlinable @inline(__always)
  package func bitString(in input: [UInt8]) throws(DERError) -> DERBitString {
    guard count >= 1 else { throw DERError(.badBitString, at: position) }
    let unused = input[position]
    let last = input[end &- 1]
    guard unused == 0 || unused < 8 && count > 1 && last & ((1 << unused) &- 1) == 0 else {
      throw DERError(.badBitString, at: position)
    }
    return DERBitString(
      bytes: Bytes(unchecked: input, position &+ 1, end), unusedBits: Int(unused))
  }

  /// Reads a BIT STRING of whole bytes, as keys and signatures are.
  @inlinable
  package mutating func readBitStringOfBytes(in input: [UInt8]) throws(DERError) -> Bytes {
    let string = try readBitString(in: input)
    guard string.unusedBits == 0 else {
      throw DERError(.badBitString, at: string.bytes.startIndex &- 1)
    }
    return string.bytes
  }

  /// Reads an OBJECT IDENTIFIER.
  @inlinable
  package mutating func readOID(
    _ tag: DERTag = .objectIdentifier, in input: [UInt8]
  ) throws(DERError) -> OID {
    try OID(read(tag, in: input), in: input)
  }

  /// Reads a UTCTime or a GeneralizedTime in the forms of RFC 5280 §4.1.2.5.
  package mutating func readTime(in input: [UInt8]) throws(DERError) -> Timestamp {
    let start = position
    let (tag, content) = try readAny(in: input)
    switch tag {
    case .utcTime: return try Timestamp(utcTime: content, in: input)
    case .generalizedTime: return try Timestamp(generalizedTime: content, in: input)
    default: throw DERError(.unexpectedChoice(found: tag), at: start)
    }
  }

  /// Reads a GeneralizedTime, where UTCTime is not allowed.
  package mutating func readGeneralizedTime(in input: [UInt8]) throws(DERError) -> Timestamp {
    try Timestamp(generalizedTime: read(.generalizedTime, in: input), in: input)
  }
}

/// A BIT STRING: bytes, of whose last one some low bits do not count.
@usableFromInline
package struct DERBitString: Sendable, Hashable {
  /// The bytes, without the count of unused bits before them.
  @usableFromInline package let bytes: Bytes

  /// How many low bits of the last byte do not count: 0 to 7, all of them zero.
  @usableFromInline package let unusedBits: Int

  @inlinable
  package init(bytes: Bytes, unusedBits: Int) {
    self.bytes = bytes
    self.unusedBits = unusedBits
  }

  /// Whether a bit is set. Bit 0 is the highest of the first byte; bits beyond the end are not set.
  package subscript(bit: Int) -> Bool {
    guard bit >= 0, bit < bytes.count * 8 else { return false }
    return bytes[bytes.startIndex + bit / 8] & (0x80 >> UInt8(bit % 8)) != 0
  }

  /// Whether the last bit is not set, which X.690 §11.2.2 forbids in a list of named bits.
  package var hasTrailingZeros: Bool {
    bytes.last.map { $0 & (1 << UInt8(unusedBits)) == 0 } ?? false
  }
}

/// Writing of DER, for the few structures that this library makes itself.
package enum DERWriting {
  /// An element from its tag and the parts of its content. X.690 §10.1: the shortest length.
  package static func element(_ tag: DERTag, _ parts: [UInt8]...) -> [UInt8] {
    let count = parts.reduce(0) { $0 + $1.count }
    let length = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> $0) }
      .drop { $0 == 0 }
    var bytes: [UInt8] = [tag.rawValue]
    bytes.reserveCapacity(count + 10)
    if count >= 0x80 { bytes.append(0x80 | UInt8(length.count)) }
    bytes += count == 0 ? [0] : length
    for part in parts { bytes += part }
    return bytes
  }
}
