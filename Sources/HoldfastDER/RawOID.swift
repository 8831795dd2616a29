/// An object identifier as it is read, without a reference to the input.
///
/// Reading goes by this type: it is copied without counting references. What users see is an `OID`.
@usableFromInline
package struct RawOID: Sendable {
  /// The words of an `OID`.
  @usableFromInline package let high: UInt64
  @usableFromInline package let low: UInt64
  /// All octets.
  @usableFromInline package let content: DERCursor

  /// Reads the content octets of an identifier. X.690 §8.19.
  @inlinable @inline(__always)
  package init(_ content: DERCursor, in input: borrowing [UInt8]) throws(DERError) {
    self.content = content
    let count = content.count
    if count <= 8, count >= 1, input.count &- content.position >= 8 {
      // The octets beyond the end are shifted out.
      let word = DERCursor.word(at: content.position, in: input.span)
      let unused = UInt64(truncatingIfNeeded: 64 &- count &* 8)
      if RawOID.isMinimal((word &>> unused) &<< unused), word &>> unused & 0x80 == 0 {
        high = (word &>> unused) &<< unused
        low = UInt64(truncatingIfNeeded: count)
        return
      }
    }
    if count >= 9, count <= 15 {
      // The last eight octets overlap the first, so every octet is seen after the one before it.
      let first = DERCursor.word(at: content.position, in: input.span)
      let last = DERCursor.word(at: content.end &- 8, in: input.span)
      if RawOID.isMinimal(first), RawOID.isMinimal(last), last & 0x80 == 0 {
        high = first
        low =
          last &<< UInt64(truncatingIfNeeded: 128 &- count &* 8)
          | UInt64(truncatingIfNeeded: count)
        return
      }
    }
    (high, low) = try OID.words(content, in: input)
  }

  /// Whether no arc begins with seven zero bits: no 80 after an octet below 80. X.690 §8.19.2.
  @inlinable @inline(__always)
  static func isMinimal(_ word: UInt64) -> Bool {
    let tops: UInt64 = 0x8080_8080_8080_8080
    let more = word & tops
    // The top bit of each octet whose lower bits are zero.
    let empty = ~((word & ~tops) &+ ~tops) & tops
    return empty & more & ~(more >> 8) == 0
  }

  /// Whether this is an identifier of at most 15 octets, as all that this library knows are.
  @inlinable @inline(__always)
  package static func == (a: RawOID, b: OID) -> Bool { a.high == b.high && a.low == b.low }

  /// The same, for `switch`.
  @inlinable @inline(__always)
  package static func ~= (pattern: OID, value: RawOID) -> Bool { value == pattern }
}

extension RawOID {
  /// See `OID.matchingHash`.
  package func matchingHash(in input: [UInt8]) -> UInt64 {
    low & 0xFF <= 15 ? OID.mix(high, low) : OID(self, in: input).matchingHash
  }

  /// Whether both are the same identifier, each in its own input.
  package func equals(_ other: RawOID, in input: [UInt8], _ otherInput: [UInt8]) -> Bool {
    guard high == other.high, low == other.low else { return false }
    return low & 0xFF <= 15 || content.rest(in: input) == other.content.rest(in: otherInput)
  }
}

extension OID {
  /// The identifier for users.
  @inlinable
  package init(_ raw: RawOID, in input: borrowing [UInt8]) {
    high = raw.high
    low = raw.low
    long = raw.low & 0xFF <= 15 ? nil : raw.content.rest(in: input)
  }
}
