/// An object identifier: the octets of its encoding.
///
/// Up to 15 octets, which is nearly all there are, it needs no memory of its own. Two are equal when
/// their octets are.
public struct OID: Sendable {
  /// The octets 1 to 8, and the octets 9 to 15 with the count in the lowest octet.
  @usableFromInline let high: UInt64
  @usableFromInline let low: UInt64
  /// All octets, if there are more than 15.
  @usableFromInline let long: Octets?

  /// The most octets that an identifier may have. The longest in use has 17 octets after 2.25.
  public static let longestContent = 64

  @inlinable
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
    self.long = nil
  }

  /// The identifier from the content octets of its encoding. X.690 §8.19.
  public init(content: Octets) throws(DERError) {
    try self.init(DERCursor(content), in: content.input)
  }

  /// The identifier from a cursor over the content octets of its encoding.
  @inlinable
  package init(_ content: DERCursor, in input: borrowing [UInt8]) throws(DERError) {
    self.init(try RawOID(content, in: input), in: input)
  }

  /// X.690 §8.19.2: an arc has the fewest octets, so none begins with seven zero bits.
  @usableFromInline
  static func words(
    _ content: DERCursor, in input: [UInt8]
  ) throws(DERError) -> (high: UInt64, low: UInt64) {
    let start = content.position
    let count = content.count
    guard count >= 1, count <= OID.longestContent else {
      throw DERError(.badObjectIdentifier, at: start)
    }
    var high: UInt64 = 0
    var low: UInt64 = 0
    var previous: UInt8 = 0
    for index in 0..<count {
      let octet = input[start &+ index]
      if octet == 0x80 && previous < 0x80 {
        throw DERError(.badObjectIdentifier, at: start &+ index)
      }
      previous = octet
      if index < 8 {
        high |= UInt64(octet) << UInt64(56 &- index &* 8)
      } else if index < 15 {
        low |= UInt64(octet) << UInt64(120 &- index &* 8)
      }
    }
    guard previous < 0x80 else { throw DERError(.badObjectIdentifier, at: content.end &- 1) }
    return (high, low | UInt64(count))
  }

  /// The identifier from its dotted text, or nil if that is not one: two arcs at least, no leading
  /// zeros, the first 0 to 2, the second below 40 unless the first is 2, each below 2^64.
  public init?(_ text: String) {
    var arcs: [UInt64] = []
    for part in text.utf8.split(separator: 0x2E, omittingEmptySubsequences: false) {
      guard let first = part.first, first != 0x30 || part.count == 1 else { return nil }
      var arc: UInt64 = 0
      for character in part {
        guard 0x30...0x39 ~= character else { return nil }
        let (tenfold, over) = arc.multipliedReportingOverflow(by: 10)
        let (sum, carry) = tenfold.addingReportingOverflow(UInt64(character - 0x30))
        guard !over, !carry else { return nil }
        arc = sum
      }
      arcs.append(arc)
    }
    guard arcs.count >= 2, arcs[0] <= 2, arcs[0] == 2 || arcs[1] < 40 else { return nil }
    guard arcs[1] <= UInt64.max - 80 else { return nil }
    var content: [UInt8] = []
    for arc in [arcs[0] * 40 + arcs[1]] + arcs[2...] {
      var shift = 63
      while shift > 0 && arc >> UInt64(shift) == 0 { shift -= 7 }
      while shift > 0 {
        content.append(0x80 | UInt8(truncatingIfNeeded: arc >> UInt64(shift) & 0x7F))
        shift -= 7
      }
      content.append(UInt8(truncatingIfNeeded: arc & 0x7F))
    }
    do throws(DERError) { try self.init(content: Octets(content)) } catch { return nil }
  }

  /// A number for indices that, unlike a hash value, is the same in every process.
  package var matchingHash: UInt64 {
    var hash = OID.mix(high, low)
    if let long { for octet in long { hash = (hash ^ UInt64(octet)) &* 0x0000_0100_0000_01B3 } }
    return hash
  }

  static func mix(_ high: UInt64, _ low: UInt64) -> UInt64 {
    high &* 0x9E37_79B9_7F4A_7C15 ^ low
  }

  /// The content octets of its encoding.
  public var content: [UInt8] {
    if let long { return long.array }
    return (0..<Int(low & 0x0F)).map { index in
      let word = index < 8 ? high : low
      return UInt8(truncatingIfNeeded: word >> UInt64((7 - index % 8) * 8))
    }
  }
}

extension OID: Hashable {
  /// Whether both are the same identifier.
  @inlinable @inline(__always)
  public static func == (a: OID, b: OID) -> Bool {
    a.high == b.high && a.low == b.low && (a.low & 0xFF <= 15 || a.long == b.long)
  }

  /// Feeds the octets to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(high)
    hasher.combine(low)
  }
}

extension OID: CustomStringConvertible {
  /// The arcs in decimal, joined by dots; arcs beyond 64 bits too, as 2.25 has them.
  public var description: String {
    var text = ""
    var arc: [UInt8] = [0]
    var isFirst = true
    for octet in content {
      OID.shiftIn(octet & 0x7F, to: &arc)
      guard octet < 0x80 else { continue }
      if isFirst {
        let value = arc.reversed().reduce(0) { min($0, 1000) * 10 + Int($1) }
        let top = min(value / 40, 2)
        OID.subtract(UInt8(top * 40), from: &arc)
        text = String(top)
        isFirst = false
      }
      text += "."
      for digit in arc.reversed() { text += String(digit) }
      arc = [0]
    }
    return text
  }

  /// Multiplies a decimal number, lowest digit first, by 128 and adds a value.
  private static func shiftIn(_ value: UInt8, to digits: inout [UInt8]) {
    var carry = Int(value)
    for index in digits.indices {
      carry += Int(digits[index]) * 128
      digits[index] = UInt8(carry % 10)
      carry /= 10
    }
    while carry > 0 {
      digits.append(UInt8(carry % 10))
      carry /= 10
    }
  }

  /// Takes a value that is not larger from a decimal number, lowest digit first.
  private static func subtract(_ value: UInt8, from digits: inout [UInt8]) {
    var rest = Int(value)
    for index in digits.indices where rest > 0 {
      var digit = Int(digits[index]) - rest % 10
      rest /= 10
      if digit < 0 {
        digit += 10
        rest += 1
      }
      digits[index] = UInt8(digit)
    }
    while digits.count > 1 && digits.last == 0 { digits.removeLast() }
  }
}
