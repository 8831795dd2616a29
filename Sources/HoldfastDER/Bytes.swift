/// A range of bytes in a larger input.
///
/// Shares the storage of the input and never copies it. Indices are offsets in the input, so
/// `startIndex` is rarely zero. Equality compares the bytes, not their positions.
public struct Bytes: Sendable {
  /// The whole input.
  @usableFromInline package let input: [UInt8]

  @usableFromInline let lower: Int32
  @usableFromInline let upper: Int32

  @inlinable
  package init(unchecked input: [UInt8], _ lower: Int, _ upper: Int) {
    self.input = input
    self.lower = Int32(truncatingIfNeeded: lower)
    self.upper = Int32(truncatingIfNeeded: upper)
  }

  /// Creates a range of all bytes of an array, or of the first 2 GiB.
  @inlinable
  public init(_ input: [UInt8]) {
    self.init(unchecked: input, 0, Swift.min(input.count, Int(Int32.max)))
  }

  /// The range of these bytes in the input.
  @inlinable
  public var range: Range<Int> { Int(lower)..<Int(upper) }

  /// A copy of the bytes.
  package var array: [UInt8] { Array(input[range]) }
}

extension Bytes: RandomAccessCollection {
  /// The offset of the first byte in the input.
  @inlinable public var startIndex: Int { Int(lower) }
  /// The offset after the last byte in the input.
  @inlinable public var endIndex: Int { Int(upper) }
  /// The number of bytes.
  @inlinable public var count: Int { Int(upper) - Int(lower) }
  /// The byte at an offset in the input.
  @inlinable public subscript(position: Int) -> UInt8 { input[position] }
}

extension Bytes: Hashable {
  /// Whether both have the same bytes.
  @inlinable
  public static func == (a: Bytes, b: Bytes) -> Bool {
    a.count == b.count && DERReader(a).equals(DERReader(b), in: a.input, b.input)
  }

  /// Hashes the bytes, eight at a time.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    let bytes = input.span
    var offset = startIndex
    while endIndex &- offset >= 8 {
      hasher.combine(DERReader.word(at: offset, in: bytes))
      offset &+= 8
    }
    var rest: UInt64 = 0
    while offset < endIndex {
      rest = rest << 8 | UInt64(bytes[offset])
      offset &+= 1
    }
    hasher.combine(rest)
  }
}

extension Bytes: CustomStringConvertible {
  /// The bytes in lower-case hexadecimal.
  public var description: String { Hexadecimal.text(of: self) }
}
