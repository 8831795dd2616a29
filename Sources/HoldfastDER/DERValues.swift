extension DERReader {
  /// Reads a BOOLEAN, which must be 00 or FF. X.690 §11.1.
  @inlinable
  package mutating func readBoolean(
    _ tag: DERTag = .boolean, in input: [UInt8]
  ) throws(DERError) -> Bool {
    let content = try read(tag, in: input)
    try content.checkBoolean(in: input)
    return input[content.position] == 0xFF
  }

  /// Checks the content of a BOOLEAN. X.690 §11.1.
  @inlinable
  package func checkBoolean(in input: [UInt8]) throws(DERError) {
    guard count == 1, input[position] == 0x00 || input[position] == 0xFF else {
      throw DERError(.badBoolean, at: position)
    }
  }

  /// Reads an INTEGER of any size and sign, and returns its content. X.690 §8.3.
  @inlinable
  package mutating func readInteger(
    _ tag: DERTag = .integer, in input: [UInt8]
  ) throws(DERError) -> DERReader {
    let content = try read(tag, in: input)
    try content.checkInteger(in: input)
    return content
  }

  /// Checks the content of an INTEGER: at least one byte, and the first nine bits not equal.
  /// X.690 §8.3.2.
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

  /// Reads a non-negative INTEGER of any size, and returns its bytes without leading zeros; one
  /// zero byte for 0.
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

  /// Reads an INTEGER between 0 and a maximum. X.690 §8.3.
  @inlinable
  package mutating func readUInt64(
    _ tag: DERTag = .integer, upTo highest: UInt64 = .max, in input: [UInt8]
  ) throws(DERError) -> UInt64 {
    let content = try readUnsigned(tag, in: input)
    var value: UInt64 = 0
    for offset in content.range { value = value << 8 | UInt64(input[offset]) }
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

  /// Reads the content of a BIT STRING.
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

  /// Reads a BIT STRING without unused bits, such as a key or signature.
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

  /// Moves past an OBJECT IDENTIFIER and checks it. Inlined, so that its value is not made.
  @inlinable @inline(__always)
  package mutating func checkOID(in input: [UInt8]) throws(DERError) {
    _ = try OID(read(.objectIdentifier, in: input), in: input)
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

/// A BIT STRING: bytes, and the number of low bits of the last byte that are unused.
@usableFromInline
package struct DERBitString: Sendable, Hashable {
  /// The bytes, without the preceding unused-bits byte.
  @usableFromInline package let bytes: Bytes

  /// The number of unused low bits of the last byte: 0 to 7, all of them zero.
  @usableFromInline package let unusedBits: Int

  @inlinable
  package init(bytes: Bytes, unusedBits: Int) {
    self.bytes = bytes
    self.unusedBits = unusedBits
  }

  /// Whether a bit is set. Bit 0 is the highest of the first byte; none is set after the end.
  package subscript(bit: Int) -> Bool {
    guard bit >= 0, bit < bytes.count * 8 else { return false }
    return bytes[bytes.startIndex + bit / 8] & (0x80 >> UInt8(bit % 8)) != 0
  }

  /// Whether the last used bit is zero, which X.690 §11.2.2 forbids in a list of named bits.
  package var hasTrailingZeros: Bool {
    bytes.last.map { $0 & (1 << UInt8(unusedBits)) == 0 } ?? false
  }
}

/// DER encoding, for the few structures that this library creates.
package enum DERWriting {
  /// Returns an element with a tag and the concatenated parts as content. X.690 §10.1: the length
  /// is in its shortest form.
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

  /// Returns an INTEGER that is not negative, with its tag.
  package static func integer(_ tag: DERTag, _ value: UInt64) -> [UInt8] {
    let bytes = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    let digits = bytes.drop { $0 == 0 }
    return element(tag, digits.first.map { $0 < 0x80 } == true ? [] : [0], Array(digits))
  }
}
