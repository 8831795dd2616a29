internal import HoldfastDER

/// Names inside a certificate, read where they stand.
///
/// All of them were checked when the certificate was read; a name is made when it is asked for. So a
/// list needs no memory of its own. An index is the place of a name in the input.
public struct GeneralNames: Collection, Sendable {
  private let input: [UInt8]
  private let content: DERCursor

  /// The number of names.
  public let count: Int

  init(_ list: RawList, in input: [UInt8]) {
    self.input = input
    content = list.content
    count = list.count
  }

  /// Whether there is none.
  public var isEmpty: Bool { count == 0 }

  /// The place of the first name in the input.
  public var startIndex: Int { content.position }

  /// The place after the last name in the input.
  public var endIndex: Int { content.end }

  /// The place of the next name.
  public func index(after place: Int) -> Int {
    var cursor = DERCursor(unchecked: place, content.end)
    do throws(DERError) {
      _ = try cursor.readAny(in: input)
      return cursor.position
    } catch {
      // Not reached: the names were read before.
      return content.end
    }
  }

  /// The name at a place.
  public subscript(place: Int) -> GeneralName {
    var cursor = DERCursor(unchecked: place, content.end)
    do throws(DERError) {
      let (tag, content) = try cursor.readAny(in: input)
      return try GeneralName(tag, content, in: input)
    } catch {
      // Not reached: the names were read before.
      return .ediParty(cursor.rest(in: input))
    }
  }
}

extension GeneralNames: Hashable {
  /// Whether both are the same names in the same order.
  public static func == (a: GeneralNames, b: GeneralNames) -> Bool {
    a.content.rest(in: a.input) == b.content.rest(in: b.input)
  }

  /// Feeds the octets to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(content.rest(in: input)) }
}

/// A list that was read, without a reference to the input.
struct RawList {
  /// The elements, without a header around them.
  let content: DERCursor
  let count: Int

  static let empty = RawList(content: DERCursor(unchecked: 0, 0), count: 0)

  /// What the elements are, made anew by what has read them before.
  func map<Element>(
    _ next: (inout DERCursor) throws(DERError) -> Element
  ) -> [Element] {
    var list: [Element] = []
    list.reserveCapacity(count)
    var cursor = content
    do throws(DERError) {
      while !cursor.isAtEnd { list.append(try next(&cursor)) }
    } catch {
      // Not reached: the list was read before.
    }
    return list
  }

  init(content: DERCursor, count: Int) {
    self.content = content
    self.count = count
  }

  /// Reads a list of one element at least, and each of its elements.
  @inline(__always)
  init(
    _ content: DERCursor, emptyAt start: Int,
    _ next: (inout DERCursor) throws(DERError) -> Void
  ) throws(DERError) {
    guard !content.isAtEnd else { throw DERError(.empty, at: start) }
    var cursor = content
    var count = 0
    while !cursor.isAtEnd {
      try next(&cursor)
      count &+= 1
    }
    self.content = content
    self.count = count
  }

  /// Reads `GeneralNames`: one name at least.
  init(names: DERCursor, in input: borrowing [UInt8]) throws(DERError) {
    try self.init(names, emptyAt: names.position) { (cursor: inout DERCursor) throws(DERError) in
      let start = cursor.position
      let (tag, content) = try cursor.readAny(in: input)
      try GeneralName.check(tag, content, at: start, in: input)
    }
  }
}
