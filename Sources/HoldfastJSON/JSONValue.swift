/// A JSON value. Its text is ASCII with members in the given order, so the same value gives the
/// same bytes on every machine. RFC 8259.
///
/// Only the tool and the suites write JSON. The libraries read it where others publish it (log lists,
/// root stores, the manifest of revocation filters); their errors expose facts (field, problem,
/// offset, rule), and the commands define the names under which programs can rely on these.
package enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  /// A number as written.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// A name and its value.
  package struct Member: Sendable, Hashable {
    package let name: String
    package let value: JSONValue

    package init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// Parses a text that is one value, which takes at most about `maximumSize` bytes of memory.
  package init(
    parsing text: [UInt8], maximumSize: Int = JSONReader.maximumTreeSize
  ) throws(JSONReader.Problem) {
    var reader = JSONReader(0..<text.count)
    self = try reader.readValue(text.span, maximumSize: maximumSize)
    guard reader.peek(text.span) == nil else { throw reader.problem("more after the value") }
  }

  /// The member of an object with a name.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text of a string.
  package var text: String? { if case .string(let text) = self { text } else { nil } }

  /// Returns a whole number.
  package static func number(_ value: Int) -> JSONValue { .number("\(value)") }

  /// Returns an object with names and values.
  package static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(members.map { Member(name: $0.key, value: $0.value) })
  }

  /// Returns an array of strings.
  package static func strings(_ texts: some Sequence<String>) -> JSONValue {
    .array(texts.map { .string($0) })
  }

  /// Returns a string, or null.
  package static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// Returns a number, or null.
  package static func optional(_ number: Int?) -> JSONValue { number.map { .number($0) } ?? .null }

  /// The text on one line, for line-based protocols.
  package var line: [UInt8] {
    var text: [UInt8] = []
    write(to: &text, indent: nil)
    return text
  }

  /// Returns the text on several lines, for human readers; it begins at the depth `indent`.
  package func lines(indent: Int = 0) -> [UInt8] {
    var text: [UInt8] = []
    write(to: &text, indent: indent)
    return text
  }

  // The recursion is bounded: the tool's own documents are about five levels deep, and parsed
  // values at most as deep as the reader allows.
  private func write(to text: inout [UInt8], indent: Int?) {
    switch self {
    case .null: text.append(contentsOf: "null".utf8)
    case .bool(let value): text.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let value): text.append(contentsOf: value.utf8)
    case .string(let value): JSONValue.writeString(value, to: &text)
    case .array(let values):
      JSONValue.writeList("[", "]", values, to: &text, indent: indent) { value, text, indent in
        value.write(to: &text, indent: indent)
      }
    case .object(let members):
      JSONValue.writeList("{", "}", members, to: &text, indent: indent) { member, text, indent in
        JSONValue.writeString(member.name, to: &text)
        text.append(UInt8(ascii: ":"))
        if indent != nil { text.append(UInt8(ascii: " ")) }
        member.value.write(to: &text, indent: indent)
      }
    }
  }

  private static func writeList<Element>(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ elements: [Element],
    to text: inout [UInt8], indent: Int?,
    _ write: (Element, inout [UInt8], Int?) -> Void
  ) {
    func startLine(_ depth: Int) {
      text.append(UInt8(ascii: "\n"))
      text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }
    text.append(UInt8(ascii: open))
    for (index, element) in elements.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      if let indent { startLine(indent + 1) }
      write(element, &text, indent.map { $0 + 1 })
    }
    if let indent, !elements.isEmpty { startLine(indent) }
    text.append(UInt8(ascii: close))
  }

  /// Writes a string. RFC 8259 §7; characters outside ASCII are written as UTF-16 code units.
  package static func writeString(_ value: String, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    defer { text.append(UInt8(ascii: "\"")) }
    if isPlain(value.utf8Span.span) { return text.append(contentsOf: value.utf8) }
    for unit in value.utf16 {
      switch unit {
      case 0x22, 0x5C:
        text.append(UInt8(ascii: "\\"))
        text.append(UInt8(truncatingIfNeeded: unit))
      case 0x20...0x7E: text.append(UInt8(truncatingIfNeeded: unit))
      case 0x0A: text.append(contentsOf: "\\n".utf8)
      case 0x09: text.append(contentsOf: "\\t".utf8)
      default:
        let digits = String(unit, radix: 16)
        text.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.utf8.count)).utf8)
        text.append(contentsOf: digits.utf8)
      }
    }
  }

  /// Whether a text needs no escape. Without an early exit it takes a fraction of an instruction for
  /// each byte.
  private static func isPlain(_ text: Span<UInt8>) -> Bool {
    var isSpecial = false
    for index in text.indices {
      let byte = text[index]
      isSpecial = isSpecial || byte < 0x20 || byte > 0x7E || byte == 0x22 || byte == 0x5C
    }
    return !isSpecial
  }
}
