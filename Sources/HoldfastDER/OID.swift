/// An object identifier, as the content bytes of its encoding.
///
/// It stores the bytes inline and does not reference the input. Equality compares the bytes.
public struct OID: Sendable {
  /// The content bytes, in big-endian words, followed by zeros. The lowest byte of the last word is
  /// the number of bytes.
  @usableFromInline var words: [6 of UInt64]

  /// The maximum number of bytes. The longest identifiers in use have about 40: certificate
  /// templates below 1.3.6.1.4.1.311.21.8.
  @inlinable package static var maximumLength: Int { 47 }

  /// Creates an identifier from the content of its encoding. X.690 §8.19.
  package init(content: Bytes) throws(DERError) {
    try self.init(DERReader(content), in: content.input)
  }

  /// Creates an identifier from a reader of the content of its encoding.
  @inlinable @inline(__always)
  package init(_ content: DERReader, in input: borrowing [UInt8]) throws(DERError) {
    let count = content.count
    guard 1...OID.maximumLength ~= count else {
      throw DERError(.badObjectIdentifier, at: content.position)
    }
    let bytes = input.span
    // All words are written together: a wide load after narrow stores would stall the processor.
    let first = OID.word(0, of: content, in: bytes)
    var padding = OID.padding(in: first, after: 0)
    if count <= 8 {
      words = [first, 0, 0, 0, 0, UInt64(truncatingIfNeeded: count)]
    } else {
      let second = OID.word(1, of: content, in: bytes)
      padding |= OID.padding(in: second, after: first)
      if count <= 16 {
        words = [first, second, 0, 0, 0, UInt64(truncatingIfNeeded: count)]
      } else {
        let third = OID.word(2, of: content, in: bytes)
        let fourth = OID.word(3, of: content, in: bytes)
        let fifth = OID.word(4, of: content, in: bytes)
        let sixth = OID.word(5, of: content, in: bytes)
        padding |= OID.padding(in: third, after: second) | OID.padding(in: fourth, after: third)
        padding |= OID.padding(in: fifth, after: fourth) | OID.padding(in: sixth, after: fifth)
        words = [
          first, second, third, fourth, fifth, sixth | UInt64(truncatingIfNeeded: count),
        ]
      }
    }
    guard padding == 0, bytes[content.end &- 1] < 0x80 else {
      throw OID.error(in: content, bytes)
    }
  }

  /// Returns the high bits of the bytes in a word that are the redundant first byte of an arc: a
  /// byte 80 that does not follow a byte of 80 or more, in this word or at the end of the previous
  /// one.
  @inlinable @inline(__always)
  static func padding(in word: UInt64, after previous: UInt64) -> UInt64 {
    let high: UInt64 = 0x8080_8080_8080_8080
    let follows = (word >> 8 | previous << 56) & high
    let hasLowBits = (word & ~high) &+ ~high
    return word & high & ~hasLowBits & ~follows
  }

  /// Returns the error of content that is not an identifier. X.690 §8.19.2: the last byte of an arc
  /// is below 80, and the first is not 80, since the encoding is the shortest.
  @usableFromInline
  static func error(in content: DERReader, _ bytes: Span<UInt8>) -> DERError {
    let last = content.end &- 1
    let padding = content.range.first { offset in
      bytes[offset] == 0x80 && (offset == content.position || bytes[offset &- 1] < 0x80)
    }
    return DERError(.badObjectIdentifier, at: bytes[last] < 0x80 ? padding ?? last : last)
  }

  /// Returns eight bytes of the content as a big-endian word, with zeros for bytes after the end.
  @inlinable @inline(__always)
  static func word(_ index: Int, of content: DERReader, in bytes: Span<UInt8>) -> UInt64 {
    let offset = content.position &+ 8 &* index
    guard offset < content.end else { return 0 }
    if offset &+ 8 <= bytes.count {
      let unused = UInt64(truncatingIfNeeded: max(offset &+ 8 &- content.end, 0) &* 8)
      return (DERReader.word(at: offset, in: bytes) &>> unused) &<< unused
    }
    var word: UInt64 = 0
    for offset in offset..<offset &+ 8 {
      word = word << 8 | (offset < content.end ? UInt64(bytes[offset]) : 0)
    }
    return word
  }

  /// Creates an identifier from its dotted text. Returns nil unless the text has at least two arcs
  /// without leading zeros, each below 2^64, the first at most 2, the second below 40 if the first
  /// is not 2.
  public init?(_ text: String) {
    var content = Content()
    var arc: UInt64?
    for byte in text.utf8 {
      if byte == 0x2E {
        guard let whole = arc, content.append(whole) else { return nil }
        arc = nil
      } else {
        // A number that begins with zero has no second digit.
        guard 0x30...0x39 ~= byte, arc != 0 else { return nil }
        let (tenfold, isTooLarge) = (arc ?? 0).multipliedReportingOverflow(by: 10)
        let (sum, isLargerStill) = tenfold.addingReportingOverflow(UInt64(byte - 0x30))
        guard !isTooLarge, !isLargerStill else { return nil }
        arc = sum
      }
    }
    guard let whole = arc, content.append(whole), content.arcs >= 2 else { return nil }
    words = content.words
    words[5] |= UInt64(truncatingIfNeeded: content.count)
  }

  /// The content bytes of the arcs so far. A program that verifies one chain needs some ninety
  /// identifiers, so that arrays of arcs and digits were a fifth of its instructions.
  private struct Content {
    var words = [6 of UInt64](repeating: 0)
    var count = 0
    var arcs = 0
    private var first: UInt64 = 0

