/// A JSON text as a tree. RFC 8259, read strictly; a suite's names and values are looked up in it by
/// Swift's own `Decodable`.
package enum JSONTree: Sendable, Hashable {
  case null
  case bool(Bool)
  /// The number as it is written.
  case number(String)
  case string(String)
  case array([JSONTree])
  case object([String: JSONTree])

  /// Why a text is not JSON, and at which byte.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    package let problem: String
    package let offset: Int
    package var description: String { "is not JSON: \(problem) at byte \(offset)" }
  }

  /// Reads a text.
  package init(_ text: [UInt8]) throws(Failure) {
    var parser = Parser(text: text)
    self = try parser.readValue(depth: 0)
    parser.skipBlanks()
    guard parser.place == text.count else { throw parser.failure("more after the value") }
  }
}

private struct Parser {
  let text: [UInt8]
  var place = 0

  /// How deep arrays and objects may be nested.
  static let maximumDepth = 64

  func failure(_ problem: String) -> JSONTree.Failure {
    JSONTree.Failure(problem: problem, offset: place)
  }

  private var next: UInt8? { place < text.count ? text[place] : nil }

  mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      place += 1
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard next == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(JSONTree.Failure) {
    guard take(character) else { throw failure("expected \(character)") }
  }

  mutating func readValue(depth: Int) throws(JSONTree.Failure) -> JSONTree {
    guard depth < Parser.maximumDepth else { throw failure("nested too deep") }
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return .object(try readObject(depth))
    case UInt8(ascii: "["): return .array(try readArray(depth))
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "t"): return try readWord("true", .bool(true))
    case UInt8(ascii: "f"): return try readWord("false", .bool(false))
    case UInt8(ascii: "n"): return try readWord("null", .null)
    default: return .number(try readNumber())
    }
  }

  private mutating func readObject(_ depth: Int) throws(JSONTree.Failure) -> [String: JSONTree] {
    try expect("{")
    var members: [String: JSONTree] = [:]
    if take("}") { return members }
    repeat {
      skipBlanks()
      let name = try readString()
      try expect(":")
      guard members.updateValue(try readValue(depth: depth + 1), forKey: name) == nil else {
        throw failure("duplicate \(name)")
      }
    } while take(",")
    try expect("}")
    return members
  }

  private mutating func readArray(_ depth: Int) throws(JSONTree.Failure) -> [JSONTree] {
    try expect("[")
    var values: [JSONTree] = []
    if take("]") { return values }
    repeat { values.append(try readValue(depth: depth + 1)) } while take(",")
    try expect("]")
    return values
  }

  private mutating func readWord(
    _ word: String, _ value: JSONTree
  ) throws(JSONTree.Failure) -> JSONTree {
    guard text[place...].starts(with: word.utf8) else { throw failure("expected \(word)") }
    place += word.utf8.count
    return value
  }

  /// RFC 8259 §6.
  private mutating func readNumber() throws(JSONTree.Failure) -> String {
    let start = place
    func digits(_ parser: inout Parser) throws(JSONTree.Failure) {
      let first = parser.place
      while let byte = parser.next, 0x30...0x39 ~= byte { parser.place += 1 }
      guard parser.place > first else { throw parser.failure("expected a value") }
    }
    if next == UInt8(ascii: "-") { place += 1 }
    // No digit may follow a zero at the beginning.
    if next == UInt8(ascii: "0") { place += 1 } else { try digits(&self) }
    if next == UInt8(ascii: ".") {
      place += 1
      try digits(&self)
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      place += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { place += 1 }
      try digits(&self)
    }
    return String(decoding: text[start..<place], as: UTF8.self)
  }

  /// RFC 8259 §7.
  private mutating func readString() throws(JSONTree.Failure) -> String {
    try expect("\"")
    var bytes: [UInt8] = []
    var start = place
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        bytes += text[start..<place]
        guard let string = String(validating: bytes, as: UTF8.self) else {
          throw failure("a string that is not UTF-8")
        }
        place += 1
        return string
      case UInt8(ascii: "\\"):
        bytes += text[start..<place]
        place += 1
        bytes += String(try readEscape()).utf8
        start = place
      case 0..<0x20: throw failure("a control character in a string")
      default: place += 1
      }
    }
    throw failure("a string without an end")
  }

  private mutating func readEscape() throws(JSONTree.Failure) -> Unicode.Scalar {
    guard let byte = next else { throw failure("a string without an end") }
    place += 1
    switch Unicode.Scalar(byte) {
    case "\"", "\\", "/": return Unicode.Scalar(byte)
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      let high = try readUnit()
      if let scalar = Unicode.Scalar(high) { return scalar }
      guard 0xD800..<0xDC00 ~= high, take("\\"), take("u") else {
        throw failure("half of a surrogate pair")
      }
      let low = try readUnit()
      guard 0xDC00..<0xE000 ~= low else { throw failure("half of a surrogate pair") }
      let value = 0x1_0000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
      guard let scalar = Unicode.Scalar(value) else { throw failure("no such character") }
      return scalar
    default: throw failure("an unknown escape")
    }
  }

  private mutating func readUnit() throws(JSONTree.Failure) -> UInt16 {
    guard text.count - place >= 4,
      let value = HexBytes(String(decoding: text[place..<place + 4], as: UTF8.self))
    else { throw failure("expected four hexadecimal digits") }
    place += 4
    return UInt16(value.bytes[0]) << 8 | UInt16(value.bytes[1])
  }
}
