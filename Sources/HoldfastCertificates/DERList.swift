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
  /// Parses a value, for callers that place errors themselves; throws if other bytes follow it.
  package init(whole der: [UInt8]) throws(DERError) {
    var reader = DERReader(der)
    var ignored: [EncodingDeviation] = []
    try self.init(&reader, in: der, &ignored)
    try reader.finish()
  }

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

  /// Reads the next element, which was checked.
  @usableFromInline let read: @Sendable (inout DERReader, borrowing [UInt8]) -> Element?

  init(unchecked bytes: Bytes) where Element: DERDecodable {
    self.bytes = bytes
    read = { reader, input in
      var ignored: [EncodingDeviation] = []
      // Cannot fail: the same initializer has already accepted this element.
      return try? Element(&reader, in: input, &ignored)
    }
  }

  /// Reads a SEQUENCE OF with at least one element.
  init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) where Element: DERDecodable {
    let content = try DERList.check(&reader, in: input, &deviations)
    self.init(unchecked: content.rest(in: copy input))
  }

  /// Whether the list is empty.
  @inlinable public var isEmpty: Bool { bytes.isEmpty }

  /// The number of elements, for which the list reads their headers.
  public var count: Int {
    var (reader, count) = (DERReader(bytes), 0)
    // Cannot fail: every element was checked.
    while !reader.isAtEnd, (try? reader.skipAny(in: bytes.input)) != nil { count += 1 }
    return count
  }

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
  package static var empty: DERList { DERList(unchecked: Bytes([])) }

  /// Checks every element of the content of a SEQUENCE OF.
  @inline(__always)
  static func check(
    contentOf content: DERReader, limit: Int = .max, in input: borrowing [UInt8],
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
  }

  /// Reads a SEQUENCE OF with at least one element and returns its content, checked. Keeping that
  /// instead of a list counts no reference.
  static func check(
    _ reader: inout DERReader, limit: Int = .max, in input: borrowing [UInt8],
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> DERReader {
    let content = try reader.readNonEmpty(.sequence, in: input)
    try check(contentOf: content, limit: limit, in: input, &deviations)
    return content
  }

  /// Like `check`, for `[number] IMPLICIT SEQUENCE OF … OPTIONAL`.
  static func checkIfPresent(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ number: UInt8,
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> DERReader? {
    let tag = DERTag.constructedContext(number)
    guard reader.nextTag(in: input) == tag else { return nil }
    let content = try reader.readNonEmpty(tag, in: input)
    try check(contentOf: content, in: input, &deviations)
    return content
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
