internal import HoldfastBase

/// Reads JSON in place, strictly by RFC 8259.
///
/// The text is passed to each function, so the reader itself is only two numbers. A caller that
/// knows which value comes next builds no tree; `batch` reads its lines this way. `readValue`
/// builds a tree of any value.
package struct JSONReader {
  package private(set) var position: Int
  private let end: Int

  package init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  /// A problem and its byte offset.
  package struct Problem: Error, Sendable, Hashable {
    package let message: String
    package let offset: Int
  }

  /// A string: the range between its quotes, or its unescaped bytes if it has escapes.
  package enum Text: Sendable {
    case plain(Range<Int>)
    case escaped([UInt8])

    /// Calls `body` with the bytes.
    package func withBytes<Result>(
      of text: Span<UInt8>, _ body: (Span<UInt8>) -> Result
    ) -> Result {
      switch self {
      case .plain(let range): body(text.extracting(range))
      case .escaped(let bytes): body(bytes.span)
      }
    }

    /// Returns the text, truncated to `maximumWordLength` bytes: no text that is compared is
    /// longer.
    package func word(in text: Span<UInt8>) -> String {
      withBytes(of: text) { bytes in
        let count = min(bytes.count, JSONReader.maximumWordLength)
        let copy = [UInt8](capacity: count) { output in
          for index in 0..<count { output.append(bytes[index]) }
        }
        return String(decoding: copy, as: UTF8.self)
      }
    }

    /// Whether the text is these bytes.
    package func equals(_ other: borrowing [UInt8], in text: Span<UInt8>) -> Bool {
      switch self {
      case .plain(let range):
        guard range.count == other.count else { return false }
        for index in 0..<range.count where text[range.lowerBound + index] != other[index] {
          return false
        }
        return true
      case .escaped(let bytes): return bytes == copy other
      }
    }

    fileprivate var count: Int {
      switch self {
      case .plain(let range): range.count
      case .escaped(let bytes): bytes.count
      }
    }
  }

  /// The maximum size of a word in bytes.
  private static let maximumWordLength = 4096

  package func problem(_ message: String) -> Problem { Problem(message: message, offset: position) }

  /// Skips white space and returns the next byte; nil at the end.
  package mutating func peek(_ text: Span<UInt8>) -> UInt8? {
    while position < end {
      switch text[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      case let byte: return byte
      }
    }
    return nil
  }

  /// Moves past a byte if it comes next.
  package mutating func take(_ byte: Unicode.Scalar, _ text: Span<UInt8>) -> Bool {
    guard peek(text) == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  package mutating func expect(_ byte: Unicode.Scalar, _ text: Span<UInt8>) throws(Problem) {
    guard take(byte, text) else { throw problem("expected \(byte)") }
  }

  /// Moves past a literal if it comes next.
  package mutating func take(literal: StaticString, _ text: Span<UInt8>) -> Bool {
    // Most callers look for one of several values by its first letter.
    guard let first = peek(text), first >= 0x61 else { return false }
    let bytes = Array("\(literal)".utf8)
    guard end - position >= bytes.count else { return false }
    for (index, byte) in bytes.enumerated() where text[position + index] != byte {
      return false
    }
    position += bytes.count
    return true
  }

  /// Reads a string. RFC 8259 §7.
  package mutating func readString(_ text: Span<UInt8>) throws(Problem) -> Text {
    try expect("\"", text)
    let start = position
    var index = start
    var isASCII = true
    while index < end {
      let byte = text[index]
      if byte == 0x22 {
        position = index + 1
        if !isASCII { try checkUTF8(text.extracting(start..<index)) }
        return .plain(start..<index)
      }
      if byte == 0x5C { break }
      if byte < 0x20 || byte >= 0x80 {
        position = index
        guard byte >= 0x80 else { throw problem("a control character in a string") }
        isASCII = false
      }
      index &+= 1
    }
    position = index
    return .escaped(try readEscaped(text, from: start))
  }

  /// Reads a string of at most `maximumWordLength` bytes.
  package mutating func readShortString(_ text: Span<UInt8>) throws(Problem) -> Text {
    _ = peek(text)
    let start = self
    let word = try readString(text)
    guard word.count <= JSONReader.maximumWordLength else {
      throw start.problem("a word of more than \(JSONReader.maximumWordLength) bytes")
    }
    return word
  }

  package mutating func readWord(_ text: Span<UInt8>) throws(Problem) -> String {
    try readShortString(text).word(in: text)
  }

  /// Reads a string that will be decoded as base64, which rejects invalid characters. So this only
  /// looks for the end and for escapes.
  package mutating func readBase64(_ text: Span<UInt8>) throws(Problem) -> Text {
    var ahead = self
    guard ahead.take("\"", text),
      let close = Platform.offset(of: 0x22, in: text, ahead.position..<end),
      Platform.offset(of: 0x5C, in: text, ahead.position..<close) == nil
    else { return try readString(text) }
    position = close + 1
    return .plain(ahead.position..<close)
  }

  /// Reads an array of strings, optionally as base64.
  package mutating func readStrings(
    _ text: Span<UInt8>, maximum: Int, areBase64: Bool = false
  ) throws(Problem) -> [Text] {
    try expect("[", text)
    var strings: [Text] = []
    if take("]", text) { return strings }
    repeat {
      guard strings.count < maximum else { throw problem("more than \(maximum) elements") }
      strings.append(areBase64 ? try readBase64(text) : try readString(text))
    } while take(",", text)
    try expect("]", text)
    return strings
  }

  /// Moves past a string, number, true, false or null, and returns its range.
  package mutating func readScalar(_ text: Span<UInt8>) throws(Problem) -> Range<Int> {
    let first = peek(text)
    let start = position
    switch first {
    case 0x22?: _ = try readString(text)
    case let digit? where digit == 0x2D || 0x30...0x39 ~= digit: try readNumber(text)
    default:
      guard
        take(literal: "null", text) || take(literal: "true", text)
          || take(literal: "false", text)
      else { throw problem("expected a string, a number, true, false or null") }
    }
    return start..<position
  }

  /// Moves past a number. RFC 8259 §6.
  private mutating func readNumber(_ text: Span<UInt8>) throws(Problem) {
    func digits(_ offset: inout Int) -> Int {
      let start = offset
      while offset < end, 0x30...0x39 ~= text[offset] { offset += 1 }
      return offset - start
    }
    var offset = position
    if text[offset] == 0x2D { offset += 1 }
    let first = offset
    let count = digits(&offset)
    var isNumber = count > 0 && (count == 1 || text[first] != 0x30)
    if isNumber, offset < end, text[offset] == 0x2E {
      offset += 1
      isNumber = digits(&offset) > 0
    }
    if isNumber, offset < end, text[offset] | 0x20 == 0x65 {
      offset += 1
      if offset < end, text[offset] == 0x2B || text[offset] == 0x2D { offset += 1 }
      isNumber = digits(&offset) > 0
    }
    guard isNumber else { throw problem("not a number") }
    position = offset
  }
}

/// Objects and arrays.
extension JSONReader {
  /// The maximum nesting depth of arrays and objects.
  static let maximumDepth = 64

  /// Moves past an array and returns the ranges of its elements, for reading them one at a time.
  package mutating func skipElements(_ text: Span<UInt8>) throws(Problem) -> [Range<Int>] {
    try expect("[", text)
    var elements: [Range<Int>] = []
    if take("]", text) { return elements }
    repeat {
      _ = peek(text)
      let start = position
      try skipValue(text, depth: 1)
      elements.append(start..<position)
    } while take(",", text)
    try expect("]", text)
    return elements
  }

  private mutating func skipValue(_ text: Span<UInt8>, depth: Int) throws(Problem) {
    guard depth < JSONReader.maximumDepth else { throw problem("nested too deep") }
    let isObject = peek(text) == UInt8(ascii: "{")
    guard isObject || peek(text) == UInt8(ascii: "[") else {
      _ = try readScalar(text)
      return
    }
    position += 1
    let end: Unicode.Scalar = isObject ? "}" : "]"
    if take(end, text) { return }
    repeat {
      if isObject {
        _ = try readString(text)
        try expect(":", text)
      }
      try skipValue(text, depth: depth + 1)
    } while take(",", text)
    try expect(end, text)
  }

  /// Reads an object whose names all differ; `readValue` reads the value of each.
  package mutating func readMembers(
    _ text: Span<UInt8>, _ readValue: (String, inout JSONReader) throws(Problem) -> Void
  ) throws(Problem) {
    try expect("{", text)
    var names: Set<String> = []
    if take("}", text) { return }
    repeat {
      _ = peek(text)
      let offset = self
      let name = try readLongString(text)
      guard names.insert(name).inserted else { throw offset.problem("\(name) occurs twice") }
      try expect(":", text)
      try readValue(name, &self)
    } while take(",", text)
    try expect("}", text)
  }

  /// Reads a string of any length.
  mutating func readLongString(_ text: Span<UInt8>) throws(Problem) -> String {
    try readString(text).withBytes(of: text) { bytes in JSONReader.string(bytes) }
  }

  /// Returns the text of bytes already known to be UTF-8.
  static func string(_ bytes: Span<UInt8>) -> String {
    do { return String(copying: try UTF8Span(validating: bytes)) } catch { return "" }
  }
}

/// Strings with escapes.
extension JSONReader {
  /// Continues a string at its first escape; the string begins at `start`.
  private mutating func readEscaped(
    _ text: Span<UInt8>, from start: Int
  ) throws(Problem) -> [UInt8] {
    var bytes: [UInt8] = []
    for offset in start..<position { bytes.append(text[offset]) }
    while position < end {
      let byte = text[position]
      switch byte {
      case 0x22:
        try checkUTF8(bytes.span)
        position += 1
        return bytes
      case 0x5C: try readEscape(text, into: &bytes)
      case 0..<0x20: throw problem("a control character in a string")
      default:
        bytes.append(byte)
        position += 1
      }
    }
    throw problem("a string without an end")
  }

  private mutating func readEscape(
    _ text: Span<UInt8>, into bytes: inout [UInt8]
  ) throws(Problem) {
    guard end - position >= 2 else { throw problem("a string without an end") }
    let letter = text[position + 1]
    position += 2
    switch Unicode.Scalar(letter) {
    case "\"", "\\", "/": return bytes.append(letter)
    case "b": return bytes.append(0x08)
    case "f": return bytes.append(0x0C)
    case "n": return bytes.append(0x0A)
    case "r": return bytes.append(0x0D)
    case "t": return bytes.append(0x09)
    default: position -= 2
    }
    guard letter == UInt8(ascii: "u") else { throw problem("an unknown escape") }
    var value = UInt32(try readUnit(text))
    if 0xD800..<0xDC00 ~= value {
      let low = UInt32(try readUnit(text))
      guard 0xDC00..<0xE000 ~= low else { throw problem("half of a surrogate pair") }
      value = 0x1_0000 + (value - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(value) else { throw problem("half of a surrogate pair") }
    bytes.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
  }

  /// Reads `\uXXXX`.
  private mutating func readUnit(_ text: Span<UInt8>) throws(Problem) -> UInt16 {
    guard end - position >= 6, text[position] == 0x5C, text[position + 1] == 0x75 else {
      throw problem("half of a surrogate pair")
    }
    var value: UInt16 = 0
    for offset in position + 2..<position + 6 {
      guard let digit = Hexadecimal.value(of: text[offset]) else {
        throw problem("an unknown escape")
      }
      value = value << 4 | UInt16(digit)
    }
    position += 6
    return value
  }

  /// Checks that bytes are UTF-8. RFC 8259 §8.1.
  private func checkUTF8(_ bytes: Span<UInt8>) throws(Problem) {
    do { _ = try UTF8Span(validating: bytes) } catch { throw problem("not UTF-8") }
  }
}
