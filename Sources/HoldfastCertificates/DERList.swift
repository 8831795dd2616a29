public import HoldfastDER

/// A value that can be read from DER: the same initialiser checks the bytes and makes the value.
public protocol DERDecodable: Sendable, Hashable {
  /// Reads the value, and refuses bytes that are none; notes deviations that are read all the same.
  init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError)
}

/// The elements of a SEQUENCE OF inside a larger structure, read where they are.
///
/// All elements were read when the structure was, so none fails; each is made again when it is asked
/// for. The list needs no memory of its own. An index is the place of an element in the input.
public struct DERList<Element: DERDecodable>: Sendable, Hashable, Collection {
  /// The elements, without a header around them.
  @usableFromInline package let bytes: Bytes

  /// The number of elements.
  public let count: Int

  @inlinable
  package init(unchecked bytes: Bytes, count: Int) {
    self.bytes = bytes
    self.count = count
  }

  /// A list without elements.
  package static var empty: DERList { DERList(unchecked: Bytes([]), count: 0) }

  /// Reads every element of the content of a SEQUENCE OF.
  @inline(__always)
  init(
    _ content: DERReader, limit: Int = .max, in input: borrowing [UInt8],
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var reader = content
    var count = 0
    while !reader.isAtEnd {
      let place = reader.position
      _ = try Element(&reader, in: input, &deviations)
      guard count < limit else { throw DERError(.tooMany(limit: limit), at: place) }
      count &+= 1
    }
    self.init(unchecked: content.rest(in: input), count: count)
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
  ) throws(DERError) -> DERList? {
    let tag = DERTag.constructedContext(number)
    guard reader.nextTag(in: input) == tag else { return nil }
    return try DERList(reader.readNonEmpty(tag, in: input), in: input, &deviations)
  }

  /// Whether there are no elements.
  @inlinable public var isEmpty: Bool { count == 0 }
  /// The place of the first element in the input.
  @inlinable public var startIndex: Int { bytes.startIndex }
  /// The place after the last element in the input.
  @inlinable public var endIndex: Int { bytes.endIndex }

  /// The place of the next element.
  @inlinable
  public func index(after place: Int) -> Int {
    var iterator = Iterator(bytes.input, DERReader(unchecked: place, bytes.endIndex))
    _ = iterator.next()
    return iterator.reader.position
  }

  /// The element at an index. It is the caller's mistake, and ends the process, if the number is not
  /// one of `indices`, the places where elements begin.
  @inlinable
  public subscript(place: Int) -> Element {
    precondition(startIndex <= place && place < endIndex, "not an index of the list")
    var iterator = Iterator(bytes.input, DERReader(unchecked: place, bytes.endIndex))
    guard let element = iterator.next() else {
      // Of the indices each begins an element that was read when the list was.
      preconditionFailure("not an index of the list")
    }
    return element
  }

  /// Makes one element after the other.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(bytes.input, DERReader(bytes)) }

  /// Makes one element of a list after the other.
  public struct Iterator: IteratorProtocol, Sendable {
    @usableFromInline let input: [UInt8]
    @usableFromInline var reader: DERReader

    @inlinable
    init(_ input: [UInt8], _ reader: DERReader) {
      self.input = input
      self.reader = reader
    }

    /// The next element.
    @inlinable
    public mutating func next() -> Element? {
      guard !reader.isAtEnd else { return nil }
      var ignored: [EncodingDeviation] = []
      // No element fails: the same initialiser has read it before.
      return try? Element(&reader, in: input, &ignored)
    }
  }
}

extension DERList: CustomStringConvertible {
  /// `DNS:example.com, IP:192.0.2.1`.
  public var description: String { map { "\($0)" }.joined(separator: ", ") }
}

extension OID: DERDecodable {
  /// Reads an OBJECT IDENTIFIER.
  public init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    self = try reader.readOID(in: input)
  }
}
