internal import Holdfast

/// Reads OkHttp's pins: a builder's calls `.add("pattern", "pin", …)` in Java or Kotlin, outside of
/// comments, or lines of a pattern and its pins, where `#` begins a comment.
struct OkHttpReader {
  private var patterns: [(pattern: HostPattern, text: String, line: Int)] = []
  private var pins: [HostPattern: [Pin]] = [:]
  private static let quote = UInt8(ascii: "\"")

  static func read(
    _ text: String, _ context: PinConfiguration.Context
  ) throws(ConfigurationError) -> PinConfiguration {
    var reader = OkHttpReader()
    if text.utf8.contains(Self.quote) || FieldText.range(of: ".add(", in: text[...]) != nil {
      try reader.readCalls(try withoutComments(text))
    } else {
      try reader.readLines(text)
    }
    var entries: [PinTable.Entry] = []
    var remarks = Remarks()
    for (pattern, text, line) in reader.patterns {
      let pins = reader.pins[pattern] ?? []
      if text != "\(pattern)" && !text.hasPrefix("*") {
        remarks.add(
          text, line, "OkHttp has no pins for a host with a trailing dot; here it is the same host")
      }
      let set = try FieldText.set(key: text, line: line) { () throws(PinSetError) in
        try PinSet(pins, backup: .waived)
      }
      remarks.addLoneKey(set, text, line)
      entries.append(PinTable.Entry(pattern, set))
    }
    return try PinConfiguration(.okHttp, entries, overlap: .united, remarks)
  }

  private mutating func add(
    _ pattern: String, _ texts: [String], line: Int
  ) throws(ConfigurationError) {
    let hosts: HostPattern
    do throws(HostPatternError) {
      hosts = try HostPattern(pattern)
    } catch {
      throw ConfigurationError(.badHost(error), key: pattern, line: line)
    }
    guard !texts.isEmpty else {
      throw ConfigurationError(.badPins(.noPins), key: pattern, line: line)
    }
    var read: [Pin] = []
    for text in texts {
      do throws(PinError) {
        // OkHttp has only this notation.
        guard text.hasPrefix("sha256/") || text.hasPrefix("sha1/") else {
          throw PinError(.unknownFunction(String(text.prefix { $0 != "/" })), at: 0)
        }
        let pin = try Pin(text)
        guard pin.text() == text else { throw PinError(.notBase64, at: 7) }
        read.append(pin)
      } catch {
        throw ConfigurationError(.badPin(text, error), key: pattern, line: line)
      }
    }
    if pins[hosts] == nil { patterns.append((hosts, pattern, line)) }
    pins[hosts, default: []] += read
  }

  private mutating func readLines(_ text: String) throws(ConfigurationError) {
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, line) in lines.enumerated() {
      let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" || $0 == "," }
      guard let pattern = words.first else { continue }
      try add(String(pattern), words.dropFirst().map(String.init), line: index + 1)
    }
  }

  /// Returns the text with spaces in place of comments, so that lines keep their numbers.
  ///
  /// A comment in a comment is an error: it ends the outer one in Java, and does not in Kotlin.
  private static func withoutComments(_ text: String) throws(ConfigurationError) -> String {
    let (newline, slash, asterisk, space) = (UInt8(0x0A), UInt8(0x2F), UInt8(0x2A), UInt8(0x20))
    var bytes = Array(text.utf8)
    var line = 1
    var isInString = false
    var index = 0
    func isPair(_ first: UInt8, _ second: UInt8) -> Bool {
      bytes[index] == first && index + 1 < bytes.count && bytes[index + 1] == second
    }
    while index < bytes.count {
      if isInString {
        if bytes[index] == UInt8(ascii: "\\") { index += 1 }
        if index < bytes.count, [quote, newline].contains(bytes[index]) { isInString = false }
      } else if isPair(slash, slash) {
        while index < bytes.count, bytes[index] != newline {
          bytes[index] = space
          index += 1
        }
      } else if isPair(slash, asterisk) {
        let start = line
        (bytes[index], bytes[index + 1]) = (space, space)
        index += 2
        while index < bytes.count, !isPair(asterisk, slash) {
          guard !isPair(slash, asterisk) else {
            throw ConfigurationError(.malformed("a comment in a comment"), line: line)
          }
          if bytes[index] == newline { line += 1 } else { bytes[index] = space }
          index += 1
        }
        guard index < bytes.count else {
          throw ConfigurationError(.malformed("a comment without an end"), line: start)
        }
        (bytes[index], bytes[index + 1]) = (space, space)
        index += 1
      } else {
        isInString = bytes[index] == quote
      }
      if index < bytes.count, bytes[index] == newline { line += 1 }
      index += 1
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Text between calls must not have quotation marks, so that no call is missed.
  ///
  /// - Parameter line: The line on which the text begins.
  private static func checkOutside(
    _ text: Substring, line: Int
  ) throws(ConfigurationError) {
    guard let index = text.utf8.firstIndex(of: quote) else { return }
    throw ConfigurationError(
      .malformed(
        "a string outside .add(…): give the calls of add alone, with the host as a literal"),
      line: line + text[..<index].count { $0.isNewline })
  }

  /// Reads the calls.
  private mutating func readCalls(_ text: String) throws(ConfigurationError) {
    var rest = text[...]
    var line = 1
    func fault(_ message: String, _ line: Int) -> ConfigurationError {
      ConfigurationError(.malformed(message), line: line)
    }
    while let call = FieldText.range(of: ".add(", in: rest) {
      let before = rest[..<call.lowerBound]
      try Self.checkOutside(before, line: line)
      line += before.count { $0.isNewline }
      rest = rest[call.upperBound...]
      let start = line
      var texts: [String] = []
      var isOpen = true
      while isOpen {
        rest = rest.drop { character in
          if character.isNewline { line += 1 }
          return character.isWhitespace
        }
        guard rest.first == "\"" else {
          let found = texts.isEmpty ? "host" : "pin"
          throw fault("the \(found) must be a literal: a string in quotes", line)
        }
        rest = rest.dropFirst()
        let body = rest.prefix { $0 != "\"" && !$0.isNewline && $0 != "\\" }
        rest = rest[body.endIndex...]
        guard rest.first == "\"" else { throw fault("unterminated string", line) }
        texts.append(String(body))
        rest = rest.dropFirst().drop { character in
          if character.isNewline { line += 1 }
          return character.isWhitespace
        }
        switch rest.first {
        case ",": rest = rest.dropFirst()
        case ")":
          rest = rest.dropFirst()
          isOpen = false
        default: throw fault("expected \",\" or \")\"", line)
        }
      }
      try add(texts[0], Array(texts.dropFirst()), line: start)
    }
    try Self.checkOutside(rest, line: line)
  }
}