    /// Adds an arc; false if it cannot be one. X.690 §8.19.4: the first two are one number.
    mutating func append(_ arc: UInt64) -> Bool {
      arcs += 1
      guard arcs > 1 else {
        first = arc
        return arc <= 2
      }
      var number = arc
      if arcs == 2 {
        guard first == 2 || arc < 40, arc <= UInt64.max - 80 else { return false }
        number += 40 * first
      }
      let digits = max((70 - number.leadingZeroBitCount) / 7, 1)
      guard digits <= OID.maximumLength - count else { return false }
      for digit in (0..<digits).reversed() {
        let byte = number >> UInt64(7 * digit) & 0x7F | (digit > 0 ? 0x80 : 0)
        words[count >> 3] |= byte << UInt64(56 - 8 * (count & 7))
        count += 1
      }
      return true
    }
  }

  /// The number of content bytes.
  var count: Int { Int(words[5] & 0xFF) }

  /// The content bytes of its encoding.
  public var content: [UInt8] {
    (0..<count).map { (index: Int) -> UInt8 in
      let shift = UInt64((7 - index & 7) * 8)
      return UInt8(truncatingIfNeeded: words[index >> 3] >> shift)
    }
  }

  /// A hash that, unlike `hashValue`, is the same in every process, so indices can use it.
  package var matchingHash: UInt64 {
    var hash: UInt64 = 0
    for index in 0..<6 { hash = (hash ^ words[index]) &* 0x9E37_79B9_7F4A_7C15 }
    return hash
  }
}

extension OID: ExpressibleByStringLiteral {
  /// Creates an identifier from its dotted text in source code: `"2.5.29.17"`.
  public init(stringLiteral text: StaticString) {
    guard let oid = OID(text.description) else { preconditionFailure("not an object identifier") }
    self = oid
  }
}

extension OID: Hashable {
  /// Whether both are the same identifier.
  @inlinable
  public static func == (a: OID, b: OID) -> Bool {
    if a.words[0] != b.words[0] { return false }
    var difference: UInt64 = 0
    for index in 1..<6 { difference |= a.words[index] ^ b.words[index] }
    return difference == 0
  }

  /// Whether the bytes come before those of another; of two that begin alike, the shorter is first.
  package func precedes(_ other: OID) -> Bool {
    for index in 0..<6 where words[index] != other.words[index] {
      return words[index] < other.words[index]
    }
    return false
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(words[5])
    for index in 0..<min((count + 7) / 8, 5) { hasher.combine(words[index]) }
  }
}

/// A registry that maps object identifiers to values: a hash table that is built once.
///
/// To read a certificate takes some fifteen look-ups. Each would take eight times as long in a
/// Dictionary, and they would take longer than all other reading.
@usableFromInline
package struct OIDTable<Value: Sendable>: Sendable {
  @usableFromInline let oids: [OID]
  @usableFromInline let values: [Value]
  /// For each slot, the number of its row, from 1, or 0 if it is free. At least half are free.
  @usableFromInline let slots: [UInt8]

  /// Creates a table of at most 255 rows. If rows have the same identifier, the first one counts.
  @inlinable
  package init(_ rows: [(OID, Value)]) {
    var size = 16
    while size < 2 * rows.count { size *= 2 }
    var slots = [UInt8](repeating: 0, count: size)
    for (index, row) in rows.enumerated() {
      var slot = OIDTable.slot(row.0) & (size - 1)
      while slots[slot] > 0 { slot = (slot + 1) & (size - 1) }
      slots[slot] = UInt8(truncatingIfNeeded: index + 1)
    }
    oids = rows.map { $0.0 }
    values = rows.map { $0.1 }
    self.slots = slots
  }

  /// The value of an identifier; nil if it is not in the table.
  @inlinable
  package subscript(oid: OID) -> Value? {
    var slot = OIDTable.slot(oid) & (slots.count &- 1)
    while slots[slot] > 0 {
      let row = Int(slots[slot]) &- 1
      if oids[row] == oid { return values[row] }
      slot = (slot &+ 1) & (slots.count &- 1)
    }
    return nil
  }

  /// Returns a hash of the first sixteen bytes, in which registered identifiers differ.
  @inlinable @inline(__always)
  static func slot(_ oid: OID) -> Int {
    let mixed = (oid.words[0] ^ oid.words[1] &* 3) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 40)
  }
}

extension OID: CustomStringConvertible {
  /// The arcs in decimal, joined by dots; also arcs of more than 64 bits, which occur below 2.25.
  public var description: String {
    // X.690 §8.19: numbers in base 128; the first is 40 times the first arc plus the second.
    let top = min(Int(words[0] >> 56) / 40, 2)
    var arcs = ["\(top)"]
    // The decimal digits of the current number, the lowest first.
    var digits = [0]
    for byte in content {
      var carry = Int(byte & 0x7F)
      if byte < 0x80, arcs.count == 1 { carry -= 40 * top }
      for index in digits.indices {
        let sum = digits[index] * 128 + carry
        carry = (sum < 0 ? sum - 9 : sum) / 10
        digits[index] = sum - 10 * carry
      }
      while carry > 0 {
        digits.append(carry % 10)
        carry /= 10
      }
      guard byte < 0x80 else { continue }
      arcs.append(digits.reversed().map { "\($0)" }.joined())
      digits = [0]
    }
    return arcs.joined(separator: ".")
  }
}
