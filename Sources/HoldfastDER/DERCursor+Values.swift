extension DERCursor {
  /// Reads a BOOLEAN, which is 00 or FF and nothing else. X.690 §11.1.
  @inlinable
  package mutating func readBoolean(in input: [UInt8]) throws(DERError) -> Bool {
    let content = try read(.boolean, in: input)
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

  /// Reads `BOOLEAN DEFAULT FALSE`. X.690 §11.5.
  @inlinable @inline(__always)
  package mutating func readBooleanDefaultFalse(in input: [UInt8]) throws(DERError) -> Bool {
    guard nextTag(in: input) == .boolean else { return false }
    let start = position
    guard try readBoolean(in: input) else { throw DERError(.encodedDefault, at: start) }
    return true
  }

  /// Reads an INTEGER of any size and sign. X.690 §8.3.
  @inlinable
  package mutating func readInteger(
    _ tag: DERTag = .integer, in input: [UInt8]
  ) throws(DERError) -> Octets {
    try readIntegerCursor(tag, in: input).rest(in: input)
  }

  /// X.690 §8.3.2: at least one octet, and not nine equal bits at the beginning.
  @inlinable
  package mutating func readIntegerCursor(
    _ tag: DERTag, in input: [UInt8]
  ) throws(DERError) -> DERCursor {
    let content = try read(tag, in: input)
    try content.checkInteger(in: input)
    return content
  }

  /// X.690 §8.3.2, of the content.
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

  /// Reads an INTEGER from 0 to a highest value. X.690 §8.3.
  @inlinable
  package mutating func readUInt64(
    _ tag: DERTag = .integer, upTo highest: UInt64 = .max, in input: [UInt8]
  ) throws(DERError) -> UInt64 {
    var content = try readIntegerCursor(tag, in: input)
    let start = content.position
    if content.count > 9 || (content.count == 9 && input[start] != 0) || input[start] >= 0x80 {
      throw DERError(.integerOutOfRange, at: start)
    }
    var value: UInt64 = 0
    while !content.isAtEnd {
      value = value << 8 | UInt64(input[content.position])
      content.position &+= 1
    }
    if value > highest { throw DERError(.integerOutOfRange, at: start) }
    return value
  }

  /// Reads a NULL.
  @inlinable
  package mutating func readNull(in input: [UInt8]) throws(DERError) {
    let content = try read(.null, in: input)
    guard content.isAtEnd else { throw DERError(.badNull, at: content.position) }
  }

  /// Reads a BIT STRING, whose unused bits must be zero. X.690 §8.6.2 and §11.2.1.
  @inlinable
  package mutating func readBitString(
    _ tag: DERTag = .bitString, in input: [UInt8]
  ) throws(DERError) -> DERBitString {
    let bits = try readRawBitString(tag, in: input)
    return DERBitString(octets: bits.octets.rest(in: input), unusedBits: bits.unusedBits)
  }

  /// The same without a reference to the input.
  @inlinable @inline(__always)
  package mutating func readRawBitString(
    _ tag: DERTag = .bitString, in input: [UInt8]
  ) throws(DERError) -> (octets: DERCursor, unusedBits: Int) {
    try read(tag, in: input).bitString(in: input)
  }

  /// The same of the content.
  @inlinable @inline(__always)
  package func bitString(
    in input: [UInt8]
  ) throws(DERError) -> (octets: DERCursor, unusedBits: Int) {
    guard count >= 1 else { throw DERError(.badBitString, at: position) }
    let unused = input[position]
    let octets = DERCursor(unchecked: position &+ 1, end)
    if unused == 0 { return (octets, 0) }
    guard unused < 8, count > 1, input[end &- 1] & ((1 << unused) &- 1) == 0 else {
      throw DERError(.badBitString, at: position)
    }
    return (octets, Int(unused))
  }

  /// Reads a BIT STRING of whole octets, as keys and signatures are.
  @inlinable
  package mutating func readBitStringOfOctets(in input: [UInt8]) throws(DERError) -> Octets {
    let string = try readBitString(in: input)
    guard string.unusedBits == 0 else {
      throw DERError(.badBitString, at: string.octets.startIndex &- 1)
    }
    return string.octets
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
}
