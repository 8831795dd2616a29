/// Trees of values.
extension JSONReader {
  /// The memory that a tree may take. Two bytes of text can become an element of 24 bytes, in an array
  /// that grows to twice what it holds. The limit is ours: the largest list of logs takes less
  /// than a hundredth.
  package static let maximumTreeSize = 64 << 20

  /// Reads any value, which takes at most about `maximumSize` bytes of memory.
  package mutating func readValue(
    _ text: Span<UInt8>, maximumSize: Int = maximumTreeSize
  ) throws(Problem) -> JSONValue {
    var rest = maximumSize
    return try readValue(text, depth: 0, &rest)
  }

  private mutating func readValue(
    _ text: Span<UInt8>, depth: Int, _ rest: inout Int
  ) throws(Problem) -> JSONValue {
    guard depth < JSONReader.maximumDepth else { throw problem("nested too deep") }
    // An element and the room for another.
    try spend(2 * MemoryLayout<JSONValue>.stride, of: &rest)
    switch peek(text) {
    case UInt8(ascii: "{"):
      var members: [JSONValue.Member] = []
      try readMembers(text) { name, reader throws(Problem) in
        if members.isEmpty { try reader.spend(JSONReader.blockSize, of: &rest) }
        // The name is also in a set as long as the object is read.
        try reader.spend(4 * MemoryLayout<JSONValue.Member>.stride, of: &rest)
        try reader.spend(onText: name, of: &rest)
        let value = try reader.readValue(text, depth: depth + 1, &rest)
        members.append(JSONValue.Member(name: name, value: value))
      }
      return .object(members)
    case UInt8(ascii: "["):
      try expect("[", text)
      var values: [JSONValue] = []
      if take("]", text) { return .array(values) }
      try spend(JSONReader.blockSize, of: &rest)
      repeat {
        values.append(try readValue(text, depth: depth + 1, &rest))
      } while take(",", text)
      try expect("]", text)
      return .array(values)
    case UInt8(ascii: "\""):
      let string = try readLongString(text)
      try spend(onText: string, of: &rest)
      return .string(string)
    default:
      let range = try readScalar(text)
      switch text[range.lowerBound] {
      case UInt8(ascii: "t"): return .bool(true)
      case UInt8(ascii: "f"): return .bool(false)
      case UInt8(ascii: "n"): return .null
      default:
        let number = JSONReader.string(text.extracting(range))
        try spend(onText: number, of: &rest)
        return .number(number)
      }
    }
  }

  /// What the memory of an array takes besides its elements.
  private static let blockSize = 64

  private func spend(onText text: String, of rest: inout Int) throws(Problem) {
    // Up to fifteen bytes are kept in the value itself.
    let count = text.utf8.count
    if count > 15 { try spend(JSONReader.blockSize + count, of: &rest) }
  }

  private func spend(_ size: Int, of rest: inout Int) throws(Problem) {
    guard size <= rest else { throw problem("too many values for the memory that they may take") }
    rest -= size
  }
}
