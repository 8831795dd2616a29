public import HoldfastDER

/// A value that can be parsed from DER. One initializer checks the bytes and creates the value.
package protocol DERDecodable: Sendable, Hashable {
  /// Reads the value; throws if the bytes do not encode one, and records accepted deviations.
  init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError)

  /// Checks a value as the initializer does, without creating it.
  static func check(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError)
}

extension DERDecodable {
  @inline(__always)
  package static func check(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    _ = try Self(&reader, in: input, &deviations)
  }
}

/// The elements of a SEQUENCE OF inside a larger structure, read in place.
///
/// Parsing the structure checked every element, so none can fail; each access parses its element
/// again. The list allocates nothing. An index is the offset of an element in the input.
public struct DERList<Element: Sendable & Hashable>: Sendable, Collection {
  /// The concatenated elements, without a header.
  @usableFromInline package let bytes: Bytes

  /// The number of elements.
  public let count: Int

  /// Reads the next element, which was checked.
  @usableFromInline let read: @Sendable (inout DERReader, borrowing [UInt8]) -> Element?

  init(unchecked bytes: Bytes, count: Int) where Element: DERDecodable {
    self.bytes = bytes
    self.count = count
    read = { reader, input in
      var ignored: [EncodingDeviation] = []
      // Cannot fail: the same initializer has already accepted this element.
      return try? Element(&reader, in: input, &ignored)
    }
  }

  init(_ offsets: Offsets, in input: borrowing [UInt8]) where Element: DERDecodable {
    self.init(unchecked: offsets.content.rest(in: copy input), count: offsets.count)
  }

  /// Reads a SEQUENCE OF with at least one element.
  init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) where Element: DERDecodable {
    self.init(try Offsets(&reader, in: input, &deviations), in: input)
  }

  /// A list that was read and checked, without its bytes: storing it counts no reference.
  @usableFromInline
  struct Offsets: Sendable {
    @usableFromInline let content: DERReader
    @usableFromInline let count: Int

    static var empty: Offsets { Offsets(unchecked: .empty, count: 0) }

    init(unchecked content: DERReader, count: Int) { (self.content, self.count) = (content, count) }
  }

  /// Whether the list is empty.
  @inlinable public var isEmpty: Bool { count == 0 }
  /// The offset of the first element in the input.
  @inlinable public var startIndex: Int { bytes.startIndex }
  /// The offset after the last element in the input.
  @inlinable public var endIndex: Int { bytes.endIndex }

  /// Returns the offset of the next element.
  @inlinable
  public func index(after offset: Int) -> Int {
    var iterator = Iterator(self, DERReader(unchecked: offset, bytes.endIndex))
    _ = iterator.next()
    return iterator.reader.position
  }

  /// Returns the element at an index. The index must be one of `indices`, the offsets at which
  /// elements begin; any other is a programming error and traps.
  @inlinable
  public subscript(offset: Int) -> Element {
    precondition(startIndex <= offset && offset < endIndex, "not an index of the list")
    var iterator = Iterator(self, DERReader(unchecked: offset, bytes.endIndex))
    guard let element = iterator.next() else {
      // Parsing the list checked the element at every valid index.
      preconditionFailure("not an index of the list")
    }
    return element
  }

  /// Returns an iterator that parses one element at a time.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(self, DERReader(bytes)) }

  /// Parses one element of a list at a time.
  public struct Iterator: IteratorProtocol, Sendable {
    @usableFromInline let input: [UInt8]
    @usableFromInline let read: @Sendable (inout DERReader, borrowing [UInt8]) -> Element?
    @usableFromInline var reader: DERReader

    @inlinable
    init(_ list: DERList, _ reader: DERReader) {
      (input, read, self.reader) = (list.bytes.input, list.read, reader)
    }

    /// Returns the next element.
    @inlinable
    public mutating func next() -> Element? {
      reader.isAtEnd ? nil : read(&reader, input)
    }
  }
}

extension DERList where Element: DERDecodable {
  /// An empty list.
  package static var empty: DERList { DERList(.empty, in: []) }
}

extension DERList.Offsets where Element: DERDecodable {
  /// Reads and checks every element of the content of a SEQUENCE OF.
  @inline(__always)
  init(
    _ content: DERReader, limit: Int = .max, in input: borrowing [UInt8],
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var reader = content
    var count = 0
    while !reader.isAtEnd {
      let offset = reader.position
      try Element.check(&reader, in: input, &deviations)
      guard count < limit else { throw DERError(.tooMany(limit: limit), at: offset) }
      count &+= 1
    }
    self.init(unchecked: content, count: count)
  }

  /// Reads a SEQUENCE OF with at least one element.
  init(
    _ reader: inout DERReader, limit: Int = .max, in input: borrowing [UInt8],
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    let content = try reader.readNonEmpty(.sequence, in: input)
    try self.init(content, limit: limit, in: input, &deviations)
  }

  /// Reads `[number] IMPLICIT SEQUENCE OF … OPTIONAL` with at least one element.
  static func readIfPresent(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ number: UInt8,
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> Self? {
    let tag = DERTag.constructedContext(number)
    guard reader.nextTag(in: input) == tag else { return nil }
    return try Self(reader.readNonEmpty(tag, in: input), in: input, &deviations)
  }
}

extension DERList: Hashable {
  /// Whether both have the same elements.
  public static func == (a: DERList, b: DERList) -> Bool { a.bytes == b.bytes }

  /// Hashes the bytes of the elements.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension DERList: CustomStringConvertible {
  /// `DNS:example.com, IP:192.0.2.1`.
  public var description: String { map { "\($0)" }.joined(separator: ", ") }
}

extension OID: DERDecodable {
  /// Reads an OBJECT IDENTIFIER.
  package init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    self = try reader.readOID(in: input)
  }
}
