/// Reads the text format of Protocol Buffers, as far as Chrome's root store uses it: fields with a
/// scalar, a list of scalars or a message.
struct TextprotoReader {
  private let text: [UInt8]
  private var position = 0
  private var line = 1
  /// The fields read so far, in all messages.
  private var count = 0
  /// The name of the entry, as far as it has been read.
  private var label: String?

  /// A field of a message.
  struct Field {
    let name: String
    let line: Int
    let value: Value

    var text: String? { if case .text(let text) = value { text } else { nil } }
    var fields: [Field]? { if case .message(let fields) = value { fields } else { nil } }
    var isTrue: Bool { if case .word(let word) = value { word == "true" } else { false } }

    /// The value of a number, decimal or hexadecimal.
    var number: Int64? {
      guard case .word(let word) = value else { return nil }
      return word.hasPrefix("0x") ? Int64(word.dropFirst(2), radix: 16) : Int64(word)
    }
  }

  enum Value {
    case text(String)
    /// A number, a boolean or the name of an enumerator.
    case word(String)
    case message([Field])
  }

  /// The deepest nesting of messages; Chrome's has two levels.
  private static let maximumDepth = 8
  /// The maximum number of fields.
  private static let maximumFields = 200_000
  /// The maximum number of damaged entries.
  private static let maximumProblems = 1000

  /// A field that cannot be read, and its text up to where reading goes on.
  struct Damage {
    let problem: TrustStoreError
    let text: ArraySlice<UInt8>
  }

  /// Reads the fields of the outermost message. Those that are damaged are left out; reading goes
  /// on at the next line that begins with the name of an entry, as Chrome's file has them.
  static func read(
    _ text: [UInt8], entries: [StaticString]
  ) throws(TrustStoreError) -> (fields: [Field], damage: [Damage]) {
    var reader = TextprotoReader(text: text)
    var fields: [Field] = []
    var damage: [Damage] = []
    while reader.peek() != nil {
      let (start, line) = (reader.position, reader.line)
      reader.label = nil
      do throws(TrustStoreError) {
        try reader.readField(depth: 0, into: &fields)
      } catch {
        guard case .syntax = error.problem, damage.count < maximumProblems else { throw error }
        // Where an entry lacks its end, the error is at the end of the file.
        let problem = TrustStoreError(error.problem, line: line, label: reader.label)
        (reader.position, reader.line) = (start, line)
        reader.skip(to: entries)
        damage.append(Damage(problem: problem, text: text[start..<reader.position]))
      }
    }
    return (fields, damage)
  }

  private init(text: [UInt8]) { self.text = text }

  private func problem(_ reason: String) -> TrustStoreError {
    TrustStoreError(.syntax(reason), line: line)
  }

  /// Skips white space and comments, and returns the next byte; nil at the end.
  private mutating func peek() -> UInt8? {
    while position < text.count {
      switch text[position] {
      case 0x0A:
        line += 1
        position += 1
      case 0x20, 0x09, 0x0D, 0x2C, 0x3B: position += 1
      case 0x23: position = text[position...].firstIndex(of: 0x0A) ?? text.count
      case let byte: return byte
      }
    }
    return nil
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    position += 1
    return true
  }

  /// Skips the rest of the line and all lines up to one that begins with one of these names.
  private mutating func skip(to names: [StaticString]) {
    while let end = text[position...].firstIndex(of: 0x0A) {
      (position, line) = (end + 1, line + 1)
      if names.contains(where: { text[position...].starts(with: "\($0)".utf8) }) { return }
    }
    position = text.count
  }

  /// Reads fields up to the end or a closing brace. The recursion is bounded by the depth.
  private mutating func readFields(depth: Int) throws(TrustStoreError) -> [Field] {
    guard depth < TextprotoReader.maximumDepth else { throw problem("nested too deeply") }
    var fields: [Field] = []
    while let byte = peek(), byte != 0x7D { try readField(depth: depth, into: &fields) }
    return fields
  }

  private mutating func readField(
    depth: Int, into fields: inout [Field]
  ) throws(TrustStoreError) {
    let (name, start) = (try readWord(), line)
    let hasColon = take(0x3A)
    let isList = take(0x5B)
    while !isList || !take(0x5D) {
      let field = Field(name: name, line: start, value: try readValue(depth, hasColon))
      if depth == 1, name == "display_name" || label == nil { label = field.text ?? label }
      fields.append(field)
      try spend()
      if !isList { return }
    }
  }

  private mutating func spend() throws(TrustStoreError) {
    count += 1
    guard count <= TextprotoReader.maximumFields else {
      throw TrustStoreError(.tooManyEntries(limit: TextprotoReader.maximumFields), line: line)
    }
  }

  private mutating func readValue(
    _ depth: Int, _ hasColon: Bool
  ) throws(TrustStoreError) -> Value {
    if take(0x7B) {
      let fields = try readFields(depth: depth + 1)
      guard take(0x7D) else { throw problem("expected }") }
      return .message(fields)
    }
    guard hasColon else { throw problem("expected : or {") }
    switch peek() {
    case 0x22, 0x27: return .text(try readText())
    default: return .word(try readWord())
    }
  }

  private mutating func readWord() throws(TrustStoreError) -> String {
    _ = peek()
    let start = position
    while position < text.count, TextprotoReader.isWord(text[position]) { position += 1 }
    guard start < position else { throw problem("expected a name or a value") }
    return String(decoding: text[start..<position], as: UTF8.self)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D, 0x2E, 0x2B: true
    default: false
    }
  }

  /// Reads a string in quotes; of escapes only those of quotes and of the backslash occur.
  private mutating func readText() throws(TrustStoreError) -> String {
    let quote = text[position]
    position += 1
    var bytes: [UInt8] = []
    while position < text.count, text[position] != 0x0A {
      var byte = text[position]
      position += 1
      if byte == quote { return String(decoding: bytes, as: UTF8.self) }
      if byte == 0x5C {
        guard position < text.count, [0x5C, 0x22, 0x27].contains(text[position]) else {
          throw problem("an escape that is not known")
        }
        byte = text[position]
        position += 1
      }
      bytes.append(byte)
    }
    throw problem("a string without its end")
  }
}
